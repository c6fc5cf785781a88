//! Meta templates, as AISBench and OpenCompass configure models with: what stands around each role's words, as data.
//!
//! A dataset says a [`Dialogue`] in role names; a model's [`MetaTemplate`] knows what becomes of each role. For a base
//! model that is one text, for a chat model messages:
//!
//! ```
//! use prompt_core::aisbench::{Dialogue, MetaRole, MetaTemplate, Turn};
//! use prompt_core::format::Wrapping;
//!
//! let dialogue = Dialogue::new()
//!     .begin(Turn::new("SYSTEM", "Solve the following questions.").or("HUMAN"))
//!     .round(Turn::new("HUMAN", "1+1=?"));
//!
//! let base = MetaTemplate::new()
//!     .role(MetaRole::new("HUMAN").marks("<HUMAN>: ", "<eoh>\n"))
//!     .role(MetaRole::new("BOT").marks("<BOT>: ", "<eob>\n").generates());
//! assert_eq!(
//!     base.wrap_dialogue(&dialogue, Wrapping::default())?.as_str(),
//!     "<HUMAN>: Solve the following questions.<eoh>\n<HUMAN>: 1+1=?<eoh>\n<BOT>: "
//! );
//!
//! let messages = MetaTemplate::chat().messages(&dialogue)?;
//! assert_eq!(messages[0].role, prompt_core::Role::System);
//! # Ok::<(), prompt_core::Error>(())
//! ```
//!
//! A meta template is a [`ChatFormat`](crate::ChatFormat) too: [`Messages`](crate::Messages) become a dialogue of the
//! roles `SYSTEM` (or else `HUMAN`), `HUMAN`, `BOT` and `TOOL`.
//!
//! What is better here than in the original: base and chat models read a dialogue alike (fallbacks, reserved roles and
//! text in a round); a role that nobody speaks is left out, unless it has words of its own; text that a chat model
//! cannot be told is an error, where the original drops it; marks in data are broken.

mod chat;
mod dialogue;
mod json;
mod round;
mod text;

pub use dialogue::{Dialogue, Item, Turn};

use std::borrow::Cow;

use crate::format::Family;
use crate::{Error, ErrorKind, Role};
use dialogue::Spoken;

const FAMILY: Family = Family {
    name: "aisbench",
    title: "the meta template",
    system: true,
    history: true,
    ..Family::BARE
};

/// What a model is given around the words of each role. Without a round the items stand on lines of their own.
///
/// ```
/// use prompt_core::aisbench::{MetaRole, MetaTemplate};
/// use prompt_core::{Message, Messages, Prompt};
///
/// let vicuna = MetaTemplate::new()
///     .begin("A chat between a curious user and an assistant. ")
///     .role(MetaRole::new("HUMAN").marks("USER: ", ""))
///     .role(MetaRole::new("BOT").marks(" ASSISTANT:", "</s>").generates());
/// let ask = Messages::from([Message::user("1+1=?")]);
/// assert_eq!(ask.to_text(&vicuna)?, "A chat between a curious user and an assistant. USER: 1+1=? ASSISTANT:");
/// assert_eq!(ask.to_text(MetaTemplate::new())?, "1+1=?");
/// # Ok::<(), prompt_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MetaTemplate {
    /// What stands before everything.
    pub begin: Option<Item>,
    /// The roles of a round in their order, and text between them.
    pub round: Vec<RoundPart>,
    /// Roles that may also speak, such as `SYSTEM`.
    pub reserved_roles: Vec<MetaRole>,
    /// What stands after a complete dialogue.
    pub end: Cow<'static, str>,
}

/// A part of every round.
///
/// ```
/// use prompt_core::aisbench::{MetaTemplate, RoundPart};
///
/// assert_eq!(MetaTemplate::new().text("<s>").round, [RoundPart::Text("<s>".into())]);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum RoundPart {
    /// Text of the model's format.
    Text(Cow<'static, str>),
    /// A role.
    Role(MetaRole),
}

