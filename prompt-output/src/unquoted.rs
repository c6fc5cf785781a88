//! Unquoted values: numbers, literals, and texts whose quotes are missing.

use crate::lookahead::is_space;
use crate::number::parse_json_number;
use crate::parser::{JsonParser, OpenBracket, ReadError};
use crate::repair::RepairKind;
use crate::string::is_opening_quote;
use crate::syntax::{End, NodeKind, SyntaxNode};
use prompt_base::Span;

/// The literals of JSON, and their counterparts in Python and JavaScript.
pub(crate) const LITERALS: [&str; 12] = [
    "true",
    "false",
    "null",
    "True",
    "False",
    "None",
    "undefined",
    "NaN",
    "Null",
    "NULL",
    "TRUE",
    "FALSE",
];

/// Whether a word means null.
pub(crate) fn is_null(word: &str) -> bool {
    matches!(word, "null" | "None" | "Null" | "NULL" | "undefined")
}

/// The longest number that is recognised while a word is read, in bytes.
const MAX_NUMBER: usize = 64;

impl<'t> JsonParser<'t, '_> {
    /// Reads an unquoted value. Consumes nothing if there is none.
    pub(crate) fn read_unquoted(&mut self) -> Result<SyntaxNode<'t>, ReadError> {
        let start = self.at;
        if let Some(length) = self.plain_word_length() {
            self.charge_bytes(length)?;
            self.at += length;
            let word = &self.text[start..self.at];
            return Ok(self.node_from(start, End::Sure, NodeKind::Unquoted(word)));
        }
        let is_strict = self.is_strict();
        let end = match is_strict {
            true => self.find_strict_end(),
            false => self.find_word_end()?,
        };
        self.charge_bytes(end - start)?;
        let written = &self.text[start..end];
        let written = written.trim_end_matches(is_space);
        self.at = start + written.len();
        if is_strict && end == self.end && is_cut_json(written) {
            return Ok(self.node_from(start, End::Cut, NodeKind::Unquoted(written)));
        }
        let word = match is_strict {
            true => written,
            false => without_quote(written),
        };
        let span = Span::new(start, self.at);
        if !is_json(word) {
            if !LITERALS.contains(&word) && !is_number(word) {
                self.record_unquoted(true);
                self.record_repair(RepairKind::MissingQuotes, span)?;
            } else if is_strict {
                return Err(ReadError::NotJson);
            }
        }
        // By the rules of JSON, an invisible character does not end a word.
        let is_last = self.at == self.end || is_strict && end == self.end;
        let cut = is_last && !LITERALS.contains(&word);
        Ok(self.node_from(
            start,
            if cut { End::Cut } else { End::Sure },
            NodeKind::Unquoted(word),
        ))
    }

    /// The length of a JSON number or literal directly before a comma or the closing bracket. Most values are of this form, and end
    /// there in both modes.
    fn plain_word_length(&self) -> Option<usize> {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let part = |b: &&u8| matches!(b, b'0'..=b'9' | b'a'..=b'z' | b'.' | b'-' | b'+' | b'E');
        let length = bytes.iter().take(MAX_NUMBER + 1).take_while(part).count();
        let word = &rest[..length];
        let ends = match (bytes.get(length)?, self.open_brackets.last()?) {
            (b',' | b']', OpenBracket::List { .. }) | (b'}', OpenBracket::Object { .. }) => true,
            // `2,000` is one number.
            (b',', OpenBracket::Object { .. }) => {
                !bytes.get(length + 1).is_some_and(u8::is_ascii_digit)
            }
            _ => false,
        };
        let known = matches!(word, "true" | "false" | "null") || parse_json_number(word).is_some();
        (ends && known && length <= MAX_NUMBER).then_some(length)
    }

    fn find_strict_end(&self) -> usize {
        let rest = self.rest();
        let ends = |c: char| c.is_ascii_whitespace() || matches!(c, ',' | '}' | ']' | '"' | '/');
        self.at + rest.find(ends).unwrap_or(rest.len())
    }

    /// The end of an unquoted value: where it would end in JSON, unless that is part of a sentence or of brackets within the value.
    fn find_word_end(&self) -> Result<usize, ReadError> {
        let start = self.at;
        let in_list = matches!(self.open_brackets.last(), Some(OpenBracket::List { .. }));
        // Brackets opened within the word.
        let mut open: Vec<char> = Vec::new();
        let mut previous = ' ';
        for (offset, letter) in self.rest().char_indices() {
            let at = start + offset;
            let next = at + letter.len_utf8();
            match letter {
                // The next value; its comma is missing.
                '{' | '[' if is_literal(self.text[start..at].trim()) => return Ok(at),
                '(' => open.push(')'),
                '[' => open.push(']'),
                '{' => open.push('}'),
                ')' | ']' | '}' if open.last() == Some(&letter) => {
                    open.pop();
                }
                '}' if !in_list || self.inside_object() => return Ok(at),
                ']' if in_list || self.inside_list() => return Ok(at),
                ']' if is_literal(self.text[start..at].trim()) => return Ok(at),
                ',' if open.is_empty() && self.comma_ends(start, at, in_list) => return Ok(at),
                '\n' if self.line_ends(start, next, in_list, open.is_empty()) => return Ok(at),
                '"' | '\'' if is_space(previous) && self.quote_ends(start, at) => {
                    return Ok(at);
                }
                '/' | '#'
                    if at > start
                        && (is_space(previous) || is_literal(self.text[start..at].trim()))
                        && self.space_after(at).at > at =>
                {
                    return Ok(at);
                }
                _ => {}
            }
            previous = letter;
        }
        Ok(self.end)
    }

    /// Whether the comma at a position ends the word. In an object a comma may be part of an unquoted sentence, unless a key follows.
    fn comma_ends(&self, start: usize, at: usize, in_list: bool) -> bool {
        if in_list {
            return true;
        }
        let word = self.text[start..at].trim();
        let after = self.space_after(at + 1);
        if is_literal(word) {
            // `2,000` is one number.
            let digits = self.text[at + 1..self.end]
                .bytes()
                .take_while(u8::is_ascii_digit)
                .count();
            let grouped = word.ends_with(|c: char| c.is_ascii_digit()) && digits == 3;
            return !grouped;
        }
        match self.text[after.at..self.end].chars().next() {
            None | Some('}') => true,
            Some(_) => self.key_ahead(after.at).is_some(),
        }
    }

    /// Whether the quote at a position begins the next value or key, after a missing comma.
    fn quote_ends(&self, start: usize, at: usize) -> bool {
        is_literal(self.text[start..at].trim())
            || self.key_ahead(at).is_some_and(|key| key.known && !key.cut)
    }

    /// Whether the line break before `next` ends the word.
    fn line_ends(&self, start: usize, next: usize, in_list: bool, level: bool) -> bool {
        let after = self.space_after(next);
        let rest = &self.text[after.at..self.end];
        if rest.starts_with("```") {
            return true;
        }
        if in_list {
            // An item may be a sentence over several lines. Its end is sure only after a whole value, before a quote, and in a column
            // of single words.
            let word = self.text[start..next].trim();
            return level
                && (is_literal(word)
                    || rest.starts_with(is_opening_quote)
                    || is_column(word, rest));
        }
        match self.key_ahead(after.at) {
            Some(key) if key.known || key.quoted => return true,
            // A word that is cut off may not be a key.
            // An unknown, unquoted word before a colon is a key only if the object's other keys have no quotes either.
            Some(key) if level && !key.cut => {
                return matches!(
                    self.open_brackets.last(),
                    Some(OpenBracket::Object { unquoted: true })
                );
            }
            _ => {}
        }
        level && (rest.starts_with('}') || is_literal(self.text[start..next].trim()))
    }
}

