//! A prompt whose family is known when it is compiled: its words stand joined with the family's marks.

use super::fill::Fill;
use crate::format::{Ends, Family, is_bare};
use crate::{Text, ToPrompt, Writer};

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
    let words: usize = texts.iter().map(|text| text.len()).sum();
    let data: usize = values.iter().map(|value| value.len()).sum();
    let mut text = Text::with_capacity(words + data);
    text.reserve(0, values.len());
    for ((words, name), value) in texts.iter().zip(names).zip(values) {
        text.push_template(words);
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
    if let Some(words) = texts.get(values.len()) {
        text.push_template(words);
    }
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
