//! Errors of the words in a tag, with suggestions.

use super::JinjaExprParser;
use super::operand::is_reserved;
use crate::problem::expr::IntendedExpr;
use crate::problem::{expr as problem, subset};
use prompt_base::Span;
use prompt_syntax::dialect::{TagToken, continues_name};
use prompt_syntax::{Error, Spanned};

impl JinjaExprParser<'_> {
    /// Reads no more than the end.
    pub(super) fn expect_end(&self) -> Result<(), Error> {
        match self.words.peek() {
            None => Ok(()),
            Some(word) => Err(self.left_over(word)),
        }
    }

    pub(super) fn expect_close(&mut self, sign: &'static str, open: Span) -> Result<(), Error> {
        if self.words.eat(sign) {
            return Ok(());
        }
        let error = self.left_over_in(&format!("`,` or `{sign}`"), sign);
        Err(problem::with_opening(error.problem, open).at(error.span))
    }

    /// Returns the error for an unexpected token.
    pub(super) fn unexpected_error(&self, expected: &str, meant: IntendedExpr<'_>) -> Error {
        self.words.unexpected(expected, meant)
    }

    fn left_over(&self, word: &TagToken) -> Error {
        match word {
            TagToken::Sign(",") => self.words.left_over(END, problem::SECOND_VALUE),
            TagToken::Name(name) if name == "if" => {
                self.words.left_over(END, problem::CHOICE_INSIDE)
            }
            _ => self.left_over_in(END, "end"),
        }
    }

    /// Returns the error for an expression that the next word cannot continue.
    fn left_over_in(&self, expected: &str, end: &str) -> Error {
        let words = &self.words;
        let before = words.at.checked_sub(1).map(|index| &words.words[index]);
        let second = words.at.checked_sub(2).map(|index| &*words.words[index]);
        let touches = before.is_some_and(|before| before.span.end == words.here().start);
        let here = words.here().of(words.text);
        let written;
        let meant = match (before.map(|before| &before.value), words.peek()) {
            (_, Some(TagToken::Sign("="))) => problem::COMPARISON,
            (Some(TagToken::Name(prefix)), Some(TagToken::Str(_)))
                if touches && matches!(prefix.as_str(), "f" | "F" | "r" | "b" | "u" | "rb") =>
            {
                let span = before.map_or(words.here(), |before| before.span);
                let problem = match prefix.as_str() {
                    "f" | "F" => subset::interpolated(),
                    _ => subset::prefixed(here),
                };
                return problem.at(span.to(words.here()));
            }
            (_, Some(TagToken::Name(name))) if name == "for" => {
                return subset::comprehension().at(words.here());
            }
            (Some(TagToken::Name(_)), Some(TagToken::Sign(":")))
                if words.is_sign(1, ":") && matches!(second, Some(TagToken::Sign("==" | "!="))) =>
            {
                return self.path_of_variant();
            }
            (
                Some(TagToken::Name(name)),
                Some(TagToken::Str(_) | TagToken::Int(_) | TagToken::Float(_)),
            ) if second == Some(&TagToken::Sign("|")) => {
                written = format!("{name}({here})");
                IntendedExpr::Written(&written)
            }
            (Some(TagToken::Name(name)), Some(TagToken::Sign(":")))
                if second == Some(&TagToken::Sign("|")) =>
            {
                let argument = words.words.get(words.at + 1);
                let argument = argument.map_or("…", |word| word.span.of(words.text));
                written = format!("{name}({argument})");
                IntendedExpr::Written(&written)
            }
            (
                Some(TagToken::Name(name)),
                Some(TagToken::Name(_) | TagToken::Str(_) | TagToken::Int(_)),
            ) if words.at == 1 && is_tag(name) => {
                IntendedExpr::Tag(Span::new(words.span.start, words.span.end).of(words.text))
            }
            (
                Some(_),
                Some(TagToken::Name(_) | TagToken::Str(_) | TagToken::Int(_) | TagToken::Float(_)),
            ) if expected != END => problem::ITEM_OR_TEXT,
            (Some(_), Some(TagToken::Name(name))) if expected == END && is_limit(name) => {
                let mut after = words.words.get(words.at + 1..).into_iter().flatten();
                let number = after.find(|word| matches!(***word, TagToken::Int(_)));
                let number = number.map_or("3", |word| word.span.of(words.text));
                let value = self.list_before();
                written = match name.as_str() {
                    "offset" => format!("{value}[{number}:]"),
                    _ => format!("{value}[:{number}]"),
                };
                IntendedExpr::Written(&written)
            }
            (Some(_), Some(TagToken::Name(name))) if name == "reversed" => problem::REVERSED,
            (Some(_), Some(TagToken::Name(name))) if matches!(name.as_str(), "then" | "do") => {
                problem::NOTHING
            }
            (Some(_), Some(TagToken::Name(name))) if !is_reserved(name) => self.operand(),
            (Some(_), Some(TagToken::Str(_) | TagToken::Int(_) | TagToken::Float(_))) => {
                self.operand()
            }
            (_, Some(TagToken::Sign(";"))) => problem::NOTHING,
            (_, Some(TagToken::Sign(":"))) => problem::CHOICE,
            (_, None) => IntendedExpr::End(end),
            _ => problem::OTHER,
        };
        words.left_over(expected, meant)
    }

    /// The error of a path of Rust that a value is compared with: the next word is the first half of its `::`.
    fn path_of_variant(&self) -> Error {
        let words = &self.words;
        let start = words.words[words.at - 1].span.start;
        let is_part = |c: char| continues_name(c) || c == ':';
        let rest = &words.text[start..words.span.end];
        let path = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        let variant = path.rsplit(':').next().unwrap_or_default();
        let before = words.text[words.span.start..start].trim_start();
        let after = rest[path.len()..].trim_end();
        let right = format!("{before}'{variant}'{after}");
        problem::path_in_condition(&right).at(Span::new(start, start + path.len()))
    }

    /// The list before the current word, which an index may follow.
    fn list_before(&self) -> String {
        let words = &self.words;
        let before = &words.words[..words.at];
        let is_in =
            |word: &Spanned<TagToken>| matches!(&**word, TagToken::Name(name) if name == "in");
        let start = before.iter().rposition(is_in).map_or(0, |at| at + 1);
        let [first, .., last] = &before[start..] else {
            return words.words[words.at - 1].span.of(words.text).to_owned();
        };
        let list = first.span.to(last.span).of(words.text);
        // A filter or an operator has spaces around it.
        match list.contains([' ', '|']) {
            true => format!("({list})"),
            false => list.to_owned(),
        }
    }

    /// The help for a value behind a value, which only a slot may join as text.
    fn operand(&self) -> IntendedExpr<'static> {
        let before = &self.words.text[..self.words.span.start];
        let before = before.trim_end_matches(|c: char| c.is_whitespace() || "-+".contains(c));
        match before.ends_with("{{") {
            true => problem::OPERAND,
            false => problem::OPERAND_OF_TAG,
        }
    }

    /// A value is missing, or the next word is not a value.
    pub(super) fn expected_value(&self) -> Error {
        let words = &self.words;
        let rest = Span::new(words.here().start, words.span.end).of(words.text);
        let meant = match words.peek() {
            Some(TagToken::Name(name)) if words.at == 0 && is_tag(name) => {
                IntendedExpr::Tag(rest.trim_end_matches(':'))
            }
            Some(TagToken::Name(name)) if name == "not" => problem::NOT_INSIDE,
            Some(TagToken::Name(name)) if is_reserved(name) => IntendedExpr::Word(name),
            Some(TagToken::Sign("%")) => problem::DELIMITER,
            Some(TagToken::Sign("|")) => problem::VALUE_BEFORE,
            None if words.words.is_empty() => problem::FIELD,
            _ => problem::VALUE,
        };
        words.unexpected("a value", meant)
    }
}

const END: &str = "the end";

/// Whether a word takes a part of a list in Liquid.
fn is_limit(name: &str) -> bool {
    matches!(name, "limit" | "offset")
}

/// Whether a word begins a tag.
fn is_tag(name: &str) -> bool {
    let name = name.strip_prefix("end").unwrap_or(name);
    [
        "if", "elif", "else", "for", "set", "with", "macro", "filter", "include", "raw", "block",
    ]
    .contains(&name)
}
