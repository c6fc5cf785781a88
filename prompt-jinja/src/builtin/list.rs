//! Filters of lists and dicts.

use std::cmp::Ordering;

use super::args::{Args, clamp_size, require_str};
use super::arith::Arith;
use super::sort::{Keyed, Seen, group_by_keys, sort_items, sort_key, sort_keys};
use super::{BuilderOf, Host, Lazy, Made, Outcome, SourcedStr, StrBuilder, View};

/// `list`.
pub(crate) fn list<H: Host>(host: &mut H, value: &H::Value, _: Args<'_, H>) -> Made<H> {
    let items = host.iterate_value(value)?;
    host.make_list(items)
}

/// `first`; of an empty list, an undefined value.
pub(crate) fn first<H: Host>(host: &mut H, value: &H::Value, _: Args<'_, H>) -> Made<H> {
    Ok(edge_item(host, value, false)?
        .unwrap_or_else(|| H::make_undefined("an empty list has no first item")))
}

/// `last`; of an empty list, an undefined value.
pub(crate) fn last<H: Host>(host: &mut H, value: &H::Value, _: Args<'_, H>) -> Made<H> {
    Ok(edge_item(host, value, true)?
        .unwrap_or_else(|| H::make_undefined("an empty list has no last item")))
}

/// The first or last item. No list of all items is made.
fn edge_item<H: Host>(host: &mut H, value: &H::Value, last: bool) -> Outcome<H, Option<H::Value>> {
    fn pick<T>(items: &[T], last: bool) -> Option<&T> {
        if last { items.last() } else { items.first() }
    }
    Ok(match H::view_value(value) {
        View::Str(text) => {
            let mut chars = text.char_indices();
            let char = if last {
                chars.next_back()
            } else {
                chars.next()
            };
            char.map(|(at, char)| H::from_str(text.slice(at..at + char.len_utf8())))
        }
        View::List(items) | View::Tuple(items) => pick(items, last).cloned(),
        View::Dict(entries) => pick(entries, last).map(|entry| entry.0.clone()),
        _ => pick(&host.iterate_value(value)?, last).cloned(),
    })
}

/// `join(d="", attribute=none)`.
pub(crate) fn join<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let items = items_or_attributes(host, value, args.get_some(1))?;
    host.join_values(&items, args.get(0))
}

/// The items, or an attribute of each.
fn items_or_attributes<H: Host>(
    host: &mut H,
    value: &H::Value,
    attribute: Option<&H::Value>,
) -> Outcome<H, Vec<H::Value>> {
    let mut items = host.iterate_value(value)?;
    if let Some(attribute) = attribute {
        for item in &mut items {
            *item = attribute_path(host, item, attribute, None)?;
        }
    }
    Ok(items)
}

/// The value of `attribute="user.name"` in an item, part by part; a number is the index of an item. With a default, that replaces each
/// missing part.
pub(crate) fn attribute_path<H: Host>(
    host: &mut H,
    item: &H::Value,
    attribute: &H::Value,
    default: Option<&H::Value>,
) -> Made<H> {
    let or_default = |value: H::Value| match (H::view_value(&value), default) {
        (View::Undefined, Some(default)) => default.clone(),
        _ => value,
    };
    let View::Str(path) = H::view_value(attribute) else {
        return host.get_item(item, attribute).map(or_default);
    };
    host.charge_bytes(path.len())?;
    let mut value = item.clone();
    for range in split_ranges(path, '.') {
        let name = &path[range.clone()];
        let is_index = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        let key = match is_index {
            true => H::from_whole(name.parse().unwrap_or(i64::MAX), attribute),
            false => H::from_str(path.slice(range)),
        };
        value = or_default(host.get_item(&value, &key)?);
    }
    Ok(value)
}

fn split_ranges(text: &str, separator: char) -> impl Iterator<Item = std::ops::Range<usize>> {
    let mut at = 0;
    text.split(separator).map(move |part| {
        let start = at;
        at += part.len() + separator.len_utf8();
        start..start + part.len()
    })
}

/// `reverse`: of a list or a string.
pub(crate) fn reverse<H: Host>(host: &mut H, value: &H::Value, _: Args<'_, H>) -> Made<H> {
    if let View::Str(text) = H::view_value(value) {
        host.charge_bytes(text.len())?;
        let mut out = BuilderOf::<H>::default();
        for (at, char) in text.char_indices().rev() {
            out.push_range(text, at..at + char.len_utf8());
        }
        return Ok(H::from_str(out.finish_like(text)));
    }
    let mut items = host.iterate_value(value)?;
    items.reverse();
    match H::view_value(value) {
        // Without `__reversed__`, the filter makes a list.
        View::Undefined => host.make_list(items),
        View::Object if H::count_items(value).is_none() => host.make_list(items),
        View::List(_) => host.make_iterator("list_reverseiterator", items, None),
        View::Dict(_) => host.make_iterator("dict_reversekeyiterator", items, None),
        View::Object => host.make_iterator("range_iterator", items, None),
        _ => host.make_iterator("reversed", items, None),
    }
}

