//! The values of chat templates as filters, tests and methods see them.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::rc::Rc;

use super::fault::{Fault, FaultKind, depth_fault};
use super::functions::left_out_self;
use super::int::Int;
use super::run::Run;
use super::text::{Builder, Source, Str};
use super::value::{List, MAX_DEPTH, Object, Value};
use crate::builtin::arith::Arith;
use crate::builtin::number::Number;
use crate::builtin::print::{Printer, print_repr};
use crate::builtin::{Host, Lazy, Made, Outcome, SourcedStr, StrBuilder, View};

/// What Python prints of an object is its address, which differs in each run.
const ADDRESS: &str = "0x7f0000000000";

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

    fn repeat_text(&self, times: usize) -> Str {
        Str::repeat(self, times)
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

impl Host for Run<'_> {
    type Value = Value;
    type Str = Str;
    type Whole = Int;
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
            Value::None(_) => View::None,
            Value::Bool(value, _) => View::Bool(*value),
            Value::Int(..) | Value::Big(..) => View::Whole,
            Value::Float(..) => View::Float,
            Value::Str(text) => View::Str(text),
            Value::List(list) => View::List(&list.items),
            Value::Tuple(list) => View::Tuple(&list.items),
            Value::Dict(dict) => View::Dict(dict.entries()),
            Value::Object(object) => match &**object {
                Object::Group(list) => View::Tuple(&list.items),
                _ => View::Object,
            },
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

    fn to_repr(&mut self, value: &Value) -> Outcome<Self, Str> {
        let printed: Builder = print_repr(self, value)?;
        Ok(printed.finish())
    }

    fn print_object<B: StrBuilder<Str = Str>>(
        &mut self,
        value: &Value,
        printer: &mut Printer<'_, B>,
    ) -> Outcome<Self, ()> {
        let Value::Object(object) = value else {
            return Ok(());
        };
        // A namespace may contain itself.
        if printer.depth() > MAX_DEPTH {
            return Err(depth_fault());
        }
        match &**object {
            Object::Namespace(entries) => {
                printer.push("<Namespace ");
                let entries = entries.borrow().entries().to_vec();
                printer.print_entries(self, &entries)?;
                printer.push(">");
            }
            Object::View(name, list) => {
                printer.push(name);
                printer.push("(");
                printer.print_items(self, "[", &list.items, "]")?;
                printer.push(")");
            }
            // A view of a tuple prints it.
            Object::Group(_) => {}
            Object::Range(range, source) => {
                let (start, stop, step) = (range.start, range.stop, range.step);
                let text = match step {
                    1 => format!("range({start}, {stop})"),
                    _ => format!("range({start}, {stop}, {step})"),
                };
                printer.push_str(self, &Str::new(text, *source))?;
            }
            Object::Macro(found) => printer.push(&format!("<Macro '{}'>", found.node.name)),
            Object::Loop(state) => {
                let (index, length) = (state.index.get() + 1, state.items.len());
                printer.push(&format!("<LoopContext {index}/{length}>"));
            }
            Object::Generator(generator) => {
                let name = generator.name;
                // Iterators of Python are not generators.
                let is_iterator = name.ends_with("iterator") || name == "reversed";
                printer.push(&match is_iterator {
                    true => format!("<{name} object at {ADDRESS}>"),
                    false => format!("<generator object {name} at {ADDRESS}>"),
                });
            }
            Object::Function(found) if found.name == "self" => return Err(left_out_self()),
            Object::Function(found) => printer.push(&format!("<function {}>", found.name)),
            Object::Method(_, found) => {
                printer.push(&format!("<built-in method {}>", found.name));
            }
            Object::Cycler(..) => printer.push("<Cycler>"),
            Object::Joiner(..) => printer.push("<Joiner>"),
        }
        Ok(())
    }

    fn object_kind(value: &Value) -> &'static str {
        value.kind()
    }

    fn to_number(value: &Value) -> Option<Number<Int>> {
        Some(match value {
            Value::Bool(value, _) => Number::Whole(Int::Small((*value).into())),
            Value::Int(number, _) => Number::Whole(Int::Small(*number)),
            Value::Big(number, _) => Number::Whole(Int::Big(number.clone())),
            Value::Float(number, _) => Number::Float(*number),
            _ => return None,
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

    fn is_same_object(left: &Value, right: &Value) -> bool {
        let (Value::Object(left), Value::Object(right)) = (left, right) else {
            return false;
        };
        match (&**left, &**right) {
            (Object::Range(left, _), Object::Range(right, _)) => left.ends() == right.ends(),
            (Object::Function(left), Object::Function(right)) => std::ptr::eq(*left, *right),
            _ => Rc::ptr_eq(left, right),
        }
    }

    fn hash_object(value: &Value) -> u64 {
        let mut hasher = DefaultHasher::new();
        if let Value::Object(object) = value {
            match &**object {
                Object::Range(range, _) => range.ends().hash(&mut hasher),
                Object::Function(function) => std::ptr::hash(*function, &mut hasher),
                _ => Rc::as_ptr(object).hash(&mut hasher),
            }
        }
        hasher.finish()
    }

    fn compute_whole(
        &mut self,
        operator: Arith,
        left: &Int,
        right: &Int,
    ) -> Outcome<Self, Option<Int>> {
        self.whole_result(operator, left, right)
    }

    fn data_operand<'v>(left: &'v Value, right: &'v Value) -> &'v Value {
        if left.source().is_data() { left } else { right }
    }

    /// A sum with a safe string is safe.
    fn add_texts(&mut self, left: &Str, right: &Str) -> Made<Self> {
        let texts = [left.clone(), right.clone()];
        self.join_escaped(&texts, left.safe || right.safe)
            .map(Value::Str)
    }

    fn join_values(&mut self, items: &[Value], between: Option<&Value>) -> Made<Self> {
        let between = match between {
            Some(between) => self.to_str(between)?,
            None => Str::template(""),
        };
        let mut texts = Vec::with_capacity(items.len().saturating_mul(2));
        for item in items {
            self.charge_items(1)?;
            if !texts.is_empty() {
                texts.push(between.clone());
            }
            texts.push(self.to_str(item)?);
        }
        let is_safe = self.autoescape && (between.safe || texts.iter().any(|text| text.safe));
        self.join_escaped(&texts, is_safe).map(Value::Str)
    }

    fn may_act(&mut self, one: &Str, other: &Str) -> Outcome<Self, bool> {
        Run::acts(self, one, other)
    }

    fn may_replace(&mut self, sign: &Str) -> Outcome<Self, bool> {
        Run::acts_as_placeholder(self, sign)
    }

    /// Many texts are before a word or after it, so that none of them contains it: there is no reading without an effect.
    fn check_order(&mut self, word: &Str, other: &Str) -> Outcome<Self, ()> {
        let Some(source) = self.inert_source(word, other) else {
            return Ok(());
        };
        let message = format!(
            "asks whether data is before or after its own word `{}`",
            word.escape_debug()
        );
        Err(Fault::of(FaultKind::Ordered, message).about(source))
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
        Value::bool(value)
    }

    fn from_whole(number: i64, of: &Value) -> Value {
        Value::Int(number, of.source())
    }

    fn from_number(number: Number<Int>, of: &Value) -> Value {
        match number {
            Number::Whole(Int::Small(number)) => Value::Int(number, of.source()),
            Number::Whole(Int::Big(number)) => Value::Big(number, of.source()),
            Number::Float(number) => Value::Float(number, of.source()),
        }
    }

    fn text_of_number(text: String, of: &Value) -> Str {
        Str::new(text, of.source())
    }

    fn make_none() -> Value {
        Value::none()
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
