//! Blocks without content in their tag, blocks that are never closed, and blocks that cross (number 3).

use super::Problem;
use crate::Dialect;
use prompt_base::Span;

/// `<if>`, `{% set %}`: what the tag does without is `nothing`.
pub(crate) fn empty_tag(dialect: Dialect, example: &str, nothing: &str, written: &str) -> Problem {
    let example = match example {
        example if written.contains("else") => format!("else {example}"),
        example if written.contains("elif") => format!("el{example}"),
        example => example.to_owned(),
    };
    Problem::new(format!("`{written}` {nothing}"))
        .with_label("a block of the template language")
        .with_help(format!(
            "write `{}`, or `{}` to keep it as text",
            dialect.tag(&example),
            dialect.as_text(written)
        ))
}

problems! {
    /// More blocks inside each other than are read.
    pub fn too_deep(most: usize) = "more than {most} blocks inside each other",
        label "this one is too deep", help "move a part into a fragment of its own";

    /// `<else>` after an `<else>`.
    pub fn after_else(dialect: Dialect, written: &str, block: &str, first: Span) = "`{written}` comes after an `else`",
        label "not expected", related first "the `else` of this block",
        help "remove it, or add `{end}` before it", where end = dialect.end(block);
}

/// `<else if a>` in a loop.
pub fn condition_in_loop(dialect: Dialect, written: &str, open: Span) -> Problem {
    Problem::new(format!("`{written}` is used in a loop"))
        .with_label("a loop has no condition")
        .related_to(open, "this block is open")
        .with_help(format!(
            "write `{}`, or add `{}` before it",
            dialect.tag("else"),
            dialect.end("for")
        ))
}

/// `<else>` outside of a block.
pub fn else_outside(dialect: Dialect, written: &str) -> Problem {
    Problem::new(format!("`{written}` is outside of a block"))
        .with_label("no block to belong to")
        .with_help(format!(
            "put it between `{}` and `{}`, or write `{}` to keep it as text",
            dialect.tag("if …"),
            dialect.end("if"),
            dialect.as_text(written)
        ))
}

/// A block without its end.
pub fn unclosed_block(dialect: Dialect, block: &str, written: &str) -> Problem {
    never_closed().with_help(format!(
        "add `{}`, or write `{}` to keep it as text",
        dialect.end(block),
        dialect.as_text(written)
    ))
}

/// A block without its end. The given text shows it: the end of another block, or a role.
pub fn unclosed_before(
    dialect: Dialect,
    block: &str,
    next: &str,
    span: Span,
    shows: BlockStop<'_>,
) -> Problem {
    let end = dialect.end(block);
    never_closed()
        .related_to(span, shows.describe_stop(dialect))
        .with_help(match next {
            "" => format!("add `{end}` before that"),
            next if shows == BlockStop::Role && dialect == Dialect::Angle => {
                let name = next.trim_matches(['<', '>']);
                format!(
                    "add `{end}` before `{next}`; or write `<input:{name}>` for a field `{name}`"
                )
            }
            next => format!("add `{end}` before `{next}`"),
        })
}

problems! {
    fn never_closed() = "this block is never closed", label "opened here";
}

/// The evidence that a block has no end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockStop<'a> {
    /// The end of this block around.
    End(&'a str),
    /// The end of the message that contains it.
    EndOfMessage,
    /// The beginning of a role.
    Role,
}

impl BlockStop<'_> {
    fn describe_stop(self, dialect: Dialect) -> String {
        match self {
            BlockStop::End(block) => format!("`{}` is here", dialect.end(block)),
            BlockStop::EndOfMessage => "the message ends here".to_owned(),
            BlockStop::Role => "the next message begins here".to_owned(),
        }
    }
}

/// The same, where the end comes after all.
pub fn closed_too_late(mut unclosed: Problem, end: &str, span: Span) -> Problem {
    unclosed.message = "this block is closed too late".to_owned();
    with_end(unclosed, end, span)
}

/// The position of the invalid end of a block.
pub fn with_end(problem: Problem, end: &str, span: Span) -> Problem {
    problem.related_to(span, format!("`{end}` is here"))
}

/// `<if a><for b in c></if></for>`
pub fn crossing_blocks(
    dialect: Dialect,
    inner: &str,
    written: &str,
    span: Span,
    shows: BlockStop<'_>,
) -> Problem {
    Problem::new("two blocks cross")
        .with_label("opened here")
        .related_to(span, shows.describe_stop(dialect))
        .with_help(format!("add `{}` before `{written}`", dialect.end(inner)))
}

/// The probable meaning of an end tag without its beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StrayEnd<'a> {
    /// The end of this block, which is open.
    EndOf(&'a str, Span),
    /// The end of a role whose name is misspelt here.
    Role(Span),
    /// Nothing.
    Nothing,
}

/// `</if>` without its `<if>`.
pub fn stray_end(dialect: Dialect, block: &str, written: &str, stray: StrayEnd<'_>) -> Problem {
    let begin = dialect.tag(block);
    let problem = Problem::new(format!("`{}` closes nothing", dialect.end(block)))
        .with_label(format!("no `{begin}` is open"));
    let (problem, instead) = match stray {
        StrayEnd::EndOf(open, span) => (
            problem.related_to(span, "this block is open"),
            format!("write `{}`", dialect.end(open)),
        ),
        StrayEnd::Role(span) => (
            problem.related_to(span, format!("perhaps meant as `{begin}`")),
            format!("write `{begin}` there"),
        ),
        StrayEnd::Nothing => (problem, "remove it".to_owned()),
    };
    problem.with_help(format!(
        "{instead}, or write `{}` to keep it as text",
        dialect.as_text(written)
    ))
}
