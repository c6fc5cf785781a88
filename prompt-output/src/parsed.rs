//! The value read from an answer.

use crate::deserialize::{from_json, from_value};
use crate::partial::{Partial, PartialValue};
use crate::repair::Repair;
use crate::syntax::{End, NodeKind, SyntaxNode};
use serde_core::de::DeserializeOwned;
use serde_json::Value;
use std::borrow::Cow;

/// A value that fits the schema, and how it was read.
///
/// ```
/// use typed_prompt::output::{Ending, Schema};
/// use serde_json::json;
///
/// let schema = Schema::new(&json!({
///     "type": "object",
///     "properties": {"name": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}},
///     "required": ["name", "tags"],
/// }))?;
///
/// let parsed = schema.parse(r#"Sure! {name: "Ann", "tags": ["a", "b"],}"#)?;
/// assert_eq!(parsed.value, json!({"name": "Ann", "tags": ["a", "b"]}));
/// assert_eq!(parsed.ending, Ending::Whole);
/// assert_eq!(parsed.repairs.len(), 3);
///
/// // While the text is arriving, the value so far is returned, and parts that are not final are listed.
/// let parsed = schema.parse_partial(r#"{"name": "Ann", "tags": ["a", "bee"#).unwrap();
/// assert_eq!(parsed.value, json!({"name": "Ann", "tags": ["a", "bee"]}));
/// assert!(parsed.is_final("/name") && !parsed.is_final("/tags/1") && !parsed.is_final("/tags"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Parsed {
    /// The value, ready for serde.
    pub value: Value,
    /// The repairs, in the order of the text.
    pub repairs: Vec<Repair>,
    /// How the text ended.
    pub ending: Ending,
    /// The values that are not final, as JSON pointers (empty for the whole value). Empty unless the answer was read partially.
    pub open: Vec<String>,
    /// The text of an answer that is JSON that satisfies the schema, without its reasoning and fence.
    pub(crate) exact: Option<String>,
    pub(crate) is_rounded: bool,
}

/// How a text ended: whether it contains all of its value.
///
/// ```
/// use typed_prompt::output::{Ending, Schema};
/// use serde_json::json;
///
/// let schema = Schema::new(&json!({"type": "array", "items": {"type": "string"}}))?;
/// assert_eq!(schema.parse(r#"["a", "b"]"#)?.ending, Ending::Whole);
/// assert_eq!(schema.parse(r#"["a", "b""#)?.ending, Ending::Unclosed);
/// assert_eq!(schema.parse(r#"["a", "b"#)?.ending, Ending::Cut);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// Every bracket and string is closed.
    Whole,
    /// Closing brackets are missing, but every value is complete.
    Unclosed,
    /// The text ends in the middle of a value or of a key.
    Cut,
}

impl Ending {
    /// How the text ended, for a value in it. `dangling`: the text ends within an entry that is left out.
    pub(crate) fn from_node(node: &SyntaxNode<'_>, dangling: bool) -> Ending {
        if dangling {
            return Ending::Cut;
        }
        if node.end != End::Cut {
            return Ending::Whole;
        }
        let last = match &node.kind {
            NodeKind::List(items) => items.last(),
            NodeKind::Object(entries) => entries.last().map(|entry| &entry.value),
            NodeKind::Unquoted(_) | NodeKind::Quoted(_) => return Ending::Cut,
        };
        match last {
            Some(last) if last.end == End::Cut => Ending::from_node(last, false),
            _ => Ending::Unclosed,
        }
    }
}

impl Parsed {
    /// Returns the JSON of the value. For an answer that is right already it is the answer as it is written, with all digits of its numbers.
    ///
    /// ```
    /// use typed_prompt::output::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::new(&json!({"type": "array", "items": {"type": "number"}}))?;
    /// let parsed = schema.parse("[1e2, 0.10, 18446744073709551616]")?;
    /// assert_eq!(parsed.json(), "[1e2, 0.10, 18446744073709551616]");
    /// assert_eq!(schema.parse("[1, '2']")?.json(), "[1,2]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn json(&self) -> Cow<'_, str> {
        match &self.exact {
            Some(json) => json.into(),
            None => self.value.to_string().into(),
        }
    }

    /// Whether [`value`](Parsed::value) contains the nearest float of a number that exceeds 64 bits. [`json`](Parsed::json) has all of its
    /// digits.
    ///
    /// ```
    /// use typed_prompt::output::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::new(&json!({"type": "integer"}))?;
    /// assert!(!schema.parse("18446744073709551615")?.is_rounded());
    /// let parsed = schema.parse("18446744073709551616")?;
    /// assert!(parsed.is_rounded());
    /// assert_eq!(parsed.value, json!(18446744073709551616.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_rounded(&self) -> bool {
        self.is_rounded
    }

    /// Converts the value into a type. Whole numbers with a fraction of zero, such as `3.0`, are whole numbers of JSON Schema, which serde
    /// does not read as such: they are converted too. A number that exceeds 64 bits is read from its digits.
    ///
    /// # Errors
    /// The value does not have the form of the type. Or a number that exceeds 64 bits is where the type accepts any value, as `serde_json::Value`,
    /// flattened, untagged and internally tagged types do, which would have its nearest float. Or the type wants an integer where a
    /// number above 2^53 has an exponent or a fraction, such as `1e20`.
    ///
    /// ```
    /// use typed_prompt::output::Schema;
    ///
    /// let parsed = Schema::from_type::<Vec<u128>>()?.parse("[1, 2.0]")?;
    /// assert_eq!(parsed.deserialize::<Vec<u128>>()?, [1, 2]);
    /// let parsed = Schema::from_type::<u128>()?.parse("18446744073709551617")?;
    /// assert_eq!(parsed.deserialize::<u128>()?, 18446744073709551617);
    /// assert!(parsed.deserialize::<serde_json::Value>().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        match &self.exact {
            Some(json) if self.is_rounded => from_json(json),
            _ => from_value(&self.value),
        }
    }

    /// Whether the value at a JSON pointer, and everything in it, is complete.
    ///
    /// In an object or a list, a string or number is complete when the next key or item begins, or at the closing bracket, and not at its own last
    /// character, because the next characters decide whether it ends there. An object or a list is complete at its closing bracket.
    ///
    /// ```
    /// use typed_prompt::output::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::new(&json!({"type": "array", "items": {"type": "string"}}))?;
    /// let parsed = schema.parse_partial("[\"one\", \"tw").unwrap();
    /// assert!(parsed.is_final("/0") && !parsed.is_final("/1"));
    /// let parsed = schema.parse_partial("[\"one\", ").unwrap();
    /// assert!(!parsed.is_final("/0")); // no item follows yet
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_final(&self, pointer: &str) -> bool {
        let inside = |open: &str| {
            open.strip_prefix(pointer)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.value.pointer(pointer).is_some() && !self.open.iter().any(|open| inside(open))
    }

    /// Returns the part of a type's value that has arrived: see [`Partial`]. `None` if there is nothing of it, or if the type is present only
    /// once it is complete.
    ///
    /// ```
    /// use typed_prompt::output::Schema;
    ///
    /// let parsed = Schema::from_type::<Vec<String>>()?.parse_partial("[\"one\", \"tw").unwrap();
    /// assert_eq!(parsed.to_partial::<Vec<String>>().unwrap(), ["one", "tw"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_partial<T: Partial>(&self) -> Option<T::Partial> {
        T::from_partial(&PartialValue::new(&self.value, &self.open))
    }
}
