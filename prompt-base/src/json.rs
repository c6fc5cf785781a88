//! JSON text: a strict scanner with spans, and a printer.
//!
//! The workspace reads JSON here wherever spans, the order of keys or the spelling of numbers matter, and with serde_json
//! elsewhere. It prints JSON, and Python's literals, by one [`JsonPrinter`].
//!
//! ```
//! use prompt_base::json::{Scanner, JsonStyle, TokenKind, reformat};
//!
//! let mut scanner = Scanner::new(r#"{"a": [1, true]}"#);
//! let mut kinds = Vec::new();
//! while let Some(token) = scanner.next_token().unwrap() {
//!     kinds.push(token.kind);
//! }
//! assert_eq!(kinds[..3], [TokenKind::ObjectStart, TokenKind::Key, TokenKind::ListStart]);
//!
//! let error = Scanner::new("[1,]").finish().unwrap_err();
//! assert_eq!((error.span.start, error.kind.to_string().as_str()), (3, "expected a value"));
//!
//! assert_eq!(reformat(r#"{ "b": 1.50,"a":[]}"#, JsonStyle::SPACED).unwrap(), r#"{"b": 1.50, "a": []}"#);
//! ```

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use crate::Span;

/// The deepest nesting of lists and objects: that of `serde_json::Value`. Code that walks JSON values may recurse.
pub const MAX_DEPTH: usize = 127;

/// A token of JSON text. Commas, colons and white space are checked, and have no tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JsonToken {
    /// The value.
    pub kind: TokenKind,
    /// Its bytes; those of strings with their quotes.
    pub span: Span,
}

/// The kinds of [`JsonToken`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// `{`
    ObjectStart,
    /// `}`
    ObjectEnd,
    /// `[`
    ListStart,
    /// `]`
    ListEnd,
    /// The key of an entry.
    Key,
    /// A string as a value.
    String,
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
    /// `null`
    Null,
}

/// Text that is not JSON, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScanError {
    /// The kind of the error.
    pub kind: JsonErrorKind,
    /// The bytes that it concerns: those of the next character, or of the last one at the end of the text.
    pub span: Span,
    /// The text ends too early.
    pub at_end: bool,
}

/// The kinds of [`ScanError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JsonErrorKind {
    /// Text after the value.
    SecondValue,
    /// No value where one is expected.
    MissingValue,
    /// A string in single quotes.
    SingleQuotes,
    /// More lists and objects inside each other than allowed, which are [`MAX_DEPTH`] unless set otherwise.
    TooDeep,
    /// An entry of an object without a key.
    MissingKey,
    /// A key without a colon.
    MissingColon,
    /// An entry of an object without a comma or a bracket after it.
    UnclosedObject,
    /// An item of a list without a comma or a bracket after it.
    UnclosedList,
    /// A control character in a string.
    ControlCharacter,
    /// A number that JSON does not define, such as `01`.
    InvalidNumber,
    /// A string without its closing quote.
    UnclosedString,
    /// An escape that JSON does not define.
    InvalidEscape,
    /// An escape of one half of a surrogate pair.
    LoneSurrogate,
}

impl fmt::Display for JsonErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            JsonErrorKind::SecondValue => "there is text after the value",
            JsonErrorKind::MissingValue => "expected a value",
            JsonErrorKind::SingleQuotes => "a string is in single quotes",
            JsonErrorKind::TooDeep => "it is nested deeper than 127",
            JsonErrorKind::MissingKey => "expected a key",
            JsonErrorKind::MissingColon => "expected `:`",
            JsonErrorKind::UnclosedObject => "expected `,` or `}`",
            JsonErrorKind::UnclosedList => "expected `,` or `]`",
            JsonErrorKind::ControlCharacter => "a control character in a string is not escaped",
            JsonErrorKind::InvalidNumber => "this is not a number of JSON",
            JsonErrorKind::UnclosedString => "the string has no closing quote",
            JsonErrorKind::InvalidEscape => "this is not an escape of JSON",
            JsonErrorKind::LoneSurrogate => "this escape is half of a character",
        })
    }
}

