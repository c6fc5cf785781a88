//! Filters: one function for each.
//!
//! A result that is an iterator in Jinja2, such as that of `map`, is a list here: it can be printed, counted and has a length,
//! and is false when it is empty. Left out are filters whose result is not the same each time, or that make HTML
//! ([`REFUSED`](prompt_syntax::problem::subset::REFUSED)). `escape` returns plain text, and `safe` changes nothing: there is no
//! automatic escaping.

mod json;
mod list;
mod number;
mod text;
mod wrap;

pub use self::json::tojson;
pub(crate) use self::list::dict_pairs;
pub use self::list::{
    batch, first, groupby, join, last, length, list, map, map_attribute, max, min, reject, reverse,
    select, slice, sort, sum, unique,
};
pub use self::list::{dictsort, items};
#[cfg(feature = "untyped")]
pub(crate) use self::number::parse_float;
pub use self::number::{abs, filesizeformat, float, int, round};
pub use self::text::{
    capitalize, center, escape, format, indent, lower, replace, string, title, trim, upper,
    urlencode, wordcount,
};
#[cfg(feature = "untyped")]
pub(crate) use self::text::{percent_encode, title_words};
pub(crate) use self::text::{replace_text, strip_chars};
#[cfg(feature = "untyped")]
pub(crate) use self::wrap::wrap_line;
pub use self::wrap::{truncate, wordwrap};
use crate::expr::{Arguments, Result, Value};

/// `default(value="", boolean=false)`: another value for an undefined value or an `Option` without one; with `boolean`
/// also for what is empty, zero, false or `None`.
///
/// # Errors
/// A value that could not be made.
///
/// ```
/// use prompt_jinja::private::{filters, template_str};
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(filters::default(&Value::Absent, &[Some(template_str("-"))])?.to_string(), "-");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn default<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let missing = match value {
        Value::Undefined(_) | Value::Absent => true,
        value => {
            let empty = args.get(1).and_then(Option::as_ref);
            let empty = empty.map_or(Ok(false), Value::is_true)?;
            value.as_defined()?;
            empty && !value.is_true()?
        }
    };
    Ok(if missing {
        let given = args.first().cloned().flatten();
        given.unwrap_or_else(|| crate::expr::template_str(""))
    } else {
        value.clone()
    })
}
