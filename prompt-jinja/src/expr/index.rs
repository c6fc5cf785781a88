//! Attributes, items and slices of values, iteration and unpacking.

use crate::expr::host::Typed;
use crate::expr::{EvalError, Result, Str, Value};
use prompt_core::python::slice_positions;

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
    key.as_defined()?;
    let missing = |what: &str| {
        Ok(Value::undefined(format!(
            "{what} has no item {}",
            quote_key(key)
        )))
    };
    match (value.as_defined()?, key.as_whole()) {
        (Value::List(items) | Value::Tuple(items), Some(at)) => {
            match resolve_position(at, items.len()) {
                Some(at) => Ok(items[at].clone()),
                None => missing("the list"),
            }
        }
        (Value::Text(text), Some(at)) => {
            let position = resolve_position(at, text.chars().count());
            let found = position.and_then(|position| text.char_indices().nth(position));
            match found {
                Some((start, char)) => Ok(text.slice(start..start + char.len_utf8()).into()),
                None => missing("the text"),
            }
        }
        (Value::Dict(dict), _) => match dict.get(key) {
            Some(value) => Ok(value.clone()),
            None => Ok(Value::undefined(format!(
                "the dict has no key {}",
                quote_key(key)
            ))),
        },
        (value, _) => Ok(Value::undefined(format!(
            "{} has no item {}",
            value.describe_kind(),
            quote_key(key)
        ))),
    }
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

/// The position of an index that may count from the end.
fn resolve_position(at: i128, len: usize) -> Option<usize> {
    let len = i128::try_from(len).ok()?;
    let at = if at < 0 { at.checked_add(len)? } else { at };
    usize::try_from(at).ok().filter(|_| at < len)
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
    let bounds = [slice_bound(start)?, slice_bound(stop)?, slice_bound(step)?];
    match value.as_defined()? {
        Value::Text(text) => slice_text(text, bounds),
        Value::List(items) => Ok(Value::List(slice_items(items, bounds)?)),
        Value::Tuple(items) => Ok(Value::Tuple(slice_items(items, bounds)?)),
        // Jinja2 asks for the item of that slice, and there is none.
        other => Ok(Value::undefined(format!(
            "{} cannot be sliced",
            other.describe_kind()
        ))),
    }
}

pub(crate) fn slice_bound(value: &Value<'_>) -> Result<Option<i128>> {
    match value.as_defined()? {
        Value::None | Value::Absent => Ok(None),
        other => match other.as_whole() {
            Some(number) => Ok(Some(number)),
            None => Err(eval_error!(
                "a slice is cut at whole numbers, and this is {}",
                other.describe_kind()
            )),
        },
    }
}

fn slice_text<'a>(text: &Str<'a>, [start, stop, step]: [Option<i128>; 3]) -> Result<Value<'a>> {
    let indexes = slice_indexes([start, stop, step], text.chars().count())?;
    if step.unwrap_or(1) == 1 {
        let at = |nth: usize| {
            text.char_indices()
                .nth(nth)
                .map_or(text.len(), |(at, _)| at)
        };
        let (Some(first), Some(last)) = (indexes.first(), indexes.last()) else {
            return Ok(text.slice(0..0).into());
        };
        return Ok(text.slice(at(*first)..at(last + 1)).into());
    }
    let chars: Vec<char> = text.chars().collect();
    let kept: String = indexes
        .into_iter()
        .map(|position| chars[position])
        .collect();
    Ok(text.with_content(kept).into())
}

fn slice_items<'a, C: FromIterator<Value<'a>>>(
    items: &[Value<'a>],
    bounds: [Option<i128>; 3],
) -> Result<C> {
    let indexes = slice_indexes(bounds, items.len())?;
    Ok(indexes
        .into_iter()
        .map(|position| items[position].clone())
        .collect())
}

/// The indexes that a slice takes, in its order, as Python's `slice.indices`.
pub(crate) fn slice_indexes(bounds: [Option<i128>; 3], len: usize) -> Result<Vec<usize>> {
    let positions = slice_positions(bounds, len);
    let positions =
        positions.ok_or_else(|| EvalError::new("the step of a slice cannot be zero"))?;
    Ok(positions.collect())
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
#[cfg(feature = "dynamic")]
pub(crate) fn unpack_targets<'a>(value: &Value<'a>, targets: usize) -> Result<Vec<Value<'a>>> {
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
