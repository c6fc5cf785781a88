//! JSON with the place of each value: strict, as RFC 8259 has it.

use prompt_syntax::problem::shots::{self as problem, Json as Fault};
use prompt_syntax::{Error, Span, Spanned};

pub(super) enum Json {
    Null,
    Bool(bool),
    /// As it was written.
    Number(String),
    Text(String),
    List(Vec<Spanned<Json>>),
    Object(Vec<(Spanned<String>, Spanned<Json>)>),
}

impl Json {
    /// What it is, for messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Json::Null => "`null`",
            Json::Bool(_) => "`true` or `false`",
            Json::Number(_) => "a number",
            Json::Text(_) => "a text",
            Json::List(_) => "a list",
            Json::Object(_) => "an object",
        }
    }
}

/// How deep lists and objects may stand in each other.
const DEPTH: usize = 64;

/// Reads a line that begins `start` bytes into its file.
pub(super) fn read(line: &str, start: usize) -> Result<Spanned<Json>, Error> {
    let mut reader = Reader {
        line,
        at: 0,
        start,
        depth: 0,
    };
    let value = reader.value()?;
    reader.space();
    match reader.rest().chars().next() {
        None => Ok(value),
        Some(_) => Err(reader.wrong(Fault::SecondValue)),
    }
}

