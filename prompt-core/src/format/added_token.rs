//! The tokens that a tokenizer's file adds to its vocabulary.

use crate::{Error, ErrorKind, Json, JsonKind, Result};

/// A token that a tokenizer finds in text before it splits the text.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AddedToken {
    /// The text of the token.
    pub content: String,
    /// Whether it is a control token. Others, such as `<tool_call>`, may be ordinary text to some users.
    pub is_special: bool,
    /// Whether the tokenizer searches for it in text that it has changed by a normalizer such as NFKC.
    pub is_normalized: bool,
}

impl AddedToken {
    /// The list `added_tokens` of a `tokenizer.json`.
    ///
    /// # Errors
    /// The text is not JSON, or has no such list.
    ///
    /// ```
    /// use typed_prompt::format::AddedToken;
    ///
    /// let json = r#"{"added_tokens": [{"id": 0, "content": "[MASK]", "special": true}]}"#;
    /// assert_eq!(AddedToken::parse(json)?[0].content, "[MASK]");
    /// assert!(AddedToken::parse("{}").is_err());
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn parse(json: &str) -> Result<Vec<AddedToken>> {
        let json = Json::parse(json).map_err(|error| error.inside("tokenizer.json"))?;
        let tokens = value_of_key(&json, "added_tokens").and_then(|tokens| tokens.items());
        let tokens = tokens.ok_or_else(|| {
            let message = match json.kind() {
                JsonKind::Object => "`tokenizer.json` has no list `added_tokens`".to_owned(),
                kind => format!(
                    "tokenizer.json: an object is expected, and this is {}",
                    kind.name()
                ),
            };
            Error::new(ErrorKind::Template, message)
                .with_help("give the file that belongs to the tokenizer")
        })?;
        let changes_text_first =
            value_of_key(&json, "normalizer").is_some_and(|normalizer| changes_text(&normalizer));
        let read = |json: &Json| {
            let token = AddedToken::from_json(json)?;
            let is_normalized = token.is_normalized && changes_text_first;
            Some(AddedToken {
                is_normalized,
                ..token
            })
        };
        Ok(tokens.iter().filter_map(read).collect())
    }

    /// A token as the files of tokenizers write it: its text, or an object with its `content`. It is special unless the
    /// object states the opposite. `None` for other JSON, and for an empty text.
    pub fn from_json(json: &Json) -> Option<AddedToken> {
        let content = match json.kind() {
            JsonKind::Object => value_of_key(json, "content")?.as_string()?,
            _ => json.as_string()?,
        };
        let special = value_of_key(json, "special");
        let normalized = value_of_key(json, "normalized");
        (!content.is_empty()).then(|| AddedToken {
            content,
            is_special: special.is_none_or(|special| special.as_str() != "false"),
            is_normalized: normalized.is_some_and(|normalized| normalized.as_str() == "true"),
        })
    }

    /// Whether data must not contain it: it is special, or written as control tokens are, `<|…|>`.
    pub fn is_control(&self) -> bool {
        self.is_special || self.content.starts_with("<|") && self.content.ends_with("|>")
    }
}

/// Whether a normalizer changes more than white space.
fn changes_text(normalizer: &Json) -> bool {
    let get = |key: &str| value_of_key(normalizer, key);
    let kind = get("type").and_then(|kind| kind.as_string());
    match kind.as_deref() {
        None | Some("Prepend" | "Strip") => false,
        Some("Sequence") => {
            let parts = get("normalizers").and_then(|parts| parts.items());
            parts.unwrap_or_default().iter().any(changes_text)
        }
        Some("Replace") => {
            let pattern = get("pattern").and_then(|pattern| value_of_key(&pattern, "String"));
            pattern.and_then(|pattern| pattern.as_string()).as_deref() != Some(" ")
        }
        Some(_) => true,
    }
}

/// The value of a key, if this is an object that has it; the last one of a repeated key, as in Python.
fn value_of_key(object: &Json, key: &str) -> Option<Json> {
    let mut entries = object.entries()?.into_iter();
    entries.rfind(|entry| entry.0 == key).map(|entry| entry.1)
}
