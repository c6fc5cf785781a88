//! The state of one rendering that filters, methods and operators share: its placeholders and its limits.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use minijinja::value::{DynObject, Object, ObjectRepr, Value, ValueKind};
use minijinja::{Error, ErrorKind, State};

use crate::instrument::CONTEXT;
use crate::json::invalid_operation;
use crate::marks::Marks;
use crate::node::Size;
use crate::print;
use crate::render::InputMap;
use prompt_base::json::{JsonPrinter, MAX_DEPTH};

/// The bytes that one item of a list or map counts as.
const ITEM_BYTES: usize = 64;

/// The bytes that one call of a function, filter, test or method counts as.
const CALL_BYTES: usize = 256;

/// The placeholders and the remaining memory of one rendering.
pub(crate) struct RenderContext {
    pub(crate) marks: Option<Arc<Marks>>,
    /// Bytes that the template may allocate.
    memory: u64,
    left: AtomicU64,
}

impl fmt::Debug for RenderContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RenderContext")
    }
}

impl Object for RenderContext {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }
}

/// A limit that a rendering exceeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exceeded {
    Memory(u64),
    Output(usize),
    Depth,
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exceeded::Memory(bytes) => {
                write!(f, "the chat template allocates more than {bytes} bytes")
            }
            Exceeded::Output(bytes) => {
                write!(f, "the chat template writes more than {bytes} bytes")
            }
            Exceeded::Depth => write!(
                f,
                "the chat template builds values nested more than {MAX_DEPTH} levels deep"
            ),
        }
    }
}

impl std::error::Error for Exceeded {}

impl From<Exceeded> for Error {
    fn from(exceeded: Exceeded) -> Error {
        Error::new(ErrorKind::InvalidOperation, "a limit is exceeded").with_source(exceeded)
    }
}

impl RenderContext {
    /// `left`: the bytes that the renderings of one conversation may still allocate together.
    pub(crate) fn new(marks: Option<Arc<Marks>>, memory: u64, left: u64) -> RenderContext {
        // A placeholder is up to four times as long as its character.
        let longer = if marks.is_some() { 4 } else { 1 };
        RenderContext {
            marks,
            memory,
            left: AtomicU64::new(memory.saturating_mul(longer).min(left)),
        }
    }

    pub(crate) fn memory_left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    /// The context of a running template.
    pub(crate) fn from_state(state: &State<'_, '_>) -> Result<Arc<RenderContext>, Error> {
        let value = state.lookup(CONTEXT);
        let context = value.and_then(|value| value.downcast_object::<RenderContext>());
        let context = context.ok_or_else(|| {
            Error::new(
                ErrorKind::InvalidOperation,
                format!("`{CONTEXT}` is reserved"),
            )
        })?;
        context.charge_bytes(CALL_BYTES)?;
        Ok(context)
    }

    pub(crate) fn marks(&self) -> Option<&Marks> {
        self.marks.as_deref()
    }