struct Reader<'a> {
    line: &'a str,
    at: usize,
    start: usize,
    depth: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.line[self.at..]
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
    }

    fn eat(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn span(&self, from: usize) -> Span {
        Span::new(self.start + from, self.start + self.at)
    }

    /// An error at the character that comes next, or at the end of the line.
    fn wrong(&self, fault: Fault) -> Error {
        let next = self.rest().chars().next();
        let last = self.line.trim_end().char_indices().last();
        let (from, char) = match next {
            Some(char) => (self.at, Some(char)),
            None => (last.map_or(0, |(at, _)| at), last.map(|(_, char)| char)),
        };
        let from = self.start + from;
        let len = char.map_or(0, char::len_utf8);
        problem::json(fault, next.is_none()).at(Span::new(from, from + len))
    }

    fn value(&mut self) -> Result<Spanned<Json>, Error> {
        self.space();
        let from = self.at;
        let value = match self.rest().chars().next() {
            Some('{') => self.nested(Reader::object)?,
            Some('[') => self.nested(Reader::list)?,
            Some('"') => Json::Text(self.text()?),
            Some('-' | '0'..='9') => self.number()?,
            _ if self.eat("true") => Json::Bool(true),
            _ if self.eat("false") => Json::Bool(false),
            _ if self.eat("null") => Json::Null,
            Some('\'') => {
                return Err(self.wrong(Fault::SingleQuotes));
            }
            _ => {
                return Err(self.wrong(Fault::NoValue));
            }
        };
        Ok(Spanned::new(value, self.span(from)))
    }

    fn nested(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Json, Error>,
    ) -> Result<Json, Error> {
        if self.depth == DEPTH {
            return Err(self.wrong(Fault::TooDeep));
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn object(&mut self) -> Result<Json, Error> {
        let mut fields: Vec<(Spanned<String>, Spanned<Json>)> = Vec::new();
        loop {
            self.space();
            if fields.is_empty() && self.eat("}") {
                return Ok(Json::Object(fields));
            }
            let from = self.at;
            if !self.rest().starts_with('"') {
                return Err(self.wrong(Fault::NoName));
            }
            let name = self.text()?;
            let name = Spanned::new(name, self.span(from));
            self.space();
            if !self.eat(":") {
                return Err(self.wrong(Fault::NoColon));
            }
            let value = self.value()?;
            if fields.iter().any(|(other, _)| other.value == name.value) {
                return Err(problem::twice(&name).at(name.span));
            }
            fields.push((name, value));
            self.space();
            if self.eat("}") {
                return Ok(Json::Object(fields));
            }
            if !self.eat(",") {
                return Err(self.wrong(Fault::NoObjectEnd));
            }
        }
    }

    fn list(&mut self) -> Result<Json, Error> {
        let mut items = Vec::new();
        loop {
            self.space();
            if items.is_empty() && self.eat("]") {
                return Ok(Json::List(items));
            }
            items.push(self.value()?);
            self.space();
            if self.eat("]") {
                return Ok(Json::List(items));
            }
            if !self.eat(",") {
                return Err(self.wrong(Fault::NoListEnd));
            }
        }
    }

    fn number(&mut self) -> Result<Json, Error> {
        let from = self.at;
        let digits = |reader: &mut Self| {
            let rest = reader.rest();
            let count = rest.len()
                - rest
                    .trim_start_matches(|char: char| char.is_ascii_digit())
                    .len();
            reader.at += count;
            count
        };
        self.eat("-");
        let zero = self.rest().starts_with('0');
        let whole = digits(self);
        let mut right = whole > 0 && (!zero || whole == 1);
        if self.eat(".") {
            right &= digits(self) > 0;
        }
        if self.eat("e") || self.eat("E") {
            let _ = self.eat("+") || self.eat("-");
            right &= digits(self) > 0;
        }
        if !right {
            return Err(problem::no_number().at(self.span(from)));
        }
        Ok(Json::Number(self.line[from..self.at].to_owned()))
    }

    fn text(&mut self) -> Result<String, Error> {
        let from = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let Some(char) = self.rest().chars().next() else {
                let open = Span::new(self.start + from, self.start + self.line.trim_end().len());
                return Err(problem::unclosed_text().at(open));
            };
            match char {
                '"' => {
                    self.at += 1;
                    return Ok(text);
                }
                '\\' => text.push(self.escape()?),
                '\t' | '\0'..='\u{1f}' => {
                    return Err(self.wrong(Fault::ControlCharacter));
                }
                char => {
                    self.at += char.len_utf8();
                    text.push(char);
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, Error> {
        let from = self.at;
        self.at += 1;
        let unknown = |reader: &mut Self| {
            let next = reader.rest().chars().next().map_or(0, char::len_utf8);
            reader.at += next;
            problem::no_escape().at(reader.span(from))
        };
        let Some(char) = self.rest().chars().next() else {
            return Err(unknown(self));
        };
        let read = match char {
            '"' | '\\' | '/' => char,
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => {
                self.at += 1;
                let lone = |reader: &Self| problem::half_of_a_character().at(reader.span(from));
                let Some(first) = self.hex() else {
                    return Err(unknown(self));
                };
                if !(0xd800..0xe000).contains(&first) {
                    return char::from_u32(first).ok_or_else(|| lone(self));
                }
                let second = if self.eat("\\u") { self.hex() } else { None };
                return match second {
                    Some(second @ 0xdc00..0xe000) if first < 0xdc00 => {
                        let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                        char::from_u32(code).ok_or_else(|| lone(self))
                    }
                    _ => Err(lone(self)),
                };
            }
            _ => return Err(unknown(self)),
        };
        self.at += 1;
        Ok(read)
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4)?;
        let all = digits.chars().all(|char| char.is_ascii_hexdigit());
        let code = all
            .then(|| u32::from_str_radix(digits, 16).ok())
            .flatten()?;
        self.at += 4;
        Some(code)
    }
}

#[cfg(test)]
mod tests {
    use super::{Json, read};

    /// The value written again, or what is wrong with it and where.
    fn again(line: &str) -> String {
        fn write(json: &Json) -> String {
            match json {
                Json::Null => "null".into(),
                Json::Bool(value) => value.to_string(),
                Json::Number(number) => number.clone(),
                Json::Text(text) => format!("{text:?}"),
                Json::List(items) => {
                    let items: Vec<String> = items.iter().map(|item| write(&item.value)).collect();
                    format!("[{}]", items.join(","))
                }
                Json::Object(fields) => {
                    let write = |(name, value): &(super::Spanned<String>, super::Spanned<Json>)| {
                        format!("{}:{}", name.value, write(&value.value))
                    };
                    let fields: Vec<String> = fields.iter().map(write).collect();
                    format!("{{{}}}", fields.join(","))
                }
            }
        }
        match read(line, 0) {
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
    fn what_is_no_json_is_an_error_with_its_place() {
        for (line, expected) in [
            ("", "0 a value is missing here"),
            (r#"{"a": 1"#, "6 a `,` or `}` is missing here"),
            (r#"{"a": 1,}"#, "8 a name is missing here"),
            (r#"{a: 1}"#, "1 a name is missing here"),
            (r#"{"a" 1}"#, "5 a `:` is missing here"),
            (r#"{"a": 1, "a": 2}"#, "9 `a` is given twice in this row"),
            (r#"{"a": 'b'}"#, "6 this is no JSON"),
            (r#"{"a": 01}"#, "6 this is no number of JSON"),
            (r#"{"a": 1.}"#, "6 this is no number of JSON"),
            (r#"{"a": -}"#, "6 this is no number of JSON"),
            (r#"{"a": NaN}"#, "6 a value is missing here"),
            (r#"{"a": "b}"#, "6 this text has no closing quote"),
            (r#"{"a": "\x"}"#, "7 this is no escape of JSON"),
            (r#"{"a": "\ud83d"}"#, "7 this escape is half of a character"),
            (r#"{"a": "\u12"}"#, "7 this is no escape of JSON"),
            ("{\"a\": \"\t\"}", "7 a control character stands in a text"),
            ("{} {}", "3 more than one value stands in this line"),
            ("é", "0 a value is missing here"),
        ] {
            assert_eq!(again(line), expected, "{line}");
        }
        let deep = "[".repeat(10_000);
        assert_eq!(
            again(&deep),
            "64 lists and objects stand too deep in each other"
        );
    }
}
