//! The lines between `---` at the beginning of a template file: `key: value`, with the keys of the attribute.

mod entry;
pub(crate) mod key;

use std::collections::HashSet;
use std::path::Path;

pub use self::entry::{Entry, entries};
pub use self::key::KEYS;
use crate::language::Language;
use crate::name::name_len;
use crate::problem::front_matter as problem;
use crate::{Error, Node, Options, Role};
use prompt_base::Span;

/// The line that begins and ends front matter.
const RULE: &str = "---";

/// The values of `slots`.
pub const SLOTS: [&str; 1] = ["input"];

/// Returns the length of the front matter in bytes.
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

/// Finds the front matter of a string.
///
/// ```
/// use prompt_syntax::front_matter::{Bounds, bounds};
///
/// assert_eq!(bounds("---\nsyntax: jinja\n---\nHi"), Bounds::Closed { end: 18, body: 22 });
/// ```
pub fn bounds(text: &str) -> Bounds {
    let mut at = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let is_mark = line.trim_end() == RULE;
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

/// Reads the lines up to `end`: each known key once, and the errors of the other lines. Several unknown keys are those of another
/// tool: they and the lines that cannot be read are one error.
///
/// ```
/// use prompt_syntax::front_matter::known_entries;
///
/// let (entries, errors) = known_entries("---\nname: a\nsyntax: jinja\ninputs: b\n---\n", 40);
/// assert_eq!((entries[0].text(), errors.len()), (Ok("jinja"), 1));
/// assert_eq!(errors[0].message(), "unknown keys `name`, `inputs`");
/// ```
pub fn known_entries(text: &str, end: usize) -> (Vec<Entry>, Vec<Error>) {
    let (mut known, mut errors) = entries(text, end);
    let mut unknown = Vec::new();
    let mut seen = HashSet::new();
    known.retain(|entry| {
        let (key, is_known) = (&entry.key, KEYS.contains(&entry.key.as_str()));
        if !seen.insert(key.value.clone()) {
            errors.push(problem::duplicate_key(key).at(key.span));
        } else if !is_known {
            unknown.push(entry.clone());
        } else if let Err(error) = entry.text() {
            errors.push(error);
        } else {
            return true;
        }
        false
    });
    match &unknown[..] {
        [] => {}
        [entry] => errors.push(problem::unknown_key(entry).at(entry.key.span)),
        entries => errors = vec![problem::unknown_keys(entries, &errors)],
    }
    if known.is_empty() && errors.is_empty() {
        errors.push(problem::no_keys().at(Span::new(0, RULE.len())));
    }
    (known, errors)
}

/// Front matter that is text of the prompt: in a literal, or after something else in a file. Its keys have no effect.
pub(crate) fn unread_front_matter(text: &str, options: Options) -> Option<Error> {
    let is_skipped = |line: &str| {
        let comments = ["#", "//", "<!--", "{#"];
        line.is_empty() || comments.iter().any(|sign| line.starts_with(sign))
    };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_end() == RULE {
            break;
        }
        if is_near_rule(line) {
            let may_be_file = options.roles && !options.input_only;
            return (may_be_file && are_keys_between_rules(&text[at..])).then(|| {
                let span = Span::new(at, at + line.trim_end().len());
                problem::other_rules().at(span)
            });
        }
        if line.trim_end() == TOML_RULE {
            return unread_toml(&text[at..])
                .then(|| problem::other_rules().at(Span::new(at, at + TOML_RULE.len())));
        }
        if !is_skipped(line.trim()) {
            return None;
        }
        at += line.len();
    }
    let Bounds::Closed { end, .. } = bounds(&text[at..]) else {
        return None;
    };
    let (entries, errors) = entries(&text[at..], end);
    let has_key = entries.iter().any(|entry| problem::is_key(&entry.key));
    (has_key && errors.is_empty())
        .then(|| problem::unread_front_matter().at(Span::new(at, at + RULE.len())))
}

/// A YAML document that contains the template in one of its keys, `template: |`: each line that is not indented has a key. The text
/// of one message may be such a document: only a text that may have roles is checked.
pub(crate) fn unread_yaml(text: &str, options: Options) -> Option<Error> {
    if !options.roles {
        return None;
    }
    let (mut at, mut found, mut last) = (0, None, None);
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let words = line.trim_end();
        if words.is_empty() {
            continue;
        }
        // The value of the key is the indented lines that follow.
        let block = last.take().filter(|_| words.starts_with([' ', '\t']));
        found = found.or(block);
        if words.starts_with([' ', '\t', '#']) {
            continue;
        }
        let key = &words[..name_len(words)];
        let value = words[key.len()..].strip_prefix(':')?;
        if key.is_empty() || !value.is_empty() && !value.starts_with(' ') {
            return None;
        }
        if matches!(value.trim(), "|" | ">" | "|-" | ">-" | "|+" | ">+") {
            last = Some(Span::new(start, start + words.len()));
        }
    }
    let span = found?;
    Some(problem::unread_yaml(options, span.of(text)).at(span))
}

