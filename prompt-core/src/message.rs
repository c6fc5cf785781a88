//! A message: its role, parts, tool calls and reasoning.

use std::borrow::Cow;
use std::fmt;

use crate::part::{Part, Text};
use crate::{Error, ErrorKind, Media, Result, ToolCall};

/// Whose message it is.
///
/// ```
/// assert_eq!(prompt_core::Role::Assistant.name(), "assistant");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Role {
    /// Instructions of the program.
    System,
    /// The person, or the program in their place.
    User,
    /// The model.
    Assistant,
    /// The result of a tool that the model called.
    Tool,
}

impl Role {
    /// The role in lower case, as chat APIs write it.
    ///
    /// ```
    /// assert_eq!(prompt_core::Role::Tool.name(), "tool");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
        }
    }

    /// The role with this name.
    ///
    /// ```
    /// use prompt_core::Role;
    ///
    /// assert_eq!(Role::from_name("user"), Some(Role::User));
    /// assert_eq!(Role::from_name("narrator"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Role> {
        [Role::System, Role::User, Role::Assistant, Role::Tool]
            .into_iter()
            .find(|role| role.name() == name)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One message: a role, its parts, and the calls or results of tools.
///
/// ```
/// use prompt_core::{Media, Message, Role};
///
/// let message = Message::user("What is this?").with_media(Media::image_url("https://example.com/a.png"));
/// assert_eq!((message.role, message.parts.len()), (Role::User, 2));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Whose message it is.
    pub role: Role,
    /// What it says.
    pub parts: Vec<Part>,
    /// The tools that the assistant calls.
    pub tool_calls: Vec<ToolCall>,
    /// Which call a tool's result answers.
    pub tool_call_id: Option<String>,
    /// Who speaks, or which tool answers.
    pub name: Option<String>,
    /// What the model thought before it said this, where that is kept apart.
    pub reasoning: Option<Text>,
}

impl Message {
    /// A message of text. Text whose origin is not known counts as data.
    ///
    /// ```
    /// use prompt_core::{Message, Role, Text};
    ///
    /// assert_eq!(Message::new(Role::User, Text::template("Go on.")).text(), "Go on.");
    /// ```
    pub fn new(role: Role, text: impl Into<Text>) -> Message {
        let text = text.into();
        let parts = if text.is_empty() {
            Vec::new()
        } else {
            vec![Part::Text(text)]
        };
        Message::of_parts(role, parts)
    }

    pub(crate) fn of_parts(role: Role, parts: Vec<Part>) -> Message {
        Message {
            role,
            parts,
            tool_calls: Vec::new(),
            tool_call_id: None,
            name: None,
            reasoning: None,
        }
    }

    /// Instructions of the program.
    ///
    /// ```
    /// assert_eq!(prompt_core::Message::system("Be brief.").role, prompt_core::Role::System);
    /// ```
    pub fn system(text: impl Into<Text>) -> Message {
        Message::new(Role::System, text)
    }

    /// What the person says.
    ///
    /// ```
    /// assert_eq!(prompt_core::Message::user("Hi").role, prompt_core::Role::User);
    /// ```
    pub fn user(text: impl Into<Text>) -> Message {
        Message::new(Role::User, text)
    }

    /// What the model says.
    ///
    /// ```
    /// assert_eq!(prompt_core::Message::assistant("Hello").role, prompt_core::Role::Assistant);
    /// ```
    pub fn assistant(text: impl Into<Text>) -> Message {
        Message::new(Role::Assistant, text)
    }

    /// The calls that the model makes.
    ///
    /// ```
    /// use prompt_core::{Message, ToolCall};
    ///
    /// let call = ToolCall::new("c1", "weather", r#"{"city":"Brest"}"#);
    /// assert_eq!(Message::calls([call]).tool_calls[0].name, "weather");
    /// ```
    pub fn calls(calls: impl IntoIterator<Item = ToolCall>) -> Message {
        Message {
            tool_calls: calls.into_iter().collect(),
            ..Message::new(Role::Assistant, Text::new())
        }
    }

