//! Equality and order of values as in Python.

use std::cmp::Ordering;

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