/// A template inside of a code block of Markdown, "```jinja", as answers of models and pages have it. Blocks of code, and blocks of a slot alone, are
/// messages.
pub(crate) fn unread_fence<L: Language>(
    text: &str,
    nodes: &[Node<L>],
    options: Options,
) -> Option<Error> {
    let words = text.trim();
    let sign = ["```", "~~~"]
        .into_iter()
        .find(|sign| words.starts_with(sign))?;
    if !options.roles || options.input_only {
        return None;
    }
    let (first, inside) = words.split_once('\n')?;
    let label = first.trim_start_matches(['`', '~']);
    let inside = inside.strip_suffix(&first[..first.len() - label.len()])?;
    let is_template = TEMPLATE_LABELS.contains(&label.trim().to_ascii_lowercase().as_str());
    if !is_template || inside.contains(sign) {
        return None;
    }
    let start = text.len() - text.trim_start().len();
    let from = start + first.len() + 1;
    let inside = Span::new(from, from + inside.len());
    let is_prose = |node: &Node<L>| match node {
        Node::Text(part) => {
            let part = Span::new(
                part.span.start.max(inside.start),
                part.span.end.min(inside.end),
            );
            part.start < part.end && part.of(text).contains(char::is_alphabetic)
        }
        node => matches!(node, Node::If(_) | Node::For(_)),
    };
    let span = Span::new(start, start + first.trim_end().len());
    nodes
        .iter()
        .any(is_prose)
        .then(|| problem::unread_fence(options.dialect, span.of(text)).at(span))
}

/// Whether a text is the path of a file instead of its text: one word with an extension, and either a folder or fields that it does not use. As
/// the text of one message, a path may be meant.
///
/// ```
/// use prompt_syntax::front_matter::is_path_of_template;
/// use prompt_syntax::{Dialect, Options};
///
/// let options = Options::document(Dialect::Angle);
/// assert!(is_path_of_template("prompts/ask.prompt", options, false));
/// assert!(!is_path_of_template("Hello.", options, true));
/// ```
pub fn is_path_of_template(text: &str, options: Options, has_fields: bool) -> bool {
    let is_word = !text.contains(|c: char| c.is_whitespace() || "<{".contains(c));
    let extension = Path::new(text).extension().and_then(|it| it.to_str());
    let is_extension = extension.is_some_and(|extension| {
        extension.starts_with(|c: char| c.is_ascii_alphabetic())
            && extension.bytes().all(|c| c.is_ascii_alphanumeric())
    });
    let is_in_folder = text.contains(['/', '\\']) && !text.contains("://");
    is_word && is_extension && (is_in_folder || options.roles && has_fields)
}

/// The path of a template as a template that is compiled.
pub(crate) fn unread_path(text: &str, options: Options, has_fields: bool) -> Option<Error> {
    is_path_of_template(text, options, has_fields)
        .then(|| problem::unread_path().at(Span::new(0, text.len())))
}

/// The labels of code blocks that are a template or its text, not code.
const TEMPLATE_LABELS: [&str; 10] = [
    "jinja", "jinja2", "j2", "prompt", "prompty", "template", "text", "txt", "markdown", "md",
];

/// The lines around the front matter of other tools.
const TOML_RULE: &str = "+++";

/// Whether it is nearly the line of front matter.
fn is_near_rule(line: &str) -> bool {
    matches!(line.trim(), "--" | "----" | "—")
}

/// Whether all lines between the first line and the next line of dashes are known keys, without a slot.
fn are_keys_between_rules(text: &str) -> bool {
    let mut at = 0;
    let mut lines = text.split_inclusive('\n').enumerate();
    let end = lines.find_map(|(index, line)| {
        let start = at;
        at += line.len();
        let is_end = line.trim_end() == RULE || is_near_rule(line);
        (index > 0 && is_end).then_some(start)
    });
    end.is_some_and(|end| {
        let (entries, errors) = entries(text, end);
        let are_known = entries.iter().all(|entry| problem::is_key(&entry.key));
        let is_read = errors.is_empty() && !entries.is_empty();
        is_read && are_known && !text[..end].contains(['<', '{'])
    })
}

/// Whether a text that begins with `+++` has keys up to the next one.
fn unread_toml(text: &str) -> bool {
    let mut lines = text.lines().skip(1).map(str::trim);
    let keys = lines.by_ref().take_while(|line| *line != TOML_RULE);
    let are_keys = keys
        .filter(|line| !line.is_empty())
        .all(|line| line.contains('=') || line.starts_with(['#', '[']));
    are_keys && text.lines().skip(1).any(|line| line.trim() == TOML_RULE)
}

/// The error of a value that a key does not take.
pub fn unknown_value(entry: &Entry, what: &str, known: &[&str]) -> Error {
    problem::unknown_value(&entry.value, what, known).at(entry.span())
}

/// The role that the key `role` gives to the whole text.
///
/// # Errors
/// The entry is not a role.
pub fn role(entry: &Entry) -> Result<Role, Error> {
    match Role::from_name(entry.text()?) {
        Some(Role::Assistant) => Err(problem::assistant_alone().at(entry.span())),
        Some(role) => Ok(role),
        None => Err(unknown_value(entry, "role", &["user", "system"])),
    }
}
