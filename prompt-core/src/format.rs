//! Chat formats: how each family of models writes a conversation as one text.

mod added_token;
mod alpaca;
mod answer;
pub(crate) mod chat_format;
pub(crate) mod check;
mod model_name;
pub(crate) mod native;
mod options;
mod plain;
mod prefix;
mod table;
mod with_options;

pub use added_token::AddedToken;
pub use alpaca::{ALPACA, AlpacaFormat};
pub use answer::{AnswerParser, AnswerPart};
pub(crate) use check::already_answered;
pub use check::{check, check_facts, unsupported};
pub use native::ParsedTurn;
pub use native::{ChatInput, Date, NativeFormat};
pub use options::{FormatOptions, check_options};
pub use plain::{PLAIN, Plain};
pub use prompt_family::{
    CALL_SYNTAXES, CallBody, CallNumbers, CallStrings, CallSyntax, Calls, ConversationTemplate,
    DefaultSystem, Delimiters, EffortText, Family, FormatOption, Numbered, Order, OtherRoles,
    Placeholders, Source, System, SystemDate, SystemPlacement, TagValues, TaggedArguments, TextEnd,
    TextStart, ToolList, Trim, Turns, UNSUPPORTED, UnsupportedModel,
};
pub use table::*;
pub use with_options::WithOptions;

pub use crate::guard::ControlTokenSet;

pub(crate) use chat_format::ChatFormat;
