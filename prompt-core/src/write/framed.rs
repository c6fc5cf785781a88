//! A prompt whose family is known when it is compiled: its words stand joined with the family's marks.

use super::fill::{Fill, Slots, Values};
use crate::format::{Ends, Joint, is_bare};
use crate::{Text, ToPrompt, Writer};

/// An ordinary conversation of one family, whose words stand joined with its marks.
#[doc(hidden)]
pub struct Framed<'a> {
    joint: &'a Joint,
    ends: Ends,
    /// The slots where a message's words begin or end.
    borders: &'a [usize],
    /// Whether a token could begin in words and end in a value.
    is_open: bool,
}

/// `None` for any other family than that of this `name`.
#[doc(hidden)]
pub fn framed<'a>(
    joint: &'a Joint,
    name: &str,
    borders: &'a [usize],
    is_open: bool,
) -> Option<Framed<'a>> {
    Some(Framed {
        joint,
        ends: joint.ends(name)?,
        borders,
        is_open,
    })
}

impl Framed<'_> {
    /// The text, of what [`Writer::fill`] is given. `None` where the family would not take the values as they are: those
    /// that hold its tokens, and of those at the borders some.
    pub fn fill(
        self,
        words: &'static str,
        cuts: &'static [u8],
        texts: &[&str],
        values: &[Fill<'_>],
    ) -> Option<String> {
        let Framed { joint, ends, .. } = self;
        let (mut slots, mut values) = (Slots::of(words, cuts), Values::of(texts, values));
        let stays = |at: &usize| {
            let mut values = values.clone();
            let mut all = slots.clone().map(|slot| values.of_next(&slot));
            match all.nth(*at) {
                Some(Fill::Text(text)) => !text.is_empty() && (ends == Ends::Kept || is_bare(text)),
                Some(Fill::Unsigned(_) | Fill::Signed(_)) => true,
                Some(Fill::Other(_)) | None => false,
            }
        };
        if !self.borders.iter().all(stays) {
            return None;
        }
        let mut text = String::with_capacity(words.len() + values.room());
        // Where data stands, from the first that a token can begin in. Most often there is none.
        let (mut suspect, mut ranges) = (self.is_open, Vec::new());
        for slot in slots.by_ref() {
            text.push_str(slot.before);
            let start = text.len();
            let mut number = itoa::Buffer::new();
            let data = match values.of_next(&slot) {
                Fill::Other(value) => {
                    text = behind(text, slot.name(), value)?;
                    suspect |= joint.is_suspect(&text[start..]);
                    ""
                }
                bare => bare.shown(Some(&mut number)).unwrap_or_default(),
            };
            suspect |= joint.copy(data, &mut text);
            if suspect {
                ranges.push(start..text.len());
            }
        }
        text.push_str(slots.rest);
        (ranges.is_empty() || joint.is_clean(&text, &ranges)).then_some(text)
    }
}

/// The text and behind it a value that writes itself, if that writes text only and nothing goes wrong.
#[inline(never)]
fn behind(text: String, name: &'static str, value: &dyn ToPrompt) -> Option<String> {
    let mut out = Writer {
        text: Text::of_own(text),
        ..Writer::new()
    };
    out.slot(name, value);
    let is_only = out.messages.is_empty()
        && out.messages.fault().is_none()
        && out.messages.tools().is_empty()
        && out.parts.is_empty()
        && out.extras.is_empty();
    is_only.then(|| out.text.take_words())
}
