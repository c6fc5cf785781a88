//! Equality and order of values as in Python.

use std::cmp::Ordering;

use crate::builtin::Host;
use crate::expr::host::Typed;
use crate::expr::{Result, Value};

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
    Typed::new().are_equal(left, right)
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
            let order = Typed::new().compare_values($sign, left, right)?;
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
    Typed::new().is_contained(heap, needle)
}
