//! Stands where `core` should be, and has nothing of it.
//!
//! It holds the one type whose other derives need the real `core`.

/// What the model answers.
#[derive(Debug, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema)]
pub struct Answer {
    /// The answer's number.
    pub number: u8,
}
