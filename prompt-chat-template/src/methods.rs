//! The methods of Python's strings that templates call. They see placeholders as the characters that they represent, and
//! keep them in their results.

use std::ops::Range;

use minijinja::formatting::FormatStyle;
use minijinja::value::{Value, ValueKind, from_args};
use minijinja::{Error, ErrorKind, State, filters};
use minijinja_contrib::pycompat;

use crate::context::RenderContext;
use crate::json::invalid_operation;
use crate::marks::Marks;
use crate::ops;
use prompt_core::python::{is_whitespace as is_space, lines};

pub(crate) fn call_method(
    state: &mut State,
    value: &Value,
    method: &str,
    args: &[Value],
) -> Result<Value, Error> {
    let context = RenderContext::from_state(state)?;
    if let Some(text) = value.as_str() {
        context.charge_bytes(text.len())?;
        // Arguments are searched for, and `startswith` compares each item of a list.
        args.iter().try_for_each(|arg| context.charge_deep(arg))?;
        if let Some(result) = call_string_method(&context, text, method, args) {
            return result;
        }
        // The others only look at the text.
        let args = args.iter().map(|arg| context.real_value(arg));
        let args: Vec<Value> = args.collect::<Result<_, _>>()?;
        return pycompat::unknown_method_callback(
            state,
            &context.real_value(value)?,
            method,
            &args,
        );
    }
    match (method, args) {
        ("get", [key, ..]) if value.kind() == ValueKind::Map => {
            context.charge_deep(key)?;
            let mut args = args.to_vec();
            args[0] = context.real_value(key)?;
            pycompat::unknown_method_callback(state, value, method, &args)
        }
        ("count", _) => {
            [value]
                .into_iter()
                .chain(args)
                .try_for_each(|value| context.charge_deep(value))?;
            let args = args.iter().map(|arg| context.real_value(arg));
            let args: Vec<Value> = args.collect::<Result<_, _>>()?;
            pycompat::unknown_method_callback(state, &context.real_value(value)?, method, &args)
        }
        // The lists of keys and values are lazy: each loop would collect them again.
        _ => context.charge_new(pycompat::unknown_method_callback(
            state, value, method, args,
        )?),
    }
}

/// The methods whose results contain parts of the string.
fn call_string_method(
    context: &RenderContext,
    text: &str,
    method: &str,
    args: &[Value],
) -> Option<Result<Value, Error>> {
    let real = context.real_text(text);
    let one = |range: Result<Range<usize>, Error>| {
        let range = range?;
        context.charge_bytes(text.len())?;
        Ok(PartReader::new(text, &real).part_value(range))
    };
    // The ranges are in ascending order.
    let many = |ranges: Result<Vec<Range<usize>>, Error>| {
        let ranges = ranges?;
        context.charge_bytes(text.len())?;
        context.charge_items(ranges.len())?;
        let mut parts = PartReader::new(text, &real);
        Ok(ranges
            .into_iter()
            .map(|range| parts.part_value(range))
            .collect())
    };
    Some(match method {
        "strip" | "lstrip" | "rstrip" => one(strip_range(context, &real, method, args)),
        "removeprefix" | "removesuffix" => one(string_argument(context, args).map(|what| {
            let rest = match method {
                "removeprefix" => real
                    .strip_prefix(&*what)
                    .map(|rest| real.len() - rest.len()..real.len()),
                _ => real.strip_suffix(&*what).map(|rest| 0..rest.len()),
            };
            rest.unwrap_or(0..real.len())
        })),
        "partition" | "rpartition" => many(string_argument(context, args).map(|what| {
            let (found, rest) = match method {
                "partition" => (real.find(&*what), real.len()),
                _ => (real.rfind(&*what), 0),
            };
            match found {
                Some(at) => vec![0..at, at..at + what.len(), at + what.len()..real.len()],
                None if rest == 0 => vec![0..0, 0..0, 0..real.len()],
                None => vec![0..real.len(), rest..rest, rest..rest],
            }
        })),
        "split" | "rsplit" => many(split_ranges(context, &real, method, args)),
        "splitlines" => many(split_lines(&real, args)),
        "replace" => replace_parts(context, text, &real, args),
        "upper" => change_case(context, text, str::to_uppercase),
        "lower" | "casefold" => change_case(context, text, str::to_lowercase),
        "title" => change_case(context, text, |real| filters::title(real.into())),
        "capitalize" => change_case(context, text, |real| {
            let mut chars = real.chars();
            let first = chars
                .next()
                .map(|first| first.to_uppercase().collect::<String>());
            first.unwrap_or_default() + &chars.as_str().to_lowercase()
        }),
        "isspace" => Ok((!real.is_empty() && real.chars().all(is_space)).into()),
        "index" | "rindex" => string_argument(context, args).and_then(|what| {
            let at = match method {
                "index" => real.find(&*what),
                _ => real.rfind(&*what),
            };
            let at = at.ok_or_else(|| invalid_operation("the substring is not found"))?;
            Ok(Value::from(real[..at].chars().count()))
        }),
        "join" => args.first().map_or_else(
            || Err(Error::from(ErrorKind::MissingArgument)),
            |items| ops::join_texts(context, items.try_iter()?, text),
        ),
        "format" => ops::format_text(context, FormatStyle::StrFormat, text, args),
        _ => return None,
    })
}

