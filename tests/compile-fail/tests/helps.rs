//! Applies the help of each case: its code replaces the underlined code, and the result compiles.
//!
//! A help that shows code in backticks after `write`, `did you mean` or `or` is followed if the code replaces a name, a slot or a tag
//! at the underlined place. `…` in it is left out.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Cases whose help needs a second step, with the reason.
const SECOND_STEP: [(&str, &str); 45] = [
    ("format/dotted/0", "the version follows what is underlined"),
    ("literal/inline_tag/0", "there are several slots"),
    (
        "literal/quotes/0",
        "the rest of the string follows what is underlined",
    ),
    (
        "literal/quotes_condition/0",
        "the rest of the string follows what is underlined",
    ),
    (
        "literal/quotes_default/0",
        "the rest of the string follows what is underlined",
    ),
    (
        "literal/quotes_inline/0",
        "the rest of the string follows what is underlined",
    ),
    (
        "literal/quotes_replace/0",
        "the rest of the string follows what is underlined",
    ),
    ("loops/constant/0", "the name is a placeholder for a field"),
    ("loops/constants/0", "the name is a placeholder for a field"),
    ("loops/range/0", "the name is a placeholder for a field"),
    (
        "loops/range_call/0",
        "the name is a placeholder for a field",
    ),
    (
        "loops/range_half_open/0",
        "the name is a placeholder for a field",
    ),
    (
        "loops/range_inclusive/0",
        "the name is a placeholder for a field",
    ),
    ("loops/each/0", "the end of the block is renamed too"),
    ("loops/foreach_as/0", "the end of the block is renamed too"),
    (
        "sources/messages_yaml/0",
        "the other roles and keys are replaced too",
    ),
    ("slots/behind_a_word/0", "there are several slots"),
    ("syntax/role_lines/0", "the other roles are lines too"),
    ("syntax/role_lines_file/0", "the other roles are lines too"),
    ("syntax/role_marks_file/0", "the other roles are marks too"),
    (
        "syntax/role_lines_inline/0",
        "the other roles are lines too",
    ),
    (
        "syntax/role_on_a_line/0",
        "what follows on the line is moved to the next one",
    ),
    (
        "conditions/no_spaces/0",
        "the tag ends after what is underlined",
    ),
    ("fallback/inline/0", "an argument has no slot yet"),
    (
        "front_matter/unknown_role/0",
        "the slot is then in the system message",
    ),
    (
        "jinja/macro_too_many_arguments/0",
        "the call without the argument",
    ),
    (
        "jinja/option_compared/0",
        "the comparison is inside of the condition",
    ),
    (
        "jinja/option_compared/1",
        "the comparison is inside of the condition",
    ),
    (
        "jinja/option_field/0",
        "rustc knows whether the type can be a condition",
    ),
    ("jinja/loop_outside/0", "the slot is moved into a loop"),
    ("jinja/part_of_list/1", "the loop needs its end"),
    (
        "jinja/part_of_text/0",
        "what is underlined follows the value",
    ),
    (
        "jinja/truncated_list/0",
        "the filter follows what is underlined",
    ),
    (
        "jinja/slice_of_number/0",
        "what is underlined precedes the slice",
    ),
    ("jinja/without_key/1", "there are several slots"),
    (
        "slots/loop_index_outside/0",
        "the slot is moved into a loop",
    ),
    ("slots/variant/0", "another field has no slot yet"),
    (
        "syntax/no_condition/0",
        "the name is a placeholder for a field",
    ),
    ("syntax/no_condition/1", "the end of the block is text too"),
    ("syntax/stray_role/0", "text is outside of the roles"),
    ("syntax/unclosed_role/0", "no other message is left"),
    ("syntax/unclosed_slot_file/1", "the field has no other slot"),
    (
        "syntax/unknown_role/0",
        "the end of the role is renamed too",
    ),
    (
        "syntax/unknown_role_file/0",
        "the end of the role is renamed too",
    ),
    ("system/loop/0", "the loop has no other slot"),
];

