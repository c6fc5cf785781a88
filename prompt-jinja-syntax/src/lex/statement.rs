//! The first word of `{% … %}` and its statement.

use std::collections::HashMap;

use super::tag::JinjaTag;
use crate::head::statement;
use crate::keyword;
use crate::problem::role::in_a_message;
use crate::problem::{subset, tag as problem};
use prompt_base::Span;
use prompt_base::suggest::closest;
use prompt_syntax::dialect::{Keyword, LexTokenKind, name_len, trim_span};
use prompt_syntax::problem::MAX_ERRORS;
use prompt_syntax::{Error, Role};

/// Reads statements, and remembers what makes a later one wrong or right.
pub(super) struct Statements {
    roles: bool,
    /// The blocks that are open, where they do not cross.
    open: Vec<Keyword>,
    /// How many of each kind are open.
    count: HashMap<&'static str, usize>,
    /// The names of blocks that were rejected, so that their ends are not reported again.
    refused: HashMap<String, usize>,
    /// The number of errors that searched for a suggestion.
    searched: usize,
    /// The number of tags with an unknown keyword. An end may belong to each.
    unknown: usize,
}

/// The meaning of a word.
#[derive(Clone, Copy)]
enum StatementKeyword {
    Begin(Keyword),
    End(Keyword),
    Else,
    ElseIf,
    Include,
    Role(Role),
    EndRole(Role),
}

impl Statements {
    pub(super) fn new(roles: bool) -> Statements {
        Statements {
            roles,
            open: Vec::new(),
            count: HashMap::new(),
            refused: HashMap::new(),
            searched: 0,
            unknown: 0,
        }
    }

    /// The kind of a tag. Its errors are stored in the tag.
    pub(super) fn read(&mut self, text: &str, span: Span, tag: &mut JinjaTag) -> LexTokenKind {
        let words = tag.head.of(text);
        let word = &words[..name_len(words)];
        let after = tag.head.start + word.len();
        let rest = trim_span(text, after, tag.head.end);
        let word_span = Span::new(tag.head.start, after);
        let (meaning, rest, error) = match self.keyword_of(word) {
            Some(StatementKeyword::Else) if rest.of(text).starts_with("if ") => {
                let head = trim_span(text, rest.start + 2, rest.end);
                let right = format!("elif {}", head.of(text));
                let word_span = Span::new(word_span.start, rest.start + 2);
                let error = problem::unknown_tag("else if", &right).at(word_span);
                (Some(StatementKeyword::ElseIf), head, Some(error))
            }
            Some(meaning) => (Some(meaning), rest, self.left_over(meaning, text, rest)),
            None => {
                let (meaning, error) = self.unknown(text, span, word_span, rest);
                (meaning, rest, error)
            }
        };
        if let Some(error) = error {
            tag.error.get_or_insert(error);
        }
        match meaning {
            Some(meaning) => self.token_kind(meaning, rest, tag.assigns),
            None => LexTokenKind::Error,
        }
    }

    fn token_kind(&mut self, meaning: StatementKeyword, rest: Span, assigns: bool) -> LexTokenKind {
        match meaning {
            StatementKeyword::Begin(keyword::SET) if assigns => {
                LexTokenKind::Statement(statement::SET, rest)
            }
            StatementKeyword::Begin(keyword) => {
                self.open.push(keyword);
                *self.count.entry(keyword.name).or_default() += 1;
                LexTokenKind::Begin(keyword, rest)
            }
            StatementKeyword::End(keyword) if self.unknown > 0 && !self.is_open(keyword) => {
                self.unknown -= 1;
                LexTokenKind::Error
            }
            StatementKeyword::End(keyword) => {
                self.open.pop_if(|open| *open == keyword);
                let count = self.count.entry(keyword.name).or_default();
                *count = count.saturating_sub(1);
                LexTokenKind::End(keyword)
            }
            StatementKeyword::Else => LexTokenKind::Else,
            StatementKeyword::ElseIf => LexTokenKind::ElseIf(rest),
            StatementKeyword::Include => LexTokenKind::Statement(statement::INCLUDE, rest),
            StatementKeyword::Role(role) => LexTokenKind::Role(role),
            StatementKeyword::EndRole(role) => LexTokenKind::EndRole(role),
        }
    }

