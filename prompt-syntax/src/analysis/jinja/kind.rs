//! Kinds of the Jinja dialect: what two have in common, and the kind of items.

use crate::Kind;

/// A kind with more parts is not followed any further.
const MAX_PARTS: usize = 200;

impl Kind {
    /// The kind itself, or [`Kind::Dynamic`] if it has too many parts: an assignment such as `{% set a = [a, a] %}` may be repeated.
    pub fn bounded(self) -> Kind {
        let mut parts = MAX_PARTS;
        match self.has_at_most(&mut parts) {
            true => self,
            false => Kind::Dynamic,
        }
    }

    fn has_at_most(&self, parts: &mut usize) -> bool {
        if *parts == 0 {
            return false;
        }
        *parts -= 1;
        match self {
            Kind::List(part) | Kind::Dict(part) | Kind::Option(part) => part.has_at_most(parts),
            Kind::Tuple(items) => items.iter().all(|item| item.has_at_most(parts)),
            _ => true,
        }
    }

    /// The kind of a value at run time: a type that only rustc can resolve is dynamic.
    pub fn dynamic(self) -> Kind {
        match self {
            Kind::Unknown => Kind::Dynamic,
            other => other,
        }
    }

    /// The kind of its items.
    pub fn item(&self) -> Kind {
        match self {
            Kind::List(item) => (**item).clone(),
            Kind::Text => Kind::Text,
            Kind::Tuple(items) => items
                .iter()
                .cloned()
                .reduce(Kind::either)
                .unwrap_or(Kind::Unknown),
            _ => Kind::Dynamic,
        }
    }

    /// The kind that both have in common.
    #[allow(clippy::needless_pass_by_value)] // As a step of `Iterator::reduce`.
    pub fn either(self, other: Kind) -> Kind {
        if self == other {
            return self;
        }
        match (&self, &other) {
            _ if self.is_number()
                && other.is_number()
                && self != Kind::Bool
                && other != Kind::Bool =>
            {
                Kind::Number
            }
            (Kind::List(a), Kind::List(b)) => Kind::list((**a).clone().either((**b).clone())),
            _ => Kind::Dynamic,
        }
    }

    /// Whether nothing is known of it.
    pub fn is_open(&self) -> bool {
        matches!(self, Kind::Unknown | Kind::Dynamic)
    }

    /// Whether its items are of a type of the user's, which is not a value as a whole.
    pub fn holds_unknown(&self) -> bool {
        matches!(self, Kind::List(item) if **item == Kind::Unknown)
    }

    /// Whether it, or a part of it, is of a type that only rustc can determine.
    pub fn has_unknown(&self) -> bool {
        match self {
            Kind::List(part) | Kind::Dict(part) | Kind::Option(part) => part.has_unknown(),
            Kind::Tuple(parts) => parts.iter().any(Kind::has_unknown),
            kind => *kind == Kind::Unknown,
        }
    }
}
