//! Lists of Rust values, sorted, grouped and filtered by a key of each item.

use std::rc::Rc;

use crate::builtin::item::{slice_bound, slice_range};
use crate::builtin::sort::{Seen, group_by_keys, sort_items, sort_key, sort_keys};
use crate::expr::host::Typed;
use crate::expr::{Result, Value};

/// The items that a test accepts, in order: `select`, `selectattr`, and the `if` of a loop.
///
/// # Errors
/// A test that fails.
///
/// ```
/// use prompt_jinja::private::select_by;
///
/// assert_eq!(select_by(&[1, 2, 3], |n| Ok(*n > 1))?, [&2, &3]);
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn select_by<'a, T: 'a>(
    list: impl IntoIterator<Item = &'a T>,
    mut keep: impl FnMut(&'a T) -> Result<bool>,
) -> Result<Vec<&'a T>> {
    let mut kept = Vec::new();
    for item in list.into_iter() {
        if keep(item)? {
            kept.push(item);
        }
    }
    Ok(kept)
}

/// The items that a test rejects: `reject`, `rejectattr`.
///
/// # Errors
/// A test that fails.
///
/// ```
/// use prompt_jinja::private::reject_by;
///
/// assert_eq!(reject_by(&[1, 2, 3], |n| Ok(*n > 1))?, [&1]);
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn reject_by<'a, T: 'a>(
    list: impl IntoIterator<Item = &'a T>,
    mut drop: impl FnMut(&'a T) -> Result<bool>,
) -> Result<Vec<&'a T>> {
    select_by(list, |item| drop(item).map(|drop| !drop))
}

/// One value of each item: `map(attribute="name")`.
///
/// # Errors
/// A value that fails.
///
/// ```
/// use prompt_jinja::private::map_by;
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(map_by(&[1, 2], |n| Ok(Value::Int(n * 10)))?.to_string(), "[10, 20]");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn map_by<'a, T: 'a>(
    list: impl IntoIterator<Item = &'a T>,
    mut value: impl FnMut(&'a T) -> Result<Value<'a>>,
) -> Result<Value<'a>> {
    let mut values = Vec::new();
    for item in list {
        values.push(value(item)?);
    }
    Ok(crate::expr::list(values))
}

/// The items in the order of their keys: `sort(attribute="name", reverse=…, case_sensitive=…)`. Equal ones keep theirs.
/// Several attributes are several keys.
///
/// # Errors
/// A key that fails, and keys that Python does not order.
///
/// ```
/// use prompt_jinja::private::sort_by;
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(sort_by(&[3, 1, 2], |n| Ok(vec![Value::Int(*n)]), false, false)?, [&1, &2, &3]);
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn sort_by<'a, T: 'a>(
    list: impl IntoIterator<Item = &'a T>,
    mut keys: impl FnMut(&'a T) -> Result<Vec<Value<'a>>>,
    reverse: bool,
    case_sensitive: bool,
) -> Result<Vec<&'a T>> {
    let mut keyed = Vec::new();
    for item in list {
        let key = sort_keys(&mut Typed::new(), &keys(item)?, case_sensitive)?;
        keyed.push((key, item));
    }
    sort_items(&mut Typed::new(), keyed, reverse)
}

/// The first item of each key: `unique(attribute="name", case_sensitive=…)`.
///
/// # Errors
/// A key that fails.
///
/// ```
/// use prompt_jinja::private::unique_by;
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(unique_by(&[1, 2, 1], |n| Ok(Value::Int(*n)), false)?, [&1, &2]);
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn unique_by<'a, T: 'a>(
    list: impl IntoIterator<Item = &'a T>,
    mut key: impl FnMut(&'a T) -> Result<Value<'a>>,
    case_sensitive: bool,
) -> Result<Vec<&'a T>> {
    let host = &mut Typed::new();
    let mut seen = Seen::default();
    let mut kept = Vec::new();
    for item in list {
        let key = sort_key(host, &key(item)?, case_sensitive)?;
        if seen.insert(host, key)? {
            kept.push(item);
        }
    }
    Ok(kept)
}

