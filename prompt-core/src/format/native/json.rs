//! Reading JSON as Python reads it.

use std::collections::HashSet;

use prompt_base::json::{Scanner, TokenKind, unescape};

use super::python::quoted;
use crate::{Json, JsonKind};

impl Json {
    /// The value as Python reads it: of a repeated key, the last value counts, where the first one is.
    pub(crate) fn with_unique_keys(self) -> Json {
        match self.repeats_a_key() {
            true => self.without_repeated_keys(),
            false => self,
        }
    }

    fn repeats_a_key(&self) -> bool {
        let text = self.as_str();
        let mut scanner = Scanner::new(text).with_max_depth(usize::MAX);
        let mut open: Vec<HashSet<_>> = Vec::new();
        while let Ok(Some(token)) = scanner.next_token() {
            match token.kind {
                TokenKind::ObjectStart => open.push(HashSet::new()),
                TokenKind::ObjectEnd => drop(open.pop()),
                TokenKind::Key => {
                    let key = unescape(token.span.of(text));
                    if open.last_mut().is_some_and(|keys| !keys.insert(key)) {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }

    fn without_repeated_keys(&self) -> Json {
        match self.kind() {
            JsonKind::Object => {
                let entries = self.unique_entries().unwrap_or_default().into_iter();
                let entries = entries.map(|(key, value)| {
                    format!(
                        "{}:{}",
                        quoted(&key),
                        value.without_repeated_keys().as_str()
                    )
                });
                Json::compact(&format!("{{{}}}", entries.collect::<Vec<_>>().join(",")))
            }
            JsonKind::Array => {
                let items = self.items().unwrap_or_default();
                let items: Vec<Json> = items.iter().map(Json::without_repeated_keys).collect();
                Json::list(&items)
            }
            _ => self.clone(),
        }
    }

    /// The entry of an object with this key.
    pub(crate) fn get(&self, key: &str) -> Option<Json> {
        let mut entries = self.entries()?.into_iter();
        entries.find(|entry| entry.0 == key).map(|entry| entry.1)
    }

    /// These values as an array.
    pub(crate) fn list(items: &[Json]) -> Json {
        let items: Vec<&str> = items.iter().map(Json::as_str).collect();
        // Values with commas between them are an array.
        Json::compact(&format!("[{}]", items.join(",")))
    }

    /// Whether Python takes the value for true.
    pub(crate) fn is_truthy(&self) -> bool {
        !matches!(
            self.as_str(),
            "null" | "false" | "0" | "0.0" | "\"\"" | "[]" | "{}"
        )
    }
}
