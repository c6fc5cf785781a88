//! What a text was read as, before anything is known of what was asked for.

use std::borrow::Cow;

use prompt_syntax::Span;

/// A value in a text.
#[derive(Debug)]
pub(super) struct Node<'t> {
    /// Tells the nodes of one parse apart.
    pub id: u32,
    pub span: Span,
    pub end: End,
    pub kind: Kind<'t>,
}

/// How sure it is that a value ends where it was taken to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    Sure,
    /// The text ends right after it, and more text could show that it goes on.
    Likely,
    /// The text ended before the value did.
    Cut,
}

#[derive(Debug)]
pub(super) enum Kind<'t> {
    /// Not in quotes: a number, `true`, `null`, or a text without its quotes.
    Word(&'t str),
    /// In quotes of some sort, without them and unescaped.
    Text(Cow<'t, str>),
    List(Vec<Node<'t>>),
    Object(Vec<Entry<'t>>),
}

#[derive(Debug)]
pub(super) struct Entry<'t> {
    pub key: Cow<'t, str>,
    pub key_span: Span,
    pub value: Node<'t>,
}

impl Node<'_> {
    /// Whether it holds other values.
    pub(super) fn is_container(&self) -> bool {
        matches!(self.kind, Kind::List(_) | Kind::Object(_))
    }
}

impl Entry<'_> {
    /// Whether the key is in quotes.
    pub(super) fn quoted(&self) -> bool {
        self.key_span.end - self.key_span.start > self.key.len()
    }
}
