//! Methods of strings and dicts, and two of lists.
//!
//! Methods that change a list or a dict are left out: a prompt's values stay as they are.

use crate::expr::args::{argument, int_argument, require_text, required_argument, some_argument};
use crate::expr::chars::{self, capitalize_text, lines, title_text};
use crate::expr::filters::{replace_text, strip_chars as strip_ends};
use crate::expr::index::iterate_value;
use crate::expr::{Arguments, EvalError, Result, Str, Value, filters, list};

/// The text that a method is called on.
fn require_receiver_text<'s, 'a>(method: &str, value: &'s Value<'a>) -> Result<&'s Str<'a>> {
    match value.as_defined()? {
        Value::Text(text) => Ok(text),
        other => Err(eval_error!(
            "{} has no method `{method}`",
            other.describe_kind()
        )),
    }
}

macro_rules! of_texts {
    ($($(#[$doc:meta])* $name:ident($text:ident, $args:ident) $body:block)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// A value that is not a string, and arguments of another kind.
        pub fn $name<'a>(value: &Value<'a>, $args: Arguments<'_, 'a>) -> Result<Value<'a>> {
            let $text = require_receiver_text(stringify!($name), value)?;
            $body
        }
    )*};
}

of_texts! {
    /// `.upper()`.
    upper(text, _args) { filters::upper(&Value::from(text.clone()), &[]) }

    /// `.lower()`.
    lower(text, _args) { filters::lower(&Value::from(text.clone()), &[]) }

    /// `.capitalize()`.
    capitalize(text, _args) { Ok(text.with_content(capitalize_text(text)).into()) }

    /// `.title()`: unlike the filter, a word begins after anything that is not a letter.
    title(text, _args) { Ok(text.with_content(title_text(text)).into()) }

    /// `.strip(chars=none)`.
    strip(text, args) { strip_ends(text, args, true, true) }

    /// `.lstrip(chars=none)`.
    lstrip(text, args) { strip_ends(text, args, true, false) }

    /// `.rstrip(chars=none)`.
    rstrip(text, args) { strip_ends(text, args, false, true) }

    /// `.replace(old, new, count=-1)`.
    replace(whole, args) {
        let old = require_text(required_argument(args, 0, "old")?, "old")?;
        let new = require_text(required_argument(args, 1, "new")?, "new")?;
        replace_text(whole, old, new, int_argument(args, 2, "count", -1)?)
    }

    /// `.startswith(prefix)`, or one of several in a tuple.
    startswith(text, args) {
        let prefix = required_argument(args, 0, "prefix")?;
        any_of(prefix, "prefix", |prefix| text.starts_with(prefix)).map(Value::Bool)
    }

    /// `.endswith(suffix)`, or one of several in a tuple.
    endswith(text, args) {
        let suffix = required_argument(args, 0, "suffix")?;
        any_of(suffix, "suffix", |suffix| text.ends_with(suffix)).map(Value::Bool)
    }

    /// `.find(part)`: the number of the character where it begins; -1 if there is none.
    find(whole, args) {
        let part = require_text(required_argument(args, 0, "part")?, "part")?;
        Ok(Value::Int(whole.find(&**part).map_or(-1, |at| char_count(&whole[..at]))))
    }

    /// `.isdigit()`: digits, of any script, and nothing else.
    isdigit(text, _args) {
        Ok(Value::Bool(!text.is_empty() && text.chars().all(char::is_numeric)))
    }

    /// `.isalpha()`: letters and nothing else.
    isalpha(text, _args) {
        Ok(Value::Bool(!text.is_empty() && text.chars().all(char::is_alphabetic)))
    }

    /// `.split(sep=none, maxsplit=-1)`.
    split(text, args) { split_text(text, args, false) }

    /// `.rsplit(sep=none, maxsplit=-1)`: as `split`, from the end.
    rsplit(text, args) { split_text(text, args, true) }

    /// `.splitlines()`.
    splitlines(text, _args) {
        Ok(list(lines(text).into_iter().map(|line| text.slice(line).into()).collect()))
    }

    /// `", ".join(items)`: the items are strings.
    join(between, args) {
        let items = iterate_value(required_argument(args, 0, "items")?)?;
        for item in &items {
            require_text(item, "an item of `join`")?;
        }
        filters::join(&list(items), &[Some(Value::from(between.clone()))])
    }
}

fn char_count(text: &str) -> i128 {
    i128::try_from(text.chars().count()).unwrap_or(i128::MAX)
}