    /// Counts bytes that are allocated, compared or searched.
    pub(crate) fn charge_bytes(&self, bytes: usize) -> Result<(), Error> {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let subtract = |left: u64| left.checked_sub(bytes);
        let result = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, subtract);
        result
            .map(drop)
            .map_err(|_| Exceeded::Memory(self.memory).into())
    }

    pub(crate) fn charge_items(&self, items: usize) -> Result<(), Error> {
        self.charge_bytes(items.saturating_mul(ITEM_BYTES))
    }

    /// Counts what a printer wrote since `charged` bytes, and checks its depth.
    pub(crate) fn charge_printed(
        &self,
        printer: &JsonPrinter<'_>,
        charged: &mut usize,
    ) -> Result<(), Error> {
        let len = printer.out.len();
        self.charge_bytes(len - std::mem::replace(charged, len))?;
        match printer.depth() > MAX_DEPTH {
            true => Err(Exceeded::Depth.into()),
            false => Ok(()),
        }
    }

    /// A string with the characters that its placeholders represent.
    pub(crate) fn real_text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.marks() {
            Some(marks)
                if text
                    .chars()
                    .any(|char| marks.represented_char(char).is_some()) =>
            {
                let real = text
                    .chars()
                    .map(|char| marks.represented_char(char).map_or(char, |real| real.0));
                Cow::Owned(real.collect())
            }
            _ => Cow::Borrowed(text),
        }
    }

    /// A value with the characters that its placeholders represent, at most as deep as values may nest.
    pub(crate) fn real_value(&self, value: &Value) -> Result<Value, Error> {
        if self.marks.is_none() {
            return Ok(value.clone());
        }
        Ok(match (value.kind(), value.as_str()) {
            (_, Some(text)) => match self.real_text(text) {
                Cow::Owned(real) => Value::from(real),
                Cow::Borrowed(_) => value.clone(),
            },
            (ValueKind::Seq | ValueKind::Iterable, _) => {
                let items = value.try_iter()?.map(|item| self.real_value(&item));
                Value::from(items.collect::<Result<Vec<_>, _>>()?)
            }
            (ValueKind::Map, _) => {
                let pairs = value.try_iter()?.map(|key| {
                    let item = value.get_item(&key)?;
                    Ok((self.real_value(&key)?, self.real_value(&item)?))
                });
                Value::from_pairs(pairs.collect::<Result<Vec<_>, Error>>()?)
            }
            _ => value.clone(),
        })
    }

    /// The text that a value is printed as.
    pub(crate) fn printed_text<'a>(&self, value: &'a Value) -> Result<Cow<'a, str>, Error> {
        if let Some(text) = value.as_str() {
            return Ok(Cow::Borrowed(text));
        }
        let text = print::print_python(value, self)?;
        Ok(Cow::Owned(text.unwrap_or_else(|| value.to_string())))
    }

    /// A value that the template built: counted, without an iterator, and not nested too deep.
    pub(crate) fn charge_new(&self, value: Value) -> Result<Value, Error> {
        if let Some(text) = value.as_str() {
            self.charge_bytes(text.len())?;
            return Ok(value);
        }
        let value = match value.kind() {
            ValueKind::Iterable => {
                let mut items = Vec::new();
                for item in value.try_iter()? {
                    self.charge_items(1)?;
                    items.push(item);
                }
                Value::from(items)
            }
            _ => value,
        };
        self.charge_nested(&value, 0, false)?;
        Ok(value)
    }

    /// Counts what is compared or hashed: the items of a value with their text.
    pub(crate) fn charge_deep(&self, value: &Value) -> Result<(), Error> {
        self.charge_nested(value, 0, true)
    }

    /// Counts the items of a value, of shared lists and maps each time, and checks its depth. With their `text`, or without it; the
    /// keys of maps are always hashed.
    fn charge_nested(&self, value: &Value, depth: usize, text: bool) -> Result<(), Error> {
        let is_map = match value.kind() {
            ValueKind::Seq | ValueKind::Iterable => false,
            ValueKind::Map => true,
            _ => {
                let bytes = value.as_str().map_or(0, str::len);
                return self.charge_bytes(ITEM_BYTES + if text { bytes } else { 0 });
            }
        };
        let given = value.downcast_object_ref::<InputMap>().map(InputMap::size);
        let size = given.unwrap_or(Size::LIST);
        if depth + size.levels > MAX_DEPTH {
            return Err(Exceeded::Depth.into());
        }
        self.charge_items(size.items)?;
        if given.is_some() {
            return self.charge_bytes(if text { size.bytes } else { 0 });
        }
        let pairs = value
            .as_object()
            .filter(|_| is_map)
            .and_then(DynObject::try_iter_pairs);
        if let Some(mut pairs) = pairs {
            return pairs.try_for_each(|(key, item)| {
                self.charge_nested(&key, depth + 1, true)?;
                self.charge_nested(&item, depth + 1, text)
            });
        }
        value
            .try_iter()?
            .try_for_each(|item| self.charge_nested(&item, depth + 1, text))
    }

    /// The input of a filter of the engine, which visits each item with these arguments and may compare the items.
    pub(crate) fn charge_iteration(
        &self,
        value: Value,
        args: &[Value],
        compares: bool,
    ) -> Result<Value, Error> {
        let value = match value.kind() {
            ValueKind::Iterable => self.charge_new(value)?,
            _ => value,
        };
        let items = match value.as_str() {
            Some(text) => text.len(),
            None => value.len().unwrap_or(1),
        };
        self.charge_items(items)?;
        for arg in args {
            self.charge_deep(arg)?;
            // A path of an attribute is read for each item.
            let text = |value: Value| value.as_str().map_or(0, str::len);
            let named = arg.as_object().and_then(DynObject::try_iter_pairs);
            let named = named.into_iter().flatten().map(|pair| text(pair.1));
            let bytes = named.chain([text(arg.clone())]).sum::<usize>();
            self.charge_bytes(items.saturating_mul(bytes))?;
        }
        if compares {
            // As often as sorting compares each item.
            for _ in 0..usize::BITS - items.leading_zeros() {
                self.charge_deep(&value)?;
            }
        }
        Ok(value)
    }

    /// A value for an attribute of a namespace. It contains no namespace: namespaces are the only values that change, so that a
    /// value can neither contain itself nor grow deeper after it was built.
    pub(crate) fn check_assigned(&self, value: Value) -> Result<Value, Error> {
        let value = self.charge_new(value)?;
        match has_namespace(&value) {
            true => Err(invalid_operation("a namespace cannot contain a namespace")),
            false => Ok(value),
        }
    }
}

fn has_namespace(value: &Value) -> bool {
    let Some(object) = value.as_object() else {
        return false;
    };
    if object.is::<InputMap>() {
        return false;
    }
    let inside = match value.kind() {
        ValueKind::Seq => object.try_iter(),
        ValueKind::Map if object.type_name().ends_with("Namespace") => return true,
        ValueKind::Map => object
            .try_iter_pairs()
            .map(|pairs| Box::new(pairs.map(|pair| pair.1)) as _),
        _ => None,
    };
    inside.is_some_and(|mut items| items.any(|item| has_namespace(&item)))
}