#[test]
fn helps() {
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../tests/trybuild/compile-fail");
    let prompts = package.join("prompts");
    fs::create_dir_all(&prompts).expect("a folder can be made");
    for file in fs::read_dir("tests/ui/prompts").expect("the folder is there") {
        let file = file.expect("an entry");
        fs::copy(file.path(), prompts.join(file.file_name())).expect("a file can be copied");
    }
    let (mut code, mut count) = (
        String::from("//! Generated.\n#![allow(dead_code, unused)]\n"),
        0,
    );
    for Case {
        name: case,
        source,
        stderr,
    } in cases()
    {
        let errors = errors(&stderr);
        let [Some(error)] = &errors[..] else { continue };
        let steps = steps(&error.help, &source);
        for (index, written) in steps.here.iter().enumerate() {
            if SECOND_STEP
                .iter()
                .any(|(known, _)| *known == format!("{case}/{index}"))
            {
                continue;
            }
            let Some((path, text)) = fixed(error, written, &steps.elsewhere) else {
                continue;
            };
            if has_no_slot(&source, &text, written) {
                continue;
            }
            let source = match path.extension().is_some_and(|end| end == "rs") {
                true => text,
                false => {
                    let name = format!(
                        "prompts/fixed_{}_{index}_{}",
                        case.replace('/', "_"),
                        path.file_name().unwrap_or_default().to_string_lossy()
                    );
                    fs::write(package.join(&name), text).expect("a file can be written");
                    source.replace(&*path.to_string_lossy(), &name)
                }
            };
            let module = case.replace(['/', '-'], "_");
            let _ = write!(
                code,
                "// {case}, {}\nmod {module}_{index} {{\n{source}\n}}\n",
                error.help
            );
            count += 1;
        }
    }
    assert!(count > 220, "{count} helps are followed");
    code.push_str("fn main() {}\n");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("helps.rs");
    fs::write(&file, code).expect("a file can be written");
    trybuild::TestCases::new().pass(file);
}

struct Case {
    name: String,
    source: String,
    stderr: String,
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for folder in fs::read_dir("tests/ui").expect("the folder is there") {
        let folder = folder.expect("an entry").path();
        for file in fs::read_dir(&folder).expect("a folder") {
            let path = file.expect("an entry").path();
            let Ok(stderr) = fs::read_to_string(path.with_extension("stderr")) else {
                continue;
            };
            if path.extension().is_some_and(|end| end == "rs") {
                let stem = path.with_extension("");
                let name = stem.strip_prefix("tests/ui").expect("a case");
                cases.push(Case {
                    name: name.to_string_lossy().into_owned(),
                    source: fs::read_to_string(&path).expect("a case"),
                    stderr,
                });
            }
        }
    }
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    cases
}

/// An error with a help: the place that it underlines first.
struct Found {
    path: PathBuf,
    line: usize,
    column: usize,
    len: usize,
    help: String,
}

fn errors(stderr: &str) -> Vec<Option<Found>> {
    let mut blocks: Vec<Vec<&str>> = Vec::new();
    for line in stderr.lines() {
        if line.starts_with("error") {
            blocks.push(Vec::new());
        }
        if let Some(block) = blocks.last_mut() {
            block.push(line);
        }
    }
    blocks.iter().map(|lines| found(lines)).collect()
}

fn found(lines: &[&str]) -> Option<Found> {
    // The help of an error of rustc's own is about a type.
    if lines.first().is_some_and(|line| line.starts_with("error[")) {
        return None;
    }
    let mut words = lines.iter().map(|line| line.trim_start());
    let place = words.clone().find_map(|line| line.strip_prefix("--> "))?;
    let (place, column) = place.rsplit_once(':')?;
    let (path, line) = place.rsplit_once(':')?;
    let carets = words
        .clone()
        .find(|line| line.starts_with('|') && line.contains('^'))?;
    let help = words.find_map(|line| line.strip_prefix("= help: "))?;
    Some(Found {
        path: PathBuf::from(path),
        line: line.parse().ok()?,
        column: column.parse().ok()?,
        len: carets.chars().filter(|c| *c == '^').count(),
        help: help.to_owned(),
    })
}

/// The code with which a help replaces the underlined code, and the replacements at other positions.
#[derive(Default)]
struct Steps<'h> {
    here: Vec<&'h str>,
    elsewhere: Vec<(&'h str, &'h str)>,
}

/// Words after code that does not replace the underlined code, or that is one of several options for different types.
const NOT_HERE: [&str; 9] = [
    " in the",
    " after it",
    " first",
    " in a slot",
    " there",
    " for a field",
    " where",
    " for what",
    " to keep one",
];

fn steps<'h>(help: &'h str, source: &str) -> Steps<'h> {
    let parts: Vec<&str> = help.split('`').collect();
    let mut steps = Steps::default();
    let mut was_action = false;
    for at in (1..parts.len()).step_by(2) {
        let (before, code) = (parts[at - 1].trim_end(), parts[at]);
        let after = parts.get(at + 1).copied().unwrap_or_default();
        if after == " instead of " {
            steps.elsewhere.push((parts[at + 2], code));
            continue;
        }
        let words = ["write", "did you mean", "call it"];
        was_action = words.iter().any(|word| before.ends_with(word))
            || (was_action && before.ends_with("or"));
        // `…` is the body of a block, not a part that the reader has to fill in.
        let is_whole = code
            .match_indices('…')
            .all(|(at, _)| code[..at].ends_with(['>', '}']));
        let of_other_type = (after.starts_with(" for a map") && !source.contains("HashMap"))
            || (after.starts_with(" for a set") && source.contains("HashMap"));
        if was_action
            && is_whole
            && !of_other_type
            && after != " in "
            && !NOT_HERE.iter().any(|words| after.starts_with(words))
        {
            steps.here.push(code);
        }
    }
    steps
}