/// The items by their keys, in the order of the keys: `groupby("city")`. The key is that of a group's first item.
///
/// # Errors
/// A key that fails, and keys that Python does not order.
///
/// ```
/// use prompt_jinja::private::group_by;
/// use typed_prompt::jinja::Value;
///
/// let groups = group_by(&[3, 1, 2], |n| Ok(Value::Int(n % 2)), false)?;
/// assert_eq!(groups[0].1, [&2]);
/// assert_eq!(groups[1].1, [&3, &1]);
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
#[allow(clippy::type_complexity)] // Pairs, to be taken apart by a loop.
pub fn group_by<'a, T: 'a>(
    list: impl IntoIterator<Item = &'a T>,
    mut key: impl FnMut(&'a T) -> Result<Value<'a>>,
    case_sensitive: bool,
) -> Result<Vec<(Value<'a>, Vec<&'a T>)>> {
    let mut keyed = Vec::new();
    for item in list {
        let shown = key(item)?;
        let key = sort_key(&mut Typed::new(), &shown, case_sensitive)?;
        keyed.push((key, (shown, item)));
    }
    let groups = group_by_keys(&mut Typed::new(), keyed)?.into_iter();
    Ok(groups
        .filter_map(|group| {
            let shown = group.first()?.0.clone();
            Some((shown, group.into_iter().map(|(_, item)| item).collect()))
        })
        .collect())
}

/// The groups of [`group_by`] as a value: pairs of a key and the list of its items.
///
/// # Errors
/// An item that fails.
///
/// ```
/// use prompt_jinja::private::{group_by, map_groups};
/// use typed_prompt::jinja::Value;
///
/// let groups = group_by(&[3, 1, 2], |n| Ok(Value::Int(n % 2)), false)?;
/// assert_eq!(map_groups(groups, |n| Ok(Value::Int(*n)))?.to_string(), "[(0, [2]), (1, [3, 1])]");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn map_groups<'a, T: 'a>(
    groups: Vec<(Value<'a>, Vec<&'a T>)>,
    mut value: impl FnMut(&'a T) -> Result<Value<'a>>,
) -> Result<Value<'a>> {
    let mut pairs = Vec::new();
    for (key, items) in groups {
        pairs.push(Value::Tuple(Rc::new([key, map_by(items, &mut value)?])));
    }
    Ok(crate::expr::list(pairs))
}

/// The items from the last to the first: `reverse`.
///
/// ```
/// assert_eq!(prompt_jinja::private::reversed(&[1, 2]), [&2, &1]);
/// ```
pub fn reversed<'a, T: 'a>(list: impl IntoIterator<Item = &'a T>) -> Vec<&'a T> {
    let mut items: Vec<_> = list.into_iter().collect();
    items.reverse();
    items
}

/// The first item: `first`.
///
/// ```
/// assert_eq!(prompt_jinja::private::first(&[1, 2]), Some(&1));
/// ```
pub fn first<'a, T: 'a>(list: impl IntoIterator<Item = &'a T>) -> Option<&'a T> {
    list.into_iter().next()
}

/// The last item: `last`.
///
/// ```
/// assert_eq!(prompt_jinja::private::last(&[1, 2]), Some(&2));
/// ```
pub fn last<'a, T: 'a>(list: impl IntoIterator<Item = &'a T>) -> Option<&'a T> {
    list.into_iter().last()
}

/// `list[start:stop:step]`; `None` where a bound is left out.
///
/// # Errors
/// A bound that is not an integer, and a step of zero.
///
/// ```
/// use prompt_jinja::private::sliced;
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(sliced(&[1, 2, 3], &Value::Int(-2), &Value::None, &Value::None)?, [&2, &3]);
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn sliced<'a, T: 'a>(
    list: impl IntoIterator<Item = &'a T>,
    start: &Value<'_>,
    stop: &Value<'_>,
    step: &Value<'_>,
) -> Result<Vec<&'a T>> {
    let items: Vec<_> = list.into_iter().collect();
    let mut bounds = [None; 3];
    for (bound, given) in bounds.iter_mut().zip([start, stop, step]) {
        *bound = slice_bound::<Typed<'_>>(given)?;
    }
    let positions = slice_range::<Typed<'_>>(bounds, items.len())?;
    Ok(positions.map(|at| items[at]).collect())
}

/// The number of items: `length`.
///
/// ```
/// assert_eq!(prompt_jinja::private::count(&[1, 2]).to_string(), "2");
/// ```
pub fn count<'a, T: 'a>(list: impl IntoIterator<Item = &'a T>) -> Value<'static> {
    let count = list.into_iter().count();
    Value::Int(i128::try_from(count).unwrap_or(i128::MAX))
}