    fn is_open(&self, keyword: Keyword) -> bool {
        self.count.get(keyword.name).is_some_and(|count| *count > 0)
    }

    fn keyword_of(&self, word: &str) -> Option<StatementKeyword> {
        let name = word.strip_prefix("end").unwrap_or(word);
        let ends = name.len() < word.len();
        let mut keywords = keyword::ALL.into_iter();
        let keyword = keywords.find(|keyword| keyword.name == name);
        if let Some(keyword) = keyword {
            return Some(match ends {
                true => StatementKeyword::End(keyword),
                false => StatementKeyword::Begin(keyword),
            });
        }
        match word {
            "else" => Some(StatementKeyword::Else),
            "elif" => Some(StatementKeyword::ElseIf),
            "include" => Some(StatementKeyword::Include),
            _ if self.roles => Role::from_name(name).map(|role| match ends {
                true => StatementKeyword::EndRole(role),
                false => StatementKeyword::Role(role),
            }),
            _ => None,
        }
    }

    /// Unexpected text in a tag.
    fn left_over(&self, meaning: StatementKeyword, text: &str, rest: Span) -> Option<Error> {
        let words = rest.of(text);
        let written = match meaning {
            StatementKeyword::Else if words != ":" => "else".to_owned(),
            StatementKeyword::End(keyword) => format!("end{}", keyword.name),
            StatementKeyword::Role(role) => role.name().to_owned(),
            StatementKeyword::EndRole(role) => format!("end{}", role.name()),
            _ => return None,
        };
        if words.is_empty() {
            return None;
        }
        let problem = match meaning {
            StatementKeyword::Else => problem::condition_of_else(words),
            _ => problem::more_than_a_word(&written),
        };
        Some(problem.at(rest))
    }

    /// An unknown tag: its probable meaning, and the error.
    fn unknown(
        &mut self,
        text: &str,
        span: Span,
        word_span: Span,
        rest: Span,
    ) -> (Option<StatementKeyword>, Option<Error>) {
        let (word, head) = (word_span.of(text), rest.of(text));
        if word.is_empty() {
            return self.without_keyword(text, span, word_span, head);
        }
        if let Some(name) = word.strip_prefix("end")
            && let Some(left) = self.refused.get_mut(name).filter(|left| **left > 0)
        {
            *left -= 1;
            return (None, None);
        }
        if word == "end" {
            return self.misplaced_end(word_span, head);
        }
        if let Some(error) = self.unsupported_statement(word, word_span, head) {
            return (None, Some(error));
        }
        if let Some((meaning, right)) = foreign_keyword(word, head) {
            return (Some(meaning), Some(unknown(word, word_span, &right)));
        }
        if let Some(role) = Role::from_name(word.strip_prefix("end").unwrap_or(word)) {
            self.expect_stray_end(role.name());
            return (None, Some(in_a_message(role).at(word_span)));
        }
        let Some((near, meaning)) = self.nearest_keyword(word) else {
            self.expect_stray_end(word);
            self.unknown += 1;
            return (
                None,
                Some(problem::no_tag(word, span.of(text)).at(word_span)),
            );
        };
        let right = [&near, head].join(" ");
        (
            Some(meaning),
            Some(unknown(word, word_span, right.trim_end())),
        )
    }

    /// The word that was most likely meant. For more errors than are shown it is not looked for.
    fn nearest_keyword(&mut self, word: &str) -> Option<(String, StatementKeyword)> {
        self.searched += 1;
        let names = (self.searched <= MAX_ERRORS).then(|| self.keyword_names())?;
        let near = closest(word, names.iter().map(String::as_str))?;
        Some((near.to_owned(), self.keyword_of(near)?))
    }

    /// Records that the end of such a block is not a second error.
    fn expect_stray_end(&mut self, word: &str) {
        *self.refused.entry(word.to_owned()).or_default() += 1;
    }

