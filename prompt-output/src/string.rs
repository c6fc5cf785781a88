//! Quoted strings: their quotes, escapes and ends.
//!
//! A model that forgets to escape leaves quotes inside its strings. In incorrect JSON a quote therefore ends a string only if
//! valid JSON follows: a comma and a key, a bracket that leaves the rest balanced, or the end of the text. If no quote
//! qualifies, the first possible one ends the string.

use crate::lookahead::{Closing, is_space};
use crate::parser::{JsonParser, KeyRead, OpenBracket, ReadError};
use crate::repair::{RepairKind, SyntaxRepair};
use crate::syntax::{End, NodeKind, SyntaxNode};
use prompt_base::Span;
use std::borrow::Cow;

/// The longest unquoted key, in bytes.
const MAX_UNQUOTED_KEY: usize = 120;

/// Whether a character opens a string.
pub(crate) fn is_opening_quote(letter: char) -> bool {
    matches!(letter, '"' | '\'' | '`' | '“' | '”' | '„' | '‘' | '’' | '«')
}

fn closes_quote(open: char, letter: char) -> bool {
    match open {
        '"' => matches!(letter, '"' | '”'),
        '“' | '”' | '„' => matches!(letter, '”' | '“' | '"'),
        '‘' | '’' => matches!(letter, '’' | '‘'),
        '«' => letter == '»',
        open => letter == open,
    }
}

/// Whether a closing quote for the opening one may begin with this byte.
fn may_close(open: char, byte: u8) -> bool {
    match byte {
        b'"' | b'\'' | b'`' => closes_quote(open, char::from(byte)),
        // The first byte of `»`, and of all other such quotes.
        0xC2 => open == '«',
        0xE2 => !matches!(open, '\'' | '`' | '«'),
        _ => false,
    }
}

/// The extent of a string in the text.
pub(crate) struct StringExtent {
    /// The content between the quotes.
    pub start: usize,
    pub end: usize,
    pub ends: End,
    pub escaped: bool,
}

/// Whether a string with quotes inside is several strings with a sign between them (`"a"; "b"`), or a string and an ellipsis.
/// Reading these as one string would return a text that the model did not give as its answer.
fn is_joined(text: &str, open: char) -> bool {
    let mut is_escaped = false;
    let is_quote = |letter: char| {
        let is_quote = !is_escaped && closes_quote(open, letter);
        is_escaped = letter == '\\' && !is_escaped;
        is_quote
    };
    let mut parts: Vec<&str> = text.split(is_quote).collect();
    parts.pop_if(|last| last.is_empty());
    // The text before each second quote.
    let mut between = parts.iter().skip(1).step_by(2);
    let is_ellipsis = between.clone().next().is_some_and(|first| {
        let joint = first.trim_matches(|c: char| c.is_whitespace() || c == ',');
        ["...", "…"].contains(&joint)
    });
    // A quote closes a string, and the next one opens another: `"a" or "b"`, and not `"said "hi" to me"`.
    let is_apart = |c: Option<char>| c.is_some_and(|c| c.is_whitespace() || ";|+/&".contains(c));
    let is_joint =
        |part: &&str| is_apart(part.chars().next()) && is_apart(part.chars().next_back());
    is_ellipsis || parts.len() % 2 == 1 && between.any(is_joint)
}

