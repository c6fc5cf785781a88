//! The lines between `---` at the beginning of a template file.

use super::attribute::suggest_format;
use super::{Problem, list_names, suggest_name};
use crate::front_matter::Entry;
use crate::front_matter::key::KEYS;
use crate::{Dialect, Error, Options};

/// The help for a key of another tool.
fn key_of_other_library(name: &str) -> Option<&'static str> {
    Some(match name {
        "authors" => "remove it, or write it as a comment: `# authors: …`",
        "config" | "parameters" => {
            "remove it: how a model answers is given with the call, in `Options`"
        }
        "input" | "inputs" => "remove it: the fields of the struct are the input, with their types",
        "model" => {
            "remove it: the model is chosen where the prompt is called, `ChatModel::new(…)`; or write it as a comment: `# model: …`"
        }
        "name" => "remove it: the name of the struct is the name of the prompt",
        "outputs" => "write `output: Answer` with the name of a Rust type",
        "sample" => "remove it, and write the sample as a test",
        "tags" => "remove it, or write it as a comment: `# tags: …`",
        "template" => "remove it, and write `syntax: angle`, `syntax: brace` or `syntax: jinja`",
        "tools" => "remove it: tools are a field of the struct, `#[prompt(tools)]`",
        "version" => "remove it, or write it as a comment: `# version: …`",
        _ => return None,
    })
}

/// Whether the name is a key of front matter, here or in another tool.
pub(crate) fn is_key(name: &str) -> bool {
    KEYS.contains(&name) || key_of_other_library(name).is_some()
}

/// Number 4: a key that front matter does not have.
pub fn unknown_key(entry: &Entry) -> Problem {
    let name = entry.key.as_str();
    let problem = Problem::new(format!("unknown key `{name}`"));
    let lines = match entry.is_nested() {
        true => "; the indented lines below belong to it",
        false => "",
    };
    match key_of_other_library(name) {
        Some(help) => problem
            .with_label("has no effect here")
            .with_help(format!("{help}{lines}")),
        None => problem
            .with_label("not a key of front matter")
            .with_help(suggest_name(name, &KEYS)),
    }
}

/// Number 4: several keys that front matter does not have, and the errors of its other lines.
pub fn unknown_keys(entries: &[Entry], others: &[Error]) -> Error {
    let names: Vec<&str> = entries.iter().map(|entry| entry.key.as_str()).collect();
    let hint = |entry: &Entry| match unknown_key(entry).help {
        Some(help) if !help.starts_with("write one of") => help,
        _ => "not a key of front matter".to_owned(),
    };
    let mut problem = Problem::new(format!("unknown keys {}", list_names(&names)))
        .with_label(hint(&entries[0]))
        .with_help(format!(
            "remove or correct them: the keys are {}; or, if these lines are text of the prompt, begin the file with an empty line",
            list_names(&KEYS)
        ));
    for entry in &entries[1..] {
        problem = problem.related_to(entry.key.span, hint(entry));
    }
    for other in others {
        problem = problem.related_to(other.span, other.label().unwrap_or_default());
    }
    problem.at(entries[0].key.span)
}