/// `sort(reverse=false, case_sensitive=false, attribute=none)`; equal items keep their order. Several attributes, as in
/// `"age,name"`, decide one after the other.
pub(crate) fn sort<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let (reverse, case_sensitive) = (args.get_flag(0, false)?, args.get_flag(1, false)?);
    let attributes: Vec<H::Value> = match args.get_some(2) {
        None => Vec::new(),
        Some(attribute) => match H::view_value(attribute) {
            View::Str(names) => split_ranges(names, ',')
                .map(|range| H::from_str(names.slice(range)))
                .collect(),
            _ => vec![attribute.clone()],
        },
    };
    let mut keyed = Vec::new();
    for item in host.iterate_value(value)? {
        let mut keys = Vec::with_capacity(attributes.len());
        for name in &attributes {
            keys.push(attribute_path(host, &item, name, None)?);
        }
        if attributes.is_empty() {
            keys.push(item.clone());
        }
        keyed.push((sort_keys(host, &keys, case_sensitive)?, item));
    }
    let sorted = sort_items(host, keyed, reverse)?;
    host.make_list(sorted)
}

/// Each item after its key.
fn key_items<H: Host>(
    host: &mut H,
    items: Vec<H::Value>,
    case_sensitive: bool,
    attribute: Option<&H::Value>,
    default: Option<&H::Value>,
) -> Outcome<H, Keyed<H::Value, H::Value>> {
    let mut keyed = Vec::with_capacity(items.len());
    for item in items {
        keyed.push((
            item_key(host, &item, case_sensitive, attribute, default)?,
            item,
        ));
    }
    Ok(keyed)
}

/// An item or its attribute, as it is compared.
fn item_key<H: Host>(
    host: &mut H,
    item: &H::Value,
    case_sensitive: bool,
    attribute: Option<&H::Value>,
    default: Option<&H::Value>,
) -> Made<H> {
    match attribute {
        Some(attribute) => {
            let key = attribute_path(host, item, attribute, default)?;
            sort_key(host, &key, case_sensitive)
        }
        None => sort_key(host, item, case_sensitive),
    }
}

/// `unique(case_sensitive=false, attribute=none)`: the first of each.
pub(crate) fn unique<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let (items, mut error) = host.lazy_items(value)?;
    let (case_sensitive, attribute) = (args.get_flag(0, false)?, args.get_some(1));
    let mut seen = Seen::<H>::default();
    let mut kept = Vec::new();
    for item in items {
        let key = item_key(host, &item, case_sensitive, attribute, None);
        match key.and_then(|key| seen.insert(host, key)) {
            Ok(true) => kept.push(item),
            Ok(false) => {}
            Err(found) => {
                error = Some(found);
                break;
            }
        }
    }
    host.make_iterator("sync_do_unique", kept, error)
}

/// `min(case_sensitive=false, attribute=none)`; of an empty list, an undefined value.
pub(crate) fn min<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    find_extreme(host, value, args, "<", Ordering::Less)
}

/// `max(case_sensitive=false, attribute=none)`; of an empty list, an undefined value.
pub(crate) fn max<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    find_extreme(host, value, args, ">", Ordering::Greater)
}

fn find_extreme<H: Host>(
    host: &mut H,
    value: &H::Value,
    args: Args<'_, H>,
    sign: &str,
    wanted: Ordering,
) -> Made<H> {
    let items = host.iterate_value(value)?;
    let keyed = key_items(
        host,
        items,
        args.get_flag(0, false)?,
        args.get_some(1),
        None,
    )?;
    let mut best: Option<(H::Value, H::Value)> = None;
    for (key, item) in keyed {
        let is_better = match &best {
            Some((known, _)) => host.compare_values(sign, &key, known)? == Some(wanted),
            None => true,
        };
        if is_better {
            best = Some((key, item));
        }
    }
    Ok(best.map_or_else(
        || H::make_undefined("an empty list has no smallest or largest item"),
        |(_, item)| item,
    ))
}

/// `sum(attribute=none, start=0)`.
pub(crate) fn sum<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let start = args.get(1).cloned();
    let mut sum = start.unwrap_or_else(|| H::from_whole(0, &H::make_none()));
    if let View::Str(_) = H::view_value(&sum) {
        return Err(H::error_with_help(
            "`sum` adds numbers",
            "write `join` for texts",
        ));
    }
    for item in items_or_attributes(host, value, args.get_some(0))? {
        sum = host.compute(Arith::Add, &sum, &item)?;
    }
    Ok(sum)
}

/// `batch(linecount, fill_with=none)`: lists of so many items; the last one is filled up.
pub(crate) fn batch<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let count = H::to_whole(args.get_required(0, "linecount")?, "linecount")?;
    let (items, error) = host.lazy_items(value)?;
    let mut batches = Vec::new();
    let mut batch = Vec::new();
    for item in items {
        if i64::try_from(batch.len()) == Ok(count) {
            batches.push(host.make_list(std::mem::take(&mut batch))?);
        }
        batch.push(item);
    }
    if !batch.is_empty() {
        if let Some(fill) = args.get_some(1) {
            let count = clamp_size(count).max(batch.len());
            host.charge_items(count - batch.len())?;
            batch.resize(count, fill.clone());
        }
        batches.push(host.make_list(batch)?);
    }
    host.make_iterator("do_batch", batches, error)
}

