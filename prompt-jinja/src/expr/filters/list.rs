//! Filters of lists and dicts.

use std::cmp::Ordering;

use crate::expr::args::{argument, bool_argument, checked_size, required_argument, some_argument};
use crate::expr::compare::Seen;
use crate::expr::compare::{Collation, sort_by_keys, sort_items};
use crate::expr::index::attribute_path;
use crate::expr::index::iterate_value;
use crate::expr::number::check_result_size;
use crate::expr::{Arguments, EvalError, Result, Value, list as made};
use prompt_core::Text;

/// `list`.
///
/// # Errors
/// A value without items.
pub fn list<'a>(value: &Value<'a>, _: Arguments<'_, 'a>) -> Result<Value<'a>> {
    iterate_value(value).map(made)
}

/// `length`, also `count`: of a list, a dict or a string.
///
/// # Errors
/// A value without a length.
pub fn length<'a>(value: &Value<'a>, _: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let len = match value.as_defined()? {
        Value::Text(text) => text.chars().count(),
        Value::List(items) | Value::Tuple(items) => items.len(),
        Value::Dict(dict) => dict.len(),
        other => return Err(eval_error!("{} has no length", other.describe_kind())),
    };
    Ok(Value::Int(i128::try_from(len).unwrap_or(i128::MAX)))
}

/// `first`; of an empty list, an undefined value.
///
/// # Errors
/// A value without items.
pub fn first<'a>(value: &Value<'a>, _: Arguments<'_, 'a>) -> Result<Value<'a>> {
    Ok(edge_item(value, false)?
        .unwrap_or_else(|| Value::undefined("an empty list has no first item")))
}

/// The first or last item. No list of all items is made.
fn edge_item<'a>(value: &Value<'a>, last: bool) -> Result<Option<Value<'a>>> {
    match value.as_defined()? {
        Value::Text(text) => {
            let mut chars = text.char_indices();
            let char = if last {
                chars.next_back()
            } else {
                chars.next()
            };
            Ok(char.map(|(at, char)| text.slice(at..at + char.len_utf8()).into()))
        }
        Value::List(items) | Value::Tuple(items) => Ok(first_or_last(items, last).cloned()),
        Value::Dict(dict) => Ok(first_or_last(dict.entries(), last).map(|entry| entry.0.clone())),
        other => Ok(iterate_value(other)?.pop()),
    }
}

fn first_or_last<T>(items: &[T], last: bool) -> Option<&T> {
    if last { items.last() } else { items.first() }
}

/// `last`; of an empty list, an undefined value.
///
/// # Errors
/// A value without items.
pub fn last<'a>(value: &Value<'a>, _: Arguments<'_, 'a>) -> Result<Value<'a>> {
    Ok(edge_item(value, true)?
        .unwrap_or_else(|| Value::undefined("an empty list has no last item")))
}

/// `join(d="", attribute=none)`.
///
/// # Errors
/// A value without items, and items that are not defined.
///
/// ```
/// use prompt_jinja::private::{filters::join, list, template_str};
/// use typed_prompt::jinja::Value;
///
/// let joined = join(&list(vec![template_str("a"), Value::Int(1)]), &[Some(template_str(", "))])?;
/// assert_eq!(joined.to_string(), "a, 1");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn join<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let between = argument(args, 0).map(Value::to_str).transpose()?;
    let mut out = Text::new();
    let items = items_or_attributes(value, some_argument(args, 1))?;
    check_result_size(items.len(), between.as_ref().map_or(0, |text| text.len()))?;
    for (index, item) in items.into_iter().enumerate() {
        check_result_size(1, out.as_str().len())?;
        if index > 0
            && let Some(between) = &between
        {
            between.push_to(&mut out);
        }
        item.to_str()?.push_to(&mut out);
    }
    Ok(out.into())
}

