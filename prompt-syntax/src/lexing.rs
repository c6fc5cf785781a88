//! Text that the lexers read as structure, for the tests' printer of trees.

use crate::lex::{self, brace};
use crate::notation::scan_text;
use crate::{Dialect, Options};
use prompt_base::Span;

/// The text after the first of a run of opening braces.
#[derive(Debug)]
pub struct BraceRun {
    /// The number of opening braces.
    pub open: usize,
    /// As many of them as belong to the slot; 0 if the run is text.
    pub depth: usize,
    /// The end of the words after the braces.
    pub end: usize,
    /// The closing braces that belong to the slot.
    pub close: usize,
}

/// The content of the run of braces at a position.
pub fn brace_run(text: &str, start: usize) -> BraceRun {
    let open = brace::brace_run_len(text, start);
    let (depth, end, close) = match brace::brace_shape(text, start) {
        Err(end) => (0, end, 0),
        Ok(run) if run.is_doubled() => (0, run.words.end, 0),
        Ok(run) if run.kind == brace::BraceKind::Unclosed => (run.depth, run.words.end, 0),
        Ok(run) => (run.depth, run.words.end, run.depth),
    };
    BraceRun {
        open,
        depth,
        end,
        close,
    }
}

/// Whether the `<` at a position begins a tag.
pub fn is_tag(text: &str, start: usize, options: Options) -> bool {
    match options.dialect {
        Dialect::Angle | Dialect::Jinja => {
            lex::tag_shape(text, start, options.roles).is_some()
                || !lex::other_spaces(text, start, options.roles).is_empty()
        }
        Dialect::Brace if brace::is_raw(text, start) => true,
        Dialect::Brace | Dialect::Fstring => {
            options.roles && lex::role_tag(text, start, options.dialect).is_some()
        }
    }
}

/// The spans in literal text that look like slots.
pub fn lookalikes(text: &str, dialect: Dialect) -> Vec<Span> {
    let mut found = Vec::new();
    let part = Span::new(0, text.len());
    scan_text(text, part, 0, dialect, lex::is_angle_tag(text), &mut found);
    found.iter().map(|found| found.span).collect()
}

/// Whether the text after a tag is the second half of a comparison in it, as in `<if count>3>`.
pub fn is_comparison(after: &str) -> bool {
    lex::split_comparison("", after).is_some()
}
