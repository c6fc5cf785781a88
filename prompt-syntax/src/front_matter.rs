//! The lines between `---` at the beginning of a template file: `key: value`, for what an attribute could say.

mod entry;

pub use self::entry::{Entry, entries};
use crate::suggest::closest;
use crate::{Error, Role, Span};

/// What front matter can say.
pub const KEYS: [&str; 9] = [
    "syntax",
    "role",
    "format",
    "output",
    "model",
    "description",
    "trim_blocks",
    "lstrip_blocks",
    "keep_trailing_newline",
];

/// What other tools write there, and what says it here.
const FOREIGN: [(&str, &str); 12] = [
    (
        "authors",
        "remove it, or write it as a comment: `# authors: …`",
    ),
    (
        "config",
        "remove it: how a model answers is given with the call, in `Options`",
    ),
    (
        "input",
        "remove it: the fields of the struct are the input, with their types",
    ),
    (
        "inputs",
        "remove it: the fields of the struct are the input, with their types",
    ),
    (
        "name",
        "remove it: the name of the struct is the name of the prompt",
    ),
    (
        "outputs",
        "write `output: Answer` with the name of a Rust type",
    ),
    (
        "parameters",
        "remove it: how a model answers is given with the call, in `Options`",
    ),
    ("sample", "remove it, and write the sample as a test"),
    ("tags", "remove it, or write it as a comment: `# tags: …`"),
    (
        "template",
        "remove it, and write `syntax: angle`, `syntax: brace` or `syntax: jinja`",
    ),
    (
        "tools",
        "remove it: tools are a field of the struct, `#[prompt(tools)]`",
    ),
    (
        "version",
        "remove it, or write it as a comment: `# version: …`",
    ),
];

/// How many bytes of a file's text it takes.
///
/// ```
/// assert_eq!(prompt_syntax::front_matter::length("Hi"), 0);
/// ```
pub fn length(text: &str) -> usize {
    match bounds(text) {
        Bounds::Closed { body, .. } => body,
        Bounds::None => 0,
        // What looks like keys, so that it is not taken for text a second time.
        Bounds::Open => {
            let is_key = |line: &&str| !line.trim().is_empty() && !line.starts_with(['<', '{']);
            let lines = text.split_inclusive('\n').take_while(is_key);
            lines.map(str::len).sum()
        }
    }
}

/// Where front matter is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bounds {
    /// There is none.
    None,
    /// It begins, and does not end.
    Open,
    /// It has an end.
    Closed {
        /// Where the last line of dashes begins.
        end: usize,
        /// Where the template begins.
        body: usize,
    },
}

/// Finds the front matter of a text.
///
/// ```
/// use prompt_syntax::front_matter::{Bounds, bounds};
///
/// assert_eq!(bounds("---\nsyntax: jinja\n---\nHi"), Bounds::Closed { end: 18, body: 22 });
/// ```
pub fn bounds(text: &str) -> Bounds {
    let mut at = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let is_mark = line.trim_end() == "---";
        match (index, is_mark) {
            (0, false) => return Bounds::None,
            (0, true) | (_, false) => {}
            (_, true) => {
                return Bounds::Closed {
                    end: at,
                    body: at + line.len(),
                };
            }
        }
        at += line.len();
    }
    if at == 0 { Bounds::None } else { Bounds::Open }
}

/// The error of a key that front matter does not have.
pub fn unknown(entry: &Entry) -> Error {
    let name = entry.key.value.as_str();
    let error = Error::new(entry.key.span, format!("unknown key `{name}`"));
    match FOREIGN.iter().find(|(foreign, _)| *foreign == name) {
        Some((_, help)) => error.label("says nothing here").help(*help),
        None => error
            .label("not a key of front matter")
            .help(meant(name, &KEYS)),
    }
}

/// The error of a value that a key does not take.
pub fn unknown_value(entry: &Entry, what: &str, known: &[&str]) -> Error {
    let value = entry.value.value.as_str();
    Error::new(entry.place(), format!("unknown {what} `{value}`"))
        .label(format!("not a {what}"))
        .help(meant(value, known))
}

/// The role that the key `role` gives to the whole text.
///
/// # Errors
/// What is no role.
pub fn role(entry: &Entry) -> Result<Role, Error> {
    match Role::from_name(entry.text()?) {
        Some(Role::Assistant) => Err(Error::new(
            entry.place(),
            "the assistant cannot say the whole text",
        )
        .label("nothing would be asked")
        .help("write `role: user` or `role: system`, or write blocks of roles")),
        Some(role) => Ok(role),
        None => Err(unknown_value(entry, "role", &["user", "system"])),
    }
}

/// The error of a file that says a role for all of its text, and has blocks of roles in it.
pub fn role_beside_blocks(key: Span) -> Error {
    Error::new(key, "`role` is given, and the text has blocks of roles")
        .label("says nothing")
        .help("remove it, or take the blocks away")
}

/// The name that was meant, or all there are.
fn meant(name: &str, known: &[&str]) -> String {
    match closest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("write one of `{}`", known.join("`, `")),
    }
}
