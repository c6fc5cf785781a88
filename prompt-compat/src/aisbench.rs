//! Meta templates of AISBench and OpenCompass: the delimiters of each role, as data.
//!
//! Matched are ais_bench_benchmark 3.1.20260630 and opencompass 0.5.4, whose meta templates are the same: the text is that
//! of `LMTemplateParser`, the messages are those of `APITemplateParser`, the keys are those of their configuration files.
//!
//! A dataset provides a [`Dialogue`] in role names. A model's [`MetaTemplate`] defines the delimiters and the API role of
//! each name. A base model receives one text, a chat model messages:
//!
//! ```
//! use typed_prompt::compat::aisbench::{Dialogue, MetaRole, MetaTemplate, Turn};
//! use typed_prompt::format::FormatOptions;
//!
//! let dialogue = Dialogue::new()
//!     .begin(Turn::new("SYSTEM", "Solve the following questions.").or("HUMAN"))
//!     .round(Turn::new("HUMAN", "1+1=?"));
//!
//! let base = MetaTemplate::new()
//!     .role(MetaRole::new("HUMAN").delimiters("<HUMAN>: ", "<eoh>\n"))
//!     .role(MetaRole::new("BOT").delimiters("<BOT>: ", "<eob>\n").generates());
//! assert_eq!(
//!     base.format_dialogue(&dialogue, &FormatOptions::new())?.as_str(),
//!     "<HUMAN>: Solve the following questions.<eoh>\n<HUMAN>: 1+1=?<eoh>\n<BOT>: "
//! );
//!
//! let messages = MetaTemplate::chat().messages(&dialogue)?;
//! assert_eq!(messages[0].role, typed_prompt::Role::System);
//! # Ok::<(), typed_prompt::Error>(())
//! ```
//!
//! A meta template is also a [`ChatFormat`](prompt_core::ChatFormat): [`Messages`](prompt_core::Messages) are converted
//! to a dialogue of the roles `SYSTEM` (fallback `HUMAN`), `HUMAN`, `BOT` and `TOOL`.
//!
//! Differences from the original: base and chat models treat a dialogue alike (fallbacks, reserved roles and text in a
//! round); a role without a turn is omitted unless it has a default prompt, or follows the last turn in a text for a meta template
//! without a generating role; text that a chat API does not support is an
//! error, and is not dropped; the guard breaks delimiters in data.

mod dialogue;
mod json;
mod messages;
mod round;
mod text;

pub use dialogue::{Dialogue, Item, Turn};

use std::borrow::Cow;

use prompt_core::{Error, ErrorKind, Result, Role};
use round::BorrowedTurn;

/// The text around each role's turns. Without a round, each item is on a line of its own.
///
/// ```
/// use typed_prompt::{Message, Messages, Prompt, compat::aisbench::{MetaRole, MetaTemplate}};
///
/// let vicuna = MetaTemplate::new()
///     .begin("A chat between a curious user and an assistant. ")
///     .role(MetaRole::new("HUMAN").delimiters("USER: ", ""))
///     .role(MetaRole::new("BOT").delimiters(" ASSISTANT:", "</s>").generates());
/// let ask = Messages::from([Message::user("1+1=?")]);
/// assert_eq!(ask.to_text(&vicuna)?, "A chat between a curious user and an assistant. USER: 1+1=? ASSISTANT:");
/// assert_eq!(ask.to_text(MetaTemplate::new())?, "1+1=?");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MetaTemplate {
    /// Precedes everything.
    pub begin: Option<Item>,
    /// The roles of a round in their order, and text between them.
    pub round: Vec<RoundPart>,
    /// Roles outside the round, such as `SYSTEM`.
    pub reserved_roles: Vec<MetaRole>,
    /// Follows a complete dialogue.
    pub end: Cow<'static, str>,
}

/// A part of every round.
///
/// ```
/// use typed_prompt::compat::aisbench::{MetaTemplate, RoundPart};
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

/// The delimiters and the API role of a role name.
///
/// ```
/// use typed_prompt::{Role, compat::aisbench::MetaRole};
///
/// let bot = MetaRole::new("BOT").api(Role::Assistant).generates();
/// assert!(bot.generate && bot.begin.is_empty());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MetaRole {
    /// The name that datasets use: `HUMAN`, `BOT`, `SYSTEM`, or any other.
    pub name: Cow<'static, str>,
    /// The delimiter before its content.
    pub begin: Cow<'static, str>,
    /// The delimiter after its content.
    pub end: Cow<'static, str>,
    /// Its content where the dataset has no turn of this role.
    pub prompt: Option<Cow<'static, str>>,
    /// The role of its messages for a chat model.
    pub api_role: Option<Role>,
    /// Whether the model generates the turns of this role.
    pub generate: bool,
}

impl MetaTemplate {
    /// A meta template without roles, for base models that complete text.
    pub fn new() -> MetaTemplate {
        MetaTemplate::default()
    }

    /// The default meta template of AISBench's chat models: `HUMAN`, `BOT`, and `SYSTEM` reserved.
    ///
    /// ```
    /// assert_eq!(typed_prompt::compat::aisbench::MetaTemplate::chat().round.len(), 2);
    /// ```
    pub fn chat() -> MetaTemplate {
        MetaTemplate::new()
            .role(MetaRole::new("HUMAN").api(Role::User))
            .role(MetaRole::new("BOT").api(Role::Assistant).generates())
            .reserved(MetaRole::new("SYSTEM").api(Role::System))
    }

