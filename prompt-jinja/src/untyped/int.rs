//! Integers, which have no bounds in Python.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::rc::Rc;

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{FromPrimitive, Num, ToPrimitive, Zero};

use crate::builtin::number::Whole;

/// An integer. One that fits into 64 bits is [`Int::Small`].
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Int {
    Small(i64),
    Big(Rc<BigInt>),
}

impl Int {
    pub(super) fn to_big(&self) -> Cow<'_, BigInt> {
        match self {
            Int::Small(number) => Cow::Owned(BigInt::from(*number)),
            Int::Big(number) => Cow::Borrowed(number),
        }
    }
}

impl From<i64> for Int {
    fn from(number: i64) -> Int {
        Int::Small(number)
    }
}

impl From<i128> for Int {
    fn from(number: i128) -> Int {
        match i64::try_from(number) {
            Ok(small) => Int::Small(small),
            Err(_) => Int::Big(Rc::new(BigInt::from(number))),
        }
    }
}

impl From<BigInt> for Int {
    fn from(number: BigInt) -> Int {
        match number.to_i64() {
            Some(small) => Int::Small(small),
            None => Int::Big(Rc::new(number)),
        }
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Int) -> Ordering {
        match (self, other) {
            (Int::Small(a), Int::Small(b)) => a.cmp(b),
            (a, b) => a.to_big().cmp(&b.to_big()),
        }
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Whole for Int {
    fn from_float(float: f64) -> Option<Int> {
        BigInt::from_f64(float.trunc()).map(Int::from)
    }

    #[expect(clippy::cast_precision_loss, reason = "as Python rounds")]
    fn to_float(&self) -> f64 {
        match self {
            Int::Small(number) => *number as f64,
            Int::Big(number) => number.to_f64().unwrap_or(f64::NAN),
        }
    }

    fn divide(&self, divisor: &Int) -> f64 {
        if let (Int::Small(number), Int::Small(divisor)) = (self, divisor) {
            return i128::from(*number).divide(&i128::from(*divisor));
        }
        let (number, divisor) = (self.to_big(), divisor.to_big());
        let (size, by) = (number.magnitude(), divisor.magnitude());
        // More bits than a float has: the last one is set for any that follow.
        let mut shift = (by.bits() + 66).saturating_sub(size.bits());
        let (mut quotient, rest) = (size << shift).div_rem(by);
        quotient.set_bit(0, quotient.bit(0) || !rest.is_zero());
        let mut float = quotient.to_f64().unwrap_or(f64::INFINITY);
        while shift > 0 {
            let step = shift.min(1000);
            float *= 0.5_f64.powi(i32::try_from(step).unwrap_or(1000));
            shift -= step;
        }
        match (number.sign() == Sign::Minus) == (divisor.sign() == Sign::Minus) {
            true => float,
            false => -float,
        }
    }

    fn count_bits(&self) -> u64 {
        match self {
            Int::Small(number) => i128::from(*number).count_bits(),
            Int::Big(number) => number.bits(),
        }
    }

    fn negate(&self) -> Option<Int> {
        Some(match self {
            Int::Small(number) => match number.checked_neg() {
                Some(number) => Int::Small(number),
                None => Int::from(-BigInt::from(*number)),
            },
            Int::Big(number) => Int::from(-&**number),
        })
    }

    fn parse_digits(digits: &str, radix: u32) -> Option<Int> {
        BigInt::from_str_radix(digits, radix).ok().map(Int::from)
    }

    fn to_digits(&self, radix: u32) -> (bool, String) {
        match self {
            Int::Small(number) => i128::from(*number).to_digits(radix),
            Int::Big(number) => (
                number.sign() == Sign::Minus,
                number.magnitude().to_str_radix(radix),
            ),
        }
    }
}
