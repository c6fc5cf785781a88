//! JSON kept as text.

use std::fmt;

use serde_core::de::{Deserializer as _, Error as _, MapAccess, SeqAccess, Visitor};
use serde_core::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{Error, ErrorKind, Result};
use prompt_base::json::{
    JsonErrorKind, JsonStyle, ScanError, Scanner, TokenKind, reformat, transcribe,
};

/// JSON kept as text: the order of the keys and the spelling of the numbers stay as they were written.
///
/// The text is checked when it is made and kept without white space between its tokens.
///
/// ```
/// use typed_prompt::message::Json;
///
/// let json = Json::parse(r#"{ "b": 1.50, "a": [true, null] }"#)?;
/// assert_eq!(json.as_str(), r#"{"b":1.50,"a":[true,null]}"#);
/// assert_eq!(json.spaced(), r#"{"b": 1.50, "a": [true, null]}"#);
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone)]
pub struct Json(Box<RawValue>);

impl Json {
    /// Reads JSON text.
    ///
    /// # Errors
    /// Text that is not one JSON value, with its line and column; one that is nested deeper than 127, and an escape that
    /// is half of a character, as `serde_json::Value` refuses them.
    ///
    /// ```
    /// use typed_prompt::message::Json;
    ///
    /// assert!(Json::parse("[1, 2]").is_ok());
    /// assert!(Json::parse("[1, 2").is_err());
    /// assert!(Json::parse(&"[".repeat(100_000)).is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Json> {
        match reformat(text, JsonStyle::COMPACT) {
            Ok(compact) => Ok(Json::of_text(compact)),
            Err(error) => Err(not_json(text, &error)),
        }
    }

    /// Any serializable value as JSON.
    ///
    /// # Errors
    /// JSON cannot express the value, for example a map with keys that are not strings, or the value is nested deeper than 127 levels.
    ///
    /// ```
    /// use typed_prompt::message::Json;
    ///
    /// assert_eq!(Json::from_serialize(&("a", 1))?.as_str(), r#"["a",1]"#);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn from_serialize(value: &(impl Serialize + ?Sized)) -> Result<Json> {
        let text = serde_json::to_string(value).map_err(|error| {
            Error::new(
                ErrorKind::Json,
                format!("the value cannot be written as JSON: {error}"),
            )
        })?;
        Json::parse(&text)
    }

    /// The text, without white space between tokens.
    ///
    /// ```
    /// # use typed_prompt::message::Json;
    /// assert_eq!(Json::parse("[ 1 ]")?.as_str(), "[1]");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// The text with `", "` and `": "` between tokens, as Python's `json.dumps` prints it.
    ///
    /// ```
    /// # use typed_prompt::message::Json;
    /// assert_eq!(Json::parse(r#"{"a":[1,2],"b":{}}"#)?.spaced(), r#"{"a": [1, 2], "b": {}}"#);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn spaced(&self) -> String {
        self.transcribe(JsonStyle::SPACED, |out, _, token| out.push_str(token))
    }

    /// The text over several lines, each level indented by `width` spaces.
    ///
    /// ```
    /// # use typed_prompt::message::Json;
    /// assert_eq!(Json::parse(r#"{"a":[1],"b":[]}"#)?.indented(2), "{\n  \"a\": [\n    1\n  ],\n  \"b\": []\n}");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn indented(&self, width: usize) -> String {
        self.transcribe(JsonStyle::indented(&" ".repeat(width)), |out, _, token| {
            out.push_str(token);
        })
    }

    /// Reads the value into a type.
    ///
    /// # Errors
    /// JSON that does not fit the type.
    ///
    /// ```
    /// let numbers: Vec<u8> = typed_prompt::message::Json::parse("[1, 2]")?.deserialize_as()?;
    /// assert_eq!(numbers, [1, 2]);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn deserialize_as<'a, T: Deserialize<'a>>(&'a self) -> Result<T> {
        serde_json::from_str(self.as_str()).map_err(|error| parse_error(self.as_str(), &error))
    }

    /// The kind of the value, from its first byte.
    ///
    /// ```
    /// use typed_prompt::message::{Json, JsonKind};
    ///
    /// assert_eq!(Json::parse("[1]")?.kind(), JsonKind::Array);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn kind(&self) -> JsonKind {
        match self.as_str().as_bytes().first() {
            Some(b'{') => JsonKind::Object,
            Some(b'[') => JsonKind::Array,
            Some(b'"') => JsonKind::Str,
            Some(b't' | b'f') => JsonKind::Bool,
            Some(b'n') => JsonKind::Null,
            _ => JsonKind::Number,
        }
    }

    pub(crate) fn shape(&self) -> Shape {
        self.kind()
    }

    /// The text of a string; `None` for any other kind.
    ///
    /// ```
    /// # use typed_prompt::message::Json;
    /// assert_eq!(Json::parse(r#""a\n""#)?.as_string().as_deref(), Some("a\n"));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn as_string(&self) -> Option<String> {
        (self.kind() == JsonKind::Str).then(|| serde_json::from_str(self.as_str()).ok())?
    }

    /// The entries of an object in the order written, repeated keys included; `None` for any other kind.
    ///
    /// ```
    /// # use typed_prompt::message::Json;
    /// let entries = Json::parse(r#"{"b": 1, "a": 2}"#)?.entries().unwrap();
    /// assert_eq!(entries[0], ("b".to_owned(), Json::parse("1")?));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn entries(&self) -> Option<Vec<(String, Json)>> {
        struct OrderedObject;
        impl<'de> Visitor<'de> for OrderedObject {
            type Value = Vec<(String, Json)>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some((key, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    entries.push((key, Json(value)));
                }
                Ok(entries)
            }
        }
        serde_json::Deserializer::from_str(self.as_str())
            .deserialize_map(OrderedObject)
            .ok()
    }

    /// The items of an array, each of them read; the error of one contains its index in the list `name`.
    pub(crate) fn parse_items<T>(
        items: &[Json],
        name: &str,
        read: fn(&Json) -> crate::Result<T>,
    ) -> crate::Result<Vec<T>> {
        let mut list = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let item = read(item).map_err(|error| error.inside(&format!("{name}[{index}]")))?;
            list.push(item);
        }
        Ok(list)
    }

    /// The entries of an object as Python's `json.loads` reads them: a repeated key has its first position and its last value.
    ///
    /// ```
    /// # use typed_prompt::message::Json;
    /// let entries = Json::parse(r#"{"a": 1, "b": 2, "a": 3}"#)?.unique_entries().unwrap();
    /// assert_eq!(entries[0].1.as_str(), "3");
    /// assert_eq!(entries.len(), 2);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn unique_entries(&self) -> Option<Vec<(String, Json)>> {
        let mut positions = std::collections::BTreeMap::new();
        let mut kept: Vec<(String, Json)> = Vec::new();
        for (key, value) in self.entries()? {
            let at = *positions.entry(key.clone()).or_insert(kept.len());
            match kept.get_mut(at) {
                Some(known) => known.1 = value,
                None => kept.push((key, value)),
            }
        }
        Some(kept)
    }

    /// The items of an array; `None` for any other kind.
    ///
    /// ```
    /// # use typed_prompt::message::Json;
    /// assert_eq!(Json::parse("[1, 2]")?.items().unwrap()[1].as_str(), "2");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn items(&self) -> Option<Vec<Json>> {
        struct Items;
        impl<'de> Visitor<'de> for Items {
            type Value = Vec<Json>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element::<Box<RawValue>>()? {
                    items.push(Json(item));
                }
                Ok(items)
            }
        }
        serde_json::Deserializer::from_str(self.as_str())
            .deserialize_seq(Items)
            .ok()
    }

    /// Text that is known to be JSON and to be made of what was read, less the white space between its tokens.
    pub(crate) fn compact(text: &str) -> Json {
        let scalar = |out: &mut String, _, token: &str| out.push_str(token);
        let compact = transcribe(
            Scanner::new(text).with_max_depth(usize::MAX),
            JsonStyle::COMPACT,
            scalar,
        );
        Json::of_text(compact.unwrap_or_else(|_| text.to_owned()))
    }

    /// Prints the value in a style and notation: `scalar` appends each key, string, number and literal.
    pub(crate) fn transcribe(
        &self,
        style: JsonStyle<'_>,
        scalar: impl FnMut(&mut String, TokenKind, &str),
    ) -> String {
        let scanner = Scanner::new(self.as_str()).with_max_depth(usize::MAX);
        transcribe(scanner, style, scalar).unwrap_or_else(|_| self.as_str().to_owned())
    }

    fn of_text(text: String) -> Json {
        // The scanner has accepted the text, so serde_json does too.
        Json(RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned()))
    }
}

