//! Comparisons in conditions of the angle dialect.

use super::Problem;
use crate::Kind;
use crate::Literal;

problems! {
    /// `<if 1 < 2>`
    pub fn two_constants() = "two constants are compared",
        label "always the same", help "write a field on one side: `name == \"…\"`, `count > 3`";

    /// `<if mode == 'a' or 'b'>`; `right` is a comparison.
    pub fn constant_condition(right: &str) = "a constant is not a condition",
        label "always the same", help "write `{right}`";

    /// `<if a == b>`
    pub fn no_constant() = "two values are compared, and one must be a constant",
        label "not with a constant",
        help "compare them in Rust and test a `bool` field; or write a string, a number, `true` or `false` on one side";

    /// `<if name > "a">`
    pub fn no_order(sign: &str) = "`{sign}` compares numbers",
        label "not a number", help "write `==` or `!=` for text and labels";

    /// `<if mode == "breif">` of an enum with labels.
    pub fn no_label(text: &str, ty: &str) = "`{text}` is not a label of `{ty}`",
        label "never holds";

    /// `<if note == "x">` of an `Option`; `written` is the comparison.
    pub fn compared_option(name: &str, written: &str) = "`{name}` can be `None`: it is an `Option`",
        label "compared, and possibly `None`", help "write `{name} and {written}`";
}

/// The same for a template of run time, where the labels are known.
pub fn unknown_label(text: &str, field: &str, labels: &[&str]) -> Problem {
    no_label(text, field).with_help(super::suggest_name(text, labels))
}

/// The constant that a text in quotes is meant as beside a value of this kind: `4`, `true`.
pub fn unquoted(text: &str, kind: &Kind) -> Option<String> {
    let constant = text.trim().to_lowercase();
    let is_constant = match kind {
        Kind::Bool => matches!(&constant[..], "true" | "false"),
        Kind::Int | Kind::Float => constant.parse::<f64>().is_ok_and(f64::is_finite),
        // The angle dialect does not distinguish them.
        Kind::Number => {
            return unquoted(text, &Kind::Bool).or_else(|| unquoted(text, &Kind::Float));
        }
        _ => false,
    };
    is_constant.then_some(constant)
}

/// `<if name == 3>` of a string.
pub fn other_kind(name: &str, kind: &Kind, literal: &Literal) -> Problem {
    let what = match literal {
        Literal::Str(_) => "a string",
        Literal::Int(_) | Literal::Float(_) => "a number",
        Literal::Bool(_) => "a boolean",
        Literal::None => "`none`",
    };
    Problem::new(format!(
        "`{name}` is {kind} and cannot be compared with {what}"
    ))
    .with_label(what)
    .with_help(match (kind, literal) {
        (kind, Literal::Str(text)) if unquoted(text, kind).is_some() => format!(
            "write `{}` without quotes",
            unquoted(text, kind).unwrap_or_default()
        ),
        (Kind::Text, Literal::Int(number)) => format!("write `\"{number}\"` for the text"),
        (Kind::Text, Literal::Float(number)) => format!("write `\"{number}\"` for the text"),
        (Kind::Text, _) => "write a quoted string".to_owned(),
        (Kind::Struct(_), _) => "compare a field of it".to_owned(),
        (Kind::Number, _) => "write a number, `true` or `false`".to_owned(),
        _ => format!("write `{name}` alone to ask whether it has items"),
    })
}