/// The items, or an attribute of each.
fn items_or_attributes<'a>(
    value: &Value<'a>,
    attribute: Option<&Value<'a>>,
) -> Result<Vec<Value<'a>>> {
    let mut items = iterate_value(value)?;
    if let Some(attribute) = attribute {
        for item in &mut items {
            *item = attribute_path(item, attribute, None)?;
        }
    }
    Ok(items)
}

/// `reverse`: of a list or a string.
///
/// # Errors
/// A value without items.
pub fn reverse<'a>(value: &Value<'a>, _: Arguments<'_, 'a>) -> Result<Value<'a>> {
    if let Value::Text(text) = value {
        return Ok(text
            .with_content(text.chars().rev().collect::<String>())
            .into());
    }
    let mut items = iterate_value(value)?;
    items.reverse();
    Ok(made(items))
}

/// `sort(reverse=false, case_sensitive=false, attribute=none)`; equal items keep their order. Several attributes, as in
/// `"age,name"`, decide one after the other.
///
/// # Errors
/// A value without items, and items that Python does not order, such as text and numbers.
///
/// ```
/// use prompt_jinja::private::{filters::sort, list, template_str};
///
/// let sorted = sort(&list(vec![template_str("b"), template_str("C"), template_str("a")]), &[])?;
/// assert_eq!(sorted.to_string(), "['a', 'b', 'C']");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn sort<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let collation = Collation {
        case_sensitive: bool_argument(args, 1, false)?,
    };
    let attributes = match some_argument(args, 2) {
        None => Vec::new(),
        Some(Value::Text(names)) => {
            let mut at = 0;
            let names = names.split(',').map(|name| {
                let start = at;
                at += name.len() + 1;
                Value::from(names.slice(start..start + name.len()))
            });
            names.collect()
        }
        Some(other) => vec![other.clone()],
    };
    let mut keyed = Vec::new();
    for item in iterate_value(value)? {
        let mut keys = Vec::with_capacity(attributes.len());
        for name in &attributes {
            keys.push(attribute_path(&item, name, None)?);
        }
        if attributes.is_empty() {
            keys.push(item.clone());
        }
        keyed.push((collation.sort_keys(&keys)?, item));
    }
    Ok(made(sort_items(keyed, bool_argument(args, 0, false)?)?))
}

/// `unique(case_sensitive=false, attribute=none)`: the first of each.
///
/// # Errors
/// A value without items, and lists or dicts as items.
pub fn unique<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let keyed = key_items(
        value,
        bool_argument(args, 0, false)?,
        some_argument(args, 1),
        None,
    )?;
    let mut seen = Seen::default();
    let mut kept = Vec::new();
    for (key, item) in keyed {
        key.check_hashable()?;
        if seen.insert(key) {
            kept.push(item);
        }
    }
    Ok(made(kept))
}

/// Each item after its key.
fn key_items<'a>(
    value: &Value<'a>,
    case_sensitive: bool,
    attribute: Option<&Value<'a>>,
    default: Option<&Value<'a>>,
) -> Result<Vec<(Value<'a>, Value<'a>)>> {
    let collation = Collation { case_sensitive };
    let mut keyed = Vec::new();
    for item in iterate_value(value)? {
        let key = match attribute {
            Some(attribute) => attribute_path(&item, attribute, default)?,
            None => item.clone(),
        };
        keyed.push((collation.sort_key(&key)?, item));
    }
    Ok(keyed)
}

/// `min(case_sensitive=false, attribute=none)`; of an empty list, an undefined value.
///
/// # Errors
/// A value without items, and items that Python does not order.
pub fn min<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    find_extreme(value, args, "<", Ordering::Less)
}

/// `max(case_sensitive=false, attribute=none)`; of an empty list, an undefined value.
///
/// # Errors
/// A value without items, and items that Python does not order.
pub fn max<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    find_extreme(value, args, ">", Ordering::Greater)
}

