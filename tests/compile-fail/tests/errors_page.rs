//! Writes `docs/errors.md`, the page about compile errors, from the cases in `ui` and the compiler's output.
//!
//! `UPDATE_EXPECT=1 cargo test -p compile-fail --test errors_page` writes it anew.

use std::fmt::Write;
use std::path::Path;
use std::{fs, io};

use expect_test::expect_file;

/// A mistake that the compiler finds.
struct Mistake {
    number: u32,
    title: &'static str,
    /// Why it is one.
    why: &'static str,
    /// The case in `tests/ui`; `mod error_N` of `tests/ui/fixed/page.rs` is the corrected code.
    case: &'static str,
}

macro_rules! mistakes {
    ($($number:literal $case:literal $title:literal $why:literal)*) => {
        &[$(Mistake { number: $number, title: $title, why: $why, case: $case }),*]
    };
}

const MISTAKES: &[Mistake] = mistakes! {
    1 "slots/unknown_literal" "A slot without a field"
        "Each slot must be the name of a field, of a loop variable or of a captured variable."
    2 "slots/no_slot" "A field without a slot"
        "Each field must be used in the template. `#[prompt(skip)]` excludes a field from the prompt."
    3 "syntax/unclosed_block_literal" "Blocks that are not closed or not opened"
        "A slot, a block or a role without its end, an end without its beginning, and blocks that overlap."
    4 "keys/unknown_key" "An unknown key, role, dialect, filter or format"
        "Names in attributes, front matter and templates are checked."
    5 "sources/two" "Two sources, none, or the same key twice"
        "A prompt needs exactly one source of its text, and the text cannot be empty."
    6 "turns/system_after_user" "Messages in an invalid order"
        "One system message comes first. A prompt with an output ends with a user message."
    7 "system/untrusted_literal" "A user's text in the system message"
        "The system message instructs the model. A field in it must be marked `#[prompt(trusted)]`, be `Trusted<T>`, or be of a type that cannot carry instructions: a number or `bool`."
    8 "format/control_token_literal" "A control token in the template"
        "The format writes its own tokens; a control token in the template would end the message there. Tokens of other families are an error too: write `<raw><|eot_id|></raw>` for one that is text, and `format = plain` for a prompt that is the whole text for a completion model."
    9 "answer/literal" "The answer in a message that is sent"
        "A field marked `#[prompt(answer)]` is used in the last `assistant` text, which is never sent to a model."
    10 "slots/only_tags_literal" "An XML tag where a slot is meant"
        "`<x>` with its `</x>` in the same text is a tag and stays text; `<input:x>` is always a slot."
    11 "shape/tuple_struct" "A union, a tuple struct, fields without names"
        "Slots find their fields by name."
    12 "jinja/outside_extends" "Jinja outside of the subset"
        "A construct of Jinja2 that cannot be checked, or that has a better form in Rust, is an error that names the alternative."
    13 "sources/missing_file" "A file that cannot be read"
        "It is missing, lies outside of the package, has an absolute path, or is not UTF-8."
    14 "values/unknown_type" "A type that cannot be rendered as text"
        "A slot accepts strings, numbers, `bool`, `char`, paths, fragments, and types that implement `ToPrompt`."
    15 "options/plain_slot_literal" "An `Option` outside of a condition"
        "An `Option` needs a condition or a default."
    16 "loops/no_list_literal" "A loop over a value that is not a list, or a loop variable that is never used or hides a field"
        "A hash set is not a list: its order changes from run to run."
    17 "filters/missing_argument_literal" "The arguments of a filter"
        "The number and the types of arguments are checked."
    18 "format/history" "Earlier turns in a format that has none"
        "A format without earlier turns cannot contain a history; the turns are not dropped silently."
    19 "tools/given_twice" "Tools in the struct and in the call"
        "The model would receive one set of tools, and its calls would be parsed as the other."
    20 "output/string_query" "A string for a prompt of two fields"
        "With the key `from`, a prompt with exactly one field is made from a string; without the key there is no such conversion."
    21 "output/no_deserialize" "An output type that cannot be parsed"
        "The type needs `serde::Deserialize` and `schemars::JsonSchema`."
    22 "media/in_system_literal" "Media where only text is allowed"
        "A system message, an argument of a filter and some chat formats cannot contain media."
    23 "examples/missing" "A row of examples that does not fit the struct"
        "Each line of a file of examples has a value for each field of the last user message and its answer, of the field's type."
    24 "jinja/include_cycle" "A file that includes itself"
        "An include that includes itself, directly or through other files."
};

const HEAD: &str = "\
# Compile errors

The errors of the compiler for wrong prompts, and their fixes. A test generates this page from the cases of `tests/compile-fail`: each message is the
compiler's output, each fix compiles. More cases of each error are in the folders of `tests/compile-fail/tests/ui`, whose
first lines contain the number of the error.

