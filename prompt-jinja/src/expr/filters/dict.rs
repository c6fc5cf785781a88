//! Filters of dicts.

use crate::expr::args::flag;
use crate::expr::order::{Collation, in_order};
use crate::expr::{Args, Fault, Result, Value, list as made};

/// `items`: the pairs of a dict; none of what is not defined.
///
/// # Errors
/// What is no dict.
pub fn items<'a>(value: &Value<'a>, _: Args<'_, 'a>) -> Result<Value<'a>> {
    match value {
        Value::Undefined(_) => Ok(made(Vec::new())),
        value => match value.defined()? {
            Value::Dict(dict) => Ok(made(pairs(dict.entries()))),
            other => Err(Fault::new(format!(
                "`items` works on a dict, and this is {}",
                other.kind()
            ))),
        },
    }
}

pub(crate) fn pairs<'a>(entries: &[(Value<'a>, Value<'a>)]) -> Vec<Value<'a>> {
    let pair = |(key, value): &(Value<'a>, Value<'a>)| {
        crate::expr::tuple(vec![key.clone(), value.clone()])
    };
    entries.iter().map(pair).collect()
}

/// `dictsort(case_sensitive=false, by="key", reverse=false)`: the pairs of a dict, in order.
///
/// # Errors
/// What is no dict, and keys or values that Python does not order.
pub fn dictsort<'a>(value: &Value<'a>, args: Args<'_, 'a>) -> Result<Value<'a>> {
    let Value::Dict(dict) = value.defined()? else {
        return Err(Fault::new(format!(
            "`dictsort` works on a dict, and this is {}",
            value.kind()
        )));
    };
    let collation = Collation {
        case_sensitive: flag(args, 0, false)?,
    };
    let by_value = match crate::expr::args::text(args, 1, "by")?.map(|by| &**by) {
        None | Some("key") => false,
        Some("value") => true,
        Some(_) => return Err(Fault::new("`dictsort` sorts by `key` or by `value`")),
    };
    let mut keyed = Vec::with_capacity(dict.entries().len());
    for ((key, value), pair) in dict.entries().iter().zip(pairs(dict.entries())) {
        keyed.push((collation.key(if by_value { value } else { key })?, pair));
    }
    Ok(made(in_order(keyed, flag(args, 2, false)?)?))
}
