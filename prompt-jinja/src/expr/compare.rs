//! Equality and order of values as in Python, sorting, and sets of values.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use crate::expr::{Result, Value};

impl<'a> Value<'a> {
    /// Whether two values are equal as Python has it: `1 == 1.0 == True`.
    pub(crate) fn equals(&self, other: &Value<'_>) -> bool {
        match (self, other) {
            (Value::None | Value::Absent, Value::None | Value::Absent) => true,
            (Value::Text(a), Value::Text(b)) => **a == **b,
            (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.equals(b))
            }
            (Value::Dict(a), Value::Dict(b)) => {
                a.len() == b.len()
                    && a.entries().iter().all(|(key, value)| {
                        let mut others = b.entries().iter();
                        others.any(|(other, of)| key.equals(other) && value.equals(of))
                    })
            }
            _ => self.number_order(other) == Some(Some(Ordering::Equal)),
        }
    }

    /// The order of two numbers; `Some(None)` if one of them is `nan`.
    #[allow(clippy::cast_precision_loss)]
    fn number_order(&self, other: &Value<'_>) -> Option<Option<Ordering>> {
        if let (Some(a), Some(b)) = (self.as_whole(), other.as_whole()) {
            return Some(Some(a.cmp(&b)));
        }
        Some(match (self, other) {
            (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
            (Value::Float(a), b) => whole_and_float(b.as_whole()?, *a).map(Ordering::reverse),
            (a, Value::Float(b)) => whole_and_float(a.as_whole()?, *b),
            _ => return None,
        })
    }

    /// The order of two values, `None` if one of them is `nan`.
    ///
    /// # Errors
    /// Values that Python does not order, such as text and a number.
    pub(crate) fn compare_with(&self, sign: &str, other: &Value<'a>) -> Result<Option<Ordering>> {
        self.as_defined()?;
        other.as_defined()?;
        match (self, other) {
            (Value::Text(a), Value::Text(b)) => Ok(Some(a.cmp(b))),
            (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
                // The first items that differ decide.
                for (a, b) in a.iter().zip(b.iter()) {
                    if !a.equals(b) {
                        return a.compare_with(sign, b);
                    }
                }
                Ok(Some(a.len().cmp(&b.len())))
            }
            _ => self.number_order(other).ok_or_else(|| {
                let (one, other) = (self.describe_kind(), other.describe_kind());
                let fault = eval_error!("`{sign}` cannot compare {one} with {other}");
                let texts = matches!(self, Value::Text(_)) || other == "text";
                if texts && (self.as_number().is_some() || other.contains("number")) {
                    return fault.with_help("make the text a number first: `text | int`");
                }
                fault
            }),
        }
    }
}

/// Exact, also where the integer has more digits than a float.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)]
fn whole_and_float(whole: i128, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    // Both bounds are powers of two: exact as floats.
    if float >= 2_f64.powi(127) {
        return Some(Ordering::Less);
    }
    if float < -(2_f64.powi(127)) {
        return Some(Ordering::Greater);
    }
    let truncated = float.trunc();
    let order = whole.cmp(&(truncated as i128));
    Some(order.then_with(|| {
        0.0.partial_cmp(&(float - truncated))
            .unwrap_or(Ordering::Equal)
    }))
}

/// `a == b`.
///
/// # Errors
/// A value that is not defined.
///
/// ```
/// use prompt_jinja::private::eq;
/// use typed_prompt::jinja::Value;
///
/// assert!(eq(&Value::Int(1), &Value::Float(1.0))?);
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn eq<'a>(left: &Value<'a>, right: &Value<'a>) -> Result<bool> {
    Ok(left.as_defined()?.equals(right.as_defined()?))
}

/// `a != b`.
///
/// # Errors
/// A value that is not defined.
///
/// ```
/// use prompt_jinja::private::ne;
/// use typed_prompt::jinja::Value;
///
/// assert!(ne(&Value::Int(1), &Value::None)?);
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn ne<'a>(left: &Value<'a>, right: &Value<'a>) -> Result<bool> {
    eq(left, right).map(|equal| !equal)
}

macro_rules! orders {
    ($($(#[$doc:meta])* $name:ident $sign:literal $($order:ident)|*;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// Values that Python does not order, such as text and a number.
        ///
        /// ```
        #[doc = concat!("use prompt_jinja::private::{Value, ", stringify!($name), ", template_str};")]
        ///
        #[doc = concat!("assert!(", stringify!($name), "(&Value::Int(1), &template_str(\"a\")).is_err());")]
        /// ```
        pub fn $name<'a>(left: &Value<'a>, right: &Value<'a>) -> Result<bool> {
            let order = left.compare_with($sign, right)?;
            Ok(matches!(order, Some($(Ordering::$order)|*)))
        }
    )*};
}

orders! {
    /// `a < b`.
    lt "<" Less;
    /// `a <= b`.
    le "<=" Less | Equal;
    /// `a > b`.
    gt ">" Greater;
    /// `a >= b`.
    ge ">=" Greater | Equal;
}