impl<'t> JsonParser<'t, '_> {
    /// Reads a string in the position of a value.
    pub(crate) fn read_string(&mut self) -> Result<SyntaxNode<'t>, ReadError> {
        let start = self.at;
        if !self.is_strict()
            && let Some(block) = find_block(&self.text[start..self.end])
        {
            self.context.charge_lookahead(block.seen);
            self.at = start + block.length;
            self.charge_bytes(block.length)?;
            self.record_repair(RepairKind::OtherQuotes, Span::new(start, start + 3))?;
            let end = if block.cut { End::Cut } else { End::Sure };
            return Ok(self.node_from(start, end, NodeKind::Quoted(block.text)));
        }
        let before = self.repairs.len();
        let quoted = self.read_quoted(Self::closes_value)?;
        let mut text = self.unescape_string(&quoted)?;
        let mut end = quoted.ends;
        while end == End::Sure && !self.is_strict() && self.skip_joining_plus()? {
            let next = self.read_quoted(Self::closes_value)?;
            text.to_mut().push_str(&self.unescape_string(&next)?);
            end = next.ends;
        }
        // With quotes inside of a part, the `+` may be text as well: `"x = "a" + "b" here"`.
        let has = |kind| {
            self.repairs[before..]
                .iter()
                .any(|repair| repair.kind == kind)
        };
        if has(RepairKind::Joined) && has(RepairKind::UnescapedQuotes) {
            let why = "these strings are joined with `+`, and contain quotes that are not escaped";
            self.record_lost_text(Span::new(start, self.at), why)?;
        }
        Ok(self.node_from(start, end, NodeKind::Quoted(text)))
    }

    /// Skips a `+` and the space before the next string.
    fn skip_joining_plus(&mut self) -> Result<bool, ReadError> {
        let plus = self.space_after(self.at).at;
        if !self.text[plus..self.end].starts_with('+') || !self.string_ahead(plus + 1) {
            return Ok(false);
        }
        self.record_repair(RepairKind::Joined, Span::new(plus, plus + 1))?;
        self.at = self.space_after(plus + 1).at;
        Ok(true)
    }

    /// Reads a key, with or without quotes, up to the position of its colon.
    pub(crate) fn read_key(&mut self) -> Result<KeyRead<'t>, ReadError> {
        let start = self.at;
        let Some(first) = self.peek() else {
            return Ok(KeyRead::Cut);
        };
        if is_opening_quote(first) {
            return self.read_quoted_key();
        }
        if self.is_strict() {
            return Err(ReadError::NotJson);
        }
        let rest = self.rest();
        let stops = |byte: &u8| {
            matches!(
                byte,
                b':' | b'{' | b'}' | b'[' | b']' | b',' | b'"' | b'\n' | b'='
            )
        };
        let near = &rest.as_bytes()[..rest.len().min(MAX_UNQUOTED_KEY + 1)];
        let length = match near.iter().position(stops) {
            Some(length) => length,
            None if rest.len() <= MAX_UNQUOTED_KEY => {
                // The text may end within a key, but not within a sentence.
                let word = !rest.trim().contains(char::is_whitespace);
                return Ok(if word { KeyRead::Cut } else { KeyRead::None });
            }
            _ => return Ok(KeyRead::None),
        };
        let text = rest[..length].trim();
        // Only its opening quote may be missing.
        let after = rest[length..].strip_prefix('"').unwrap_or(&rest[length..]);
        let colon = after.trim_start().starts_with(':') || after.starts_with("=>");
        if text.is_empty() || !colon {
            return Ok(KeyRead::None);
        }
        let span = Span::new(start, start + text.len());
        self.record_repair(RepairKind::UnquotedKey, span)?;
        self.at = self.end - after.len();
        Ok(KeyRead::Key {
            text: Cow::Borrowed(text),
            span,
            unquoted: true,
        })
    }

    fn read_quoted_key(&mut self) -> Result<KeyRead<'t>, ReadError> {
        let start = self.at;
        let quoted = self.read_quoted(|reader, at, _| {
            let after = reader.space_after(at).at;
            match reader.text[after..reader.end].chars().next() {
                None | Some(':') => Closing::Sure,
                _ => Closing::Perhaps,
            }
        })?;
        if quoted.ends == End::Cut {
            return Ok(KeyRead::Cut);
        }
        let repairs = self.repairs.iter().rev();
        let mut of_key = repairs.take_while(|repair| repair.span.start >= start);
        let is_inner = |repair: &SyntaxRepair| {
            repair.kind == RepairKind::UnescapedQuotes && repair.span.start == start
        };
        if of_key.any(is_inner) {
            self.record_lost_text(
                Span::new(start, self.at),
                "the quotes of this key are not closed",
            )?;
        }
        let text = self.unescape_string(&quoted)?;
        let span = Span::new(start, self.at);
        Ok(KeyRead::Key {
            text,
            span,
            unquoted: false,
        })
    }

    /// Reads a quoted string. `closing` judges a quote by the position after it.
    fn read_quoted(
        &mut self,
        closing: impl Fn(&Self, usize, bool) -> Closing,
    ) -> Result<StringExtent, ReadError> {
        let opening = self.at;
        let Some(open) = self.peek() else {
            return Err(ReadError::NotJson);
        };
        if open != '"' {
            self.record_repair(
                RepairKind::OtherQuotes,
                Span::new(opening, opening + open.len_utf8()),
            )?;
        }
        let start = opening + open.len_utf8();
        let scan = self.find_string_end(open, start, closing);
        let quoted = scan.quoted;
        self.charge_bytes(scan.seen - start)?;
        self.at = scan.next;
        let span = Span::new(opening, quoted.end);
        if scan.control {
            self.record_repair(RepairKind::RawControl, span)?;
        }
        if scan.inner {
            self.record_repair(RepairKind::UnescapedQuotes, span)?;
            if scan.unclosed || is_joined(&self.text[start..quoted.end.max(start)], open) {
                self.record_lost_text(span, "this is not one string")?;
            }
        }
        if scan.unclosed {
            self.record_repair(RepairKind::MissingClosingQuote, span)?;
        }
        Ok(quoted)
    }

    fn find_string_end(
        &mut self,
        open: char,
        start: usize,
        closing: impl Fn(&Self, usize, bool) -> Closing,
    ) -> StringScan {
        if self.is_strict() && open == '"' {
            return self.find_strict_string_end(start);
        }
        let mut scan = StringScan::new(start, self.end);
        let mut perhaps: Option<(usize, usize)> = None;
        let unclosed_quote = self
            .unclosed_quote
            .is_some_and(|(quote, from)| quote == open && from <= start);
        // A quote that opened inside the string: `said "hi", and`.
        let mut inner = false;
        let bytes = &self.text.as_bytes()[..self.end];
        let stops = |byte: &u8| matches!(byte, b'\\' | 0..b' ') || may_close(open, *byte);
        let mut unescaped = start;
        // Brackets that opened inside the string, up to `counted`.
        let (mut brackets, mut counted) = (0_usize, start);
        let mut at = start;
        while let Some(offset) = bytes[at..].iter().position(stops) {
            at += offset;
            let letter = self.text[at..].chars().next().unwrap_or_default();
            let next = at + letter.len_utf8();
            if letter == '\\' {
                scan.quoted.escaped = true;
                let escaped = self.text[next..self.end].chars().next();
                at = next + escaped.map_or(0, char::len_utf8);
                unescaped = at;
                continue;
            }
            scan.control |= letter < ' ';
            if !closes_quote(open, letter) {
                at = next;
                continue;
            }
            if let Some(end) = self.end_before_next_key(at, start, inner) {
                scan.unclosed = true;
                return scan.close_at(end, end);
            }
            for byte in &bytes[counted..at] {
                match byte {
                    b'{' | b'[' => brackets += 1,
                    b'}' | b']' => brackets = brackets.saturating_sub(1),
                    _ => {}
                }
            }
            counted = at;
            match closing(self, next, inner) {
                // The bracket belongs to the string, if another end of it follows.
                Closing::Sure if brackets > 0 && scan.inner && self.bracket_closes(next) => {
                    perhaps.get_or_insert((at, next));
                }
                Closing::Sure => {
                    let mut closed = scan.close_at(at, next);
                    if next == self.end {
                        closed.quoted.ends = End::Likely;
                    }
                    return closed;
                }
                Closing::Perhaps if unclosed_quote => return scan.close_at(at, next),
                Closing::Perhaps => {
                    perhaps.get_or_insert((at, next));
                }
                Closing::No => {}
            }
            scan.inner = true;
            let previous = match self.text[..at].chars().next_back() {
                _ if at == unescaped && at > start => '\\',
                previous => previous.unwrap_or(open),
            };
            // Between a space or an opening sign and a letter, a quote begins a quotation inside the string.
            let opens = at == start || is_space(previous) || "([{=,:;".contains(previous);
            let follows = self.text[next..self.end].chars().next();
            inner = opens && follows.is_some_and(|letter| !is_space(letter));
            at = next;
        }
        scan.seen = self.end;
        scan.inner = false;
        self.choose_unsure_end(scan, open, perhaps)
    }

    fn bracket_closes(&self, at: usize) -> bool {
        let after = self.space_after(at).at;
        self.text[after..self.end].starts_with(['}', ']'])
    }

    /// The end of a string without a certain end.
    fn choose_unsure_end(
        &mut self,
        mut scan: StringScan,
        open: char,
        perhaps: Option<(usize, usize)>,
    ) -> StringScan {
        let start = scan.quoted.start;
        if let Some((at, next)) = perhaps {
            // Every later string with this quote would again be scanned to the end of the text: parsing would take quadratic time.
            self.unclosed_quote = Some((open, start));
            scan.inner = self.text[start..at].contains(|letter| closes_quote(open, letter));
            return scan.close_at(at, next);
        }
        if let Some(end) = self.end_before_brackets(start) {
            scan.unclosed = true;
            // Or the text ends within a string that contains these brackets.
            self.dangling = true;
            return scan.close_at(end, end);
        }
        scan
    }

    /// The end of an unclosed string, if the whole text ends with exactly the brackets that are open: `{"a": "b}`.
    fn end_before_brackets(&self, start: usize) -> Option<usize> {
        if self.context.is_partial() || self.strict || self.open_brackets.is_empty() {
            return None;
        }
        // Any other sequence of brackets may be text of the string, so nothing shows where the string ends.
        let rest = self.text[start..self.end].trim_end();
        let mut rest = rest.strip_suffix("```").unwrap_or(rest).trim_end();
        for bracket in &self.open_brackets {
            let bracket = match bracket {
                OpenBracket::Object { .. } => '}',
                OpenBracket::List { .. } => ']',
            };
            rest = rest.strip_suffix(bracket)?.trim_end();
        }
        Some(start + rest.len())
    }

    /// The end of a string by the rules of JSON.
    fn find_strict_string_end(&self, start: usize) -> StringScan {
        let mut scan = StringScan::new(start, self.end);
        let bytes = &self.text.as_bytes()[..self.end];
        let mut at = start;
        while let Some(rest) = bytes.get(at..) {
            at += plain_prefix(rest);
            match bytes.get(at) {
                Some(b'"') => {
                    let mut closed = scan.close_at(at, at + 1);
                    // The rest of an unescaped string may follow.
                    if self.text[at + 1..self.end].trim_start().is_empty() {
                        closed.quoted.ends = End::Likely;
                    }
                    return closed;
                }
                Some(b'\\') => {
                    scan.quoted.escaped = true;
                    at += 2;
                }
                Some(_) => {
                    scan.control = true;
                    at += 1;
                }
                None => break,
            }
        }
        scan.seen = self.end;
        scan
    }

    /// The end of an unclosed string, if the quote at a position opens the next key: `"a": "one, "b": "two"`.
    fn end_before_next_key(&self, at: usize, start: usize, inner: bool) -> Option<usize> {
        if inner || !matches!(self.open_brackets.last(), Some(OpenBracket::Object { .. })) {
            return None;
        }
        let before = &self.text[start..at];
        let apart = before.trim_end_matches(is_space);
        // A known key in quotes also occurs in the middle of a sentence. As the next entry it is on a new line, or after a comma.
        let separated = apart.ends_with(',') || before[apart.len()..].contains('\n');
        if !separated {
            return None;
        }
        self.key_ahead(at).filter(|key| key.known && !key.cut)?;
        let body = apart.strip_suffix(',').unwrap_or(apart);
        Some(start + body.trim_end().len())
    }

    /// Returns the text of a string with its escapes decoded.
    pub(crate) fn unescape_string(
        &mut self,
        quoted: &StringExtent,
    ) -> Result<Cow<'t, str>, ReadError> {
        let body = &self.text[quoted.start..quoted.end];
        if !quoted.escaped {
            return Ok(Cow::Borrowed(body));
        }
        let (text, known) = decode_escapes(body, quoted.ends == End::Cut);
        if !known {
            self.record_repair(
                RepairKind::UnknownEscape,
                Span::new(quoted.start, quoted.end),
            )?;
        }
        Ok(Cow::Owned(text))
    }
}

