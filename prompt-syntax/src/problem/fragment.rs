//! Fragments: text of no one, part of other prompts.

use super::Problem;

/// A field that only a whole prompt has a place for.
pub fn no_place(key: &str) -> Problem {
    Problem::new(format!("a fragment has no place for `{key}`"))
        .helped("move the field to the prompt that holds the fragment")
}

/// An enum of fragments and prompts.
pub fn mixed() -> Problem {
    Problem::new("some variants are fragments and this one is not")
        .helped("write `fragment = \"…\"` for all variants or for none")
}

/// `output` on a fragment.
pub fn no_answer() -> Problem {
    Problem::new("a fragment has no answer")
        .helped("move `output` to the prompt that holds the fragment")
}

/// `format` on a fragment.
pub fn no_format() -> Problem {
    Problem::new("a fragment has no format of its own")
        .helped("move `format` to the prompt that holds the fragment")
}

/// `examples` on a fragment.
pub fn no_turns() -> Problem {
    Problem::new("a fragment has no turns")
        .helped("move `examples` to the prompt that holds the fragment")
}
