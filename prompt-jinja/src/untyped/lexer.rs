//! Splits a template into text and tokens, with `trim_blocks` and `lstrip_blocks`.

use std::borrow::Cow;
use std::sync::Arc;

use prompt_core::python::is_whitespace;

use super::fault::{Fault, FaultKind, R, Span};
use super::parser::MAX_NESTING;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// Text between tags.
    Text(Arc<str>),
    VariableBegin,
    VariableEnd,
    BlockBegin,
    BlockEnd,
    Name(Arc<str>),
    Str(Arc<str>),
    /// The digits of an integer in base ten.
    Int(Arc<str>),
    Float(f64),
    Op(&'static str),
    End,
}

impl Token {
    /// The token in an error.
    pub(super) fn describe(&self) -> Cow<'static, str> {
        match self {
            Token::Text(_) => "text".into(),
            Token::VariableBegin => "`{{`".into(),
            Token::VariableEnd => "end of print statement".into(),
            Token::BlockBegin => "`{%`".into(),
            Token::BlockEnd => "end of block".into(),
            Token::Name(name) => format!("`{name}`").into(),
            Token::Str(_) => "string".into(),
            Token::Int(_) => "integer".into(),
            Token::Float(_) => "float".into(),
            Token::Op(sign) => format!("`{sign}`").into(),
            Token::End => "end of input".into(),
        }
    }
}

/// Longer ones first.
const OPERATORS: [&str; 26] = [
    "//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[", "]", "(", ")", "{", "}",
    ">", "<", "=", ".", ":", "|", ",", ";",
];

pub(super) fn syntax(message: impl Into<String>, span: Span) -> Box<Fault> {
    Fault::of(FaultKind::Syntax, message).at(span)
}

struct Lexer<'s> {
    source: &'s str,
    at: usize,
    tokens: Vec<(Token, Span)>,
    /// Whether the text before ended with a line break.
    line_starting: bool,
}

/// The tokens of a template, whose line breaks are `\n`.
pub(super) fn tokenize(source: &str) -> R<Vec<(Token, Span)>> {
    let mut lexer = Lexer {
        source,
        at: 0,
        tokens: Vec::new(),
        line_starting: true,
    };
    lexer.read_tokens()?;
    let end = Span::new(source.len(), source.len());
    lexer.tokens.push((Token::End, end));
    Ok(lexer.tokens)
}

fn skip_space(text: &str) -> usize {
    text.len() - text.trim_start_matches(is_whitespace).len()
}

/// The sign of white space control at the start of a text.
fn sign(text: &str) -> Option<u8> {
    text.bytes()
        .next()
        .filter(|byte| matches!(byte, b'-' | b'+'))
}

impl<'s> Lexer<'s> {
    fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    fn push_token(&mut self, token: Token, start: usize) {
        self.tokens.push((token, Span::new(start, self.at)));
    }

    fn read_tokens(&mut self) -> R<()> {
        loop {
            let Some((open, kind)) = next_tag(self.source, self.at) else {
                let start = self.at;
                let text = self.rest();
                self.at = self.source.len();
                self.push_text(text, start);
                return Ok(());
            };
            let text = &self.source[self.at..open];
            let inside = open + 2;
            let sign = sign(&self.source[inside..]);
            let kept = match sign {
                Some(b'-') => text.trim_end_matches(is_whitespace),
                None if kind != b'{' => self.strip_line(text),
                _ => text,
            };
            let start = self.at;
            self.at = open;
            self.push_text(kept, start);
            self.at = inside + usize::from(sign.is_some());
            match kind {
                b'#' => self.read_comment(open)?,
                b'%' => match self.raw_tag("raw", &["-%}", "%}"]) {
                    Some(_) => self.read_raw(open)?,
                    None => {
                        self.tokens
                            .push((Token::BlockBegin, Span::new(open, self.at)));
                        self.read_tag(open, true)?;
                    }
                },
                _ => {
                    self.tokens
                        .push((Token::VariableBegin, Span::new(open, self.at)));
                    self.read_tag(open, false)?;
                }
            }
            self.line_starting = self.source[..self.at].ends_with('\n');
        }
    }

