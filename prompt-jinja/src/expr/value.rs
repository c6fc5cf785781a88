//! The value of an expression.

use std::rc::Rc;

use crate::builtin::Host;
use crate::builtin::compare::are_equal_keys;
use crate::expr::host::Typed;
use crate::expr::{EvalError, Result, Str, ToValue};
use prompt_core::{Origin, Text};

/// A value of an expression, as Python would have it. A clone shares its strings and lists.
///
/// ```
/// use typed_prompt::jinja::Value;
///
/// let list = Value::List([Value::Int(1), Value::Bool(true), Value::None].into());
/// assert_eq!(list.to_string(), "[1, True, None]");
/// ```
#[derive(Clone, Debug)]
pub enum Value<'a> {
    /// An undefined value with the message for its use: every use except `is defined` and `default` is an error.
    Undefined(Rc<str>),
    /// A value that could not be computed, such as a fragment with a failed value: every use is an error.
    Failed(EvalError),
    /// `None`.
    None,
    /// The `None` of an `Option`: as `None`, but `default` gives its default, and `is defined` does not hold.
    Absent,
    /// `True` or `False`; a number where one is asked.
    Bool(bool),
    /// An integer. Python's integers have no bounds; here an overflow is an error.
    Int(i128),
    /// A number with a fraction.
    Float(f64),
    /// Text.
    Text(Str<'a>),
    /// A list.
    List(Rc<[Value<'a>]>),
    /// A tuple.
    Tuple(Rc<[Value<'a>]>),
    /// A dict, in the order of its entries.
    Dict(Rc<Dict<'a>>),
}

/// The value of a field. Its text is data of that slot.
///
/// ```
/// use prompt_jinja::private as expr;
///
/// assert_eq!(expr::field_value("tags", &["a", "b"]).to_string(), "['a', 'b']");
/// ```
pub fn field_value<'a, T: ToValue + ?Sized>(slot: &'static str, value: &'a T) -> Value<'a> {
    value.to_value(Origin::Data(Some(slot)))
}

/// A string of the template.
///
/// ```
/// assert_eq!(prompt_jinja::private::template_str("a").to_string(), "a");
/// ```
pub fn template_str(text: &'static str) -> Value<'static> {
    Value::Text(Str::new(text, Origin::Template))
}

/// A list.
///
/// ```
/// use prompt_jinja::private::list;
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(list(vec![Value::Int(1)]).to_string(), "[1]");
/// ```
pub fn list(items: Vec<Value<'_>>) -> Value<'_> {
    Value::List(items.into())
}

/// A tuple.
///
/// ```
/// use prompt_jinja::private::tuple;
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(tuple(vec![Value::Int(1)]).to_string(), "(1,)");
/// ```
pub fn tuple(items: Vec<Value<'_>>) -> Value<'_> {
    Value::Tuple(items.into())
}

/// A dict. A repeated key replaces the value of its entry.
///
/// # Errors
/// A list or a dict as a key.
///
/// ```
/// use prompt_jinja::private::{dict, template_str};
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(dict(vec![(template_str("a"), Value::Int(1))])?.to_string(), "{'a': 1}");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn dict<'a>(entries: Vec<(Value<'a>, Value<'a>)>) -> Result<Value<'a>> {
    let mut dict = Dict::default();
    for (key, value) in entries {
        dict.insert(key, value)?;
    }
    Ok(dict.into())
}

/// A dict of the fields of a struct: what `#[derive(ToValue)]` makes.
///
/// ```
/// use prompt_jinja::private::record;
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(record([("age", Value::Int(36))]).to_string(), "{'age': 36}");
/// ```
pub fn record<'a, const N: usize>(fields: [(&'static str, Value<'a>); N]) -> Value<'a> {
    let entries = fields.map(|(name, value)| (template_str(name), value));
    Dict::from_entries(entries.into()).into()
}

/// The entries of a dict, in order.
///
/// ```
/// use std::collections::BTreeMap;
/// use typed_prompt::{jinja::{ToValue, Value}, message::Origin};
///
/// let prices = BTreeMap::from([("tea", 3)]);
/// let Value::Dict(dict) = prices.to_value(Origin::Data(Some("prices"))) else { panic!() };
/// assert_eq!(dict.entries()[0].0.to_string(), "tea");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Dict<'a> {
    entries: Vec<(Value<'a>, Value<'a>)>,
}

impl Value<'_> {
    /// The same value, borrowed from nothing.
    pub(crate) fn to_static(&self) -> Value<'static> {
        let all = |items: &[Value<'_>]| items.iter().map(Value::to_static).collect();
        match self {
            Value::Undefined(why) => Value::Undefined(why.clone()),
            Value::Failed(fault) => Value::Failed(fault.clone()),
            Value::None => Value::None,
            Value::Absent => Value::Absent,
            Value::Bool(value) => Value::Bool(*value),
            Value::Int(number) => Value::Int(*number),
            Value::Float(number) => Value::Float(*number),
            Value::Text(text) => Value::Text(text.to_static()),
            Value::List(items) => Value::List(all(items)),
            Value::Tuple(items) => Value::Tuple(all(items)),
            Value::Dict(dict) => {
                let entries = dict.entries().iter();
                let entries = entries.map(|(key, value)| (key.to_static(), value.to_static()));
                Dict::from_entries(entries.collect()).into()
            }
        }
    }
}

impl<'a> Dict<'a> {
    /// Entries whose keys are known to differ.
    pub(crate) fn from_entries(entries: Vec<(Value<'a>, Value<'a>)>) -> Dict<'a> {
        Dict { entries }
    }

    /// The keys and values, in order.
    pub fn entries(&self) -> &[(Value<'a>, Value<'a>)] {
        &self.entries
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &Value<'a>> {
        self.entries.iter().map(|entry| &entry.0)
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn get(&self, key: &Value<'a>) -> Option<&Value<'a>> {
        let found = self
            .entries
            .iter()
            .find(|entry| are_equal_keys::<Typed<'a>>(&entry.0, key));
        found.map(|entry| &entry.1)
    }

    pub(crate) fn get_str(&self, key: &str) -> Option<&Value<'a>> {
        let found = self
            .entries
            .iter()
            .find(|entry| matches!(&entry.0, Value::Text(text) if **text == *key));
        found.map(|entry| &entry.1)
    }

    fn insert(&mut self, key: Value<'a>, value: Value<'a>) -> Result<()> {
        key.check_hashable()?;
        match self
            .entries
            .iter_mut()
            .find(|entry| are_equal_keys::<Typed<'a>>(&entry.0, &key))
        {
            Some(entry) => entry.1 = value,
            None => self.entries.push((key, value)),
        }
        Ok(())
    }
}

impl<'a> From<Dict<'a>> for Value<'a> {
    fn from(dict: Dict<'a>) -> Self {
        Value::Dict(Rc::new(dict))
    }
}

impl<'a> From<Str<'a>> for Value<'a> {
    fn from(text: Str<'a>) -> Self {
        Value::Text(text)
    }
}

impl From<Text> for Value<'_> {
    fn from(text: Text) -> Self {
        Value::Text(Str::from(text))
    }
}

/// A variable's value.
///
/// ```
/// use prompt_jinja::private::clone_value;
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(clone_value(&Value::Int(1)).to_string(), "1");
/// ```
pub fn clone_value<'a>(value: &Value<'a>) -> Value<'a> {
    value.clone()
}

/// The value if it is defined. A slot needs a defined value.
///
/// # Errors
/// A value that is not defined.
///
/// ```
/// use prompt_jinja::private::{attribute, dict, require_defined};
/// use typed_prompt::jinja::Value;
///
/// assert!(require_defined(attribute(&dict(vec![])?, "name")?).is_err());
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn require_defined(value: Value<'_>) -> Result<Value<'_>> {
    value.as_defined()?;
    Ok(value)
}

impl<'a> Value<'a> {
    /// The value, unless it could not be computed.
    pub(crate) fn require_computed(self) -> Result<Value<'a>> {
        match self {
            Value::Failed(error) => Err(error),
            value => Ok(value),
        }
    }

    /// An undefined value with the message for its use.
    pub(crate) fn undefined(message: impl Into<Rc<str>>) -> Value<'a> {
        Value::Undefined(message.into())
    }

    /// With its article, for messages.
    pub(crate) fn describe_kind(&self) -> &'static str {
        Typed::describe_kind(self)
    }

    /// The value, if there is one.
    pub(crate) fn as_defined(&self) -> Result<&Value<'a>> {
        match self {
            Value::Undefined(message) => Err(undefined_error(message)),
            Value::Failed(fault) => Err(fault.clone()),
            value => Ok(value),
        }
    }

    /// Whether it counts as there: `None`, `False`, `0`, `""` and empty lists do not.
    ///
    /// # Errors
    /// A value that is not defined.
    ///
    /// ```
    /// use typed_prompt::jinja::Value;
    ///
    /// assert!(!Value::Int(0).is_true()?);
    /// # Ok::<(), typed_prompt::jinja::EvalError>(())
    /// ```
    pub fn is_true(&self) -> std::result::Result<bool, EvalError> {
        Ok(match self.as_defined()? {
            Value::Undefined(_) | Value::Failed(_) | Value::None | Value::Absent => false,
            Value::Bool(value) => *value,
            Value::Int(value) => *value != 0,
            Value::Float(value) => *value != 0.0,
            Value::Text(text) => !text.is_empty(),
            Value::List(items) | Value::Tuple(items) => !items.is_empty(),
            Value::Dict(dict) => dict.len() > 0,
        })
    }

    /// The same, with its data marked as that of a slot where it is of none yet.
    pub(crate) fn tag_slot(self, slot: &'static str) -> Value<'a> {
        if self.source() == Origin::Template {
            return self;
        }
        match self {
            Value::Text(text) => Value::Text(text.tag_slot(slot)),
            Value::List(items) => Value::List(
                items
                    .iter()
                    .map(|item| item.clone().tag_slot(slot))
                    .collect(),
            ),
            Value::Tuple(items) => Value::Tuple(
                items
                    .iter()
                    .map(|item| item.clone().tag_slot(slot))
                    .collect(),
            ),
            Value::Dict(dict) => {
                let entries = dict.entries.iter().cloned();
                let named = entries.map(|(key, value)| (key.tag_slot(slot), value.tag_slot(slot)));
                Dict::from_entries(named.collect()).into()
            }
            value => value,
        }
    }

    /// The origin of the value: template text, or data of a slot.
    pub(crate) fn source(&self) -> Origin {
        match self {
            Value::Text(text) => text.source(),
            Value::List(items) | Value::Tuple(items) => {
                let mut source = Origin::Template;
                for item in items.iter() {
                    source = item.source_after(source);
                }
                source
            }
            Value::Dict(dict) => {
                let mut source = Origin::Template;
                for (key, value) in dict.entries.iter() {
                    source = value.source_after(key.source_after(source));
                }
                source
            }
            // The origin of a number is unknown until it fills a slot.
            _ => Origin::Data(None),
        }
    }

    /// The origin of several values: the first known slot.
    fn source_after(&self, source: Origin) -> Origin {
        match (source, self.source()) {
            (Origin::Data(Some(_)), _) | (_, Origin::Structure | Origin::Template) => source,
            (_, own) => own,
        }
    }

    pub(crate) fn check_hashable(&self) -> Result<()> {
        match self.as_defined()? {
            Value::List(_) | Value::Dict(_) => Err(eval_error!(
                "{} cannot be the key of a dict",
                self.describe_kind()
            )),
            Value::Tuple(items) => items.iter().try_for_each(Value::check_hashable),
            _ => Ok(()),
        }
    }
}

/// The error for the use of an undefined value.
pub(crate) fn undefined_error(message: &str) -> EvalError {
    EvalError::new(message)
        .with_help("give it a value with `| default(…)`, or ask with `is defined` first")
        .with_label("not defined")
}
