//! The end of a tag: its delimiter outside of quotes and brackets; and the errors of a tag without one.

use super::blank::{blank_len, line_break};
use crate::problem::tag as problem;
use prompt_base::Span;
use prompt_syntax::Error;
use prompt_syntax::dialect::{continues_name, name_len, trim_span};
use prompt_syntax::problem::word::unclosed_text;

/// A tag, from its opening delimiter to its closing one.
pub(super) struct JinjaTag {
    /// The text between the delimiters.
    pub(super) head: Span,
    /// After the closing delimiter.
    pub(super) end: usize,
    /// After the white space that the delimiter takes with it.
    pub(super) next: usize,
    /// Whether an `=` is outside of brackets and quotes.
    pub(super) assigns: bool,
    pub(super) error: Option<Error>,
}

/// How many characters of a tag follow a slot in it.
const NEAR: usize = 200;

/// The end of a tag.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum TagEnd {
    Slot,
    Statement,
}

/// A closing delimiter.
#[derive(Clone, Copy)]
pub(super) struct ClosingDelimiter {
    pub(super) end: usize,
    pub(super) next: usize,
}

impl TagEnd {
    pub(super) const fn sign(self) -> &'static str {
        match self {
            TagEnd::Slot => "}}",
            TagEnd::Statement => "%}",
        }
    }

    const fn what(self) -> &'static str {
        match self {
            TagEnd::Slot => "slot",
            TagEnd::Statement => "tag",
        }
    }

    /// The delimiter at this position, with the white-space control before it.
    pub(super) fn at(self, text: &str, at: usize, trim: bool) -> Option<ClosingDelimiter> {
        let rest = &text[at..];
        let mark = rest
            .strip_prefix('-')
            .or_else(|| rest.strip_prefix('+').filter(|_| self == TagEnd::Statement));
        let marked = mark.is_some_and(|rest| rest.starts_with(self.sign()));
        if !marked && !rest.starts_with(self.sign()) {
            return None;
        }
        let end = at + usize::from(marked) + self.sign().len();
        let after = &text[end..];
        let next = match rest.as_bytes()[0] {
            b'-' => end + blank_len(after),
            b'+' => end,
            _ if trim => end + line_break(after),
            _ => end,
        };
        Some(ClosingDelimiter { end, next })
    }
}

/// Reads the tag that begins at `start`, with its content from `inside`.
pub(super) fn scan(text: &str, start: usize, inside: usize, close: TagEnd, trim: bool) -> JinjaTag {
    let mut scan = TagScanner {
        text,
        start,
        inside,
        close,
        brackets: Vec::new(),
        assigns: false,
        error: None,
    };
    let mut at = inside;
    while let Some(c) = text[at..].chars().next() {
        if scan.brackets.is_empty()
            && let Some(closed) = close.at(text, at, trim)
        {
            return scan.finish_tag(at, closed);
        }
        match c {
            '"' | '\'' => match likely_string_end(text, at) {
                Some(end) => {
                    at = end;
                    continue;
                }
                None => return scan.open_text(at, trim),
            },
            '{' if text[at + 1..].starts_with(['{', '%', '#']) => {
                return scan.interrupted_tag(at, trim);
            }
            '(' | '[' | '{' => scan.brackets.push((c, at)),
            ')' | ']' | '}' => {
                if let Some(tag) = scan.close_bracket(c, at, trim) {
                    return tag;
                }
            }
            '=' if scan.brackets.is_empty() => scan.assigns = true,
            _ => {}
        }
        at += c.len_utf8();
    }
    scan.interrupted_tag(text.len(), trim)
}

struct TagScanner<'a> {
    text: &'a str,
    start: usize,
    inside: usize,
    close: TagEnd,
    /// The brackets that are open.
    brackets: Vec<(char, usize)>,
    assigns: bool,
    error: Option<Error>,
}

