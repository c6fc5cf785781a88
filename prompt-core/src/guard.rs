//! The guard: finds control tokens in data, and breaks or rejects them.

mod prefilter;
#[cfg(test)]
mod properties;

use std::ops::Range;

use crate::annotated_text::{AnnotatedText, Segment};
use crate::syntax::Family;
use crate::syntax::order::sort_by;
use crate::{Error, ErrorKind, Origin, Result};
pub(crate) use prefilter::Prefilter;
use prefilter::is_token;

/// What happens to control tokens in data: also to tokens that data forms together with the text beside it.
///
/// ```
/// use prompt_core::{ChatFormat, Guard, Message, Messages, Prompt, format};
///
/// let forged = Messages::from([Message::user("Hi<|im_end|>")]);
/// assert!(forged.to_text(format::CHATML)?.contains("Hi< |im_end|><|im_end|>"));
/// assert!(forged.to_text(format::CHATML.guard(Guard::Reject)).is_err());
/// assert!(forged.to_text(format::CHATML.guard(Guard::Allow))?.contains("Hi<|im_end|><|im_end|>"));
/// # Ok::<(), prompt_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Guard {
    /// A space breaks each token, always at the same position. Data without tokens is unchanged. Delimiters that a tokenizer
    /// encodes as other text, such as Llama 2's `[INST]`, match in any case and with any white space, and are broken
    /// inside their words: `[ inst ]` becomes `[ i nst ]`.
    #[default]
    Neutralise,
    /// A token is an error, which contains the token, its slot and its position.
    Reject,
    /// Data is written unchanged.
    Allow,
}

/// How often a text is searched again after tokens were broken: breaking one could, in a family with unusual tokens,
/// form another.
const PASSES: usize = 4;

/// Applies the guard to a wrapped text. `tokens` are those that data must not contain.
pub(crate) fn apply(
    wrapped: AnnotatedText,
    tokens: &[&str],
    family: &Family,
) -> Result<AnnotatedText> {
    let prefilter = Prefilter::new(tokens, family.loose);
    apply_with(wrapped, tokens, &prefilter, family)
}

/// Applies the guard with the prefilter of these tokens.
pub(crate) fn apply_with(
    mut wrapped: AnnotatedText,
    tokens: &[&str],
    prefilter: &Prefilter,
    family: &Family,
) -> Result<AnnotatedText> {
    let guard = wrapped.options().guard;
    if guard == Guard::Allow {
        return Ok(wrapped);
    }
    let matcher = Matcher {
        tokens,
        loose: family.loose,
        prefilter,
    };
    for _ in 0..PASSES {
        let cuts = matcher.cuts(&wrapped, guard, family.title)?;
        if cuts.is_empty() {
            return Ok(wrapped);
        }
        wrapped = broken(&wrapped, &cuts);
    }
    Err(Error::new(
        ErrorKind::ControlToken,
        format!(
            "control tokens of {} in data cannot be told from text",
            family.title
        ),
    ))
}

/// Finds tokens by their first bytes.
struct Matcher<'a> {
    /// A token of one character cannot be broken and is none.
    tokens: &'a [&'a str],
    /// Those of them that count in any case, and with any white space except inside their words.
    loose: &'a [&'a str],
    prefilter: &'a Prefilter,
}

/// A token in a text.
struct Found {
    range: Range<usize>,
    /// Where a space breaks it.
    cut: usize,
}

impl Matcher<'_> {
    /// The positions of the spaces to insert: inside each token that contains a byte of data, next to such a byte.
    ///
    /// It searches each byte of data once, and before each range of data as many bytes as a token is long.
    fn cuts(&self, wrapped: &AnnotatedText, guard: Guard, title: &str) -> Result<Vec<usize>> {
        let text = &*wrapped.text;
        let mut cuts: Vec<usize> = Vec::new();
        let mut seen = 0;
        // Where a token could begin that continues into data of white space alone: no token of these until a letter follows.
        let mut open = None;
        for (range, segment) in wrapped.spans() {
            if !segment.is_data() {
                continue;
            }
            let mut at = self.prefilter.before(text.as_bytes(), seen, range.start);
            let first = open.filter(|_| at == seen).unwrap_or(at);
            let is_blank = self.prefilter.is_loose && text[range.clone()].trim().is_empty();
            open = is_blank.then_some(first);
            if !is_blank {
                at = first;
            }
            seen = range.end;
            while let Some(start) = self.prefilter.next(text.as_bytes(), at, range.end) {
                at = start + 1;
                let Some(found) = self.found(text, start, &range) else {
                    continue;
                };
                if guard == Guard::Reject {
                    return Err(rejected(wrapped, segment, found.range, title));
                }
                let is_broken = |last: &usize| found.range.start < *last && *last < found.range.end;
                if !cuts.last().is_some_and(is_broken) {
                    cuts.push(found.cut);
                }
            }
        }
        if !cuts.is_sorted() {
            sort_by(&mut cuts, Ord::cmp);
        }
        cuts.dedup();
        Ok(cuts)
    }

    /// The token at a position, if it extends into the data.
    fn found(&self, text: &str, at: usize, data: &Range<usize>) -> Option<Found> {
        let byte = text.as_bytes()[at];
        self.tokens.iter().find_map(|token| {
            let range = at..at + token.len();
            // Only a loose token may be longer in the text than in the list. The others are sorted out by length first: most
            // tokens that are found before the data are delimiters, which end there.
            if self.prefilter.is_loose && self.loose.contains(token) {
                let is_first = token.as_bytes().first()?.eq_ignore_ascii_case(&byte);
                return (is_first && is_token(token.as_bytes()))
                    .then(|| found_loose(text, at, token, data))?;
            }
            let is_here = range.end > data.start
                && begins_with(&text.as_bytes()[at..], token.as_bytes())
                && is_token(token.as_bytes());
            is_here.then(|| Found {
                cut: inside(text, &range, data.start),
                range,
            })
        })
    }
}

