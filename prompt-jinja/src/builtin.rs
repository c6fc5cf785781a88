//! Filters, tests and methods: one implementation for both kinds of values.
//!
//! [`expr`](crate::expr) has the values of Rust structs, and `untyped` those of a chat template's input. Each is a [`Host`]: it reads and makes
//! values, counts what is computed, and returns its own errors. A function here takes the host, the value before the arguments, and the
//! [`Args`] in the order of the parameters.

pub(crate) mod args;
pub(crate) mod arith;
pub(crate) mod chars;
pub(crate) mod compare;
pub(crate) mod decimal;
pub(crate) mod item;
pub(crate) mod list;
pub(crate) mod method;
pub(crate) mod number;
pub(crate) mod percent;
pub(crate) mod print;
pub(crate) mod range;
mod search;
pub(crate) mod sort;
pub(crate) mod table;
pub(crate) mod test;
pub(crate) mod text;
pub(crate) mod wrap;

use std::cmp::Ordering;
use std::ops::{Deref, Range};

pub(crate) use self::args::Args;
use self::arith::Arith;
use self::print::Printer;

/// The bytes that one item of a list or dict counts as.
pub(crate) const ITEM_BYTES: usize = 64;

/// The result of a filter or method.
pub(crate) type Made<H> = Outcome<H, <H as Host>::Value>;

/// A result with the error of a host.
pub(crate) type Outcome<H, T> = Result<T, <H as Host>::Error>;

/// What a filter, test or method needs to work on values.
pub(crate) trait Host: Sized {
    type Value: Clone;
    type Str: SourcedStr;
    type Whole: number::Whole;
    type Error;

    fn make_error(message: impl Into<String>) -> Self::Error;

    /// An error with what to do about it.
    fn error_with_help(message: impl Into<String>, help: impl Into<String>) -> Self::Error;

    /// Counts bytes that are computed.
    fn charge_bytes(&mut self, bytes: usize) -> Outcome<Self, ()>;

    /// Counts bytes of a result that may be many more than those of its values.
    fn charge_result(&mut self, bytes: usize) -> Outcome<Self, ()> {
        self.charge_bytes(bytes)
    }

    /// Counts items of lists that are made.
    fn charge_items(&mut self, items: usize) -> Outcome<Self, ()>;

    fn view_value(value: &Self::Value) -> View<'_, Self>;

    /// An error for an undefined value.
    fn check_defined(value: &Self::Value) -> Outcome<Self, ()>;

    /// An error for a value that could not be computed.
    fn check_computed(_value: &Self::Value) -> Outcome<Self, ()> {
        Ok(())
    }

    /// An error for an undefined value, if every use of it is one.
    fn check_operand(_value: &Self::Value) -> Outcome<Self, ()> {
        Ok(())
    }

    /// An error for a value that cannot be the key of a dict.
    fn check_hashable(value: &Self::Value) -> Outcome<Self, ()>;

    fn is_true(value: &Self::Value) -> Outcome<Self, bool>;

    /// The whole number of an argument with that name, within the bounds of 64 bits.
    fn to_whole(value: &Self::Value, name: &str) -> Outcome<Self, i64>;

    /// Whether `default` replaces it.
    fn is_missing(value: &Self::Value) -> bool;

    /// The number of items, if it has one.
    fn count_items(value: &Self::Value) -> Option<usize>;

    /// Python's `str(value)`.
    fn to_str(&mut self, value: &Self::Value) -> Outcome<Self, Self::Str> {
        print::to_str(self, value)
    }

    /// Python's `repr(value)`.
    fn to_repr(&mut self, value: &Self::Value) -> Outcome<Self, Self::Str>;

    /// Prints a value that only templates make.
    fn print_object<B: StrBuilder<Str = Self::Str>>(
        &mut self,
        _value: &Self::Value,
        _printer: &mut Printer<'_, B>,
    ) -> Outcome<Self, ()> {
        Ok(())
    }

    /// A number; a boolean is 0 or 1.
    fn to_number(value: &Self::Value) -> Option<number::Number<Self::Whole>>;

    /// The items that a loop visits.
    fn iterate_value(&mut self, value: &Self::Value) -> Outcome<Self, Vec<Self::Value>>;

