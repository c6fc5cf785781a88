//! The variable `loop`: counters, neighbours and `changed`.

use std::cell::RefCell;

use crate::builtin::Host;
use crate::expr::host::Typed;
use crate::expr::{Result, Value, tuple};

/// The state of a loop: the variable `loop` of a template.
///
/// ```
/// use prompt_jinja::private::enumerate_loop;
///
/// let marks: Vec<String> = enumerate_loop(["a", "b"])
///     .map(|(at, item)| format!("{item}{}{}", at.index(), at.last()))
///     .collect();
/// assert_eq!(marks, ["a1False", "b2True"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Loop {
    index: usize,
    length: usize,
}

impl Loop {
    /// Which round it is, counted from 1.
    pub fn index(self) -> Value<'static> {
        int_value(self.index + 1)
    }

    /// Which round it is, counted from 0.
    pub fn index0(self) -> Value<'static> {
        int_value(self.index)
    }

    /// The number of remaining rounds, including this one.
    pub fn revindex(self) -> Value<'static> {
        int_value(self.length - self.index)
    }

    /// The number of remaining rounds.
    pub fn revindex0(self) -> Value<'static> {
        int_value(self.length - self.index - 1)
    }

    /// Whether it is the first round.
    pub fn first(self) -> Value<'static> {
        Value::Bool(self.index == 0)
    }

    /// Whether it is the last round.
    pub fn last(self) -> Value<'static> {
        Value::Bool(self.index + 1 == self.length)
    }

    /// The number of rounds.
    pub fn length(self) -> Value<'static> {
        int_value(self.length)
    }
}

fn int_value(number: usize) -> Value<'static> {
    Value::Int(i128::try_from(number).unwrap_or(i128::MAX))
}

/// The items, each with the state of the loop. The expression of the items is evaluated when the loop begins.
pub fn enumerate_loop<T>(items: impl IntoIterator<Item = T>) -> LoopIterations<T> {
    let items: Vec<T> = items.into_iter().collect();
    LoopIterations {
        length: items.len(),
        items: items.into_iter().enumerate(),
    }
}

/// See [`enumerate_loop`].
#[derive(Debug)]
pub struct LoopIterations<T> {
    length: usize,
    items: std::iter::Enumerate<std::vec::IntoIter<T>>,
}

impl<T> Iterator for LoopIterations<T> {
    type Item = (Loop, T);

    fn next(&mut self) -> Option<(Loop, T)> {
        let (index, item) = self.items.next()?;
        let length = self.length;
        Some((Loop { index, length }, item))
    }
}

/// The items, each with where the loop is, the item before and the one behind it.
///
/// ```
/// use prompt_jinja::private::with_neighbours;
///
/// let rounds: Vec<_> = with_neighbours(["a", "b"]).map(|(_, before, item, behind)| (before, item, behind)).collect();
/// assert_eq!(rounds, [(None, "a", Some("b")), (Some("a"), "b", None)]);
/// ```
pub fn with_neighbours<T: Clone>(
    items: impl IntoIterator<Item = T>,
) -> std::vec::IntoIter<WithNeighbours<T>> {
    let items: Vec<T> = items.into_iter().collect();
    let rounds = enumerate_loop(items.iter().cloned()).enumerate();
    let rounds: Vec<_> = rounds
        .map(|(index, (at, item))| {
            let before = index.checked_sub(1).and_then(|index| items.get(index));
            (at, before.cloned(), item, items.get(index + 1).cloned())
        })
        .collect();
    rounds.into_iter()
}

/// The state of the loop, the previous item, the item, and the next one.
pub type WithNeighbours<T> = (Loop, Option<T>, T, Option<T>);

/// The item beside another one as a value: nothing that can be shown where there is none.
///
/// ```
/// use prompt_jinja::private::{neighbour_value, require_defined};
///
/// assert!(require_defined(neighbour_value(None, "before the first")).is_err());
/// ```
pub fn neighbour_value<'a>(item: Option<Value<'a>>, position: &str) -> Value<'a> {
    item.unwrap_or_else(|| Value::undefined(format!("there is no item {position}")))
}

/// The arguments of `loop.changed(…)` in the previous iteration.
#[derive(Debug, Default)]
pub struct Changed(RefCell<Option<Value<'static>>>);

impl Changed {
    /// Whether the values are others than those of the last time; in the first round they are.
    ///
    /// # Errors
    /// A value that is not defined.
    ///
    /// ```
    /// use prompt_jinja::private::Changed;
    /// use typed_prompt::jinja::Value;
    ///
    /// let changed = Changed::default();
    /// let check = |number| changed.has_changed(&[Value::Int(number)]);
    /// assert_eq!([check(1)?, check(1)?, check(2)?], [true, false, true]);
    /// # Ok::<(), typed_prompt::jinja::EvalError>(())
    /// ```
    pub fn has_changed(&self, values: &[Value<'_>]) -> Result<bool> {
        let mut given = Vec::with_capacity(values.len());
        for value in values {
            // An undefined value has no equality, so that `changed` of it would be decided by nothing.
            given.push(value.as_defined()?.to_static());
        }
        let given = tuple(given);
        let mut last = self.0.borrow_mut();
        let is_same = match &*last {
            Some(last) => Typed::new().are_equal(last, &given)?,
            None => false,
        };
        *last = Some(given);
        Ok(!is_same)
    }
}
