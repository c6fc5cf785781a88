//! The items that generated code uses.

use std::marker::PhantomData;

pub use ::core;
pub use ::core::option::Option::{None, Some};
pub use serde_json::Value;
pub use std::string::String;

pub use crate::truthy::Present;
pub use crate::{
    AcceptsTools, Fingerprint, List, Messages, Pairs, Prompt, PromptInfo, Reply, Result, Role,
    SlotData, Slots, SystemSafe, ToHistory, ToMedia, ToPrompt, ToTools, Truthy, Writer, filter,
};

pub use crate::Untrusted;
pub use crate::output::parse_text;
#[cfg(feature = "schema")]
pub use crate::output::typed::{Typed, answer, expect_outputs};
#[cfg(feature = "schema")]
pub use crate::output::{Partial, PartialValue, json_schema, parse_json};
pub use crate::untrusted::note_conversion;

/// The slots of a prompt as lines, such as `user question 3 14`: see `SlotList`.
pub const fn slots_from_lines(lines: &'static str) -> Slots {
    Slots::from_lines(lines)
}

/// The JSON Schema of an output type, if it has one.
pub type OutputSchema = Option<Value>;

/// Whether a type is [`Untrusted`], by whatever name it is written: `IsUntrusted::<T>::FOUND`.
pub struct IsUntrusted<T: ?Sized>(PhantomData<T>);

/// The answer for every type that has none of its own. An associated constant of the type itself precedes that of a trait.
pub trait NotUntrusted {
    /// Whether it is.
    const FOUND: bool = false;
}

impl<T: ?Sized> NotUntrusted for IsUntrusted<T> {}

macro_rules! untrusted {
    ($($ty:ty)*) => {$(
        impl<T> IsUntrusted<$ty> {
            /// Whether it is.
            pub const FOUND: bool = true;
        }
    )*};
}

untrusted! { Untrusted<T> &Untrusted<T> Option<Untrusted<T>> Option<&Untrusted<T>> Vec<Untrusted<T>> &[Untrusted<T>] Box<Untrusted<T>> }

/// What a field `#[prompt(examples)]` can have: a history, with another message for what is none.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of examples",
    label = "no examples",
    note = "use `Examples`, which `Examples::turns` and `Examples::texts` make from prompts, or a list of pairs of question and answer, `Vec<(String, String)>`"
)]
pub trait ExampleTurns: ToHistory {}

#[diagnostic::do_not_recommend]
impl<T: ToHistory> ExampleTurns for T {}

/// The turns of a field with examples.
pub fn example_turns<T: ExampleTurns>(examples: &T) -> &dyn ToHistory {
    examples
}

/// Whether a condition of the angle dialect is true.
pub fn is_given<T: Present + ?Sized>(value: &T) -> bool {
    value.as_given().is_some()
}

/// The value of a condition of the angle dialect inside its block.
pub fn given_value<T: Present + ?Sized>(value: &T) -> Option<&T::Inner> {
    value.as_given()
}

/// Whether a condition of the Jinja dialect is true.
pub fn is_truthy<T: Present<Inner: Truthy> + ?Sized>(value: &T) -> bool {
    truthy_value(value).is_some()
}

/// The value of a condition of the Jinja dialect inside its block.
pub fn truthy_value<T: Present<Inner: Truthy> + ?Sized>(value: &T) -> Option<&T::Inner> {
    value.as_given().filter(Truthy::is_truthy)
}

/// The value before a `??`.
pub fn optional_value<T>(value: &Option<T>) -> Option<&T> {
    value.as_ref()
}

/// A value of which a test has shown that it is there: an `Option` loses its layer, any other value stays as it is.
pub struct ShownValue<'v, T: ?Sized>(pub &'v T);

impl<'v, T> ShownValue<'v, Option<T>> {
    /// The value inside.
    pub fn without_option(self) -> Option<&'v T> {
        self.0.as_ref()
    }
}

impl<'v, T> ShownValue<'v, &'v Option<T>> {
    /// The value inside.
    pub fn without_option(self) -> Option<&'v T> {
        self.0.as_ref()
    }
}

/// The answer for every type that is not an `Option`.
pub trait OtherValue<'v> {
    /// Its type.
    type Value: ?Sized;

    /// The value itself.
    fn without_option(self) -> Option<&'v Self::Value>;
}

impl<'v, T: ?Sized> OtherValue<'v> for ShownValue<'v, T> {
    type Value = T;

    fn without_option(self) -> Option<&'v T> {
        Some(self.0)
    }
}

/// The items of a `for` block.
pub fn iter_list<L: List + ?Sized>(list: &L) -> L::Iter<'_> {
    list.items()
}

/// The pairs of a `for` block with two names.
pub fn iter_pairs<P: Pairs + ?Sized>(pairs: &P) -> P::Iter<'_> {
    pairs.pairs()
}

pub use crate::compare::{
    CompareBool, CompareNumber, CompareText, FromLabel, Label, LabelValue, Labels, NoLabels,
    expect_label,
};
pub use crate::list::enumerate_loop;
pub use crate::struct_fields::{
    CheckedPath, FieldsOf, NoFields, StructField, StructFields, expect_path, labels_of,
};

/// Fails to compile for a value that must not be used in a system message.
pub fn system_safe<T: SystemSafe + ?Sized>(_: &T) {}

/// Returns what a function of the program returned for a slot of the system message.
pub fn in_system<T: SystemSafe>(value: T) -> T {
    value
}

pub use crate::Origin;

pub use ::core::option::Option;
pub use std::vec::Vec;

/// The items that the expansion of `#[derive(Tools)]` uses.
pub mod tools {
    #[cfg(feature = "schema")]
    pub use crate::tool::argument::argument;
    #[cfg(feature = "schema")]
    pub use crate::tool::set::{Once, Parameters, Set};
    pub use crate::{Error, Tool, ToolCall, Tools};
    pub use std::vec::Vec;
}

pub use crate::format::check::check_format;
