//! The values of Rust structs as filters, tests and methods see them.

use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::marker::PhantomData;
use std::ops::Range;

use crate::builtin::number::Number;
use crate::builtin::{Host, Lazy, SourcedStr, StrBuilder, View};
use crate::expr::number::check_result_size;
use crate::expr::{EvalError, Result, Str, Value};
use prompt_core::{Origin, Text};

/// The host of [`Value`]s.
pub(crate) struct Typed<'a> {
    /// The bytes that one call has made beyond those of its values.
    made: usize,
    values: PhantomData<&'a ()>,
}

impl Typed<'_> {
    pub(crate) const fn new() -> Self {
        Typed {
            made: 0,
            values: PhantomData,
        }
    }
}

impl<'a> SourcedStr for Str<'a> {
    type Builder = TextBuilder<'a>;

    fn from_template(text: &'static str) -> Self {
        Str::new(text, Origin::Template)
    }

    fn slice(&self, range: Range<usize>) -> Self {
        Str::slice(self, range)
    }

    fn with_content(&self, text: String) -> Self {
        Str::with_content(self, text)
    }

    fn has_one_source(&self) -> bool {
        Str::has_one_source(self)
    }

    fn map_pieces(&self, change: impl Fn(&str) -> String) -> Self {
        Str::map_pieces(self, change)
    }
}

/// Writes a string with its sources.
#[derive(Default)]
pub(crate) struct TextBuilder<'a>(Text, PhantomData<&'a ()>);

impl<'a> StrBuilder for TextBuilder<'a> {
    type Str = Str<'a>;

    fn push_str(&mut self, text: &Str<'a>) {
        text.push_to(&mut self.0);
    }

    fn push_range(&mut self, text: &Str<'a>, range: Range<usize>) {
        text.push_range(range, &mut self.0);
    }

    fn push_template(&mut self, text: &str) {
        self.0.push_from(Origin::Template, text);
    }

    fn push_as(&mut self, text: &str, source: &Str<'a>) {
        self.0.push_from(source.source(), text);
    }

    fn finish_like(self, _: &Str<'a>) -> Str<'a> {
        self.0.into()
    }
}

impl<'a> Host for Typed<'a> {
    type Value = Value<'a>;
    type Str = Str<'a>;
    type Whole = i128;
    type Error = EvalError;

    fn make_error(message: impl Into<String>) -> EvalError {
        EvalError::new(message)
    }

    fn error_with_help(message: impl Into<String>, help: impl Into<String>) -> EvalError {
        EvalError::new(message).with_help(help)
    }

    /// A run-time template counts the values before the call.
    fn charge_bytes(&mut self, _: usize) -> Result<()> {
        Ok(())
    }

    fn charge_result(&mut self, bytes: usize) -> Result<()> {
        self.made = self.made.saturating_add(bytes);
        check_result_size(self.made, 1)
    }

    fn charge_items(&mut self, items: usize) -> Result<()> {
        check_result_size(items, 1)
    }

    fn view_value<'v>(value: &'v Value<'a>) -> View<'v, Self> {
        match value {
            Value::Undefined(_) | Value::Failed(_) => View::Undefined,
            Value::None | Value::Absent => View::None,
            Value::Bool(value) => View::Bool(*value),
            Value::Int(_) => View::Whole,
            Value::Float(_) => View::Float,
            Value::Text(text) => View::Str(text),
            Value::List(items) => View::List(items),
            Value::Tuple(items) => View::Tuple(items),
            Value::Dict(dict) => View::Dict(dict.entries()),
        }
    }

    fn check_defined(value: &Value<'a>) -> Result<()> {
        value.as_defined().map(drop)
    }

    fn check_computed(value: &Value<'a>) -> Result<()> {
        match value {
            Value::Failed(error) => Err(error.clone()),
            _ => Ok(()),
        }
    }

    fn check_operand(value: &Value<'a>) -> Result<()> {
        Self::check_defined(value)
    }

    fn check_hashable(value: &Value<'a>) -> Result<()> {
        value.check_hashable()
    }

    fn is_true(value: &Value<'a>) -> Result<bool> {
        value.is_true()
    }

    fn is_missing(value: &Value<'a>) -> bool {
        matches!(value, Value::Undefined(_) | Value::Absent)
    }

    fn count_items(value: &Value<'a>) -> Option<usize> {
        match value {
            Value::List(items) | Value::Tuple(items) => Some(items.len()),
            Value::Dict(dict) => Some(dict.len()),
            _ => None,
        }
    }

    fn to_whole(value: &Value<'a>, name: &str) -> Result<i64> {
        let number = value.as_defined()?.as_whole().ok_or_else(|| {
            let kind = value.describe_kind();
            eval_error!("`{name}` is a whole number, and this is {kind}")
        })?;
        Ok(i64::try_from(number).unwrap_or(if number < 0 { i64::MIN } else { i64::MAX }))
    }

