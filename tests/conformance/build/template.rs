//! Converts the template of a reference system to the brace dialect.
//!
//! Slots are found by the rules of the reference system. Its text that would be a slot here is escaped. Only `{{x}}`
//! has the meaning of the brace dialect, because the other meaning is a quirk of the original.

use std::collections::BTreeMap;

use prompt_base::Span;
use prompt_jinja_syntax::{Expr, Node, Slot, Template, parse};
use prompt_syntax::{Dialect, Options, Path, Spanned, Text};

use crate::print::to_source;
use crate::rust::Names;

/// The keys of a case, each with the name of its field, in the order of their first use.
#[derive(Default)]
pub(crate) struct Keys {
    names: Names,
    of_key: BTreeMap<String, String>,
    order: Vec<String>,
}

impl Keys {
    /// Returns the field of `key`, which is created on first use.
    pub(crate) fn field(&mut self, key: &str) -> String {
        if let Some(name) = self.of_key.get(key) {
            return name.clone();
        }
        let name = self.names.give(key);
        self.of_key.insert(key.to_owned(), name.clone());
        self.order.push(key.to_owned());
        name
    }

    /// The field of a key that has one.
    pub(crate) fn known(&self, key: &str) -> String {
        self.of_key.get(key).cloned().unwrap_or_default()
    }

    /// Returns a name for a field without a key.
    pub(crate) fn extra(&mut self, name: &str) -> String {
        self.names.give(name)
    }

    /// The keys in the order of their first use.
    pub(crate) fn in_order(&self) -> &[String] {
        &self.order
    }
}

/// The notation of slots in the reference system.
#[derive(Clone, Copy)]
pub(crate) enum Notation {
    /// `{key}`, where key is any run of word characters.
    Bare,
    /// `{input:key}`; a bare `{key}` is text.
    Input,
    /// Python's `str.format`: `{key}`; `{{` and `}}` are braces, and a lone brace is an error.
    Format,
}

/// The template with the names of its fields in the slots; its keys are added to `keys`.
///
/// Returns `None` if the dialect cannot express the text.
pub(crate) fn rewrite(text: &str, notation: Notation, keys: &mut Keys) -> Option<String> {
    let nodes = match notation {
        Notation::Format => format_nodes(text, keys)?,
        Notation::Bare | Notation::Input => nodes(text, notation, keys),
    };
    let template = Template { nodes };
    let source = to_source(&template, Options::message(Dialect::Brace));
    let parsed = parse(&source, Options::message(Dialect::Brace));
    (parsed.errors.is_empty() && parsed.template == template).then_some(source)
}

fn nodes(text: &str, notation: Notation, keys: &mut Keys) -> Vec<Node> {
    let mut nodes = Vec::new();
    let mut words = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        words.push_str(&rest[..open]);
        rest = &rest[open..];
        if let Some(len) = doubled(rest, notation).filter(|_| !words.ends_with('{')) {
            words.push_str(&rest[1..len - 1]);
            rest = &rest[len..];
            continue;
        }
        let slot = braced(rest).filter(|(input, ..)| *input == matches!(notation, Notation::Input));
        if let Some((input, key, len)) = slot {
            push_words(&mut nodes, &mut words);
            nodes.push(slot_of(keys.field(key), input));
            rest = &rest[len..];
        } else {
            words.push('{');
            rest = &rest[1..];
        }
    }
    words.push_str(rest);
    push_words(&mut nodes, &mut words);
    nodes
}

/// Returns `None` if `str.format` does not accept the text, or if a slot is more than a name.
fn format_nodes(text: &str, keys: &mut Keys) -> Option<Vec<Node>> {
    let mut nodes = Vec::new();
    let mut words = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        words.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with("{{") || rest.starts_with("}}") {
            words.push_str(&rest[..1]);
            rest = &rest[2..];
            continue;
        }
        let (_, key, len) = braced(rest).filter(|(input, ..)| !input)?;
        push_words(&mut nodes, &mut words);
        nodes.push(slot_of(keys.field(key), false));
        rest = &rest[len..];
    }
    words.push_str(rest);
    push_words(&mut nodes, &mut words);
    Some(nodes)
}

fn slot_of(name: String, input: bool) -> Node {
    let path = Path {
        span: NOWHERE,
        segments: vec![Spanned::new(name, NOWHERE)],
        input,
    };
    Node::Slot(Slot {
        span: NOWHERE,
        expr: Expr::Path(path),
    })
}

fn push_words(nodes: &mut Vec<Node>, words: &mut String) {
    if !words.is_empty() {
        nodes.push(Node::Text(Text {
            span: NOWHERE,
            text: std::mem::take(words),
        }));
    }
}

/// The comparison of trees ignores spans.
const NOWHERE: Span = Span::new(0, 0);

/// Whether there are braces besides those of `{key}`.
pub(crate) fn has_loose_braces(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        rest = &rest[at..];
        match braced(rest) {
            Some((false, _, len)) => rest = &rest[len..],
            _ => return true,
        }
    }
    false
}

/// `{word}` or `{input:word}` at the start of `text`: whether it has `input:`, the word, and its length.
fn braced(text: &str) -> Option<(bool, &str, usize)> {
    let inner = text.strip_prefix('{')?;
    let inner = &inner[..inner.find('}')?];
    let (input, word) = inner
        .strip_prefix("input:")
        .map_or((false, inner), |word| (true, word));
    let is_word = !word.is_empty() && word.chars().all(is_word);
    is_word.then_some((input, word, inner.len() + 2))
}

/// The length of a slot in two pairs of braces at the start of `text`, with no third brace behind.
fn doubled(text: &str, notation: Notation) -> Option<usize> {
    let (input, _, len) = braced(text.strip_prefix('{')?)?;
    let rest = &text[len + 1..];
    let is_slot = input == matches!(notation, Notation::Input);
    (is_slot && rest.starts_with('}') && !rest.starts_with("}}")).then_some(len + 2)
}

/// Python's `\w`.
fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}
