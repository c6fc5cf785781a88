//! The fields of a prompt that a template loaded at run time can name, and their values.

use prompt_base::{Kind, ValueKind};
use prompt_core::{Prompt, ToHistory, ToMedia, ToPrompt, ToTools};
use prompt_jinja::Value;

/// The names of run-time templates: the fields of a prompt, and their values.
///
/// `#[derive(Fields)]` writes it beside `#[derive(Prompt)]`. A field fills slots through [`ToValue`](prompt_jinja::ToValue); a
/// struct whose own fields are named, as in `user.name`, gets it from `#[derive(ToValue)]`.
#[diagnostic::on_unimplemented(
    message = "the fields of `{Self}` cannot be named at run time",
    label = "no `Fields`",
    note = "derive both: `#[derive(Prompt, Fields)]`"
)]
pub trait Fields: Prompt {
    /// The fields that a template can use, their kinds and the settings of the template.
    const CONTRACT: &'static Contract;

    /// The value of the field of that number.
    fn field(&self, index: usize) -> FieldValue<'_>;
}

/// The settings of the template in the attributes of a prompt.
///
/// ```
/// use typed_prompt::dynamic::{Contract, Field, FieldKind};
/// use typed_prompt::jinja::ToValue;
///
/// const FIELDS: &[Field] = &[Field::new("question", FieldKind::Value(String::kind))];
/// const ASK: Contract = Contract { fields: FIELDS, ..Contract::NONE };
/// assert_eq!(ASK.syntax, "angle");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Contract {
    /// The fields, in the order of the struct.
    pub fields: &'static [Field],
    /// The dialect.
    pub syntax: &'static str,
    /// Angle: whether a line that contains only block tags keeps its white space and its line break.
    pub keep_block_lines: bool,
    /// Jinja: whether the line break after a tag belongs to it.
    pub trim_blocks: bool,
    /// Jinja: whether the blanks before a tag belong to it.
    pub lstrip_blocks: bool,
    /// Jinja: whether a line break at the end is kept.
    pub keep_trailing_newline: bool,
    /// Angle and brace: whether only `<input:name>` or `{input:name}` is a slot.
    pub input_only: bool,
    /// The format that the prompt is written for, if it is fixed.
    pub format: Option<&'static str>,
    /// Whether the prompt has an output type.
    pub answered: bool,
}

impl Contract {
    /// No fields, in the angle dialect, for any format.
    pub const NONE: Contract = Contract {
        fields: &[],
        syntax: "angle",
        keep_block_lines: false,
        trim_blocks: false,
        lstrip_blocks: false,
        keep_trailing_newline: false,
        input_only: false,
        format: None,
        answered: false,
    };
}

/// A field of a prompt.
///
/// ```
/// use typed_prompt::dynamic::{Field, FieldKind};
/// use typed_prompt::jinja::ToValue;
///
/// const QUESTION: Field = Field::new("question", FieldKind::Value(String::kind));
/// const PRODUCT: Field = Field::new("product", FieldKind::Value(String::kind)).trusted();
/// assert!(!QUESTION.trusted && PRODUCT.trusted);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// As a template names it.
    pub name: &'static str,
    /// What it is in a prompt, and the kind of its values.
    pub kind: FieldKind,
    /// Whether its text may be used in a system message.
    pub trusted: bool,
    /// The only texts that it can be, also as the items of a list or the value of an `Option`, if they are known.
    pub labels: Option<&'static [&'static str]>,
}

impl Field {
    /// A field whose text may come from users.
    pub const fn new(name: &'static str, kind: FieldKind) -> Field {
        Field {
            name,
            kind,
            trusted: false,
            labels: None,
        }
    }

    /// The same, with the only texts that it can be. A template that compares it with another one is refused.
    ///
    /// ```
    /// use typed_prompt::dynamic::{Field, FieldKind};
    /// use typed_prompt::jinja::ToValue;
    ///
    /// const MODE: Field = Field::new("mode", FieldKind::Value(String::kind)).labels(Some(&["brief", "full"]));
    /// assert_eq!(MODE.labels.map(<[&str]>::len), Some(2));
    /// ```
    pub const fn labels(self, labels: Option<&'static [&'static str]>) -> Field {
        Field { labels, ..self }
    }

    /// The same, with text of the program's own.
    pub const fn trusted(self) -> Field {
        Field {
            trusted: true,
            ..self
        }
    }
}

/// What a field is in a prompt.
///
/// ```
/// use typed_prompt::dynamic::FieldKind;
/// use typed_prompt::jinja::ToValue;
///
/// let FieldKind::Value(kind) = FieldKind::Value(Vec::<String>::kind) else { unreachable!() };
/// assert_eq!(kind().to_string(), "a list");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum FieldKind {
    // Names of types would keep rustc from printing those types by their names alone.
    /// A value for slots and expressions: the kind of its type, [`ToValue::kind`](prompt_jinja::ToValue::kind).
    Value(fn() -> ValueKind),
    /// An image, audio, video or file.
    Media,
    /// Conversation history: it is inserted at its position and cannot be used in a slot.
    History,
    /// Examples: turns, or a slot.
    Examples,
    /// Tools: they are given beside the messages.
    ToolSet,
    /// A section of its own after the instruction.
    Extra,
    /// The correct answer: it is in the last message.
    Solution(fn() -> ValueKind),
    /// Left out of the template.
    Skip,
}

impl FieldKind {
    /// The kind of its values.
    pub(super) fn value_kind(self) -> Kind {
        match self {
            FieldKind::Value(kind) | FieldKind::Solution(kind) => Kind::from_value_kind(kind()),
            FieldKind::Media => Kind::Media,
            _ => Kind::Unknown,
        }
    }

    /// The key that keeps it out of slots.
    pub(super) fn excluded_by(self) -> Option<&'static str> {
        match self {
            FieldKind::History => Some("history"),
            FieldKind::ToolSet => Some("tools"),
            FieldKind::Extra => Some("extra"),
            FieldKind::Skip => Some("skip"),
            _ => None,
        }
    }
}

/// The value of a field.
#[non_exhaustive]
pub enum FieldValue<'a> {
    /// Values that fill slots and are used in expressions.
    Value(Value<'a>),
    /// An image, audio, video or file.
    Media(&'a dyn ToMedia),
    /// The turns of a conversation.
    History(&'a dyn ToHistory),
    /// Examples as turns, and as text.
    Examples(&'a dyn ToHistory, &'a dyn ToPrompt),
    /// Tools.
    ToolSet(&'a dyn ToTools),
    /// A section and its title.
    Extra(&'static str, &'a dyn ToPrompt),
    /// Nothing.
    Nothing,
}

/// The kind of an image, audio, video or file that may be missing; generated code calls it.
pub fn optional_media() -> ValueKind {
    Kind::Option(Box::new(Kind::Media)).into_value_kind()
}
