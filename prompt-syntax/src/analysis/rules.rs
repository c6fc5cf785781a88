//! Rules about the annotated tree of one message.

use super::Field;
use super::piece::{Piece, Slot, Value, walk};
use crate::family::Family;
use crate::problem::field::Form;
use crate::problem::format::control_token;
use crate::problem::value;
use crate::{Error, Span};

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