    /// `value[key]`; an undefined value where there is none.
    fn get_item(&mut self, value: &Self::Value, key: &Self::Value) -> Made<Self>;

    /// The value of a key in a dict.
    fn get_entry(
        &mut self,
        dict: &Self::Value,
        key: &Self::Value,
    ) -> Outcome<Self, Option<Self::Value>>;

    /// The order of two values for an operator; nothing if they have none, such as that of `nan`.
    fn compare_values(
        &mut self,
        sign: &str,
        left: &Self::Value,
        right: &Self::Value,
    ) -> Outcome<Self, Option<Ordering>> {
        compare::compare_values(self, sign, left, right)
    }

    fn are_equal(&mut self, left: &Self::Value, right: &Self::Value) -> Outcome<Self, bool> {
        compare::are_equal(self, left, right)
    }

    /// Whether two values that only templates make are equal.
    fn is_same_object(_left: &Self::Value, _right: &Self::Value) -> bool {
        false
    }

    /// The hash of a value that only templates make. Those of equal values are equal.
    fn hash_object(_value: &Self::Value) -> u64 {
        0
    }

    fn is_contained(
        &mut self,
        container: &Self::Value,
        value: &Self::Value,
    ) -> Outcome<Self, bool> {
        compare::is_contained(self, container, value)
    }

    /// The result of an operator.
    fn compute(&mut self, operator: Arith, left: &Self::Value, right: &Self::Value) -> Made<Self> {
        arith::compute(self, operator, left, right)
    }

    /// The result for two whole numbers; nothing if it is not a whole number.
    fn compute_whole(
        &mut self,
        operator: Arith,
        left: &Self::Whole,
        right: &Self::Whole,
    ) -> Outcome<Self, Option<Self::Whole>>;

    /// The operand that decides the source of a result.
    fn data_operand<'v>(left: &'v Self::Value, _right: &'v Self::Value) -> &'v Self::Value {
        left
    }

    /// One string after the other.
    fn add_texts(&mut self, left: &Self::Str, right: &Self::Str) -> Made<Self>;

    /// The entries of a dict by their keys.
    fn sort_entries(
        &mut self,
        entries: &[(Self::Value, Self::Value)],
    ) -> Outcome<Self, sort::Keyed<Self::Value, Self::Value>> {
        self.charge_items(entries.len())?;
        let keyed = entries.iter().map(|entry| (entry.0.clone(), entry.clone()));
        sort::sort_items(self, keyed.collect(), false)
    }

    /// Python's `between.join(…)` of values as they are printed.
    fn join_values(&mut self, items: &[Self::Value], between: Option<&Self::Value>) -> Made<Self>;

    /// Whether it has an effect that one of two strings is found in the other. A word of the template may have none in data, nor data in text of
    /// the template.
    fn may_act(&mut self, one: &Self::Str, other: &Self::Str) -> Outcome<Self, bool>;

    /// Whether a sign of a pattern, such as `%`, is one that is replaced.
    fn may_replace(&mut self, _sign: &Self::Str) -> Outcome<Self, bool> {
        Ok(true)
    }

    /// An error if the order of a word of the template and another string would choose what the template does.
    fn check_order(&mut self, _word: &Self::Str, _other: &Self::Str) -> Outcome<Self, ()> {
        Ok(())
    }

    /// A string that HTML needs no further escapes in.
    fn is_safe(_text: &Self::Str) -> bool {
        false
    }

    fn make_undefined(reason: &str) -> Self::Value;
    fn from_str(text: Self::Str) -> Self::Value;
    /// An escaped string.
    fn from_safe(text: Self::Str) -> Self::Value;
    fn from_bool(value: bool) -> Self::Value;
    /// A number that depends on a value.
    fn from_whole(number: i64, of: &Self::Value) -> Self::Value;
    fn from_number(number: number::Number<Self::Whole>, of: &Self::Value) -> Self::Value;
    /// The text of a number.
    fn text_of_number(text: String, of: &Self::Value) -> Self::Str;
    fn make_none() -> Self::Value;
    fn make_list(&mut self, items: Vec<Self::Value>) -> Made<Self>;
    fn make_tuple(&mut self, items: Vec<Self::Value>) -> Made<Self>;

