//! Items and slices by position, as in Python.

use prompt_core::python::slice_positions;

use super::chars::char_offset;
use super::{BuilderOf, Host, Made, Outcome, SourcedStr, StrBuilder, View};

/// The position of an index that may count from the end.
pub(crate) fn resolve_position(index: i64, length: usize) -> Option<usize> {
    let at = match index {
        0.. => usize::try_from(index).ok()?,
        _ => length.checked_sub(usize::try_from(index.unsigned_abs()).ok()?)?,
    };
    (at < length).then_some(at)
}

/// The character of a string or the item of a list at an index.
pub(crate) fn item_at<H: Host>(
    host: &mut H,
    value: &H::Value,
    index: i64,
) -> Outcome<H, Option<H::Value>> {
    Ok(match H::view_value(value) {
        View::Str(text) => {
            host.charge_bytes(text.len())?;
            let found = match usize::try_from(index) {
                Ok(index) => text.char_indices().nth(index),
                Err(_) => {
                    let back = usize::try_from(index.unsigned_abs() - 1).unwrap_or(usize::MAX);
                    text.char_indices().nth_back(back)
                }
            };
            found.map(|(at, char)| H::from_str(text.slice(at..at + char.len_utf8())))
        }
        View::List(items) | View::Tuple(items) => {
            resolve_position(index, items.len()).map(|at| items[at].clone())
        }
        _ => None,
    })
}

/// A bound of a slice; nothing for `None`.
pub(crate) fn slice_bound<H: Host>(value: &H::Value) -> Outcome<H, Option<i128>> {
    match H::view_value(value) {
        View::None => Ok(None),
        View::Whole | View::Bool(_) => H::to_whole(value, "bound").map(|bound| Some(bound.into())),
        _ => Err(H::kind_error("a slice is cut at whole numbers", value)),
    }
}

/// The positions that a slice takes, in its order.
pub(crate) fn slice_range<H: Host>(
    bounds: [Option<i128>; 3],
    length: usize,
) -> Outcome<H, impl Iterator<Item = usize>> {
    slice_positions(bounds, length)
        .ok_or_else(|| H::make_error("the step of a slice cannot be zero"))
}

/// `value[start:stop:step]` of a string, by characters, or of a list; nothing for another value.
pub(crate) fn slice_value<H: Host>(
    host: &mut H,
    value: &H::Value,
    bounds: [Option<i128>; 3],
) -> Outcome<H, Option<H::Value>> {
    match H::view_value(value) {
        View::Str(text) => slice_text(host, text, bounds).map(Some),
        View::List(items) => {
            let items = slice_items(host, items, bounds)?;
            host.make_list(items).map(Some)
        }
        View::Tuple(items) => {
            let items = slice_items(host, items, bounds)?;
            host.make_tuple(items).map(Some)
        }
        _ => Ok(None),
    }
}

fn slice_text<H: Host>(host: &mut H, text: &H::Str, bounds: [Option<i128>; 3]) -> Made<H> {
    host.charge_bytes(text.len())?;
    if bounds[2].is_none_or(|step| step == 1) {
        let mut positions = slice_range::<H>(bounds, text.chars().count())?;
        let Some(first) = positions.next() else {
            return Ok(H::from_str(text.slice(0..0)));
        };
        let start = char_offset(text, first);
        let end = start + char_offset(&text[start..], positions.count() + 1);
        return Ok(H::from_str(text.slice(start..end)));
    }
    host.charge_bytes(text.len().saturating_mul(size_of::<usize>() * 2))?;
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let mut out = BuilderOf::<H>::default();
    for at in slice_range::<H>(bounds, chars.len())? {
        let (start, char) = chars[at];
        out.push_range(text, start..start + char.len_utf8());
    }
    Ok(H::from_str(out.finish_like(text)))
}

fn slice_items<H: Host>(
    host: &mut H,
    items: &[H::Value],
    bounds: [Option<i128>; 3],
) -> Outcome<H, Vec<H::Value>> {
    let kept: Vec<H::Value> = slice_range::<H>(bounds, items.len())?
        .map(|at| items[at].clone())
        .collect();
    host.charge_items(kept.len())?;
    Ok(kept)
}
