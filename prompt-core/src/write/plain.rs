//! A prompt's words alone, without a chat format.

use super::Kept;
use crate::{
    Error, ErrorKind, Messages, Part, Prompt, PromptInfo, Result, Role, Text, ToHistory, Writer,
};

/// Where the words of the one message stand in a text: from its start to its end, once that is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    start: usize,
    end: Option<usize>,
}

/// Appends the words of the prompt's one message to `out`, as they are.
///
/// Nothing says then which bytes came from data: there is no format whose tokens these could hold.
#[inline]
pub(crate) fn write<P: Prompt + ?Sized>(prompt: &P, out: &mut String) -> Result<()> {
    let before = out.len();
    if prompt.write_words(out) {
        return Ok(());
    }
    out.truncate(before);
    rendered(&|out| prompt.render(out), &P::INFO, out)
}

/// The same of a prompt that is more than words, or whose values write themselves.
#[inline(never)]
fn rendered(render: &dyn Fn(&mut Writer), info: &PromptInfo, out: &mut String) -> Result<()> {
    let before = out.len();
    let mut writer = Writer::plain(std::mem::take(out));
    render(&mut writer);
    let written = writer.finish_plain();
    *out = writer.text.take_words();
    if writer.holds_nothing() {
        // Dropped, it would ask each of its lists whether there is anything to free: as much work as a slot.
        std::mem::forget(writer);
    }
    written.map_err(|error| {
        out.truncate(before);
        error.of_prompt(info.name, info.fingerprint)
    })
}

impl Writer {
    /// A writer of words alone, which go to the end of `text`.
    #[inline]
    pub(super) fn plain(text: String) -> Writer {
        Writer {
            kept: Kept::Words(Extent {
                start: text.len(),
                end: None,
            }),
            text: Text::of_own(text),
            ..Writer::default()
        }
    }

    /// Whether nothing is allocated.
    pub(super) fn holds_nothing(&self) -> bool {
        let lists = self.parts.capacity() | self.extras.capacity();
        lists == 0 && self.text.holds_nothing() && self.messages.holds_nothing()
    }

    /// Keeps the error that something stands where only the words of one message can.
    #[cold]
    pub(super) fn refuse(&mut self, what: &str) {
        let message = format!("a plain text has no place for {what}");
        let help = "use `to_text` with a format, or `messages` for a chat API";
        self.fail(Error::new(ErrorKind::Unsupported, message).with_help(help));
    }

    /// Writes what stands at the end, and says what could not be written.
    ///
    /// The writer stays where it is: moving what was just filled costs as much as several slots.
    #[inline]
    pub(super) fn finish_plain(&mut self) -> Result<()> {
        if let Kept::Words(Extent { end: Some(end), .. }) = self.kept
            && self.text.as_str().len() > end
        {
            self.refuse("a second message");
        }
        if !self.extras.is_empty() {
            self.plain_extras();
        }
        self.messages.check()
    }

    /// The extra fields stand at the end of the user's message, or are one.
    fn plain_extras(&mut self) {
        let extras = std::mem::take(&mut self.extras);
        match self.role {
            None | Some(Role::User) if self.holds_words() => self.text("\n\n"),
            None | Some(Role::User) => {}
            Some(_) => self.refuse("a second message"),
        }
        self.push(&crate::draft::sections(&extras));
    }

    /// Whether the message says something yet.
    fn holds_words(&self) -> bool {
        matches!(self.kept, Kept::Words(Extent { start, .. }) if self.text.as_str().len() > start)
    }

    /// Ends the message, if there is one: words that follow would begin another.
    fn end_message(&mut self) {
        let is_open = self.role.is_some() || self.holds_words();
        if let Kept::Words(extent) = &mut self.kept
            && is_open
        {
            extent.end.get_or_insert(self.text.as_str().len());
        }
    }

    /// No turns, since there is only one message.
    pub(super) fn plain_history(&mut self, history: &dyn ToHistory) {
        self.end_message();
        match history.to_history() {
            Ok(turns) if turns.is_empty() => {}
            Ok(_) => self.refuse("turns before the message"),
            Err(error) => self.fail(error),
        }
    }

    /// Messages put together by hand: one, of text alone.
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

    /// Opens the only message that there is.
    pub(super) fn plain_role(&mut self, role: Role) {
        if self.role.is_some() || self.holds_words() {
            self.refuse("a second message");
        }
        self.role = Some(role);
    }
}
