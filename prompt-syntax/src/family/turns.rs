//! The delimiters of a chat template: how messages are written and read back.

/// The delimiters of a family's chat template.
///
/// The text is read back by the same delimiters. [`also_read`](Turns::also_read) and [`closes`](Turns::closes) list what
/// only the function of another [`Template`](super::Template) writes.
///
/// ```
/// use prompt_syntax::family::{CHATML, Delimiters};
///
/// assert_eq!(CHATML.turns.user, Delimiters::new("<|im_start|>user\n", "<|im_end|>\n"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turns {
    /// The beginning of a string.
    pub start: Start,
    /// Placement and delimiters of system messages.
    pub system: System,
    /// Around a user message.
    pub user: Delimiters,
    /// Around an assistant message. Where `open` is blank, the end of the user message opens it.
    pub assistant: Delimiters,
    /// Around a tool's result, where the template has a turn for it.
    pub tool: Option<Delimiters>,
    /// What happens to a message with any other role.
    pub other: Other,
    /// The generation prompt, where it is not the assistant's `open` without the space at its end, which a tokenizer joins
    /// with the first word of the answer.
    pub answer: Option<&'static str>,
    /// The end of a string without a generation prompt.
    pub end: End,
    /// Around the reasoning at the start of an assistant message.
    pub reasoning: Option<(&'static str, &'static str)>,
    /// Around tool calls.
    pub calls: Calls,
    /// Around each tool result, where several share a turn.
    pub results: Option<(&'static str, &'static str)>,
    /// What is written in place of an image.
    pub image: &'static str,
    /// Further turns that are read: the name of the role, empty for the format's own text, and the delimiters.
    pub also_read: &'static [(&'static str, &'static str, &'static str)],
    /// Further tokens that close a turn.
    pub closes: &'static [&'static str],
}

impl Turns {
    /// Turns without any delimiters.
    ///
    /// ```
    /// assert_eq!(prompt_syntax::family::Turns::NONE.user.open, "");
    /// ```
    pub const NONE: Turns = Turns {
        start: Start::Nothing,
        system: System::UNSUPPORTED,
        user: Delimiters::new("", ""),
        assistant: Delimiters::new("", ""),
        tool: None,
        other: Other::Dropped,
        answer: None,
        end: End::Nothing,
        reasoning: None,
        calls: Calls::NONE,
        results: None,
        image: "",
        also_read: &[],
        closes: &[],
    };

    /// The generation prompt.
    ///
    /// ```
    /// assert_eq!(prompt_syntax::family::OPENCHAT.turns.generation_prompt(), "GPT4 Correct Assistant:");
    /// ```
    pub fn generation_prompt(&self) -> &'static str {
        let default = || self.assistant.open.trim_end_matches(' ');
        self.answer.unwrap_or_else(default)
    }
}

/// Turns with a header that contains the role's name: `$open`, the name, `$middle`, the text, `$close`.
macro_rules! header {
    ($open:expr, $middle:expr, $close:expr $(, $assistant:literal)?) => {
        Turns {
            system: System::turn(Delimiters::new(join!($open, "system", $middle), $close)),
            user: Delimiters::new(join!($open, "user", $middle), $close),
            assistant: Delimiters::new(header!(@ $open, $middle $(, $assistant)?), $close),
            other: Other::Named { open: $open, middle: $middle, close: $close, capitalized: false },
            ..Turns::NONE
        }
    };
    (@ $open:expr, $middle:expr) => { join!($open, "assistant", $middle) };
    (@ $open:expr, $middle:expr, $assistant:literal) => { join!($open, $assistant, $middle) };
}

/// The text before and after a message.
///
/// ```
/// use prompt_syntax::family::{Delimiters, LLAMA2, Trim};
///
/// assert_eq!(LLAMA2.turns.assistant, Delimiters::new(" ", " </s>").trim(Trim::Ends));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Delimiters {
    /// The text before the message.
    pub open: &'static str,
    /// The text after the message.
    pub close: &'static str,
    /// The text after the last message of a conversation, where it differs.
    pub last_close: Option<&'static str>,
    /// How the text is trimmed.
    pub trim: Trim,
    /// Whether the model's template prints a content that is a list as Python does. Otherwise it joins the list's texts.
    pub prints_lists: bool,
    /// Whether nothing is written for a message without text.
    pub optional: bool,
}

