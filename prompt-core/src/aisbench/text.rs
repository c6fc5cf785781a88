//! A dialogue as one text.

use std::borrow::Cow;

use super::dialogue::{Piece, Said, Speech};
use super::round::{Line, Words, lines};
use super::{Dialogue, FAMILY, MetaTemplate};
use crate::format::{ChatFormat, Family, Wrapping, check};
use crate::guard;
use crate::syntax::order::sort_by;
use crate::{Error, ErrorKind, Messages, Part, Result, Source, Text, Wrapped};

impl MetaTemplate {
    /// Writes a dialogue as one text, for a base model: up to where the model goes on, or complete without
    /// [`generation_prompt`](Wrapping::generation_prompt), as for a score of likelihood.
    ///
    /// # Errors
    /// A role that the meta template does not have, media, and control tokens where they are rejected.
    ///
    /// ```
    /// use prompt_core::aisbench::{Dialogue, MetaRole, MetaTemplate, Turn};
    /// use prompt_core::format::Wrapping;
    ///
    /// let meta = MetaTemplate::new()
    ///     .role(MetaRole::new("HUMAN").marks("U: ", "\n"))
    ///     .role(MetaRole::new("THOUGHTS").marks("T: ", "\n").prompt("None"))
    ///     .role(MetaRole::new("BOT").marks("A: ", "\n").generates());
    /// let dialogue = Dialogue::new().round(Turn::new("HUMAN", "2+2=?")).round(Turn::new("BOT", "4"));
    /// let text = |generation_prompt| {
    ///     let wrapping = Wrapping { generation_prompt, ..Wrapping::default() };
    ///     meta.wrap_dialogue(&dialogue, wrapping).map(|wrapped| wrapped.into_string())
    /// };
    /// assert_eq!(text(true)?, "U: 2+2=?\nT: None\nA: ");
    /// assert_eq!(text(false)?, "U: 2+2=?\nT: None\nA: 4\n");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn wrap_dialogue(&self, dialogue: &Dialogue, wrapping: Wrapping) -> Result<Wrapped> {
        let mut out = Wrapped::new(wrapping);
        self.write_dialogue(dialogue, &mut out)?;
        guard::apply(out, &self.tokens(), &FAMILY)
    }

    fn write_dialogue(&self, said: &impl Said, out: &mut Wrapped) -> Result<()> {
        let label = out.options().label.clone();
        let generate = out.options().generation_prompt || label.is_some();
        if self.round.is_empty() {
            self.check()?;
            write_joined(said, out)?;
            if let Some(label) = label {
                out.label(&label, "");
            }
            return Ok(());
        }
        let lines = lines(self, said, generate)?;
        out.reserve(length(&lines)?, 3 * lines.len());
        each(&lines, |words| match words {
            Written::Mark(mark) => out.structure(mark),
            Written::Own(text) => out.push(text, Source::Template),
            Written::Text(at, text) => {
                out.message(at);
                out.text(text);
                out.message(None);
            }
        })?;
        if let Some(label) = label {
            let stop = match lines.last() {
                Some(Line::Opened(role)) => &role.end,
                _ => "",
            };
            out.label(&label, stop);
        }
        Ok(())
    }

    /// The marks of the roles, as the guard knows them: what stands in brackets, or else each line. Some stand twice.
    fn marks(&self) -> Vec<&str> {
        let mut tokens: Vec<&str> = Vec::with_capacity(16);
        for role in self.roles() {
            for mark in [&*role.begin, &*role.end] {
                let before = tokens.len();
                tokens.extend(bracketed(mark));
                if tokens.len() == before {
                    tokens.extend(mark.lines().map(str::trim).filter(|line| is_mark(line)));
                }
            }
        }
        tokens
    }
}

/// What a line writes.
#[derive(Clone, Copy)]
enum Written<'a> {
    /// Text of the model's format.
    Mark(&'a str),
    /// Words of the meta template's author.
    Own(&'a str),
    /// Text of a dialogue, and the turn that it is said in.
    Text(Option<usize>, &'a Text),
}

impl<'a> Written<'a> {
    fn as_str(self) -> &'a str {
        match self {
            Written::Mark(text) | Written::Own(text) => text,
            Written::Text(_, text) => text.as_str(),
        }
    }
}

/// What the lines write, in order.
fn each<'a>(lines: &[Line<'a>], mut out: impl FnMut(Written<'a>)) -> Result<()> {
    for line in lines {
        match *line {
            Line::Format(text) | Line::End(text) => out(Written::Mark(text)),
            Line::Begin(text) | Line::Opening(text) | Line::Text(text) => {
                out(Written::Text(None, text));
            }
            Line::Said(role, words) => {
                out(Written::Mark(&role.begin));
                match words {
                    Words::Own(text) => out(Written::Own(text)),
                    Words::Turn(at, parts) => {
                        for part in parts {
                            out(Written::Text(Some(at), text_part(at, part)?));
                        }
                    }
                }
                out(Written::Mark(&role.end));
            }
            Line::Opened(role) => out(Written::Mark(&role.begin)),
        }
    }
    Ok(())
}