/// What becomes of a role.
///
/// ```
/// use prompt_core::{Role, aisbench::MetaRole};
///
/// let bot = MetaRole::new("BOT").api(Role::Assistant).generates();
/// assert!(bot.generate && bot.begin.is_empty());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MetaRole {
    /// The name that datasets use: `HUMAN`, `BOT`, `SYSTEM`, or any other.
    pub name: Cow<'static, str>,
    /// What stands before its words.
    pub begin: Cow<'static, str>,
    /// What stands after its words.
    pub end: Cow<'static, str>,
    /// What it says where the dataset says nothing.
    pub prompt: Option<Cow<'static, str>>,
    /// Which role of a chat model it is.
    pub api_role: Option<Role>,
    /// Whether the model goes on where this role is to speak.
    pub generate: bool,
}

impl MetaTemplate {
    /// No marks: for base models that are given text alone.
    pub fn new() -> MetaTemplate {
        MetaTemplate::default()
    }

    /// What AISBench's chat models have by default: `HUMAN`, `BOT`, and `SYSTEM` reserved.
    ///
    /// ```
    /// assert_eq!(prompt_core::aisbench::MetaTemplate::chat().round.len(), 2);
    /// ```
    pub fn chat() -> MetaTemplate {
        MetaTemplate::new()
            .role(MetaRole::new("HUMAN").api(Role::User))
            .role(MetaRole::new("BOT").api(Role::Assistant).generates())
            .reserved(MetaRole::new("SYSTEM").api(Role::System))
    }

    /// Sets what stands before everything: text, or a turn, which is a message of its own to a chat model.
    ///
    /// ```
    /// use prompt_core::aisbench::MetaTemplate;
    ///
    /// assert!(MetaTemplate::new().begin("Be kind. ").begin.is_some());
    /// ```
    pub fn begin(mut self, begin: impl Into<Item>) -> MetaTemplate {
        self.begin = Some(begin.into());
        self
    }

    /// Adds a role to the round.
    ///
    /// ```
    /// use prompt_core::aisbench::{MetaRole, MetaTemplate};
    ///
    /// assert_eq!(MetaTemplate::new().role(MetaRole::new("HUMAN")).round.len(), 1);
    /// ```
    pub fn role(mut self, role: MetaRole) -> MetaTemplate {
        self.round.push(RoundPart::Role(role));
        self
    }

    /// Adds text to the round.
    ///
    /// ```
    /// assert_eq!(prompt_core::aisbench::MetaTemplate::new().text("\n").round.len(), 1);
    /// ```
    pub fn text(mut self, text: impl Into<Cow<'static, str>>) -> MetaTemplate {
        self.round.push(RoundPart::Text(text.into()));
        self
    }

    /// Adds a role that may also speak.
    ///
    /// ```
    /// use prompt_core::aisbench::{MetaRole, MetaTemplate};
    ///
    /// assert_eq!(MetaTemplate::new().reserved(MetaRole::new("SYSTEM")).reserved_roles.len(), 1);
    /// ```
    pub fn reserved(mut self, role: MetaRole) -> MetaTemplate {
        self.reserved_roles.push(role);
        self
    }

    /// Sets what stands after a complete dialogue.
    ///
    /// ```
    /// assert_eq!(prompt_core::aisbench::MetaTemplate::new().end("</s>").end, "</s>");
    /// ```
    pub fn end(mut self, end: impl Into<Cow<'static, str>>) -> MetaTemplate {
        self.end = end.into();
        self
    }

    fn roles(&self) -> Vec<&MetaRole> {
        let mut roles = Vec::with_capacity(self.round.len() + self.reserved_roles.len());
        for part in &self.round {
            if let RoundPart::Role(role) = part {
                roles.push(role);
            }
        }
        roles.extend(&self.reserved_roles);
        roles
    }

