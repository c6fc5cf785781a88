//! A dialogue as one text.

use super::round::{Line, Words, lines};
use super::{Dialogue, FAMILY, Item, MetaTemplate, Turn};
use crate::format::{ChatFormat, Family, Wrapping, check};
use crate::{
    Draft, Error, ErrorKind, Message, Messages, Part, Result, Source, Text, Wrapped, guard,
};

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

    fn write_dialogue(&self, dialogue: &Dialogue, out: &mut Wrapped) -> Result<()> {
        let label = out.options().label.clone();
        let generate = out.options().generation_prompt || label.is_some();
        if self.round.is_empty() {
            self.check()?;
            write_joined(dialogue, out)?;
            if let Some(label) = label {
                out.label(&label, "");
            }
            return Ok(());
        }
        let mut stop = "";
        for line in lines(self, dialogue, generate)? {
            match line {
                Line::Format(text) | Line::End(text) => out.structure(text),
                Line::Begin(text) | Line::Opening(text) | Line::Text(text) => out.text(text),
                Line::Said(role, words) => {
                    out.structure(&role.begin);
                    match words {
                        Words::Own(text) => out.push(text, Source::Template),
                        Words::Turn(at, parts) => {
                            out.message(at);
                            write_parts(at, parts, out)?;
                            out.message(None);
                        }
                    }
                    out.structure(&role.end);
                }
                Line::Opened(role) => {
                    out.structure(&role.begin);
                    stop = &role.end;
                }
            }
        }
        if let Some(label) = label {
            out.label(&label, stop);
        }
        Ok(())
    }

    /// The marks of the roles, as the guard knows them: what stands in brackets, or else each line.
    fn marks(&self) -> Vec<&str> {
        let mut tokens: Vec<&str> = Vec::with_capacity(16);
        for mark in self.roles().flat_map(|role| [&*role.begin, &*role.end]) {
            let before = tokens.len();
            tokens.extend(bracketed(mark));
            if tokens.len() == before {
                tokens.extend(mark.lines().map(str::trim).filter(|line| is_mark(line)));
            }
        }
        tokens.sort_unstable();
        tokens.dedup();
        tokens
    }
}

/// About how long the marks of a turn are together.
const MARKS: usize = 40;

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
fn write_joined(dialogue: &Dialogue, out: &mut Wrapped) -> Result<()> {
    let mut first = true;
    let mut turns = 0;
    for item in [&dialogue.begin, &dialogue.round, &dialogue.end]
        .into_iter()
        .flatten()
    {
        let of_turn = |turn: &Turn, at| text_of(at, &turn.parts);
        let texts = match item {
            Item::Text(text) => vec![(None, text.clone())],
            Item::Turn(turn) => vec![(Some(turns), of_turn(turn, turns)?)],
            Item::Examples(examples) => {
                let texts = examples.iter().enumerate();
                let texts =
                    texts.map(|(at, turn)| Ok((Some(turns + at), of_turn(turn, turns + at)?)));
                texts.collect::<Result<_>>()?
            }
        };
        for (at, text) in texts {
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
    }
    Ok(())
}

fn write_parts(at: usize, parts: &[Part], out: &mut Wrapped) -> Result<()> {
    for part in parts {
        out.text(text_part(at, part)?);
    }
    Ok(())
}

fn text_of(at: usize, parts: &[Part]) -> Result<Text> {
    let mut whole = Text::new();
    for part in parts {
        whole.push(text_part(at, part)?);
    }
    Ok(whole)
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
        self.marks()
    }

    fn write(&self, messages: &Messages, out: &mut Wrapped) -> Result<()> {
        check(&FAMILY, messages, out.options())?;
        self.write_dialogue(&Dialogue::from(messages), out)
    }

    // As above, without a copy of every message.
    fn write_draft(&self, draft: Draft, out: &mut Wrapped) -> Result<()> {
        let messages = draft.fold();
        check(&FAMILY, &messages, out.options())?;
        let texts = messages.iter().flat_map(Message::texts);
        let length: usize = texts.map(|text| text.as_str().len() + MARKS).sum();
        out.reserve(length, 6 * messages.len());
        self.write_dialogue(&Dialogue::from(messages), out)
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