/// `needle in heap`: a part of a string, an item of a list, or a key of a dict.
///
/// # Errors
/// A value that cannot contain others, and a number in a string.
///
/// ```
/// use prompt_jinja::private::{contains, template_str};
///
/// assert!(contains(&template_str("el"), &template_str("hello"))?);
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn contains<'a>(needle: &Value<'a>, heap: &Value<'a>) -> Result<bool> {
    needle.as_defined()?;
    match heap.as_defined()? {
        Value::Text(heap) => match needle {
            Value::Text(needle) => Ok(heap.contains(&**needle)),
            _ => Err(eval_error!(
                "`in` asks for text in text, and this is {}",
                needle.describe_kind()
            )),
        },
        Value::List(items) | Value::Tuple(items) => {
            Ok(items.iter().any(|item| item.equals(needle)))
        }
        Value::Dict(dict) => {
            needle.check_hashable()?;
            Ok(dict.keys().any(|key| key.equals(needle)))
        }
        other => Err(eval_error!("nothing can be `in` {}", other.describe_kind())
            .with_help("ask for an item of a list, a key of a dict, or a part of a text")),
    }
}

/// The order of strings: Jinja2 ignores case by default.
#[derive(Clone, Copy)]
pub(crate) struct Collation {
    pub(crate) case_sensitive: bool,
}

impl Collation {
    /// The key by which a value is ordered.
    pub(crate) fn sort_key<'a>(self, value: &Value<'a>) -> Result<Value<'a>> {
        Ok(match value {
            Value::Failed(fault) => return Err(fault.clone()),
            Value::Text(text) if !self.case_sensitive => {
                text.with_content(text.to_lowercase()).into()
            }
            value => value.clone(),
        })
    }

    /// The key of an item with several values. Jinja2's `sort` also uses it for one value.
    pub(crate) fn sort_keys<'a>(self, values: &[Value<'a>]) -> Result<Value<'a>> {
        let mut keys = Vec::with_capacity(values.len());
        for value in values {
            keys.push(self.sort_key(value)?);
        }
        Ok(Value::Tuple(keys.into()))
    }
}

/// Sorts by keys; equal ones keep their order, also in reverse.
///
/// A merge sort that only uses `<`, as Python's does, stops at keys that have no order, and accepts
/// `nan`, which is neither before nor after anything.
pub(crate) fn sort_by_keys<'a, T>(
    mut items: Vec<(Value<'a>, T)>,
    reverse: bool,
) -> Result<Vec<(Value<'a>, T)>> {
    if reverse {
        items.reverse();
    }
    let mut items = merge_sort(items)?;
    if reverse {
        items.reverse();
    }
    Ok(items)
}

/// The second of each pair, in the order of the first.
pub(crate) fn sort_items<'a>(
    items: Vec<(Value<'a>, Value<'a>)>,
    reverse: bool,
) -> Result<Vec<Value<'a>>> {
    let mut ordered = Vec::with_capacity(items.len());
    for (_, item) in sort_by_keys(items, reverse)? {
        ordered.push(item);
    }
    Ok(ordered)
}

/// Python compares the right item with the left one by `<`: for keys of which only some have an order, the result depends on it.
fn merge_sort<'a, T>(mut items: Vec<(Value<'a>, T)>) -> Result<Vec<(Value<'a>, T)>> {
    if items.len() < 2 {
        return Ok(items);
    }
    let len = items.len();
    let right = merge_sort(items.split_off(len / 2))?;
    let mut left = merge_sort(items)?.into_iter().peekable();
    let mut right = right.into_iter().peekable();
    let mut merged = Vec::with_capacity(len);
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let before = b.0.compare_with("<", &a.0)? == Some(Ordering::Less);
        merged.extend(if before { right.next() } else { left.next() });
    }
    merged.extend(left);
    merged.extend(right);
    Ok(merged)
}

/// The values that were there before. Its own order is never used.
#[derive(Default)]
pub(crate) struct Seen<'a> {
    by_hash: HashMap<u64, Vec<Value<'a>>>,
}

impl<'a> Seen<'a> {
    /// Whether the value is new.
    pub(crate) fn insert(&mut self, value: Value<'a>) -> bool {
        let mut hasher = DefaultHasher::new();
        hash_value(&value, &mut hasher);
        let alike = self.by_hash.entry(hasher.finish()).or_default();
        let is_new = !alike.iter().any(|other| other.equals(&value));
        if is_new {
            alike.push(value);
        }
        is_new
    }
}

/// Equal values have equal hashes: `1`, `1.0` and `True` too.
#[allow(clippy::cast_possible_truncation)] // Both sides of a comparison are truncated alike.
fn hash_value(value: &Value<'_>, out: &mut DefaultHasher) {
    match value {
        Value::Text(text) => (**text).hash(out),
        Value::Float(number) if number.fract() == 0.0 => (*number as i128).hash(out),
        Value::Float(number) => number.to_bits().hash(out),
        Value::Tuple(items) => items.iter().for_each(|item| hash_value(item, out)),
        other => match other.as_whole() {
            Some(number) => number.hash(out),
            // Values without a hash of their own share one, and are compared.
            None => out.write_u8(0),
        },
    }
}