An error shows the place inside the template: the file, the line and the column, the text, and the fix. All mistakes
of a template are reported in one build, and a wrong prompt still has its implementation, so that no second error follows.

";

#[test]
fn errors_page() {
    let fixes = read("tests/ui/fixed/page.rs");
    let mut page = HEAD.to_owned();
    for (index, mistake) in MISTAKES.iter().enumerate() {
        assert_eq!(
            mistake.number as usize,
            index + 1,
            "the errors are numbered"
        );
        let anchor = anchor(mistake);
        let _ = writeln!(page, "{}. [{}](#{anchor})", mistake.number, mistake.title);
    }
    for mistake in MISTAKES {
        page += &section(mistake, &fixes);
    }
    expect_file![concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/errors.md")].assert_eq(&page);
}

/// Every case that names an error names one of the page.
#[test]
fn every_numbered_case_is_of_an_error() {
    let mut count = 0;
    for (_, number) in numbered().expect("the cases can be read") {
        assert!((1..=MISTAKES.len()).contains(&number), "error {number}");
        count += 1;
    }
    assert!(count > MISTAKES.len(), "{count} cases");
}

fn section(mistake: &Mistake, fixes: &str) -> String {
    let Mistake {
        number,
        title,
        why,
        case,
    } = mistake;
    let code = read(&format!("tests/ui/{case}.rs"));
    let (first, code) = code.split_once('\n').expect("a heading");
    assert!(
        first.starts_with(&format!("//! Error {number}:")),
        "{case}: {first}"
    );
    let code = shown(code);
    let answer = answer(&read(&format!("tests/ui/{case}.stderr")), case);
    let files = files(&code);
    let fix = fix(fixes, *number);
    format!(
        "\n## {number}. {title}\n\n{why}\n\n```rust,ignore\n{code}\n```\n{files}\n```text\n{answer}\n```\n\nRepaired:\n\n```rust,ignore\n{fix}\n```\n"
    )
}

/// The code of a case, without the lines that every case has.
fn shown(code: &str) -> String {
    let lines = code
        .lines()
        .filter(|line| *line != "fn main() {}" && *line != "use typed_prompt::Prompt;");
    let code = lines.collect::<Vec<_>>().join("\n");
    let code = code.trim();
    // `main` is left out if it is not part of the mistake.
    code.replace("\n\n\n", "\n\n")
}

/// The files with rows that a case names, with their content.
fn files(code: &str) -> String {
    let mut shown = String::new();
    for name in code.split('"').filter(|word| word.ends_with(".jsonl")) {
        let text = read(&format!("tests/ui/{name}"));
        let _ = write!(shown, "\n`{name}`:\n\n```json\n{}\n```\n", text.trim_end());
    }
    shown
}

/// The compiler's first error, with a file name of a user's project.
fn answer(stderr: &str, case: &str) -> String {
    let first = stderr.split("\n\nerror").next().unwrap_or_default();
    first
        .replace(&format!("tests/ui/{case}.rs"), "src/main.rs")
        .replace("$WORKSPACE/", "")
        .trim_end()
        .to_owned()
}

fn fix(fixes: &str, number: u32) -> String {
    let (_, rest) = fixes
        .split_once(&format!("mod error_{number} {{\n"))
        .expect("a fix for each error");
    let (body, _) = rest.split_once("\n}\n").expect("the end of a module");
    let body: Vec<&str> = body
        .lines()
        .map(|line| line.strip_prefix("    ").unwrap_or(line))
        .collect();
    shown(&body.join("\n")).replace("tests/ui/prompts/", "prompts/")
}

/// The folder and the error of each case, in order.
fn numbered() -> io::Result<Vec<(String, usize)>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let mut cases = Vec::new();
    for folder in fs::read_dir(root)? {
        let folder = folder?;
        let name = folder.file_name().to_string_lossy().into_owned();
        if name == "fixed" || name == "prompts" {
            continue;
        }
        for case in fs::read_dir(folder.path())? {
            let path = case?.path();
            if path.extension().is_none_or(|kind| kind != "rs") {
                continue;
            }
            let text = fs::read_to_string(path)?;
            let number = text
                .strip_prefix("//! Error ")
                .and_then(|rest| rest.split(':').next()?.parse().ok());
            cases.extend(number.map(|number| (name.clone(), number)));
        }
    }
    cases.sort();
    Ok(cases)
}

/// The name under which a heading is found.
fn anchor(mistake: &Mistake) -> String {
    let heading = format!("{}. {}", mistake.number, mistake.title).to_lowercase();
    let kept = heading.chars().filter_map(|char| match char {
        ' ' => Some('-'),
        char if char.is_alphanumeric() || char == '-' => Some(char),
        _ => None,
    });
    kept.collect()
}

fn read(name: &str) -> String {
    let path = format!("{}/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}
