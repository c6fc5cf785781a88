//! The values of chat templates as filters, tests and methods see them.

use std::cmp::Ordering;
use std::ops::Range;
use std::rc::Rc;

use num_bigint::{BigInt, Sign};
use num_traits::{FromPrimitive, Num, ToPrimitive};

use super::fault::{Fault, FaultKind};
use super::ops;
use super::run::Run;
use super::text::{Builder, Source, Str};
use super::value::{List, Object, Value};
use crate::builtin::arith::Arith;
use crate::builtin::number::{Number, Whole};
use crate::builtin::{Host, Lazy, Made, Outcome, SourcedStr, StrBuilder, View};

impl SourcedStr for Str {
    type Builder = Builder;

    fn from_template(text: &'static str) -> Str {
        Str::template(text)
    }

    fn slice(&self, range: Range<usize>) -> Str {
        Str::slice(self, range)
    }

    fn with_content(&self, text: String) -> Str {
        let mut out = Str::new(text, self.source());
        out.safe = self.safe;
        out
    }

    fn has_one_source(&self) -> bool {
        self.pieces().nth(1).is_none()
    }

    fn map_pieces(&self, change: impl Fn(&str) -> String) -> Str {
        Str::map_pieces(self, change)
    }
}

impl StrBuilder for Builder {
    type Str = Str;

    fn push_str(&mut self, text: &Str) {
        Builder::push_str(self, text);
    }

    fn push_range(&mut self, text: &Str, range: Range<usize>) {
        Builder::push_str(self, &text.slice(range));
    }

    fn push_template(&mut self, text: &str) {
        self.push(text, Source::TEMPLATE);
    }

    fn push_as(&mut self, text: &str, source: &Str) {
        self.push(text, source.source());
    }

    fn finish_like(self, other: &Str) -> Str {
        Builder::finish_like(self, other)
    }
}

impl Whole for BigInt {
    fn from_float(float: f64) -> Option<BigInt> {
        BigInt::from_f64(float.trunc())
    }

    fn to_float(&self) -> f64 {
        self.to_f64().unwrap_or(f64::NAN)
    }

    fn parse_digits(digits: &str, radix: u32) -> Option<BigInt> {
        BigInt::from_str_radix(digits, radix).ok()
    }

    fn to_digits(&self, radix: u32) -> (bool, String) {
        (
            self.sign() == Sign::Minus,
            self.magnitude().to_str_radix(radix),
        )
    }
}

