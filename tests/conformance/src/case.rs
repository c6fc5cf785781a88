//! What a generated case consists of.

use serde::Serialize;
use serde_json::Value;
use typed_prompt::{ChatFormat, Error, ErrorKind, Guard, Prompt};

/// One system: its cases in the golden file's order.
pub(crate) struct System {
    pub name: &'static str,
    /// What people call it.
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
#[allow(dead_code)] // The goldens say which of these there are.
pub(crate) enum Check {
    /// It compiles; running it gives what the golden wants.
    Run {
        run: fn() -> Outcome,
        wanted: Wanted,
    },
    /// It must not compile, and each error the compiler gives holds one of these words.
    Reject {
        file: &'static str,
        words: &'static [&'static str],
        quirk: bool,
    },
    /// The compiler refuses it, which nobody knew before.
    Refused { says: &'static str, wanted: Wanted },
    /// The build script could not make Rust of it.
    Unmapped(&'static str),
}

/// What a case may come to at run time.
pub(crate) type Outcome = typed_prompt::Result<Got>;

pub(crate) enum Got {
    Text(String),
    Json(Value),
    /// The text as it is by default, and with data let through: no original guards against control tokens.
    Guarded(String, String),
    /// What the case gives, and what it gives with its numbers written as text.
    Twins(String, String),
}

#[allow(dead_code)] // The goldens say which of these there are.
#[derive(Clone, Copy)]
pub(crate) enum Wanted {
    Text(&'static str),
    Json(&'static str),
    /// An error of this kind.
    Error(&'static str),
    /// An error.
    Fails,
    /// The original fails on what is no trouble here: both twins are equal.
    Twins,
    /// The original fails by a bug of its own: something comes of it here.
    Renders,
    /// Only for the table of quirks: what the original gives, if it gives anything.
    Quirk(Option<&'static str>),
}

/// The end of a case: a text.
pub(crate) fn text(text: String) -> Outcome {
    Ok(Got::Text(text))
}

/// The end of a case: a text in which a format guards control tokens.
pub(crate) fn guarded(prompt: &impl Prompt, format: impl ChatFormat) -> Outcome {
    Ok(Got::Guarded(
        prompt.to_text(&format)?,
        prompt.to_text(format.guard(Guard::Allow))?,
    ))
}

/// The end of a case: what an API is sent.
pub(crate) fn json(body: &impl Serialize) -> Outcome {
    serde_json::to_value(body)
        .map(Got::Json)
        .map_err(|error| Error::new(ErrorKind::Json, error.to_string()))
}

/// The end of a case that is rendered twice.
pub(crate) fn twins(got: Got, plain: Got) -> Outcome {
    Ok(Got::Twins(got.into_text(), plain.into_text()))
}

impl Got {
    /// One text, to be compared and shown.
    pub(crate) fn into_text(self) -> String {
        match self {
            Got::Text(text) | Got::Guarded(text, _) | Got::Twins(text, _) => text,
            Got::Json(value) => format!("{value:#}"),
        }
    }
}
