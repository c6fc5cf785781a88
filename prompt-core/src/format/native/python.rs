//! What Python does to text, where a model's own template relies on it.

use crate::Json;
use crate::json::Shape;
use crate::python::push_repr;

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
    let text = match indent {
        Some(width) => json.indented(width),
        None => json.spaced(),
    };
    if !text.contains('\\') && !text.contains('\x7f') {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(start) = rest.find('"') {
        let end = start + string_len(&rest[start..]);
        out.push_str(&rest[..start]);
        match serde_json::from_str::<String>(&rest[start..end]) {
            Ok(value) => quote(&value, &mut out),
            Err(_) => out.push_str(&rest[start..end]),
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// A string as `json.dumps(…, ensure_ascii=False)` writes it.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    quote(text, &mut out);
    out
}

fn quote(text: &str, out: &mut String) {
    out.push('"');
    out.push_str(&escaped(text));
    out.push('"');
}

/// The text between the quotes of such a string.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\x08' => out.push_str("\\b"),
            '\x0c' => out.push_str("\\f"),
            '\0'..='\x1f' => out.push_str(&format!("\\u{:04x}", u32::from(letter))),
            _ => out.push(letter),
        }
    }
    out
}

/// How many bytes the JSON string at the start of `text` takes.
fn string_len(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
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
    match json.shape() {
        Shape::Null => "None".to_owned(),
        Shape::Bool => if json.as_str() == "true" {
            "True"
        } else {
            "False"
        }
        .to_owned(),
        Shape::Number => json.as_str().to_owned(),
        Shape::String => json
            .as_string()
            .map_or_else(|| json.as_str().to_owned(), |text| repr_text(&text)),
        Shape::Array => {
            let items: Vec<String> = json.items().unwrap_or_default().iter().map(repr).collect();
            format!("[{}]", items.join(", "))
        }
        Shape::Object => {
            let entries = json.entries().unwrap_or_default();
            let entry =
                |(key, value): &(String, Json)| format!("{}: {}", repr_text(key), repr(value));
            let entries: Vec<String> = entries.iter().map(entry).collect();
            format!("{{{}}}", entries.join(", "))
        }
    }
}

fn repr_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_repr(&mut out, text);
    out
}