impl Host for Run<'_> {
    type Value = Value;
    type Str = Str;
    type Whole = BigInt;
    type Error = Box<Fault>;

    fn make_error(message: impl Into<String>) -> Box<Fault> {
        Fault::new(message)
    }

    fn error_with_help(message: impl Into<String>, help: impl Into<String>) -> Box<Fault> {
        Fault::new(format!("{}; {}", message.into(), help.into()))
    }

    fn charge_bytes(&mut self, bytes: usize) -> Outcome<Self, ()> {
        Run::charge_bytes(self, bytes)
    }

    fn charge_items(&mut self, items: usize) -> Outcome<Self, ()> {
        Run::charge_items(self, items)
    }

    fn view_value(value: &Value) -> View<'_, Self> {
        match value {
            Value::Undefined(_) => View::Undefined,
            Value::None => View::None,
            Value::Bool(value) => View::Bool(*value),
            Value::Int(..) | Value::Big(..) => View::Whole,
            Value::Float(..) => View::Float,
            Value::Str(text) => View::Str(text),
            Value::List(list) => View::List(&list.items),
            Value::Tuple(list) => View::Tuple(&list.items),
            Value::Dict(dict) => View::Dict(dict.entries()),
            Value::Object(_) => View::Object,
        }
    }

    fn check_defined(value: &Value) -> Outcome<Self, ()> {
        match value {
            Value::Undefined(reason) => Err(Fault::new(&**reason)),
            _ => Ok(()),
        }
    }

    fn check_hashable(value: &Value) -> Outcome<Self, ()> {
        match value.is_hashable() {
            true => Ok(()),
            false => Err(Fault::new(format!("unhashable type: '{}'", value.kind()))),
        }
    }

    fn is_true(value: &Value) -> Outcome<Self, bool> {
        Ok(value.is_true())
    }

    fn is_missing(value: &Value) -> bool {
        value.is_undefined()
    }

    fn count_items(value: &Value) -> Option<usize> {
        value.length()
    }

    fn to_whole(value: &Value, _: &str) -> Outcome<Self, i64> {
        value.to_index()
    }

    fn to_str(&mut self, value: &Value) -> Outcome<Self, Str> {
        self.str_of(value)
    }

    fn to_repr(&mut self, value: &Value) -> Outcome<Self, Str> {
        self.repr(value)
    }

    fn to_number(value: &Value) -> Option<Number<BigInt>> {
        let number = ops::Number::of(value)?;
        Some(match number.to_big() {
            Some(number) => Number::Whole(number),
            None => Number::Float(number.to_f64()),
        })
    }

    fn iterate_value(&mut self, value: &Value) -> Outcome<Self, Vec<Value>> {
        Run::iterate(self, value)
    }

    fn get_item(&mut self, value: &Value, key: &Value) -> Made<Self> {
        Run::item(self, value, key)
    }

    fn get_entry(&mut self, dict: &Value, key: &Value) -> Outcome<Self, Option<Value>> {
        self.lookup_key(dict, key)
    }

    fn compare_values(
        &mut self,
        sign: &str,
        left: &Value,
        right: &Value,
    ) -> Outcome<Self, Option<Ordering>> {
        self.order(left, right, sign)
    }

    fn are_equal(&mut self, left: &Value, right: &Value) -> Outcome<Self, bool> {
        Run::equals(self, left, right)
    }

    fn hash_of(value: &Value) -> u64 {
        value.key_hash()
    }

    fn is_contained(&mut self, container: &Value, value: &Value) -> Outcome<Self, bool> {
        Run::contains(self, container, value)
    }

    fn add_values(&mut self, left: &Value, right: &Value) -> Made<Self> {
        self.arith(Arith::Add, left, right)
    }

    fn take_remainder(&mut self, left: &Value, right: &Value) -> Made<Self> {
        self.arith(Arith::Rem, left, right)
    }

    fn join_values(&mut self, items: &[Value], between: Option<&Value>) -> Made<Self> {
        let between = match between {
            Some(between) => self.str_of(between)?,
            None => Str::template(""),
        };
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            texts.push(self.str_of(item)?);
        }
        let safe = self.autoescape && (between.safe || texts.iter().any(|text| text.safe));
        let mut out = Builder::default();
        for (index, text) in texts.iter().enumerate() {
            self.charge_items(1)?;
            self.charge_bytes(text.len() + between.len())?;
            if index > 0 {
                out.push_str(&between);
            }
            match safe && !text.safe {
                true => out.push_str(&text.escape_html()),
                false => out.push_str(text),
            }
        }
        let mut text = out.finish();
        text.safe = safe;
        Ok(Value::Str(text))
    }

    fn may_act(&mut self, word: &Str, found: &Str) -> Outcome<Self, bool> {
        Run::acts(self, word, found)
    }

    /// What replaces guarded data is data, unless the replaced text may act there.
    fn replaces_as_part(&self, old: &Str, part: &Str) -> bool {
        self.steering.is_some_and(|steering| {
            !old.source().is_data()
                && (steering.is_guarded)(part.source())
                && !(steering.may_act)(old)
        })
    }

    fn is_safe(text: &Str) -> bool {
        text.safe
    }

    fn make_undefined(reason: &str) -> Value {
        Value::undefined(reason)
    }

    fn from_str(text: Str) -> Value {
        Value::Str(text)
    }

    fn from_safe(mut text: Str) -> Value {
        text.safe = true;
        Value::Str(text)
    }

    fn from_bool(value: bool) -> Value {
        Value::Bool(value)
    }

    fn from_whole(number: i64, of: &Value) -> Value {
        Value::Int(number, of.source())
    }

    fn from_number(number: Number<BigInt>, of: &Value) -> Value {
        match number {
            Number::Whole(number) => Value::big(number, of.source()),
            Number::Float(number) => Value::Float(number, of.source()),
        }
    }

    fn text_of_number(text: String, of: &Value) -> Str {
        Str::new(text, of.source())
    }

    fn make_none() -> Value {
        Value::None
    }

    fn make_list(&mut self, items: Vec<Value>) -> Made<Self> {
        Run::list(self, items)
    }

    fn make_tuple(&mut self, items: Vec<Value>) -> Made<Self> {
        Run::tuple(self, items)
    }

    fn make_group(&mut self, key: Value, items: Value) -> Made<Self> {
        let group = Object::Group(Rc::new(List::new(vec![key, items])));
        self.checked(Value::object(group))
    }

    /// A generator, which raises an error of the template where it is reached. An exceeded limit ends the template at once.
    fn make_iterator(
        &mut self,
        name: &'static str,
        items: Vec<Value>,
        error: Option<Box<Fault>>,
    ) -> Made<Self> {
        self.charge_items(items.len())?;
        let value = self.checked(Value::generator(name, items))?;
        if let (Some(error), Some(Object::Generator(generator))) = (error, value.as_object()) {
            match error.kind {
                FaultKind::Runtime | FaultKind::Unsupported | FaultKind::Raised => {
                    *generator.error.borrow_mut() = Some(error);
                }
                _ => return Err(error),
            }
        }
        Ok(value)
    }

    fn lazy_items(&mut self, value: &Value) -> Outcome<Self, Lazy<Self>> {
        match Run::iterate(self, value) {
            Ok(items) => Ok((items, None)),
            Err(error) if error.kind == FaultKind::Runtime => Ok((Vec::new(), Some(error))),
            Err(error) => Err(error),
        }
    }

    fn view_of_dict(&mut self, name: &'static str, items: Vec<Value>) -> Made<Self> {
        self.charge_items(items.len())?;
        self.checked(Value::object(Object::View(name, Rc::new(List::new(items)))))
    }
}
