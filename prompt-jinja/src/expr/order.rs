use std::cmp::Ordering;

use crate::expr::{Result, Value};

/// How texts are ordered: Jinja2 looks away from capitals unless told otherwise.
#[derive(Clone, Copy)]
pub(crate) struct Collation {
    pub(crate) case_sensitive: bool,
}

impl Collation {
    /// What a value is ordered by.
    pub(crate) fn key<'a>(self, value: &Value<'a>) -> Result<Value<'a>> {
        Ok(match value {
            Value::Failed(fault) => return Err(fault.clone()),
            Value::Text(text) if !self.case_sensitive => text.changed(text.to_lowercase()).into(),
            value => value.clone(),
        })
    }

    /// What an item is ordered by, of several values: as Jinja2's `sort` has it, also of one.
    pub(crate) fn keys<'a>(self, values: &[Value<'a>]) -> Result<Value<'a>> {
        let mut keys = Vec::with_capacity(values.len());
        for value in values {
            keys.push(self.key(value)?);
        }
        Ok(Value::Tuple(keys.into()))
    }
}

/// Sorts by keys; equal ones keep their order, also in reverse.
///
/// A merge sort of our own: it asks for `<` only, as Python's does, stops at keys that have no order, and does not mind
/// `nan`, which is neither before nor after anything.
pub(crate) fn sorted<'a, T>(
    mut items: Vec<(Value<'a>, T)>,
    reverse: bool,
) -> Result<Vec<(Value<'a>, T)>> {
    if reverse {
        items.reverse();
    }
    let mut items = merge_sorted(items)?;
    if reverse {
        items.reverse();
    }
    Ok(items)
}

/// The second of each pair, in the order of the first.
pub(crate) fn in_order<'a>(
    items: Vec<(Value<'a>, Value<'a>)>,
    reverse: bool,
) -> Result<Vec<Value<'a>>> {
    let mut ordered = Vec::with_capacity(items.len());
    for (_, item) in sorted(items, reverse)? {
        ordered.push(item);
    }
    Ok(ordered)
}

fn merge_sorted<'a, T>(mut items: Vec<(Value<'a>, T)>) -> Result<Vec<(Value<'a>, T)>> {
    if items.len() < 2 {
        return Ok(items);
    }
    let len = items.len();
    let right = merge_sorted(items.split_off(len / 2))?;
    let mut left = merge_sorted(items)?.into_iter().peekable();
    let mut right = right.into_iter().peekable();
    let mut merged = Vec::with_capacity(len);
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let before = b.0.order("<", &a.0)? == Some(Ordering::Less);
        merged.extend(if before { right.next() } else { left.next() });
    }
    merged.extend(left);
    merged.extend(right);
    Ok(merged)
}