    fn push_text(&mut self, text: &str, start: usize) {
        if !text.is_empty() {
            let span = Span::new(start, start + text.len());
            self.tokens.push((Token::Text(text.into()), span));
        }
    }

    /// The text without the spaces before a block at the start of a line.
    fn strip_line<'t>(&self, text: &'t str) -> &'t str {
        let line = text.rfind('\n').map_or(0, |at| at + 1);
        match line > 0 || self.line_starting {
            true if text[line..].chars().all(is_whitespace) => &text[..line],
            _ => text,
        }
    }

    /// Moves behind the end of a comment or a block: with its sign, and the white space that it strips.
    fn close_tag(&mut self, end: &str) -> bool {
        let rest = self.rest();
        if let Some(after) = rest
            .strip_prefix('-')
            .and_then(|rest| rest.strip_prefix(end))
        {
            self.at = self.source.len() - after.len() + skip_space(after);
            return true;
        }
        if let Some(after) = rest
            .strip_prefix('+')
            .and_then(|rest| rest.strip_prefix(end))
        {
            self.at = self.source.len() - after.len();
            return true;
        }
        if let Some(after) = rest.strip_prefix(end) {
            self.at = self.source.len() - after.len() + usize::from(after.starts_with('\n'));
            return true;
        }
        false
    }

    fn read_comment(&mut self, open: usize) -> R<()> {
        let Some(end) = self.rest().find("#}") else {
            return Err(syntax(
                "missing end of comment tag",
                Span::new(open, open + 2),
            ));
        };
        self.at += end;
        let signed = self.source[..self.at].ends_with(['-', '+']) && end > 0;
        self.at -= usize::from(signed);
        self.close_tag("#}");
        Ok(())
    }

    /// Moves behind the keyword of a raw block and one of its ends.
    fn raw_tag(&mut self, keyword: &str, ends: &[&str]) -> Option<usize> {
        let rest = self.rest();
        let after = rest
            .trim_start_matches(is_whitespace)
            .strip_prefix(keyword)?;
        let after = after.trim_start_matches(is_whitespace);
        let end = ends.iter().find(|end| after.starts_with(**end))?;
        let mut at = self.source.len() - after.len() + end.len();
        if end.starts_with('-') {
            at += skip_space(&self.source[at..]);
        }
        self.at = at;
        Some(at)
    }

    fn read_raw(&mut self, open: usize) -> R<()> {
        let start = self.at;
        let mut from = start;
        loop {
            let Some(found) = self.source[from..].find("{%") else {
                return Err(syntax(
                    "missing end of raw directive",
                    Span::new(open, open + 2),
                ));
            };
            let tag = from + found;
            let sign = sign(&self.source[tag + 2..]);
            let name = tag + 2 + usize::from(sign.is_some());
            let after = self.source[name..].trim_start_matches(is_whitespace);
            if let Some(after) = after.strip_prefix("endraw") {
                self.at = self.source.len() - after.trim_start_matches(is_whitespace).len();
                if self.close_tag("%}") {
                    let text = &self.source[start..tag];
                    let kept = match sign {
                        Some(b'-') => text.trim_end_matches(is_whitespace),
                        Some(_) => text,
                        None => {
                            self.line_starting = false;
                            self.strip_line(text)
                        }
                    };
                    self.push_text(kept, start);
                    return Ok(());
                }
            }
            from = tag + 2;
        }
    }

    /// The tokens of a tag up to its end.
    fn read_tag(&mut self, open: usize, is_block: bool) -> R<()> {
        let mut balance: Vec<char> = Vec::new();
        loop {
            let rest = self.rest();
            let Some(char) = rest.chars().next() else {
                let end = Span::new(open, open + 2);
                let what = if is_block {
                    "end of block"
                } else {
                    "end of print statement"
                };
                return Err(syntax(
                    format!("unexpected end of input, expected {what}"),
                    end,
                ));
            };
            if balance.is_empty() {
                let start = self.at;
                if is_block && self.close_tag("%}") {
                    self.tokens
                        .push((Token::BlockEnd, Span::new(start, start + 2)));
                    return Ok(());
                }
                if !is_block {
                    let stripped = rest.strip_prefix("-}}");
                    if let Some(after) = stripped.or_else(|| rest.strip_prefix("}}")) {
                        self.at = self.source.len() - after.len();
                        if stripped.is_some() {
                            self.at += skip_space(after);
                        }
                        self.tokens
                            .push((Token::VariableEnd, Span::new(start, start + 2)));
                        return Ok(());
                    }
                }
            }
            let start = self.at;
            if is_whitespace(char) {
                self.at += skip_space(rest);
                continue;
            }
            if char == '\'' || char == '"' {
                let text = self.read_string(char)?;
                self.push_token(Token::Str(text), start);
                continue;
            }
            if char.is_ascii_digit() {
                let token = self.read_number()?;
                self.push_token(token, start);
                continue;
            }
            if char.is_alphanumeric() || char == '_' {
                let end = rest.find(|char: char| !char.is_alphanumeric() && char != '_');
                let name = &rest[..end.unwrap_or(rest.len())];
                self.at += name.len();
                self.push_token(Token::Name(name.into()), start);
                continue;
            }
            let Some(sign) = OPERATORS.iter().find(|sign| rest.starts_with(**sign)) else {
                let span = Span::new(start, start + char.len_utf8());
                return Err(syntax(
                    format!("unexpected character `{}`", char.escape_debug()),
                    span,
                ));
            };
            self.at += sign.len();
            match *sign {
                "(" | "[" | "{" => {
                    balance.push(match *sign {
                        "(" => ')',
                        "[" => ']',
                        _ => '}',
                    });
                    if balance.len() > MAX_NESTING {
                        let span = Span::new(start, self.at);
                        return Err(Fault::of(FaultKind::Nesting, "").at(span));
                    }
                }
                ")" | "]" | "}" => {
                    let expected = balance.pop();
                    if expected != sign.chars().next() {
                        let span = Span::new(start, self.at);
                        let expected =
                            expected.map_or(String::new(), |char| format!(", expected `{char}`"));
                        return Err(syntax(format!("unexpected `{sign}`{expected}"), span));
                    }
                }
                _ => {}
            }
            self.push_token(Token::Op(sign), start);
        }
    }

    fn read_number(&mut self) -> R<Token> {
        let start = self.at;
        let rest = self.rest();
        let digits = |text: &str| {
            // Digits with single underscores between them.
            let bytes = text.as_bytes();
            let mut len = 0;
            while let Some(byte) = bytes.get(len) {
                let is_digit = byte.is_ascii_digit();
                let joins =
                    *byte == b'_' && len > 0 && bytes.get(len + 1).is_some_and(u8::is_ascii_digit);
                if !is_digit && !joins {
                    break;
                }
                len += 1;
            }
            len
        };
        let is_item = self.source[..start].ends_with('.');
        let whole = digits(rest);
        if !is_item {
            let mut len = whole;
            let mut is_float = false;
            if rest[len..].starts_with('.') && digits(&rest[len + 1..]) > 0 {
                len += 1 + digits(&rest[len + 1..]);
                is_float = true;
            }
            if let Some(exponent) = rest[len..].strip_prefix(['e', 'E']) {
                let signed = usize::from(exponent.starts_with(['+', '-']));
                let size = digits(&exponent[signed..]);
                if size > 0 {
                    len += 1 + signed + size;
                    is_float = true;
                }
            }
            if is_float {
                self.at += len;
                let text = rest[..len].replace('_', "");
                return Ok(Token::Float(text.parse().unwrap_or(f64::NAN)));
            }
        }
        for (prefix, base) in [("0b", 2), ("0o", 8), ("0x", 16)] {
            let has = rest
                .get(..2)
                .is_some_and(|start| start.eq_ignore_ascii_case(prefix));
            if !has {
                continue;
            }
            let text = &rest[2..];
            let end = text.find(|char: char| !char.is_digit(base) && char != '_');
            let text = &text[..end.unwrap_or(text.len())];
            let clean = text.replace('_', "");
            if let Some(number) = num_bigint::BigInt::parse_bytes(clean.as_bytes(), base) {
                self.at += 2 + text.len();
                return Ok(Token::Int(number.to_string().into()));
            }
        }
        let text = match rest.starts_with('0') {
            true => {
                let end = rest[..whole].find(|char| char != '0' && char != '_');
                &rest[..end.unwrap_or(whole)]
            }
            false => &rest[..whole],
        };
        self.at += text.len();
        let clean = text.replace('_', "");
        if clean.len() > 4300 {
            return Err(syntax("the number is too long", Span::new(start, self.at)));
        }
        Ok(Token::Int(clean.into()))
    }

    /// A string with Python's escapes.
    fn read_string(&mut self, quote: char) -> R<Arc<str>> {
        let start = self.at;
        let text = &self.rest()[1..];
        let mut out = String::new();
        let mut chars = text.char_indices().peekable();
        let fail =
            |at: usize, message: &str| Err(syntax(message, Span::new(start, start + 1 + at)));
        while let Some((at, char)) = chars.next() {
            if char == quote {
                self.at = start + 1 + at + 1;
                return Ok(out.into());
            }
            if char != '\\' {
                out.push(char);
                continue;
            }
            let Some((_, escape)) = chars.next() else {
                break;
            };
            match escape {
                '\n' => {}
                '\\' | '\'' | '"' => out.push(escape),
                'a' => out.push('\u{7}'),
                'b' => out.push('\u{8}'),
                'f' => out.push('\u{c}'),
                'n' => out.push('\n'),
                'r' => out.push('\r'),
                't' => out.push('\t'),
                'v' => out.push('\u{b}'),
                '0'..='7' => {
                    let mut code = escape.to_digit(8).unwrap_or(0);
                    for _ in 0..2 {
                        if let Some(digit) = chars.peek().and_then(|next| next.1.to_digit(8)) {
                            code = code * 8 + digit;
                            chars.next();
                        }
                    }
                    out.extend(char::from_u32(code));
                }
                'x' | 'u' | 'U' => {
                    let count = match escape {
                        'x' => 2,
                        'u' => 4,
                        _ => 8,
                    };
                    let mut code = 0_u32;
                    for _ in 0..count {
                        let Some(digit) = chars.next().and_then(|next| next.1.to_digit(16)) else {
                            return fail(
                                at,
                                &format!(
                                    "the escape `\\{escape}` needs {count} hexadecimal digits"
                                ),
                            );
                        };
                        code = code.wrapping_mul(16).wrapping_add(digit);
                    }
                    match char::from_u32(code) {
                        Some(char) => out.push(char),
                        None => return fail(at, "the escape is not a character"),
                    }
                }
                'N' => {
                    return fail(
                        at,
                        "the escape `\\N{…}` is not supported; write the character itself",
                    );
                }
                other => {
                    out.push('\\');
                    out.push(other);
                }
            }
        }
        Err(syntax(
            "the string is not closed",
            Span::new(start, start + 1),
        ))
    }
}

/// The next tag from a position, with its second byte.
fn next_tag(source: &str, from: usize) -> Option<(usize, u8)> {
    let bytes = source.as_bytes();
    let mut at = from;
    loop {
        at += source[at..].find('{')?;
        match bytes.get(at + 1) {
            Some(kind @ (b'{' | b'%' | b'#')) => return Some((at, *kind)),
            _ => at += 1,
        }
    }
}