problems! {
    /// Number 4: a value that a key does not take.
    pub fn unknown_value(value: &str, what: &str, known: &[&str]) = "unknown {what} `{value}`",
        label "not a {what}", help "{meant}", where meant = match what {
            "format" => suggest_format(value, known),
            _ => suggest_name(value, known),
        };

    /// Front matter that is never closed.
    pub fn unclosed_front_matter() = "the front matter has no end",
        label "begins here",
        help "write a line `---` behind its keys; or, if the dashes are text, begin the file with an empty line";

    /// Lines of dashes without a key between them.
    pub fn no_keys() = "the front matter has no key",
        label "begins here",
        help "write a key, such as `syntax: angle`, or remove the lines of dashes; or, if the dashes are text, begin the file with an empty line";

    /// "```jinja"
    pub(crate) fn unread_fence(dialect: Dialect, written: &str) = "the whole text is a code block, and `{written}` is sent",
        label "sent as text",
        help "remove this line and the last one; or, if the message is a code block, write it between `{open}` and `{close}`",
        where open = dialect.tag("user"), where close = dialect.end("user");

    /// `template = "prompts/ask.prompt"`
    pub(crate) fn unread_path() = "this is the path of a file, not the text of a template",
        label "sent as text",
        help "write `file = \"…\"` as the only text, with the path from the folder of Cargo.toml; a line break behind it keeps it as text";

    /// `template: |`
    pub(crate) fn unread_yaml(options: Options, written: &str) = "`{written}` is not read as YAML",
        label "sent as text",
        help "write the text alone, without keys and indentation; keys of the prompt are written between lines `---` before the text of a file; or, if the text is YAML, write {keep}",
        where keep = match options.dialect {
            Dialect::Angle | Dialect::Brace if !options.input_only => format!("`<raw>{written}</raw>`"),
            Dialect::Jinja => format!("`{}`", Dialect::Jinja.as_text(written)),
            _ => "other text before it".to_owned(),
        };

    /// Front matter between lines `+++`, as in other tools, or between dashes that are not three hyphens.
    pub(crate) fn other_rules() = "front matter is written between lines `---`",
        label "sent as text of the prompt",
        help "write `---` and lines `key: value`, at the beginning of a file; or, if these lines are text, write other text before them";

    /// Front matter in a literal, or not at the beginning of its file.
    pub fn unread_front_matter() = "front matter is not read here",
        label "sent as text of the prompt",
        help "write it in the first lines of a file, or its keys in the attribute; or, if these lines are text, write other text before them";

    /// A line without a key.
    pub fn no_key() = "this line of the front matter has no key",
        label "not `key: value`",
        help "write `key: value`; or, if the dashes above it are text, begin the file with an empty line";
}

/// A value of several lines.
pub fn several_lines(key: &str) -> Problem {
    one_line(key)
        .with_label("the indented lines below belong to it")
        .with_help(format!(
            "write `{key}: …` in one line, and remove the lines of another key"
        ))
}

/// The reason why a value is not text in one line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotTextReason {
    /// There is none.
    Nothing,
    /// A list, a block, an anchor.
    MoreOfYaml,
    /// `"a" b`
    BehindQuote,
    /// `"\x41"`
    Escape,
    /// `"a`
    NoQuote,
}

/// A value that is not text in one line.
pub fn no_text(key: &str, why: NotTextReason) -> Problem {
    one_line(key)
        .with_label(match why {
            NotTextReason::Nothing => "has no value",
            NotTextReason::MoreOfYaml => "more of YAML than is read here",
            NotTextReason::BehindQuote => "continues after its quote",
            NotTextReason::Escape => "has an escape that is not read here",
            NotTextReason::NoQuote => "has no closing quote",
        })
        .with_help(format!(
            "write `{key}: …`, in quotes if it begins with a sign"
        ))
}

problems! {
    fn one_line(key: &str) = "`{key}` takes a string in one line";

    /// Number 5: a duplicate key.
    pub fn duplicate_key(key: &str) = "the key `{key}` is given twice",
        label "the second time", help "remove one of them";

    /// Number 5: a key that the attribute has too.
    pub fn in_the_attribute(key: &str) = "the key `{key}` is given here and in the attribute",
        label "the second time", help "remove one of them";

    /// `output: 12`
    pub fn no_type(value: &str) = "`{value}` is not a type",
        label "names what the answer is read into", help "write the name of a Rust type: `output: Answer`";

    /// `role: assistant`
    pub fn assistant_alone() = "the role of the whole text cannot be `assistant`",
        label "nothing would be asked", help "write `role: user` or `role: system`, or write blocks of roles";

    /// `role: user` above a string with blocks of roles.
    pub fn role_beside_blocks() = "`role` is given, and the text has blocks of roles",
        label "has no effect", help "remove it, or take the blocks away";
}
