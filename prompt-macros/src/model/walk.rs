//! What stands in pieces: those inside of them, and the places that they name.

use super::{Bind, Over, Piece, Place, Show, Test, Value};

impl Piece {
    /// Calls `see` for this piece and all inside it.
    pub(crate) fn walk<'a>(&'a self, see: &mut impl FnMut(&'a Piece)) {
        see(self);
        match self {
            Piece::If {
                branches,
                otherwise,
            } => {
                for branch in branches {
                    walk(&branch.body, see);
                }
                walk(otherwise, see);
            }
            Piece::For {
                body, otherwise, ..
            } => {
                walk(body, see);
                walk(otherwise.as_deref().unwrap_or_default(), see);
            }
            Piece::Scope(body) => walk(body, see),
            Piece::Loop(block) => {
                walk(&block.body, see);
                walk(block.otherwise.as_deref().unwrap_or_default(), see);
            }
            Piece::Show(Show { term, .. }) | Piece::Bind(Bind { value: term, .. }) => {
                term.each_block(&mut |block| walk(block, see));
            }
            Piece::Text { .. } | Piece::Slot(_) | Piece::Media { .. } => {}
        }
    }
}

impl Piece {
    /// Calls `see` for each place that the piece itself uses; what stands inside it is for [`walk`].
    pub(crate) fn places<'a>(&'a self, see: &mut dyn FnMut(&'a Place)) {
        match self {
            Piece::If { branches, .. } => {
                for branch in branches {
                    branch.test.places(see);
                }
            }
            Piece::For { list, .. } => list.places(&mut |place| see(place)),
            Piece::Media { place, .. } => see(place),
            Piece::Bind(bind) => bind.value.places(see),
            Piece::Show(show) => show.term.places(see),
            Piece::Loop(block) => {
                match &block.over {
                    Over::Items(items) => items.places(see),
                    Over::Entries(place) => see(place),
                    Over::Value(term) => term.places(see),
                }
                if let Some(condition) = &block.condition {
                    condition.places(see);
                }
            }
            Piece::Slot(slot) => {
                if let Some(fallback) = &slot.fallback {
                    see(&fallback.option);
                }
                self.shown(see);
            }
            Piece::Text { .. } | Piece::Scope(_) => {}
        }
    }

    /// Calls `see` for each place whose text the piece itself may show.
    pub(crate) fn shown<'a>(&'a self, see: &mut dyn FnMut(&'a Place)) {
        match self {
            Piece::Slot(slot) => {
                slot.value.places(&mut |place| see(place));
                if let Some(fallback) = &slot.fallback {
                    fallback.default.places(&mut |place| see(place));
                }
            }
            Piece::Show(show) => show.term.shown(see),
            _ => {}
        }
    }
}

/// Calls `see` for each piece and all inside it.
pub(crate) fn walk<'a>(pieces: &'a [Piece], see: &mut impl FnMut(&'a Piece)) {
    for piece in pieces {
        piece.walk(see);
    }
}

impl Test {
    /// Calls `see` for each place that it asks about.
    pub(crate) fn places<'a>(&'a self, see: &mut dyn FnMut(&'a Place)) {
        match self {
            Test::Present { value, .. } => value.places(&mut |place| see(place)),
            Test::Given { place, .. } => see(place),
            Test::Holds(term) => term.places(see),
            Test::Not(inner) => inner.places(see),
            Test::And(sides) | Test::Or(sides) => {
                sides.0.places(see);
                sides.1.places(see);
            }
        }
    }
}

impl Value {
    /// Calls `see` for each place that the value is made from.
    pub(crate) fn places<'a>(&'a self, see: &mut impl FnMut(&'a Place)) {
        match self {
            Value::Place(place) => see(place),
            Value::Literal(_) => {}
            Value::Filter { value, args, .. } => {
                value.places(see);
                for arg in args {
                    arg.places(see);
                }
            }
        }
    }
}