    /// Sets what precedes everything: text, or a turn, which is a separate message for a chat model.
    ///
    /// ```
    /// use typed_prompt::compat::aisbench::MetaTemplate;
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
    /// use typed_prompt::compat::aisbench::{MetaRole, MetaTemplate};
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
    /// assert_eq!(typed_prompt::compat::aisbench::MetaTemplate::new().text("\n").round.len(), 1);
    /// ```
    pub fn text(mut self, text: impl Into<Cow<'static, str>>) -> MetaTemplate {
        self.round.push(RoundPart::Text(text.into()));
        self
    }

    /// Adds a role outside the round.
    ///
    /// ```
    /// use typed_prompt::compat::aisbench::{MetaRole, MetaTemplate};
    ///
    /// assert_eq!(MetaTemplate::new().reserved(MetaRole::new("SYSTEM")).reserved_roles.len(), 1);
    /// ```
    pub fn reserved(mut self, role: MetaRole) -> MetaTemplate {
        self.reserved_roles.push(role);
        self
    }

    /// Sets what follows a complete dialogue.
    ///
    /// ```
    /// assert_eq!(typed_prompt::compat::aisbench::MetaTemplate::new().end("</s>").end, "</s>");
    /// ```
    pub fn end(mut self, end: impl Into<Cow<'static, str>>) -> MetaTemplate {
        self.end = end.into();
        self
    }

    fn all_roles(&self) -> impl Iterator<Item = &MetaRole> {
        let of_round = self.round.iter().filter_map(|part| match part {
            RoundPart::Role(role) => Some(role),
            RoundPart::Text(_) => None,
        });
        of_round.chain(&self.reserved_roles)
    }

    /// The role of a turn or its fallback, and the role's index in the round.
    fn role_of(&self, turn: BorrowedTurn<'_>) -> Result<(Option<usize>, &MetaRole)> {
        let BorrowedTurn { role, fallback, .. } = turn;
        let found = self.find_role(role);
        let found = found.or_else(|| self.find_role(fallback?));
        found.ok_or_else(|| {
            let known: Vec<_> = self.all_roles().map(|role| &*role.name).collect();
            let or = fallback.map(|name| format!(", nor its fallback `{name}`"));
            let error = Error::new(
                ErrorKind::Unsupported,
                format!(
                    "the meta template has no role `{role}`{}",
                    or.unwrap_or_default()
                ),
            );
            error.with_help(format!(
                "use one of `{}`, or add it to the reserved roles",
                known.join("`, `")
            ))
        })
    }

    /// The role of this name and its index in the round.
    fn find_role(&self, name: &str) -> Option<(Option<usize>, &MetaRole)> {
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

    /// Checks that a dialogue can be rendered with the template.
    fn check_roles(&self) -> Result<()> {
        let wrong = |message: String, help: &str| {
            Err(Error::new(ErrorKind::Unsupported, message).with_help(help))
        };
        if self.round.is_empty() && *self != MetaTemplate::default() {
            return wrong(
                "the meta template has no round".to_owned(),
                "add its roles in their order, such as `HUMAN` and `BOT`",
            );
        }
        for (at, MetaRole { name, .. }) in self.all_roles().enumerate() {
            if self.all_roles().take(at).any(|other| other.name == *name) {
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
    /// A role without delimiters.
    ///
    /// ```
    /// assert_eq!(typed_prompt::compat::aisbench::MetaRole::new("HUMAN").name, "HUMAN");
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

    /// Sets the delimiters before and after its content.
    ///
    /// ```
    /// assert_eq!(typed_prompt::compat::aisbench::MetaRole::new("BOT").delimiters("A: ", "\n").end, "\n");
    /// ```
    pub fn delimiters(
        mut self,
        begin: impl Into<Cow<'static, str>>,
        end: impl Into<Cow<'static, str>>,
    ) -> MetaRole {
        (self.begin, self.end) = (begin.into(), end.into());
        self
    }

    /// Sets its content for rounds without a turn of this role.
    ///
    /// ```
    /// assert!(typed_prompt::compat::aisbench::MetaRole::new("THOUGHTS").prompt("None").prompt.is_some());
    /// ```
    pub fn prompt(mut self, prompt: impl Into<Cow<'static, str>>) -> MetaRole {
        self.prompt = Some(prompt.into());
        self
    }

    /// Sets the role of its messages for a chat model.
    ///
    /// ```
    /// use typed_prompt::{Role, compat::aisbench::MetaRole};
    ///
    /// assert_eq!(MetaRole::new("HUMAN").api(Role::User).api_role, Some(Role::User));
    /// ```
    pub fn api(mut self, role: Role) -> MetaRole {
        self.api_role = Some(role);
        self
    }

    /// Lets the model generate the turns of this role.
    ///
    /// ```
    /// assert!(typed_prompt::compat::aisbench::MetaRole::new("BOT").generates().generate);
    /// ```
    pub fn generates(mut self) -> MetaRole {
        self.generate = true;
        self
    }
}