/// The result of scanning for the end of a string.
struct StringScan {
    quoted: StringExtent,
    /// Where parsing continues.
    next: usize,
    /// How far the scan looked.
    seen: usize,
    control: bool,
    inner: bool,
    unclosed: bool,
}

impl StringScan {
    /// A string that reaches to the end, until its end is found.
    fn new(start: usize, end: usize) -> StringScan {
        let quoted = StringExtent {
            start,
            end,
            ends: End::Cut,
            escaped: false,
        };
        StringScan {
            quoted,
            next: end,
            seen: start,
            control: false,
            inner: false,
            unclosed: false,
        }
    }

    fn close_at(mut self, end: usize, next: usize) -> StringScan {
        self.quoted.end = end;
        self.quoted.ends = End::Sure;
        self.seen = self.seen.max(next);
        self.next = next;
        self
    }
}

pub(crate) struct TextBlock<'t> {
    pub text: Cow<'t, str>,
    /// Its length in bytes, quotes included.
    pub length: usize,
    /// How many bytes were inspected.
    pub seen: usize,
    pub cut: bool,
}

/// Returns the block at the beginning of a text.
pub(crate) fn find_block(text: &str) -> Option<TextBlock<'_>> {
    let quote = ["\"\"\"", "'''", "```"]
        .into_iter()
        .find(|quote| text.starts_with(quote))?;
    let body = &text[3..];
    let body_start = if quote == "```" {
        3 + info_string_length(body)?
    } else {
        3
    };
    let body = &text[body_start..];
    let (content, length, seen, cut) = match find_closing_quotes(body, quote) {
        Some((end, seen)) => {
            let (length, seen) = (body_start + end + 3, body_start + seen);
            (&body[..end], length, seen, false)
        }
        None => (body, text.len(), text.len(), true),
    };
    Some(TextBlock {
        text: trim_margin(content),
        length,
        seen,
        cut,
    })
}

