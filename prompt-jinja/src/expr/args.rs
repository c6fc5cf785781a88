//! Arguments of filters, tests and methods, by position and kind.

use crate::expr::{Arguments, Result, Str, Value};

/// The argument at a position, unless it is not given.
pub(crate) fn argument<'s, 'a>(args: Arguments<'s, 'a>, at: usize) -> Option<&'s Value<'a>> {
    args.get(at)?.as_ref()
}

/// The argument at a position, unless it is not given or `None`.
pub(crate) fn some_argument<'s, 'a>(args: Arguments<'s, 'a>, at: usize) -> Option<&'s Value<'a>> {
    argument(args, at).filter(|value| !matches!(value, Value::None | Value::Absent))
}

/// The argument at a position, which has to be there.
pub(crate) fn required_argument<'s, 'a>(
    args: Arguments<'s, 'a>,
    at: usize,
    name: &str,
) -> Result<&'s Value<'a>> {
    let value =
        argument(args, at).ok_or_else(|| eval_error!("the argument `{name}` is missing"))?;
    value.as_defined()
}

pub(crate) fn bool_argument(args: Arguments<'_, '_>, at: usize, default: bool) -> Result<bool> {
    argument(args, at).map_or(Ok(default), Value::is_true)
}

pub(crate) fn int_argument(
    args: Arguments<'_, '_>,
    at: usize,
    name: &str,
    default: i128,
) -> Result<i128> {
    argument(args, at).map_or(Ok(default), |value| require_whole(value, name))
}

pub(crate) fn require_whole(value: &Value<'_>, name: &str) -> Result<i128> {
    value.as_defined()?.as_whole().ok_or_else(|| {
        eval_error!(
            "`{name}` is a whole number, and this is {}",
            value.describe_kind()
        )
    })
}

/// An integer that something can be as long as.
pub(crate) fn checked_size(number: i128, name: &str) -> Result<usize> {
    match usize::try_from(number) {
        Ok(size) if size <= crate::expr::number::MAX_RESULT_SIZE => Ok(size),
        Err(_) if number < 0 => Ok(0),
        _ => Err(eval_error!("`{name}` is too large")),
    }
}

pub(crate) fn text_argument<'s, 'a>(
    args: Arguments<'s, 'a>,
    at: usize,
    name: &str,
) -> Result<Option<&'s Str<'a>>> {
    argument(args, at)
        .map(|value| require_text(value, name))
        .transpose()
}

pub(crate) fn require_text<'s, 'a>(value: &'s Value<'a>, name: &str) -> Result<&'s Str<'a>> {
    match value.as_defined()? {
        Value::Text(text) => Ok(text),
        other => Err(eval_error!(
            "`{name}` is text, and this is {}",
            other.describe_kind()
        )),
    }
}

/// The text that a filter works on, where nothing but text will do.
pub(crate) fn require_filter_text<'s, 'a>(
    filter: &str,
    value: &'s Value<'a>,
) -> Result<&'s Str<'a>> {
    match value.as_defined()? {
        Value::Text(text) => Ok(text),
        other => Err(eval_error!(
            "`{filter}` works on text, and this is {}",
            other.describe_kind()
        )
        .with_help(format!("make it text first: `| string | {filter}`"))),
    }
}