/// Whether a test accepts a string, or one string of a tuple.
fn any_of(value: &Value<'_>, name: &str, test: impl Fn(&str) -> bool) -> Result<bool> {
    match value {
        Value::Tuple(items) => {
            for item in items.iter() {
                if test(require_text(item, name)?) {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        value => require_text(value, name).map(|text| test(text)),
    }
}

fn split_text<'a>(whole: &Str<'a>, args: Arguments<'_, 'a>, from_end: bool) -> Result<Value<'a>> {
    let most = int_argument(args, 1, "maxsplit", -1)?;
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let separator = match some_argument(args, 0) {
        Some(separator) => Some(require_text(separator, "sep")?),
        None => None,
    };
    let text: &str = whole;
    let at = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let parts: Vec<&str> = match separator {
        Some(separator) if separator.is_empty() => {
            return Err(EvalError::new("a text cannot be split at an empty text"));
        }
        Some(separator) if from_end => {
            let mut parts: Vec<_> = text.rsplitn(most.saturating_add(1), &**separator).collect();
            parts.reverse();
            parts
        }
        Some(separator) => text.splitn(most.saturating_add(1), &**separator).collect(),
        None if from_end => split_words_from_end(text, most),
        None => split_words(text, most),
    };
    let parts = parts
        .into_iter()
        .map(|part| whole.slice(at(part)..at(part) + part.len()).into());
    Ok(list(parts.collect()))
}

/// The words between white space; after so many splits, the rest as it is.
pub(crate) fn split_words(text: &str, most: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text.trim_start_matches(chars::is_space);
    while !rest.is_empty() {
        let end = rest.find(chars::is_space).filter(|_| parts.len() < most);
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        parts.push(word);
        rest = after.trim_start_matches(chars::is_space);
    }
    parts
}

pub(crate) fn split_words_from_end(text: &str, most: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text.trim_end_matches(chars::is_space);
    while !rest.is_empty() {
        let space = rest.rfind(chars::is_space).filter(|_| parts.len() < most);
        let start = space.map_or(0, |at| {
            at + rest[at..].chars().next().map_or(1, char::len_utf8)
        });
        let (before, word) = rest.split_at(start);
        parts.push(word);
        rest = before.trim_end_matches(chars::is_space);
    }
    parts.reverse();
    parts
}

macro_rules! of_dicts {
    ($($(#[$doc:meta])* $name:ident($dict:ident, $args:ident) $body:block)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// A value that is not a dict.
        pub fn $name<'a>(value: &Value<'a>, $args: Arguments<'_, 'a>) -> Result<Value<'a>> {
            let Value::Dict($dict) = value.as_defined()? else {
                let message = format!("{} has no method `{}`", value.describe_kind(), stringify!($name));
                return Err(EvalError::new(message));
            };
            $body
        }
    )*};
}

of_dicts! {
    /// `.items()`: the pairs of a dict.
    items(dict, _args) { Ok(list(filters::dict_pairs(dict.entries()))) }

    /// `.keys()`.
    keys(dict, _args) { Ok(list(dict.keys().cloned().collect())) }

    /// `.values()`.
    values(dict, _args) {
        Ok(list(dict.entries().iter().map(|entry| entry.1.clone()).collect()))
    }

    /// `.get(key, default=none)`.
    get(dict, args) {
        let found = dict.get(required_argument(args, 0, "key")?).cloned();
        Ok(found.or_else(|| argument(args, 1).cloned()).unwrap_or(Value::None))
    }
}

/// `.count(item)`: how often it is in a list, or a string in a string.
///
/// # Errors
/// A value that is neither a list nor a string.
pub fn count<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let item = required_argument(args, 0, "item")?;
    let count = match value.as_defined()? {
        Value::Text(text) => text.matches(&**require_text(item, "item")?).count(),
        Value::List(items) | Value::Tuple(items) => {
            items.iter().filter(|other| other.equals(item)).count()
        }
        other => {
            return Err(eval_error!(
                "{} has no method `count`",
                other.describe_kind()
            ));
        }
    };
    Ok(Value::Int(i128::try_from(count).unwrap_or(i128::MAX)))
}

/// `.index(item)`: the number of the first such item, or of the character where a string begins.
///
/// # Errors
/// A value that is neither a list nor a string, and an item that it does not contain.
pub fn index<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let item = required_argument(args, 0, "item")?;
    let found = match value.as_defined()? {
        Value::Text(text) => {
            let at = text.find(&**require_text(item, "item")?);
            at.map(|at| char_count(&text[..at]))
        }
        Value::List(items) | Value::Tuple(items) => {
            let at = items.iter().position(|other| other.equals(item));
            at.and_then(|at| i128::try_from(at).ok())
        }
        other => {
            return Err(eval_error!(
                "{} has no method `index`",
                other.describe_kind()
            ));
        }
    };
    found
        .map(Value::Int)
        .ok_or_else(|| EvalError::new("there is no such item"))
}