/// The kinds of JSON values.
///
/// ```
/// use typed_prompt::message::{Json, JsonKind};
///
/// assert_eq!(Json::parse("null")?.kind(), JsonKind::Null);
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum JsonKind {
    /// `{…}`.
    Object,
    /// `[…]`.
    Array,
    /// A string. It is not named `String`, because rustc would then print the type as `std::string::String` in errors.
    Str,
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
    /// `null`.
    Null,
}

pub(crate) use JsonKind as Shape;

impl JsonKind {
    /// The name with its article, for error messages.
    ///
    /// ```
    /// assert_eq!(typed_prompt::message::JsonKind::Object.name(), "an object");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            JsonKind::Object => "an object",
            JsonKind::Array => "a list",
            JsonKind::Str => "a string",
            JsonKind::Number => "a number",
            JsonKind::Bool => "a boolean",
            JsonKind::Null => "null",
        }
    }
}

/// A duplicate key in an object: a Rust value keeps one of the two.
pub(crate) fn repeated_key(entries: &[(String, Json)]) -> Option<&str> {
    let mut known = std::collections::BTreeSet::new();
    let mut keys = entries.iter().map(|entry| entry.0.as_str());
    keys.find(|key| !known.insert(*key))
}

/// Takes an entry out of an object's.
pub(crate) fn take_entry(entries: &mut Vec<(String, Json)>, key: &str) -> Option<Json> {
    let at = entries.iter().position(|entry| entry.0 == key)?;
    Some(entries.remove(at).1)
}

