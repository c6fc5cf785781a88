//! Arguments of filters, tests and methods, by position and kind.

use super::{Host, Outcome, View};

/// The arguments of a call, in the order of the parameters; `None` where one is not given.
pub(crate) struct Args<'s, H: Host>(pub(crate) &'s [Option<H::Value>]);

impl<H: Host> Clone for Args<'_, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H: Host> Copy for Args<'_, H> {}

impl<'s, H: Host> Args<'s, H> {
    /// The argument at a position, unless it is not given.
    pub(crate) fn get(self, at: usize) -> Option<&'s H::Value> {
        self.0.get(at)?.as_ref()
    }

    /// The argument at a position, unless it is not given or `None`.
    pub(crate) fn get_some(self, at: usize) -> Option<&'s H::Value> {
        self.get(at)
            .filter(|value| !matches!(H::view_value(value), View::None))
    }

    /// The argument at a position, which has to be given.
    pub(crate) fn get_required(self, at: usize, name: &str) -> Outcome<H, &'s H::Value> {
        self.get(at)
            .ok_or_else(|| H::make_error(format!("the argument `{name}` is missing")))
    }

    pub(crate) fn get_flag(self, at: usize, default: bool) -> Outcome<H, bool> {
        self.get(at).map_or(Ok(default), H::is_true)
    }

    pub(crate) fn get_whole(self, at: usize, name: &str, default: i64) -> Outcome<H, i64> {
        self.get(at)
            .map_or(Ok(default), |value| H::to_whole(value, name))
    }

    /// A length: what is negative is zero.
    pub(crate) fn get_size(self, at: usize, name: &str, default: i64) -> Outcome<H, usize> {
        Ok(clamp_size(self.get_whole(at, name, default)?))
    }

    /// How often something is done at most; what is negative is without a limit.
    pub(crate) fn get_limit(self, at: usize, name: &str) -> Outcome<H, usize> {
        Ok(usize::try_from(self.get_whole(at, name, -1)?).unwrap_or(usize::MAX))
    }

    /// The string at a position, which has to be given.
    pub(crate) fn get_str(self, at: usize, name: &str) -> Outcome<H, &'s H::Str> {
        require_str::<H>(self.get_required(at, name)?, name)
    }
}

pub(crate) fn clamp_size(number: i64) -> usize {
    usize::try_from(number.max(0)).unwrap_or(usize::MAX)
}

/// The string of an argument.
pub(crate) fn require_str<'v, H: Host>(value: &'v H::Value, name: &str) -> Outcome<H, &'v H::Str> {
    match H::view_value(value) {
        View::Str(text) => Ok(text),
        _ => Err(H::kind_error(&format!("`{name}` is text"), value)),
    }
}

/// The string that a filter works on, for a filter that accepts only text.
pub(crate) fn require_filter_str<'v, H: Host>(
    filter: &str,
    value: &'v H::Value,
) -> Outcome<H, &'v H::Str> {
    if let View::Str(text) = H::view_value(value) {
        return Ok(text);
    }
    H::check_defined(value)?;
    Err(H::error_with_help(
        format!(
            "`{filter}` works on text, and this is {}",
            H::describe_kind(value)
        ),
        format!("make it text first: `| string | {filter}`"),
    ))
}
