use crate::expr::{Fault, Result, Value};

/// The items that a loop walks over: of a list, the keys of a dict, the characters of a text.
///
/// # Errors
/// What has no items.
///
/// ```
/// use prompt_jinja::expr::{iterate, own};
///
/// assert_eq!(iterate(&own("añ"))?.len(), 2);
/// # Ok::<(), prompt_jinja::expr::Fault>(())
/// ```
pub fn iterate<'a>(value: &Value<'a>) -> Result<Vec<Value<'a>>> {
    Ok(match value.defined()? {
        Value::List(items) | Value::Tuple(items) => items.to_vec(),
        Value::Dict(dict) => dict.keys().cloned().collect(),
        Value::Text(text) => text
            .char_indices()
            .map(|(at, char)| text.slice(at..at + char.len_utf8()).into())
            .collect(),
        other => {
            return Err(Fault::new(format!("{} is not a list", other.kind()))
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
/// use prompt_jinja::expr::{Value, tuple, unpack};
///
/// let [k, v] = unpack(&tuple(vec![Value::Int(1), Value::Int(2)]))?;
/// assert_eq!((k.to_string(), v.to_string()), ("1".into(), "2".into()));
/// # Ok::<(), prompt_jinja::expr::Fault>(())
/// ```
pub fn unpack<'a, const N: usize>(value: &Value<'a>) -> Result<[Value<'a>; N]> {
    let items = iterate(value)?;
    let len = items.len();
    <[Value<'a>; N]>::try_from(items).map_err(|_| wrong_count(N, len))
}

/// The items of a list, each taken apart: `for k, v in …`.
///
/// # Errors
/// What is no list, and an item with more or fewer values than targets.
///
/// ```
/// use prompt_jinja::expr::{Value, list, tuple, unpack_each};
///
/// let pairs = list(vec![tuple(vec![Value::Int(1), Value::Int(2)])]);
/// let [[k, v]] = &unpack_each::<2>(&pairs)?[..] else { panic!("one pair") };
/// assert_eq!((k.to_string(), v.to_string()), ("1".into(), "2".into()));
/// # Ok::<(), prompt_jinja::expr::Fault>(())
/// ```
pub fn unpack_each<'a, const N: usize>(value: &Value<'a>) -> Result<Vec<[Value<'a>; N]>> {
    iterate(value)?.iter().map(unpack).collect()
}

/// The values for several targets whose number is known at run time.
#[cfg(feature = "dynamic")]
pub(crate) fn parts<'a>(value: &Value<'a>, targets: usize) -> Result<Vec<Value<'a>>> {
    let items = iterate(value)?;
    if items.len() == targets {
        Ok(items)
    } else {
        Err(wrong_count(targets, items.len()))
    }
}

fn wrong_count(targets: usize, len: usize) -> Fault {
    let plural = if len == 1 { "" } else { "s" };
    Fault::new(format!("{targets} names take {len} value{plural}"))
        .with_help("give as many names as an item has values")
}
