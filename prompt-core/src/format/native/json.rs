//! Reading JSON as Python reads it.

use crate::Json;

impl Json {
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
