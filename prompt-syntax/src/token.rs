//! What every lexer makes of its dialect: the one parser reads these and knows no delimiters.

use crate::{Role, Span};

/// A piece of the text, recognised by its delimiters.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// The whole piece, with its delimiters.
    pub(crate) span: Span,
    /// Whether the lexer has reported it: then its words are taken if they can be read, and no second error follows.
    pub(crate) reported: bool,
}

/// The kinds of pieces. A span is that of the words between the delimiters, which the parser reads.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum TokenKind {
    /// Words of the template, with escapes taken out.
    Text(String),
    Slot(Span),
    Begin(Keyword, Span),
    ElseIf(Span),
    Else,
    End(Keyword),
    /// A `set` without an end.
    #[cfg(feature = "jinja")]
    Set(Span),
    #[cfg(feature = "jinja")]
    Include(Span),
    Role(Role),
    EndRole(Role),
    /// Nothing that could be read.
    Error,
}

/// The blocks that have an end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keyword {
    If,
    For,
    Set,
    With,
    Macro,
    Filter,
}

impl Keyword {
    pub(crate) const ALL: [Keyword; 6] = [
        Keyword::If,
        Keyword::For,
        Keyword::Set,
        Keyword::With,
        Keyword::Macro,
        Keyword::Filter,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Keyword::If => "if",
            Keyword::For => "for",
            Keyword::Set => "set",
            Keyword::With => "with",
            Keyword::Macro => "macro",
            Keyword::Filter => "filter",
        }
    }

    /// What such a block may look like.
    pub(crate) const fn example(self) -> &'static str {
        match self {
            Keyword::If => "if name",
            Keyword::For => "for item in list",
            Keyword::Set => "set name = value",
            Keyword::With => "with name = value",
            Keyword::Macro => "macro name(parameter)",
            Keyword::Filter => "filter upper",
        }
    }
}

/// A name, number, string or sign inside a tag.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Word {
    Name(String),
    Str(String),
    Int(i64),
    Float(f64),
    /// `.` `,` `(` `)` `|` `:` `::` `??`
    Sign(&'static str),
}

impl Word {
    /// The word as a message names it.
    pub(crate) fn describe(&self) -> String {
        match self {
            Word::Name(name) => format!("`{name}`"),
            Word::Str(_) => "a text".into(),
            Word::Int(number) => format!("`{number}`"),
            Word::Float(number) => format!("`{number}`"),
            Word::Sign(sign) => format!("`{sign}`"),
        }
    }
}
