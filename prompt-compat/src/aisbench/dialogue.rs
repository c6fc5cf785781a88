//! Dialogues in the role names of a dataset.

use std::borrow::Cow;

use prompt_core::{Message, Messages, Part, Role, Text};

/// A conversation in the role names of a dataset.
///
/// ```
/// use typed_prompt::{compat::aisbench::{Dialogue, MetaTemplate, Turn}, format::FormatOptions};
///
/// let example = [Turn::new("HUMAN", "2+2=?"), Turn::new("BOT", "4")];
/// let dialogue = Dialogue::new()
///     .begin("Solve these.")
///     .examples(example)
///     .round(Turn::new("HUMAN", "1+1=?"));
/// let text = MetaTemplate::new().format_dialogue(&dialogue, &FormatOptions::new())?;
/// assert_eq!(text.as_str(), "Solve these.\n2+2=?\n4\n1+1=?");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Dialogue {
    /// Precedes the rounds: instructions and examples.
    pub begin: Vec<Item>,
    /// The rounds.
    pub round: Vec<Item>,
    /// Follows the rounds, unless the model generates in them.
    pub end: Vec<Item>,
}

/// A piece of a [`Dialogue`].
///
/// ```
/// use typed_prompt::compat::aisbench::{Item, Turn};
///
/// assert!(matches!(Item::from("Be kind."), Item::Text(_)));
/// assert!(matches!(Item::from(Turn::new("HUMAN", "Hi")), Item::Turn(_)));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    /// Text without a role.
    Text(Text),
    /// A turn of a role.
    Turn(Turn),
    /// Complete rounds of examples.
    ExampleTurns(Vec<Turn>),
}

/// A turn: a role and its content.
///
/// ```
/// use typed_prompt::compat::aisbench::Turn;
///
/// let turn = Turn::new("SYSTEM", "Be kind.").or("HUMAN");
/// assert_eq!((&*turn.role, turn.fallback.as_deref()), ("SYSTEM", Some("HUMAN")));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Turn {
    /// The role's name.
    pub role: Cow<'static, str>,
    /// The role to use where the meta template has no role of that name (`fallback_role`).
    pub fallback: Option<Cow<'static, str>>,
    /// The content.
    pub parts: Vec<Part>,
}

impl Dialogue {
    /// An empty dialogue.
    pub fn new() -> Dialogue {
        Dialogue::default()
    }

    /// Adds text or a turn before the rounds.
    ///
    /// ```
    /// assert_eq!(typed_prompt::compat::aisbench::Dialogue::new().begin("Be kind.").begin.len(), 1);
    /// ```
    pub fn begin(mut self, item: impl Into<Item>) -> Dialogue {
        self.begin.push(item.into());
        self
    }

    /// Adds examples before the rounds. They are complete: the model generates nothing in them.
    ///
    /// ```
    /// use typed_prompt::compat::aisbench::{Dialogue, Turn};
    ///
    /// let dialogue = Dialogue::new().examples([Turn::new("HUMAN", "2+2=?"), Turn::new("BOT", "4")]);
    /// assert_eq!(dialogue.begin.len(), 1);
    /// ```
    pub fn examples(mut self, turns: impl IntoIterator<Item = Turn>) -> Dialogue {
        self.begin
            .push(Item::ExampleTurns(turns.into_iter().collect()));
        self
    }

    /// Adds a turn to the rounds.
    ///
    /// ```
    /// use typed_prompt::compat::aisbench::{Dialogue, Turn};
    ///
    /// assert_eq!(Dialogue::new().round(Turn::new("HUMAN", "1+1=?")).round.len(), 1);
    /// ```
    pub fn round(mut self, item: impl Into<Item>) -> Dialogue {
        self.round.push(item.into());
        self
    }

    /// Adds text or a turn after the rounds.
    ///
    /// ```
    /// assert_eq!(typed_prompt::compat::aisbench::Dialogue::new().end("The end.").end.len(), 1);
    /// ```
    pub fn end(mut self, item: impl Into<Item>) -> Dialogue {
        self.end.push(item.into());
        self
    }
}

impl Turn {
    /// A turn of a role. Text of unknown origin counts as data.
    ///
    /// ```
    /// use typed_prompt::{compat::aisbench::Turn, message::Text};
    ///
    /// assert_eq!(Turn::new("HUMAN", Text::template("Hi")).parts.len(), 1);
    /// ```
    pub fn new(role: impl Into<Cow<'static, str>>, text: impl Into<Text>) -> Turn {
        Turn {
            role: role.into(),
            fallback: None,
            parts: Message::new(Role::User, text).parts,
        }
    }

    /// Sets the role to use where the meta template has no role of that name.
    ///
    /// ```
    /// use typed_prompt::compat::aisbench::Turn;
    ///
    /// assert_eq!(Turn::new("SYSTEM", "Hi").or("HUMAN").fallback.as_deref(), Some("HUMAN"));
    /// ```
    pub fn or(mut self, fallback: impl Into<Cow<'static, str>>) -> Turn {
        self.fallback = Some(fallback.into());
        self
    }
}

impl From<Text> for Item {
    fn from(text: Text) -> Item {
        Item::Text(text)
    }
}

/// A literal counts as template text.
impl From<&'static str> for Item {
    fn from(text: &'static str) -> Item {
        Item::Text(Text::template(text))
    }
}

impl From<Turn> for Item {
    fn from(turn: Turn) -> Item {
        Item::Turn(turn)
    }
}

impl From<&Message> for Turn {
    fn from(message: &Message) -> Turn {
        Turn::from(message.clone())
    }
}

impl From<Message> for Turn {
    fn from(message: Message) -> Turn {
        let (role, fallback) = dataset_names(message.role);
        Turn {
            role: role.into(),
            fallback: fallback.map(Cow::Borrowed),
            parts: message.parts,
        }
    }
}

/// System messages at the start precede the rounds.
impl From<&Messages> for Dialogue {
    fn from(messages: &Messages) -> Dialogue {
        Dialogue::from(messages.clone())
    }
}

/// The number of system messages at the start, which precede the rounds.
pub(super) fn round_start(messages: &Messages) -> usize {
    let mut others = messages.iter().map(|it| it.role != Role::System);
    others.position(|it| it).unwrap_or(messages.len())
}

/// System messages at the start precede the rounds.
impl From<Messages> for Dialogue {
    fn from(messages: Messages) -> Dialogue {
        let start = round_start(&messages);
        let mut begin = Vec::from_iter(messages.into_iter().map(|it| Item::from(Turn::from(it))));
        Dialogue {
            round: begin.split_off(start),
            begin,
            end: Vec::new(),
        }
    }
}

/// The role's name in a dataset, and its fallback.
pub(super) fn dataset_names(role: Role) -> (&'static str, Option<&'static str>) {
    match role {
        Role::System => ("SYSTEM", Some("HUMAN")),
        Role::User => ("HUMAN", None),
        Role::Assistant => ("BOT", None),
        _ => ("TOOL", None),
    }
}
