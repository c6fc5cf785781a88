//! Rows of few-shot examples as trees of JSON values with spans.

use prompt_base::Span;
use prompt_base::json::{JsonToken, ScanError, Scanner, TokenKind, unescape};
use prompt_syntax::problem::examples as problem;
use prompt_syntax::{Error, Spanned};

pub(super) enum JsonTree {
    Null,
    Bool(bool),
    /// As it was written.
    Number(String),
    Text(String),
    List(Vec<Spanned<JsonTree>>),
    Object(Vec<(Spanned<String>, Spanned<JsonTree>)>),
}

impl JsonTree {
    /// The kind of the value, for messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            JsonTree::Null => "`null`",
            JsonTree::Bool(_) => "`true` or `false`",
            JsonTree::Number(_) => "a number",
            JsonTree::Text(_) => "a string",
            JsonTree::List(_) => "a list",
            JsonTree::Object(_) => "an object",
        }
    }
}

/// Parses a line that begins `start` bytes into its file.
pub(super) fn parse_line(line: &str, start: usize) -> Result<Spanned<JsonTree>, Error> {
    let mut parser = JsonTreeParser {
        line,
        start,
        scanner: Scanner::new(line),
    };
    let first = parser.next()?;
    let value = parser.read_value(first)?;
    parser
        .scanner
        .finish()
        .map_err(|error| parser.scan_error(error))?;
    Ok(value)
}

/// A list or object ends where the scanner reports its end, so the parser only builds the tree.
struct JsonTreeParser<'a> {
    line: &'a str,
    start: usize,
    scanner: Scanner<'a>,
}

impl<'a> JsonTreeParser<'a> {
    /// The next token. The scanner has one wherever the tree is incomplete.
    fn next(&mut self) -> Result<JsonToken, Error> {
        let token = self
            .scanner
            .next_token()
            .map_err(|error| self.scan_error(error))?;
        Ok(token.unwrap_or(JsonToken {
            kind: TokenKind::ListEnd,
            span: Span::new(self.line.len(), self.line.len()),
        }))
    }

    fn scan_error(&self, error: ScanError) -> Error {
        problem::invalid_json(error.kind, error.at_end).at(self.file_span(error.span))
    }

    /// A span of the line as a span of the file.
    fn file_span(&self, span: Span) -> Span {
        Span::new(self.start + span.start, self.start + span.end)
    }

    fn token_text(&self, token: JsonToken) -> &'a str {
        &self.line[token.span.range()]
    }

    fn read_value(&mut self, token: JsonToken) -> Result<Spanned<JsonTree>, Error> {
        let mut span = token.span;
        let value = match token.kind {
            TokenKind::String | TokenKind::Key => {
                JsonTree::Text(unescape(self.token_text(token)).into_owned())
            }
            TokenKind::Number => JsonTree::Number(self.token_text(token).to_owned()),
            TokenKind::Bool => JsonTree::Bool(self.token_text(token) == "true"),
            TokenKind::Null => JsonTree::Null,
            TokenKind::ListStart | TokenKind::ListEnd => {
                let mut items = Vec::new();
                loop {
                    let token = self.next()?;
                    span = span.to(token.span);
                    if token.kind == TokenKind::ListEnd {
                        break JsonTree::List(items);
                    }
                    items.push(self.read_value(token)?);
                }
            }
            TokenKind::ObjectStart | TokenKind::ObjectEnd => {
                let mut fields: Vec<(Spanned<String>, Spanned<JsonTree>)> = Vec::new();
                loop {
                    let token = self.next()?;
                    span = span.to(token.span);
                    if token.kind != TokenKind::Key {
                        break JsonTree::Object(fields);
                    }
                    let name = unescape(self.token_text(token)).into_owned();
                    let name = Spanned::new(name, self.file_span(token.span));
                    let first = self.next()?;
                    let value = self.read_value(first)?;
                    if fields.iter().any(|(other, _)| other.value == name.value) {
                        return Err(problem::duplicate_name(&name).at(name.span));
                    }
                    fields.push((name, value));
                }
            }
        };
        Ok(Spanned::new(value, self.file_span(span)))
    }
}

#[cfg(test)]
mod tests {
    use super::{JsonTree, parse_line};

    /// The value written again, or what is wrong with it and where.
    fn again(line: &str) -> String {
        fn write(json: &JsonTree) -> String {
            match json {
                JsonTree::Null => "null".into(),
                JsonTree::Bool(value) => value.to_string(),
                JsonTree::Number(number) => number.clone(),
                JsonTree::Text(text) => format!("{text:?}"),
                JsonTree::List(items) => {
                    let items: Vec<String> = items.iter().map(|item| write(&item.value)).collect();
                    format!("[{}]", items.join(","))
                }
                JsonTree::Object(fields) => {
                    let write =
                        |(name, value): &(super::Spanned<String>, super::Spanned<JsonTree>)| {
                            format!("{}:{}", name.value, write(&value.value))
                        };
                    let fields: Vec<String> = fields.iter().map(write).collect();
                    format!("{{{}}}", fields.join(","))
                }
            }
        }
        match parse_line(line, 0) {
            Ok(json) => write(&json.value),
            Err(error) => {
                assert!(error.span.end <= line.len(), "{line}: {:?}", error.span);
                assert!(
                    line.get(error.span.start..error.span.end).is_some(),
                    "{line}: {:?}",
                    error.span
                );
                format!("{} {}", error.span.start, error.message())
            }
        }
    }

    #[test]
    fn values_are_read() {
        for (line, expected) in [
            (
                r#"{"a": 1, "b": [true, null, -0.5e+3]}"#,
                "{a:1,b:[true,null,-0.5e+3]}",
            ),
            (
                r#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é""#,
                "\"\\\"\\\\/\\u{8}\\u{c}\\n\\r\\té😀é\"",
            ),
            (" {} ", "{}"),
            ("[]", "[]"),
        ] {
            assert_eq!(again(line), expected);
        }
    }

    #[test]
    fn invalid_json_is_an_error_with_its_position() {
        for (line, expected) in [
            ("", "0 a value is missing here"),
            (r#"{"a": 1"#, "6 a `,` or `}` is missing here"),
            (r#"{"a": 1,}"#, "8 a name is missing here"),
            (r#"{a: 1}"#, "1 a name is missing here"),
            (r#"{"a" 1}"#, "5 a `:` is missing here"),
            (r#"{"a": 1, "a": 2}"#, "9 `a` is given twice in this row"),
            (r#"{"a": 'b'}"#, "6 this is not JSON"),
            (r#"{"a": 01}"#, "6 this is not a JSON number"),
            (r#"{"a": 1.}"#, "6 this is not a JSON number"),
            (r#"{"a": -}"#, "6 this is not a JSON number"),
            (r#"{"a": NaN}"#, "6 a value is missing here"),
            (r#"{"a": "b}"#, "6 this text has no closing quote"),
            (r#"{"a": "\x"}"#, "7 this is not a JSON escape"),
            (r#"{"a": "\ud83d"}"#, "7 this escape is half of a character"),
            (r#"{"a": "\u12"}"#, "7 this is not a JSON escape"),
            (
                "{\"a\": \"\t\"}",
                "7 this string contains a control character",
            ),
            ("{} {}", "3 this line contains more than one value"),
            ("é", "0 a value is missing here"),
        ] {
            assert_eq!(again(line), expected, "{line}");
        }
        let deep = "[".repeat(10_000);
        assert_eq!(again(&deep), "127 lists and objects are nested too deep");
    }
}
