use std::borrow::Cow;

use crate::{Message, Messages, Part, Role, Text};

/// A conversation in the role names of a dataset.
///
/// ```
/// use prompt_core::aisbench::{Dialogue, MetaTemplate, Turn};
/// use prompt_core::format::Wrapping;
///
/// let example = [Turn::new("HUMAN", "2+2=?"), Turn::new("BOT", "4")];
/// let dialogue = Dialogue::new()
///     .begin("Solve these.")
///     .examples(example)
///     .round(Turn::new("HUMAN", "1+1=?"));
/// let text = MetaTemplate::new().wrap_dialogue(&dialogue, Wrapping::default())?;
/// assert_eq!(text.as_str(), "Solve these.\n2+2=?\n4\n1+1=?");
/// # Ok::<(), prompt_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Dialogue {
    /// What stands before the rounds: instructions and examples.
    pub begin: Vec<Item>,
    /// The rounds.
    pub round: Vec<Item>,
    /// What stands after the rounds, where nothing is to be generated in them.
    pub end: Vec<Item>,
}

/// A piece of a [`Dialogue`].
///
/// ```
/// use prompt_core::aisbench::{Item, Turn};
///
/// assert!(matches!(Item::from("Be kind."), Item::Text(_)));
/// assert!(matches!(Item::from(Turn::new("HUMAN", "Hi")), Item::Turn(_)));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    /// Text that no role says.
    Text(Text),
    /// What a role says.
    Turn(Turn),
    /// Complete rounds of examples.
    Examples(Vec<Turn>),
}

/// What a role says.
///
/// ```
/// use prompt_core::aisbench::Turn;
///
/// let turn = Turn::new("SYSTEM", "Be kind.").or("HUMAN");
/// assert_eq!((&*turn.role, turn.fallback.as_deref()), ("SYSTEM", Some("HUMAN")));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Turn {
    /// The role's name.
    pub role: Cow<'static, str>,
    /// The role that speaks where the meta template has none of that name.
    pub fallback: Option<Cow<'static, str>>,
    /// What it says.
    pub parts: Vec<Part>,
}

impl Dialogue {
    /// Nothing said yet.
    pub fn new() -> Dialogue {
        Dialogue::default()
    }

    /// Adds text or a turn before the rounds.
    ///
    /// ```
    /// assert_eq!(prompt_core::aisbench::Dialogue::new().begin("Be kind.").begin.len(), 1);
    /// ```
    pub fn begin(mut self, item: impl Into<Item>) -> Dialogue {
        self.begin.push(item.into());
        self
    }

    /// Adds examples before the rounds, which are written completely.
    ///
    /// ```
    /// use prompt_core::aisbench::{Dialogue, Turn};
    ///
    /// let dialogue = Dialogue::new().examples([Turn::new("HUMAN", "2+2=?"), Turn::new("BOT", "4")]);
    /// assert_eq!(dialogue.begin.len(), 1);
    /// ```
    pub fn examples(mut self, turns: impl IntoIterator<Item = Turn>) -> Dialogue {
        self.begin.push(Item::Examples(turns.into_iter().collect()));
        self
    }

    /// Adds a turn to the rounds.
    ///
    /// ```
    /// use prompt_core::aisbench::{Dialogue, Turn};
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
    /// assert_eq!(prompt_core::aisbench::Dialogue::new().end("The end.").end.len(), 1);
    /// ```
    pub fn end(mut self, item: impl Into<Item>) -> Dialogue {
        self.end.push(item.into());
        self
    }
}

impl Turn {
    /// What a role says. Text whose origin is not known counts as data.
    ///
    /// ```
    /// use prompt_core::{Text, aisbench::Turn};
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

    /// Sets the role that speaks where the meta template has none of that name.
    ///
    /// ```
    /// use prompt_core::aisbench::Turn;
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

/// The author's own words.
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
        let (role, fallback) = names(message.role);
        Turn {
            role: role.into(),
            fallback: fallback.map(Cow::Borrowed),
            parts: message.parts,
        }
    }
}

/// System messages at the head stand before the rounds.
impl From<&Messages> for Dialogue {
    fn from(messages: &Messages) -> Dialogue {
        Dialogue::from(messages.clone())
    }
}

