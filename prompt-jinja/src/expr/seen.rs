use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use crate::expr::Value;

/// The values that were there before. Its own order is never asked for.
#[derive(Default)]
pub(crate) struct Seen<'a> {
    by_hash: HashMap<u64, Vec<Value<'a>>>,
}

impl<'a> Seen<'a> {
    /// Whether the value is new.
    pub(crate) fn insert(&mut self, value: Value<'a>) -> bool {
        let mut hasher = DefaultHasher::new();
        hash(&value, &mut hasher);
        let alike = self.by_hash.entry(hasher.finish()).or_default();
        let is_new = !alike.iter().any(|other| other.same(&value));
        if is_new {
            alike.push(value);
        }
        is_new
    }
}

/// Equal values have equal hashes: `1`, `1.0` and `True` too.
#[allow(clippy::cast_possible_truncation)] // Both sides of a comparison are truncated alike.
fn hash(value: &Value<'_>, out: &mut DefaultHasher) {
    match value {
        Value::Text(text) => (**text).hash(out),
        Value::Float(number) if number.fract() == 0.0 => (*number as i128).hash(out),
        Value::Float(number) => number.to_bits().hash(out),
        Value::Tuple(items) => items.iter().for_each(|item| hash(item, out)),
        other => match other.whole() {
            Some(number) => number.hash(out),
            None => out.write_u8(0),
        },
    }
}
