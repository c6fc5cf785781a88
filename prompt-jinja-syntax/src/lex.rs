//! `{{ name }}`, `{% if x %}…{% endif %}`, `{# comment #}`, `{% raw %}`: where Jinja2 sees text and where tags, to the byte.

mod blank;
pub(crate) mod lines;
mod raw;
mod statement;
mod tag;
pub(crate) mod words;

use self::blank::{blank_len, is_space, line_break, normalize_breaks, without_last_break};
use self::statement::Statements;
use self::tag::{JinjaTag, TagEnd};
use crate::problem::tag as problem;
use prompt_base::Span;
use prompt_syntax::dialect::{LexTokenKind, Lexed};
use prompt_syntax::{Dialect, Options, Role};

pub(crate) fn lex(text: &str, options: Options) -> Lexed {
    let end = match options.keep_trailing_newline {
        true => text.len(),
        false => without_last_break(text).len(),
    };
    let mut lexer = JinjaLexer {
        text: &text[..end],
        options,
        lexed: Lexed::new(Dialect::Jinja),
        statements: Statements::new(options.roles),
        line_start: true,
        role: None,
        endless: Unterminated::default(),
    };
    while let Some(start) = lexer.next() {
        lexer.push_tag(start);
    }
    lexer.push_literal_until(end, PrecedingToken::Text);
    lexer.end_role();
    lexer.lexed
}

struct JinjaLexer<'a> {
    text: &'a str,
    options: Options,
    lexed: Lexed,
    statements: Statements,
    /// Whether the last tag took the end of its line with it, so that the text after it begins a line.
    line_start: bool,
    /// The role whose line came last.
    role: Option<Role>,
    endless: Unterminated,
}

/// Constructs without an end in the rest of the text: searched and reported once.
#[derive(Default)]
struct Unterminated {
    comment: bool,
    raw: bool,
}

/// Jinja's white space control: the sign on the inside of a tag's delimiter.
#[derive(Clone, Copy, PartialEq)]
enum WhitespaceControl {
    /// `-`: the white space beside the tag is removed.
    Strip,
    /// `+`: it is kept, regardless of the options.
    Keep,
    None,
}

/// The text after a string, and its effect on the end of the text.
#[derive(Clone, Copy)]
enum PrecedingToken {
    Text,
    Slot(WhitespaceControl),
    /// A statement or a comment, which may take the blanks of its line.
    Statement(WhitespaceControl),
    /// The end of a role block, which takes the line break before it.
    EndRole(WhitespaceControl),
}

/// The longest block of Svelte that an unclosed comment may be, in bytes.
const LONGEST_BLOCK: usize = 200;

impl<'a> JinjaLexer<'a> {
    /// Where the next tag begins.
    fn next(&self) -> Option<usize> {
        let mut at = self.lexed.done;
        loop {
            let start = at + self.text[at..].find('{')?;
            if self.text[start + 1..].starts_with(['{', '%', '#']) {
                return Some(start);
            }
            at = start + 1;
        }
    }

    fn push_tag(&mut self, start: usize) {
        let mark = match self.text.as_bytes().get(start + 2) {
            Some(b'-') => WhitespaceControl::Strip,
            Some(b'+') => WhitespaceControl::Keep,
            _ => WhitespaceControl::None,
        };
        let inside = start + 2 + usize::from(mark != WhitespaceControl::None);
        match self.text.as_bytes()[start + 1] {
            b'#' => self.skip_comment(start, mark, inside),
            b'{' => {
                self.push_literal_until(start, PrecedingToken::Slot(mark));
                let tag = tag::scan(self.text, start, inside, TagEnd::Slot, false);
                self.push(LexTokenKind::Slot(tag.head), tag);
            }
            _ => match raw::raw_body_start(self.text, inside) {
                Some(body) => self.push_raw(start, mark, body),
                None => self.push_statement(start, mark, inside),
            },
        }
    }

    fn push_statement(&mut self, start: usize, mark: WhitespaceControl, inside: usize) {
        let trim = self.options.trim_blocks;
        let mut tag = tag::scan(self.text, start, inside, TagEnd::Statement, trim);
        let span = Span::new(start, tag.end);
        let kind = self.statements.read(self.text, span, &mut tag);
        let before = match kind {
            LexTokenKind::EndRole(_) => PrecedingToken::EndRole(mark),
            _ => PrecedingToken::Statement(mark),
        };
        self.push_literal_until(start, before);
        if matches!(kind, LexTokenKind::Role(_)) && tag.next == tag.end {
            tag.next += line_break(&self.text[tag.end..]);
        }
        self.push(kind, tag);
    }

