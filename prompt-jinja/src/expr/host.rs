//! The values of Rust structs as filters, tests and methods see them.

use std::marker::PhantomData;
use std::ops::Range;

use crate::builtin::arith::{Arith, ArithError, whole_result};
use crate::builtin::item::item_at;
use crate::builtin::number::Number;
use crate::builtin::{Host, Lazy, SourcedStr, StrBuilder, View};
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

    fn repeat_text(&self, times: usize) -> Self {
        Str::repeat_text(self, times)
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

/// Writes a text without its sources.
#[derive(Default)]
pub(crate) struct PlainText<'a>(pub(crate) String, PhantomData<&'a ()>);

impl<'a> StrBuilder for PlainText<'a> {
    type Str = Str<'a>;

    fn push_str(&mut self, text: &Str<'a>) {
        self.0.push_str(text);
    }

    fn push_range(&mut self, text: &Str<'a>, range: Range<usize>) {
        self.0.push_str(&text[range]);
    }

    fn push_template(&mut self, text: &str) {
        self.0.push_str(text);
    }

    fn push_as(&mut self, text: &str, _: &Str<'a>) {
        self.0.push_str(text);
    }

    fn finish_like(self, other: &Str<'a>) -> Str<'a> {
        Str::from_shared(self.0, other.source())
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

    /// All of it is of one source, because a value that fills a slot is data of that slot.
    fn to_repr(&mut self, value: &Value<'a>) -> Result<Str<'a>> {
        value.check_printable()?;
        Ok(Str::from_shared(value.print_repr(), value.source()))
    }

    fn to_number(value: &Value<'a>) -> Option<Number<i128>> {
        match value {
            Value::Float(number) => Some(Number::Float(*number)),
            other => other.as_whole().map(Number::Whole),
        }
    }

    fn iterate_value(&mut self, value: &Value<'a>) -> Result<Vec<Value<'a>>> {
        Ok(match value.as_defined()? {
            Value::List(items) | Value::Tuple(items) => items.to_vec(),
            Value::Dict(dict) => dict.keys().cloned().collect(),
            Value::Text(text) => text
                .char_indices()
                .map(|(at, char)| text.slice(at..at + char.len_utf8()).into())
                .collect(),
            other => {
                return Err(eval_error!("{} is not a list", other.describe_kind())
                    .with_help("give a list, a dict or a text"));
            }
        })
    }

    fn get_item(&mut self, value: &Value<'a>, key: &Value<'a>) -> Result<Value<'a>> {
        key.as_defined()?;
        let found = match value.as_defined()? {
            Value::Dict(dict) => dict.get(key).cloned(),
            _ => match key.as_whole() {
                Some(_) => item_at(self, value, Typed::to_whole(key, "index")?)?,
                None => None,
            },
        };
        Ok(found.unwrap_or_else(|| {
            Value::undefined(format!(
                "{} has no item {}",
                value.describe_kind(),
                quote_key(key)
            ))
        }))
    }

    fn get_entry(&mut self, dict: &Value<'a>, key: &Value<'a>) -> Result<Option<Value<'a>>> {
        Ok(match dict {
            Value::Dict(dict) => dict.get(key).cloned(),
            _ => None,
        })
    }

    fn compute_whole(
        &mut self,
        operator: Arith,
        left: &i128,
        right: &i128,
    ) -> Result<Option<i128>> {
        whole_result(operator, *left, *right).map_err(ArithError::into_error::<Self>)
    }

    fn add_texts(&mut self, left: &Str<'a>, right: &Str<'a>) -> Result<Value<'a>> {
        let mut out = Text::new();
        left.push_to(&mut out);
        right.push_to(&mut out);
        Ok(out.into())
    }

    fn join_values(
        &mut self,
        items: &[Value<'a>],
        between: Option<&Value<'a>>,
    ) -> Result<Value<'a>> {
        let between = between.map(|between| self.to_str(between)).transpose()?;
        let mut out = Text::new();
        check_result_size(items.len(), between.as_ref().map_or(0, |text| text.len()))?;
        for (index, item) in items.iter().enumerate() {
            check_result_size(1, out.as_str().len())?;
            if index > 0
                && let Some(between) = &between
            {
                between.push_to(&mut out);
            }
            self.to_str(item)?.push_to(&mut out);
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

/// Checks that a string of so many bytes may be built in one operation.
fn check_result_size(parts: usize, each: usize) -> Result<()> {
    match parts.checked_mul(each) {
        Some(bytes) if bytes <= MAX_RESULT_SIZE => Ok(()),
        _ => Err(EvalError::new("the result is too large")),
    }
}

/// At most this many items or bytes may come from one multiplication, because a factor may be a value from outside of the program.
const MAX_RESULT_SIZE: usize = 100_000_000;

/// For messages, and short.
fn quote_key(key: &Value<'_>) -> String {
    match key {
        Value::Text(text) => format!("`{}`", text.chars().take(60).collect::<String>()),
        other => format!(
            "`{}`",
            other.to_string().chars().take(60).collect::<String>()
        ),
    }
}
