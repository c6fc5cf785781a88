//! Tags of blocks in the angle dialect (number 3).

use super::Problem;

/// A help that ends with how the tag is kept as text.
fn or_text(help: &str, written: &str) -> String {
    let write = if help.starts_with("write") {
        ""
    } else {
        "write "
    };
    format!("{help}, or {write}`\\{written}` to keep it as text")
}

problems! {
    /// `<else a>`
    pub fn condition_of_else(words: &str, head: &str, written: &str) = "nothing else is allowed in `{words}>`",
        label "not expected", help "{help}", where help = or_text(&format!("write `<else>` or `<else if {head}>`"), written);

    /// `<if a` without its `>`.
    pub fn unclosed_tag(words: &str) = "this tag is never closed",
        label "opened here", help "{help}", where help = or_text("add `>`", words);

    /// `</else>`
    pub fn end_of_else(written: &str) = "`</else>` closes nothing",
        label "an `<else>` ends with its block", help "{help}", where help = or_text("remove it, or write `<else>` where the other branch begins", written);

    /// `<elif a>`, `<endif>`; `words` is the beginning of the tag, `right` the correct notation.
    pub fn unknown_tag(words: &str, right: &str, written: &str) = "unknown tag `{words}>`",
        label "not a tag of templates", help "{help}", where help = or_text(&format!("write `{right}`"), written);

    /// `</if a>`
    pub fn more_than_a_word(words: &str, right: &str, written: &str) = "nothing else is allowed in `{words}>`",
        label "not expected", help "{help}", where help = or_text(&format!("write `{right}`"), written);

    /// `<if a >`
    pub fn comparison_closes_tag(right: &str) = "the condition ends with a space",
        label "the tag ends here", help "write `{right}`, or the second value of a comparison after ` > `";

    /// `<if a>b>`
    pub fn split_comparison(right: &str, text: &str) = "the tag ends at the `>` of a comparison",
        label "the tag ends here",
        help "write `{right}`, with spaces around the sign; or `{text}`, if what follows is text";
}

problems! {
    /// `<!--# …` without its end.
    pub(crate) fn unclosed_comment() = "this comment is never closed",
        label "opened here", help "add `-->` where the comment ends, or write `\\<!--#` to keep it as text";
}
