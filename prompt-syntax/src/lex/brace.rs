//! `{name}` and `{input:name}` are slots, `{{name}}` is the text `{name}`; every other single brace is text.

use super::{Lexed, RAW, RawBlocks, is_comment};
use crate::lex::LexTokenKind;
use crate::name::name_len;
use crate::notation::{helper_names, text_until};
use crate::problem::literal::foreign_helper;
use crate::problem::{role, slot as problem};
use crate::roles::section_role;
use crate::{Dialect, Error, Options, Role};
use prompt_base::Span;

pub(crate) fn lex(text: &str, options: Options) -> Lexed {
    let mut lexed = Lexed::new(Dialect::Brace);
    let mut verbatim = RawBlocks::default();
    let mut doubled = None;
    let mut at = 0;
    while let Some(found) = text[at..].find(['{', '<']) {
        let start = at + found;
        at = if is_comment(text, start) && !options.input_only {
            lexed.push_comment(text, start)
        } else if text[start..].starts_with('{') {
            match options.input_only && !is_input(text, start) {
                true => start + brace_run_len(text, start),
                false => push_braces(&mut lexed, text, start, options, &mut doubled),
            }
        } else if is_raw(text, start) && !options.input_only {
            let block = match lexed.push_before_tag(text, start) {
                true => None,
                false => verbatim.block(text, start),
            };
            block.map_or(start + 1, |inside| lexed.push_raw_block(text, inside))
        } else {
            let tag = options.roles.then(|| lexed.role_tag(text, start));
            match tag.flatten() {
                Some(tag) if !lexed.push_before_tag(text, start) => {
                    lexed.push(tag.kind, start + tag.len, tag.error);
                    start + tag.len
                }
                _ => start + 1,
            }
        };
    }
    lexed.push_text_until(text, text.len());
    lexed.errors.extend(doubled);
    lexed
}

/// Whether a `<` begins a verbatim block, if an end follows.
pub(crate) fn is_raw(text: &str, start: usize) -> bool {
    text[start..].starts_with(RAW.0)
}

/// The length of the run of opening braces at a position.
pub(crate) fn brace_run_len(text: &str, start: usize) -> usize {
    let run = &text[start..];
    run.len() - run.trim_start_matches('{').len()
}

fn is_input(text: &str, start: usize) -> bool {
    text[start + brace_run_len(text, start)..].starts_with("input:")
}

impl BraceContent {
    /// Whether braces are doubled on the left only.
    pub(crate) fn is_doubled(&self) -> bool {
        self.open > self.depth
    }
}