/// The only argument, which is a string.
fn string_argument(context: &RenderContext, args: &[Value]) -> Result<String, Error> {
    let (what,): (&str,) = from_args(args)?;
    Ok(context.real_text(what).into_owned())
}

/// Reads a string from its start to its end, by positions in the text that it represents.
struct PartReader<'a> {
    text: &'a str,
    real: &'a str,
    at: usize,
    real_at: usize,
}

impl<'a> PartReader<'a> {
    fn new(text: &'a str, real: &'a str) -> PartReader<'a> {
        PartReader {
            text,
            real,
            at: 0,
            real_at: 0,
        }
    }

    /// The part of the string up to a position in the text that it represents.
    fn up_to(&mut self, end: usize) -> &'a str {
        let rest = &self.text[self.at..];
        let part = &self.real[self.real_at..end];
        let len = match self.text.len() == self.real.len() {
            true => part.len(),
            false => char_offset(rest, part.chars().count()),
        };
        (self.at, self.real_at) = (self.at + len, end);
        &rest[..len]
    }

    fn part_value(&mut self, range: Range<usize>) -> Value {
        self.up_to(range.start);
        Value::from(self.up_to(range.end))
    }
}

/// The byte position of a character.
fn char_offset(text: &str, chars: usize) -> usize {
    text.char_indices()
        .nth(chars)
        .map_or(text.len(), |(at, _)| at)
}

fn strip_range(
    context: &RenderContext,
    real: &str,
    method: &str,
    args: &[Value],
) -> Result<Range<usize>, Error> {
    let (chars,): (Option<&Value>,) = from_args(args)?;
    let chars = chars
        .filter(|chars| !chars.is_none())
        .map(|chars| context.printed_text(chars));
    let chars = chars.transpose()?.map(|chars| {
        let mut chars: Vec<char> = context.real_text(&chars).chars().collect();
        chars.sort_unstable();
        chars
    });
    let is_stripped = |char: char| match &chars {
        Some(chars) => chars.binary_search(&char).is_ok(),
        None => is_space(char),
    };
    let start = match method {
        "rstrip" => 0,
        _ => real.len() - real.trim_start_matches(is_stripped).len(),
    };
    Ok(match method {
        "lstrip" => start..real.len(),
        _ => start..start + real[start..].trim_end_matches(is_stripped).len(),
    })
}