/// The length of the rest of the line after a fence, which names a language or a file.
fn info_string_length(body: &str) -> Option<usize> {
    let end = body.find('\n');
    match end {
        Some(end) if !body[..end].contains('`') => Some(end),
        // All on one line: the fence is an ordinary quote.
        Some(_) => Some(0),
        None => Some(if body.contains("```") { 0 } else { body.len() }),
    }
}

/// The position of the closing quotes, the first after which JSON can continue or else the first of all, and how far was inspected.
fn find_closing_quotes(body: &str, quote: &str) -> Option<(usize, usize)> {
    let continues = |&(at, _): &(usize, &str)| {
        let rest = body[at + 3..].trim_start();
        rest.is_empty() || rest.starts_with([',', '}', ']', '"', '\''])
    };
    let mut quotes = body.match_indices(quote);
    let first = quotes.clone().next()?;
    Some(match quotes.find(continues) {
        Some((end, _)) => (end, end),
        None => (first.0, body.len()),
    })
}

/// Removes the line breaks at both ends and the margin shared by all lines.
/// A block is indented as the code around it, and that margin is not part of its text.
fn trim_margin(content: &str) -> Cow<'_, str> {
    let Some(content) = content
        .strip_prefix('\n')
        .or_else(|| content.strip_prefix("\r\n"))
    else {
        return Cow::Borrowed(content);
    };
    let content = content.trim_end();
    let margin = content
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let lines: Vec<&str> = content
        .lines()
        .map(|line| {
            if line.trim().is_empty() {
                ""
            } else {
                &line[margin..]
            }
        })
        .collect();
    Cow::Owned(lines.join("\n"))
}

