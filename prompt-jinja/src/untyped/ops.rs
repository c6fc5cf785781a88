//! Operators as in Python.

use std::borrow::Cow;
use std::cmp::Ordering;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

use super::fault::{Fault, R};
use super::nodes::Compare;
use super::run::Run;
use super::text::{Builder, Str};
use super::value::{Object, Value};
use crate::builtin::arith::{Arith, ArithError, float_result, whole_result};
use crate::builtin::percent::format_percent;

/// The bits that an integer may have: the time to print more is not linear.
const MAX_BITS: u64 = 1 << 17;

/// A number as an operand: a boolean is 0 or 1.
#[derive(Clone)]
pub(super) enum Number<'v> {
    Int(i64),
    Big(Cow<'v, BigInt>),
    Float(f64),
}

impl<'v> Number<'v> {
    pub(super) fn of(value: &'v Value) -> Option<Number<'v>> {
        Some(match value {
            Value::Bool(value) => Number::Int(i64::from(*value)),
            Value::Int(number, _) => Number::Int(*number),
            Value::Big(number, _) => Number::Big(Cow::Borrowed(number)),
            Value::Float(number, _) => Number::Float(*number),
            _ => return None,
        })
    }

    #[expect(clippy::cast_precision_loss, reason = "as Python rounds")]
    pub(super) fn to_f64(&self) -> f64 {
        match self {
            Number::Int(number) => *number as f64,
            Number::Big(number) => number.to_f64().unwrap_or(f64::NAN),
            Number::Float(number) => *number,
        }
    }

    pub(super) fn to_big(&self) -> Option<BigInt> {
        match self {
            Number::Int(number) => Some(BigInt::from(*number)),
            Number::Big(number) => Some(number.clone().into_owned()),
            Number::Float(_) => None,
        }
    }

    pub(super) fn compare(&self, other: &Number<'_>) -> Option<Ordering> {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => Some(a.cmp(b)),
            (Number::Float(a), Number::Float(b)) => a.partial_cmp(b),
            (Number::Float(a), b) => compare_float(*a, b),
            (a, Number::Float(b)) => compare_float(*b, a).map(Ordering::reverse),
            (a, b) => Some(a.to_big()?.cmp(&b.to_big()?)),
        }
    }

    pub(super) fn equals(&self, other: &Number<'_>) -> bool {
        self.compare(other) == Some(Ordering::Equal)
    }
}

/// Compares a float with an integer exactly.
fn compare_float(float: f64, integer: &Number<'_>) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    if float.is_infinite() {
        return Some(if float > 0.0 {
            Ordering::Greater
        } else {
            Ordering::Less
        });
    }
    let whole = num_traits::FromPrimitive::from_f64(float.trunc()).unwrap_or_else(BigInt::zero);
    let order = whole.cmp(&integer.to_big()?);
    Some(order.then(float.fract().partial_cmp(&0.0)?))
}

