//! Where the text of a prompt comes from (number 5).

use super::Problem;

problems! {
    /// Number 5: `template` and `user`.
    pub fn two_sources(first: &str, other: &str) = "`{first}` and `{other}` are two sources of one prompt",
        help "keep one of them";

    /// Number 5: a prompt, or a variant, without a string.
    pub fn none(what: &str) = "this {what} has no text",
        help "write `#[prompt(user = \"…\")]`, `#[prompt(file = \"…\")]` or, for its doc comment, `#[prompt(doc)]`";

    /// Number 5: a `prompt!` without a string.
    pub fn none_inline() = "this prompt has no text",
        help "write `prompt!(\"…\")` or `prompt!(user = \"…\")`";

    /// Number 5: a text of nothing.
    pub fn empty() = "this template is empty",
        help "write the text of the prompt, or leave the message out";

    /// Number 5: `doc` without a doc comment.
    pub fn no_doc() = "there is no doc comment to take the text from", help "write `/// …` lines above";

    /// `doc` with `/** … */` of several lines.
    pub fn block_comment() = "a block comment cannot be a prompt",
        help "write it in `///` lines, or as `file = \"…\"`";

    /// `doc` with `#[doc = include_str!(…)]`.
    pub fn computed_doc() = "this doc comment is not a string literal",
        help "write it in `///` lines, or as `file = \"…\"`";

    /// A text on an enum, whose variants have their own.
    pub fn on_the_enum(key: &str) = "`{key}` is on the enum, but each variant has a prompt of its own",
        help "move it onto a variant";

    /// `trim_blocks` without `syntax = "jinja"`.
    pub fn key_of_jinja(key: &str) = "`{key}` is of the Jinja dialect",
        help "write `syntax = \"jinja\"`, or take the key away";

    /// `keep_block_lines` with `syntax = "jinja"`.
    pub fn key_of_angle(key: &str, dialect: &str) = "`{key}` is of the angle dialect, and the template is of the {dialect} dialect",
        help "remove the key; `docs/whitespace.md` describes white space in each dialect";
    /// `slots = "input"` in a dialect without `input:`.
    pub fn key_of_input(key: &str) = "`{key}` is of the angle and brace dialects",
        help "write `syntax = \"angle\"`, or take the key away";
}
