//! A dialogue as one text, for base models.

use prompt_core::ChatFormat;
use prompt_core::format::{Family, FormatOptions, check, check_options};
use prompt_core::{AnnotatedText, Error, ErrorKind, Messages, Origin, Part, Result, Text};

use super::round::{
    BorrowedTurn, DialogueElement, DialogueSections, Speech, TurnContent, dialogue_elements,
    dialogue_sections, flatten_examples, message_sections,
};
use super::{Dialogue, MetaTemplate};

const FAMILY: Family = Family {
    name: "aisbench",
    title: "the meta template",
    system: true,
    history: true,
    ..Family::BARE
};

impl MetaTemplate {
    /// Renders a dialogue as one text, for a base model: up to the turn that the model generates, or complete without
    /// [`generation_prompt`](FormatOptions::generation_prompt), as for log-probabilities.
    ///
    /// # Errors
    /// A role that the meta template does not have, media, and control tokens where they are rejected.
    ///
    /// ```
    /// use typed_prompt::compat::aisbench::{Dialogue, MetaRole, MetaTemplate, Turn};
    /// use typed_prompt::format::FormatOptions;
    ///
    /// let meta = MetaTemplate::new()
    ///     .role(MetaRole::new("HUMAN").delimiters("U: ", "\n"))
    ///     .role(MetaRole::new("THOUGHTS").delimiters("T: ", "\n").prompt("None"))
    ///     .role(MetaRole::new("BOT").delimiters("A: ", "\n").generates());
    /// let dialogue = Dialogue::new().round(Turn::new("HUMAN", "2+2=?")).round(Turn::new("BOT", "4"));
    /// let text = |generation_prompt| {
    ///     let options = FormatOptions::new().generation_prompt(generation_prompt);
    ///     meta.format_dialogue(&dialogue, &options).map(|text| text.into_string())
    /// };
    /// assert_eq!(text(true)?, "U: 2+2=?\nT: None\nA: ");
    /// assert_eq!(text(false)?, "U: 2+2=?\nT: None\nA: 4\n");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn format_dialogue(
        &self,
        dialogue: &Dialogue,
        options: &FormatOptions,
    ) -> Result<AnnotatedText> {
        check_options(self, options)?;
        let mut out = AnnotatedText::new();
        self.write_sections(&dialogue_sections(dialogue), options, &mut out)?;
        self.apply_guard(out, options)
    }

    fn write_sections(
        &self,
        dialogue: &DialogueSections<'_>,
        options: &FormatOptions,
        out: &mut AnnotatedText,
    ) -> Result<()> {
        self.check_roles()?;
        let mut stop = "";
        if self.round.is_empty() {
            write_joined(dialogue, out)?;
        } else {
            let generate = options.generation_prompt || options.label.is_some();
            let lines = dialogue_elements(self, self.begin.as_ref(), dialogue, generate, true)?;
            reserve_capacity(&lines, out);
            for line in lines {
                match line {
                    DialogueElement::Format(text) | DialogueElement::End(text) => {
                        out.structure(text);
                    }
                    // The layout's own text may contain the delimiters of its roles.
                    DialogueElement::Begin(text) => {
                        for (piece, origin) in text.pieces() {
                            match origin {
                                Origin::Template => out.structure(piece),
                                origin => out.push(piece, origin),
                            }
                        }
                    }
                    DialogueElement::Opening(text) | DialogueElement::Text(text) => out.text(text),
                    DialogueElement::Turn(role, content) => {
                        out.structure(&role.begin);
                        if role.generate {
                            out.begin_generated();
                        }
                        match content {
                            TurnContent::Default(text) => out.push(text, Origin::Template),
                            TurnContent::Turn(index, parts) => write_parts(index, parts, out)?,
                        }
                        out.structure(&role.end);
                        out.end_generated();
                    }
                    DialogueElement::Generate(role) => {
                        out.structure(&role.begin);
                        stop = &role.end;
                    }
                }
            }
        }
        if let Some(label) = &options.label {
            out.label(label, stop);
        }
        Ok(())
    }
}

