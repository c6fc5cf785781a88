//! Prompts that were joined with their family's marks when they were compiled: what they are asked for their text with.

use std::ops::Range;

use crate::format::{Ends, Family};
use crate::guard::{self, Firsts};

/// A family whose own words a prompt may be joined with, and whether tokens of the family are looked for in data.
#[derive(Clone, Copy)]
pub struct Joint {
    pub(super) family: &'static Family,
    pub(super) ends: Ends,
    /// Of its tokens and switches.
    pub(super) firsts: &'static Firsts,
    pub(super) is_searched: bool,
}

impl Joint {
    /// Of a layout, whose words are kept as they are.
    pub(crate) fn of_layout(
        family: &'static Family,
        firsts: &'static Firsts,
        is_searched: bool,
    ) -> Joint {
        Joint {
            family,
            ends: Ends::Kept,
            firsts,
            is_searched,
        }
    }

    /// What becomes of white space, if this is the family of that name.
    pub(crate) fn ends(&self, name: &str) -> Option<Ends> {
        (self.family.name == name).then_some(self.ends)
    }

    /// Appends data to a text, and says whether a token can begin in it.
    #[inline]
    pub(crate) fn copy(&self, data: &str, text: &mut String) -> bool {
        if self.is_searched {
            return self.firsts.copy(data, text).is_some();
        }
        text.push_str(data);
        false
    }

    /// Whether a token can begin in data that stands in the text already.
    pub(crate) fn is_suspect(&self, data: &str) -> bool {
        self.is_searched && self.firsts.occur(data.as_bytes())
    }

    /// Whether no token holds a byte of this data.
    pub(crate) fn is_clean(&self, text: &str, data: &[Range<usize>]) -> bool {
        let stands = |at, behind| stands_at(self.family, text, at, behind);
        !self.is_searched || guard::is_clean(text, data.iter().cloned(), self.firsts, stands)
    }
}

/// Whether a token or a switch of a family stands at a place, and ends behind `behind`.
pub(super) fn stands_at(family: &Family, text: &str, at: usize, behind: usize) -> bool {
    let switches = family.frame.map_or(&[][..], |frame| frame.switches);
    guard::stands_at(text, at, behind, family.tokens, family.loose)
        || guard::stands_at(text, at, behind, switches, &[])
}