/// How many bytes the lines write.
fn length(lines: &[Line<'_>]) -> Result<usize> {
    let mut length = 0;
    each(lines, |words| length += words.as_str().len())?;
    Ok(length)
}

/// Whether a line of a mark can be told from other text.
fn is_mark(line: &str) -> bool {
    line.chars().count() > 1 && line.contains(char::is_alphanumeric)
}

/// The words in angle or square brackets, such as `<|im_start|>` and `<<SYS>>`.
fn bracketed(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let start = rest.bytes().position(|byte| matches!(byte, b'<' | b'['))?;
            let word = &rest[start..];
            let end = word
                .bytes()
                .position(|byte| matches!(byte, b' ' | b'\n' | b'>' | b']'))?;
            let closed = word[end..].trim_start_matches(['>', ']']);
            let (token, after) = word.split_at(word.len() - closed.len());
            rest = if token.len() > end {
                after
            } else {
                &word[end..]
            };
            if token.len() > end && token.len() > 2 {
                return Some(token);
            }
        }
    })
}

/// Without marks the items stand on lines of their own.
fn write_joined(said: &impl Said, out: &mut Wrapped) -> Result<()> {
    let (mut first, mut turns) = (true, 0);
    let begin = said.begin().flat_map(Piece::each);
    let end = said.end().flat_map(Piece::each);
    for speech in begin.chain(said.round()).chain(end) {
        let (at, text) = match speech {
            Speech::Text(text) => (None, Cow::Borrowed(text)),
            Speech::Turn(turn) => (Some(turns), text_of(turns, turn.parts)?),
        };
        turns += usize::from(at.is_some());
        if text.is_empty() {
            continue;
        }
        out.structure(if first { "" } else { "\n" });
        first = false;
        out.message(at);
        out.text(&text);
        out.message(None);
    }
    Ok(())
}

fn text_of(at: usize, parts: &[Part]) -> Result<Cow<'_, Text>> {
    if let [part] = parts {
        return text_part(at, part).map(Cow::Borrowed);
    }
    let mut whole = Text::new();
    for part in parts {
        whole.push(text_part(at, part)?);
    }
    Ok(Cow::Owned(whole))
}

fn text_part(at: usize, part: &Part) -> Result<&Text> {
    match part {
        Part::Text(text) => Ok(text),
        Part::Media(_) => {
            let message =
                format!("turn {at} holds an image, sound, film or file, which one text cannot say");
            Err(Error::new(ErrorKind::Unsupported, message)
                .with_help("give it to a chat model, with `MetaTemplate::messages`")
                .at_index(at))
        }
    }
}

impl ChatFormat for MetaTemplate {
    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn tokens(&self) -> Vec<&str> {
        let mut tokens = self.marks();
        sort_by(&mut tokens, Ord::cmp);
        tokens.dedup();
        tokens
    }

    fn write(&self, messages: &Messages, out: &mut Wrapped) -> Result<()> {
        check(&FAMILY, messages, out.options())?;
        self.write_dialogue(messages, out)
    }
}

#[cfg(test)]
mod tests {
    use super::super::MetaRole;
    use super::*;

    #[test]
    fn marks_are_words_in_brackets_or_lines() {
        let check = |begin: &'static str, end: &'static str, expected: &[&str]| {
            let meta = MetaTemplate::new().role(MetaRole::new("HUMAN").marks(begin, end));
            assert_eq!(meta.tokens(), expected, "{begin:?} {end:?}");
        };
        check("<HUMAN>: ", "<eoh>\n", &["<HUMAN>", "<eoh>"]);
        check(
            "<|im_start|>user\n",
            "<|im_end|>\n",
            &["<|im_end|>", "<|im_start|>"],
        );
        check("[INST] <<SYS>>\n", "", &["<<SYS>>", "[INST]"]);
        check("[Round 1]\n\n问：", "\n\n", &["[Round 1]", "问："]);
        check("USER: ", "", &["USER:"]);
        check("a < b", "<", &["a < b"]);
        check(": ", "\n", &[]);
    }
}
