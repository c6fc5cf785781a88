//! Where the text of a prompt comes from (number 5).

use super::Problem;
use crate::Dialect;

problems! {
    /// Number 5: `template` and `user`.
    pub fn two_sources(first: &str, other: &str) = "`{first}` and `{other}` are two sources of one prompt",
        help "keep one of them";

    /// Number 5: a prompt, or a variant, without a string.
    pub fn missing_source(what: &str) = "this {what} has no text",
        help "write `#[prompt(user = \"…\")]`, `#[prompt(file = \"…\")]` or, for its doc comment, `#[prompt(doc)]`";

    /// Number 5: a `prompt!` without a string.
    pub fn none_inline() = "this prompt has no text",
        help "write `prompt!(\"…\")` or `prompt!(user = \"…\")`";

    /// Number 5: an empty template.
    pub fn empty_template() = "this template is empty",
        help "write the text of the prompt, or leave the message out";

    /// Number 5: `doc` without a doc comment.
    pub fn no_doc() = "there is no doc comment to take the text from", help "write `/// …` lines above";

    /// `doc` with `/** … */` of several lines.
    pub fn block_comment() = "a block comment cannot be a prompt",
        help "write it in `///` lines, or as `file = \"…\"`";

    /// `doc` with `#[doc = include_str!(…)]`.
    pub fn computed_doc() = "this doc comment is not a string literal",
        help "write it in `///` lines, or as `file = \"…\"`";

    /// A literal with text on its first line, whose other lines are aligned with the code around it.
    pub fn indented_with_code(blanks: usize) = "the lines of this text are indented as the source code is",
        label "{blanks} blanks that would be sent", help "begin the text on a line of its own, below the opening quote: the indentation that all its lines have is removed then";

    /// A text on an enum, whose variants have their own.
    pub fn on_the_enum(key: &str) = "`{key}` is on the enum, but each variant has a prompt of its own",
        help "write it on each variant: a variant without it has no such message";
}

/// The problem of a key that has no effect in the template's dialect.
///
/// ```
/// use prompt_syntax::{Dialect, problem::template::key_of_another_dialect};
///
/// assert!(key_of_another_dialect("trim_blocks", Dialect::Jinja).is_none());
/// assert!(key_of_another_dialect("trim_blocks", Dialect::Angle).is_some());
/// ```
pub fn key_of_another_dialect(key: &str, dialect: Dialect) -> Option<Problem> {
    let (is_valid, of, help) = match key {
        "trim_blocks" | "lstrip_blocks" | "keep_trailing_newline" => (
            dialect == Dialect::Jinja,
            "the Jinja dialect",
            "write `syntax = \"jinja\"`, or remove the key",
        ),
        "keep_block_lines" => (
            dialect == Dialect::Angle,
            "the angle dialect",
            "remove the key; `docs/whitespace.md` describes white space in each dialect",
        ),
        "slots" => (
            matches!(dialect, Dialect::Angle | Dialect::Brace),
            "the angle and brace dialects",
            "write `syntax = \"angle\"`, or remove the key",
        ),
        _ => return None,
    };
    (!is_valid).then(|| {
        let name = dialect.name();
        Problem::new(format!(
            "`{key}` is a key of {of}, and the template is in the {name} dialect"
        ))
        .with_help(help)
    })
}