/// The file in which the code of an error is replaced, and its path.
fn fixed(error: &Found, written: &str, elsewhere: &[(&str, &str)]) -> Option<(PathBuf, String)> {
    let mut text = fs::read_to_string(&error.path)
        .ok()
        .or_else(|| fs::read_to_string(Path::new("tests/ui").join(&error.path)).ok())?;
    let line: usize = text
        .split_inclusive('\n')
        .take(error.line - 1)
        .map(str::len)
        .sum();
    let at = |column: usize| {
        text[line..]
            .char_indices()
            .nth(column)
            .map_or(text.len(), |(at, _)| line + at)
    };
    let (start, end) = (at(error.column - 1), at(error.column - 1 + error.len));
    let (range, body) = place(&text, start..end, written)?;
    let body = body.map_or_else(String::new, |body| text[body].to_owned());
    text.replace_range(range, &written.replace('…', &body));
    for (old, new) in elsewhere {
        text = text.replace(old, new);
    }
    Some((error.path.clone(), text))
}

type Bytes = std::ops::Range<usize>;

/// The text that the code replaces: the underlined name, or the slot or tag around it. A slot in place of a loop, and a block around one, replaces
/// the loop; `…` is then its body.
fn place(text: &str, span: Bytes, written: &str) -> Option<(Bytes, Option<Bytes>)> {
    let code = written.trim_start_matches('\\');
    if is_name(written) {
        let rest = &text[span.end..];
        let end = match text[span.clone()] == *written && rest.starts_with('(') {
            true => span.end + rest.find(')')? + 1,
            false => span.end,
        };
        return is_name(&text[span.clone()]).then_some((span.start..end, None));
    }
    // An expression.
    if !code.starts_with(['<', '{']) {
        let is_value = code.starts_with(char::is_alphabetic)
            && !code.contains(' ')
            && code.contains(&text[span.clone()]);
        return is_value.then_some((span, None));
    }
    // A slot that is never closed.
    if code.starts_with(['<', '{']) && code.starts_with(&text[span.clone()]) {
        return Some((span, None));
    }
    for (open, close, head, end) in [
        ("{%", "%}", "{% for", "{% endfor %}"),
        ("{{", "}}", "", ""),
        ("<", ">", "<for ", "</for>"),
        ("{", "}", "", ""),
    ] {
        let is_begun = text[span.start..].starts_with(open);
        let Some(start) = text[..span.start + usize::from(is_begun) * open.len()].rfind(open)
        else {
            continue;
        };
        let inside = &text[start + open.len()..span.start.max(start + open.len())];
        if inside.contains(close) || inside.contains('\n') {
            continue;
        }
        let is_whole = is_begun && text[..span.end].ends_with(close);
        let tag_end = match is_whole {
            true => span.end,
            false => span.end + text[span.end..].find(close)? + close.len(),
        };
        let is_loop = !head.is_empty() && text[start..].starts_with(head);
        if is_loop && (!code.starts_with(head) || code.contains(end)) && !written.starts_with('\\')
        {
            let body = tag_end..tag_end + text[tag_end..].find(end)?;
            return Some((start..body.end + end.len(), Some(body)));
        }
        return code
            .starts_with(&open[..1])
            .then_some((start..tag_end, None));
    }
    code.starts_with('<').then_some((span, None))
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c == '_' || c.is_alphanumeric())
}

/// Whether a field has no slot where this is kept as text, which is the next error.
fn has_no_slot(source: &str, new: &str, written: &str) -> bool {
    let names = source
        .split_whitespace()
        .filter_map(|word| word.strip_suffix(':'));
    let mut names = names.map(|name| name.trim_start_matches("r#"));
    let is_text = written.starts_with('\\') || written.starts_with("{{") || written.contains("raw");
    let rest = new.replacen(written, "", 1);
    is_text && names.any(|name| is_name(name) && !name.is_empty() && uses(&rest, name) == 0)
}

/// How many times a name is beside a delimiter or inside of a tag.
fn uses(text: &str, name: &str) -> usize {
    ["<", "<input:", "{", "{{ ", "{input:", " in "]
        .iter()
        .map(|open| text.matches(&format!("{open}{name}")).count())
        .sum()
}