fn find_extreme<'a>(
    value: &Value<'a>,
    args: Arguments<'_, 'a>,
    sign: &str,
    wanted: Ordering,
) -> Result<Value<'a>> {
    let mut best: Option<(Value<'a>, Value<'a>)> = None;
    for (key, item) in key_items(
        value,
        bool_argument(args, 0, false)?,
        some_argument(args, 1),
        None,
    )? {
        let better = match &best {
            Some((other, _)) => key.compare_with(sign, other)? == Some(wanted),
            None => true,
        };
        if better {
            best = Some((key, item));
        }
    }
    Ok(best.map_or_else(
        || Value::undefined("an empty list has no smallest or largest item"),
        |(_, item)| item,
    ))
}

/// `sum(attribute=none, start=0)`.
///
/// # Errors
/// A value without items, and items that cannot be added.
pub fn sum<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let mut sum = argument(args, 1).cloned().unwrap_or(Value::Int(0));
    if let Value::Text(_) = sum {
        return Err(EvalError::new("`sum` adds numbers").with_help("write `join` for texts"));
    }
    for item in items_or_attributes(value, some_argument(args, 0))? {
        sum = crate::expr::add(&sum, &item)?;
    }
    Ok(sum)
}

/// `batch(linecount, fill_with=none)`: lists of so many items; the last one is filled up.
///
/// # Errors
/// A value without items, and a count that is not an integer.
pub fn batch<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let count =
        crate::expr::args::require_whole(required_argument(args, 0, "linecount")?, "linecount")?;
    let mut batches = Vec::new();
    let mut batch = Vec::new();
    for item in iterate_value(value)? {
        if i128::try_from(batch.len()) == Ok(count) {
            batches.push(made(std::mem::take(&mut batch)));
        }
        batch.push(item);
    }
    if !batch.is_empty() {
        if let Some(fill) = some_argument(args, 1) {
            batch.resize(
                checked_size(count, "linecount")?.max(batch.len()),
                fill.clone(),
            );
        }
        batches.push(made(batch));
    }
    Ok(made(batches))
}

/// `slice(slices, fill_with=none)`: so many lists, as even as can be; the shorter ones are filled up.
///
/// # Errors
/// A value without items, and a count of zero.
pub fn slice<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let slices = crate::expr::args::require_whole(required_argument(args, 0, "slices")?, "slices")?;
    let items = iterate_value(value)?;
    if slices == 0 {
        return Err(EvalError::new("`slice` makes at least one list"));
    }
    let slices = checked_size(slices, "slices")?;
    let mut items = items.into_iter();
    let len = items.len();
    let mut lists = Vec::new();
    for index in 0..slices {
        let longer = index < len % slices;
        let mut slice: Vec<_> = items
            .by_ref()
            .take(len / slices + usize::from(longer))
            .collect();
        if let Some(fill) = some_argument(args, 1).filter(|_| !longer) {
            slice.push(fill.clone());
        }
        lists.push(made(slice));
    }
    Ok(made(lists))
}

/// `groupby(attribute, default=none, case_sensitive=false)`: pairs of a value and the items that have it, in the order of
/// the values.
///
/// # Errors
/// A value without items, and values that Python does not order.
pub fn groupby<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let attribute = required_argument(args, 0, "attribute")?;
    let default = some_argument(args, 1);
    let keyed = key_items(
        value,
        bool_argument(args, 2, false)?,
        Some(attribute),
        default,
    )?;
    let mut groups: Vec<(Value<'a>, Vec<Value<'a>>)> = Vec::new();
    for (key, item) in sort_by_keys(keyed, false)? {
        match groups.last_mut() {
            Some((last, items)) if last.equals(&key) => items.push(item),
            _ => groups.push((key, vec![item])),
        }
    }
    let mut pairs = Vec::with_capacity(groups.len());
    for (_, items) in groups {
        let shown = attribute_path(&items[0], attribute, default)?;
        pairs.push(crate::expr::tuple(vec![shown, made(items)]));
    }
    Ok(made(pairs))
}

