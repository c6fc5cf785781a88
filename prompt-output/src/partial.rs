//! The part of a typed value that has arrived.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, Hash};

use serde_core::de::DeserializeOwned;
use serde_json::Value;

use crate::deserialize::from_value;

/// A type with a form for the part of its value that has arrived.
///
/// The derive generates it: for a struct `Menu` a struct `PartialMenu`, whose fields are `Option`s. A string grows while it arrives, and lists,
/// maps and structs fill up. Numbers, booleans and enums are present once they are complete.
///
/// ```
/// use typed_prompt::output::{Partial, Schema};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema, Partial)]
/// struct Menu {
///     name: String,
///     dishes: Vec<Dish>,
/// }
///
/// #[derive(serde::Deserialize, schemars::JsonSchema, Partial)]
/// struct Dish {
///     title: String,
///     price: Option<f64>,
/// }
///
/// let text = r#"{"name": "Lunch", "dishes": [{"title": "Soup", "price": 4.5}, {"title": "Sal"#;
/// let parsed = Schema::from_type::<Menu>()?.parse_partial(text).unwrap();
/// let menu: PartialMenu = parsed.to_partial::<Menu>().unwrap();
/// assert_eq!(menu.name.as_deref(), Some("Lunch"));
/// let dishes = menu.dishes.unwrap();
/// assert_eq!((dishes[0].title.as_deref(), dishes[0].price), (Some("Soup"), Some(4.5)));
/// assert_eq!((dishes[1].title.as_deref(), dishes[1].price), (Some("Sal"), None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no form for the part of its value that has arrived",
    label = "does not implement `Partial`",
    note = "write `#[derive(typed_prompt::output::Partial)]` above the type, or `#[partial(complete)]` above the field: it is then present once it is complete"
)]
pub trait Partial: Sized {
    /// The part of a value.
    type Partial;

    /// Returns the part of the value that has arrived. `None` if there is nothing of it.
    fn from_partial(value: &PartialValue<'_>) -> Option<Self::Partial>;
}

/// A value in an answer that is still arriving, as [`Partial::from_partial`] receives it.
///
/// ```
/// use typed_prompt::output::{Partial, PartialValue};
///
/// /// A text that is shown only once it is complete.
/// struct Title(String);
///
/// impl Partial for Title {
///     type Partial = Title;
///
///     fn from_partial(value: &PartialValue<'_>) -> Option<Title> {
///         value.complete().map(Title)
///     }
/// }
/// ```
#[derive(Clone, Debug)]
pub struct PartialValue<'a> {
    value: &'a Value,
    /// The parts of the value that are not final, as JSON pointers from the value.
    open: Vec<&'a str>,
}

impl<'a> PartialValue<'a> {
    pub(crate) fn new(value: &'a Value, open: &'a [String]) -> PartialValue<'a> {
        PartialValue {
            value,
            open: open.iter().map(String::as_str).collect(),
        }
    }

    /// The JSON of the part that has arrived.
    pub fn json(&self) -> &'a Value {
        self.value
    }

    /// Whether the value, and everything in it, is complete.
    pub fn is_final(&self) -> bool {
        self.open.is_empty()
    }

    /// Returns the value once it is complete.
    pub fn complete<T: DeserializeOwned>(&self) -> Option<T> {
        match self.is_final() {
            true => from_value(self.value).ok(),
            false => None,
        }
    }

    /// Returns the value of a key of an object, if it has arrived.
    pub fn field(&self, name: &str) -> Option<PartialValue<'a>> {
        let value = self.value.get(name)?;
        Some(self.inner(&name.replace('~', "~0").replace('/', "~1"), value))
    }

    /// Returns the items of a list that have arrived.
    pub fn items(&self) -> Option<impl Iterator<Item = PartialValue<'a>>> {
        let items = self.value.as_array()?.iter().enumerate();
        Some(items.map(move |(index, item)| self.inner(&index.to_string(), item)))
    }

    /// Returns the entries of an object that have arrived.
    pub fn entries(&self) -> Option<impl Iterator<Item = (&'a str, PartialValue<'a>)>> {
        let names = self.value.as_object()?.keys();
        Some(names.filter_map(move |name| Some((name.as_str(), self.field(name)?))))
    }

    fn inner(&self, step: &str, value: &'a Value) -> PartialValue<'a> {
        let is_inside = |rest: &&str| rest.is_empty() || rest.starts_with('/');
        let open = self
            .open
            .iter()
            .filter_map(|open| open.strip_prefix('/')?.strip_prefix(step).filter(is_inside));
        PartialValue {
            value,
            open: open.collect(),
        }
    }
}

impl Partial for String {
    type Partial = String;

    fn from_partial(value: &PartialValue<'_>) -> Option<String> {
        value.value.as_str().map(str::to_owned)
    }
}

impl<T: Partial> Partial for Vec<T> {
    type Partial = Vec<T::Partial>;

    fn from_partial(value: &PartialValue<'_>) -> Option<Vec<T::Partial>> {
        let items = value.items()?;
        Some(items.filter_map(|item| T::from_partial(&item)).collect())
    }
}

impl<T: Partial> Partial for Option<T> {
    type Partial = T::Partial;

    fn from_partial(value: &PartialValue<'_>) -> Option<T::Partial> {
        match value.value {
            Value::Null => None,
            _ => T::from_partial(value),
        }
    }
}

impl<T: Partial> Partial for Box<T> {
    type Partial = Box<T::Partial>;

    fn from_partial(value: &PartialValue<'_>) -> Option<Box<T::Partial>> {
        T::from_partial(value).map(Box::new)
    }
}

impl<T: Partial> Partial for BTreeMap<String, T> {
    type Partial = BTreeMap<String, T::Partial>;

    fn from_partial(value: &PartialValue<'_>) -> Option<Self::Partial> {
        partial_entries::<T, _>(value)
    }
}

impl<T: Partial, S: BuildHasher + Default> Partial for HashMap<String, T, S> {
    type Partial = HashMap<String, T::Partial, S>;

    fn from_partial(value: &PartialValue<'_>) -> Option<Self::Partial> {
        partial_entries::<T, _>(value)
    }
}

fn partial_entries<T: Partial, M: FromIterator<(String, T::Partial)>>(
    value: &PartialValue<'_>,
) -> Option<M> {
    let part =
        |(name, value): (&str, PartialValue<'_>)| Some((name.to_owned(), T::from_partial(&value)?));
    Some(value.entries()?.filter_map(part).collect())
}

macro_rules! complete {
    ($($ty:ty $(where [$($parameter:tt)*])?),* $(,)?) => {$(
        impl $(<$($parameter)*>)? Partial for $ty {
            type Partial = $ty;

            fn from_partial(value: &PartialValue<'_>) -> Option<$ty> {
                value.complete()
            }
        }
    )*};
}

complete! {
    (), bool, char, f32, f64, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, Value, std::path::PathBuf,
    std::time::Duration, std::net::IpAddr, std::net::Ipv4Addr, std::net::Ipv6Addr,
    BTreeSet<T> where [T: DeserializeOwned + Ord],
    HashSet<T, S> where [T: DeserializeOwned + Eq + Hash, S: BuildHasher + Default],
    (A,) where [A: DeserializeOwned],
    (A, B) where [A: DeserializeOwned, B: DeserializeOwned],
    (A, B, C) where [A: DeserializeOwned, B: DeserializeOwned, C: DeserializeOwned],
}