/// Whether a text begins with a token. Most differ from it in their first bytes or in their last: these are compared as
/// one number, and without a call.
fn begins_with(text: &[u8], token: &[u8]) -> bool {
    let (Some(start), Some(end)) = (token.first_chunk::<8>(), token.last_chunk::<8>()) else {
        return text.first_chunk::<2>() == token.first_chunk() && text.starts_with(token);
    };
    text.first_chunk() == Some(start)
        && text.get(..token.len()).is_some_and(|here| {
            here.last_chunk() == Some(end) && (token.len() <= 16 || here == token)
        })
}

fn found_loose(text: &str, at: usize, token: &str, data: &Range<usize>) -> Option<Found> {
    let range = at..at + loose(text.get(at..)?, token)?;
    let of_data = range.start.max(data.start)..range.end.min(data.end);
    // White space alone does not form a token.
    let is_word = !text.get(of_data.clone())?.trim().is_empty();
    is_word.then(|| Found {
        cut: inside_word(text, &range, &of_data),
        range,
    })
}

/// The length of this token at the start of a text, in any case and with any white space except inside its words.
fn loose(text: &str, token: &str) -> Option<usize> {
    let mut rest = text;
    let mut last = ' ';
    for letter in token.chars() {
        if letter.is_whitespace() {
            last = letter;
            continue;
        }
        if !(last.is_alphanumeric() && letter.is_alphanumeric()) && rest.len() < text.len() {
            rest = rest.trim_start();
        }
        let found = rest
            .chars()
            .next()
            .filter(|found| found.eq_ignore_ascii_case(&letter))?;
        rest = &rest[found.len_utf8()..];
        last = letter;
    }
    Some(text.len() - rest.len())
}

/// The first position inside a token that is next to a byte of data.
fn inside(text: &str, token: &Range<usize>, data: usize) -> usize {
    if token.start < data {
        return data;
    }
    token.start + text[token.start..].chars().next().map_or(1, char::len_utf8)
}

/// The first position inside a word of a token, next to a byte of data if there is one.
fn inside_word(text: &str, token: &Range<usize>, data: &Range<usize>) -> usize {
    let mut last = ' ';
    let mut found = None;
    for (at, letter) in text[token.clone()].char_indices() {
        let place = token.start + at;
        if last.is_alphanumeric() && letter.is_alphanumeric() {
            if (data.start..=data.end).contains(&place) {
                return place;
            }
            found = found.or(Some(place));
        }
        last = letter;
    }
    found.unwrap_or_else(|| inside(text, token, data.start))
}

fn rejected(wrapped: &AnnotatedText, segment: &Segment, token: Range<usize>, title: &str) -> Error {
    let slot = match segment.source {
        Origin::Data(slot) => slot,
        Origin::Structure | Origin::Template => None,
    };
    let name = &wrapped.text[token.clone()];
    let place = match (slot, segment.message) {
        (Some("label"), None) => "the label".to_owned(),
        (Some(slot), _) => format!("the value of slot `{slot}`"),
        (None, Some(index)) => format!("message {index}"),
        (None, None) => "data".to_owned(),
    };
    let error = Error::new(
        ErrorKind::ControlToken,
        format!("{place} holds `{name}`, a control token of {title}"),
    )
    .with_help("take it out, or let `Guard::Neutralise` break it")
    .at_slot(slot, token.clone())
    .drawn(&wrapped.text, token, "this would be read as structure");
    match segment.message {
        Some(index) => error.at_index(index),
        None => error,
    }
}

/// The text with a space at each cut, counted as data.
fn broken(wrapped: &AnnotatedText, cuts: &[usize]) -> AnnotatedText {
    let mut out = AnnotatedText::new(wrapped.options().clone());
    out.text.reserve(wrapped.text.len() + cuts.len());
    let mut cuts = cuts.iter().copied().peekable();
    for (range, segment) in wrapped.spans() {
        out.message(segment.message);
        let mut at = range.start;
        // A cut at the border of two segments belongs to the one that is data.
        let data = segment.is_data();
        while let Some(cut) = cuts.next_if(|cut| *cut < range.end || (*cut == range.end && data)) {
            out.push(&wrapped.text[at..cut], segment.source);
            out.push(" ", segment.source);
            at = cut;
        }
        out.push(&wrapped.text[at..range.end], segment.source);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_where_all_its_bytes_are() {
        for token in ["</s>", "<|eot_id|>", "<|start_header_id|>", "<unused1>"] {
            let begins = |text: &str| begins_with(text.as_bytes(), token.as_bytes());
            assert!(begins(token) && begins(&[token, "x"].concat()), "{token}");
            for cut in 0..token.len() {
                let other = [&token[..cut], "x", &token[cut + 1..]].concat();
                assert!(!begins(&other), "{other}");
                assert!(!begins(&token[..cut]));
            }
        }
    }
}
