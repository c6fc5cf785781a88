//! Errors of templates.

use std::ops::Range;

use prompt_base::json::MAX_DEPTH;

use super::text::Source;

/// Why a template failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// The text is not a template of the language.
    Syntax,
    /// The template uses a part of the language that is not supported.
    Unsupported,
    /// An expression or block nests too deep to be parsed.
    Nesting,
    /// An operation fails.
    Runtime,
    /// The template called `raise_exception`.
    Raised,
    /// The template takes too many steps.
    Steps,
    /// The template allocates too much.
    Memory,
    /// The template writes too much.
    Output,
    /// The template builds values that nest too deep.
    Depth,
    /// The template asks for another file.
    File,
    /// The template searches guarded data for a word of its own, which the data contains.
    Steered,
    /// The template asks for the order of guarded data and a word of its own.
    Ordered,
}

/// An error of a template.
#[derive(Clone, Debug)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The message. What the engine itself reports has Jinja2's words.
    pub message: String,
    /// The range of the template's text.
    pub span: Option<Range<usize>>,
    /// The input that the template worked on: the data that an error is about, or the dict of [`Value::named_dict`](super::Value::named_dict) that
    /// the innermost loop visits or that was read last.
    pub input: Option<Source>,
}

pub(super) type R<T> = Result<T, Box<Fault>>;

impl Fault {
    pub(super) fn new(message: impl Into<String>) -> Box<Fault> {
        Fault::of(FaultKind::Runtime, message)
    }

    pub(super) fn of(kind: FaultKind, message: impl Into<String>) -> Box<Fault> {
        Box::new(Fault {
            kind,
            message: message.into(),
            span: None,
            input: None,
        })
    }

    /// The error about data of a source, unless it has one. The template is not an input.
    pub(super) fn about(mut self: Box<Self>, source: Source) -> Box<Fault> {
        if source.is_data() {
            self.input.get_or_insert(source);
        }
        self
    }

    /// The error at a range, unless it has one.
    pub(super) fn at(mut self: Box<Self>, span: Span) -> Box<Fault> {
        self.span.get_or_insert(span.range());
        self
    }
}

/// A range of the template's text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Span {
    pub(super) fn new(start: usize, end: usize) -> Span {
        let clamp = |at| u32::try_from(at).unwrap_or(u32::MAX);
        Span {
            start: clamp(start),
            end: clamp(end),
        }
    }

    pub(super) fn to(self, end: Span) -> Span {
        Span {
            start: self.start,
            end: end.end.max(self.start),
        }
    }

    pub(super) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

pub(super) fn depth_fault() -> Box<Fault> {
    Fault::of(
        FaultKind::Depth,
        format!("builds values nested more than {MAX_DEPTH} levels deep"),
    )
}
