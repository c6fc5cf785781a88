//! A dialogue as messages, for chat models.

use prompt_core::format::FormatOptions;
use prompt_core::{Error, ErrorKind, Guard, Message, Messages, Origin, Part, Result, Role, Text};

use super::json::api_role;
use super::round::{
    DialogueElement, TurnContent, borrow_turn, dialogue_elements, dialogue_sections,
};
use super::{Dialogue, Item, MetaTemplate, Turn};

impl MetaTemplate {
    /// Renders a dialogue as messages for a chat model, up to the turn that the model generates. Consecutive messages of
    /// one role are merged, each on a line of its own. Text before the rounds is merged into the turn that follows it. A
    /// turn that the meta template begins with stays a separate message.
    ///
    /// # Errors
    /// A role that the meta template does not have or that has no API role, and text without a role that precedes no
    /// turn of the system or the user: a chat API does not support it.
    ///
    /// ```
    /// use typed_prompt::compat::aisbench::{Dialogue, MetaTemplate, Turn};
    ///
    /// let dialogue = Dialogue::new()
    ///     .begin(Turn::new("HUMAN", "Solve these."))
    ///     .round(Turn::new("HUMAN", "1+1=?"))
    ///     .round(Turn::new("BOT", "2"));
    /// let messages = MetaTemplate::chat().messages(&dialogue)?;
    /// assert_eq!((messages.len(), &*messages[0].text()), (1, "Solve these.\n1+1=?"));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn messages(&self, dialogue: &Dialogue) -> Result<Messages> {
        self.to_messages(dialogue, true)
    }

    /// Renders a complete dialogue as messages, as for log-probabilities or a training row.
    ///
    /// # Errors
    /// As [`messages`](MetaTemplate::messages).
    ///
    /// ```
    /// use typed_prompt::compat::aisbench::{Dialogue, MetaTemplate, Turn};
    ///
    /// let dialogue = Dialogue::new().round(Turn::new("HUMAN", "1+1=?")).round(Turn::new("BOT", "2"));
    /// assert_eq!(MetaTemplate::chat().complete_messages(&dialogue)?.len(), 2);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn complete_messages(&self, dialogue: &Dialogue) -> Result<Messages> {
        self.to_messages(dialogue, false)
    }

    fn to_messages(&self, dialogue: &Dialogue, generate: bool) -> Result<Messages> {
        self.check_roles()?;
        if self.round.is_empty() {
            return self.one_message(dialogue);
        }
        let (first, begin) = match &self.begin {
            Some(Item::Turn(turn)) => (Some(self.first_message(turn)?), None),
            begin => (None, begin.as_ref()),
        };
        let mut messages: Vec<Message> = Vec::new();
        let mut opening: Vec<&Text> = Vec::new();
        for line in dialogue_elements(self, begin, &dialogue_sections(dialogue), generate, false)? {
            let (role, parts) = match line {
                DialogueElement::Begin(text) => (Role::System, vec![Part::Text(text.clone())]),
                DialogueElement::Opening(text) | DialogueElement::Text(text)
                    if text.as_str().trim().is_empty() =>
                {
                    continue;
                }
                DialogueElement::Opening(text) => {
                    opening.push(text);
                    continue;
                }
                DialogueElement::Text(text) => return Err(without_role(text.as_str())),
                DialogueElement::Format(text) => return Err(without_role(text)),
                DialogueElement::Generate(_) | DialogueElement::End(_) => continue,
                DialogueElement::Turn(role, content) => {
                    let api = role.api_role.ok_or_else(|| no_api_role(&role.name))?;
                    let mut parts = vec![template_part(&role.begin)];
                    match content {
                        TurnContent::Turn(_, turn) => parts.extend(turn.iter().cloned()),
                        TurnContent::Default(prompt) => parts.push(template_part(prompt)),
                    }
                    parts.push(template_part(&role.end));
                    (api, parts)
                }
            };
            if matches!(role, Role::System | Role::User) {
                for text in opening.drain(..) {
                    append_parts(&mut messages, role, vec![Part::Text(text.clone())]);
                }
            }
            if let Some(text) = opening.first() {
                return Err(without_role(text.as_str()));
            }
            append_parts(&mut messages, role, parts);
        }
        if let Some(text) = opening.first() {
            return Err(without_role(text.as_str()));
        }
        messages.splice(0..0, first);
        Ok(messages.into())
    }

    /// The message of the turn that the meta template begins with: its role may be an API role, it has no delimiters, and
    /// the meta template need not list it.
    fn first_message(&self, turn: &Turn) -> Result<Message> {
        let role = match api_role(&turn.role) {
            Ok(role) => role,
            Err(_) => {
                let (_, role) = self.role_of(borrow_turn(turn))?;
                role.api_role.ok_or_else(|| no_api_role(&role.name))?
            }
        };
        Ok(new_message(role, turn.parts.clone()))
    }

    /// Without roles a chat model receives everything in one user message.
    fn one_message(&self, dialogue: &Dialogue) -> Result<Messages> {
        if let [Item::Turn(only)] = &dialogue.round[..]
            && dialogue.begin.is_empty()
            && dialogue.end.is_empty()
        {
            let mut message = Message::user(Text::new());
            message.parts.clone_from(&only.parts);
            return Ok([message].into());
        }
        let text = self.format_dialogue(dialogue, &FormatOptions::new().guard(Guard::Allow))?;
        Ok([Message::user(Text::from_iter(text.pieces()))].into())
    }
}

/// Text of the meta template.
fn template_part(text: &str) -> Part {
    Part::Text(Text::from_iter([(text, Origin::Template)]))
}

/// Appends to the last message if it has this role, on a new line, or adds a message.
fn append_parts(messages: &mut Vec<Message>, role: Role, parts: Vec<Part>) {
    match messages.last_mut() {
        Some(last) if last.role == role => {
            last.push_text(&Text::template("\n"));
            push_parts(last, parts);
        }
        _ => messages.push(new_message(role, parts)),
    }
}

fn new_message(role: Role, parts: Vec<Part>) -> Message {
    let mut message = Message::new(role, Text::new());
    push_parts(&mut message, parts);
    message
}

/// Appends parts; adjacent texts are merged.
fn push_parts(message: &mut Message, parts: Vec<Part>) {
    for part in parts {
        match part {
            Part::Text(text) if text.is_empty() => {}
            Part::Text(text) => message.push_text(&text),
            media => message.parts.push(media),
        }
    }
}

fn without_role(text: &str) -> Error {
    let text = text.trim();
    let message = format!("`{text}` has no role, and a chat API does not support it");
    Error::new(ErrorKind::Unsupported, message).with_help("put it into a turn")
}

fn no_api_role(name: &str) -> Error {
    let text = format!("the role `{name}` of the meta template has no API role");
    Error::new(ErrorKind::Unsupported, text).with_help("set it with `MetaRole::api` (`api_role`)")
}