impl Delimiters {
    /// These delimiters around the unchanged text.
    ///
    /// ```
    /// assert_eq!(prompt_syntax::family::Delimiters::new("U: ", "\n").close, "\n");
    /// ```
    pub const fn new(open: &'static str, close: &'static str) -> Delimiters {
        Delimiters {
            open,
            close,
            last_close: None,
            trim: Trim::Nothing,
            prints_lists: false,
            optional: false,
        }
    }

    /// The same delimiters around trimmed text.
    ///
    /// ```
    /// use prompt_syntax::family::{Delimiters, Trim};
    ///
    /// assert_eq!(Delimiters::new("U: ", "\n").trim(Trim::Ends).trim, Trim::Ends);
    /// ```
    pub const fn trim(self, trim: Trim) -> Delimiters {
        Delimiters { trim, ..self }
    }

    pub(super) const fn last_close(self, close: &'static str) -> Delimiters {
        Delimiters {
            last_close: Some(close),
            ..self
        }
    }

    pub(super) const fn printing_lists(self) -> Delimiters {
        Delimiters {
            prints_lists: true,
            ..self
        }
    }

    pub(super) const fn optional(self) -> Delimiters {
        Delimiters {
            optional: true,
            ..self
        }
    }
}

/// How the text of a message is trimmed.
///
/// ```
/// use prompt_syntax::family::{LLAMA3, Trim};
///
/// assert_eq!(LLAMA3.turns.user.trim, Trim::Ends);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Trim {
    /// Not at all.
    Nothing,
    /// White space at both ends is removed.
    Ends,
    /// The same, and two line breaks in a row become one.
    EndsAndBlankLines,
}

/// The beginning of a string.
///
/// ```
/// use prompt_syntax::family::{LLAMA3, Start};
///
/// assert_eq!(LLAMA3.turns.start, Start::Bos);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    /// The first message.
    Nothing,
    /// The family's `bos`.
    Bos,
    /// The family's `bos`, only before a user or system message.
    BosBeforeQuestion,
    /// A text that is always written.
    Text(&'static str),
}

/// The end of a string without a generation prompt.
///
/// ```
/// use prompt_syntax::family::{End, PHI3};
///
/// assert_eq!(PHI3.turns.end, End::Eos);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// The last message.
    Nothing,
    /// The family's `eos`.
    Eos,
    /// The family's `eos`, only after an assistant message.
    EosAfterAssistant,
}

/// Placement and delimiters of system messages.
///
/// ```
/// use prompt_syntax::family::{LLAMA2, SystemPlace};
///
/// assert_eq!(LLAMA2.turns.system.place, SystemPlace::FirstUserAsOne);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct System {
    /// Where a system message is written.
    pub place: SystemPlace,
    /// Around it.
    pub delimiters: Delimiters,
    /// The system message of a conversation that has none.
    pub default: DefaultSystem,
}

impl System {
    /// A system message is an error.
    pub(super) const UNSUPPORTED: System = System {
        place: SystemPlace::Unsupported,
        delimiters: Delimiters::new("", ""),
        default: DefaultSystem::None,
    };

    /// System messages are turns, wherever they are.
    ///
    /// ```
    /// use prompt_syntax::family::{CHATML, System};
    ///
    /// assert_eq!(CHATML.turns.system, System::turn(CHATML.turns.system.delimiters));
    /// ```
    pub const fn turn(delimiters: Delimiters) -> System {
        System::at(SystemPlace::Turn, delimiters)
    }