fn not_json(text: &str, error: &ScanError) -> Error {
    let reason = match error.at_end {
        true => "the text ends too early".to_owned(),
        false => error.kind.to_string(),
    };
    let message = match error.kind {
        JsonErrorKind::TooDeep | JsonErrorKind::LoneSurrogate => "this JSON cannot be read",
        _ => "this is not JSON",
    };
    Error::new(ErrorKind::Json, format!("{message}: {reason}")).with_drawing(
        text,
        error.span.range(),
        reason,
    )
}

fn parse_error(text: &str, error: &serde_json::Error) -> Error {
    let at = crate::error::offset(text, error.line(), error.column());
    let reason = error.to_string();
    let reason = reason.split(" at line ").next().unwrap_or_default();
    Error::new(ErrorKind::Json, format!("this is not JSON: {reason}")).with_drawing(
        text,
        at..at,
        reason,
    )
}

impl PartialEq for Json {
    fn eq(&self, other: &Json) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Json {}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::str::FromStr for Json {
    type Err = Error;

    fn from_str(text: &str) -> Result<Json> {
        Json::parse(text)
    }
}

impl From<&serde_json::Value> for Json {
    fn from(value: &serde_json::Value) -> Json {
        Json::compact(&value.to_string())
    }
}

impl From<serde_json::Value> for Json {
    fn from(value: serde_json::Value) -> Json {
        Json::from(&value)
    }
}

impl Serialize for Json {
    fn serialize<S: serde_core::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: serde_core::Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        match reformat(raw.get(), JsonStyle::COMPACT) {
            Ok(compact) => Ok(Json::of_text(compact)),
            Err(error) => Err(D::Error::custom(error.kind)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `Json` is read into `serde_json::Value` in many places, so it must not accept more.
    #[test]
    fn json_that_serde_json_rejects_is_rejected() {
        let nested = |depth: usize| ["[".repeat(depth), "]".repeat(depth)].concat();
        let mut texts: Vec<String> = (126..130).map(nested).collect();
        texts.extend(
            [
                r#""\ud83d\ude00""#,
                r#""\ud83d""#,
                r#"["\\ud83d", "\uD83D\n"]"#,
                r#""\ude00\ud83d""#,
                r#""\ud83d\ud83d\ude00""#,
                r#"{"\u00e9\udfff": 1}"#,
                "[1, 2",
                "{\"a\": 01}",
                "nul",
                "\u{feff}1",
            ]
            .map(str::to_owned),
        );
        for text in texts {
            let value = serde_json::from_str::<serde_json::Value>(&text);
            assert_eq!(Json::parse(&text).is_ok(), value.is_ok(), "{text}");
        }
    }
}
