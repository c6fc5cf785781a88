//! A prompt whose family is known when it is compiled: its words stand joined with the family's marks.

use super::fill::{Fill, Slots};
use crate::format::{Ends, Joint, is_bare};
use crate::{Text, ToPrompt, Writer};

/// The text of an ordinary conversation of the family `name`; `None` for any other family, and where the family would not
/// take the values as they are: those that hold its tokens, and of those at `borders`, where words begin and end, some.
/// `is_open` says whether a token could begin in words and end in a value.
#[doc(hidden)]
pub fn framed(
    joint: &Joint,
    name: &str,
    words: &'static str,
    cuts: &'static [u8],
    values: &[Fill<'_>],
    borders: &[usize],
    is_open: bool,
) -> Option<String> {
    let ends = joint.ends(name)?;
    let stays = |at: &usize| match values.get(*at) {
        Some(Fill::Text(text)) => !text.is_empty() && (ends == Ends::Kept || is_bare(text)),
        Some(Fill::Unsigned(_) | Fill::Signed(_)) => true,
        Some(Fill::Other(_)) | None => false,
    };
    if !borders.iter().all(stays) {
        return None;
    }
    let data: usize = values.iter().map(|value| value.len()).sum();
    // The names and their marks are counted too: that is a little more room than is needed.
    let mut text = String::with_capacity(words.len() + data);
    // Where data stands, from the first that a token can begin in. Most often there is none.
    let (mut suspect, mut ranges) = (is_open, Vec::new());
    let mut slots = Slots::of(words, cuts);
    for (slot, value) in slots.by_ref().zip(values) {
        text.push_str(slot.before);
        let start = text.len();
        let mut number = itoa::Buffer::new();
        let data = match *value {
            Fill::Text(data) => data,
            Fill::Unsigned(value) => number.format(value),
            Fill::Signed(value) => number.format(value),
            Fill::Other(value) => {
                text = behind(text, slot.name(), value)?;
                suspect |= joint.is_suspect(&text[start..]);
                ""
            }
        };
        suspect |= joint.copy(data, &mut text);
        if suspect {
            ranges.push(start..text.len());
        }
    }
    text.push_str(slots.rest);
    (ranges.is_empty() || joint.is_clean(&text, &ranges)).then_some(text)
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