impl TagScanner<'_> {
    fn finish_tag(self, at: usize, closed: ClosingDelimiter) -> JinjaTag {
        JinjaTag {
            head: trim_span(self.text, self.inside, at),
            end: closed.end,
            next: closed.next,
            assigns: self.assigns,
            error: self.error,
        }
    }

    /// Ends the tag where it has no right delimiter.
    fn end_with_error(mut self, head: usize, end: usize, error: Error) -> JinjaTag {
        self.error.get_or_insert(error);
        self.finish_tag(head, ClosingDelimiter { end, next: end })
    }

    /// Takes a closing bracket. It may be meant to close the tag: then that is the answer.
    fn close_bracket(&mut self, c: char, at: usize, trim: bool) -> Option<JinjaTag> {
        let open = self.brackets.pop();
        if open.is_some_and(|(open, _)| closing_bracket(open) == c) {
            return None;
        }
        let percent = c == '}' && self.text[..at].ends_with('%') && at > self.inside;
        if c == '}' && (open.is_none() || percent || self.text[at + 1..].starts_with('}')) {
            let head = at - usize::from(percent);
            let end = match percent {
                false if self.text[at + 1..].starts_with('}') => at + 2,
                _ => at + 1,
            };
            let error = match open {
                Some((bracket, position)) => unclosed_bracket(bracket, position),
                None => self.wrong_end(head, end),
            };
            self.error.get_or_insert(error);
            let after = match self.text[head..end] == *self.close.sign() {
                true => self
                    .close
                    .at(self.text, head, trim)
                    .map_or(end, |closed| closed.next),
                false => end,
            };
            return Some(JinjaTag {
                head: trim_span(self.text, self.inside, head),
                end,
                next: after,
                assigns: self.assigns,
                error: self.error.take(),
            });
        }
        let problem = match open {
            Some((bracket, position)) => {
                let span = Span::new(position, position + 1);
                problem::crossed_bracket(c, bracket, closing_bracket(bracket), span)
            }
            None => problem::stray_bracket(c, opening_bracket(c)),
        };
        let error = problem.at(Span::new(at, at + 1));
        self.error.get_or_insert(error);
        None
    }

    /// `{{ name }`, `{{ name %}`, `{% if name }}`
    fn wrong_end(&self, head: usize, end: usize) -> Error {
        let written = &self.text[head..end];
        let (what, sign) = (self.close.what(), self.close.sign());
        let inside = self.text[self.start..head].trim_end();
        // `{% endif % }`
        let inside = inside.strip_suffix(" %").unwrap_or(inside).trim_end();
        let right = format!("{inside} {sign}");
        problem::wrong_end(what, sign, written, &right).at(Span::new(head, end))
    }

    /// A quoted string that does not end: the tag is taken to end at the next delimiter.
    fn open_text(self, quote: usize, trim: bool) -> JinjaTag {
        let rest = &self.text[quote + 1..];
        let stop = rest
            .find(['}', '{', '\n', '\r'])
            .map_or(self.text.len(), |stop| quote + 1 + stop);
        let rest = &self.text[stop..];
        let sign = self.close.sign();
        let (head, closed) = if rest.starts_with("}}") && sign == "}}" {
            let head = stop - usize::from(self.text[..stop].ends_with('-'));
            (head, self.close.at(self.text, head, trim))
        } else if rest.starts_with('}') && sign == "%}" && self.text[quote..stop].ends_with('%') {
            let less = self.text[..stop - 1].ends_with(['-', '+']);
            let head = stop - 1 - usize::from(less);
            (head, self.close.at(self.text, head, trim))
        } else {
            (stop, None)
        };
        let written = self.text[quote..head.max(quote + 1)].trim_end();
        let span = Span::new(quote, quote + written.len());
        let error = unclosed_text(&self.text[quote..=quote]).at(span);
        match closed {
            Some(closed) => {
                let mut scan = self;
                scan.error.get_or_insert(error);
                scan.finish_tag(head, closed)
            }
            None => self.end_with_error(head, head, error),
        }
    }

    /// Another tag or the end of the text comes before the delimiter.
    fn interrupted_tag(self, at: usize, trim: bool) -> JinjaTag {
        if let Some((span, closed)) = self.nested_slot(at, trim) {
            let written = &self.text[self.start..closed.end];
            let inner = format!("{}{}", &written[..2], written[2..].replace("{{", ""));
            let inner = match self.close {
                TagEnd::Slot => format!("{}}}}}", inner.replace("}}", "")),
                TagEnd::Statement => inner.replace("}}", ""),
            };
            let right: Vec<&str> = inner.split_whitespace().collect();
            let what = self.close.what();
            let error = problem::slot_in_a_tag(what, &right.join(" ")).at(span);
            return self.end_with_error(closed.end - 2, closed.end, error);
        }
        let error = match self.brackets.last() {
            Some((bracket, position)) if at == self.text.len() => {
                unclosed_bracket(*bracket, *position)
            }
            _ => self.unclosed_error(at),
        };
        let end = match self.close {
            // What follows the path is text.
            TagEnd::Slot => self.path_end(),
            TagEnd::Statement => self.line_end(at),
        };
        self.end_with_error(end, end, error)
    }

    /// `{% if {{ name }} %}`, on one line: the inner slot, and the end of the tag.
    fn nested_slot(&self, at: usize, trim: bool) -> Option<(Span, ClosingDelimiter)> {
        // A tag on one line is no longer: searching further for each would take long.
        let near = self.text[at..].char_indices().nth(NEAR);
        let near = near.map_or(self.text.len(), |(end, _)| at + end);
        let line = self.text[at..near].lines().next()?;
        let before = &self.text[self.inside..at];
        if !line.starts_with("{{") || before.contains(['\n', '\r']) || before.trim().is_empty() {
            return None;
        }
        let inner = line.find("}}")?;
        let slot = Span::new(at, at + inner + 2);
        let rest = &line[inner + 2..];
        let end = rest.find(self.close.sign())?;
        let between = &line[2..inner];
        let open = rest[..end].contains("{%") || rest[..end].contains("{{");
        let plain = !between.contains('{') && !open;
        let closed = self.close.at(self.text, slot.end + end, trim);
        closed.filter(|_| plain).map(|closed| (slot, closed))
    }

    fn unclosed_error(&self, at: usize) -> Error {
        let end = match self.close {
            TagEnd::Slot => self.path_end(),
            TagEnd::Statement => self.line_end(at),
        };
        let end = end.max(self.inside);
        let written = self.text[self.start..end].trim_end();
        let span = Span::new(self.start, self.start + written.len());
        let (what, sign) = (self.close.what(), self.close.sign());
        problem::unclosed_tag(what, written, sign).at(span)
    }

    /// Where the dotted names at the beginning of a slot end.
    fn path_end(&self) -> usize {
        let rest = &self.text[self.inside..];
        let mut at = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        loop {
            at += name_len(&rest[at..]);
            match rest[at..].strip_prefix('.') {
                Some(more) if name_len(more) > 0 => at += 1,
                _ => return self.inside + at,
            }
        }
    }

    /// The end of the line that contains the text, at most `at`.
    fn line_end(&self, at: usize) -> usize {
        let words = &self.text[self.inside..at];
        let stop = words.find(['\n', '\r', '{']).unwrap_or(words.len());
        self.inside + words[..stop].trim_end().len()
    }
}

