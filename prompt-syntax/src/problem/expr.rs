//! Words that make no expression: what stands there, what was expected, and what was most likely meant.

use super::Problem;
use crate::Span;

#[cfg(feature = "jinja")]
mod jinja;
#[cfg(feature = "jinja")]
pub use self::jinja::*;

/// What words that cannot be read were most likely meant as, or what they lack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meant<'a> {
    /// These words.
    Written(&'a str),
    /// These words, in a tag.
    Tag(&'a str),
    /// Nothing else than what was expected.
    Expected,
    /// Nothing.
    Nothing,
    /// A second condition.
    Condition,
    /// A filter.
    Filter,
    /// Another filter of a block.
    SecondFilter,
    /// The name of a filter.
    FilterName,
    /// The name of a test.
    TestName,
    /// A second default.
    SecondDefault,
    /// A method or function, called in a condition or elsewhere: this value was meant, if one was.
    Called(&'a str, bool),
    /// The end of parentheses that were never opened.
    Parenthesis,
    /// The name of an item, before `in`.
    Item,
    /// Several names of an item.
    Items,
    /// Several values.
    SecondValue,
    /// A bracket's end.
    End(&'a str),
    /// Another argument.
    Argument,
    /// Another item, or a text joined to this one.
    ItemOrText,
    /// An operand.
    Operand,
    /// A comparison.
    Comparison,
    /// A choice, `a ? b : c`.
    Choice,
    /// A choice inside of a list.
    ChoiceInside,
    /// A negation inside of an expression.
    NotInside,
    /// A value whose name is a word of the language.
    Word(&'a str),
    /// A tag's delimiter.
    Delimiter,
    /// A value before a filter.
    ValueBefore,
    /// A text, whose quotes are missing.
    Quoted,
    /// A field.
    Field,
    /// A value.
    Value,
    /// Something that can be in parentheses, or left out.
    Other,
}

impl Meant<'_> {
    fn help(self, expected: &str) -> String {
        match self {
            Meant::Written(words) => return format!("write `{words}`"),
            Meant::Tag(words) => return format!("write `{{% {words} %}}` for a tag"),
            Meant::Expected => return format!("write {expected} here"),
            Meant::End(sign) => return format!("add `{sign}`"),
            Meant::Word(name) => {
                return format!(
                    "write a value; `{name}` is a word of the language, and a field of that name has to be renamed"
                );
            }
            Meant::Called("", _) => "write a field, and a function of yours as its filter: `field | crate::function`",
            Meant::Called(value, true) => {
                return format!(
                    "write `{value}` for what is there, `not {value}` for what is not: a template calls no methods"
                );
            }
            Meant::Called(value, false) => {
                return format!("write `{value}`: a template calls no methods");
            }
            Meant::Nothing => "remove it",
            Meant::Condition => "remove it, or join conditions with `and` or `or`",
            Meant::Filter => "remove it, or write `|` before a filter",
            Meant::SecondFilter => "write `|` before another filter",
            Meant::FilterName => "write a filter like `trim`, `upper` or `join(\", \")` after `|`",
            Meant::TestName => {
                "write a test like `none`, `defined` or `string` after `is`, or `==` to compare"
            }
            Meant::SecondDefault => "give one default, after the filters",
            Meant::Parenthesis => "remove it, or add the `(` that it closes",
            Meant::Item => "write a name before `in`",
            Meant::Items => "name one item, and take its fields by `.name`: items are structs, no tuples",
            Meant::SecondValue => "write one value; `and` joins conditions",
            Meant::Argument => "write `,` before it",
            Meant::ItemOrText => "write `,` before it, or `~` to join two texts",
            Meant::Operand => "remove it, or write an operator before it: `~` joins two texts",
            Meant::Comparison => "write `==` to compare",
            Meant::Choice => "write `a if b else c` to choose a value",
            Meant::ChoiceInside => "put it in parentheses: `(a if b else c)`",
            Meant::NotInside => "put it in parentheses: `(not …)`",
            Meant::Delimiter => "write `{% … %}` for a tag, `{{ … }}` for a value",
            Meant::ValueBefore => "write a value before `|`",
            Meant::Quoted => "write a text in quotes: `\", \"`",
            Meant::Field => "write the name of a field",
            Meant::Value => "write a field, a text in quotes, a number, or `(`",
            Meant::Other => "remove it, or put it in parentheses",
        }
        .to_owned()
    }
}

/// Something else stands there than is expected. `found` is a sentence without its end: "`,` stands", "it ends".
pub fn unexpected(found: &str, expected: &str, meant: Meant<'_>) -> Problem {
    Problem::new(format!("{found} where {expected} is expected"))
        .labelled(format!("{expected} expected"))
        .helped(meant.help(expected))
}

/// Words are left over where nothing more, or an end, is expected.
pub fn left_over(found: &str, expected: &str, meant: Meant<'_>) -> Problem {
    Problem::new(format!("{found} where {expected} is expected"))
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
    pub fn space(between: &str) = "a space stands between {between}",
        label "not expected", help "write the words without a space";

    /// `<for a in b ?? c>`
    pub fn default_of_a_loop() = "a loop takes no default",
        label "not expected", help "say what stands there for an empty list after an `else`";

    /// `f(a=1, a=2)`
    pub fn argument_twice(name: &str) = "the argument `{name}` is given twice",
        label "given before", help "remove one of them";

    /// `{% set true = 1 %}`
    pub fn reserved(name: &str) = "`{name}` is a word of the language",
        label "not a name", help "give it another name";
}
