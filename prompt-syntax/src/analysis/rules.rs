//! Rules about the messages of a prompt, and about the annotated tree of each.

use super::Field;
use super::piece::{Piece, Slot, Value, walk};
use crate::family::Family;
use crate::problem::answer::in_the_question;
use crate::problem::field::Form;
use crate::problem::format::control_token;
use crate::problem::{Problem, role, value};
use crate::{Error, Role, Span};

/// Errors in the order of messages (number 6). For each step of the prompt the role, or `None` for messages of a field;
/// `asks` tells whether a model is to answer the prompt.
pub fn role_order(roles: &[Option<Role>], asks: bool) -> Vec<(usize, Problem)> {
    let (mut system, mut turns) = (false, false);
    let mut errors = Vec::new();
    for (index, role) in roles.iter().enumerate() {
        if *role != Some(Role::System) {
            turns = true;
        } else if system {
            errors.push((index, role::two_systems()));
        } else if turns {
            errors.push((index, role::late_system()));
        }
        system |= *role == Some(Role::System);
    }
    if let [.., Some(Role::Assistant)] = roles
        && asks
    {
        errors.push((roles.len() - 1, role::nothing_to_answer()));
    }
    errors
}

/// Uses of the answer in a message that the model reads (number 9).
pub fn exposed_answer(fields: &[Field], role: Option<Role>, body: &[Piece]) -> Vec<Error> {
    let mut errors = Vec::new();
    walk(body, &mut |piece| {
        piece.places(&mut |place| {
            if fields.get(place.origin).is_some_and(|field| field.answer) {
                errors.push(in_the_question(&place.name, role).at(place.span));
            }
        });
    });
    errors
}

/// Fields in a system message whose text may come from a user (number 7).
pub fn untrusted(form: Form, fields: &[Field], body: &[Piece]) -> Vec<Error> {
    let mut errors = Vec::new();
    walk(body, &mut |piece| {
        let mut seen = Vec::new();
        piece.shown(&mut |place| {
            let Some(field) = fields.get(place.origin) else {
                return;
            };
            if field.trusted || seen.contains(&place.span) {
                return;
            }
            seen.push(place.span);
            // Of several places in one slot, the one that is meant.
            let span = match piece {
                Piece::Slot(Slot {
                    value: Value::Place(_),
                    fallback: None,
                    span,
                    ..
                }) => *span,
                _ => place.span,
            };
            errors.push(value::untrusted(form, &field.name).at(span));
        });
    });
    errors
}

/// Control tokens of a format in the text of the template (number 8).
pub fn control_tokens(family: &'static Family, source: &str, body: &[Piece]) -> Vec<Error> {
    let mut errors = Vec::new();
    walk(body, &mut |piece| {
        let Piece::Text { text, span } = piece else {
            return;
        };
        for token in family.tokens {
            if !text.contains(token) {
                continue;
            }
            let written = span.of(source);
            let at = written.find(token).map_or(*span, |at| {
                Span::new(span.start + at, span.start + at + token.len())
            });
            errors.push(control_token(family, token).at(at));
        }
    });
    errors
}

/// The names and spans of the media in a message.
pub fn media(body: &[Piece]) -> Vec<(&str, Span)> {
    let mut found = Vec::new();
    walk(body, &mut |piece| {
        if let Piece::Media { place, span } = piece {
            found.push((place.name.as_str(), *span));
        }
    });
    found
}
