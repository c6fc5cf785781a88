//! The values of the untyped language, as Python has them.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::fault::{Fault, R};
use super::registry::Builtin;
use super::run::{Macro, Run};
use super::text::{Source, Str};
use crate::builtin::compare::{are_equal_keys, hash_key};
use crate::builtin::range::Range;

/// The deepest nesting of a value.
pub(super) const MAX_DEPTH: usize = prompt_base::json::MAX_DEPTH;

/// A value of a chat template. A clone shares strings and containers.
#[derive(Clone)]
pub enum Value {
    /// An undefined value, with the reason.
    Undefined(Rc<str>),
    /// `None`.
    None(Source),
    /// A boolean.
    Bool(bool, Source),
    /// An integer.
    Int(i64, Source),
    /// An integer that does not fit into 64 bits.
    Big(Rc<BigInt>, Source),
    /// A number with a fraction.
    Float(f64, Source),
    /// A string.
    Str(Str),
    /// A list.
    List(Rc<List>),
    /// A tuple.
    Tuple(Rc<List>),
    /// A dict.
    Dict(Rc<Dict>),
    /// What is neither a scalar nor data.
    Object(Rc<Object>),
}

/// Values that only templates make.
pub enum Object {
    Namespace(RefCell<Dict>),
    Range(Range, Source),
    Generator(Generator),
    Macro(Macro),
    Function(&'static Builtin),
    Method(Value, &'static Builtin),
    Loop(LoopState),
    Cycler(Vec<Value>, Cell<usize>),
    Joiner(Value, Cell<bool>),
    /// The members of an object that `groupby` makes: `grouper` and `list`.
    Group(Rc<List>),
    /// The keys, values or items of a dict: a view, which prints as such.
    View(&'static str, Rc<List>),
}

/// Items that can be taken once. They are computed at once; an error is kept until its item is taken.
pub struct Generator {
    pub(super) name: &'static str,
    pub(super) items: RefCell<std::vec::IntoIter<Value>>,
    pub(super) error: RefCell<Option<Box<Fault>>>,
    pub(super) depth: usize,
}

/// The items of a loop. Those of a range are made one by one.
#[derive(Clone)]
pub(super) enum LoopItems {
    List(Rc<List>),
    Range(Range, Source),
}

impl LoopItems {
    pub(super) fn len(&self) -> usize {
        match self {
            LoopItems::List(list) => list.items.len(),
            LoopItems::Range(range, _) => range.len(),
        }
    }

    pub(super) fn get(&self, index: usize) -> Option<Value> {
        match self {
            LoopItems::List(list) => list.items.get(index).cloned(),
            LoopItems::Range(range, source) => {
                (index < range.len()).then(|| Value::Int(range.number_at(index), *source))
            }
        }
    }
}

/// The state of a loop: what `loop` is.
pub struct LoopState {
    pub(super) items: LoopItems,
    pub(super) index: Cell<usize>,
    pub(super) depth: usize,
    pub(super) changed: RefCell<Option<Value>>,
    /// The loop's body, if it is recursive.
    pub(super) recursive: Option<super::run::Recursion>,
}

/// Items with the depth of their nesting.
pub struct List {
    pub(super) items: Vec<Value>,
    depth: usize,
}

impl List {
    pub(super) fn new(items: Vec<Value>) -> List {
        let depth = items.iter().map(Value::depth).max().unwrap_or(0) + 1;
        List { items, depth }
    }
}

/// The entries of a dict, in order.
#[derive(Default)]
pub struct Dict {
    entries: Vec<(Value, Value)>,
    /// The first entry of each hash, in a dict with many entries.
    index: OnceCell<HashMap<u64, usize>>,
    depth: usize,
    /// The input that this dict was made from.
    source: Source,
}

fn is_key(own: &Value, key: &Value) -> bool {
    are_equal_keys::<Run<'static>>(own, key)
}

/// A dict with fewer entries is searched without an index.
const INDEXED: usize = 12;

impl Dict {
    pub(super) fn entries(&self) -> &[(Value, Value)] {
        &self.entries
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn source(&self) -> Source {
        self.source
    }

    /// The first entry of a key.
    pub(super) fn find_key(&self, key: &Value) -> Option<usize> {
        if self.entries.len() < INDEXED {
            return self.entries.iter().position(|entry| is_key(&entry.0, key));
        }
        let index = self.index.get_or_init(|| {
            let mut index = HashMap::with_capacity(self.entries.len());
            for (at, (key, _)) in self.entries.iter().enumerate() {
                index.entry(hash_key::<Run<'static>>(key)).or_insert(at);
            }
            index
        });
        let at = *index.get(&hash_key::<Run<'static>>(key))?;
        if is_key(&self.entries[at].0, key) {
            return Some(at);
        }
        // Two keys of one hash.
        self.entries.iter().position(|entry| is_key(&entry.0, key))
    }

    /// The next entry of an equal key.
    pub(super) fn find_after(&self, at: usize, key: &Value) -> Option<usize> {
        let mut others = self.entries[at + 1..].iter();
        others
            .position(|entry| is_key(&entry.0, key))
            .map(|found| at + 1 + found)
    }

    /// The entry of a name.
    pub(super) fn get_named(&self, name: &str) -> Option<&(Value, Value)> {
        if self.entries.len() < INDEXED {
            let mut entries = self.entries.iter();
            return entries.find(|entry| matches!(&entry.0, Value::Str(text) if **text == *name));
        }
        self.find_key(&Value::template(name))
            .map(|at| &self.entries[at])
    }

    pub(super) fn set_value(&mut self, at: usize, value: Value) {
        self.depth = self.depth.max(value.depth());
        self.entries[at].1 = value;
    }

    /// Adds an entry.
    pub(super) fn push(&mut self, key: Value, value: Value) {
        self.depth = self.depth.max(value.depth()).max(key.depth());
        if let Some(index) = self.index.get_mut() {
            let at = self.entries.len();
            index.entry(hash_key::<Run<'static>>(&key)).or_insert(at);
        }
        self.entries.push((key, value));
    }

    /// A dict whose keys differ.
    pub(super) fn from_entries(entries: Vec<(Value, Value)>) -> Dict {
        let depth = entries
            .iter()
            .map(|(key, value)| key.depth().max(value.depth()))
            .max();
        Dict {
            entries,
            depth: depth.unwrap_or(0),
            ..Dict::default()
        }
    }
}

impl Value {
    /// `None` of the template.
    pub fn none() -> Value {
        Value::None(Source::TEMPLATE)
    }

    /// A boolean of the template.
    pub fn bool(value: bool) -> Value {
        Value::Bool(value, Source::TEMPLATE)
    }

    /// An integer of the template.
    pub(super) fn int(number: i64) -> Value {
        Value::Int(number, Source::TEMPLATE)
    }

    pub(super) fn len_of(number: usize) -> Value {
        Value::int(i64::try_from(number).unwrap_or(i64::MAX))
    }

    pub(super) fn big(number: BigInt, source: Source) -> Value {
        match number.to_i64() {
            Some(small) => Value::Int(small, source),
            None => Value::Big(Rc::new(number), source),
        }
    }

    /// A string of the template.
    pub fn template(text: impl Into<Arc<str>>) -> Value {
        Value::Str(Str::template(text))
    }

    /// A string from pieces of different sources.
    pub fn from_pieces<'p>(pieces: impl IntoIterator<Item = (&'p str, Source)>) -> Value {
        let mut out = super::text::Builder::default();
        for (piece, source) in pieces {
            out.push(piece, source);
        }
        Value::Str(out.finish())
    }

    /// The number that JSON text contains.
    pub fn from_number(text: &str, source: Source) -> Value {
        if let Ok(small) = text.parse::<i64>() {
            return Value::Int(small, source);
        }
        match text.parse::<BigInt>() {
            Ok(number) => Value::big(number, source),
            Err(_) => Value::Float(text.parse().unwrap_or(f64::NAN), source),
        }
    }

    /// A list.
    pub fn list(items: Vec<Value>) -> Value {
        Value::List(Rc::new(List::new(items)))
    }

    pub(super) fn tuple(items: Vec<Value>) -> Value {
        Value::Tuple(Rc::new(List::new(items)))
    }

    /// A dict whose keys differ.
    pub fn dict(entries: Vec<(Value, Value)>) -> Value {
        Value::Dict(Rc::new(Dict::from_entries(entries)))
    }

    /// A dict whose keys differ, which an error of the template names as the [`input`](super::Fault::input) that it concerns.
    pub fn named_dict(entries: Vec<(Value, Value)>, source: Source) -> Value {
        Value::Dict(Rc::new(Dict {
            source,
            ..Dict::from_entries(entries)
        }))
    }

    pub(super) fn object(object: Object) -> Value {
        Value::Object(Rc::new(object))
    }

    pub(super) fn generator(name: &'static str, items: Vec<Value>) -> Value {
        let depth = items.iter().map(Value::depth).max().unwrap_or(0) + 1;
        Value::object(Object::Generator(Generator {
            name,
            items: RefCell::new(items.into_iter()),
            error: RefCell::new(None),
            depth,
        }))
    }

    pub(super) fn undefined(reason: impl Into<Rc<str>>) -> Value {
        Value::Undefined(reason.into())
    }

    pub(super) fn is_undefined(&self) -> bool {
        matches!(self, Value::Undefined(_))
    }

    pub(super) fn as_str(&self) -> Option<&Str> {
        match self {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn depth(&self) -> usize {
        match self {
            Value::List(list) | Value::Tuple(list) => list.depth,
            Value::Dict(dict) => dict.depth + 1,
            Value::Object(object) => match &**object {
                Object::Namespace(_) => 1,
                Object::Generator(generator) => generator.depth,
                Object::Group(list) | Object::View(_, list) => list.depth,
                Object::Method(value, _) | Object::Joiner(value, _) => value.depth() + 1,
                Object::Cycler(items, _) => items.iter().map(Value::depth).max().unwrap_or(0) + 1,
                Object::Loop(state) => match &state.items {
                    LoopItems::List(list) => list.depth + 1,
                    LoopItems::Range(..) => 1,
                },
                Object::Range(..) | Object::Macro(_) | Object::Function(_) => 1,
            },
            _ => 0,
        }
    }

    /// Whether it is or contains a namespace, or what may lead to one.
    pub(super) fn holds_namespace(&self) -> bool {
        match self {
            Value::List(list) | Value::Tuple(list) => list.items.iter().any(Value::holds_namespace),
            Value::Dict(dict) => dict
                .entries
                .iter()
                .any(|(_, value)| value.holds_namespace()),
            Value::Object(object) => {
                !matches!(
                    &**object,
                    Object::Range(..) | Object::Macro(_) | Object::Function(_) | Object::View(..)
                ) && match &**object {
                    Object::Generator(generator) => generator
                        .items
                        .borrow()
                        .as_slice()
                        .iter()
                        .any(Value::holds_namespace),
                    Object::Group(list) => list.items.iter().any(Value::holds_namespace),
                    Object::Cycler(items, _) => items.iter().any(Value::holds_namespace),
                    Object::Joiner(..) => false,
                    Object::Method(value, _) => value.holds_namespace(),
                    _ => true,
                }
            }
            _ => false,
        }
    }

    /// The name of its type in Python.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Value::Undefined(_) => "undefined",
            Value::None(_) => "None",
            Value::Bool(..) => "bool",
            Value::Int(..) | Value::Big(..) => "int",
            Value::Float(..) => "float",
            Value::Str(_) => "str",
            Value::List(_) => "list",
            Value::Tuple(_) => "tuple",
            Value::Dict(_) => "dict",
            Value::Object(object) => match &**object {
                Object::Namespace(_) => "namespace",
                Object::Range(..) => "range",
                Object::Generator(_) => "generator",
                Object::Macro(_) => "macro",
                Object::Function(_) => "function",
                Object::Method(..) => "method",
                Object::Loop(_) => "loop",
                Object::Cycler(..) => "cycler",
                Object::Joiner(..) => "joiner",
                Object::Group(_) => "tuple",
                Object::View(name, _) => name,
            },
        }
    }

    /// Python's truth.
    pub(super) fn is_true(&self) -> bool {
        match self {
            Value::Undefined(_) | Value::None(_) => false,
            Value::Bool(value, _) => *value,
            Value::Int(number, _) => *number != 0,
            Value::Big(..) => true,
            Value::Float(number, _) => *number != 0.0,
            Value::Str(text) => !text.is_empty(),
            Value::List(list) | Value::Tuple(list) => !list.items.is_empty(),
            Value::Dict(dict) => dict.len() > 0,
            Value::Object(object) => match &**object {
                Object::Range(range, _) => range.len() > 0,
                Object::View(_, list) => !list.items.is_empty(),
                _ => true,
            },
        }
    }

    /// The source of a value that is printed.
    pub(super) fn source(&self) -> Source {
        match self {
            Value::None(source)
            | Value::Bool(_, source)
            | Value::Int(_, source)
            | Value::Big(_, source)
            | Value::Float(_, source) => *source,
            Value::Str(text) => text.source(),
            Value::Object(object) => match &**object {
                Object::Range(_, source) => *source,
                _ => Source::TEMPLATE,
            },
            _ => Source::TEMPLATE,
        }
    }

    /// Whether it can be a key.
    pub(super) fn is_hashable(&self) -> bool {
        match self {
            Value::List(_) | Value::Dict(_) => false,
            Value::Tuple(list) => list.items.iter().all(Value::is_hashable),
            Value::Object(object) => match &**object {
                // Views that are sets are compared by their items.
                Object::View(name, _) => *name == "dict_values",
                // A group has a list.
                Object::Group(_) => false,
                _ => true,
            },
            _ => true,
        }
    }

    /// The items that a loop visits.
    pub(super) fn iterate(&self) -> R<Vec<Value>> {
        Ok(match self {
            Value::Undefined(_) => Vec::new(),
            Value::Str(text) => text
                .char_indices()
                .map(|(at, char)| {
                    let mut char = text.slice(at..at + char.len_utf8());
                    char.safe = false;
                    Value::Str(char)
                })
                .collect(),
            Value::List(list) | Value::Tuple(list) => list.items.clone(),
            Value::Dict(dict) => dict.entries.iter().map(|entry| entry.0.clone()).collect(),
            Value::Object(object) => match &**object {
                Object::Range(range, source) => {
                    let numbers = range.numbers();
                    numbers.map(|number| Value::Int(number, *source)).collect()
                }
                Object::Generator(generator) => {
                    let items = std::mem::take(&mut *generator.items.borrow_mut()).collect();
                    if let Some(error) = generator.error.borrow_mut().take() {
                        return Err(error);
                    }
                    items
                }
                Object::Group(list) | Object::View(_, list) => list.items.clone(),
                _ => return Err(self.not_iterable()),
            },
            _ => return Err(self.not_iterable()),
        })
    }

    fn not_iterable(&self) -> Box<Fault> {
        Fault::new(format!("'{}' object is not iterable", self.kind()))
    }

    /// The number of items, if it has one.
    pub(super) fn length(&self) -> Option<usize> {
        Some(match self {
            Value::Undefined(_) => 0,
            Value::Str(text) => text.count(),
            Value::List(list) | Value::Tuple(list) => list.items.len(),
            Value::Dict(dict) => dict.len(),
            Value::Object(object) => match &**object {
                Object::Range(range, _) => range.len(),
                Object::Group(list) | Object::View(_, list) => list.items.len(),
                Object::Loop(state) => state.items.len(),
                _ => return None,
            },
            _ => return None,
        })
    }

    pub(super) fn as_object(&self) -> Option<&Object> {
        match self {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys that share a hash are searched one by one.
    #[test]
    fn keys_that_differ_have_hashes_that_differ() {
        let whole = |number: BigInt| Value::Big(Rc::new(number), Source::TEMPLATE);
        let float = |number| Value::Float(number, Source::TEMPLATE);
        let tuple = |items| Value::Tuple(Rc::new(List::new(items)));
        let range = |start, stop, step| {
            Value::Object(Rc::new(Object::Range(
                Range { start, stop, step },
                Source::TEMPLATE,
            )))
        };
        let power = BigInt::from(2).pow(100);
        let hash = hash_key::<Run<'static>>;
        for (left, right) in [
            (whole(power.clone()), float(2_f64.powi(100))),
            (Value::int(1), Value::bool(true)),
            (Value::int(0), float(-0.0)),
            (whole(power.clone() + 1), whole(power.clone() + 1)),
            (range(0, 5, 3), range(0, 4, 3)),
            (range(0, 0, 1), range(7, 3, 2)),
        ] {
            assert!(is_key(&left, &right));
            assert_eq!(hash(&left), hash(&right));
        }
        let nothing = || tuple(Vec::new());
        let long = BigInt::from(2).pow(2000);
        for (left, right) in [
            (whole(power.clone() + 1), whole(power.clone() + 2)),
            (whole(power.clone()), whole(power + 1)),
            (Value::int(i64::MAX), Value::int(i64::MAX - 1)),
            (whole(long.clone()), whole(long + 1)),
            (nothing(), tuple(vec![nothing()])),
            (tuple(vec![nothing(), nothing()]), tuple(vec![nothing()])),
            (range(0, 5, 1), range(0, 6, 1)),
        ] {
            assert!(!is_key(&left, &right));
            assert_ne!(hash(&left), hash(&right));
        }
        let joiner = || Value::Object(Rc::new(Object::Joiner(Value::none(), Cell::new(false))));
        let joiners = [joiner(), joiner()];
        assert_ne!(hash(&joiners[0]), hash(&joiners[1]));
    }
}
