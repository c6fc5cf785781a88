//! Arguments of filters, tests and methods, by position and kind.

use crate::expr::{Arguments, Result, Str, Value};

/// The argument at a position, unless it is not given.
pub(crate) fn given<'s, 'a>(args: Arguments<'s, 'a>, at: usize) -> Option<&'s Value<'a>> {
    args.get(at)?.as_ref()
}

/// The argument at a position, unless it is not given or `None`.
pub(crate) fn some<'s, 'a>(args: Arguments<'s, 'a>, at: usize) -> Option<&'s Value<'a>> {
    given(args, at).filter(|value| !matches!(value, Value::None | Value::Absent))
}

/// The argument at a position, which has to be there.
pub(crate) fn needed<'s, 'a>(
    args: Arguments<'s, 'a>,
    at: usize,
    name: &str,
) -> Result<&'s Value<'a>> {
    let value = given(args, at).ok_or_else(|| eval_error!("the argument `{name}` is missing"))?;
    value.defined()
}

pub(crate) fn flag(args: Arguments<'_, '_>, at: usize, default: bool) -> Result<bool> {
    given(args, at).map_or(Ok(default), Value::is_true)
}

pub(crate) fn int(args: Arguments<'_, '_>, at: usize, name: &str, default: i128) -> Result<i128> {
    given(args, at).map_or(Ok(default), |value| whole(value, name))
}

pub(crate) fn whole(value: &Value<'_>, name: &str) -> Result<i128> {
    value
        .defined()?
        .whole()
        .ok_or_else(|| eval_error!("`{name}` is a whole number, and this is {}", value.kind()))
}

/// An integer that something can be as long as.
pub(crate) fn size(number: i128, name: &str) -> Result<usize> {
    match usize::try_from(number) {
        Ok(size) if size <= crate::expr::number::LARGEST => Ok(size),
        Err(_) if number < 0 => Ok(0),
        _ => Err(eval_error!("`{name}` is too large")),
    }
}

pub(crate) fn text<'s, 'a>(
    args: Arguments<'s, 'a>,
    at: usize,
    name: &str,
) -> Result<Option<&'s Str<'a>>> {
    given(args, at)
        .map(|value| needed_text(value, name))
        .transpose()
}

pub(crate) fn needed_text<'s, 'a>(value: &'s Value<'a>, name: &str) -> Result<&'s Str<'a>> {
    match value.defined()? {
        Value::Text(text) => Ok(text),
        other => Err(eval_error!(
            "`{name}` is text, and this is {}",
            other.kind()
        )),
    }
}

/// The text that a filter works on, where nothing but text will do.
pub(crate) fn only_text<'s, 'a>(filter: &str, value: &'s Value<'a>) -> Result<&'s Str<'a>> {
    match value.defined()? {
        Value::Text(text) => Ok(text),
        other => Err(
            eval_error!("`{filter}` works on text, and this is {}", other.kind())
                .with_help(format!("make it text first: `| string | {filter}`")),
        ),
    }
}
