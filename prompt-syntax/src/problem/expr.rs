//! Words that make no expression: what stands there, what was expected, and what was most likely meant.

use super::Problem;
use crate::Span;
use crate::suggest::closest;

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

/// More operators than are read.
pub fn too_many_operators(most: usize) -> Problem {
    Problem::new(format!("more than {most} operators in one tag"))
        .labelled("too deep")
        .helped("compute the value in Rust and give it as a field")
}

/// More brackets inside each other than are read.
pub fn too_many_brackets(most: usize) -> Problem {
    Problem::new(format!("more than {most} brackets inside each other"))
        .labelled("too deep")
        .helped("name a part with `{% set %}`, or compute it in Rust and give it as a field")
}

/// `<user .name>`
pub fn space(between: &str) -> Problem {
    Problem::new(format!("a space stands between {between}"))
        .labelled("not expected")
        .helped("write the words without a space")
}

/// `<for a in b ?? c>`
pub fn default_of_a_loop() -> Problem {
    Problem::new("a loop takes no default")
        .labelled("not expected")
        .helped("say what stands there for an empty list after an `else`")
}

/// `{{ a is none is defined }}`
pub fn test_after_test() -> Problem {
    Problem::new("a test stands after a test")
        .labelled("not expected")
        .helped("join tests with `and` or `or`")
}

/// `{{ a is divisibleby in b }}`
pub fn word_for_argument(word: &str, test: &str, value: &str) -> Problem {
    Problem::new(format!(
        "`{word}` stands where the test `{test}` takes an argument"
    ))
    .labelled("not expected")
    .helped(format!("write `({value})` in parentheses"))
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
        .labelled("not a test")
        .helped(match instead {
            Some(right) => format!("write `is {right}`"),
            None if name == "empty" => {
                "write `not` before the value: what is empty is false".to_owned()
            }
            None => {
                format!("write `== {name}` to compare, or a test like `none`, `defined`, `string`")
            }
        })
}

/// Number 17: a test with an argument that it does not take.
pub fn test_takes_none(test: &str) -> Problem {
    Problem::new(format!("the test `{test}` takes no argument"))
        .labelled("not expected")
        .helped("remove it, or join conditions with `and` or `or`")
}

/// Number 17: a test with several arguments.
pub fn test_takes_one(test: &str) -> Problem {
    Problem::new(format!("the test `{test}` takes one argument"))
        .labelled("not expected")
        .helped("remove it")
}

/// Number 17: a test without its argument.
pub fn test_without_argument(test: &str) -> Problem {
    Problem::new(format!("the test `{test}` takes an argument"))
        .labelled("none given")
        .helped(format!("write `is {test}(…)`"))
}

/// `f(a=1, b)`
pub fn argument_after_named(named: Span) -> Problem {
    Problem::new("an argument without a name stands after one with a name")
        .labelled("not expected")
        .related_to(named, "has a name")
        .helped("write the arguments without names first")
}

/// `f(a=1, a=2)`
pub fn argument_twice(name: &str) -> Problem {
    Problem::new(format!("the argument `{name}` is given twice"))
        .labelled("given before")
        .helped("remove one of them")
}

/// `{% set true = 1 %}`
pub fn reserved(name: &str) -> Problem {
    Problem::new(format!("`{name}` is a word of the language"))
        .labelled("not a name")
        .helped("give it another name")
}

/// `{% for loop in items %}`
pub fn item_named_loop() -> Problem {
    Problem::new("`loop` is the loop itself")
        .labelled("not a name for an item")
        .helped("give it another name")
}

/// `{% for a, a in items %}`
pub fn named_twice(name: &str) -> Problem {
    Problem::new(format!("`{name}` is named twice"))
        .labelled("named before")
        .helped("give one of them another name")
}

/// `{% macro m(a, a) %}`
pub fn parameter_twice(name: &str) -> Problem {
    Problem::new(format!("the parameter `{name}` is named twice"))
        .labelled("named before")
        .helped("give one of them another name")
}

/// `{% macro m(a=1, b) %}`
pub fn parameter_after_default(other: Span) -> Problem {
    Problem::new("a parameter without a default stands after one with a default")
        .labelled("no default")
        .related_to(other, "has a default")
        .helped("write the parameters without a default first")
}

/// `{% macro m(a,) %}`
pub fn comma_after_parameters() -> Problem {
    Problem::new("a comma stands behind the last parameter")
        .labelled("not expected")
        .helped("remove it")
}

/// `{% set a, b %}…{% endset %}`
pub fn block_of_several_names() -> Problem {
    Problem::new("the text of a block has one name")
        .labelled("not expected")
        .helped("write `=` and the values, or remove it")
}