    /// The keywords that can begin a tag.
    fn keyword_names(&self) -> Vec<String> {
        let mut blocks: Vec<&str> = Vec::new();
        blocks.extend(keyword::ALL.iter().map(|keyword| keyword.name));
        if self.roles {
            blocks.extend(Role::ALL.iter().map(|role| role.name()));
        }
        let mut names = Vec::new();
        for name in blocks {
            names.push(name.to_owned());
            names.push(format!("end{name}"));
        }
        for other in ["else", "elif", "include"] {
            names.push(other.to_owned());
        }
        names
    }

    /// `{% %}`, `{% /if %}`, `{% "text" %}`
    fn without_keyword(
        &mut self,
        text: &str,
        span: Span,
        word_span: Span,
        head: &str,
    ) -> (Option<StatementKeyword>, Option<Error>) {
        let closed = head.strip_prefix('/').map(str::trim_start);
        if let Some(name) = closed
            && let Some(meaning) = self.keyword_of(&format!("end{name}"))
        {
            let word_span = Span::new(word_span.start, word_span.start + head.len());
            return (
                Some(meaning),
                Some(unknown(head, word_span, &format!("end{name}"))),
            );
        }
        (
            None,
            Some(problem::without_keyword(head, span.of(text)).at(span)),
        )
    }

    /// `{% end %}`, `{% end if %}`
    fn misplaced_end(
        &mut self,
        word_span: Span,
        head: &str,
    ) -> (Option<StatementKeyword>, Option<Error>) {
        let named = self.keyword_of(&format!("end{head}"));
        let meaning = match named {
            Some(meaning) if !head.is_empty() => Some(meaning),
            _ => self.open.last().map(|open| StatementKeyword::End(*open)),
        };
        let right = match meaning {
            Some(StatementKeyword::End(keyword)) => format!("end{}", keyword.name),
            Some(StatementKeyword::EndRole(role)) => format!("end{}", role.name()),
            _ => "endif".to_owned(),
        };
        (meaning, Some(unknown("end", word_span, &right)))
    }

    /// Statements of Jinja that a checked template does not support.
    fn unsupported_statement(&mut self, word: &str, word_span: Span, head: &str) -> Option<Error> {
        let problem = subset::unsupported_tag(word, head)?;
        if matches!(
            word,
            "block"
                | "call"
                | "autoescape"
                | "trans"
                | "generation"
                | "verbatim"
                | "comment"
                | "switch"
                | "case"
                | "match"
                | "when"
        ) {
            self.expect_stray_end(word);
        }
        Some(problem.at(word_span))
    }
}

/// The text after a word, or a placeholder for it.
fn or_placeholder(head: &str) -> &str {
    match head {
        "" => "…",
        head => head,
    }
}

fn unknown(word: &str, word_span: Span, right: &str) -> Error {
    problem::unknown_tag(word, right).at(word_span)
}

/// Keywords of other template languages, with their meaning and the correct notation.
fn foreign_keyword(word: &str, head: &str) -> Option<(StatementKeyword, String)> {
    let begin = |keyword: Keyword, head: &str| {
        let right = match head {
            "" => keyword.example.to_owned(),
            head => format!("{} {head}", keyword.name),
        };
        Some((StatementKeyword::Begin(keyword), right))
    };
    let end = |keyword: Keyword| {
        Some((
            StatementKeyword::End(keyword),
            format!("end{}", keyword.name),
        ))
    };
    match word {
        "elseif" | "elsif" | "else_if" => Some((
            StatementKeyword::ElseIf,
            format!("elif {}", or_placeholder(head)),
        )),
        "otherwise" => Some((StatementKeyword::Else, "else".to_owned())),
        "foreach" | "each" | "loop" => begin(Keyword::FOR, head),
        "endforeach" | "endeach" | "endloop" | "next" | "done" | "rof" => end(Keyword::FOR),
        "unless" => begin(Keyword::IF, &format!("not {}", or_placeholder(head))),
        "endunless" | "fi" => end(Keyword::IF),
        "ifequal" => begin(Keyword::IF, "a == b"),
        "endifequal" => end(Keyword::IF),
        "assign" | "let" | "var" | "capture" => begin(keyword::SET, head),
        "endassign" | "endlet" | "endvar" | "endcapture" => end(keyword::SET),
        "def" | "function" => begin(keyword::MACRO, head),
        "enddef" | "endfunction" => end(keyword::MACRO),
        _ => None,
    }
}