    fn to_str(&mut self, value: &Value<'a>) -> Result<Str<'a>> {
        value.to_str()
    }

    fn to_repr(&mut self, value: &Value<'a>) -> Result<Str<'a>> {
        value.to_repr()
    }

    fn to_number(value: &Value<'a>) -> Option<Number<i128>> {
        match value {
            Value::Float(number) => Some(Number::Float(*number)),
            other => other.as_whole().map(Number::Whole),
        }
    }

    fn iterate_value(&mut self, value: &Value<'a>) -> Result<Vec<Value<'a>>> {
        crate::expr::iterate_value(value)
    }

    fn get_item(&mut self, value: &Value<'a>, key: &Value<'a>) -> Result<Value<'a>> {
        crate::expr::index(value, key)
    }

    fn get_entry(&mut self, dict: &Value<'a>, key: &Value<'a>) -> Result<Option<Value<'a>>> {
        Ok(match dict {
            Value::Dict(dict) => dict.get(key).cloned(),
            _ => None,
        })
    }

    fn compare_values(
        &mut self,
        sign: &str,
        left: &Value<'a>,
        right: &Value<'a>,
    ) -> Result<Option<Ordering>> {
        left.compare_with(sign, right)
    }

    fn are_equal(&mut self, left: &Value<'a>, right: &Value<'a>) -> Result<bool> {
        Ok(left.equals(right))
    }

    fn hash_of(value: &Value<'a>) -> u64 {
        let mut hasher = DefaultHasher::new();
        hash_value(value, &mut hasher);
        hasher.finish()
    }

    fn is_contained(&mut self, container: &Value<'a>, value: &Value<'a>) -> Result<bool> {
        crate::expr::contains(value, container)
    }

    fn add_values(&mut self, left: &Value<'a>, right: &Value<'a>) -> Result<Value<'a>> {
        crate::expr::add(left, right)
    }

    fn take_remainder(&mut self, left: &Value<'a>, right: &Value<'a>) -> Result<Value<'a>> {
        crate::expr::rem(left, right)
    }

    fn join_values(
        &mut self,
        items: &[Value<'a>],
        between: Option<&Value<'a>>,
    ) -> Result<Value<'a>> {
        let between = between.map(Value::to_str).transpose()?;
        let mut out = Text::new();
        check_result_size(items.len(), between.as_ref().map_or(0, |text| text.len()))?;
        for (index, item) in items.iter().enumerate() {
            check_result_size(1, out.as_str().len())?;
            if index > 0
                && let Some(between) = &between
            {
                between.push_to(&mut out);
            }
            item.to_str()?.push_to(&mut out);
        }
        Ok(out.into())
    }

    fn may_act(&mut self, _: &Str<'a>, _: &Str<'a>) -> Result<bool> {
        Ok(true)
    }

    fn make_undefined(reason: &str) -> Value<'a> {
        Value::undefined(reason)
    }

    fn from_str(text: Str<'a>) -> Value<'a> {
        Value::Text(text)
    }

    fn from_safe(text: Str<'a>) -> Value<'a> {
        Value::Text(text)
    }

    fn from_bool(value: bool) -> Value<'a> {
        Value::Bool(value)
    }

    fn from_whole(number: i64, _: &Value<'a>) -> Value<'a> {
        Value::Int(number.into())
    }

    fn from_number(number: Number<i128>, _: &Value<'a>) -> Value<'a> {
        match number {
            Number::Whole(number) => Value::Int(number),
            Number::Float(number) => Value::Float(number),
        }
    }

    fn text_of_number(text: String, _: &Value<'a>) -> Str<'a> {
        Str::from_shared(text, Origin::Data(None))
    }

    fn make_none() -> Value<'a> {
        Value::None
    }

    fn make_list(&mut self, items: Vec<Value<'a>>) -> Result<Value<'a>> {
        Ok(crate::expr::list(items))
    }

    fn make_tuple(&mut self, items: Vec<Value<'a>>) -> Result<Value<'a>> {
        Ok(crate::expr::tuple(items))
    }

    fn make_group(&mut self, key: Value<'a>, items: Value<'a>) -> Result<Value<'a>> {
        self.make_tuple(vec![key, items])
    }

    /// A list: it can be printed, counted and has a length, and is false when it is empty.
    fn make_iterator(
        &mut self,
        _: &'static str,
        items: Vec<Value<'a>>,
        error: Option<EvalError>,
    ) -> Result<Value<'a>> {
        match error {
            Some(error) => Err(error),
            None => self.make_list(items),
        }
    }

    fn lazy_items(&mut self, value: &Value<'a>) -> Result<Lazy<Self>> {
        Ok((self.iterate_value(value)?, None))
    }

    fn view_of_dict(&mut self, _: &'static str, items: Vec<Value<'a>>) -> Result<Value<'a>> {
        self.make_list(items)
    }
}

/// Equal values have equal hashes: `1`, `1.0` and `True` too.
#[allow(clippy::cast_possible_truncation)] // Both sides of a comparison are truncated alike.
fn hash_value(value: &Value<'_>, out: &mut DefaultHasher) {
    match value {
        Value::Text(text) => (**text).hash(out),
        Value::Float(number) if number.fract() == 0.0 => (*number as i128).hash(out),
        Value::Float(number) => number.to_bits().hash(out),
        Value::Tuple(items) => items.iter().for_each(|item| hash_value(item, out)),
        other => match other.as_whole() {
            Some(number) => number.hash(out),
            // Values without a hash of their own share one, and are compared.
            None => out.write_u8(0),
        },
    }
}