/// Decodes escapes. At the end of a text that was cut off, an incomplete escape is dropped.
///
/// A string with an escape that JSON does not define is most likely a path, a pattern or a formula whose backslashes are not escaped:
/// then no escape in it is decoded but that of its quotes, and the second result is `false`.
pub(crate) fn decode_escapes(body: &str, cut: bool) -> (String, bool) {
    decode_known_escapes(body, cut).unwrap_or_else(|| (remove_quote_escapes(body, cut), false))
}

/// Decodes escapes of JSON, and those of other quotes and line breaks, for which the second result is `false`. There is no result if
/// one of them is not defined.
fn decode_known_escapes(body: &str, cut: bool) -> Option<(String, bool)> {
    let mut is_json = true;
    let mut text = String::with_capacity(body.len());
    let mut rest = body;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(letter) = rest.chars().next() else {
            return cut.then_some((text, is_json));
        };
        rest = &rest[letter.len_utf8()..];
        match letter {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            '"' | '\\' | '/' => text.push(letter),
            '\'' | '`' | '\n' => {
                is_json = false;
                text.push(letter);
            }
            'u' => match decode_unicode(rest) {
                Unicode::Letter(letter, length) => {
                    text.push(letter);
                    rest = &rest[length..];
                }
                Unicode::Unfinished if cut => return Some((text, is_json)),
                Unicode::Unfinished | Unicode::Wrong => return None,
            },
            _ => return None,
        }
    }
    text.push_str(rest);
    Some((text, is_json))
}

/// Removes the backslashes before quotes and at the end of a line, and keeps all others.
fn remove_quote_escapes(body: &str, cut: bool) -> String {
    let mut text = String::with_capacity(body.len());
    let mut rest = body;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        match rest.chars().next() {
            None if cut => return text,
            Some('"' | '\'' | '`' | '\n') => {}
            // Two of them are one character or two, and neither is certain.
            _ => text.push('\\'),
        }
        let next = rest.chars().next().map_or(0, char::len_utf8);
        text.push_str(&rest[..next]);
        rest = &rest[next..];
    }
    text.push_str(rest);
    text
}

