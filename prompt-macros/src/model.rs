//! An analyzed prompt: its messages with their roles, and their text with every name resolved.

mod kind;

use prompt_syntax::{Role, Span, analysis};
use syn::Type;

#[cfg(feature = "dynamic")]
pub(crate) use self::kind::content;
use self::kind::element;
pub(crate) use self::kind::{Kind, is_plain_text, is_safe_by_name};
use crate::attribute::Keyed;
use crate::examples::Examples;
use crate::input::{Case, Field, Input};
use crate::source::SourceText;
pub(crate) use prompt_syntax::analysis::{Fallback, Piece, Place, Root, Slot, Test, Value, walk};

pub(crate) struct Prompt<'a> {
    pub(crate) input: &'a Input,
    pub(crate) cases: Vec<PromptCase<'a>>,
}

/// The template of a struct, or of one variant.
pub(crate) struct PromptCase<'a> {
    pub(crate) case: &'a Case,
    /// The fields as the analysis sees them.
    pub(crate) fields: Vec<analysis::Field>,
    pub(crate) dialect: prompt_syntax::Dialect,
    pub(crate) sources: Vec<SourceText>,
    pub(crate) steps: Vec<Step>,
    /// Whether it is a fragment: text without a role, for use inside other prompts.
    pub(crate) fragment: bool,
    /// Names of XML elements that stay text, each with its source.
    pub(crate) tags: Vec<(usize, prompt_syntax::Tag)>,
    /// Whether the template has no errors so far; otherwise fields may only seem unused.
    pub(crate) readable: bool,
}

pub(crate) enum Step {
    Message(Message),
    History { field: usize, at: proc_macro2::Span },
    Examples(Examples),
}

pub(crate) struct Message {
    /// `None` in a fragment.
    pub(crate) role: Option<Role>,
    pub(crate) body: Vec<Piece>,
    pub(crate) source: usize,
    /// The tag that opens it, in a template with role blocks.
    pub(crate) tag: Option<Span>,
    /// The token that rustc marks for an error of the whole message.
    pub(crate) at: proc_macro2::Span,
}

impl Prompt<'_> {
    pub(crate) fn is_fragment(&self) -> bool {
        self.cases.iter().any(|case| case.fragment)
    }

    pub(crate) fn output(&self) -> Option<&Keyed<Type>> {
        self.input.keys.output.as_ref()
    }
}

/// What the types of fields tell about a place.
pub(crate) trait PlaceType {
    /// Whether its type says by its name that it can fill a slot.
    fn is_known_text(&self, fields: &[Field]) -> bool;

    /// Whether its type is `str` or `String`, or a reference to one, by its name.
    fn is_plain_text(&self, fields: &[Field]) -> bool;

    /// Whether the tokens of its type say that a loop can iterate over it.
    fn is_known_list(&self, fields: &[Field]) -> bool;
}

impl PlaceType for Place {
    fn is_known_text(&self, fields: &[Field]) -> bool {
        let kind = kind(self, fields);
        matches!(kind, None | Some(Kind::Text | Kind::Number | Kind::Trusted))
    }

    fn is_plain_text(&self, fields: &[Field]) -> bool {
        let Some(field) = fields.get(self.origin).filter(|_| self.rest.is_empty()) else {
            return false;
        };
        match self.root {
            Root::Field(_) => is_plain_text(&field.ty),
            Root::Local(_) if matches!(field.kind(), Kind::List | Kind::Option) => {
                element(&field.ty).is_some_and(is_plain_text)
            }
            Root::Local(_) => false,
        }
    }

    fn is_known_list(&self, fields: &[Field]) -> bool {
        matches!(kind(self, fields), None | Some(Kind::List))
    }
}

/// What the tokens of a place's type say; nothing of a place without a field.
fn kind(place: &Place, fields: &[Field]) -> Option<Kind> {
    let field = fields.get(place.origin)?;
    Some(match place.root {
        _ if !place.rest.is_empty() => Kind::Unknown,
        Root::Field(_) => field.kind(),
        // A block binds what is inside a list or an `Option`.
        Root::Local(_) => element(&field.ty).map_or(Kind::Unknown, Kind::of),
    })
}