/// System messages at the head stand before the rounds.
impl From<Messages> for Dialogue {
    fn from(messages: Messages) -> Dialogue {
        let head = messages
            .iter()
            .take_while(|message| is_system(message))
            .count();
        let mut begin = Vec::with_capacity(messages.len());
        for message in messages {
            begin.push(Turn::from(message).into());
        }
        Dialogue {
            round: begin.split_off(head),
            begin,
            end: Vec::new(),
        }
    }
}

/// What is said in the role names of a dataset, wherever it is kept.
pub(super) trait Said {
    /// What stands before the rounds.
    fn begin(&self) -> impl Iterator<Item = Piece<'_>>;

    /// The rounds, with examples among them one by one.
    fn round(&self) -> impl Iterator<Item = Speech<'_>>;

    /// What stands after the rounds.
    fn end(&self) -> impl Iterator<Item = Piece<'_>>;
}

/// An [`Item`] that another keeps.
#[derive(Clone, Copy)]
pub(super) enum Piece<'a> {
    One(Speech<'a>),
    Examples(&'a [Turn]),
}

/// Text that no role says, or what a role says.
#[derive(Clone, Copy)]
pub(super) enum Speech<'a> {
    Text(&'a Text),
    Turn(Spoken<'a>),
}

/// A [`Turn`] that another keeps.
#[derive(Clone, Copy)]
pub(super) struct Spoken<'a> {
    pub(super) role: &'a str,
    pub(super) fallback: Option<&'a str>,
    pub(super) parts: &'a [Part],
}

impl<'a> Piece<'a> {
    /// Examples one by one.
    pub(super) fn each(self) -> impl Iterator<Item = Speech<'a>> {
        let (one, examples) = match self {
            Piece::One(speech) => (Some(speech), &[][..]),
            Piece::Examples(turns) => (None, turns),
        };
        one.into_iter().chain(examples.iter().map(Speech::from))
    }
}

impl Said for Dialogue {
    fn begin(&self) -> impl Iterator<Item = Piece<'_>> {
        self.begin.iter().map(Piece::from)
    }

    fn round(&self) -> impl Iterator<Item = Speech<'_>> {
        self.round.iter().map(Piece::from).flat_map(Piece::each)
    }

    fn end(&self) -> impl Iterator<Item = Piece<'_>> {
        self.end.iter().map(Piece::from)
    }
}

/// System messages at the head stand before the rounds.
impl Said for Messages {
    fn begin(&self) -> impl Iterator<Item = Piece<'_>> {
        let head = self.each().take_while(|message| is_system(message));
        head.map(|message| Piece::One(message.into()))
    }

    fn round(&self) -> impl Iterator<Item = Speech<'_>> {
        let turns = self.each().skip_while(|message| is_system(message));
        turns.map(Speech::from)
    }

    fn end(&self) -> impl Iterator<Item = Piece<'_>> {
        std::iter::empty()
    }
}

impl<'a> From<&'a Item> for Piece<'a> {
    fn from(item: &'a Item) -> Piece<'a> {
        match item {
            Item::Text(text) => Piece::One(Speech::Text(text)),
            Item::Turn(turn) => Piece::One(turn.into()),
            Item::Examples(turns) => Piece::Examples(turns),
        }
    }
}

impl<'a> From<&'a Turn> for Spoken<'a> {
    fn from(turn: &'a Turn) -> Spoken<'a> {
        Spoken {
            role: &turn.role,
            fallback: turn.fallback.as_deref(),
            parts: &turn.parts,
        }
    }
}

impl<'a> From<&'a Turn> for Speech<'a> {
    fn from(turn: &'a Turn) -> Speech<'a> {
        Speech::Turn(turn.into())
    }
}

impl<'a> From<&'a Message> for Speech<'a> {
    fn from(message: &'a Message) -> Speech<'a> {
        let (role, fallback) = names(message.role);
        Speech::Turn(Spoken {
            role,
            fallback,
            parts: &message.parts,
        })
    }
}

fn is_system(message: &Message) -> bool {
    message.role == Role::System
}

/// A role's name in a dataset, and that of the one it falls back to.
fn names(role: Role) -> (&'static str, Option<&'static str>) {
    match role {
        Role::System => ("SYSTEM", Some("HUMAN")),
        Role::User => ("HUMAN", None),
        Role::Assistant => ("BOT", None),
        Role::Tool => ("TOOL", None),
    }
}