    /// What `groupby` makes of a key and its items.
    fn make_group(&mut self, key: Self::Value, items: Self::Value) -> Made<Self>;

    /// What is an iterator in Python, with its type. An error is returned where the item is taken.
    fn make_iterator(
        &mut self,
        name: &'static str,
        items: Vec<Self::Value>,
        error: Option<Self::Error>,
    ) -> Made<Self>;

    /// The items of a value of which an iterator is made, and the error of a value without items.
    fn lazy_items(&mut self, value: &Self::Value) -> Outcome<Self, Lazy<Self>>;

    /// The keys, values or items of a dict.
    fn view_of_dict(&mut self, name: &'static str, items: Vec<Self::Value>) -> Made<Self>;

    /// The kind of a value with its article, for messages.
    fn describe_kind(value: &Self::Value) -> &'static str {
        match Self::view_value(value) {
            View::Undefined => "nothing",
            View::None => "`None`",
            View::Bool(_) => "a boolean",
            View::Whole => "a whole number",
            View::Float => "a number",
            View::Str(_) => "text",
            View::List(_) => "a list",
            View::Tuple(_) => "a tuple",
            View::Dict(_) => "a dict",
            View::Object => Self::object_kind(value),
        }
    }

    /// The type of a value that only templates make.
    fn object_kind(_value: &Self::Value) -> &'static str {
        "an object"
    }

    /// The error for a value of another kind.
    fn kind_error(wanted: &str, value: &Self::Value) -> Self::Error {
        match Self::check_defined(value) {
            Err(error) => error,
            Ok(()) => Self::make_error(format!(
                "{wanted}, and this is {}",
                Self::describe_kind(value)
            )),
        }
    }
}

/// Items, and the error that follows them.
pub(crate) type Lazy<H> = (Vec<<H as Host>::Value>, Option<<H as Host>::Error>);

/// The parts of a value that filters look at.
pub(crate) enum View<'v, H: Host> {
    Undefined,
    None,
    Bool(bool),
    Whole,
    Float,
    Str(&'v H::Str),
    List(&'v [H::Value]),
    Tuple(&'v [H::Value]),
    Dict(&'v [(H::Value, H::Value)]),
    /// A value that only templates make.
    Object,
}

/// A string with the source of each byte.
pub(crate) trait SourcedStr: Clone + Deref<Target = str> {
    type Builder: StrBuilder<Str = Self>;

    fn from_template(text: &'static str) -> Self;

    fn slice(&self, range: Range<usize>) -> Self;

    /// Another text of the same source.
    fn with_content(&self, text: String) -> Self;

    fn has_one_source(&self) -> bool;

    /// The string so many times.
    fn repeat_text(&self, times: usize) -> Self;

    /// The string after a change of each of its pieces alone.
    fn map_pieces(&self, change: impl Fn(&str) -> String) -> Self;

    /// The string after a change of the whole of it. Each character keeps its source if their number stays.
    fn change_whole(&self, change: impl FnOnce(&str) -> String) -> Self {
        let changed = change(self);
        if self.has_one_source() || changed.chars().count() != self.chars().count() {
            return self.with_content(changed);
        }
        let mut out = Self::Builder::default();
        for ((at, old), new) in self.char_indices().zip(changed.chars()) {
            let part = self.slice(at..at + old.len_utf8());
            out.push_as(new.encode_utf8(&mut [0; 4]), &part);
        }
        out.finish_like(self)
    }
}

/// A string that is written piece by piece.
pub(crate) trait StrBuilder: Default {
    type Str: SourcedStr;

    fn push_str(&mut self, text: &Self::Str);

    /// Appends a range of a string.
    fn push_range(&mut self, text: &Self::Str, range: Range<usize>);

    fn push_template(&mut self, text: &str);

    /// Appends text of the source of another string.
    fn push_as(&mut self, text: &str, source: &Self::Str);

    /// The string; it is escaped where the other one is.
    fn finish_like(self, other: &Self::Str) -> Self::Str;
}

/// The builder of a host's strings.
pub(crate) type BuilderOf<H> = <<H as Host>::Str as SourcedStr>::Builder;
