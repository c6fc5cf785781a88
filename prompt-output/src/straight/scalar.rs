//! Numbers, truth values and choices on the short way.

use std::borrow::Cow;

use serde_json::{Number, Value};

use super::{Bail, Straight};
use crate::number::Amount;
use crate::scalar::WHOLE_COST;
use crate::shape::{Integers, Literal, Numbers};
use crate::word;

impl Straight<'_, '_> {
    pub(super) fn null(&mut self) -> Result<Value, Bail> {
        self.literal("null").map(|()| Value::Null)
    }

    pub(super) fn truth(&mut self) -> Result<Value, Bail> {
        let truth = match self.peek()? {
            b't' => true,
            b'f' => false,
            _ => return Err(Bail::Mismatch),
        };
        self.literal(if truth { "true" } else { "false" })?;
        Ok(Value::Bool(truth))
    }

    pub(super) fn choice(&mut self, literals: &[Literal]) -> Result<Value, Bail> {
        let text = match self.peek()? {
            b'"' => self.text()?,
            b'n' => return Err(Bail::Inexact),
            _ => match self.word()? {
                word if word::is_null(word) => return Err(Bail::Inexact),
                word => Cow::Borrowed(word),
            },
        };
        let text = text.trim();
        let named = literals.iter().find(|literal| literal.text == text);
        named.map(|named| named.value.clone()).ok_or(Bail::Inexact)
    }

    pub(super) fn integer(&mut self, integers: Integers) -> Result<Value, Bail> {
        let Amount::Integer(whole) = self.amount()? else {
            return Err(Bail::Inexact);
        };
        let uneven = |step: i128| whole % step != 0;
        if whole < integers.min || whole > integers.max || integers.multiple_of.is_some_and(uneven)
        {
            return Err(Bail::Mismatch);
        }
        whole_number(whole)
    }

    pub(super) fn number(&mut self, numbers: Numbers) -> Result<Value, Bail> {
        let float = match self.amount()? {
            Amount::Integer(whole) => {
                self.cost += WHOLE_COST;
                whole as f64
            }
            Amount::Float(float) | Amount::Fraction(float) => float,
        };
        if !numbers.allow(float) {
            return Err(Bail::Mismatch);
        }
        float_number(float)
    }
}

pub(super) fn whole_number(whole: i128) -> Result<Value, Bail> {
    match (i64::try_from(whole), u64::try_from(whole)) {
        (Ok(whole), _) => Ok(Value::Number(whole.into())),
        (_, Ok(whole)) => Ok(Value::Number(whole.into())),
        _ => Err(Bail::Unsure),
    }
}

pub(super) fn float_number(float: f64) -> Result<Value, Bail> {
    let number = Number::from_f64(float).ok_or(Bail::Unsure)?;
    Ok(Value::Number(number))
}
