//! Attributes, items and slices of values, iteration and unpacking.

use crate::builtin::Host;
use crate::builtin::item::{slice_bound, slice_value};
use crate::expr::host::Typed;
use crate::expr::{EvalError, Result, Value};

/// `value[key]`: an item of a list, the value of a key, or a character.
///
/// A missing entry is undefined: every use except `is defined` and `default` is an error.
///
/// # Errors
/// A value that has no items, or is not defined itself.
///
/// ```
/// use prompt_jinja::private::{index, list};
/// use typed_prompt::jinja::Value;
///
/// let items = list(vec![Value::Int(1), Value::Int(2)]);
/// assert_eq!(index(&items, &Value::Int(-1))?.to_string(), "2");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn index<'a>(value: &Value<'a>, key: &Value<'a>) -> Result<Value<'a>> {
    Typed::new().get_item(value, key)
}

/// `value.name`, of a value that is not a field: the value of a key.
///
/// # Errors
/// A value that is not defined itself.
///
/// ```
/// use prompt_jinja::private::{attribute, dict, template_str};
/// use typed_prompt::jinja::Value;
///
/// let point = dict(vec![(template_str("x"), Value::Int(1))])?;
/// assert_eq!(attribute(&point, "x")?.to_string(), "1");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn attribute<'a>(value: &Value<'a>, name: &str) -> Result<Value<'a>> {
    let found = match value.as_defined()? {
        Value::Dict(dict) => dict.get_str(name).cloned(),
        _ => None,
    };
    Ok(found
        .unwrap_or_else(|| Value::undefined(format!("{} has no `{name}`", value.describe_kind()))))
}

/// The value of `attribute="user.name"` of a filter in an item, part by part; a number is the index of an item. With a
/// default, that replaces each missing part.
///
/// # Errors
/// A part of an undefined value.
///
/// ```
/// use prompt_jinja::private::{dict, template_str, attribute_path};
/// use typed_prompt::jinja::Value;
///
/// let user = dict(vec![(template_str("name"), template_str("Ada"))])?;
/// let item = dict(vec![(template_str("user"), user)])?;
/// assert_eq!(attribute_path(&item, &template_str("user.name"), None)?.to_string(), "Ada");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn attribute_path<'a>(
    item: &Value<'a>,
    attribute: &Value<'a>,
    default: Option<&Value<'a>>,
) -> Result<Value<'a>> {
    attribute.as_defined()?;
    crate::builtin::list::attribute_path(&mut Typed::new(), item, attribute, default)
}

/// `value[start:stop:step]` of a string, by characters, or of a list.
///
/// # Errors
/// A step of zero, and a value without items.
///
/// ```
/// use prompt_jinja::private::{template_str, slice};
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(slice(&template_str("añb"), &Value::None, &Value::None, &Value::Int(-1))?.to_string(), "bña");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn slice<'a>(
    value: &Value<'a>,
    start: &Value<'a>,
    stop: &Value<'a>,
    step: &Value<'a>,
) -> Result<Value<'a>> {
    value.as_defined()?;
    let mut bounds = [None; 3];
    for (bound, given) in bounds.iter_mut().zip([start, stop, step]) {
        *bound = slice_bound::<Typed<'a>>(given)?;
    }
    // Jinja2 asks for the item of that slice of another value, and there is none.
    Ok(slice_value(&mut Typed::new(), value, bounds)?
        .unwrap_or_else(|| Value::undefined(format!("{} cannot be sliced", value.describe_kind()))))
}

/// The items that a loop iterates over: of a list, the keys of a dict, the characters of a string.
///
/// # Errors
/// A value without items.
///
/// ```
/// use prompt_jinja::private::{iterate_value, template_str};
///
/// assert_eq!(iterate_value(&template_str("añ"))?.len(), 2);
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn iterate_value<'a>(value: &Value<'a>) -> Result<Vec<Value<'a>>> {
    Typed::new().iterate_value(value)
}

/// The values for several targets, as in `for k, v in d.items()`.
///
/// # Errors
/// More or fewer values than targets.
///
/// ```
/// use prompt_jinja::private::{tuple, unpack};
/// use typed_prompt::jinja::Value;
///
/// let [k, v] = unpack(&tuple(vec![Value::Int(1), Value::Int(2)]))?;
/// assert_eq!((k.to_string(), v.to_string()), ("1".into(), "2".into()));
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn unpack<'a, const N: usize>(value: &Value<'a>) -> Result<[Value<'a>; N]> {
    let items = iterate_value(value)?;
    let len = items.len();
    <[Value<'a>; N]>::try_from(items).map_err(|_| wrong_count(N, len))
}

/// The items of a list, each taken apart: `for k, v in …`.
///
/// # Errors
/// A value that is not a list, and an item with more or fewer values than targets.
///
/// ```
/// use prompt_jinja::private::{list, tuple, unpack_each};
/// use typed_prompt::jinja::Value;
///
/// let pairs = list(vec![tuple(vec![Value::Int(1), Value::Int(2)])]);
/// let [[k, v]] = &unpack_each::<2>(&pairs)?[..] else { panic!("one pair") };
/// assert_eq!((k.to_string(), v.to_string()), ("1".into(), "2".into()));
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn unpack_each<'a, const N: usize>(value: &Value<'a>) -> Result<Vec<[Value<'a>; N]>> {
    iterate_value(value)?.iter().map(unpack).collect()
}

/// The values for several targets whose number is known at run time.
///
/// # Errors
/// It has another number of values.
pub fn unpack_targets<'a>(value: &Value<'a>, targets: usize) -> Result<Vec<Value<'a>>> {
    let items = iterate_value(value)?;
    if items.len() == targets {
        Ok(items)
    } else {
        Err(wrong_count(targets, items.len()))
    }
}

fn wrong_count(targets: usize, len: usize) -> EvalError {
    let plural = if len == 1 { "" } else { "s" };
    eval_error!("{targets} names take {len} value{plural}")
        .with_help("give as many names as an item has values")
}