impl ChatFormat for MetaTemplate {
    fn family(&self) -> &'static Family {
        &FAMILY
    }

    /// The delimiters of the roles: their parts in brackets, or else each of their lines.
    fn guarded_tokens(&self) -> Vec<&str> {
        let mut tokens = Vec::with_capacity(2 * (self.round.len() + self.reserved_roles.len()));
        for role in self.all_roles() {
            for delimiter in [&*role.begin, &*role.end] {
                let before = tokens.len();
                tokens.extend(bracketed_parts(delimiter));
                if tokens.len() == before {
                    let lines = delimiter.lines().map(str::trim);
                    tokens.extend(lines.filter(|line| is_distinctive(line)));
                }
            }
        }
        tokens.sort_unstable();
        tokens.dedup();
        tokens
    }

    fn write_messages(
        &self,
        messages: &Messages,
        options: &FormatOptions,
        out: &mut AnnotatedText,
    ) -> Result<()> {
        check(&FAMILY, messages, options)?;
        self.write_sections(&message_sections(messages), options, out)
    }
}

/// Whether a line of a delimiter can be distinguished from other text.
fn is_distinctive(line: &str) -> bool {
    line.chars().count() > 1 && line.contains(char::is_alphanumeric)
}

/// The parts of a delimiter in angle or square brackets, such as `<|im_start|>` and `<<SYS>>`.
fn bracketed_parts(text: &str) -> impl Iterator<Item = &str> {
    let is_open = |byte: u8| matches!(byte, b'<' | b'[');
    let is_end = |byte: u8| matches!(byte, b' ' | b'\n' | b'>' | b']');
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = &rest[rest.bytes().position(is_open)?..];
            let end = rest.bytes().position(is_end)?;
            let signs = rest[end..].bytes().take_while(|byte| b">]".contains(byte));
            let (token, after) = rest.split_at(end + signs.count());
            rest = after;
            if end < token.len() && token.len() > 2 {
                return Some(token);
            }
        }
    })
}

/// Reserves the capacity that the elements need; turns of several parts are few.
fn reserve_capacity(lines: &[DialogueElement<'_>], out: &mut AnnotatedText) {
    let bytes = lines.iter().map(|line| match line {
        DialogueElement::Turn(role, content) => {
            let content = match content {
                TurnContent::Turn(_, [Part::Text(text)]) => text.as_str().len(),
                TurnContent::Turn(..) => 0,
                TurnContent::Default(text) => text.len(),
            };
            role.begin.len() + content + role.end.len()
        }
        DialogueElement::Format(text) | DialogueElement::End(text) => text.len(),
        DialogueElement::Begin(text)
        | DialogueElement::Opening(text)
        | DialogueElement::Text(text) => text.as_str().len(),
        DialogueElement::Generate(role) => role.begin.len(),
    });
    out.reserve(bytes.sum(), 2 * lines.len());
}

/// Without delimiters each text and turn is on a line of its own.
fn write_joined(sections: &DialogueSections<'_>, out: &mut AnnotatedText) -> Result<()> {
    let mut turns = 0;
    for speech in sections.iter().flat_map(|items| flatten_examples(items)) {
        let is_empty = |part: &Part| matches!(part, Part::Text(text) if text.is_empty());
        let line_break = if out.as_str().is_empty() { "" } else { "\n" };
        match speech {
            Speech::Text(text) if !text.is_empty() => {
                out.structure(line_break);
                out.text(text);
            }
            Speech::Turn(BorrowedTurn { parts, .. }) => {
                if !parts.iter().all(is_empty) {
                    out.structure(line_break);
                }
                write_parts(turns, parts, out)?;
                turns += 1;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Writes the parts of the turn with this index.
fn write_parts(index: usize, parts: &[Part], out: &mut AnnotatedText) -> Result<()> {
    out.message(index);
    for part in parts {
        out.text(text_of(index, part)?);
    }
    out.message(None);
    Ok(())
}

fn text_of(index: usize, part: &Part) -> Result<&Text> {
    match part {
        Part::Text(text) => Ok(text),
        _ => {
            let message = format!(
                "turn {index} contains an image, audio, video or file, which one text cannot express"
            );
            Err(Error::new(ErrorKind::Unsupported, message)
                .with_help("send it to a chat model, with `MetaTemplate::messages`")
                .at_index(index))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::MetaRole;
    use super::*;

    #[test]
    fn tokens_are_parts_in_brackets_or_lines() {
        let check = |begin: &'static str, end: &'static str, expected: &[&str]| {
            let meta = MetaTemplate::new().role(MetaRole::new("HUMAN").delimiters(begin, end));
            assert_eq!(meta.guarded_tokens(), expected, "{begin:?} {end:?}");
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