impl Value {
    /// A number that is an index, a width or a count.
    pub(super) fn to_index(&self) -> R<i64> {
        match self {
            Value::Bool(value) => Ok(i64::from(*value)),
            Value::Int(number, _) => Ok(*number),
            Value::Big(number, _) => Ok(if number.sign() == num_bigint::Sign::Minus {
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

fn unsupported(operator: Arith, left: &Value, right: &Value) -> Box<Fault> {
    for value in [left, right] {
        if let Value::Undefined(reason) = value {
            return Fault::new(&**reason);
        }
    }
    if operator == Arith::Add && matches!((left, right), (Value::Str(_), _)) {
        return Fault::new(format!(
            "can only concatenate str (not \"{}\") to str",
            right.kind()
        ));
    }
    Fault::new(format!(
        "unsupported operand type(s) for {}: '{}' and '{}'",
        match operator {
            Arith::Pow => "** or pow()",
            operator => operator.sign(),
        },
        left.kind(),
        right.kind()
    ))
}

impl Run<'_> {
    pub(super) fn arith(&mut self, operator: Arith, left: &Value, right: &Value) -> R<Value> {
        match operator {
            Arith::Add => {
                if let Some(sum) = self.add(left, right)? {
                    return Ok(sum);
                }
            }
            Arith::Mul => {
                for (value, times) in [(left, right), (right, left)] {
                    if matches!(times, Value::Int(..) | Value::Big(..) | Value::Bool(_))
                        && let Some(repeated) = self.repeat(value, times.to_index()?)?
                    {
                        return Ok(repeated);
                    }
                }
            }
            Arith::Rem => {
                if let Value::Str(pattern) = left {
                    return format_percent(self, pattern, right);
                }
            }
            _ => {}
        }
        let (Some(a), Some(b)) = (Number::of(left), Number::of(right)) else {
            return Err(unsupported(operator, left, right));
        };
        let source = left.source().and(right.source());
        let error = ArithError::into_error::<Run<'_>>;
        if let (Number::Int(a), Number::Int(b)) = (&a, &b) {
            match whole_result(operator, (*a).into(), (*b).into()) {
                Ok(Some(number)) => {
                    return Ok(match i64::try_from(number) {
                        Ok(number) => Value::Int(number, source),
                        Err(_) => Value::big(BigInt::from(number), source),
                    });
                }
                // Integers have no bounds.
                Ok(None) | Err(ArithError::Overflow) => {}
                Err(fault) => return Err(error(fault)),
            }
        }
        if let (Some(a), Some(b)) = (a.to_big(), b.to_big())
            && let Some(number) = self.big_arith(operator, &a, &b)?
        {
            return Ok(Value::big(number, source));
        }
        let number = float_result(operator, a.to_f64(), b.to_f64()).map_err(error)?;
        Ok(Value::Float(number, source))
    }

    fn big_arith(&mut self, operator: Arith, a: &BigInt, b: &BigInt) -> R<Option<BigInt>> {
        let bits = a.bits().saturating_add(b.bits());
        self.charge_bytes(
            usize::try_from(bits / 8)
                .unwrap_or(usize::MAX)
                .saturating_mul(8),
        )?;
        let number = match operator {
            Arith::Add => a + b,
            Arith::Sub => a - b,
            Arith::Mul => a * b,
            Arith::FloorDiv | Arith::Rem if b.is_zero() => {
                return Err(ArithError::DivisionByZero.into_error::<Run<'_>>());
            }
            Arith::FloorDiv => a.div_floor(b),
            Arith::Rem => a.mod_floor(b),
            Arith::Pow if b.sign() != num_bigint::Sign::Minus => {
                let small = a.bits() <= 1;
                let exponent = match b.to_u32() {
                    Some(exponent) => exponent,
                    None if small => u32::from(b.is_odd()) + 2,
                    None => return Err(too_large()),
                };
                if !small && a.bits().saturating_mul(u64::from(exponent)) > MAX_BITS {
                    return Err(too_large());
                }
                a.pow(exponent)
            }
            Arith::Pow | Arith::Div => return Ok(None),
        };
        match number.bits() > MAX_BITS {
            true => Err(too_large()),
            false => Ok(Some(number)),
        }
    }

    /// The sum of strings, lists or tuples.
    fn add(&mut self, left: &Value, right: &Value) -> R<Option<Value>> {
        Ok(Some(match (left, right) {
            (Value::Str(a), Value::Str(b)) => {
                self.charge_bytes(a.len() + b.len())?;
                let mut out = Builder::default();
                if a.safe != b.safe {
                    // A sum with a safe string is safe: the other one is escaped.
                    self.charge_bytes((a.len() + b.len()).saturating_mul(6))?;
                }
                let safe = a.safe || b.safe;
                for text in [a, b] {
                    match safe && !text.safe {
                        true => out.push_str(&text.escape_html()),
                        false => out.push_str(text),
                    }
                }
                let mut text = out.finish();
                text.safe = safe;
                Value::Str(text)
            }
            (Value::List(a), Value::List(b)) => {
                self.charge_items(a.items.len() + b.items.len())?;
                self.list([&a.items[..], &b.items[..]].concat())?
            }
            (Value::Tuple(a), Value::Tuple(b)) => {
                self.charge_items(a.items.len() + b.items.len())?;
                self.tuple([&a.items[..], &b.items[..]].concat())?
            }
            _ => return Ok(None),
        }))
    }

    fn repeat(&mut self, value: &Value, times: i64) -> R<Option<Value>> {
        let times = usize::try_from(times.max(0)).unwrap_or(usize::MAX);
        Ok(Some(match value {
            Value::Str(text) => {
                self.charge_bytes(text.len().saturating_mul(times))?;
                let times = if text.is_empty() { 0 } else { times };
                Value::Str(text.repeat(times))
            }
            Value::List(list) | Value::Tuple(list) => {
                self.charge_items(list.items.len())?;
                self.charge_items(list.items.len().saturating_mul(times))?;
                let times = if list.items.is_empty() { 0 } else { times };
                let mut items = Vec::with_capacity(list.items.len() * times);
                (0..times).for_each(|_| items.extend_from_slice(&list.items));
                match value {
                    Value::List(_) => self.list(items)?,
                    _ => self.tuple(items)?,
                }
            }
            _ => return Ok(None),
        }))
    }

    pub(super) fn negate(&mut self, value: &Value, sign: char) -> R<Value> {
        let source = value.source();
        Ok(match (value, sign) {
            (Value::Bool(value), '-') => Value::int(-i64::from(*value)),
            (Value::Bool(value), _) => Value::int(i64::from(*value)),
            (Value::Int(..) | Value::Big(..) | Value::Float(..), '+') => value.clone(),
            (Value::Int(number, _), _) => match number.checked_neg() {
                Some(number) => Value::Int(number, source),
                None => Value::big(-BigInt::from(*number), source),
            },
            (Value::Big(number, _), _) => Value::big(-(**number).clone(), source),
            (Value::Float(number, _), _) => Value::Float(-number, source),
            (Value::Undefined(reason), _) => return Err(Fault::new(&**reason)),
            _ => {
                return Err(Fault::new(format!(
                    "bad operand type for unary {sign}: '{}'",
                    value.kind()
                )));
            }
        })
    }

    pub(super) fn compare(&mut self, operator: Compare, left: &Value, right: &Value) -> R<bool> {
        Ok(match operator {
            Compare::Eq => self.equals(left, right)?,
            Compare::Ne => !self.equals(left, right)?,
            Compare::In => self.contains(right, left)?,
            Compare::NotIn => !self.contains(right, left)?,
            Compare::Lt => self.order(left, right, "<")? == Some(Ordering::Less),
            Compare::Le => self.order(left, right, "<=")?.is_some_and(Ordering::is_le),
            Compare::Gt => self.order(left, right, ">")? == Some(Ordering::Greater),
            Compare::Ge => self.order(left, right, ">=")?.is_some_and(Ordering::is_ge),
        })
    }

    /// Whether two values are equal. A word of the template is not equal to guarded data in which it must not act.
    pub(super) fn equals(&mut self, left: &Value, right: &Value) -> R<bool> {
        if let (Value::Str(a), Value::Str(b)) = (left, right) {
            self.charge_bytes(a.len().min(b.len()))?;
            return Ok(**a == **b && self.acts(a, b)? && self.acts(b, a)?);
        }
        self.equals_deep(left, right, 0)
    }

    fn equals_deep(&mut self, left: &Value, right: &Value, depth: usize) -> R<bool> {
        match (left, right) {
            (Value::Str(a), Value::Str(b)) => {
                self.charge_bytes(a.len().min(b.len()))?;
                Ok(**a == **b)
            }
            (Value::None, Value::None) | (Value::Undefined(_), Value::Undefined(_)) => Ok(true),
            (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
                self.charge_items(a.items.len().min(b.items.len()) + 1)?;
                if a.items.len() != b.items.len() || depth > super::value::MAX_DEPTH {
                    return Ok(false);
                }
                for (a, b) in a.items.iter().zip(&b.items) {
                    if !self.equals_deep(a, b, depth + 1)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Value::Dict(a), Value::Dict(b)) => {
                self.charge_items(a.len().min(b.len()) + 1)?;
                if a.len() != b.len() || depth > super::value::MAX_DEPTH {
                    return Ok(false);
                }
                for (key, value) in a.entries() {
                    let Some(other) = b.get(key) else {
                        return Ok(false);
                    };
                    if !self.equals_deep(value, other, depth + 1)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Value::Object(a), Value::Object(b)) => Ok(match (&**a, &**b) {
                (Object::Range(a), Object::Range(b)) => a.numbers().eq(b.numbers()),
                (Object::Group(a), Object::Group(b)) => {
                    return self.equals_deep(
                        &Value::Tuple(a.clone()),
                        &Value::Tuple(b.clone()),
                        depth,
                    );
                }
                (Object::Function(a), Object::Function(b)) => std::ptr::eq(*a, *b),
                _ => std::rc::Rc::ptr_eq(a, b),
            }),
            _ => {
                self.charge_bytes(ITEM_BYTES)?;
                Ok(match (Number::of(left), Number::of(right)) {
                    (Some(a), Some(b)) => a.equals(&b),
                    _ => false,
                })
            }
        }
    }

    /// The order of two values; nothing if they have none, such as that of `NaN`.
    pub(super) fn order(&mut self, left: &Value, right: &Value, sign: &str) -> R<Option<Ordering>> {
        match (left, right) {
            (Value::Str(a), Value::Str(b)) => {
                self.charge_bytes(a.len().min(b.len()))?;
                // UTF-8 sorts as its characters do.
                Ok(Some((**a).cmp(&**b)))
            }
            (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
                for (a, b) in a.items.iter().zip(&b.items) {
                    self.charge_bytes(ITEM_BYTES)?;
                    if !self.equals_deep(a, b, 0)? {
                        return self.order(a, b, sign);
                    }
                }
                Ok(Some(a.items.len().cmp(&b.items.len())))
            }
            _ => match (Number::of(left), Number::of(right)) {
                (Some(a), Some(b)) => Ok(a.compare(&b)),
                _ => {
                    for value in [left, right] {
                        if let Value::Undefined(reason) = value {
                            return Err(Fault::new(&**reason));
                        }
                    }
                    let (left, right) = (left.kind(), right.kind());
                    Err(Fault::new(format!(
                        "'{sign}' not supported between instances of '{left}' and '{right}'"
                    )))
                }
            },
        }
    }

    /// `value in container`.
    pub(super) fn contains(&mut self, container: &Value, value: &Value) -> R<bool> {
        match container {
            Value::Str(text) => {
                let Value::Str(part) = value else {
                    if let Value::Undefined(reason) = value {
                        return Err(Fault::new(format!(
                            "'in <string>' requires string as left operand: {reason}"
                        )));
                    }
                    let kind = value.kind();
                    return Err(Fault::new(format!(
                        "'in <string>' requires string as left operand, not {kind}"
                    )));
                };
                Ok(self.find_part(text, part, 0..text.len())?.is_some())
            }
            Value::Dict(_) => {
                if !value.is_hashable() {
                    return Err(Fault::new(format!("unhashable type: '{}'", value.kind())));
                }
                Ok(self.lookup_key(container, value)?.is_some())
            }
            Value::Object(object) if matches!(**object, Object::Range(_)) => {
                let Object::Range(range) = **object else {
                    return Ok(false);
                };
                let Some(Number::Int(number)) = Number::of(value) else {
                    return Ok(false);
                };
                let offset = i128::from(number) - i128::from(range.start);
                let step = i128::from(range.step);
                let at = offset / step;
                Ok(offset % step == 0 && usize::try_from(at).is_ok_and(|at| at < range.len()))
            }
            Value::List(list) | Value::Tuple(list) => {
                for item in &list.items {
                    self.charge_bytes(ITEM_BYTES)?;
                    if self.equals(item, value)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Value::Undefined(_) | Value::Object(_) => {
                for item in self.iterate(container)? {
                    self.charge_bytes(ITEM_BYTES)?;
                    if self.equals(&item, value)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            other => Err(Fault::new(format!(
                "argument of type '{}' is not iterable",
                other.kind()
            ))),
        }
    }

    /// The byte position of the first occurrence of a part that acts.
    pub(super) fn find_part(
        &mut self,
        text: &Str,
        part: &Str,
        range: std::ops::Range<usize>,
    ) -> R<Option<usize>> {
        self.charge_bytes(range.len() + part.len())?;
        let mut from = range.start;
        while let Some(found) = text[from..range.end].find(&**part) {
            let at = from + found;
            if self.acts(part, &text.slice(at..at + part.len()))? {
                return Ok(Some(at));
            }
            let Some(next) = text[at..range.end].chars().next() else {
                break;
            };
            from = at + next.len_utf8();
        }
        Ok(None)
    }

    /// Joins values as `~` does.
    pub(super) fn concat(&mut self, values: &[Value]) -> R<Value> {
        let mut out = Builder::default();
        let safe = self.autoescape
            && values
                .iter()
                .any(|value| value.as_str().is_some_and(|text| text.safe));
        for value in values {
            let text = self.str_of(value)?;
            self.charge_bytes(text.len())?;
            match safe && !text.safe {
                true => out.push_str(&text.escape_html()),
                false => out.push_str(&text),
            }
        }
        let mut text = out.finish();
        text.safe = safe;
        Ok(Value::Str(text))
    }
}

/// The bytes that one item of a list or dict counts as.
pub(super) const ITEM_BYTES: usize = 64;

fn too_large() -> Box<Fault> {
    Fault::new("the number is too large")
}

/// The text of an integer, as Python prints it.
pub(super) fn big_digits(number: &BigInt) -> R<String> {
    let digits = number.to_string();
    match digits.len() > 4301 {
        true => Err(Fault::new(
            "Exceeds the limit (4300 digits) for integer string conversion",
        )),
        false => Ok(digits),
    }
}
