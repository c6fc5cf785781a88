use crate::expr::{Args, Result, Value};

/// `upper`.
///
/// # Errors
/// What is not defined.
pub fn upper<'a>(value: &Value<'a>, _: Args<'_, 'a>) -> Result<Value<'a>> {
    Ok(value.text()?.each_piece(str::to_uppercase).into())
}

/// `lower`.
///
/// # Errors
/// What is not defined.
pub fn lower<'a>(value: &Value<'a>, _: Args<'_, 'a>) -> Result<Value<'a>> {
    Ok(value.text()?.each_piece(str::to_lowercase).into())
}
