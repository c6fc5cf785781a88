//! A dialogue as messages.

use super::json::api_role;
use super::round::{Line, Words, lines, lines_of_dialogue};
use super::{Dialogue, Item, MetaTemplate, Turn};
use crate::format::Wrapping;
use crate::{Error, ErrorKind, Message, Messages, Part, Result, Role, Text};

impl MetaTemplate {
    /// The messages of a dialogue, for a chat model: up to where the model is to answer. Messages of one role after
    /// another become one, on lines of their own. Text before the rounds is said by the turn that follows. A turn that
    /// the meta template begins with stays a message of its own.
    ///
    /// # Errors
    /// A role that the meta template does not have or that is no chat model's, and text that no role says: a chat
    /// model cannot be told it. Such is text before a turn of the model's, and before none at all.
    ///
    /// ```
    /// use prompt_core::aisbench::{Dialogue, MetaTemplate, Turn};
    ///
    /// let dialogue = Dialogue::new()
    ///     .begin(Turn::new("HUMAN", "Solve these."))
    ///     .round(Turn::new("HUMAN", "1+1=?"))
    ///     .round(Turn::new("BOT", "2"));
    /// let messages = MetaTemplate::chat().messages(&dialogue)?;
    /// assert_eq!((messages.len(), &*messages[0].text()), (1, "Solve these.\n1+1=?"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn messages(&self, dialogue: &Dialogue) -> Result<Messages> {
        self.said(dialogue, true)
    }

    /// The messages of a complete dialogue, as for a score of likelihood or a training row.
    ///
    /// # Errors
    /// As [`messages`](MetaTemplate::messages).
    ///
    /// ```
    /// use prompt_core::aisbench::{Dialogue, MetaTemplate, Turn};
    ///
    /// let dialogue = Dialogue::new().round(Turn::new("HUMAN", "1+1=?")).round(Turn::new("BOT", "2"));
    /// assert_eq!(MetaTemplate::chat().complete_messages(&dialogue)?.len(), 2);
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn complete_messages(&self, dialogue: &Dialogue) -> Result<Messages> {
        self.said(dialogue, false)
    }

    fn said(&self, dialogue: &Dialogue, generate: bool) -> Result<Messages> {
        if self.round.is_empty() {
            self.check()?;
            return self.one_message(dialogue);
        }
        let (lines, own) = match &self.begin {
            Some(Item::Turn(turn)) => {
                let own = self.own_message(turn)?;
                (lines_of_dialogue(self, dialogue, generate)?, Some(own))
            }
            _ => (lines(self, dialogue, generate)?, None),
        };
        let mut messages: Vec<Message> = Vec::new();
        let mut opening: Vec<&Text> = Vec::new();
        for line in lines {
            let (role, parts) = match line {
                // The meta template's own words are the model's instructions.
                Line::Begin(text) => (Role::System, Message::new(Role::System, text.clone()).parts),
                Line::Opening(text) | Line::Text(text) if text.as_str().trim().is_empty() => {
                    continue;
                }
                Line::Opening(text) => {
                    opening.push(text);
                    continue;
                }
                Line::Text(text) => return Err(unsaid(text.as_str())),
                Line::Format(text) => return Err(unsaid(text)),
                // What ends a text ends no list of messages.
                Line::Opened(_) | Line::End(_) => continue,
                Line::Said(role, words) => {
                    let api = role.api_role.ok_or_else(|| no_chat_role(&role.name))?;
                    let mut parts = Vec::new();
                    let text = |text: &str| Part::Text(Text::own(text));
                    parts.extend((!role.begin.is_empty()).then(|| text(&role.begin)));
                    match words {
                        Words::Turn(_, said) => parts.extend(said.iter().cloned()),
                        Words::Own(own) => parts.push(text(own)),
                    }
                    parts.extend((!role.end.is_empty()).then(|| text(&role.end)));
                    (api, parts)
                }
            };
            if matches!(role, Role::System | Role::User) {
                let opening = opening.drain(..).cloned().map(Part::Text);
                opening.for_each(|text| say(&mut messages, role, vec![text]));
            }
            if let Some(text) = opening.first() {
                return Err(unsaid(text.as_str()));
            }
            say(&mut messages, role, parts);
        }
        if let Some(text) = opening.first() {
            return Err(unsaid(text.as_str()));
        }
        messages.splice(0..0, own);
        Ok(messages.into())
    }

    /// What the meta template begins with is the model's: its role is named as chat models name it, has no marks, and
    /// need not be one of the dialogue's.
    fn own_message(&self, turn: &Turn) -> Result<Message> {
        let role = match api_role(&turn.role) {
            Ok(role) => role,
            Err(_) => {
                let (_, role) = self.role_of(turn.into())?;
                role.api_role.ok_or_else(|| no_chat_role(&role.name))?
            }
        };
        let mut message = Message::new(role, Text::new());
        push(&mut message, turn.parts.clone());
        Ok(message)
    }

    /// Without marks a chat model is given everything in one message of the user's.
    fn one_message(&self, dialogue: &Dialogue) -> Result<Messages> {
        if let [Item::Turn(only)] = &dialogue.round[..]
            && dialogue.begin.is_empty()
            && dialogue.end.is_empty()
        {
            let mut message = Message::new(Role::User, Text::new());
            message.parts.clone_from(&only.parts);
            return Ok([message].into());
        }
        let wrapping = Wrapping {
            guard: crate::Guard::Allow,
            ..Wrapping::default()
        };
        let wrapped = self.wrap_dialogue(dialogue, wrapping)?;
        let mut text = Text::new();
        for (piece, source) in wrapped.pieces() {
            match source {
                crate::Source::Data(slot) => text.push_data(slot, piece),
                _ => text.push_own(piece),
            }
        }
        Ok([Message::user(text)].into())
    }
}

/// Adds what a role says: to its message, on a line of its own, where it spoke last.
fn say(messages: &mut Vec<Message>, role: Role, parts: Vec<Part>) {
    match messages.last_mut() {
        Some(last) if last.role == role => {
            last.push_text(&Text::template("\n"));
            push(last, parts);
        }
        _ => {
            let mut message = Message::new(role, Text::new());
            push(&mut message, parts);
            messages.push(message);
        }
    }
}

/// Adds parts, text to text.
fn push(message: &mut Message, parts: Vec<Part>) {
    for part in parts {
        match part {
            Part::Text(text) => message.push_text(&text),
            media => message.parts.push(media),
        }
    }
}

fn unsaid(text: &str) -> Error {
    let text = format!(
        "no role says `{}`, so a chat model cannot be told it",
        text.trim()
    );
    Error::new(ErrorKind::Unsupported, text).with_help("put it into a turn")
}

fn no_chat_role(name: &str) -> Error {
    let text = format!("the role `{name}` of the meta template is no role of a chat model");
    Error::new(ErrorKind::Unsupported, text)
        .with_help("say which one it is, with `MetaRole::api` (`api_role`)")
}
