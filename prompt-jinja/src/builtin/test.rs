//! Tests: what follows `is`.

use std::cmp::Ordering;

use super::arith::Arith;
use super::chars::{is_lower_text, is_upper_text};
use super::text::to_text;
use super::{Args, Host, Outcome, View};

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident: $pattern:pat,)*) => {$(
        $(#[$doc])*
        pub(crate) fn $name<H: Host>(_: &mut H, value: &H::Value, _: Args<'_, H>) -> Outcome<H, bool> {
            H::check_computed(value)?;
            Ok(matches!(H::view_value(value), $pattern))
        }
    )*};
}

kinds! {
    /// `is none`.
    none: View::None,
    /// `is string`.
    string: View::Str(_),
    /// `is number`: `True` counts as one, as in Python.
    number: View::Bool(_) | View::Whole | View::Float,
    /// `is integer`: `True` is not an integer.
    integer: View::Whole,
    /// `is float`.
    float: View::Float,
    /// `is boolean`.
    boolean: View::Bool(_),
    /// `is mapping`.
    mapping: View::Dict(_),
    /// `is true`.
    r#true: View::Bool(true),
    /// `is false`.
    r#false: View::Bool(false),
}

/// `is odd`.
pub(crate) fn odd<H: Host>(host: &mut H, value: &H::Value, _: Args<'_, H>) -> Outcome<H, bool> {
    has_remainder(host, value, &H::from_whole(2, value), 1)
}

/// `is even`.
pub(crate) fn even<H: Host>(host: &mut H, value: &H::Value, _: Args<'_, H>) -> Outcome<H, bool> {
    has_remainder(host, value, &H::from_whole(2, value), 0)
}

/// `is divisibleby(3)`.
pub(crate) fn divisibleby<H: Host>(
    host: &mut H,
    value: &H::Value,
    args: Args<'_, H>,
) -> Outcome<H, bool> {
    has_remainder(host, value, args.get_required(0, "num")?, 0)
}

fn has_remainder<H: Host>(
    host: &mut H,
    value: &H::Value,
    divisor: &H::Value,
    expected: i64,
) -> Outcome<H, bool> {
    let rest = host.compute(Arith::Rem, value, divisor)?;
    host.are_equal(&rest, &H::from_whole(expected, value))
}

/// `is eq(1)`, also written `==` and `equalto`.
pub(crate) fn eq<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Outcome<H, bool> {
    let other = args.get_required(0, "other")?;
    host.are_equal(value, other)
}

/// `is ne(1)`, also written `!=`.
pub(crate) fn ne<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Outcome<H, bool> {
    eq(host, value, args).map(|equal| !equal)
}

macro_rules! orders {
    ($($(#[$doc:meta])* $name:ident $sign:literal $($order:ident)|*;)*) => {$(
        $(#[$doc])*
        pub(crate) fn $name<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Outcome<H, bool> {
            let order = host.compare_values($sign, value, args.get_required(0, "other")?)?;
            Ok(matches!(order, Some($(Ordering::$order)|*)))
        }
    )*};
}

orders! {
    /// `is lt(1)`, also written `<` and `lessthan`.
    lt "<" Less;
    /// `is le(1)`, also written `<=`.
    le "<=" Less | Equal;
    /// `is gt(1)`, also written `>` and `greaterthan`.
    gt ">" Greater;
    /// `is ge(1)`, also written `>=`.
    ge ">=" Greater | Equal;
}

/// `is in([1, 2])`.
pub(crate) fn r#in<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Outcome<H, bool> {
    host.is_contained(args.get_required(0, "seq")?, value)
}

/// `is lower`: letters, and none of them a capital.
pub(crate) fn lower<H: Host>(host: &mut H, value: &H::Value, _: Args<'_, H>) -> Outcome<H, bool> {
    Ok(is_lower_text(&to_text(host, value)?))
}

/// `is upper`: letters, and all of them capitals.
pub(crate) fn upper<H: Host>(host: &mut H, value: &H::Value, _: Args<'_, H>) -> Outcome<H, bool> {
    Ok(is_upper_text(&to_text(host, value)?))
}
