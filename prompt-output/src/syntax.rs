//! The syntax tree of a text in the notation of JSON.

use prompt_base::Span;
use std::borrow::Cow;

/// A value in a text.
#[derive(Debug)]
pub(crate) struct SyntaxNode<'t> {
    /// Unique within one parse.
    pub id: u32,
    pub span: Span,
    pub end: End,
    pub kind: NodeKind<'t>,
}

/// How certain the end of a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Sure,
    /// The text ends right after the value, which may continue.
    Likely,
    /// The text ends within the value.
    Cut,
}

#[derive(Debug)]
pub(crate) enum NodeKind<'t> {
    /// Without quotes: a number, `true`, `null`, or a text whose quotes are missing.
    Unquoted(&'t str),
    /// A string in any quotes, unescaped.
    Quoted(Cow<'t, str>),
    List(Vec<SyntaxNode<'t>>),
    Object(Vec<ObjectEntry<'t>>),
}

#[derive(Debug)]
pub(crate) struct ObjectEntry<'t> {
    pub key: Cow<'t, str>,
    pub key_span: Span,
    pub value: SyntaxNode<'t>,
}

/// Why an answer with an ellipsis is refused.
pub(crate) const LEAVES_OUT: &str = "the answer omits something here";

/// Whether a text contains an ellipsis.
pub(crate) fn has_ellipsis(text: &str) -> bool {
    text.contains("...") || text.contains('…')
}

impl SyntaxNode<'_> {
    /// `...` in place of a value.
    pub(crate) fn is_ellipsis(&self) -> bool {
        matches!(self.kind, NodeKind::Unquoted("..." | "…"))
    }

    /// Whether it is a complete container without anything in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.end != End::Cut
            && match &self.kind {
                NodeKind::Object(entries) => entries.is_empty(),
                NodeKind::List(items) => items.is_empty(),
                NodeKind::Unquoted(_) | NodeKind::Quoted(_) => false,
            }
    }

    /// Whether it contains other values.
    pub(crate) fn is_container(&self) -> bool {
        matches!(self.kind, NodeKind::List(_) | NodeKind::Object(_))
    }
}
