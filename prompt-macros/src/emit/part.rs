//! The part of a template that an implementation writes, and the fields that need trait bounds.

use proc_macro2::TokenStream;
use syn::Type;

use crate::input::Field;
use crate::model::{Kind, Message, Piece, Place, PromptCase, Root, Slot, Step, Value, walk};
use crate::uses::answer;

/// The part that is written: the prompt, or the answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Asked,
    Answer,
}

impl Part {
    pub(super) fn has(self, case: &PromptCase<'_>, message: &Message) -> bool {
        let is_answer = answer(case).is_some_and(|answer| std::ptr::eq(answer, message));
        is_answer == (self == Part::Answer)
    }
}

/// The fields that fill a slot without a filter.
pub(super) fn shown<'a>(case: &'a PromptCase<'_>) -> Vec<&'a Field> {
    let mut fields = Vec::new();
    for step in &case.steps {
        let Step::Message(message) = step else {
            continue;
        };
        walk(&message.body, &mut |piece| {
            if let Piece::Slot(Slot {
                value:
                    Value::Place(Place {
                        root: Root::Field(index),
                        rest,
                        ..
                    }),
                fallback: None,
                ..
            }) = piece
                && rest.is_empty()
            {
                fields.push(&case.case.fields[*index]);
            }
        });
    }
    fields
}

/// Whether the tokens contain one of these names.
pub(crate) fn mentions(tokens: TokenStream, names: &[String]) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => names.contains(&ident.to_string()),
        proc_macro2::TokenTree::Group(group) => mentions(group.stream(), names),
        _ => false,
    })
}

pub(crate) fn is_string(ty: &Type) -> bool {
    Kind::of(ty) == Kind::Text
        && matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "String"))
}