/// Splits JSON text into tokens, and checks its grammar (RFC 8259). It does not recurse.
#[derive(Clone, Debug)]
pub struct Scanner<'t> {
    text: &'t str,
    at: usize,
    /// The closing brackets of the open lists and objects.
    open: Vec<u8>,
    max_depth: usize,
    expected: Expected,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expected {
    /// A value.
    Value,
    /// A value or the end of the list that was just opened.
    FirstItem,
    /// A key, or the end of the object that was just opened.
    FirstKey,
    /// A comma, the end of the innermost bracket, or the end of the text outside of all brackets.
    Separator,
    /// The value of a key, after its colon.
    EntryValue,
}

impl<'t> Scanner<'t> {
    /// Begins at the start of a string.
    pub fn new(text: &'t str) -> Scanner<'t> {
        Scanner {
            text,
            at: 0,
            open: Vec::new(),
            max_depth: MAX_DEPTH,
            expected: Expected::Value,
        }
    }

    /// Sets another limit than [`MAX_DEPTH`], such as `usize::MAX` for text composed of values that were read before.
    #[must_use]
    pub fn with_max_depth(mut self, depth: usize) -> Scanner<'t> {
        self.max_depth = depth;
        self
    }

    /// Scans to the end of the text.
    ///
    /// # Errors
    /// Text that is not one JSON value.
    pub fn finish(&mut self) -> Result<(), ScanError> {
        while self.next_token()?.is_some() {}
        Ok(())
    }

    /// Returns the next token, or `None` at the end of the text.
    ///
    /// # Errors
    /// Text that is not one JSON value.
    pub fn next_token(&mut self) -> Result<Option<JsonToken>, ScanError> {
        self.skip_space();
        let start = self.at;
        if self.expected == Expected::Separator {
            match (self.open.last().copied(), self.peek()) {
                (None, None) => return Ok(None),
                (None, Some(_)) => return Err(self.error_here(JsonErrorKind::SecondValue)),
                (Some(close), Some(next)) if close == next => {
                    return Ok(Some(self.close_container()));
                }
                (Some(b'}'), Some(b',')) => {
                    self.at += 1;
                    return self.scan_key().map(Some);
                }
                (Some(_), Some(b',')) => {
                    self.at += 1;
                    self.expected = Expected::Value;
                    return self.next_token();
                }
                (Some(b'}'), _) => return Err(self.error_here(JsonErrorKind::UnclosedObject)),
                (Some(_), _) => return Err(self.error_here(JsonErrorKind::UnclosedList)),
            }
        }
        match (self.expected, self.peek()) {
            (Expected::FirstKey, Some(b'}')) | (Expected::FirstItem, Some(b']')) => {
                return Ok(Some(self.close_container()));
            }
            (Expected::FirstKey, _) => return self.scan_key().map(Some),
            (Expected::EntryValue, Some(b':')) => self.at += 1,
            (Expected::EntryValue, _) => return Err(self.error_here(JsonErrorKind::MissingColon)),
            _ => {}
        }
        if self.expected == Expected::EntryValue {
            self.expected = Expected::Value;
            return self.next_token();
        }
        self.expected = Expected::Separator;
        let kind = match self.peek() {
            Some(b'{') => self.open_container(b'}', Expected::FirstKey, TokenKind::ObjectStart)?,
            Some(b'[') => self.open_container(b']', Expected::FirstItem, TokenKind::ListStart)?,
            Some(b'"') => {
                self.scan_string()?;
                TokenKind::String
            }
            Some(b'-' | b'0'..=b'9') => {
                self.scan_number()?;
                TokenKind::Number
            }
            _ if self.skip_prefix("true") || self.skip_prefix("false") => TokenKind::Bool,
            _ if self.skip_prefix("null") => TokenKind::Null,
            Some(b'\'') => return Err(self.error_here(JsonErrorKind::SingleQuotes)),
            _ => return Err(self.error_here(JsonErrorKind::MissingValue)),
        };
        let span = Span::new(start, self.at);
        Ok(Some(JsonToken { kind, span }))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
    }

