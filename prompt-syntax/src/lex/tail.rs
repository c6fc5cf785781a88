//! Where a tag ends: at its delimiter, but not at one that stands in quotes.

use super::string;
use crate::problem::word::unclosed_text;
use crate::unicode::{begins_name, continues_name};
use crate::{Error, Span};

/// The rest of a tag after the words that open it.
pub(crate) struct Tail {
    /// The words up to the delimiter, without the white space around them.
    pub(crate) head: Span,
    /// Whether the closing delimiter is there.
    pub(crate) closed: bool,
    /// After the tag.
    pub(crate) end: usize,
    /// A text in quotes that is never closed.
    pub(crate) quote: Option<Error>,
}

/// Reads up to the `>` that closes a tag. A tag ends on its line; `\` and another tag's beginning cannot stand in it.
pub(crate) fn tail(text: &str, from: usize) -> Tail {
    let mut at = from;
    let mut quote = None;
    // A quote right after a letter begins no text: it is an apostrophe.
    let mut after_letter = false;
    let mut closed = false;
    let mut parentheses = 0usize;
    while let Some(c) = text[at..].chars().next() {
        let next = at + c.len_utf8();
        match c {
            '>' => {
                closed = true;
                break;
            }
            '\n' | '\r' | '\\' => break,
            '<' if opens(&text[next..]) => break,
            '"' | '\'' if !after_letter => match string::end(text, at) {
                Ok(end) => {
                    at = end;
                    continue;
                }
                // Elsewhere it is a quote of the text after a forgotten `>`.
                Err(end) if parentheses > 0 || text[from..at].trim_end().ends_with("??") => {
                    quote.get_or_insert_with(|| unclosed(text, at, end));
                    at = end;
                    continue;
                }
                Err(_) => {}
            },
            '(' => parentheses += 1,
            ')' => parentheses = parentheses.saturating_sub(1),
            _ => {}
        }
        after_letter = continues_name(c);
        at = next;
    }
    Tail {
        head: trimmed(text, from, at),
        closed,
        end: at + usize::from(closed),
        quote,
    }
}

/// Whether a tag goes on like this after its `<`.
fn opens(rest: &str) -> bool {
    rest.strip_prefix('/')
        .unwrap_or(rest)
        .starts_with(begins_name)
}

fn unclosed(text: &str, quote: usize, end: usize) -> Error {
    let span = Span::new(quote, quote + text[quote..end].trim_end().len());
    unclosed_text(&text[quote..=quote]).at(span)
}

/// The span without the white space at its ends.
pub(crate) fn trimmed(text: &str, start: usize, end: usize) -> Span {
    let words = text[start..end].trim_end();
    let blank = words.len() - words.trim_start().len();
    Span::new(start + blank, start + words.len())
}
