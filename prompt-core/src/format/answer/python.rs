//! Tool calls as Python writes them: `[tide(day=1, place='Brest')]`.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::AnswerParser;
use super::call::{AnswerCursor, CallStep, CallStop};
use crate::{Json, ToolCall};
use prompt_base::json::{Escapes, push_string};

/// The depth of nested lists and dictionaries, because the parser recurses and an answer must not exhaust the stack.
pub(super) const MAX_DEPTH: usize = 100;

/// A Python literal as JSON.
pub(super) fn python_literal(text: &str) -> Option<String> {
    let format = crate::format::CHATML;
    let mut parser = AnswerParser::new(&format);
    parser.text = text.to_owned();
    let mut cursor = AnswerCursor::new(&parser, 0, true);
    let mut out = String::new();
    cursor.value(&mut out, 0).ok()?;
    cursor.rest().trim().is_empty().then_some(out)
}

impl AnswerCursor<'_> {
    /// A list of calls, or one call.
    pub(super) fn parse_python_calls(&mut self, calls: &mut Vec<ToolCall>) -> CallStep<()> {
        if !self.eat_token("[")? {
            // Each line is a call.
            loop {
                calls.push(self.python_call()?);
                let after = self.at;
                self.skip_space();
                let is_next = |next: char| next.is_alphabetic() || next == '_';
                if after == self.at || !self.peek()?.is_some_and(is_next) {
                    self.at = after;
                    return Ok(());
                }
            }
        }
        loop {
            self.skip_space();
            calls.push(self.python_call()?);
            self.skip_space();
            let is_comma = self.eat_token(",")?;
            self.skip_space();
            if self.eat_token("]")? {
                return Ok(());
            }
            if !is_comma {
                return Err(self.expected_error("`,` or `]`"));
            }
        }
    }

    fn python_call(&mut self) -> CallStep<ToolCall> {
        let start = self.at;
        let written = self.name()?;
        let span = start..self.at;
        // Llama's built-in tools: `brave_search.call(query="…")`.
        let name = written.strip_suffix(".call").unwrap_or(written);
        self.expect_token("(")?;
        let mut arguments = String::from("{");
        let mut keys = BTreeSet::new();
        loop {
            self.skip_space();
            if self.eat_token(")")? {
                break;
            }
            if !keys.is_empty() {
                arguments.push(',');
            }
            let start = self.at;
            let key = self.name()?;
            self.skip_space();
            self.expect_token("=")?;
            if !keys.insert(key) {
                return Err(
                    self.error_at(start..self.at, format!("the argument `{key}` occurs twice"))
                );
            }
            push_string(&mut arguments, key, Escapes::Required);
            arguments.push(':');
            self.value(&mut arguments, 0)?;
            self.skip_space();
            if !self.eat_token(",")? && self.peek()? != Some(')') {
                return Err(self.expected_error("`,` or `)`"));
            }
        }
        arguments.push('}');
        self.finish(None, name, arguments, span)
    }

    /// A literal.
    fn value(&mut self, out: &mut String, depth: usize) -> CallStep<()> {
        self.skip_space();
        let start = self.at;
        match self.peek()? {
            _ if depth > MAX_DEPTH => {
                Err(self.error_at(start..start + 1, "it is nested too deep".to_owned()))
            }
            Some('"' | '\'') => {
                let text = self.string()?;
                push_string(out, &text, Escapes::Required);
                Ok(())
            }
            Some('[') => self.list("[", "]", out, depth),
            Some('(') => self.list("(", ")", out, depth),
            Some('{') => {
                self.expect_token("{")?;
                out.push('{');
                let mut keys = BTreeSet::new();
                loop {
                    self.skip_space();
                    if self.eat_token("}")? {
                        break;
                    }
                    out.push_str(if keys.is_empty() { "" } else { "," });
                    let start = self.at;
                    if !matches!(self.peek()?, Some('"' | '\'')) {
                        return Err(self.expected_error("a key in quotes"));
                    }
                    let key = self.string()?;
                    push_string(out, &key, Escapes::Required);
                    if keys.contains(&key) {
                        return Err(
                            self.error_at(start..self.at, format!("the key `{key}` occurs twice"))
                        );
                    }
                    keys.insert(key);
                    self.skip_space();
                    self.expect_token(":")?;
                    out.push(':');
                    self.value(out, depth + 1)?;
                    self.skip_space();
                    if !self.eat_token(",")? && self.peek()? != Some('}') {
                        return Err(self.expected_error("`,` or `}`"));
                    }
                }
                out.push('}');
                Ok(())
            }
            _ => self.word(out),
        }
    }

    /// A number, a truth value or nothing.
    pub(super) fn word(&mut self, out: &mut String) -> CallStep<()> {
        let (start, rest) = (self.at, self.rest());
        let length = rest.find(|c: char| !(c.is_alphanumeric() || "+-._".contains(c)));
        if length.is_none() && !self.end {
            return Err(CallStop::More);
        }
        let word = &rest[..length.unwrap_or(rest.len())];
        self.at += word.len();
        let json = match word {
            "True" | "true" => Some(Cow::Borrowed("true")),
            "False" | "false" => Some(Cow::Borrowed("false")),
            "None" | "null" => Some(Cow::Borrowed("null")),
            "" => return Err(self.expected_error("a value")),
            word => python_number(word),
        };
        let Some(json) = json else {
            let message = "this is not a Python literal".to_owned();
            return Err(self.error_at(start..self.at, message));
        };
        if json.parse().is_ok_and(f64::is_infinite) {
            let message = format!("`{json}` is too large for a number");
            return Err(self.error_at(start..self.at, message));
        }
        out.push_str(&json);
        Ok(())
    }

    fn list(&mut self, open: &str, close: &str, out: &mut String, depth: usize) -> CallStep<()> {
        self.expect_token(open)?;
        let start = out.len();
        out.push('[');
        let (mut items, mut is_separated) = (0, false);
        loop {
            self.skip_space();
            if self.eat_token(close)? {
                break;
            }
            out.push_str(if items == 0 { "" } else { "," });
            items += 1;
            self.value(out, depth + 1)?;
            self.skip_space();
            is_separated = self.eat_token(",")?;
            if !is_separated && !self.rest().starts_with(close) {
                self.peek()?;
                return Err(self.expected_error(&format!("`,` or `{close}`")));
            }
        }
        // In Python a value in parentheses is a tuple only with a comma.
        if open == "(" && items == 1 && !is_separated {
            out.remove(start);
            return Ok(());
        }
        out.push(']');
        Ok(())
    }

    fn string(&mut self) -> CallStep<String> {
        let start = self.at;
        let rest = self.rest();
        let is_long = |quote: &&str| rest.starts_with(*quote);
        let quote = ["\"\"\"", "'''"].into_iter().find(is_long);
        let quote = quote.unwrap_or_else(|| &rest[..rest.chars().next().map_or(0, char::len_utf8)]);
        // Two quotes are an empty string, or the beginning of three.
        if rest == quote.repeat(2) && !self.end {
            return Err(CallStop::More);
        }
        let mut letters = rest.char_indices();
        letters.by_ref().take(quote.len()).for_each(drop);
        let mut text = String::new();
        while let Some((at, letter)) = letters.next() {
            match letter {
                _ if rest[at..].starts_with(quote) => {
                    self.at += at + quote.len();
                    return Ok(text);
                }
                '\n' if quote.len() == 1 => {
                    return Err(self.error_at(
                        start + at..start + at + 1,
                        "a line break in a string is not escaped".to_owned(),
                    ));
                }
                '\\' => {
                    let Some((_, escape)) = letters.next() else {
                        break;
                    };
                    let digits = match escape {
                        'n' => {
                            text.push('\n');
                            0
                        }
                        't' => {
                            text.push('\t');
                            0
                        }
                        'r' => {
                            text.push('\r');
                            0
                        }
                        'a' => {
                            text.push('\u{7}');
                            0
                        }
                        'b' => {
                            text.push('\u{8}');
                            0
                        }
                        'f' => {
                            text.push('\u{c}');
                            0
                        }
                        'v' => {
                            text.push('\u{b}');
                            0
                        }
                        // An escaped line break continues the line.
                        '\n' => 0,
                        '0'..='7' => {
                            let mut code = escape.to_digit(8).unwrap_or_default();
                            for _ in 0..2 {
                                let next = letters.clone().next();
                                let Some(digit) = next.and_then(|(_, next)| next.to_digit(8))
                                else {
                                    break;
                                };
                                code = code * 8 + digit;
                                letters.next();
                            }
                            text.extend(char::from_u32(code));
                            0
                        }
                        'N' => {
                            return Err(self.error_at(
                                start + at..start + at + 2,
                                "a character's name is not read; write the character".to_owned(),
                            ));
                        }
                        '\\' | '\'' | '"' => {
                            text.push(escape);
                            0
                        }
                        'x' => 2,
                        'u' => 4,
                        'U' => 8,
                        // Python keeps the backslash of other escapes.
                        _ => {
                            text.push('\\');
                            text.push(escape);
                            0
                        }
                    };
                    if digits > 0 {
                        let hex: String = letters
                            .by_ref()
                            .take(digits)
                            .map(|(_, digit)| digit)
                            .collect();
                        let code = u32::from_str_radix(&hex, 16).ok().and_then(char::from_u32);
                        match code {
                            Some(letter) => text.push(letter),
                            None if hex.chars().count() < digits => break,
                            None => {
                                return Err(self.error_at(
                                    start + at..start + at + 2,
                                    "this is not an escape of a character".to_owned(),
                                ));
                            }
                        }
                    }
                }
                letter => text.push(letter),
            }
        }
        Err(if self.end {
            self.truncated_error()
        } else {
            CallStop::More
        })
    }
}

/// A number in Python's notation as JSON.
fn python_number(word: &str) -> Option<Cow<'_, str>> {
    if !word.starts_with(|c: char| "+-.".contains(c) || c.is_ascii_digit()) {
        return None;
    }
    if Json::parse(word).is_ok() {
        return Some(Cow::Borrowed(word));
    }
    let digits = word.strip_prefix('+').unwrap_or(word);
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", digits),
    };
    let is_separated = digits.split('_').all(|part| {
        part.starts_with(|c: char| c.is_ascii_digit())
            && part.ends_with(|c: char| c.is_ascii_digit())
    });
    let digits = match is_separated {
        true => digits.replace('_', ""),
        false => digits.to_owned(),
    };
    let whole = if digits.starts_with('.') { "0" } else { "" };
    let fraction = if digits.ends_with('.') { "0" } else { "" };
    let number = format!("{sign}{whole}{digits}{fraction}");
    Json::parse(&number).is_ok().then_some(Cow::Owned(number))
}
