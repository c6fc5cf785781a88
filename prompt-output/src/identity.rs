//! Answers that are right as they are: JSON that satisfies the schema, whose value is returned unchanged.

use crate::number::to_json_number;
use prompt_base::json::{Scanner, TokenKind, unescape};
use serde_json::{Map, Value};

/// Returns the value of a text that is JSON and nothing else. There is none if a key occurs twice or a number cannot be represented,
/// since a value would then be lost.
pub(crate) fn parse_exact_json(text: &str) -> Option<Value> {
    let mut scanner = Scanner::new(text);
    let mut open: Vec<Container> = Vec::new();
    let mut root = None;
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
            TokenKind::Number => Value::Number(to_json_number(source)?),
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
    root
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
            assert_eq!(parse_exact_json(text), Some(value), "{text}");
        }
        for text in [
            "{\"a\": 1, \"a\": 1}",
            "{} {}",
            "1e999",
            "36893488147419103232",
            "nul",
            "",
        ] {
            assert_eq!(parse_exact_json(text), None, "{text}");
        }
    }
}
