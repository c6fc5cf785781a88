//! Lookahead: inspects what follows a position without reading it.
//!
//! Each lookahead is bounded, or is charged to a shared budget, so that parsing stays linear.

use crate::parser::{JsonParser, OpenBracket, ReadError};
use crate::repair::RepairKind;
use crate::syntax::LEAVES_OUT;
use crate::unquoted::LITERALS;
use prompt_base::Span;

/// The longest key that lookahead recognises, in bytes.
const MAX_KEY: usize = 120;
/// The longest comment that lookahead skips.
const MAX_COMMENT: usize = 1000;

/// The position after white space and comments.
#[derive(Clone, Copy)]
pub(crate) struct AfterSpace {
    pub at: usize,
    /// A line break, or a comment that ends with one, was skipped.
    pub line_break: bool,
}

/// Text that looks like a key and its colon.
#[derive(Clone, Copy)]
pub(crate) struct UpcomingKey {
    pub quoted: bool,
    /// It is a field name of the schema.
    pub known: bool,
    /// The text ends before the colon.
    pub cut: bool,
}

impl UpcomingKey {
    /// The beginning of a key, at the end of the text.
    fn at_text_end(quoted: bool) -> UpcomingKey {
        UpcomingKey {
            quoted,
            known: false,
            cut: true,
        }
    }
}

/// Whether a quote ends its string, judged by what follows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Closing {
    Sure,
    /// It does if no certain end follows.
    Perhaps,
    No,
}

/// White space and closing brackets.
fn is_end(letter: char) -> bool {
    is_space(letter) || matches!(letter, '}' | ']')
}

/// White space and invisible characters.
pub(crate) fn is_space(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{feff}' | '\u{200b}'..='\u{200d}' | '\u{2060}')
}

/// The length of the white space at the beginning of a text.
fn space_length(text: &str) -> usize {
    let ascii = |byte: &&u8| matches!(byte, b' ' | b'\n' | b'\t' | b'\r');
    let blank = text.as_bytes().iter().take_while(ascii).count();
    match text.as_bytes().get(blank) {
        // No other white space begins with such a byte.
        None | Some(b'!'..=b'~') => blank,
        Some(_) => text.len() - text[blank..].trim_start_matches(is_space).len(),
    }
}

impl JsonParser<'_, '_> {
    /// Skips white space, and records comments.
    pub(crate) fn skip_space(&mut self) -> Result<(), ReadError> {
        match self.text.as_bytes()[self.at..self.end].first() {
            None | Some(b'!'..=b'"' | b'$'..=b'.' | b'0'..=b'~') => Ok(()),
            Some(_) => self.skip_space_and_comments(),
        }
    }

    fn skip_space_and_comments(&mut self) -> Result<(), ReadError> {
        loop {
            let blank = space_length(self.rest());
            if blank > 0 {
                self.charge_bytes(blank)?;
            }
            let start = self.at + blank;
            self.at = start;
            if !matches!(
                self.text.as_bytes()[..self.end].get(start),
                Some(b'/' | b'#')
            ) {
                return Ok(());
            }
            let Some(length) = comment_length(&self.text[start..self.end], usize::MAX) else {
                return Ok(());
            };
            self.charge_bytes(length)?;
            self.at = start + length;
            self.record_repair(RepairKind::Comment, Span::new(start, self.at))?;
            let rest = self.rest().trim_start();
            // Unlike an item or an entry of a map, a missing field has a name by which it is missed.
            let is_last = self.text[..start].trim_end().ends_with(',');
            let ends = rest.starts_with(']')
                || rest.starts_with('}') && is_last && self.context.names.accept_any;
            let comment = &self.text[start..self.at];
            let span = Span::new(start, self.at);
            if replaces_values(comment, ends) {
                self.record_lost_text(span, LEAVES_OUT)?;
            }
            // A comment up to the end of its line, in an answer without line breaks.
            if self.at == self.end && comment.contains(['}', ']']) {
                self.record_lost_text(span, "this comment contains the end of the value")?;
            }
        }
    }

