//! Examples from a file of JSON lines (number 23).

use super::Problem;
use prompt_base::json::JsonErrorKind;

/// A file with more mistakes than are shown.
pub fn more_mistakes(count: usize, file: &str) -> Problem {
    let rows = if count == 1 { "row does" } else { "rows do" };
    Problem::new(format!("{count} more {rows} not fit in `{file}`"))
        .with_help("correct those above first")
}

problems! {
    /// A file without rows.
    pub fn no_examples(file: &str) = "`{file}` contains no examples",
        help "write one in each line: `{{\"name\": \"text\"}}`";

    /// Examples of a prompt that the model does not answer.
    pub fn no_question() = "an example repeats the last user message, and this prompt has none",
        help "write `user = \"…\"`";

    /// Media in the last user message.
    pub fn media_in_row(field: &str) = "`{field}` is not text, and a row of JSON cannot contain it",
        help "give examples with media at run time, in a `#[prompt(examples)]` field";

    /// A field with the name of the answer.
    pub fn field_named_like_answer(name: &str) = "`{name}` is the answer in a row, and a field of the last user message",
        help "give the field another name, or give the answer a field: `#[prompt(answer)]`";

    /// A row that is not an object.
    pub fn no_object(kind: &str, example: &str) = "this row is {kind}",
        label "no object", help "write `{example}`";
}

problems! {
    /// A file that is one JSON array.
    pub fn json_array(example: &str) = "this file is a JSON array, not one row per line",
        label "begins an array", help "write each row as `{example}` in one line, without `[`, `]` and `,` around the rows";

    /// A row in several lines, as programs indent JSON.
    pub fn row_in_lines(example: &str) = "this row has several lines",
        label "begins here", help "write each row in one line: `{example}`";
}

/// A row without some of its names.
pub fn missing_names(names: &[&str], example: &str) -> Problem {
    Problem::new(format!("this row has no `{}`", names.join("` and no `")))
        .with_label("begins here")
        .with_help(format!("write `{example}`"))
}

/// A name that the example does not support. `near` is the probable name, `known` are the supported names.
pub fn unknown_name(name: &str, near: Option<&str>, known: &[&str]) -> Problem {
    Problem::new(format!("unknown name `{name}`"))
        .with_label("not in the last user message")
        .with_help(match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("remove it: a row has {}", super::list_names(known)),
        })
}

problems! {
    /// A name of a field that is not used in the example.
    pub fn other_field(name: &str) = "unknown name `{name}`",
        label "not part of an example, which is the last user message and its answer", help "remove it; or, if it is the answer, mark the field `#[prompt(answer)]`";
}

/// A value of another type than the field's; `help` contains the likely fix.
pub fn wrong_type(
    name: &str,
    kind: &str,
    takes: &str,
    meant: Option<IntendedValue<'_>>,
) -> Problem {
    let problem = Problem::new(format!("`{name}` is {kind}, and takes {takes}"))
        .with_label(format!("not {takes}"));
    match meant {
        Some(IntendedValue::Text(value)) => {
            problem.with_help(format!("write it in quotes: `\"{value}\"`"))
        }
        Some(IntendedValue::Bare(value)) => {
            problem.with_help(format!("write it without quotes: `{value}`"))
        }
        Some(IntendedValue::Value) => {
            problem.with_help("write a value; or make the field an `Option`")
        }
        None if name == "output" && takes == "a string" => problem
            .with_help("write it as a string, or add the type of the answer: `output = Answer`"),
        None => problem,
    }
}

/// The intended type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntendedValue<'a> {
    /// A text, without its quotes.
    Text(&'a str),
    /// A number or boolean, in quotes.
    Bare(&'a str),
    /// Anything but `null`.
    Value,
}

problems! {
    /// A string that is not a label of its field's type, or of the output.
    pub fn no_label(text: &str, ty: &str) = "`{text}` is not a label of `{ty}`",
        label "not a label";

    /// A number beyond the field's type.
    pub fn too_large(number: &str, name: &str, ty: &str, takes: &str) = "`{number}` does not fit into `{name}`, which is `{ty}`",
        label "not {takes}";
}

/// A row that is not JSON. `at_end`: the line ends too early.
pub fn invalid_json(error: JsonErrorKind, at_end: bool) -> Problem {
    let name = "write `\"name\": value`";
    let (message, help) = match error {
        JsonErrorKind::SecondValue => (
            "this line contains more than one value",
            "write each row in a line of its own",
        ),
        JsonErrorKind::SingleQuotes => (
            "this is not JSON",
            "write strings in double quotes: `\"…\"`",
        ),
        JsonErrorKind::MissingValue => (
            "a value is missing here",
            "write each row as `{\"name\": \"text\"}` in one line, without `[`, `]` and `,` around the rows",
        ),
        JsonErrorKind::TooDeep => (
            "lists and objects are nested too deep",
            "write a row with fewer of them",
        ),
        JsonErrorKind::MissingKey => ("a name is missing here", name),
        JsonErrorKind::MissingColon => ("a `:` is missing here", name),
        JsonErrorKind::UnclosedObject => (
            "a `,` or `}` is missing here",
            "write `{\"name\": \"text\", \"other\": 1}`, each row in one line",
        ),
        JsonErrorKind::UnclosedList => (
            "a `,` or `]` is missing here",
            "write `[1, 2]`, each row in one line",
        ),
        JsonErrorKind::ControlCharacter => (
            "this string contains a control character",
            "write it as an escape: `\\t` or `\\u001b`",
        ),
        JsonErrorKind::InvalidNumber => (
            "this is not a JSON number",
            "write it as `1`, `-0.5` or `1e9`, or in quotes as a string",
        ),
        JsonErrorKind::UnclosedString => (
            "this text has no closing quote",
            "write `\"` at its end, and a line break in it as `\\n`",
        ),
        JsonErrorKind::InvalidEscape => {
            ("this is not a JSON escape", "write `\\\\` for a backslash")
        }
        JsonErrorKind::LoneSurrogate => (
            "this escape is half of a character",
            "write both halves, or the character itself",
        ),
    };
    let label = match error {
        JsonErrorKind::InvalidNumber => "not a number",
        JsonErrorKind::UnclosedString => "begins here",
        JsonErrorKind::InvalidEscape => "not an escape",
        JsonErrorKind::LoneSurrogate => "a surrogate without its other half",
        _ if at_end => "the line ends here",
        _ => "not expected here",
    };
    Problem::new(message).with_label(label).with_help(help)
}

problems! {
    /// A name that an object has twice.
    pub fn duplicate_name(name: &str) = "`{name}` is given twice in this row",
        label "the second time", help "remove one of them";
}
