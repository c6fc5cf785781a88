//! Examples from a file of JSON lines (number 23).

use super::Problem;
use crate::suggest::closest;

/// A file with more mistakes than are shown.
pub fn more(count: usize, file: &str) -> Problem {
    let rows = if count == 1 { "row does" } else { "rows do" };
    Problem::new(format!("{count} more {rows} not fit in `{file}`"))
        .helped("correct those above first")
}

/// A file without rows.
pub fn none(file: &str) -> Problem {
    Problem::new(format!("`{file}` holds no examples"))
        .helped("write one in each line: `{\"name\": \"text\"}`")
}

/// Examples of a prompt that asks nothing.
pub fn no_question() -> Problem {
    Problem::new("an example repeats the last user message, and this prompt has none")
        .helped("write `user = \"…\"`")
}

/// Media in the last user message.
pub fn media(field: &str) -> Problem {
    Problem::new(format!(
        "`{field}` is no text, and a row of JSON has no place for it"
    ))
    .helped("give examples with media at run time, in a `#[prompt(shots)]` field")
}

/// A field with the name of the answer.
pub fn field_named_like_answer(name: &str) -> Problem {
    Problem::new(format!(
        "`{name}` is the answer in a row, and a field of the last user message"
    ))
    .helped("give the field another name, or give the answer a field: `#[prompt(answer)]`")
}

/// A row that is no object.
pub fn no_object(kind: &str, example: &str) -> Problem {
    Problem::new(format!("this row is {kind}"))
        .labelled("no object")
        .helped(format!("write `{example}`"))
}

/// A row without some of its names.
pub fn missing(names: &[&str], example: &str) -> Problem {
    Problem::new(format!("this row has no `{}`", names.join("` and no `")))
        .labelled("begins here")
        .helped(format!("write `{example}`"))
}

/// A name that the example has no place for; `known` are those that it has.
pub fn unknown(name: &str, known: &[&str]) -> Problem {
    Problem::new(format!("unknown name `{name}`"))
        .labelled("not in the last user message")
        .helped(match closest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("remove it: a row has {}", super::listed(known)),
        })
}

/// A name of a field that is no part of the example.
pub fn other_field(name: &str) -> Problem {
    Problem::new(format!("unknown name `{name}`"))
        .labelled("no part of an example: that is the last user message and its answer")
        .helped("remove it")
}

/// A value of another type than the field's; `help` says what was meant, if that is known.
pub fn wrong_type(name: &str, kind: &str, takes: &str, meant: Option<Meant<'_>>) -> Problem {
    let problem = Problem::new(format!("`{name}` is {kind}, and takes {takes}"))
        .labelled(format!("not {takes}"));
    match meant {
        Some(Meant::Text(value)) => problem.helped(format!("write it in quotes: `\"{value}\"`")),
        Some(Meant::Bare(value)) => problem.helped(format!("write it without quotes: `{value}`")),
        Some(Meant::Value) => problem.helped("write a value; or make the field an `Option`"),
        None => problem,
    }
}

/// What a value of another type was meant as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meant<'a> {
    /// A text, without its quotes.
    Text(&'a str),
    /// A number or boolean, in quotes.
    Bare(&'a str),
    /// Anything but `null`.
    Value,
}

/// A number beyond the field's type.
pub fn too_large(number: &str, name: &str, ty: &str, takes: &str) -> Problem {
    Problem::new(format!(
        "`{number}` does not fit into `{name}`, which is `{ty}`"
    ))
    .labelled(format!("not {takes}"))
}

/// What a line of JSON lacks, or has too much of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Json {
    /// Another value after the row.
    SecondValue,
    /// `'text'`
    SingleQuotes,
    /// Nothing, or a word that is no value.
    NoValue,
    /// Lists and objects beyond counting.
    TooDeep,
    /// An object's entry without its name.
    NoName,
    /// An object's name without its `:`.
    NoColon,
    /// An object's entries without a comma between, or without its end.
    NoObjectEnd,
    /// A list's items without a comma between, or without its end.
    NoListEnd,
    /// A control character in a text.
    ControlCharacter,
}

/// A character of a line that JSON does not have there, or the line's end.
pub fn json(fault: Json, at_end: bool) -> Problem {
    let (message, help) = match fault {
        Json::SecondValue => (
            "more than one value stands in this line",
            "write each row in a line of its own",
        ),
        Json::SingleQuotes => ("this is no JSON", "write texts in double quotes: `\"…\"`"),
        Json::NoValue => (
            "a value is missing here",
            "write each row as `{\"name\": \"text\"}`",
        ),
        Json::TooDeep => (
            "lists and objects stand too deep in each other",
            "write a row with fewer of them",
        ),
        Json::NoName => ("a name is missing here", "write `\"name\": value`"),
        Json::NoColon => ("a `:` is missing here", "write `\"name\": value`"),
        Json::NoObjectEnd => (
            "a `,` or `}` is missing here",
            "write `{\"name\": \"text\", \"other\": 1}`, each row in one line",
        ),
        Json::NoListEnd => (
            "a `,` or `]` is missing here",
            "write `[1, 2]`, each row in one line",
        ),
        Json::ControlCharacter => (
            "a control character stands in a text",
            "write it as an escape: `\\t` or `\\u001b`",
        ),
    };
    Problem::new(message)
        .labelled(match at_end {
            true => "the line ends here",
            false => "not expected here",
        })
        .helped(help)
}

/// A name that an object has twice.
pub fn twice(name: &str) -> Problem {
    Problem::new(format!("`{name}` is given twice in this row"))
        .labelled("the second time")
        .helped("remove one of them")
}

/// `01`, `1.`
pub fn no_number() -> Problem {
    Problem::new("this is no number of JSON")
        .labelled("not a number")
        .helped("write it as `1`, `-0.5` or `1e9`, or in quotes as a text")
}

/// `"text`
pub fn unclosed_text() -> Problem {
    Problem::new("this text has no closing quote")
        .labelled("begins here")
        .helped("write `\"` at its end, and a line break in it as `\\n`")
}

/// `"\q"`
pub fn no_escape() -> Problem {
    Problem::new("this is no escape of JSON")
        .labelled("not an escape")
        .helped("write `\\\\` for a backslash")
}

/// `"\ud800"`
pub fn half_of_a_character() -> Problem {
    Problem::new("this escape is half of a character")
        .labelled("a surrogate without its other half")
        .helped("write both halves, or the character itself")
}
