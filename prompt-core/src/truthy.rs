//! The truth value of field types in conditions, and the unwrapping of an `Option` inside an `if` block.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::path::{Path, PathBuf};

use crate::{DebugValue, DisplayValue, History, Json, Media, Messages, Text};

/// Whether a value counts as there in a condition: `""`, `0`, `false` and empty lists do not, as in Python.
///
/// ```
/// use typed_prompt::value::Truthy;
///
/// assert!("text".is_truthy());
/// assert!(!"".is_truthy() && !0.is_truthy() && !Vec::<u8>::new().is_truthy());
///
/// struct Ticket;
/// impl Truthy for Ticket {} // always there
/// assert!(Ticket.is_truthy());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used in a condition",
    label = "not known to be true or false",
    note = "text, numbers, `bool`, lists and `Option`s can; for a type of your own write `impl Truthy for {Self} {{}}`",
    note = "a type of another crate: make the field `DisplayValue<T>`, from `typed_prompt::value`"
)]
pub trait Truthy {
    /// Whether the value counts as there.
    fn is_truthy(&self) -> bool {
        true
    }
}

/// The value of a condition inside its block: an `Option` of whatever type is unwrapped, every other value is unchanged.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used in a condition",
    label = "not known to be true or false",
    note = "text, numbers, `bool`, lists and `Option`s can; for a type `T` of your own write `impl Truthy for T {{}}`",
    note = "a type of another crate: make the field `DisplayValue<T>`, from `typed_prompt::value`"
)]
pub trait Present {
    /// The type of the value inside the block.
    type Inner: ?Sized;

    /// Returns the value if a condition of the angle dialect is true: an `Option` is `Some`, any other value counts as there. In the Jinja dialect, the value of an
    /// `Option` counts as there too.
    fn as_given(&self) -> Option<&Self::Inner>;
}

#[diagnostic::do_not_recommend]
impl<T: Truthy + ?Sized> Present for T {
    type Inner = T;

    fn as_given(&self) -> Option<&T> {
        self.is_truthy().then_some(self)
    }
}

// `Option` is not `Truthy` itself, so that these implementations do not overlap with the blanket one.
macro_rules! options {
    ($($ty:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T> Present for $ty {
            type Inner = T;

            fn as_given(&self) -> Option<&T> {
                self.as_ref()
            }
        }
    )*};
}

options! { Option<T>, &Option<T>, &&Option<T> }

macro_rules! truthy {
    ($($ty:ty, |$value:ident| $test:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Truthy for $ty {
            fn is_truthy(&self) -> bool {
                let $value = self;
                $test
            }
        }
    )*};
}

truthy! {
    str, |text| !text.is_empty();
    String, |text| !text.is_empty();
    Text, |text| !text.is_empty();
    Path, |path| !path.as_os_str().is_empty();
    PathBuf, |path| !path.as_os_str().is_empty();
    bool, |value| *value;
    f32, |number| *number != 0.0;
    f64, |number| *number != 0.0;
    History, |history| !history.is_empty();
    Messages, |messages| !messages.is_empty();
    Json, |json| !matches!(json.as_str(), "null" | "false" | "0" | "\"\"" | "[]" | "{}");
}

macro_rules! whole_numbers {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Truthy for $ty {
            fn is_truthy(&self) -> bool {
                *self != 0
            }
        }
    )*};
}

whole_numbers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

macro_rules! always {
    ($($ty:ty)*) => {$( #[diagnostic::do_not_recommend] impl Truthy for $ty {} )*};
}

always! { char Media }
crate::value::for_non_zero! { always }

macro_rules! wrappers {
    ($([$($bound:tt)*] $ty:ty, |$value:ident| $inner:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Truthy $($bound)* + ?Sized> Truthy for $ty {
            fn is_truthy(&self) -> bool {
                let $value = self;
                $inner.is_truthy()
            }
        }
    )*};
}

crate::value::for_wrappers! { wrappers }

#[diagnostic::do_not_recommend]
impl<T> Truthy for DisplayValue<T> {}
#[diagnostic::do_not_recommend]
impl<T> Truthy for DebugValue<T> {}

macro_rules! lists {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Truthy for $ty {
            fn is_truthy(&self) -> bool {
                !self.is_empty()
            }
        }
    )*};
}

lists! {
    [T] [T];
    [T, const N: usize] [T; N];
    [T] Vec<T>;
    [T] VecDeque<T>;
    [T] LinkedList<T>;
    [T] BTreeSet<T>;
    [T, S] HashSet<T, S>;
    [K, V] BTreeMap<K, V>;
    [K, V, S] HashMap<K, V, S>;
}

/// As in Python: `null`, `false`, `0`, `""`, `[]` and `{}` are false.
#[diagnostic::do_not_recommend]
impl Truthy for serde_json::Value {
    fn is_truthy(&self) -> bool {
        match self {
            serde_json::Value::Null => false,
            serde_json::Value::Bool(value) => *value,
            serde_json::Value::Number(number) => number.as_f64() != Some(0.0),
            serde_json::Value::String(text) => !text.is_empty(),
            serde_json::Value::Array(items) => !items.is_empty(),
            serde_json::Value::Object(entries) => !entries.is_empty(),
        }
    }
}