    fn skip_prefix(&mut self, word: &str) -> bool {
        let found = self.text[self.at..].starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn open_container(
        &mut self,
        close: u8,
        first: Expected,
        kind: TokenKind,
    ) -> Result<TokenKind, ScanError> {
        if self.open.len() == self.max_depth {
            return Err(self.error_here(JsonErrorKind::TooDeep));
        }
        self.open.push(close);
        self.expected = first;
        self.at += 1;
        Ok(kind)
    }

    fn close_container(&mut self) -> JsonToken {
        let kind = match self.open.pop() {
            Some(b'}') => TokenKind::ObjectEnd,
            _ => TokenKind::ListEnd,
        };
        self.expected = Expected::Separator;
        self.at += 1;
        JsonToken {
            kind,
            span: Span::new(self.at - 1, self.at),
        }
    }

    fn scan_key(&mut self) -> Result<JsonToken, ScanError> {
        self.skip_space();
        let start = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.error_here(JsonErrorKind::MissingKey));
        }
        self.scan_string()?;
        self.expected = Expected::EntryValue;
        Ok(JsonToken {
            kind: TokenKind::Key,
            span: Span::new(start, self.at),
        })
    }

    fn skip_digits(&mut self) -> usize {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        self.at - start
    }

    fn scan_number(&mut self) -> Result<(), ScanError> {
        let start = self.at;
        self.skip_prefix("-");
        let is_zero = self.peek() == Some(b'0');
        let whole = self.skip_digits();
        let mut is_valid = whole > 0 && (!is_zero || whole == 1);
        if self.skip_prefix(".") {
            is_valid &= self.skip_digits() > 0;
        }
        if self.skip_prefix("e") || self.skip_prefix("E") {
            let _ = self.skip_prefix("+") || self.skip_prefix("-");
            is_valid &= self.skip_digits() > 0;
        }
        match is_valid {
            true => Ok(()),
            false => Err(self.error_from(JsonErrorKind::InvalidNumber, start)),
        }
    }

    /// Consumes a string and its quotes.
    fn scan_string(&mut self) -> Result<(), ScanError> {
        let start = self.at;
        self.at += 1;
        loop {
            let rest = &self.text.as_bytes()[self.at..];
            let special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..b' ');
            let Some(plain) = rest.iter().position(special) else {
                let end = start.max(self.text.trim_end().len());
                let span = Span::new(start, end);
                let (kind, at_end) = (JsonErrorKind::UnclosedString, true);
                return Err(ScanError { kind, span, at_end });
            };
            self.at += plain;
            match rest[plain] {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => self.scan_escape()?,
                _ => return Err(self.error_here(JsonErrorKind::ControlCharacter)),
            }
        }
    }

    fn scan_escape(&mut self) -> Result<(), ScanError> {
        let start = self.at;
        match decode_escape(&self.text[start..]) {
            Ok((_, length)) => {
                self.at += length;
                Ok(())
            }
            Err((kind, length)) => {
                self.at += length;
                Err(self.error_from(kind, start))
            }
        }
    }

    /// An error about the text from a position to the cursor.
    fn error_from(&self, kind: JsonErrorKind, start: usize) -> ScanError {
        ScanError {
            kind,
            span: Span::new(start, self.at),
            at_end: false,
        }
    }

    /// An error about the next character, or the last one of the text.
    fn error_here(&self, kind: JsonErrorKind) -> ScanError {
        let next = self.text[self.at..].chars().next();
        let last = || self.text.trim_end().char_indices().next_back();
        let (start, letter) = match next {
            Some(letter) => (self.at, Some(letter)),
            None => last().map_or((0, None), |(at, letter)| (at, Some(letter))),
        };
        ScanError {
            kind,
            span: Span::new(start, start + letter.map_or(0, char::len_utf8)),
            at_end: next.is_none(),
        }
    }
}