    /// The position after white space and short comments. Once the budget is spent it is the position itself: parsing then ends
    /// anyway.
    pub(crate) fn space_after(&self, at: usize) -> AfterSpace {
        let mut after = AfterSpace {
            at,
            line_break: false,
        };
        while !self.context.lookahead_is_spent() {
            let rest = &self.text[after.at..self.end];
            let blank = space_length(rest);
            let rest = &rest[blank..];
            if blank > 0 {
                self.context.charge_lookahead(blank);
                let space = &self.text.as_bytes()[after.at..after.at + blank];
                after.line_break |= space.contains(&b'\n');
                after.at += blank;
            }
            if !rest.starts_with(['/', '#']) {
                break;
            }
            let Some(length) = comment_length(rest, MAX_COMMENT) else {
                if rest.starts_with("/*") {
                    self.context.charge_lookahead(MAX_COMMENT);
                }
                break;
            };
            self.context.charge_lookahead(length);
            after.line_break |= !rest.starts_with("/*");
            after.at += length;
        }
        after
    }

    /// Whether a key and a colon begin at a position.
    pub(crate) fn key_ahead(&self, at: usize) -> Option<UpcomingKey> {
        let rest = &self.text[at..self.end];
        let first = rest.chars().next()?;
        let quoted = matches!(first, '"' | '\'' | '“' | '`');
        let window = window_after(rest, MAX_KEY);
        let ends = window.len() == rest.len();
        let (key, length) = if quoted {
            let body = &window[first.len_utf8()..];
            let close = if first == '“' { '”' } else { first };
            match body.find([close, '\n']) {
                Some(length) if !body[length..].starts_with('\n') => (
                    &body[..length],
                    first.len_utf8() + length + close.len_utf8(),
                ),
                // While an answer arrives, its last key has no closing quote yet.
                None if ends && !body.contains(['{', '}', '[', ']', ',']) => {
                    return Some(UpcomingKey::at_text_end(quoted));
                }
                _ => return None,
            }
        } else {
            if !(first.is_alphanumeric() || matches!(first, '_' | '$')) {
                return None;
            }
            let is_key = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '.' | ' ');
            let length = window.find(|c| !is_key(c)).unwrap_or(window.len());
            // Its opening quote may be missing.
            let quote = usize::from(rest[length..].starts_with('"'));
            (window[..length].trim_end(), length + quote)
        };
        let space = space_length(&rest[length..]);
        self.context.charge_lookahead(space);
        let after = &rest[length + space..];
        let is_key = match after.as_bytes().first() {
            // `https://…` is not a key.
            Some(b':') => quoted || !after.starts_with("://"),
            Some(_) => false,
            None => ends,
        };
        is_key.then(|| UpcomingKey {
            quoted,
            known: self.context.names.contains(key),
            cut: after.is_empty(),
        })
    }

    /// Whether the quote before `at` ends a value. `inner`: a quote inside the string is still open.
    pub(crate) fn closes_value(&self, at: usize, inner: bool) -> Closing {
        // A quotation inside the string is open, so the next quote more likely ends the quotation than the string.
        // What looks like a comment may be a part of the string.
        if inner && !self.text[at..self.space_after(at).at].trim().is_empty() {
            return Closing::Perhaps;
        }
        let Some(bracket) = self.open_brackets.last() else {
            let after = self.space_after(at);
            return if after.at == self.end {
                Closing::Sure
            } else {
                Closing::Perhaps
            };
        };
        let after = self.space_after(at);
        let Some(next) = self.text[after.at..self.end].chars().next() else {
            return Closing::Sure;
        };
        match next {
            ',' => self.closes_before_comma(after.at + 1, *bracket, inner),
            '}' | ']' => match self.closes_before_bracket(after.at) {
                Closing::Sure
                    if inner && self.text[after.at..self.end].contains(|c| !is_end(c)) =>
                {
                    Closing::Perhaps
                }
                closing => closing,
            },
            '`' if self.text[after.at..self.end].starts_with("```") => Closing::Sure,
            // Strings joined as in a program: `"a" + "b"`.
            '+' if self.string_ahead(after.at + 1) => Closing::Sure,
            _ => match bracket {
                OpenBracket::Object { unquoted } => match self.key_ahead(after.at) {
                    // Without a comma, only a key can follow the string. A known name is one anywhere; another word is one only
                    // at the beginning of a line, and quoted or in an object without quotes, since prose contains colons too.
                    Some(key) if key.cut => Closing::Sure,
                    Some(key) if key.known && (after.line_break || key.quoted) => Closing::Sure,
                    Some(key) if after.line_break && (key.quoted || *unquoted) => Closing::Sure,
                    _ if after.line_break => Closing::Perhaps,
                    _ => Closing::No,
                },
                OpenBracket::List { .. } => {
                    // Two items without a comma need at least a space between them: `"b"c"` is one string with quotes inside.
                    let apart = after.at > at && !inner;
                    let item = matches!(next, '"' | '\'' | '{' | '[' | '“');
                    match item {
                        true if apart && self.opens_string(after.at) => Closing::Sure,
                        false
                            if apart
                                && is_word_of_list(&self.text[after.at..self.end])
                                && (after.line_break || next.is_ascii_digit()) =>
                        {
                            Closing::Sure
                        }
                        false if apart && next.is_ascii_digit() => Closing::Perhaps,
                        _ if after.line_break => Closing::Perhaps,
                        _ => Closing::No,
                    }
                }
            },
        }
    }

    fn closes_before_comma(&self, at: usize, bracket: OpenBracket, inner: bool) -> Closing {
        let after = self.space_after(at);
        let Some(next) = self.text[after.at..self.end].chars().next() else {
            return Closing::Sure;
        };
        if matches!(next, '}' | ']') {
            return self.closes_before_bracket(after.at);
        }
        if next == ',' && !inner {
            return Closing::Sure;
        }
        // A comma is also a part of sentences. It separates values only if the text after it looks like the next entry of an object
        // or the next item of a list.
        let sure = match bracket {
            OpenBracket::Object { unquoted } => self.key_ahead(after.at).is_some_and(|key| {
                key.quoted && !inner
                    || key.known
                    || key.cut
                    || unquoted && !self.key_has_spaces(after.at)
                    || after.line_break
            }),
            OpenBracket::List { unquoted } => {
                let rest = &self.text[after.at..self.end];
                !inner
                    && (is_word_of_list(rest)
                        || matches!(next, '"' | '\'' | '“' | '`' | '{' | '[' | '-' | '0'..='9')
                        || LITERALS.iter().any(|word| rest.starts_with(word))
                        || unquoted)
            }
        };
        if sure {
            Closing::Sure
        } else {
            Closing::Perhaps
        }
    }

    /// Whether valid JSON follows the brackets here, closed one by one.
    fn closes_before_bracket(&self, at: usize) -> Closing {
        let mut open = self.open_brackets.as_slice();
        let mut extra = 0;
        let mut after = AfterSpace {
            at,
            line_break: false,
        };
        loop {
            let rest = &self.text[after.at..self.end];
            let Some(next) = rest.chars().next() else {
                return Closing::Sure;
            };
            if matches!(next, '}' | ']') {
                // A missing bracket in between is closed with its outer one.
                let is_pair = |bracket: &OpenBracket| {
                    matches!(
                        (bracket, next),
                        (OpenBracket::Object { .. }, '}') | (OpenBracket::List { .. }, ']')
                    )
                };
                match open.iter().rposition(is_pair) {
                    Some(end) => open = &open[..end],
                    // More than two are not a slip of the model: the brackets are then rather the text of a string.
                    // One bracket too many, after the right one.
                    None if after.at > at && extra < 2 => extra += 1,
                    None => return Closing::Perhaps,
                }
                after = self.space_after(after.at + 1);
                continue;
            }
            let Some(bracket) = open.last() else {
                return self.closes_before_prose(after.at, next);
            };
            if next != ',' {
                let key = self
                    .key_ahead(after.at)
                    .is_some_and(|key| key.known || key.cut);
                // The comma after the bracket may be missing. Then only a line break, a key or the beginning of a container shows
                // that the next entry follows.
                let continues = after.line_break || key || matches!(next, '{' | '[');
                return if continues {
                    Closing::Sure
                } else {
                    Closing::Perhaps
                };
            }
            let beyond = self.space_after(after.at + 1);
            if self.text[beyond.at..self.end].starts_with(['}', ']']) {
                after = beyond;
                continue;
            }
            return match self.closes_before_comma(after.at + 1, *bracket, false) {
                Closing::No => Closing::Perhaps,
                closing => closing,
            };
        }
    }

    /// Whether the text after the last bracket is prose, and not the inside of a string.
    fn closes_before_prose(&self, at: usize, next: char) -> Closing {
        let rest = &self.text[at..self.end];
        if self.string_continues(at) {
            return Closing::Perhaps;
        }
        // A remark after an answer is separated from it. A letter or a quote that touches the bracket is the inside of a string.
        let touches = self.text[..at].ends_with(['}', ']']);
        let inside = matches!(next, '"' | '\'' | '`' | ')') && !rest.starts_with("```");
        if touches && (next.is_alphanumeric() || inside) {
            Closing::Perhaps
        } else {
            Closing::Sure
        }
    }

    /// Whether the text after the last bracket is the rest of a string with brackets in it: up to the next bracket a quote has no
    /// counterpart.
    pub(crate) fn string_continues(&self, at: usize) -> bool {
        let rest = &self.text.as_bytes()[at..self.end];
        let is_bracket = |byte: &u8| matches!(byte, b'{' | b'}' | b'[' | b']');
        let Some(bracket) = rest.iter().position(is_bracket) else {
            self.context.charge_lookahead(rest.len());
            return false;
        };
        self.context.charge_lookahead(bracket);
        let quotes = rest[..bracket].iter().filter(|&&byte| byte == b'"').count();
        quotes % 2 == 1
    }

    /// Whether the key here consists of several words, like prose before a colon.
    fn key_has_spaces(&self, at: usize) -> bool {
        let key = self.text[at..self.end]
            .split(':')
            .next()
            .unwrap_or_default();
        key.trim_end().contains(' ')
    }

    pub(crate) fn string_ahead(&self, at: usize) -> bool {
        let after = self.space_after(at);
        self.text[after.at..self.end].starts_with(['"', '\'', '`'])
    }

    /// Whether a value begins here, and not a quoted word of a sentence ends.
    fn opens_string(&self, at: usize) -> bool {
        let mut letters = self.text[at..self.end].chars();
        let first = letters.next();
        matches!(first, Some('{' | '[')) || letters.next().is_none_or(|next| !is_space(next))
    }
}