    /// What a tool gives back for the call with this id.
    ///
    /// ```
    /// let message = prompt_core::Message::tool("c1", "21 °C");
    /// assert_eq!(message.tool_call_id.as_deref(), Some("c1"));
    /// ```
    pub fn tool(call_id: impl Into<String>, text: impl Into<Text>) -> Message {
        Message {
            tool_call_id: Some(call_id.into()),
            ..Message::new(Role::Tool, text)
        }
    }

    /// Adds an image, sound, film or file at the end.
    ///
    /// ```
    /// use prompt_core::{Media, Message};
    ///
    /// assert_eq!(Message::user("Look: ").with_media(Media::image_url("u")).parts.len(), 2);
    /// ```
    pub fn with_media(mut self, media: Media) -> Message {
        self.parts.push(Part::Media(media));
        self
    }

    /// Says who speaks, or which tool answers.
    ///
    /// ```
    /// let message = prompt_core::Message::tool("c1", "21 °C").with_name("weather");
    /// assert_eq!(message.name.as_deref(), Some("weather"));
    /// ```
    pub fn with_name(mut self, name: impl Into<String>) -> Message {
        self.name = Some(name.into());
        self
    }

    /// Says what the model thought before it said this. Models are shown it again by their family's own rule, most of
    /// them only until the next question.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, Prompt, format};
    ///
    /// let row = Messages::from([Message::user("2+2?"), Message::assistant("4").with_reasoning("Easy.")]);
    /// let text = row.to_text(format::QWEN3.continued())?;
    /// assert!(text.ends_with("<|im_start|>assistant\n<think>\nEasy.\n</think>\n\n4"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn with_reasoning(mut self, text: impl Into<Text>) -> Message {
        self.reasoning = Some(text.into()).filter(|text| !text.is_empty());
        self
    }

    /// The text of all its parts; media has none.
    ///
    /// ```
    /// use prompt_core::{Media, Message};
    ///
    /// assert_eq!(Message::user("Look: ").with_media(Media::image_url("u")).text(), "Look: ");
    /// ```
    pub fn text(&self) -> Cow<'_, str> {
        match &self.parts[..] {
            [] => Cow::Borrowed(""),
            [Part::Text(text)] => Cow::Borrowed(text.as_str()),
            _ => Cow::Owned(self.texts().map(Text::as_str).collect()),
        }
    }

    /// The parts that are text.
    ///
    /// ```
    /// assert_eq!(prompt_core::Message::user("Hi").texts().count(), 1);
    /// ```
    pub fn texts(&self) -> impl Iterator<Item = &Text> {
        self.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text),
            Part::Media(_) => None,
        })
    }

    /// Whether every part is text.
    ///
    /// ```
    /// use prompt_core::{Media, Message};
    ///
    /// assert!(!Message::user("Look: ").with_media(Media::image_url("u")).is_text());
    /// ```
    pub fn is_text(&self) -> bool {
        self.parts.iter().all(|part| matches!(part, Part::Text(_)))
    }

    /// All its text with what in it is data.
    pub(crate) fn whole_text(&self) -> Cow<'_, Text> {
        match &self.parts[..] {
            [Part::Text(text)] => Cow::Borrowed(text),
            _ => {
                let mut whole = Text::new();
                self.texts().for_each(|text| whole.push(text));
                Cow::Owned(whole)
            }
        }
    }

    /// Appends text to the last part, or adds a part where the last one is not text.
    ///
    /// ```
    /// use prompt_core::{Message, Text};
    ///
    /// let mut message = Message::user("2+2");
    /// message.push_text(&Text::template("=?"));
    /// assert_eq!((message.parts.len(), &*message.text()), (1, "2+2=?"));
    /// ```
    pub fn push_text(&mut self, text: &Text) {
        match self.parts.last_mut() {
            Some(Part::Text(last)) => last.push(text),
            _ => self.parts.push(Part::Text(text.clone())),
        }
    }
}

/// A role that JSON gives.
pub(crate) fn role_named(name: &str) -> Result<Role> {
    Role::from_name(name).ok_or_else(|| {
        let error = Error::new(ErrorKind::History, format!("there is no role `{name}`"));
        error.with_help(match name {
            "developer" => {
                "write `system`, which APIs with a developer role read as that".to_owned()
            }
            "function" => "write `tool`, with the `tool_call_id` that it answers".to_owned(),
            _ => "use `system`, `user`, `assistant` or `tool`".to_owned(),
        })
    })
}
