//! Answers that are right as they are: JSON that satisfies the schema, whose value is returned unchanged.

use crate::number::{nearest_number, to_json_number};
use prompt_base::json::{Scanner, TokenKind, unescape};
use serde_json::{Map, Value};

/// The value of a text that is JSON.
#[derive(Debug, PartialEq)]
pub(crate) struct ExactJson {
    pub value: Value,
    /// A number exceeds 64 bits. Its value is the nearest float.
    pub is_rounded: bool,
}

/// Returns the value of a text that is JSON and nothing else. There is none if a key occurs twice, since a value would then be lost.
pub(crate) fn parse_exact_json(text: &str) -> Option<ExactJson> {
    let mut scanner = Scanner::new(text);
    let mut open: Vec<Container> = Vec::new();
    let mut root = None;
    let mut is_rounded = false;
    while let Some(token) = scanner.next_token().ok()? {
        let source = &text[token.span.start..token.span.end];
        let value = match token.kind {
            TokenKind::ObjectStart => {
                open.push(Container::Object(Map::new(), None));
                continue;
            }
            TokenKind::ListStart => {
                open.push(Container::List(Vec::new()));
                continue;
            }
            TokenKind::Key => {
                let Some(Container::Object(map, key)) = open.last_mut() else {
                    return None;
                };
                let name = unescape(source);
                if map.contains_key(name.as_ref()) {
                    return None;
                }
                *key = Some(name.into_owned());
                continue;
            }
            TokenKind::ObjectEnd | TokenKind::ListEnd => match open.pop()? {
                Container::Object(map, _) => Value::Object(map),
                Container::List(items) => Value::Array(items),
            },
            TokenKind::String => Value::String(unescape(source).into_owned()),
            TokenKind::Number => Value::Number(match to_json_number(source) {
                Some(number) => number,
                None => {
                    is_rounded = true;
                    nearest_number(source)?
                }
            }),
            TokenKind::Bool => Value::Bool(source == "true"),
            TokenKind::Null => Value::Null,
        };
        match open.last_mut() {
            None => root = Some(value),
            Some(Container::List(items)) => items.push(value),
            Some(Container::Object(map, key)) => {
                map.insert(key.take()?, value);
            }
        }
    }
    root.map(|value| ExactJson { value, is_rounded })
}

/// An open object with the key of its next value, or an open list.
enum Container {
    Object(Map<String, Value>, Option<String>),
    List(Vec<Value>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_equal_to_its_text() {
        for text in [
            r#"{"b":[1,1.0,-0.5,1e2],"a":{"":null},"c":"é\n"}"#,
            "[]",
            "true",
            "\"x\"",
            "18446744073709551615",
        ] {
            let value: Value = serde_json::from_str(text).unwrap();
            let is_rounded = false;
            assert_eq!(
                parse_exact_json(text),
                Some(ExactJson { value, is_rounded }),
                "{text}"
            );
        }
        for text in ["{\"a\": 1, \"a\": 1}", "{} {}", "nul", ""] {
            assert_eq!(parse_exact_json(text), None, "{text}");
        }
    }

    #[test]
    fn a_number_of_more_than_64_bits_is_rounded() {
        for (text, float) in [
            ("36893488147419103232", 36_893_488_147_419_103_232.0),
            ("-1e999", f64::MIN),
            ("1e999", f64::MAX),
        ] {
            let value = Value::from(float);
            let is_rounded = true;
            assert_eq!(
                parse_exact_json(text),
                Some(ExactJson { value, is_rounded }),
                "{text}"
            );
        }
    }
}