/// `map("upper")`: the result of a function for each item.
///
/// # Errors
/// A value without items, and an item that the function does not accept.
///
/// ```
/// use prompt_jinja::private::{add, filters::map, list};
/// use typed_prompt::jinja::Value;
///
/// let numbers = list(vec![Value::Int(1), Value::Int(2)]);
/// assert_eq!(map(&numbers, |n| add(n, n))?.to_string(), "[2, 4]");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn map<'a>(
    value: &Value<'a>,
    mut change: impl FnMut(&Value<'a>) -> Result<Value<'a>>,
) -> Result<Value<'a>> {
    let mut items = iterate_value(value)?;
    for item in &mut items {
        *item = change(item)?;
    }
    Ok(made(items))
}

/// `map(attribute="user.name", default=none)`.
///
/// # Errors
/// A value without items.
pub fn map_attribute<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let attribute = required_argument(args, 0, "attribute")?;
    map(value, |item| {
        attribute_path(item, attribute, some_argument(args, 1))
    })
}

/// `select("odd")`: the items that a test accepts. For `selectattr`, the test looks at [`attribute_path`](crate::expr::attribute_path).
///
/// # Errors
/// A value without items, and an item that the test does not accept.
pub fn select<'a>(
    value: &Value<'a>,
    mut keep: impl FnMut(&Value<'a>) -> Result<bool>,
) -> Result<Value<'a>> {
    let mut kept = Vec::new();
    for item in iterate_value(value)? {
        if keep(&item)? {
            kept.push(item);
        }
    }
    Ok(made(kept))
}

/// `reject("odd")`: the items that a test rejects.
///
/// # Errors
/// A value without items, and an item that the test does not accept.
pub fn reject<'a>(
    value: &Value<'a>,
    mut drop: impl FnMut(&Value<'a>) -> Result<bool>,
) -> Result<Value<'a>> {
    select(value, |item| drop(item).map(|drop| !drop))
}

/// `items`: the pairs of a dict; no pairs for an undefined value.
///
/// # Errors
/// A value that is not a dict.
pub fn items<'a>(value: &Value<'a>, _: Arguments<'_, 'a>) -> Result<Value<'a>> {
    match value {
        Value::Undefined(_) => Ok(made(Vec::new())),
        value => match value.as_defined()? {
            Value::Dict(dict) => Ok(made(dict_pairs(dict.entries()))),
            other => Err(eval_error!(
                "`items` works on a dict, and this is {}",
                other.describe_kind()
            )),
        },
    }
}

pub(crate) fn dict_pairs<'a>(entries: &[(Value<'a>, Value<'a>)]) -> Vec<Value<'a>> {
    let pair = |(key, value): &(Value<'a>, Value<'a>)| {
        crate::expr::tuple(vec![key.clone(), value.clone()])
    };
    entries.iter().map(pair).collect()
}

/// `dictsort(case_sensitive=false, by="key", reverse=false)`: the pairs of a dict, in order.
///
/// # Errors
/// A value that is not a dict, and keys or values that Python does not order.
pub fn dictsort<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let Value::Dict(dict) = value.as_defined()? else {
        return Err(eval_error!(
            "`dictsort` works on a dict, and this is {}",
            value.describe_kind()
        ));
    };
    let collation = Collation {
        case_sensitive: bool_argument(args, 0, false)?,
    };
    let by_value = match crate::expr::args::text_argument(args, 1, "by")?.map(|by| &**by) {
        None | Some("key") => false,
        Some("value") => true,
        Some(_) => return Err(EvalError::new("`dictsort` sorts by `key` or by `value`")),
    };
    let mut keyed = Vec::with_capacity(dict.entries().len());
    for ((key, value), pair) in dict.entries().iter().zip(dict_pairs(dict.entries())) {
        keyed.push((
            collation.sort_key(if by_value { value } else { key })?,
            pair,
        ));
    }
    Ok(made(sort_items(keyed, bool_argument(args, 2, false)?)?))
}