/// `slice(slices, fill_with=none)`: so many lists, as even as can be; the shorter ones are filled up.
pub(crate) fn slice<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let slices = H::to_whole(args.get_required(0, "slices")?, "slices")?;
    let (items, error) = host.lazy_items(value)?;
    let error = match slices {
        0 => error.or_else(|| Some(H::make_error("`slice` makes at least one list"))),
        _ => error,
    };
    if error.is_some() {
        return host.make_iterator("sync_do_slice", Vec::new(), error);
    }
    let slices = clamp_size(slices);
    host.charge_items(slices)?;
    let len = items.len();
    let mut items = items.into_iter();
    let mut lists = Vec::new();
    for index in 0..slices {
        let longer = index < len % slices;
        let each = len / slices + usize::from(longer);
        let mut slice: Vec<H::Value> = items.by_ref().take(each).collect();
        slice.extend(args.get_some(1).filter(|_| !longer).cloned());
        lists.push(host.make_list(slice)?);
    }
    host.make_iterator("sync_do_slice", lists, None)
}

/// `groupby(attribute, default=none, case_sensitive=false)`: pairs of a value and the items that have it, in the order of
/// the values.
pub(crate) fn groupby<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let attribute = args.get_required(0, "attribute")?;
    let default = args.get_some(1);
    let items = host.iterate_value(value)?;
    let keyed = key_items(
        host,
        items,
        args.get_flag(2, false)?,
        Some(attribute),
        default,
    )?;
    let mut groups = Vec::new();
    for items in group_by_keys(host, keyed)? {
        let shown = attribute_path(host, &items[0], attribute, default)?;
        let items = host.make_list(items)?;
        groups.push(host.make_group(shown, items)?);
    }
    host.make_list(groups)
}

/// The results of a function for items, up to the first error.
pub(crate) fn map_items<H: Host>(
    host: &mut H,
    (items, error): Lazy<H>,
    mut change: impl FnMut(&mut H, &H::Value) -> Made<H>,
) -> Made<H> {
    let mut changed = Vec::with_capacity(items.len());
    for item in items {
        match change(host, &item) {
            Ok(value) => changed.push(value),
            Err(error) => return host.make_iterator("sync_do_map", changed, Some(error)),
        }
    }
    host.make_iterator("sync_do_map", changed, error)
}

/// The items that a test accepts, up to the first error.
pub(crate) fn select_items<H: Host>(
    host: &mut H,
    (items, error): Lazy<H>,
    mut keeps: impl FnMut(&mut H, &H::Value) -> Outcome<H, bool>,
) -> Made<H> {
    let mut kept = Vec::new();
    for item in items {
        match keeps(host, &item) {
            Ok(true) => kept.push(item),
            Ok(false) => {}
            Err(error) => return host.make_iterator("select_or_reject", kept, Some(error)),
        }
    }
    host.make_iterator("select_or_reject", kept, error)
}

/// `items`: the pairs of a dict; no pairs for an undefined value.
pub(crate) fn items<H: Host>(host: &mut H, value: &H::Value, _: Args<'_, H>) -> Made<H> {
    H::check_computed(value)?;
    match H::view_value(value) {
        View::Undefined => host.make_iterator("do_items", Vec::new(), None),
        View::Dict(entries) => {
            let pairs = dict_pairs(host, entries)?;
            host.make_iterator("do_items", pairs, None)
        }
        _ => {
            let error = H::kind_error("`items` works on a dict", value);
            host.make_iterator("do_items", Vec::new(), Some(error))
        }
    }
}

/// The entries of a dict as tuples.
pub(crate) fn dict_pairs<H: Host>(
    host: &mut H,
    entries: &[(H::Value, H::Value)],
) -> Outcome<H, Vec<H::Value>> {
    host.charge_items(entries.len())?;
    let mut pairs = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        pairs.push(host.make_tuple(vec![key.clone(), value.clone()])?);
    }
    Ok(pairs)
}

/// `dictsort(case_sensitive=false, by="key", reverse=false)`: the pairs of a dict, in order.
pub(crate) fn dictsort<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let View::Dict(entries) = H::view_value(value) else {
        return Err(H::kind_error("`dictsort` works on a dict", value));
    };
    let case_sensitive = args.get_flag(0, false)?;
    let by = args.get(1).map(|by| require_str::<H>(by, "by"));
    let by_value = match by.transpose()?.map(|by| &**by) {
        None | Some("key") => false,
        Some("value") => true,
        Some(_) => return Err(H::make_error("`dictsort` sorts by `key` or by `value`")),
    };
    let pairs = dict_pairs(host, entries)?;
    let mut keyed = Vec::with_capacity(entries.len());
    for ((key, value), pair) in entries.iter().zip(pairs) {
        let by = if by_value { value } else { key };
        keyed.push((sort_key(host, by, case_sensitive)?, pair));
    }
    let sorted = sort_items(host, keyed, args.get_flag(2, false)?)?;
    host.make_list(sorted)
}
