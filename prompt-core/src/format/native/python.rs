//! What Python does to text, where a model's chat template relies on it.

use crate::Json;
use crate::python::push_repr;
use prompt_syntax::json::{Escapes, JsonStyle, TokenKind, push_char, push_string, unescape};

/// `str.title`: every word starts with a capital, the rest is lowercase.
pub(crate) fn title(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut inside = false;
    for letter in text.chars() {
        if inside {
            out.extend(letter.to_lowercase());
        } else {
            out.extend(letter.to_uppercase());
        }
        inside = letter.is_alphabetic();
    }
    out
}

/// `json.dumps(…, ensure_ascii=False)`: `", "` and `": "` between tokens, or an indent.
///
/// Keys keep their order and numbers their spelling; strings are escaped as Python escapes them.
pub(crate) fn dumps(json: &Json, indent: Option<usize>) -> String {
    let indent = indent.map(|width| " ".repeat(width));
    let style = indent
        .as_deref()
        .map_or(JsonStyle::SPACED, JsonStyle::indented);
    json.transcribe(style, |out, kind, token| match kind {
        TokenKind::Key | TokenKind::String => {
            push_string(out, &unescape(token), Escapes::Required);
        }
        _ => out.push_str(token),
    })
}

/// A string as `json.dumps(…, ensure_ascii=False)` writes it.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_string(&mut out, text, Escapes::Required);
    out
}

/// The same without its quotes.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        push_char(&mut out, letter, Escapes::Required);
    }
    out
}

/// A list printed up to the end of the text of its last text item: as `repr` prints it, or as `dumps` does.
pub(crate) fn list_to_text(list: &Json, as_json: bool) -> Option<String> {
    let items = list.items()?;
    let last = items.iter().rposition(|item| item.get("text").is_some())?;
    let print = |json: &Json| {
        if as_json {
            dumps(json, None)
        } else {
            repr(json)
        }
    };
    let mut out = "[".to_owned();
    for item in &items[..last] {
        out.push_str(&print(item));
        out.push_str(", ");
    }
    out.push('{');
    for (key, value) in items[last].entries()? {
        out.push_str(&print(&Json::from(serde_json::Value::from(&*key))));
        out.push_str(": ");
        let value_text = print(&value);
        if key == "text" {
            out.push_str(&value_text[..value_text.len() - 1]);
            break;
        }
        out.push_str(&value_text);
        out.push_str(", ");
    }
    Some(out)
}

/// `str(value)`: a string as it is, everything else as Python's literals.
pub(crate) fn display(json: &Json) -> String {
    json.as_string().unwrap_or_else(|| repr(json))
}

/// `repr(value)`: JSON as Python's literals.
pub(crate) fn repr(json: &Json) -> String {
    json.transcribe(JsonStyle::SPACED, |out, kind, token| match kind {
        TokenKind::Key | TokenKind::String => push_repr(out, &unescape(token)),
        TokenKind::Bool => out.push_str(if token == "true" { "True" } else { "False" }),
        TokenKind::Null => out.push_str("None"),
        _ => out.push_str(token),
    })
}