/// Whether a text begins with an unquoted item of a list.
fn is_word_of_list(text: &str) -> bool {
    let text = window_after(text, MAX_KEY);
    let end = text
        .find([',', ']', '"', '\'', '[', '{'])
        .unwrap_or(text.len());
    text[end..].starts_with([',', ']']) && !text[..end].trim().contains('\n')
}

/// The length of the comment at the beginning of a text, if it ends within `limit`.
fn comment_length(text: &str, limit: usize) -> Option<usize> {
    if !text.starts_with(['/', '#']) {
        return None;
    }
    // Without the space it is a colour or a hashtag, not a comment.
    let hash = text
        .strip_prefix('#')
        .is_some_and(|rest| rest.starts_with([' ', '\t']));
    if text.starts_with("//") || hash {
        let line = window_after(text, limit);
        return match line.find('\n') {
            Some(end) => Some(end),
            None => (line.len() == text.len()).then_some(line.len()),
        };
    }
    if text.starts_with("/*") {
        let body = window_after(text, limit);
        return match body.find("*/") {
            Some(end) => Some(end + 2),
            None => (body.len() == text.len()).then_some(body.len()),
        };
    }
    None
}

/// Whether a comment replaces values: one that begins with an ellipsis, and one at the end of a container, which may list further values.
fn replaces_values(comment: &str, ends_values: bool) -> bool {
    let body = window_after(comment, MAX_KEY)
        .trim_start_matches(|c: char| matches!(c, '/' | '*' | '#') || is_space(c));
    ends_values || body.starts_with("...") || body.starts_with('…')
}

/// The beginning of a text, at most `limit` bytes.
pub(crate) fn window_after(text: &str, limit: usize) -> &str {
    let mut end = limit.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The end of a text, at most `limit` bytes.
pub(crate) fn window_before(text: &str, limit: usize) -> &str {
    let mut start = text.len().saturating_sub(limit);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}
