//! Prompts that were joined with their family's marks when they were compiled: what they are asked for their text with.

use std::ops::Range;

use super::framed::Framing;
use crate::format::Ends;

/// A family's marks, and whether tokens of the family are looked for in data.
#[derive(Clone, Copy)]
pub struct Joint {
    pub(super) framing: &'static Framing,
    pub(super) is_searched: bool,
}

impl Joint {
    /// What becomes of white space, if this is the family of that name.
    pub(crate) fn ends(&self, name: &str) -> Option<Ends> {
        (self.framing.family.name == name).then_some(self.framing.ends)
    }

    /// Appends data to a text, and says whether a token can begin in it.
    #[inline]
    pub(crate) fn copy(&self, data: &str, text: &mut String) -> bool {
        if self.is_searched {
            return self.framing.firsts.copy(data, text).is_some();
        }
        text.push_str(data);
        false
    }

    /// Whether a token can begin in data that stands in the text already.
    pub(crate) fn is_suspect(&self, data: &str) -> bool {
        self.is_searched && self.framing.firsts.occur(data.as_bytes())
    }

    /// Whether no token holds a byte of this data.
    pub(crate) fn is_clean(&self, text: &str, data: &[Range<usize>]) -> bool {
        !self.is_searched || self.framing.is_clean_data(text, data)
    }
}