    fn skip_comment(&mut self, start: usize, mark: WhitespaceControl, inside: usize) {
        self.push_literal_until(start, PrecedingToken::Statement(mark));
        let end = match self.endless.comment {
            true => None,
            false => self.text[inside..].find("#}"),
        };
        let Some(end) = end.map(|end| inside + end) else {
            let error = (!self.endless.comment).then(|| {
                let words = self.text[inside..].split(['}', '\n']).next();
                let words = words.filter(|words| words.len() < LONGEST_BLOCK);
                let block = words.and_then(problem::block_as_comment);
                let problem = block.unwrap_or_else(problem::unclosed_comment);
                problem.at(Span::new(start, inside))
            });
            self.endless.comment = true;
            self.lexed.push(LexTokenKind::Error, inside, error);
            return;
        };
        let close = end + "#}".len();
        let next = match &self.text[inside..end] {
            words if words.ends_with('-') => close + blank_len(&self.text[close..]),
            words if words.ends_with('+') => close,
            _ if self.options.trim_blocks => close + line_break(&self.text[close..]),
            _ => close,
        };
        self.skip_to(next);
    }

    fn push_raw(&mut self, start: usize, mark: WhitespaceControl, body: usize) {
        self.push_literal_until(start, PrecedingToken::Statement(mark));
        let end = match self.endless.raw {
            true => None,
            false => raw::find_raw_end(self.text, body, self.options.trim_blocks),
        };
        let Some(end) = end else {
            let error = problem::unclosed_raw().at(Span::new(start, body));
            let error = (!self.endless.raw).then_some(error);
            self.endless.raw = true;
            self.lexed.push(LexTokenKind::Error, body, error);
            return;
        };
        self.skip_to(body);
        self.push_verbatim_until(end.start, PrecedingToken::Statement(end.mark));
        self.skip_to(end.next);
    }

    fn push(&mut self, kind: LexTokenKind, tag: JinjaTag) {
        self.lexed.push(kind, tag.end, tag.error);
        self.line_start = false;
        if tag.next > tag.end {
            self.skip_to(tag.next);
        }
    }

    /// Skips the text before this position.
    fn skip_to(&mut self, position: usize) {
        self.line_start = self.text[..position].ends_with(['\n', '\r']);
        self.lexed.done = position;
    }

    /// Adds the text up to a position, without the white space that the next tag removes.
    fn push_literal_until(&mut self, end: usize, before: PrecedingToken) {
        if self.options.role_lines && self.options.roles {
            self.role_lines(end);
        }
        self.push_text_until(end, before);
    }

    /// Adds the text up to a position, and notes what looks like a slot in it.
    fn push_text_until(&mut self, end: usize, before: PrecedingToken) {
        let kept = self.kept_before(end, before);
        if !kept.is_empty() {
            let kept_end = self.lexed.done + kept.len();
            self.lexed.scan_lookalikes(self.text, kept_end);
        }
        self.push_verbatim_until(end, before);
    }

    /// Adds the text up to a position as it is.
    fn push_verbatim_until(&mut self, end: usize, before: PrecedingToken) {
        let kept = self.kept_before(end, before);
        if !kept.is_empty() {
            let kept_end = self.lexed.done + kept.len();
            self.lexed
                .push_literal_until(&normalize_breaks(kept), kept_end);
        }
        self.lexed.done = end;
    }

    /// The text up to a position without the white space that the next tag removes.
    fn kept_before(&self, end: usize, before: PrecedingToken) -> &'a str {
        let words = &self.text[self.lexed.done..end];
        match before {
            PrecedingToken::Text
            | PrecedingToken::Slot(WhitespaceControl::Keep | WhitespaceControl::None) => words,
            PrecedingToken::Slot(mark) | PrecedingToken::Statement(mark) => {
                self.kept_text(words, mark)
            }
            PrecedingToken::EndRole(mark) => without_last_break(self.kept_text(words, mark)),
        }
    }

    fn kept_text<'t>(&self, words: &'t str, mark: WhitespaceControl) -> &'t str {
        match mark {
            WhitespaceControl::Strip => words.trim_end_matches(is_space),
            WhitespaceControl::None if self.options.lstrip_blocks => {
                let line = words.rfind(['\n', '\r']).map_or(0, |at| at + 1);
                let blank = words[line..].chars().all(is_space);
                match blank && (line > 0 || self.line_start) {
                    true => &words[..line],
                    false => words,
                }
            }
            WhitespaceControl::None | WhitespaceControl::Keep => words,
        }
    }
}