/// Decodes the escape at the start of a string: the character, and the length of the escape. The error has the length of what
/// is wrong.
fn decode_escape(text: &str) -> Result<(char, usize), (JsonErrorKind, usize)> {
    let hex = |at: usize| {
        let digits = text.get(at..at + 4)?;
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hex.then(|| u32::from_str_radix(digits, 16).ok())?
    };
    let Some(letter) = text[1..].chars().next() else {
        return Err((JsonErrorKind::InvalidEscape, 1));
    };
    let decoded = match letter {
        '"' | '\\' | '/' => letter,
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'u' => {
            let Some(first) = hex(2) else {
                let next = text[2..].chars().next().map_or(0, char::len_utf8);
                return Err((JsonErrorKind::InvalidEscape, 2 + next));
            };
            if let Some(letter) = char::from_u32(first) {
                return Ok((letter, 6));
            }
            let second = text[6..].starts_with("\\u").then(|| hex(8)).flatten();
            return match second {
                Some(second @ 0xdc00..0xe000) if first < 0xdc00 => {
                    let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                    char::from_u32(code)
                        .map(|letter| (letter, 12))
                        .ok_or((JsonErrorKind::LoneSurrogate, 12))
                }
                Some(_) => Err((JsonErrorKind::LoneSurrogate, 12)),
                None => Err((JsonErrorKind::LoneSurrogate, 6)),
            };
        }
        _ => return Err((JsonErrorKind::InvalidEscape, 1 + letter.len_utf8())),
    };
    Ok((decoded, 2))
}

/// Returns the text of a string token, its quotes and escapes resolved.
///
/// ```
/// assert_eq!(prompt_base::json::unescape(r#""a\u00e9\n""#), "aé\n");
/// ```
pub fn unescape(token: &str) -> Cow<'_, str> {
    let body = token.get(1..token.len().saturating_sub(1)).unwrap_or("");
    if !body.contains('\\') {
        return Cow::Borrowed(body);
    }
    let mut text = String::with_capacity(body.len());
    let mut rest = body;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let (letter, length) = decode_escape(rest).unwrap_or(('\\', 1));
        text.push(letter);
        rest = &rest[length..];
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// The text between tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JsonStyle<'s> {
    /// The separator of items and entries.
    pub item: &'s str,
    /// The separator of a key and its value.
    pub key: &'s str,
    /// The indentation of each level; `None` for a single line.
    pub indent: Option<&'s str>,
}

impl<'s> JsonStyle<'s> {
    /// No white space, as serde_json prints.
    pub const COMPACT: JsonStyle<'static> = JsonStyle {
        item: ",",
        key: ":",
        indent: None,
    };

    /// `", "` and `": "`, as Python prints JSON and its own literals.
    pub const SPACED: JsonStyle<'static> = JsonStyle {
        item: ", ",
        key: ": ",
        indent: None,
    };

    /// Each item on a line of its own, as Python's `json.dumps(…, indent=…)` prints.
    pub const fn indented(indent: &'s str) -> JsonStyle<'s> {
        JsonStyle {
            item: ",",
            key: ": ",
            indent: Some(indent),
        }
    }
}

/// The characters of a string that are escaped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Escapes {
    /// Quotes, backslashes and control characters: all that JSON requires.
    Required,
    /// These, and all characters outside of ASCII: Python's `ensure_ascii`.
    NonAscii,
    /// These, and what HTML reserves: Jinja's `tojson`.
    Html,
}

/// Prints nested lists and objects: brackets, separators and indentation. Strings, numbers and literals are pushed by the
/// caller, so it prints Python's literals as well as JSON.
///
/// ```
/// use prompt_base::json::{Escapes, JsonPrinter, JsonStyle};
///
/// let mut printer = JsonPrinter::new(JsonStyle::SPACED);
/// printer.open_bracket("{");
/// printer.begin_item();
/// printer.push_string("a", Escapes::Required);
/// printer.end_key();
/// printer.push("1");
/// printer.close_bracket("}");
/// assert_eq!(printer.out, r#"{"a": 1}"#);
/// ```
#[derive(Clone, Debug)]
pub struct JsonPrinter<'s> {
    /// The text so far.
    pub out: String,
    style: JsonStyle<'s>,
    depth: usize,
    /// Nothing was printed in the innermost brackets yet.
    is_empty: bool,
}