    /// A system message with these delimiters is written at this place.
    ///
    /// ```
    /// use prompt_syntax::family::{Delimiters, System, SystemPlace};
    ///
    /// let system = System::at(SystemPlace::First, Delimiters::new("", "\n"));
    /// assert_eq!(system.place, SystemPlace::First);
    /// ```
    pub const fn at(place: SystemPlace, delimiters: Delimiters) -> System {
        System {
            place,
            delimiters,
            default: DefaultSystem::None,
        }
    }

    pub(super) const fn default(self, default: DefaultSystem) -> System {
        System { default, ..self }
    }
}

/// Where a system message is written.
///
/// ```
/// use prompt_syntax::family::{GEMMA2, SystemPlace};
///
/// assert_eq!(GEMMA2.turns.system.place, SystemPlace::Unsupported);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SystemPlace {
    /// Where it is in the conversation, as a turn.
    Turn,
    /// Before the turns. Only the first message can be one.
    First,
    /// The same, and it is an error if no turn follows.
    BeforeTurns,
    /// Inside the first user message, before its text.
    FirstUser,
    /// The same, and the two are trimmed as one text.
    FirstUserAsOne,
    /// Inside the last user message, before its text.
    LastUser,
    /// Nowhere: it is an error.
    Unsupported,
}

impl SystemPlace {
    /// Whether a system message has a turn of its own.
    ///
    /// ```
    /// assert!(prompt_syntax::family::SystemPlace::First.is_turn());
    /// ```
    pub const fn is_turn(self) -> bool {
        matches!(
            self,
            SystemPlace::Turn | SystemPlace::First | SystemPlace::BeforeTurns
        )
    }
}

/// The system message of a conversation that has none.
///
/// ```
/// use prompt_syntax::family::{DefaultSystem, KIMI_K2};
///
/// assert_eq!(KIMI_K2.turns.system.default, DefaultSystem::UnlessFirst("You are a helpful assistant"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DefaultSystem {
    /// None.
    None,
    /// This text, where the first message is not a system message.
    UnlessFirst(&'static str),
    /// This text, where no message is a system message.
    UnlessAny(&'static str),
}

impl DefaultSystem {
    /// The text.
    ///
    /// ```
    /// use prompt_syntax::family::DefaultSystem;
    ///
    /// assert_eq!(DefaultSystem::UnlessFirst("Be brief.").text(), Some("Be brief."));
    /// ```
    pub const fn text(self) -> Option<&'static str> {
        match self {
            DefaultSystem::None => None,
            DefaultSystem::UnlessFirst(text) | DefaultSystem::UnlessAny(text) => Some(text),
        }
    }
}

/// What happens to a message whose role has no delimiters of its own.
///
/// ```
/// use prompt_syntax::family::{MISTRAL_V7, Other};
///
/// assert_eq!(MISTRAL_V7.turns.other, Other::Unsupported);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Other {
    /// Its header contains the role's name: `open`, the name, `middle`, the text trimmed as a user's, `close`.
    Named {
        /// The text before the name.
        open: &'static str,
        /// The text between the name and the text.
        middle: &'static str,
        /// The text at the end.
        close: &'static str,
        /// Whether the name begins with a capital.
        capitalized: bool,
    },
    /// It is written like the assistant's where the model's own template is followed, and is an error otherwise.
    LikeAssistant,
    /// It is left out where the model's own template is followed, and is an error otherwise.
    Dropped,
    /// It is an error.
    Unsupported,
}

/// The delimiters of tool calls.
///
/// ```
/// use prompt_syntax::family::QWEN3;
///
/// assert_eq!(QWEN3.turns.calls.open, "<tool_call>\n{\"name\": \"");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Calls {
    /// Before all calls of a message.
    pub section_open: &'static str,
    /// After all calls of a message.
    pub section_close: &'static str,
    /// Before the name of the tool.
    pub open: &'static str,
    /// Between the name and the arguments.
    pub middle: &'static str,
    /// After the arguments.
    pub close: &'static str,
    /// Whether `section_open` opens the assistant's turn.
    pub is_turn: bool,
}

impl Calls {
    pub(super) const NONE: Calls = Calls {
        section_open: "",
        section_close: "",
        open: "",
        middle: "",
        close: "",
        is_turn: false,
    };
}
