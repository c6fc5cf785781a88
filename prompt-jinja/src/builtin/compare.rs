//! Equality, order and membership of values, as in Python.

use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::number::{Number, Whole};
use super::search::find_occurrences;
use super::{Host, Outcome, View};

/// Whether two values are equal: `1 == 1.0 == True`. A word of the template is not equal to guarded data in which it must not act,
/// also within lists and dicts.
pub(super) fn are_equal<H: Host>(
    host: &mut H,
    left: &H::Value,
    right: &H::Value,
) -> Outcome<H, bool> {
    match (H::view_value(left), H::view_value(right)) {
        (View::Str(a), View::Str(b)) => {
            host.charge_bytes(a.len().min(b.len()) + 1)?;
            Ok(**a == **b && host.may_act(a, b)?)
        }
        (View::List(a), View::List(b)) | (View::Tuple(a), View::Tuple(b)) => {
            host.charge_items(1)?;
            if a.len() != b.len() {
                return Ok(false);
            }
            for (a, b) in a.iter().zip(b) {
                if !are_equal(host, a, b)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (View::Dict(a), View::Dict(b)) => {
            host.charge_items(1)?;
            if a.len() != b.len() {
                return Ok(false);
            }
            for (key, value) in a {
                match host.get_entry(right, key)? {
                    Some(other) if are_equal(host, value, &other)? => {}
                    _ => return Ok(false),
                }
            }
            Ok(true)
        }
        _ => {
            host.charge_items(1)?;
            H::check_operand(left)?;
            H::check_operand(right)?;
            Ok(are_equal_keys::<H>(left, right))
        }
    }
}

/// The same for values that can be the keys of a dict. Nothing is counted.
pub(crate) fn are_equal_keys<H: Host>(left: &H::Value, right: &H::Value) -> bool {
    match (H::view_value(left), H::view_value(right)) {
        (View::Str(a), View::Str(b)) => **a == **b,
        (View::Tuple(a), View::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| are_equal_keys::<H>(a, b))
        }
        (View::None, View::None) | (View::Undefined, View::Undefined) => true,
        (View::Object, View::Object) => H::is_same_object(left, right),
        _ => match (H::to_number(left), H::to_number(right)) {
            (Some(a), Some(b)) => a.compare(&b) == Some(Ordering::Equal),
            _ => false,
        },
    }
}

/// The hash of a key. Equal values have equal hashes.
pub(crate) fn hash_key<H: Host>(value: &H::Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    write_hash::<H>(value, &mut hasher);
    hasher.finish()
}

fn write_hash<H: Host>(value: &H::Value, out: &mut DefaultHasher) {
    match H::view_value(value) {
        View::Str(text) => (**text).hash(out),
        View::Tuple(items) => {
            items.len().hash(out);
            items.iter().for_each(|item| write_hash::<H>(item, out));
        }
        View::Object => H::hash_object(value).hash(out),
        _ => match H::to_number(value) {
            Some(number) => write_number_hash(&number, out),
            // There are few other keys. They share one hash, and are compared.
            None => out.write_u8(0),
        },
    }
}

/// A whole number has the hash of the float that it is equal to. Others that have the same nearest float have hashes of their own.
fn write_number_hash<W: Whole>(number: &Number<W>, out: &mut DefaultHasher) {
    let float = number.to_float();
    match number {
        Number::Whole(whole) if number.compare(&Number::Float(float)) != Some(Ordering::Equal) => {
            whole.hash(out);
        }
        // The sum of `-0.0` and `0.0` is `0.0`.
        _ => (float + 0.0).to_bits().hash(out),
    }
}

/// The order of two values for an operator; nothing if they have none, such as that of `nan`.
pub(super) fn compare_values<H: Host>(
    host: &mut H,
    sign: &str,
    left: &H::Value,
    right: &H::Value,
) -> Outcome<H, Option<Ordering>> {
    match (H::view_value(left), H::view_value(right)) {
        (View::Str(a), View::Str(b)) => {
            host.charge_bytes(a.len().min(b.len()) + 1)?;
            // UTF-8 sorts as its characters do.
            host.check_order(a, b)?;
            host.check_order(b, a)?;
            Ok(Some((**a).cmp(&**b)))
        }
        (View::List(a), View::List(b)) | (View::Tuple(a), View::Tuple(b)) => {
            // The first items that differ decide.
            for (a, b) in a.iter().zip(b) {
                if !are_equal(host, a, b)? {
                    return compare_values(host, sign, a, b);
                }
            }
            Ok(Some(a.len().cmp(&b.len())))
        }
        _ => {
            H::check_defined(left)?;
            H::check_defined(right)?;
            match (H::to_number(left), H::to_number(right)) {
                (Some(a), Some(b)) => Ok(a.compare(&b)),
                (a, b) => Err(order_error::<H>(
                    sign,
                    left,
                    right,
                    a.is_some() || b.is_some(),
                )),
            }
        }
    }
}

fn order_error<H: Host>(
    sign: &str,
    left: &H::Value,
    right: &H::Value,
    has_number: bool,
) -> H::Error {
    let message = format!(
        "`{sign}` cannot compare {} with {}",
        H::describe_kind(left),
        H::describe_kind(right)
    );
    let is_text = |value| matches!(H::view_value(value), View::Str(_));
    match has_number && (is_text(left) || is_text(right)) {
        true => H::error_with_help(message, "make the text a number first: `text | int`"),
        false => H::make_error(message),
    }
}

/// `value in container`: a part of a string, an item of a list, or a key of a dict.
pub(super) fn is_contained<H: Host>(
    host: &mut H,
    container: &H::Value,
    value: &H::Value,
) -> Outcome<H, bool> {
    H::check_operand(value)?;
    H::check_operand(container)?;
    match (H::view_value(container), H::view_value(value)) {
        (View::Str(text), View::Str(part)) => {
            let found = find_occurrences(host, text, part, 0..text.len(), 1, false)?;
            Ok(!found.is_empty())
        }
        (View::Str(_), _) => Err(H::kind_error("`in` asks for text in text", value)),
        (View::Dict(_), _) => {
            H::check_hashable(value)?;
            Ok(host.get_entry(container, value)?.is_some())
        }
        (View::List(items) | View::Tuple(items), _) => has_item(host, items, value),
        (View::Undefined | View::Object, _) => {
            let items = host.iterate_value(container)?;
            has_item(host, &items, value)
        }
        _ => Err(H::error_with_help(
            format!("nothing can be `in` {}", H::describe_kind(container)),
            "ask for an item of a list, a key of a dict, or a part of a text",
        )),
    }
}

fn has_item<H: Host>(host: &mut H, items: &[H::Value], value: &H::Value) -> Outcome<H, bool> {
    for item in items {
        host.charge_items(1)?;
        if are_equal(host, item, value)? {
            return Ok(true);
        }
    }
    Ok(false)
}