impl<'s> JsonPrinter<'s> {
    /// Begins with an empty text.
    pub fn new(style: JsonStyle<'s>) -> JsonPrinter<'s> {
        JsonPrinter {
            out: String::new(),
            style,
            depth: 0,
            is_empty: true,
        }
    }

    /// Opens a list or object.
    pub fn open_bracket(&mut self, bracket: &str) {
        self.out.push_str(bracket);
        self.depth += 1;
        self.is_empty = true;
    }

    /// Closes the innermost list or object.
    pub fn close_bracket(&mut self, bracket: &str) {
        self.depth -= 1;
        if !self.is_empty {
            self.new_line();
        }
        self.out.push_str(bracket);
        self.is_empty = false;
    }

    /// Begins an item or an entry.
    pub fn begin_item(&mut self) {
        if !std::mem::take(&mut self.is_empty) {
            self.out.push_str(self.style.item);
        }
        self.new_line();
    }

    /// Separates a key from its value.
    pub fn end_key(&mut self) {
        self.out.push_str(self.style.key);
    }

    /// Appends text verbatim.
    pub fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Appends a JSON string.
    pub fn push_string(&mut self, text: &str, escapes: Escapes) {
        push_string(&mut self.out, text, escapes);
    }

    /// How many lists and objects are open.
    pub fn depth(&self) -> usize {
        self.depth
    }

    fn new_line(&mut self) {
        if let Some(indent) = self.style.indent {
            self.out.push('\n');
            self.out.extend(std::iter::repeat_n(indent, self.depth));
        }
    }
}

/// Appends a JSON string.
///
/// ```
/// use prompt_base::json::{Escapes, push_string};
///
/// let mut out = String::new();
/// push_string(&mut out, "<é>\n", Escapes::Html);
/// assert_eq!(out, r#""\u003c\u00e9\u003e\n""#);
/// ```
pub fn push_string(out: &mut String, text: &str, escapes: Escapes) {
    out.push('"');
    for letter in text.chars() {
        push_char(out, letter, escapes);
    }
    out.push('"');
}

/// Appends one character of a JSON string.
pub fn push_char(out: &mut String, letter: char, escapes: Escapes) {
    let is_plain = match letter {
        '\0'..=' ' => letter == ' ',
        '<' | '>' | '&' | '\'' => escapes != Escapes::Html,
        '\x7f' => escapes != Escapes::Html,
        _ => letter.is_ascii() || escapes == Escapes::Required,
    };
    match letter {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        _ if is_plain => out.push(letter),
        _ => {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
}

/// Prints JSON text in another style. The order of keys and the spelling of strings and numbers stay.
///
/// # Errors
/// Text that is not JSON.
///
/// ```
/// use prompt_base::json::{JsonStyle, reformat};
///
/// assert_eq!(reformat("[1, {}]", JsonStyle::indented("  ")).unwrap(), "[\n  1,\n  {}\n]");
/// ```
pub fn reformat(text: &str, style: JsonStyle<'_>) -> Result<String, ScanError> {
    transcribe(Scanner::new(text), style, |out, _, token| {
        out.push_str(token);
    })
}

/// Prints JSON text in another style and notation: `scalar` appends each key, string, number and literal.
///
/// # Errors
/// Text that is not JSON.
///
/// ```
/// use prompt_base::json::{Escapes, Scanner, JsonStyle, TokenKind, push_string, transcribe, unescape};
///
/// let ascii = transcribe(Scanner::new(r#"["é",1]"#), JsonStyle::SPACED, |out, kind, token| match kind {
///     TokenKind::Key | TokenKind::String => push_string(out, &unescape(token), Escapes::NonAscii),
///     _ => out.push_str(token),
/// });
/// assert_eq!(ascii.unwrap(), r#"["\u00e9", 1]"#);
/// ```
pub fn transcribe(
    mut scanner: Scanner<'_>,
    style: JsonStyle<'_>,
    mut scalar: impl FnMut(&mut String, TokenKind, &str),
) -> Result<String, ScanError> {
    let text = scanner.text;
    let mut printer = JsonPrinter::new(style);
    printer.out.reserve(text.len());
    // The first value is not an item, and neither is the value of a key.
    let mut is_item = false;
    while let Some(JsonToken { kind, span }) = scanner.next_token()? {
        let is_end = matches!(kind, TokenKind::ObjectEnd | TokenKind::ListEnd);
        if is_item && !is_end {
            printer.begin_item();
        }
        match kind {
            TokenKind::ObjectStart => printer.open_bracket("{"),
            TokenKind::ListStart => printer.open_bracket("["),
            TokenKind::ObjectEnd => printer.close_bracket("}"),
            TokenKind::ListEnd => printer.close_bracket("]"),
            _ => scalar(&mut printer.out, kind, span.of(text)),
        }
        is_item = kind != TokenKind::Key;
        if !is_item {
            printer.end_key();
        }
    }
    Ok(printer.out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Option<(usize, usize, JsonErrorKind)> {
        let error = Scanner::new(text).finish().err()?;
        assert!(text.get(error.span.range()).is_some(), "{text}: {error:?}");
        Some((error.span.start, error.span.end, error.kind))
    }

    #[test]
    fn json_is_accepted() {
        for text in [
            "1",
            "-0.5e+3",
            "\"\\u00e9\\ud83d\\ude00\"",
            " { \"a\" : [ 1 , true , null , { } , [ ] ] } ",
            "[[],{}]",
        ] {
            assert_eq!(check(text), None, "{text}");
        }
    }

    #[test]
    fn errors_have_the_span_of_the_mistake() {
        use JsonErrorKind::*;
        for (text, start, end, kind) in [
            ("", 0, 0, MissingValue),
            ("{\"a\": 1", 6, 7, UnclosedObject),
            ("{\"a\": 1,}", 8, 9, MissingKey),
            ("[1,]", 3, 4, MissingValue),
            ("[1}", 2, 3, UnclosedList),
            ("{a: 1}", 1, 2, MissingKey),
            ("{\"a\" 1}", 5, 6, MissingColon),
            ("{\"a\": 'b'}", 6, 7, SingleQuotes),
            ("01", 0, 2, InvalidNumber),
            ("1.", 0, 2, InvalidNumber),
            ("{} {}", 3, 4, SecondValue),
            ("\"a", 0, 2, UnclosedString),
            ("\"\\x\"", 1, 3, InvalidEscape),
            ("\"\\u12\"", 1, 4, InvalidEscape),
            ("\"\\ud83d\"", 1, 7, LoneSurrogate),
            ("\"\\ude00\\ud83d\"", 1, 13, LoneSurrogate),
            ("\"\t\"", 1, 2, ControlCharacter),
            ("é", 0, 2, MissingValue),
        ] {
            assert_eq!(check(text), Some((start, end, kind)), "{text}");
        }
        let deep = "[".repeat(10_000);
        assert_eq!(
            check(&deep),
            Some((MAX_DEPTH, MAX_DEPTH + 1, JsonErrorKind::TooDeep))
        );
        let nested = ["[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH)].concat();
        assert_eq!(check(&nested), None);
    }

    #[test]
    fn styles_change_white_space_alone() {
        let text = r#"{"b":[1.50,"a, b: {"],"a":{},"c":[]}"#;
        let spaced = reformat(text, JsonStyle::SPACED).unwrap();
        assert_eq!(spaced, r#"{"b": [1.50, "a, b: {"], "a": {}, "c": []}"#);
        let indented = reformat(text, JsonStyle::indented(" ")).unwrap();
        assert_eq!(
            indented,
            "{\n \"b\": [\n  1.50,\n  \"a, b: {\"\n ],\n \"a\": {},\n \"c\": []\n}"
        );
        assert_eq!(reformat(&indented, JsonStyle::COMPACT).as_deref(), Ok(text));
    }

    #[test]
    fn strings_are_escaped_by_style() {
        for (escapes, expected) in [
            (Escapes::Required, "\"/é<\x7f\\u001f\\\"\""),
            (Escapes::NonAscii, "\"/\\u00e9<\x7f\\u001f\\\"\""),
            (Escapes::Html, "\"/\\u00e9\\u003c\\u007f\\u001f\\\"\""),
        ] {
            let mut out = String::new();
            push_string(&mut out, &unescape("\"\\/é<\x7f\\u001F\\\"\""), escapes);
            assert_eq!(out, expected);
        }
    }
}