/// Whether the word and the next line are single words, as in a column.
/// Items of several words may be broken into lines, so a line break does not separate those.
fn is_column(word: &str, rest: &str) -> bool {
    let next = rest.split(['\n', ',', ']']).next().unwrap_or_default();
    let single = |word: &str| !word.is_empty() && !word.contains(char::is_whitespace);
    word.len() <= MAX_NUMBER && single(word) && single(next.trim())
}

/// Removes a final quote that has no opening one: `abc"`. After a digit it may be the sign for inches.
fn without_quote(word: &str) -> &str {
    match word.strip_suffix(['"', '\'']) {
        Some(rest)
            if !rest.contains(['"', '\''])
                && rest.ends_with(|c: char| !c.is_ascii_digit() && c != 's') =>
        {
            rest
        }
        _ => word,
    }
}

/// Whether a word is exactly a literal or a number.
pub(crate) fn is_literal(word: &str) -> bool {
    word.len() <= MAX_NUMBER && (LITERALS.contains(&word) || is_number(word))
}

/// Whether a word is a literal or a number, or the beginning of one.
pub(crate) fn may_be_literal(word: &str) -> bool {
    is_number(word) || word == "-" || LITERALS.iter().any(|literal| literal.starts_with(word))
}

/// Whether a word is the beginning of a literal or number of JSON, and not a whole one.
fn is_cut_json(word: &str) -> bool {
    let literals = ["true", "false", "null"];
    let is_part = |literal: &&str| literal.len() > word.len() && literal.starts_with(word);
    !word.is_empty()
        && (literals.iter().any(is_part)
            || word.len() < MAX_NUMBER
                && word.ends_with(['-', '+', '.', 'e', 'E'])
                && parse_json_number(&format!("{word}0")).is_some())
}

/// Whether a word is a JSON value.
fn is_json(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    // A whole number may have more digits than a number holds.
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    matches!(word, "true" | "false" | "null")
        || parse_json_number(word).is_some()
        || is_whole && (digits.len() == 1 || !digits.starts_with('0'))
}

/// Whether a word is a number, in any notation.
pub(crate) fn is_number(word: &str) -> bool {
    let word = word.trim_start_matches(['-', '+', '$', '€', '£', '¥']);
    word.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && word.chars().all(|c| {
            c.is_ascii_digit() || matches!(c, '.' | ',' | '_' | 'e' | 'E' | '+' | '-' | '%')
        })
}
