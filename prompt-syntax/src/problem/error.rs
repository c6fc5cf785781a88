//! A problem with its span in the template.

use std::fmt;
use std::ops::Deref;

use prompt_base::Span;
use prompt_base::suggest::closest;

use super::Problem;
use crate::name::continues_name;

/// A [`Problem`] and its span in the template.
///
/// ```
/// use prompt_base::Span;
/// use prompt_syntax::{Dialect, Options, parse};
///
/// let parsed = parse("<if a>yes", Options::message(Dialect::Angle));
/// let error = &parsed.errors[0];
/// assert_eq!((error.span, error.message()), (Span::new(0, 6), "this block is never closed"));
/// assert_eq!(error.help(), Some("add `</if>`, or write `\\<if a>` to keep it as text"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The text to underline.
    pub span: Span,
    /// The error about them.
    pub problem: Problem,
}

impl Error {
    /// The same in a longer text, which has that many bytes before it.
    pub fn moved(mut self, by: usize) -> Error {
        let moved = |span: Span| Span::new(span.start + by, span.end + by);
        self.span = moved(self.span);
        for (span, _) in &mut self.problem.related {
            *span = moved(*span);
        }
        self
    }
}

impl Deref for Error {
    type Target = Problem;

    fn deref(&self) -> &Problem {
        &self.problem
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl std::error::Error for Error {}

impl Error {
    /// Notes that the block's tag that this error is about may be literal text.
    pub(crate) fn pasted_block(self, written: &str) -> Error {
        Error {
            problem: self.problem.pasted_block(written),
            ..self
        }
    }

    pub(crate) fn is_pasted(&self) -> bool {
        self.problem.pasted.is_some()
    }

    /// Notes that the tag with an unknown name may be literal text.
    pub(crate) fn pasted_tag(self, written: &str) -> Error {
        Error {
            problem: self.problem.possibly_pasted(written, None, None),
            ..self
        }
    }

    /// Notes that the text may be literal, or this slot.
    pub(crate) fn pasted_slot(self, written: &str, slot: String) -> Error {
        Error {
            problem: self.problem.possibly_pasted(written, Some(slot), None),
            ..self
        }
    }

    /// Notes that the tag with an unknown name may be literal text. With a name in scope, only a block's tag may be.
    pub(crate) fn in_tag<'n>(
        self,
        tag: &str,
        names: &(impl Iterator<Item = &'n str> + Clone),
    ) -> Error {
        let error = self.clone().pasted_tag(tag).with_names(names);
        if error
            .problem
            .pasted
            .as_ref()
            .is_none_or(|pasted| !pasted.misspelt)
        {
            return error;
        }
        let is_block = ["<if", "<for", "<else"]
            .iter()
            .any(|block| tag.starts_with(block));
        match is_block {
            true => error.pasted_block(tag).likely_a_mistake(),
            false => self,
        }
    }

    /// Notes whether the text is most likely a mistake in a tag of this prompt: it contains one of these names, or nearly.
    pub(crate) fn with_names<'n>(
        mut self,
        names: &(impl Iterator<Item = &'n str> + Clone),
    ) -> Error {
        if let Some(pasted) = &mut self.problem.pasted
            && pasted.slot.is_none()
        {
            let mut words = pasted.written.split(|c| !continues_name(c));
            pasted.misspelt |= words.any(|word| closest(word, names.clone()).is_some());
        }
        self
    }

    fn likely_a_mistake(mut self) -> Error {
        if let Some(pasted) = &mut self.problem.pasted {
            pasted.misspelt = true;
        }
        self
    }
}
