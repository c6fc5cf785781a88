//! What is wrong with the words of a tag, and what they may have been meant as.

use super::operand::is_reserved;
use super::{Reader, outside};
use crate::token::Word;
use crate::{Error, Span};

impl Reader<'_> {
    /// Reads no more than the end.
    pub(super) fn end(&self) -> Result<(), Error> {
        match self.words.peek() {
            None => Ok(()),
            Some(word) => Err(self.left_over(word)),
        }
    }

    pub(super) fn close(&mut self, sign: &'static str, open: Span) -> Result<(), Error> {
        if self.words.eat(sign) {
            return Ok(());
        }
        let expected = format!("`,` or `{sign}`");
        let error = self.left_over_in(&expected).related(open, "opened here");
        Err(error)
    }

    /// What was expected, and what is there.
    pub(super) fn wrong(&self, expected: &str) -> Error {
        self.words.unexpected(expected)
    }

    fn left_over(&self, word: &Word) -> Error {
        let error = self.left_over_in("the end");
        match word {
            Word::Sign(",") => error.help("write one value; `and` joins conditions"),
            Word::Name(name) if name == "if" => {
                error.help("put it in parentheses: `(a if b else c)`")
            }
            _ => error,
        }
    }

    /// Says why what was read does not go on with the next word.
    fn left_over_in(&self, expected: &str) -> Error {
        let words = &self.words;
        let error = words.unexpected(expected).label("not expected");
        let before = words.at.checked_sub(1).map(|index| &words.words[index]);
        let second = words.at.checked_sub(2).map(|index| &*words.words[index]);
        let touches = before.is_some_and(|before| before.span.end == words.here().start);
        let here = words.here().of(words.text);
        match (before.map(|before| &before.value), words.peek()) {
            (_, Some(Word::Sign("="))) => error.help("write `==` to compare"),
            (Some(Word::Name(prefix)), Some(Word::Str(_)))
                if touches && matches!(prefix.as_str(), "f" | "F" | "r" | "b" | "u" | "rb") =>
            {
                let place = before.map_or(words.here(), |before| before.span);
                let error = outside(place.to(words.here()), "a text with a letter before it");
                match prefix.as_str() {
                    "f" | "F" => error.help("join texts and values with `~`: `\"Hello \" ~ name`"),
                    _ => error.help(format!("write `{here}`")),
                }
            }
            (_, Some(Word::Name(name))) if name == "for" => {
                outside(words.here(), "a list that is made by a loop")
                    .help("write `{% for … %}`, or `| map(attribute=\"…\")` and `| selectattr(…)`")
            }
            (Some(Word::Name(name)), Some(Word::Str(_) | Word::Int(_) | Word::Float(_)))
                if second == Some(&Word::Sign("|")) =>
            {
                error.help(format!("write `{name}({here})`"))
            }
            (Some(Word::Name(name)), Some(Word::Name(_) | Word::Str(_) | Word::Int(_)))
                if words.at == 1 && is_tag(name) =>
            {
                let head = Span::new(words.span.start, words.span.end).of(words.text);
                error.help(format!("write `{{% {head} %}}` for a tag"))
            }
            (Some(_), Some(Word::Name(_) | Word::Str(_) | Word::Int(_) | Word::Float(_)))
                if expected != "the end" =>
            {
                error.help("write `,` before it, or `~` to join two texts")
            }
            (Some(_), Some(Word::Name(name))) if !is_reserved(name) => {
                error.help("remove it, or write an operator before it: `~` joins two texts")
            }
            (Some(_), Some(Word::Str(_) | Word::Int(_) | Word::Float(_))) => {
                error.help("remove it, or write an operator before it: `~` joins two texts")
            }
            (_, Some(Word::Sign(";"))) => error.help("remove it"),
            (_, Some(Word::Sign(":"))) => error.help("write `a if b else c` to choose a value"),
            (_, None) => error.help(format!(
                "add {}",
                expected.rsplit(' ').next().unwrap_or(expected)
            )),
            _ => error.help("remove it, or put it in parentheses"),
        }
    }

    /// A value is missing, or a word stands there that is none.
    pub(super) fn expected_value(&self) -> Error {
        let words = &self.words;
        let error = words.unexpected("a value");
        let rest = Span::new(words.here().start, words.span.end).of(words.text);
        match words.peek() {
            Some(Word::Name(name)) if words.at == 0 && is_tag(name) => {
                let tag = rest.trim_end_matches(':');
                error.help(format!("write `{{% {tag} %}}` for a tag"))
            }
            Some(Word::Name(name)) if name == "not" => error.help("put it in parentheses: `(not …)`"),
            Some(Word::Name(name)) if is_reserved(name) => error.help(format!(
                "write a value; `{name}` is a word of the language, and a field of that name has to be renamed"
            )),
            Some(Word::Sign("%")) => error.help("write `{% … %}` for a tag, `{{ … }}` for a value"),
            Some(Word::Sign("|")) => error.help("write a value before `|`"),
            None if words.words.is_empty() => error.help("write the name of a field"),
            _ => error.help("write a field, a text in quotes, a number, or `(`"),
        }
    }
}

/// Whether a word begins a tag.
fn is_tag(name: &str) -> bool {
    let name = name.strip_prefix("end").unwrap_or(name);
    matches!(
        name,
        "if" | "elif"
            | "else"
            | "for"
            | "set"
            | "with"
            | "macro"
            | "filter"
            | "include"
            | "raw"
            | "block"
    )
}
