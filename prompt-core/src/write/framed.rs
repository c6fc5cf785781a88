//! A prompt whose family is known when it is compiled: its words stand joined with the family's marks.

use super::fill::{Cut, Fill};
use crate::format::{Ends, Family, is_bare};
use crate::{Text, ToPrompt, Writer};

/// The text of an ordinary conversation of the family `name`; `None` for any other family, and where the family would not
/// take the values as they are: those at `borders`, where words begin and end.
#[doc(hidden)]
pub fn framed(
    family: &Family,
    name: &str,
    words: &'static str,
    cuts: &'static [u8],
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
    let data: usize = values.iter().map(|value| value.len()).sum();
    // The names and their marks are counted too: that is a little more room than is needed.
    let mut text = Text::with_capacity(words.len() + data);
    text.reserve(0, values.len());
    let mut rest = words;
    for (cut, value) in cuts.as_chunks().0.iter().zip(values) {
        let cut = Cut::of(*cut);
        let (before, after) = rest.split_at(cut.before);
        rest = &after[cut.name + 2..];
        let name = &after[1..=cut.name];
        text.push_template(before);
        let mut number = itoa::Buffer::new();
        let data = match *value {
            Fill::Text(data) => data,
            Fill::Unsigned(value) => number.format(value),
            Fill::Signed(value) => number.format(value),
            Fill::Other(value) => {
                text = behind(text, name, value)?;
                continue;
            }
        };
        text.push_data(Some(name), data);
    }
    text.push_template(rest);
    Some(text)
}

/// The text and behind it a value that writes itself, if that writes text only and nothing goes wrong.
fn behind(text: Text, name: &'static str, value: &dyn ToPrompt) -> Option<Text> {
    let mut out = Writer {
        text,
        ..Writer::new()
    };
    out.slot(name, value);
    let is_only = out.messages.is_empty()
        && out.messages.fault().is_none()
        && out.messages.tools().is_empty()
        && out.parts.is_empty()
        && out.extras.is_empty();
    is_only.then_some(out.text)
}
