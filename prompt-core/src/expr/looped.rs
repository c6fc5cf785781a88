use crate::expr::Value;

/// Where a loop is: what a template calls `loop`.
///
/// ```
/// use prompt_core::private::expr::looped;
///
/// let marks: Vec<String> = looped(["a", "b"])
///     .map(|(at, item)| format!("{item}{}{}", at.index(), at.last()))
///     .collect();
/// assert_eq!(marks, ["a1False", "b2True"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Loop {
    index: i128,
    length: i128,
}

impl Loop {
    /// Which round it is, counted from 1.
    pub fn index(self) -> Value<'static> {
        Value::Int(self.index + 1)
    }

    /// Which round it is, counted from 0.
    pub fn index0(self) -> Value<'static> {
        Value::Int(self.index)
    }

    /// How many rounds are to come, with this one.
    pub fn revindex(self) -> Value<'static> {
        Value::Int(self.length - self.index)
    }

    /// How many rounds are to come.
    pub fn revindex0(self) -> Value<'static> {
        Value::Int(self.length - self.index - 1)
    }

    /// Whether it is the first round.
    pub fn first(self) -> Value<'static> {
        Value::Bool(self.index == 0)
    }

    /// Whether it is the last round.
    pub fn last(self) -> Value<'static> {
        Value::Bool(self.index + 1 == self.length)
    }

    /// How many rounds there are.
    pub fn length(self) -> Value<'static> {
        Value::Int(self.length)
    }
}

/// The items, each with where the loop is. What gives the items is done when the loop begins.
pub fn looped<T>(items: impl IntoIterator<Item = T>) -> std::vec::IntoIter<(Loop, T)> {
    let items: Vec<T> = items.into_iter().collect();
    let whole = |number: usize| i128::try_from(number).unwrap_or(i128::MAX);
    let length = whole(items.len());
    let at = |index| Loop {
        index: whole(index),
        length,
    };
    let rounds = items.into_iter().enumerate();
    let rounds: Vec<_> = rounds.map(|(index, item)| (at(index), item)).collect();
    rounds.into_iter()
}
