//! The methods of Python's strings that templates call.

use minijinja::value::{Value, ValueKind, from_args};
use minijinja::{Error, ErrorKind, State};
use minijinja_contrib::pycompat;

use prompt_core::python::{is_whitespace as is_space, lines};

pub(crate) fn call(
    state: &mut State,
    value: &Value,
    method: &str,
    args: &[Value],
) -> Result<Value, Error> {
    if value.kind() == ValueKind::String
        && let Some(text) = value.as_str()
        && let Some(result) = of_string(text, method, args)
    {
        return result;
    }
    pycompat::unknown_method_callback(state, value, method, args)
}

/// Where these differ from the ready-made ones, or are missing there.
fn of_string(text: &str, method: &str, args: &[Value]) -> Option<Result<Value, Error>> {
    let with =
        |run: &dyn Fn(&str) -> Value| Some(from_args::<(&str,)>(args).map(|(what,)| run(what)));
    match (method, args) {
        ("strip", []) => Some(Ok(Value::from(text.trim_matches(is_space)))),
        ("lstrip", []) => Some(Ok(Value::from(text.trim_start_matches(is_space)))),
        ("rstrip", []) => Some(Ok(Value::from(text.trim_end_matches(is_space)))),
        ("split", []) => {
            let words = text.split(is_space).filter(|word| !word.is_empty());
            Some(Ok(words.map(Value::from).collect()))
        }
        ("splitlines", []) => {
            let lines = lines(text).into_iter().map(|line| &text[line]);
            Some(Ok(lines.map(Value::from).collect()))
        }
        ("isspace", []) => Some(Ok((!text.is_empty() && text.chars().all(is_space)).into())),
        ("removeprefix", _) => with(&|what| text.strip_prefix(what).unwrap_or(text).into()),
        ("removesuffix", _) => with(&|what| text.strip_suffix(what).unwrap_or(text).into()),
        ("partition", _) => with(&|what| match text.split_once(what) {
            Some((before, after)) => [before, what, after].into_iter().map(Value::from).collect(),
            None => [text, "", ""].into_iter().map(Value::from).collect(),
        }),
        ("rpartition", _) => with(&|what| match text.rsplit_once(what) {
            Some((before, after)) => [before, what, after].into_iter().map(Value::from).collect(),
            None => ["", "", text].into_iter().map(Value::from).collect(),
        }),
        ("rsplit", [separator, ..]) if separator.as_str().is_some() => Some(rsplit(text, args)),
        ("index" | "rindex", _) => Some(index(text, method, args)),
        ("casefold", []) => Some(Ok(text.to_lowercase().into())),
        _ => None,
    }
}

fn rsplit(text: &str, args: &[Value]) -> Result<Value, Error> {
    let (separator, most): (&str, Option<i64>) = from_args(args)?;
    if separator.is_empty() {
        return Err(Error::new(
            ErrorKind::InvalidOperation,
            "the separator is empty",
        ));
    }
    let most = most
        .and_then(|most| usize::try_from(most).ok())
        .unwrap_or(usize::MAX);
    let mut parts: Vec<&str> = text.rsplitn(most.saturating_add(1), separator).collect();
    parts.reverse();
    Ok(parts.into_iter().map(Value::from).collect())
}

fn index(text: &str, method: &str, args: &[Value]) -> Result<Value, Error> {
    let (what,): (&str,) = from_args(args)?;
    let at = if method == "index" {
        text.find(what)
    } else {
        text.rfind(what)
    };
    let at =
        at.ok_or_else(|| Error::new(ErrorKind::InvalidOperation, "the substring is not there"))?;
    Ok(Value::from(text[..at].chars().count()))
}