/// The number of bytes up to the first quote, backslash or control character. It compares eight bytes at a time, since most of
/// an answer is plain text.
pub(crate) fn plain_prefix(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    // The highest bit of each byte that is zero, and possibly of bytes after it.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
    let mut at = 0;
    while let Some(&chunk) = bytes[at..].first_chunk::<8>() {
        let word = u64::from_le_bytes(chunk);
        let quotes = zeros(word ^ (ONES * u64::from(b'"')));
        let backslashes = zeros(word ^ (ONES * u64::from(b'\\')));
        let controls = word.wrapping_sub(ONES * u64::from(b' ')) & !word;
        let found = (quotes | backslashes | controls) & (ONES << 7);
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..b' ');
    let rest = &bytes[at..];
    at + rest.iter().position(special).unwrap_or(rest.len())
}

enum Unicode {
    /// A character, and how many bytes it took after the `\u`.
    Letter(char, usize),
    /// The text ends within it.
    Unfinished,
    Wrong,
}

fn decode_unicode(rest: &str) -> Unicode {
    let unit = |rest: &str| {
        rest.get(..4)
            .and_then(|digits| u16::from_str_radix(digits, 16).ok())
    };
    let Some(high) = unit(rest) else {
        let short = rest.len() < 4 && rest.bytes().all(|byte| byte.is_ascii_hexdigit());
        return if short {
            Unicode::Unfinished
        } else {
            Unicode::Wrong
        };
    };
    if let Some(letter) = char::from_u32(u32::from(high)) {
        return Unicode::Letter(letter, 4);
    }
    let after = &rest[4..];
    let low = after.strip_prefix("\\u").and_then(unit);
    let pair = low.and_then(|low| String::from_utf16(&[high, low]).ok()?.chars().next());
    match pair {
        Some(letter) => Unicode::Letter(letter, 10),
        None if "\\u".starts_with(after) || after.starts_with("\\u") && after.len() < 6 => {
            Unicode::Unfinished
        }
        // Half of a character.
        None => Unicode::Wrong,
    }
}

#[cfg(test)]
mod block_tests {
    use super::*;

    #[test]
    fn blocks() {
        for (text, content) in [
            ("\"\"\"a \"b\" c\"\"\", \"d\": 1}", "a \"b\" c"),
            ("\"\"\"\n  if x:\n    y\n  \"\"\"}", "if x:\n  y"),
            ("'''it's'''", "it's"),
            ("```rust main.rs\nfn main() {}\n```,", "fn main() {}"),
            ("```\na `b` c\n```", "a `b` c"),
            ("```x```", "x"),
        ] {
            assert_eq!(find_block(text).unwrap().text, content, "{text}");
        }
        assert!(find_block("\"\"").is_none());
        assert!(find_block("\"\"\"never").unwrap().cut);
    }
}

#[cfg(test)]
mod escape_tests {
    use super::*;

    #[test]
    fn escapes() {
        for (body, text, known) in [
            (r#"a\"b\\c\/d"#, r#"a"b\c/d"#, true),
            (r"\n\t\r\b\f", "\n\t\r\u{8}\u{c}", true),
            (r"\u00e9\ud83d\ude00", "é😀", true),
            (r"\ud83d!", r"\ud83d!", false),
            (
                r"C:\Users\bob\report.txt",
                r"C:\Users\bob\report.txt",
                false,
            ),
            (r"\alpha + \beta", r"\alpha + \beta", false),
            (r"it\'s", "it's", false),
            (r"C:\dir \d+ \uXYZ", r"C:\dir \d+ \uXYZ", false),
        ] {
            assert_eq!(
                decode_escapes(body, false),
                (text.to_owned(), known),
                "{body}"
            );
        }
    }

    #[test]
    fn plain_bytes_are_counted_before_any_special_byte() {
        for special in ["\"", "\\", "\u{0}", "\u{1f}", "\n"] {
            for before in 0..20 {
                for (fill, after) in [("a", "b"), ("\u{7f}", "!"), ("é", "😀"), (" ", "#")] {
                    let text = format!("{}{special}{}", fill.repeat(before), after.repeat(9));
                    let whole = fill.repeat(before);
                    assert_eq!(plain_prefix(text.as_bytes()), whole.len(), "{text:?}");
                    assert_eq!(plain_prefix(whole.as_bytes()), whole.len(), "{whole:?}");
                }
            }
        }
    }

    #[test]
    fn a_cut_escape_is_dropped() {
        for body in [
            "a\\",
            r"a\u",
            r"a\u00",
            r"a\ud83d",
            r"a\ud83d\",
            r"a\ud83d\ude",
        ] {
            assert_eq!(decode_escapes(body, true).0, "a", "{body}");
        }
    }
}