fn split_ranges(
    context: &RenderContext,
    real: &str,
    method: &str,
    args: &[Value],
) -> Result<Vec<Range<usize>>, Error> {
    let (separator, most): (Option<Value>, Option<i64>) = from_args(args)?;
    let most = most
        .and_then(|most| usize::try_from(most).ok())
        .unwrap_or(usize::MAX);
    let at = |part: &str| part.as_ptr() as usize - real.as_ptr() as usize;
    let range = |part: &str| at(part)..at(part) + part.len();
    let separator = separator.filter(|separator| !separator.is_none() && !separator.is_undefined());
    let Some(separator) = separator else {
        let words = real.split(is_space).filter(|word| !word.is_empty());
        let words: Vec<Range<usize>> = words.map(range).collect();
        if words.len() <= most.saturating_add(1) {
            return Ok(words);
        }
        return Ok(match method {
            "split" => {
                let rest = words[most].start..real.trim_end_matches(is_space).len();
                words[..most].iter().cloned().chain([rest]).collect()
            }
            _ => {
                let kept = words.len() - most;
                let start = real.len() - real.trim_start_matches(is_space).len();
                let first = start..words[kept - 1].end;
                [first]
                    .into_iter()
                    .chain(words[kept..].iter().cloned())
                    .collect()
            }
        });
    };
    let separator = separator
        .as_str()
        .ok_or_else(|| invalid_operation("the separator is not a string"))?;
    let separator = context.real_text(separator);
    if separator.is_empty() {
        return Err(invalid_operation("the separator is empty"));
    }
    Ok(match method {
        "split" => real
            .splitn(most.saturating_add(1), &*separator)
            .map(range)
            .collect(),
        _ => {
            let mut parts: Vec<_> = real
                .rsplitn(most.saturating_add(1), &*separator)
                .map(range)
                .collect();
            parts.reverse();
            parts
        }
    })
}

fn split_lines(real: &str, args: &[Value]) -> Result<Vec<Range<usize>>, Error> {
    let (keep_ends,): (Option<bool>,) = from_args(args)?;
    let lines = lines(real);
    if !keep_ends.unwrap_or(false) {
        return Ok(lines);
    }
    let starts: Vec<usize> = lines.iter().skip(1).map(|line| line.start).collect();
    let ends = starts.into_iter().chain([real.len()]);
    Ok(lines
        .into_iter()
        .zip(ends)
        .map(|(line, end)| line.start..end)
        .collect())
}

fn replace_parts(
    context: &RenderContext,
    text: &str,
    real: &str,
    args: &[Value],
) -> Result<Value, Error> {
    let (old, new, most): (&Value, &Value, Option<i64>) = from_args(args)?;
    let (old, new) = (context.printed_text(old)?, context.printed_text(new)?);
    let old = context.real_text(&old);
    let most = most
        .and_then(|most| usize::try_from(most).ok())
        .unwrap_or(usize::MAX);
    let count = real.matches(&*old).take(most).count();
    context.charge_bytes(text.len().saturating_add(count.saturating_mul(new.len())))?;
    context.charge_items(count)?;
    let mut out = String::with_capacity(text.len());
    let mut parts = PartReader::new(text, real);
    for (at, old) in real.match_indices(&*old).take(count) {
        out.push_str(parts.up_to(at));
        out.push_str(&new);
        parts.up_to(at + old.len());
    }
    out.push_str(parts.up_to(real.len()));
    Ok(Value::from(out))
}

/// The string with letters in another case: each stays a placeholder of its origin.
fn change_case(
    context: &RenderContext,
    text: &str,
    change: impl Fn(&str) -> String,
) -> Result<Value, Error> {
    // The characters and their changed copies.
    context.charge_bytes(text.len().saturating_mul(4))?;
    let real = context.real_text(text);
    let changed = change(&real);
    let Some(marks) = context.marks() else {
        return Ok(Value::from(changed));
    };
    if changed.chars().count() != text.chars().count() {
        // The origin of the letters is not known.
        return Err(invalid_operation(
            "letters become several letters in another case",
        ));
    }
    let pairs = text.chars().zip(changed.chars());
    let marked = pairs.map(|(char, changed)| match marks.represented_char(char) {
        Some((_, group)) => marks.placeholder_of(changed, group),
        None => changed,
    });
    Ok(Value::from(marked.collect::<String>()))
}

/// The string with the characters that HTML reserves escaped.
pub(crate) fn escape_html(context: &RenderContext, text: &str) -> Result<Value, Error> {
    context.charge_bytes(text.len().saturating_mul(6))?;
    let mut out = String::with_capacity(text.len());
    Marks::add_escaped(context.marks(), text, &mut out, |out, char| match char {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&#34;"),
        '\'' => out.push_str("&#39;"),
        char => out.push(char),
    });
    Ok(Value::from_safe_string(out))
}
