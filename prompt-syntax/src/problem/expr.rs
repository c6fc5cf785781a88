//! Text that is not an expression: what was found, what was expected, and what was most likely meant.

use super::Problem;
use crate::Span;

#[cfg(feature = "jinja")]
mod jinja;
#[cfg(feature = "jinja")]
pub use self::jinja::*;

/// What words that cannot be read were most likely meant as, or what they lack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntendedExpr<'a> {
    /// These words.
    Written(&'a str),
    /// These words, in a tag.
    Tag(&'a str),
    /// Nothing else than what was expected.
    Expected,
    /// A method or function, called in a condition or elsewhere: this value was meant, if one was.
    Called(&'a str, bool),
    /// A bracket's end.
    End(&'a str),
    /// A value whose name is a word of the language.
    Word(&'a str),
    /// One of the constants: the help as it is.
    Help(&'static str),
}

impl IntendedExpr<'_> {
    /// Nothing.
    pub const NOTHING: IntendedExpr<'static> = IntendedExpr::Help("remove it");
    /// A second condition.
    pub const CONDITION: IntendedExpr<'static> =
        IntendedExpr::Help("remove it, or join conditions with `and` or `or`");
    /// A filter.
    pub const FILTER: IntendedExpr<'static> =
        IntendedExpr::Help("remove it, or write `|` before a filter");
    /// Another filter of a block.
    pub const SECOND_FILTER: IntendedExpr<'static> =
        IntendedExpr::Help("write `|` before another filter");
    /// The name of a filter.
    pub const FILTER_NAME: IntendedExpr<'static> =
        IntendedExpr::Help("write a filter like `trim`, `upper` or `join(\", \")` after `|`");
    /// The name of a test.
    pub const TEST_NAME: IntendedExpr<'static> = IntendedExpr::Help(
        "write a test like `none`, `defined` or `string` after `is`, or `==` to compare",
    );
    /// A second default.
    pub const SECOND_DEFAULT: IntendedExpr<'static> =
        IntendedExpr::Help("give one default, after the filters");
    /// The end of parentheses that were never opened.
    pub const PARENTHESIS: IntendedExpr<'static> =
        IntendedExpr::Help("remove it, or add the `(` that it closes");
    /// The name of an item, before `in`.
    pub const ITEM: IntendedExpr<'static> = IntendedExpr::Help("write a name before `in`");
    /// Several names of an item.
    pub const ITEMS: IntendedExpr<'static> = IntendedExpr::Help(
        "name the item, `for item in list`, or the two parts of a pair, `for key, value in map`",
    );
    /// Several values.
    pub const SECOND_VALUE: IntendedExpr<'static> =
        IntendedExpr::Help("write one value; `and` joins conditions");
    /// Another argument.
    pub const ARGUMENT: IntendedExpr<'static> = IntendedExpr::Help("write `,` before it");
    /// Another item, or a string joined to this one.
    pub const ITEM_OR_TEXT: IntendedExpr<'static> =
        IntendedExpr::Help("write `,` before it, or `~` to join two texts");
    /// An operand.
    pub const OPERAND: IntendedExpr<'static> =
        IntendedExpr::Help("remove it, or write an operator before it: `~` joins two texts");
    /// A comparison.
    pub const COMPARISON: IntendedExpr<'static> = IntendedExpr::Help("write `==` to compare");
    /// A choice, `a ? b : c`.
    pub const CHOICE: IntendedExpr<'static> =
        IntendedExpr::Help("write `a if b else c` to choose a value");
    /// A choice inside of a list.
    pub const CHOICE_INSIDE: IntendedExpr<'static> =
        IntendedExpr::Help("put it in parentheses: `(a if b else c)`");
    /// A negation inside of an expression.
    pub const NOT_INSIDE: IntendedExpr<'static> =
        IntendedExpr::Help("put it in parentheses: `(not …)`");
    /// A tag's delimiter.
    pub const DELIMITER: IntendedExpr<'static> =
        IntendedExpr::Help("write `{% … %}` for a tag, `{{ … }}` for a value");
    /// A value before a filter.
    pub const VALUE_BEFORE: IntendedExpr<'static> = IntendedExpr::Help("write a value before `|`");
    /// A text, whose quotes are missing.
    pub const QUOTED: IntendedExpr<'static> = IntendedExpr::Help("write a quoted string: `\", \"`");
    /// A field.
    pub const FIELD: IntendedExpr<'static> = IntendedExpr::Help("write the name of a field");
    /// A value.
    pub const VALUE: IntendedExpr<'static> =
        IntendedExpr::Help("write a field, a quoted string, a number, or `(`");
    /// Something that can be in parentheses, or left out.
    pub const OTHER: IntendedExpr<'static> =
        IntendedExpr::Help("remove it, or put it in parentheses");

    fn help(self, expected: &str) -> String {
        match self {
            IntendedExpr::Written(words) => format!("write `{words}`"),
            IntendedExpr::Tag(words) => format!("write `{{% {words} %}}` for a tag"),
            IntendedExpr::Expected => format!("write {expected} here"),
            IntendedExpr::End(sign) => format!("add `{sign}`"),
            IntendedExpr::Word(name) => format!(
                "write a value; `{name}` is a word of the language, and a field of that name has to be renamed"
            ),
            IntendedExpr::Called("", _) => {
                "write a field, and a function of yours as its filter: `field | crate::function`"
                    .to_owned()
            }
            IntendedExpr::Called(value, true) => format!(
                "write `{value}` for what is there, `not {value}` for what is not: a template calls no methods"
            ),
            IntendedExpr::Called(value, false) => {
                format!("write `{value}`: a template calls no methods")
            }
            IntendedExpr::Help(help) => help.to_owned(),
        }
    }
}

/// Another token than the expected one.
pub fn unexpected(found: &str, expected: &str, meant: IntendedExpr<'_>) -> Problem {
    Problem::new(format!("expected {expected}, found {found}"))
        .labelled(format!("{expected} expected"))
        .helped(meant.help(expected))
}

/// Words are left over where nothing more, or an end, is expected.
pub fn left_over(found: &str, expected: &str, meant: IntendedExpr<'_>) -> Problem {
    Problem::new(format!("expected {expected}, found {found}"))
        .labelled("not expected")
        .helped(meant.help(expected))
}

/// The end of a bracket is missing.
pub fn unclosed(problem: Problem, open: Span) -> Problem {
    problem.related_to(open, "opened here")
}

problems! {
    /// More operators than are read.
    pub fn too_many_operators(most: usize) = "more than {most} operators in one tag",
        label "too deep", help "compute the value in Rust and give it as a field";

    /// `<user .name>`
    pub fn space(between: &str) = "there is a space between {between}",
        label "not expected", help "write the words without a space";

    /// `<for a in b ?? c>`
    pub fn default_of_a_loop() = "a loop takes no default",
        label "not expected", help "write the text for an empty list after an `else`";

    /// `f(a=1, a=2)`
    pub fn argument_twice(name: &str) = "the argument `{name}` is given twice",
        label "given before", help "remove one of them";

    /// `{% for loop in items %}`
    pub fn item_named_loop() = "`loop` is the loop itself",
        label "not a name for an item", help "give it another name";

    /// `{% for a, a in items %}`
    pub fn named_twice(name: &str) = "`{name}` is named twice",
        label "named before", help "give one of them another name";

    /// `{% set true = 1 %}`
    pub fn reserved(name: &str) = "`{name}` is a word of the language",
        label "not a name", help "give it another name";
}