/// The content of a run of braces that is not text.
pub(crate) struct BraceContent {
    /// The opening braces, and as many of the closing ones as belong to them.
    pub(crate) depth: usize,
    /// The run of opening braces.
    pub(crate) open: usize,
    /// Without the braces.
    pub(crate) words: Span,
    pub(crate) kind: BraceKind,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum BraceKind {
    Slot,
    /// `{input:a.b}`: meant as a slot, but not one name.
    Wrong,
    /// `{input:name` that is followed by other text, or by the end.
    Unclosed,
}

/// The shape at the first of a run of opening braces, or where the run's words end if they are text.
pub(crate) fn brace_shape(text: &str, start: usize) -> Result<BraceContent, usize> {
    let open = brace_run_len(text, start);
    let inside = start + open;
    let input = text[inside..].starts_with("input:");
    let name = inside + if input { "input:".len() } else { 0 };
    let end = name + name_len(&text[name..]);
    let shape = |end: usize, kind| {
        let rest = &text[end..];
        let close = rest.len() - rest.trim_start_matches('}').len();
        let depth = if kind == BraceKind::Unclosed {
            open
        } else {
            open.min(close)
        };
        let words = Span::new(inside, end);
        Ok(BraceContent {
            depth,
            open,
            words,
            kind,
        })
    };
    if text[end..].starts_with('}') && (end > name || input) {
        return shape(
            end,
            if end > name {
                BraceKind::Slot
            } else {
                BraceKind::Wrong
            },
        );
    }
    if !input || end == name {
        return Err(end);
    }
    let after = &text[end..];
    let stop = after.find(['}', '{', '<', '\n', '\r']);
    if let Some(close) = stop.filter(|close| after[*close..].starts_with('}')) {
        let sign = after[..close].trim_start_matches([' ', '\t']);
        if sign.is_empty() || sign.starts_with(['.', ':', '|', '!', '?', '[', '(', '-']) {
            return shape(end + close, BraceKind::Wrong);
        }
    }
    shape(end, BraceKind::Unclosed)
}

/// The error for doubled braces: around one name they are another language's slot.
fn doubled_brace(text: &str, braces: Span, options: Options) -> Error {
    if let Some(error) = foreign_block(text, braces, options) {
        return error;
    }
    let inside = text[braces.end..].trim_start();
    let (name, after) = inside.split_at(name_len(inside));
    match after.trim_start().strip_prefix("}}") {
        Some(rest) if braces.of(text) == "{{" && !name.is_empty() => {
            let span = Span::new(braces.start, text.len() - rest.len());
            let slot = Dialect::Brace.slot(name);
            problem::doubled_slot(span.of(text), name)
                .at(span)
                .pasted_slot(span.of(text), slot)
        }
        _ => problem::doubled_brace(braces.of(text))
            .at(braces)
            .pasted_tag(braces.of(text)),
    }
}

/// `{{#if name}}`, `{{> name}}`, `{{#system}}`: a block of Handlebars.
fn foreign_block(text: &str, braces: Span, options: Options) -> Option<Error> {
    let words = text_until(&text[braces.end..], "}}")?;
    let span = Span::new(braces.start, braces.end + words.len() + 2);
    if let Some((role, _)) = section_role(&text[braces.start..])
        && role == Role::System
        && options.roles
    {
        return Some(role::of_another_notation(options, span.of(text), role).at(span));
    }
    if helper_names(words).is_some_and(|(_, is_marked)| is_marked) {
        let written = span.of(text);
        return Some(
            foreign_helper(Dialect::Brace, written)
                .at(span)
                .pasted_tag(written),
        );
    }
    let signs = words.trim_start_matches(['~', ' ']);
    let name = signs.strip_prefix(['#', '^', '>'])?.trim_start();
    let is_block = !name.starts_with('#') && name_len(name) > 0 && !words.contains('{');
    let written = span.of(text);
    is_block.then(|| {
        problem::block_in_brace(written)
            .at(span)
            .pasted_tag(written)
    })
}

/// Adds a run of braces and the slot that it begins. As in Python's formats, pairs of braces around a slot are halved: `{{name}}` is the
/// text `{name}`, and `{{{name}}}` a slot between braces. Other doubled braces are those of a template for Python, and the first
/// of them is the error.
fn push_braces(
    lexed: &mut Lexed,
    text: &str,
    start: usize,
    options: Options,
    doubled: &mut Option<Error>,
) -> usize {
    let shape = match brace_shape(text, start) {
        Ok(shape) if !shape.is_doubled() => shape,
        found => {
            let open = brace_run_len(text, start);
            if open > 1 {
                lexed.push_text_until(text, start);
                lexed.push(LexTokenKind::Error, start + open, None);
                doubled.get_or_insert_with(|| {
                    doubled_brace(text, Span::new(start, start + open), options)
                });
                return start + open;
            }
            return found.map_or_else(|end| end, |shape| shape.words.end);
        }
    };
    let BraceContent {
        depth,
        open,
        words,
        kind,
    } = shape;
    let close = if kind == BraceKind::Unclosed {
        0
    } else {
        depth
    };
    let end = words.end + close;
    lexed.push_text_until(text, start + open - depth);
    if depth % 2 == 0 {
        let kept = Span::new(words.start - depth / 2, words.end + close / 2);
        lexed.push_literal_until(kept.of(text), end);
        return end;
    }
    lexed.push_literal_until(&text[start..start + depth / 2], words.start - 1);
    let error = (kind != BraceKind::Slot).then(|| brace_error(text, words, kind));
    let named = words.of(text) != "input:";
    let token = if named {
        LexTokenKind::Slot(words)
    } else {
        LexTokenKind::Error
    };
    let after = words.end + close.min(1);
    lexed.push(token, after, error);
    lexed.push_literal_until(&text[after..after + close / 2], end);
    end
}

fn brace_error(text: &str, words: Span, kind: BraceKind) -> Error {
    let written = words.of(text);
    let name = written.strip_prefix("input:").unwrap_or(written);
    let name = &name[..name_len(name)];
    let slot = Span::new(
        words.start - 1,
        words.end + usize::from(kind == BraceKind::Wrong),
    );
    let problem = match kind {
        BraceKind::Unclosed => problem::unclosed_brace(name),
        _ if name.is_empty() => problem::nameless_slot(Dialect::Brace),
        _ => problem::more_than_a_name(name, written),
    };
    problem.at(slot)
}
