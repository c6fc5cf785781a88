//! Where the text of a prompt comes from (number 5).

use super::Problem;

/// Number 5: `template` and `user`.
pub fn two_sources(first: &str, other: &str) -> Problem {
    Problem::new(format!(
        "`{first}` and `{other}` are two sources of one prompt"
    ))
    .helped("keep one of them")
}

/// Number 5: a prompt, or a variant, without a text.
pub fn none(what: &str) -> Problem {
    Problem::new(format!("this {what} has no text")).helped(
        "write `#[prompt(user = \"…\")]`, `#[prompt(file = \"…\")]` or, for its doc comment, `#[prompt(doc)]`",
    )
}

/// Number 5: a `prompt!` without a text.
pub fn none_inline() -> Problem {
    Problem::new("this prompt has no text")
        .helped("write `prompt!(\"…\")` or `prompt!(user = \"…\")`")
}

/// Number 5: a text of nothing.
pub fn empty() -> Problem {
    Problem::new("this template is empty")
        .helped("write the text of the prompt, or leave the message out")
}

/// Number 5: `doc` without a doc comment.
pub fn no_doc() -> Problem {
    Problem::new("there is no doc comment to take the text from")
        .helped("write `/// …` lines above")
}

/// `doc` with `/** … */` of several lines.
pub fn block_comment() -> Problem {
    Problem::new("a block comment is no prompt")
        .helped("write it in `///` lines, or as `file = \"…\"`")
}

/// `doc` with `#[doc = include_str!(…)]`.
pub fn computed_doc() -> Problem {
    Problem::new("this doc comment is no text in quotes")
        .helped("write it in `///` lines, or as `file = \"…\"`")
}

/// A text on an enum, whose variants have their own.
pub fn on_the_enum(key: &str) -> Problem {
    Problem::new(format!(
        "`{key}` stands on the enum, and each variant has a prompt of its own"
    ))
    .helped("move it onto a variant")
}

/// `trim_blocks` without `syntax = "jinja"`.
pub fn key_of_jinja(key: &str) -> Problem {
    Problem::new(format!("`{key}` is of the Jinja dialect"))
        .helped("write `syntax = \"jinja\"`, or take the key away")
}
