//! Sorting as Python sorts, and sets of values.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::compare::hash_key;
use super::{Host, Made, Outcome, SourcedStr, View};

/// Items, each after its key.
pub(crate) type Keyed<V, T> = Vec<(V, T)>;

/// The key by which a value is ordered: Jinja2 ignores the case of strings by default.
pub(crate) fn sort_key<H: Host>(host: &mut H, value: &H::Value, case_sensitive: bool) -> Made<H> {
    match H::view_value(value) {
        View::Str(text) if !case_sensitive => {
            host.charge_bytes(text.len())?;
            Ok(H::from_str(text.change_whole(str::to_lowercase)))
        }
        _ => Ok(value.clone()),
    }
}

/// The key of an item with several values. Jinja2's `sort` also uses it for one value.
pub(crate) fn sort_keys<H: Host>(
    host: &mut H,
    values: &[H::Value],
    case_sensitive: bool,
) -> Made<H> {
    let mut keys = Vec::with_capacity(values.len());
    for value in values {
        keys.push(sort_key(host, value, case_sensitive)?);
    }
    host.make_tuple(keys)
}

/// Sorts by keys; equal ones keep their order, also in reverse.
///
/// A merge sort that only uses `<` stops at keys that have no order, and accepts
/// `nan`, which is neither before nor after anything. With it, the order may differ from that of Python.
pub(crate) fn sort_by_keys<H: Host, T>(
    host: &mut H,
    mut items: Keyed<H::Value, T>,
    reverse: bool,
) -> Outcome<H, Keyed<H::Value, T>> {
    if reverse {
        items.reverse();
    }
    let mut items = merge_sort(host, items)?;
    if reverse {
        items.reverse();
    }
    Ok(items)
}

/// The second of each pair, in the order of the first.
pub(crate) fn sort_items<H: Host, T>(
    host: &mut H,
    items: Keyed<H::Value, T>,
    reverse: bool,
) -> Outcome<H, Vec<T>> {
    let sorted = sort_by_keys(host, items, reverse)?;
    Ok(sorted.into_iter().map(|(_, item)| item).collect())
}

/// Python compares the right item with the left one by `<`: for keys of which only some have an order, the result depends on it.
fn merge_sort<H: Host, T>(
    host: &mut H,
    mut items: Keyed<H::Value, T>,
) -> Outcome<H, Keyed<H::Value, T>> {
    if items.len() < 2 {
        return Ok(items);
    }
    let len = items.len();
    let right = items.split_off(len / 2);
    let mut left = merge_sort(host, items)?.into_iter().peekable();
    let mut right = merge_sort(host, right)?.into_iter().peekable();
    let mut merged = Vec::with_capacity(len);
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let before = host.compare_values("<", &b.0, &a.0)? == Some(Ordering::Less);
        merged.extend(if before { right.next() } else { left.next() });
    }
    merged.extend(left);
    merged.extend(right);
    Ok(merged)
}

/// The values seen so far. The order of the map is never used.
pub(crate) struct Seen<H: Host> {
    by_hash: HashMap<u64, Vec<H::Value>>,
}

impl<H: Host> Default for Seen<H> {
    fn default() -> Self {
        Seen {
            by_hash: HashMap::new(),
        }
    }
}

impl<H: Host> Seen<H> {
    /// Whether the value is new. The value must be hashable.
    pub(crate) fn insert(&mut self, host: &mut H, value: H::Value) -> Outcome<H, bool> {
        H::check_hashable(&value)?;
        let alike = self.by_hash.entry(hash_key::<H>(&value)).or_default();
        for other in alike.iter() {
            if host.are_equal(other, &value)? {
                return Ok(false);
            }
        }
        alike.push(value);
        Ok(true)
    }
}

/// The items by their keys, in the order of the keys. The items of a group have equal keys.
pub(crate) fn group_by_keys<H: Host, T>(
    host: &mut H,
    items: Keyed<H::Value, T>,
) -> Outcome<H, Vec<Vec<T>>> {
    let mut groups: Vec<(H::Value, Vec<T>)> = Vec::new();
    for (key, item) in sort_by_keys(host, items, false)? {
        match groups.last_mut() {
            Some((last, items)) if host.are_equal(last, &key)? => items.push(item),
            _ => groups.push((key, vec![item])),
        }
    }
    Ok(groups.into_iter().map(|(_, items)| items).collect())
}
