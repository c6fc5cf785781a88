//! The types of generated cases.

use serde::Serialize;
use serde_json::Value;
use typed_prompt::{ChatFormat, Error, ErrorKind, Guard, Prompt};

/// One system: its cases in the golden file's order.
pub(crate) struct System {
    pub name: &'static str,
    /// Its display name.
    pub title: &'static str,
    pub cases: &'static [Case],
    /// Cases marked `quirk` that are not run: bugs and accidents of the original, not to be copied.
    pub skipped: &'static [&'static str],
}

pub(crate) struct Case {
    pub id: &'static str,
    pub check: Check,
}

/// How a case is checked.
#[allow(dead_code)] // Which variants are used depends on the golden files.
pub(crate) enum Check {
    /// It compiles, and its result is the expected one.
    Run {
        run: fn() -> Outcome,
        wanted: Wanted,
    },
    /// It must not compile, and each compile error contains one of these texts.
    Reject {
        file: &'static str,
        words: &'static [&'static str],
        quirk: bool,
    },
    /// It does not compile, although it should.
    Refused { says: &'static str, wanted: Wanted },
    /// The build script could not generate Rust code for it.
    Unmapped(&'static str),
}

/// The result of a case at run time.
pub(crate) type Outcome = typed_prompt::Result<Got>;

pub(crate) enum Got {
    Text(String),
    Json(Value),
    /// The text with the default guard, and the text with `Guard::Allow`: none of the originals guards control tokens.
    Guarded(String, String),
    /// The result of the case, and its result with numbers replaced by text.
    Twins(String, String),
}

#[allow(dead_code)] // Which variants are used depends on the golden files.
#[derive(Clone, Copy)]
pub(crate) enum Wanted {
    Text(&'static str),
    Json(&'static str),
    /// An error of this kind.
    Error(&'static str),
    /// An error.
    Fails,
    /// The original fails, and typed-prompt accepts the value: both twins must be equal.
    Twins,
    /// The original fails because of a bug: the case must render.
    Renders,
    /// Only for the table of quirks: the original's result, if it has one.
    Quirk(Option<&'static str>),
}

/// Result of a case: a text.
pub(crate) fn text(text: String) -> Outcome {
    Ok(Got::Text(text))
}

/// Result of a case: a text in which a format guards control tokens.
pub(crate) fn guarded(prompt: &impl Prompt, format: impl ChatFormat) -> Outcome {
    Ok(Got::Guarded(
        prompt.to_text(&format)?,
        prompt.to_text(format.guard(Guard::Allow))?,
    ))
}

/// Result of a case: the body of an API request.
pub(crate) fn json(body: &impl Serialize) -> Outcome {
    serde_json::to_value(body)
        .map(Got::Json)
        .map_err(|error| Error::new(ErrorKind::Json, error.to_string()))
}

/// Result of a case that is rendered twice.
pub(crate) fn twins(got: Got, plain: Got) -> Outcome {
    Ok(Got::Twins(got.into_text(), plain.into_text()))
}

impl Got {
    /// The result as one text, for comparison and display.
    pub(crate) fn into_text(self) -> String {
        match self {
            Got::Text(text) | Got::Guarded(text, _) | Got::Twins(text, _) => text,
            Got::Json(value) => format!("{value:#}"),
        }
    }
}
