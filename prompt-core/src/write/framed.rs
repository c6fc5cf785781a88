//! A prompt whose family is known when it is compiled: its words stand joined with the family's marks.

use super::fill::Fill;
use crate::format::{Ends, Family, is_bare};
use crate::{Text, Writer};

/// The text of an ordinary conversation of the family `name`; `None` for any other family, and where the family would not
/// take the values as they are: those at `borders`, where words begin and end.
#[doc(hidden)]
pub fn framed(
    family: &Family,
    name: &str,
    texts: &'static [&'static str],
    names: &'static [&'static str],
    values: &[Fill<'_>],
    borders: &[usize],
) -> Option<Text> {
    let ends = family.frame.filter(|_| family.name == name)?.ends;
    let stays = |at: &usize| match values.get(*at) {
        Some(Fill::Text(text)) => !text.is_empty() && (ends == Ends::Kept || is_bare(text)),
        Some(Fill::Unsigned(_) | Fill::Signed(_)) => true,
        Some(Fill::Other(_)) | None => false,
    };
    if !borders.iter().all(stays) {
        return None;
    }
    let mut out = Writer::new();
    out.fill(texts, names, values);
    out.into_only_text()
}

impl Writer {
    /// The text, if nothing else was written and nothing went wrong.
    fn into_only_text(self) -> Option<Text> {
        let is_only = self.messages.is_empty()
            && self.messages.fault().is_none()
            && self.messages.tools().is_empty()
            && self.parts.is_empty()
            && self.extras.is_empty();
        is_only.then_some(self.text)
    }
}
