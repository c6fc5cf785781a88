//! The fields of a prompt that a template loaded at run time can name, and their values.

use prompt_core::{Origin, Prompt, ToHistory, ToMedia, ToPrompt, ToTools};
use prompt_jinja::{ToValue, Value};

/// The names of run-time templates: the fields of a prompt, and their values.
///
/// `#[derive(Fields)]` writes it beside `#[derive(Prompt)]`. A field fills slots through [`ToValue`]; a
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
///
/// const ASK: Contract = Contract { fields: &[Field::new("question", FieldKind::Text)], ..Contract::NONE };
/// assert_eq!(ASK.syntax, "angle");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
///
/// const QUESTION: Field = Field::new("question", FieldKind::Text);
/// const PRODUCT: Field = Field::new("product", FieldKind::Text).trusted();
/// assert!(!QUESTION.trusted && PRODUCT.trusted);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// As a template names it.
    pub name: &'static str,
    /// The kind of its type.
    pub kind: FieldKind,
    /// Whether its text may be used in a system message.
    pub trusted: bool,
    /// The kind of the items of a list, or of the value of an `Option`.
    pub content: FieldKind,
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
            content: FieldKind::Unknown,
            labels: None,
        }
    }

    /// The same, with the only texts that it can be. A template that compares it with another one is refused.
    ///
    /// ```
    /// use typed_prompt::dynamic::{Field, FieldKind};
    ///
    /// const MODE: Field = Field::new("mode", FieldKind::Text).labels(Some(&["brief", "full"]));
    /// assert_eq!(MODE.labels.map(<[&str]>::len), Some(2));
    /// ```
    pub const fn labels(self, labels: Option<&'static [&'static str]>) -> Field {
        Field { labels, ..self }
    }

    /// The same, with the kind of the items of a list, or of the value of an `Option`.
    ///
    /// ```
    /// use typed_prompt::dynamic::{Field, FieldKind};
    ///
    /// assert_eq!(Field::new("order", FieldKind::Optional).content(FieldKind::Number).content, FieldKind::Number);
    /// ```
    pub const fn content(self, content: FieldKind) -> Field {
        Field { content, ..self }
    }

    /// The same, with text of the program's own.
    pub const fn trusted(self) -> Field {
        Field {
            trusted: true,
            ..self
        }
    }
}

/// The static description of a field.
///
/// ```
/// assert_ne!(typed_prompt::dynamic::FieldKind::Text, typed_prompt::dynamic::FieldKind::List);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FieldKind {
    /// Text.
    Text,
    /// A number, `bool` or `char`.
    Number,
    /// A list.
    List,
    // Names of types would keep rustc from printing those types by their names alone.
    /// An `Option`.
    Optional,
    /// A hash set or map, which has to be sorted.
    Unordered,
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
    Solution,
    /// Left out of the template.
    Skip,
    /// A type that is only known by its name.
    Unknown,
}

impl FieldKind {
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

/// The value of a field for slots; generated code calls it.
pub fn value<T: ToValue + ?Sized>(value: &T) -> FieldValue<'_> {
    FieldValue::Value(value.to_value(Origin::Data(None)))
}
