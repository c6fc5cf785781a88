//! Text that is not an expression, and what only expressions of the Jinja dialect have.

use prompt_base::Span;
use prompt_base::suggest::closest;
use prompt_syntax::problem::Problem;
pub use prompt_syntax::problem::expr::*;
use prompt_syntax::problems;

/// A choice, `a ? b : c`.
pub const CHOICE: IntendedExpr<'static> =
    IntendedExpr::Help("write `a if b else c` to choose a value");
/// A choice inside of a list.
pub const CHOICE_INSIDE: IntendedExpr<'static> =
    IntendedExpr::Help("put it in parentheses: `(a if b else c)`");
/// A comparison.
pub const COMPARISON: IntendedExpr<'static> = IntendedExpr::Help("write `==` to compare");
/// A tag's delimiter.
pub const DELIMITER: IntendedExpr<'static> =
    IntendedExpr::Help("write `{% … %}` for a tag, `{{ … }}` for a value");
/// A field.
pub const FIELD: IntendedExpr<'static> = IntendedExpr::Help("write the name of a field");
/// Another item, or a string joined to this one.
pub const ITEM_OR_TEXT: IntendedExpr<'static> =
    IntendedExpr::Help("write `,` before it, or `~` to join two texts");
/// Nothing.
pub const NOTHING: IntendedExpr<'static> = IntendedExpr::Help("remove it");
/// A negation inside of an expression.
pub const NOT_INSIDE: IntendedExpr<'static> =
    IntendedExpr::Help("put it in parentheses: `(not …)`");
/// An operand.
pub const OPERAND: IntendedExpr<'static> =
    IntendedExpr::Help("remove it, or write an operator before it: `~` joins two texts");
/// An operand in a tag, whose value is not written.
pub const OPERAND_OF_TAG: IntendedExpr<'static> = IntendedExpr::Help(
    "remove it, or write an operator before it: `and` and `or` join conditions, `|` begins a filter",
);
/// A loop from the last item to the first.
pub const REVERSED: IntendedExpr<'static> = IntendedExpr::Help("write `| reverse`");
/// Something that can be in parentheses, or left out.
pub const OTHER: IntendedExpr<'static> = IntendedExpr::Help("remove it, or put it in parentheses");
/// Another filter of a block.
pub const SECOND_FILTER: IntendedExpr<'static> =
    IntendedExpr::Help("write `|` before another filter");
/// Several values.
pub const SECOND_VALUE: IntendedExpr<'static> =
    IntendedExpr::Help("write one value; `and` joins conditions");
/// The name of a test.
pub const TEST_NAME: IntendedExpr<'static> = IntendedExpr::Help(
    "write a test like `none`, `defined` or `string` after `is`, or `==` to compare",
);
/// A value.
pub const VALUE: IntendedExpr<'static> =
    IntendedExpr::Help("write a field, a quoted string, a number, or `(`");
/// A value before a filter.
pub const VALUE_BEFORE: IntendedExpr<'static> = IntendedExpr::Help("write a value before `|`");

/// `{% for i in 1..5 %}`, a range of `first` and `end`.
pub fn range_sign(sign: &str, first: &str, end: &str, is_inclusive: bool) -> Problem {
    let first = if first.is_empty() { "0" } else { first };
    let end = match (end, is_inclusive) {
        ("", _) => "5".to_owned(),
        (end, false) => end.to_owned(),
        (end, true) => match end.parse::<u32>() {
            Ok(number) => (u64::from(number) + 1).to_string(),
            Err(_) => format!("{end} + 1"),
        },
    };
    Problem::new(format!("`{sign}` has no meaning here"))
        .with_label("not a range in Jinja")
        .with_help(format!(
            "write `range({first}, {end})`, which ends before `{end}`"
        ))
}

problems! {
    /// `f(a=1, a=2)`
    pub fn argument_twice(name: &str) = "the argument `{name}` is given twice",
        label "given before", help "remove one of them";

    /// `{% set true = 1 %}`
    pub fn reserved_word(name: &str) = "`{name}` is a word of the language",
        label "not a name", help "give it another name";

    /// More brackets inside each other than are read.
    pub fn too_many_brackets(most: usize) = "more than {most} brackets inside each other",
        label "too deep", help "name a part with `{{% set %}}`, or compute it in Rust and give it as a field";

    /// `{{ a is none is defined }}`
    pub fn test_after_test() = "a test follows a test",
        label "not expected", help "join tests with `and` or `or`";

    /// `{{ a is divisibleby in b }}`
    pub fn word_for_argument(word: &str, test: &str, value: &str) = "`{word}` is written where the test `{test}` takes an argument",
        label "not expected", help "write `({value})` in parentheses";
}

/// Number 4: `{{ a is null }}`
pub fn unknown_test<'a>(name: &'a str, known: impl IntoIterator<Item = &'a str>) -> Problem {
    let instead = match name {
        "null" | "nil" | "None" => Some("none"),
        "True" => Some("true"),
        "False" => Some("false"),
        "str" | "text" => Some("string"),
        "int" => Some("integer"),
        "bool" => Some("boolean"),
        "dict" | "map" | "object" => Some("mapping"),
        "list" | "array" => Some("sequence"),
        "equal" | "equals" => Some("eq"),
        "empty" => None,
        other => closest(other, known),
    };
    Problem::new(format!("unknown test `{name}`"))
        .with_label("not a test")
        .with_help(match instead {
            Some(right) => format!("write `is {right}`"),
            None if name == "empty" => {
                "write `not` before the value: what is empty is false".to_owned()
            }
            None => {
                format!("write `== {name}` to compare, or a test like `none`, `defined`, `string`")
            }
        })
}

problems! {
    /// Number 17: a test with an argument that it does not take.
    pub fn test_takes_none(test: &str) = "the test `{test}` takes no argument",
        label "not expected", help "remove it, or join conditions with `and` or `or`";

    /// Number 17: a test with several arguments.
    pub fn test_takes_one(test: &str) = "the test `{test}` takes one argument",
        label "not expected", help "remove it";

    /// Number 17: a test without its argument.
    pub fn test_without_argument(test: &str) = "the test `{test}` takes an argument",
        label "none given", help "write `is {test}(…)`";

    /// `f(a=1, b)`
    pub fn argument_after_named(named: Span) = "an argument without a name follows one with a name",
        label "not expected", related named "has a name", help "write the arguments without names first";

    /// `{% macro m(a, a) %}`
    pub fn parameter_twice(name: &str) = "the parameter `{name}` is named twice",
        label "named before", help "give one of them another name";

    /// `{% macro m(a=1, b) %}`
    pub fn parameter_after_default(other: Span) = "a parameter without a default follows one with a default",
        label "no default", related other "has a default", help "write the parameters without a default first";

    /// `{% macro m(a,) %}`
    pub fn comma_after_parameters() = "a comma follows the last parameter",
        label "not expected", help "remove it";

    /// `{% set a, b %}…{% endset %}`
    pub fn block_of_several_names() = "the text of a block has one name",
        label "not expected", help "write `=` and the values, or remove it";
}
