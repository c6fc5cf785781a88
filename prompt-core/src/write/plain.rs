//! The text-only mode of [`Writer`]: the text of a prompt's one message, without a chat format.

use crate::{
    Error, ErrorKind, Messages, Part, Prompt, Result, Role, Text, ToHistory, Writer, draft,
};

/// The range of the message in the text: from `start` to `end`, once the message is complete.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlainText {
    start: usize,
    end: Option<usize>,
}

/// Appends the text of the prompt's one message to `out`.
///
/// The text does not record which bytes are data, since there is no format whose control tokens they could contain.
pub(crate) fn write<P: Prompt + ?Sized>(prompt: &P, out: &mut String) -> Result<()> {
    let start = out.len();
    let mut writer = Writer {
        text: Text::of_own(std::mem::take(out)),
        plain: Some(PlainText { start, end: None }),
        ..Writer::default()
    };
    prompt.render(&mut writer);
    let written = writer.finish_plain();
    *out = writer.text.take_words();
    written.map_err(|error| {
        out.truncate(start);
        error.of_prompt(P::INFO.name, P::INFO.fingerprint)
    })
}

impl Writer {
    /// Records the error that the prompt has more than the text of one message.
    #[cold]
    pub(super) fn refuse(&mut self, what: &str) {
        let message = format!("a plain text has no place for {what}");
        let help = "use `to_text` with a format, or `messages` for a chat API";
        self.fail(Error::new(ErrorKind::Unsupported, message).with_help(help));
    }

    /// Opens the only message.
    pub(super) fn plain_role(&mut self, role: Role) {
        if self.role.is_some() || self.has_text() {
            self.refuse("a second message");
        }
        self.role = Some(role);
    }

    /// Accepts only an empty history.
    pub(super) fn plain_history(&mut self, history: &dyn ToHistory) {
        self.end_message();
        match history.to_history() {
            Ok(turns) if turns.is_empty() => {}
            Ok(_) => self.refuse("turns before the message"),
            Err(error) => self.fail(error),
        }
    }

    /// Accepts one message of text.
    pub(super) fn append_plain(&mut self, messages: &Messages) {
        self.end_message();
        if !messages.tools().is_empty() {
            self.refuse("tools");
        }
        if let Some(fault) = messages.fault() {
            self.fail(fault.clone());
        }
        for message in messages {
            self.plain_role(message.role);
            if !message.tool_calls.is_empty() {
                self.refuse("calls of tools");
            }
            if message.reasoning.is_some() {
                self.refuse("reasoning");
            }
            if message.name.is_some() && message.role != Role::Tool {
                self.refuse("a speaker's name");
            }
            for part in &message.parts {
                match part {
                    Part::Text(text) => self.push(text),
                    Part::Media(_) => self.refuse("an image, sound, film or file"),
                }
            }
        }
        self.end_message();
    }

    /// Whether the message has any text yet.
    fn has_text(&self) -> bool {
        let length = self.text.as_str().len();
        self.plain.is_some_and(|plain| length > plain.start)
    }

    /// Completes the message, if there is one: text after it would be a second message.
    fn end_message(&mut self) {
        let is_open = self.role.is_some() || self.has_text();
        if let Some(plain) = self.plain.as_mut().filter(|_| is_open) {
            plain.end.get_or_insert(self.text.as_str().len());
        }
    }

    /// Writes the extra fields, and returns the first error.
    fn finish_plain(&mut self) -> Result<()> {
        let end = self.plain.and_then(|plain| plain.end);
        if end.is_some_and(|end| self.text.as_str().len() > end) {
            self.refuse("a second message");
        }
        if !self.extras.is_empty() {
            let extras = std::mem::take(&mut self.extras);
            match self.role {
                None | Some(Role::User) if self.has_text() => self.text("\n\n"),
                None | Some(Role::User) => {}
                Some(_) => self.refuse("a second message"),
            }
            self.push(&draft::sections(&extras));
        }
        self.messages.check()
    }
}