    /// The role that speaks a turn, its own or the one it falls back to, and where in the round it stands.
    fn role_of(&self, turn: Spoken<'_>) -> crate::Result<(Option<usize>, &MetaRole)> {
        let found = self.named(turn.role);
        let found = found.or_else(|| self.named(turn.fallback?));
        found.ok_or_else(|| {
            let known: Vec<_> = self.roles().iter().map(|role| &*role.name).collect();
            let or = turn
                .fallback
                .map(|name| format!(", nor its fallback `{name}`"));
            let error = Error::new(
                ErrorKind::Unsupported,
                format!(
                    "the meta template has no role `{}`{}",
                    turn.role,
                    or.unwrap_or_default()
                ),
            );
            error.with_help(format!(
                "use one of `{}`, or add it to the reserved roles",
                known.join("`, `")
            ))
        })
    }

    /// The role of this name, and where in the round it stands.
    fn named(&self, name: &str) -> Option<(Option<usize>, &MetaRole)> {
        let in_round = self
            .round
            .iter()
            .enumerate()
            .find_map(|(at, part)| match part {
                RoundPart::Role(role) if role.name == name => Some((Some(at), role)),
                _ => None,
            });
        in_round.or_else(|| {
            let mut reserved = self.reserved_roles.iter();
            Some((None, reserved.find(|role| role.name == name)?))
        })
    }

    /// Refuses a template that no dialogue can be written with.
    fn check(&self) -> crate::Result<()> {
        let wrong = |message: String, help: &str| {
            Err(Error::new(ErrorKind::Unsupported, message).with_help(help))
        };
        if self.round.is_empty() && *self != MetaTemplate::default() {
            return wrong(
                "the meta template has no round".to_owned(),
                "add its roles in their order, such as `HUMAN` and `BOT`",
            );
        }
        let roles = self.roles();
        for (at, MetaRole { name, .. }) in roles.iter().enumerate() {
            if roles[..at].iter().any(|other| other.name == *name) {
                return wrong(
                    format!("the meta template has the role `{name}` twice"),
                    "keep one of them, in the round or among the reserved roles",
                );
            }
        }
        Ok(())
    }
}

impl MetaRole {
    /// A role with no marks.
    ///
    /// ```
    /// assert_eq!(prompt_core::aisbench::MetaRole::new("HUMAN").name, "HUMAN");
    /// ```
    pub fn new(name: impl Into<Cow<'static, str>>) -> MetaRole {
        MetaRole {
            name: name.into(),
            begin: "".into(),
            end: "".into(),
            prompt: None,
            api_role: None,
            generate: false,
        }
    }

    /// Sets what stands before and after its words.
    ///
    /// ```
    /// assert_eq!(prompt_core::aisbench::MetaRole::new("BOT").marks("A: ", "\n").end, "\n");
    /// ```
    pub fn marks(
        mut self,
        begin: impl Into<Cow<'static, str>>,
        end: impl Into<Cow<'static, str>>,
    ) -> MetaRole {
        (self.begin, self.end) = (begin.into(), end.into());
        self
    }

    /// Sets what it says where the dataset says nothing.
    ///
    /// ```
    /// assert!(prompt_core::aisbench::MetaRole::new("THOUGHTS").prompt("None").prompt.is_some());
    /// ```
    pub fn prompt(mut self, prompt: impl Into<Cow<'static, str>>) -> MetaRole {
        self.prompt = Some(prompt.into());
        self
    }

    /// Sets which role of a chat model it is.
    ///
    /// ```
    /// use prompt_core::{Role, aisbench::MetaRole};
    ///
    /// assert_eq!(MetaRole::new("HUMAN").api(Role::User).api_role, Some(Role::User));
    /// ```
    pub fn api(mut self, role: Role) -> MetaRole {
        self.api_role = Some(role);
        self
    }

    /// The model goes on where this role is to speak.
    ///
    /// ```
    /// assert!(prompt_core::aisbench::MetaRole::new("BOT").generates().generate);
    /// ```
    pub fn generates(mut self) -> MetaRole {
        self.generate = true;
        self
    }
}