fn unclosed_bracket(bracket: char, position: usize) -> Error {
    problem::unclosed_bracket(bracket, closing_bracket(bracket))
        .at(Span::new(position, position + 1))
}

const fn closing_bracket(bracket: char) -> char {
    match bracket {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

const fn opening_bracket(bracket: char) -> char {
    match bracket {
        ')' => '(',
        ']' => '[',
        _ => '{',
    }
}

/// Finds the end of the string whose quote is at `at`: the position after the closing quote.
///
/// After a forgotten quote, the next quote far away looks like its end. So a string that contains a delimiter or a line break
/// counts as closed only if what follows can follow a string.
fn likely_string_end(text: &str, at: usize) -> Option<usize> {
    let end = string_end(text, at)?;
    let inside = &text[at + 1..end - 1];
    let suspect = ["}}", "%}", "\n", "\r"]
        .into_iter()
        .any(|sign| inside.contains(sign));
    let next = text[end..].trim_start();
    let word = &next[..name_len(next)];
    let follows = match word {
        "" => !next.is_empty() && !next.starts_with(continues_name),
        word => matches!(
            word,
            "and" | "or" | "not" | "in" | "is" | "if" | "else" | "recursive" | "ignore" | "with"
        ),
    };
    (!suspect || follows).then_some(end)
}

/// The same, for any content.
pub(super) fn string_end(text: &str, at: usize) -> Option<usize> {
    let quote = text.as_bytes()[at];
    let mut escaped = false;
    for (index, byte) in text.as_bytes()[at + 1..].iter().enumerate() {
        match *byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            byte if byte == quote => return Some(at + 1 + index + 1),
            _ => {}
        }
    }
    None
}
