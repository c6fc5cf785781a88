//! The numbers of `range(…)`.

use super::{Args, Host, Outcome};

/// As Jinja2's sandbox has it: a number from outside must not fill the memory.
const MAX_RANGE: usize = 100_000;

/// `range(start, stop, step)`.
#[derive(Clone, Copy, PartialEq, Eq)]
// A public value of chat templates contains it.
#[cfg_attr(not(feature = "untyped"), allow(unreachable_pub))]
pub struct Range {
    pub(crate) start: i64,
    pub(crate) stop: i64,
    pub(crate) step: i64,
}

impl Range {
    /// Reads `range(stop)`, `range(start, stop)` or `range(start, stop, step)`.
    pub(crate) fn from_args<H: Host>(args: Args<'_, H>) -> Outcome<H, Range> {
        let first = H::to_whole(args.get_required(0, "stop")?, "stop")?;
        let (start, stop) = match args.get(1) {
            Some(stop) => (first, H::to_whole(stop, "stop")?),
            None => (0, first),
        };
        let step = args.get_whole(2, "step", 1)?;
        if step == 0 {
            return Err(H::make_error("the step of `range` cannot be zero"));
        }
        let range = Range { start, stop, step };
        match range.len() > MAX_RANGE {
            true => Err(H::make_error(format!(
                "`range` gives more than {MAX_RANGE} numbers"
            ))),
            false => Ok(range),
        }
    }

    pub(crate) fn len(self) -> usize {
        let (start, stop) = (i128::from(self.start), i128::from(self.stop));
        let span = if self.step > 0 {
            stop - start
        } else {
            start - stop
        };
        let step = i128::from(self.step).abs();
        usize::try_from((span.max(0) + step - 1) / step).unwrap_or(usize::MAX)
    }

    /// The number at an index.
    pub(crate) fn number_at(self, index: usize) -> i64 {
        let index = i64::try_from(index).unwrap_or(i64::MAX);
        self.start.wrapping_add(index.wrapping_mul(self.step))
    }

    /// The number of numbers, the first and the last: the same for equal ranges.
    #[cfg(feature = "untyped")]
    pub(crate) fn ends(self) -> (usize, Option<i64>, Option<i64>) {
        let len = self.len();
        let last = len.checked_sub(1);
        (
            len,
            last.map(|_| self.start),
            last.map(|last| self.number_at(last)),
        )
    }

    pub(crate) fn numbers(self) -> impl Iterator<Item = i64> {
        (0..self.len()).map(move |index| self.number_at(index))
    }
}
