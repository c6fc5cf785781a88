//! Operators as in Python.

use std::cmp::Ordering;

use num_bigint::Sign;
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

use super::fault::{Fault, R};
use super::int::Int;
use super::nodes::Compare;
use super::run::Run;
use super::text::{Builder, Str};
use super::value::Value;
use crate::builtin::Host;
use crate::builtin::arith::{Arith, ArithError, whole_result};

/// The bits that an integer may have: the time to print more is not linear.
const MAX_BITS: u64 = 1 << 17;

impl Value {
    /// A number that is an index, a width or a count.
    pub(super) fn to_index(&self) -> R<i64> {
        match self {
            Value::Bool(value, _) => Ok(i64::from(*value)),
            Value::Int(number, _) => Ok(*number),
            Value::Big(number, _) => Ok(if number.sign() == Sign::Minus {
                i64::MIN
            } else {
                i64::MAX
            }),
            Value::Undefined(reason) => Err(Fault::new(&**reason)),
            other => Err(Fault::new(format!(
                "'{}' object cannot be interpreted as an integer",
                other.kind()
            ))),
        }
    }
}

impl Run<'_> {
    pub(super) fn whole_result(&mut self, operator: Arith, a: &Int, b: &Int) -> R<Option<Int>> {
        let error = ArithError::into_error::<Run<'_>>;
        if let (Int::Small(a), Int::Small(b)) = (a, b) {
            match whole_result(operator, (*a).into(), (*b).into()) {
                // Integers have no bounds.
                Err(ArithError::Overflow) => {}
                result => {
                    let number = result.map_err(error)?;
                    return Ok(number.map(Int::from));
                }
            }
        }
        let (a, b) = (a.to_big(), b.to_big());
        let bits = a.bits().saturating_add(b.bits());
        self.charge_bytes(
            usize::try_from(bits / 8)
                .unwrap_or(usize::MAX)
                .saturating_mul(8),
        )?;
        let number = match operator {
            Arith::Add => &*a + &*b,
            Arith::Sub => &*a - &*b,
            Arith::Mul => &*a * &*b,
            Arith::FloorDiv | Arith::Rem if b.is_zero() => {
                return Err(error(ArithError::DivisionByZero));
            }
            Arith::FloorDiv => a.div_floor(&b),
            Arith::Rem => a.mod_floor(&b),
            Arith::Pow if b.sign() != Sign::Minus => {
                let small = a.bits() <= 1;
                let exponent = match b.to_u32() {
                    Some(exponent) => exponent,
                    None if small => u32::from(b.is_odd()) + 2,
                    None => return Err(error(ArithError::TooLarge)),
                };
                if !small && a.bits().saturating_mul(u64::from(exponent)) > MAX_BITS {
                    return Err(error(ArithError::TooLarge));
                }
                a.pow(exponent)
            }
            Arith::Pow | Arith::Div => return Ok(None),
        };
        match number.bits() > MAX_BITS {
            true => Err(error(ArithError::TooLarge)),
            false => Ok(Some(number.into())),
        }
    }

    pub(super) fn compare(&mut self, operator: Compare, left: &Value, right: &Value) -> R<bool> {
        Ok(match operator {
            Compare::Eq => self.are_equal(left, right)?,
            Compare::Ne => !self.are_equal(left, right)?,
            Compare::In => self.is_contained(right, left)?,
            Compare::NotIn => !self.is_contained(right, left)?,
            Compare::Lt => self.compare_values("<", left, right)? == Some(Ordering::Less),
            Compare::Le => self
                .compare_values("<=", left, right)?
                .is_some_and(Ordering::is_le),
            Compare::Gt => self.compare_values(">", left, right)? == Some(Ordering::Greater),
            Compare::Ge => self
                .compare_values(">=", left, right)?
                .is_some_and(Ordering::is_ge),
        })
    }

    /// Strings one after the other. With a safe one among them, the result is safe, and the others are escaped.
    pub(super) fn join_escaped(&mut self, texts: &[Str], is_safe: bool) -> R<Str> {
        let mut out = Builder::default();
        for text in texts {
            self.charge_bytes(text.len())?;
            match is_safe && !text.safe {
                true => {
                    let escaped = text.escape_html();
                    self.charge_bytes(escaped.len())?;
                    out.push_str(&escaped);
                }
                false => out.push_str(text),
            }
        }
        let mut text = out.finish();
        text.safe = is_safe;
        Ok(text)
    }

    /// Joins values as `~` does.
    pub(super) fn concat(&mut self, values: &[Value]) -> R<Value> {
        let mut texts = Vec::with_capacity(values.len());
        for value in values {
            texts.push(self.to_str(value)?);
        }
        let is_safe = self.autoescape && texts.iter().any(|text| text.safe);
        self.join_escaped(&texts, is_safe).map(Value::Str)
    }
}
