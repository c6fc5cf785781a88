//! The methods of Python's strings, dicts and lists, and of the objects of the language.

use std::ops::Range;

use super::digits;
use super::fault::{Fault, FaultKind, R};
use super::registry::Args;
use super::run::Run;
use super::text::{Builder, Str};
use super::value::{Dict, List, Object, Value};
use crate::expr::chars::{self, capitalize_text, is_cased, is_space, is_title, title_text};
use crate::expr::methods::{split_words, split_words_from_end};
use prompt_base::digit::decimal_value;

/// The string that a method is called on. What it searches or copies is charged.
fn receiver(run: &mut Run<'_>, value: &Value) -> R<Str> {
    match value {
        Value::Str(text) => {
            run.charge_bytes(text.len())?;
            Ok(text.clone())
        }
        other => Err(Fault::new(format!(
            "'{}' object is not a string",
            other.kind()
        ))),
    }
}

fn string(value: &Value, what: &str) -> R<Str> {
    match value {
        Value::Str(text) => Ok(text.clone()),
        Value::Undefined(reason) => Err(Fault::new(&**reason)),
        other => Err(Fault::new(format!(
            "{what} must be str, not {}",
            other.kind()
        ))),
    }
}

/// A string after a change of the whole of it. Each character keeps its source if their number stays.
pub(super) fn change(text: &Str, change: impl Fn(&str) -> String) -> Str {
    let changed = change(text);
    let mut pieces = text.pieces();
    let is_one = pieces.next().is_none() || pieces.next().is_none();
    if is_one || changed.chars().count() != text.chars().count() {
        let mut out = Str::new(changed, text.source());
        out.safe = text.safe;
        return out;
    }
    let mut out = Builder::default();
    let mut chars = changed.chars();
    for (piece, source) in text.pieces() {
        let piece: String = chars.by_ref().take(piece.chars().count()).collect();
        out.push(&piece, source);
    }
    out.finish_like(text)
}

macro_rules! changes {
    ($($name:ident: $change:expr;)*) => {$(
        pub(super) fn $name(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
            let text = receiver(run, value)?;
            run.charge_bytes(text.len().saturating_mul(3))?;
            Ok(Value::Str(change(&text, $change)))
        }
    )*};
}

changes! {
    upper: str::to_uppercase;
    lower: str::to_lowercase;
    casefold: |text| text.to_lowercase().replace('ß', "ss").replace('ς', "σ");
    capitalize: capitalize_text;
    title: title_text;
    swapcase: |text| {
        let mut out = String::with_capacity(text.len());
        for char in text.chars() {
            match char.is_uppercase() {
                true => out.extend(char.to_lowercase()),
                false => out.extend(char.to_uppercase()),
            }
        }
        out
    };
}

macro_rules! checks {
    ($($name:ident($text:ident) $test:expr;)*) => {$(
        pub(super) fn $name(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
            let $text: &str = &receiver(run, value)?;
            Ok(Value::Bool($test))
        }
    )*};
}

fn all(text: &str, test: impl Fn(char) -> bool) -> bool {
    !text.is_empty() && text.chars().all(test)
}

pub(super) fn is_lower(text: &str) -> bool {
    text.chars().any(char::is_lowercase)
        && !text
            .chars()
            .any(|char| char.is_uppercase() || is_title(char))
}

pub(super) fn is_upper(text: &str) -> bool {
    text.chars().any(char::is_uppercase)
        && !text
            .chars()
            .any(|char| char.is_lowercase() || is_title(char))
}

fn is_title_text(text: &str) -> bool {
    let (mut inside, mut any) = (false, false);
    for char in text.chars() {
        let begins = char.is_uppercase() || is_title(char);
        if begins && inside || char.is_lowercase() && !inside {
            return false;
        }
        inside = is_cased(char);
        any |= inside;
    }
    any
}

checks! {
    isalnum(text) all(text, char::is_alphanumeric);
    isalpha(text) all(text, char::is_alphabetic);
    isascii(text) text.is_ascii();
    isdecimal(text) all(text, |char| decimal_value(char).is_some());
    isdigit(text) all(text, digits::is_digit);
    isidentifier(text) {
        let mut chars = text.chars();
        chars.next().is_some_and(|first| first.is_alphabetic() || first == '_') && chars.all(chars::is_word)
    };
    islower(text) is_lower(text);
    isnumeric(text) all(text, char::is_numeric);
    isprintable(text) text.chars().all(|char| {
        let mut out = String::new();
        prompt_core::python::push_escaped(&mut out, char, '\0');
        char == '\\' || out.chars().eq([char])
    });
    isspace(text) all(text, is_space);
    istitle(text) is_title_text(text);
    isupper(text) is_upper(text);
}

fn strip_ends(run: &mut Run<'_>, value: &Value, args: &Args, start: bool, end: bool) -> R<Value> {
    let text = receiver(run, value)?;
    let chars = match args.some(0) {
        Some(chars) => {
            let mut chars: Vec<char> = string(chars, "strip arg")?.chars().collect();
            run.charge_bytes(chars.len() * size_of::<char>())?;
            chars.sort_unstable();
            Some(chars)
        }
        None => None,
    };
    let is_stripped = |char: char| match &chars {
        Some(chars) => chars.binary_search(&char).is_ok(),
        None => is_space(char),
    };
    let from = match start {
        true => text.len() - text.trim_start_matches(is_stripped).len(),
        false => 0,
    };
    let to = match end {
        true => from + text[from..].trim_end_matches(is_stripped).len(),
        false => text.len(),
    };
    Ok(Value::Str(text.slice(from..to)))
}

pub(super) fn strip(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    strip_ends(run, value, args, true, true)
}

pub(super) fn lstrip(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    strip_ends(run, value, args, true, false)
}

pub(super) fn rstrip(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    strip_ends(run, value, args, false, true)
}

impl Run<'_> {
    /// The positions at which a part occurs and acts, without overlaps, from the beginning or from the end.
    fn find_occurrences(
        &mut self,
        text: &Str,
        part: &Str,
        range: Range<usize>,
        most: usize,
        is_from_end: bool,
    ) -> R<Vec<usize>> {
        self.charge_bytes(range.len() + part.len())?;
        let place = |(at, _): (usize, &str)| range.start + at;
        let searched = &text[range.clone()];
        let places: &mut dyn Iterator<Item = usize> = match is_from_end {
            true => &mut searched.rmatch_indices(&**part).map(place),
            false => &mut searched.match_indices(&**part).map(place),
        };
        let mut found = Vec::new();
        for at in places {
            if found.len() == most {
                break;
            }
            if self.acts(part, &text.slice(at..at + part.len()))? {
                found.push(at);
            }
        }
        self.charge_items(found.len())?;
        Ok(found)
    }

    /// `str.replace`. What replaces guarded data is data, unless the replaced text may act there.
    pub(super) fn replace_text(
        &mut self,
        text: &Str,
        old: &Str,
        new: &Str,
        count: i64,
    ) -> R<Value> {
        let most = usize::try_from(count).unwrap_or(usize::MAX);
        let found = text.matches(&**old).take(most).count();
        self.charge_bytes(text.len() + old.len())?;
        self.charge_bytes(found.saturating_mul(new.len()))?;
        self.charge_items(found)?;
        let mut out = Builder::default();
        let mut at = 0;
        for (start, _) in text.match_indices(&**old).take(most) {
            out.push_str(&text.slice(at..start));
            at = start + old.len();
            let replaced = text.slice(start..at);
            let source = replaced.source();
            let becomes_data = self.steering.is_some_and(|steering| {
                !old.source().is_data() && (steering.is_guarded)(source) && !(steering.may_act)(old)
            });
            match becomes_data {
                true => out.push(new, source),
                false => out.push_str(new),
            }
        }
        out.push_str(&text.slice(at..text.len()));
        Ok(Value::Str(out.finish_like(text)))
    }
}

pub(super) fn replace(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let text = receiver(run, value)?;
    let old = string(&args.value(0), "replace() argument 1")?;
    let new = string(&args.value(1), "replace() argument 2")?;
    run.replace_text(&text, &old, &new, args.int(2, -1)?)
}

/// The bytes between the characters of two optional arguments.
fn bounds(text: &str, args: &Args) -> R<Option<Range<usize>>> {
    if args.some(1).is_none() && args.some(2).is_none() {
        return Ok(Some(0..text.len()));
    }
    let count = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
    let position = |value: Option<&Value>, default: i64| -> R<i64> {
        let at = value.map_or(Ok(default), Value::to_index)?;
        Ok(if at < 0 {
            at.saturating_add(count).max(0)
        } else {
            at
        })
    };
    let (start, end) = (
        position(args.some(1), 0)?,
        position(args.some(2), count)?.min(count),
    );
    if start > end {
        return Ok(None);
    }
    let offset = |at: i64| chars::char_offset(text, usize::try_from(at).unwrap_or(usize::MAX));
    Ok(Some(offset(start)..offset(end)))
}

/// Whether one of the affixes is at an end of the string.
fn has_affix(run: &mut Run<'_>, value: &Value, args: &Args, at_start: bool) -> R<Value> {
    let text = receiver(run, value)?;
    let Some(range) = bounds(&text, args)? else {
        return Ok(Value::Bool(false));
    };
    let affixes = match args.value(0) {
        Value::Tuple(list) => list.items.clone(),
        Value::List(_) => {
            let name = if at_start { "startswith" } else { "endswith" };
            return Err(Fault::new(format!(
                "{name} first arg must be str or a tuple of str, not list"
            )));
        }
        one => vec![one],
    };
    for affix in &affixes {
        let affix = string(affix, "the first argument")?;
        run.charge_bytes(affix.len())?;
        let part = &text[range.clone()];
        let found = match at_start {
            true => part
                .starts_with(&*affix)
                .then(|| range.start..range.start + affix.len()),
            false => part
                .ends_with(&*affix)
                .then(|| range.end - affix.len()..range.end),
        };
        if let Some(found) = found
            && run.acts(&affix, &text.slice(found))?
        {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

pub(super) fn startswith(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    has_affix(run, value, args, true)
}

pub(super) fn endswith(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    has_affix(run, value, args, false)
}

/// The position of a part, in characters.
fn find_position(run: &mut Run<'_>, value: &Value, args: &Args, from_end: bool) -> R<Option<i64>> {
    let text = receiver(run, value)?;
    let part = string(&args.value(0), "the first argument")?;
    let Some(range) = bounds(&text, args)? else {
        return Ok(None);
    };
    let found = run.find_occurrences(&text, &part, range, 1, from_end)?;
    let count = |at: &usize| i64::try_from(text[..*at].chars().count()).unwrap_or(i64::MAX);
    Ok(found.first().map(count))
}

pub(super) fn find(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    Ok(Value::int(
        find_position(run, value, args, false)?.unwrap_or(-1),
    ))
}

pub(super) fn rfind(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    Ok(Value::int(
        find_position(run, value, args, true)?.unwrap_or(-1),
    ))
}

pub(super) fn index(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let at = find_position(run, value, args, false)?;
    at.map(Value::int)
        .ok_or_else(|| Fault::new("substring not found"))
}

pub(super) fn rindex(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let at = find_position(run, value, args, true)?;
    at.map(Value::int)
        .ok_or_else(|| Fault::new("substring not found"))
}

pub(super) fn count(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let text = receiver(run, value)?;
    let part = string(&args.value(0), "the first argument")?;
    let Some(range) = bounds(&text, args)? else {
        return Ok(Value::int(0));
    };
    Ok(Value::len_of(
        run.find_occurrences(&text, &part, range, usize::MAX, false)?
            .len(),
    ))
}

pub(super) fn removeprefix(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let text = receiver(run, value)?;
    let prefix = string(&args.value(0), "removeprefix() argument")?;
    let rest = text.strip_prefix(&*prefix).map_or(0, |_| prefix.len());
    Ok(Value::Str(text.slice(rest..text.len())))
}

pub(super) fn removesuffix(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let text = receiver(run, value)?;
    let suffix = string(&args.value(0), "removesuffix() argument")?;
    let rest = text.strip_suffix(&*suffix).map_or(text.len(), str::len);
    Ok(Value::Str(text.slice(0..rest)))
}

fn parts(run: &mut Run<'_>, text: &Str, ranges: Vec<Range<usize>>) -> R<Value> {
    run.charge_items(ranges.len())?;
    let parts = ranges
        .into_iter()
        .map(|range| Value::Str(text.slice(range)));
    let parts = parts.collect();
    run.list(parts)
}

fn separator(args: &Args) -> R<Str> {
    let separator = string(&args.value(0), "the separator")?;
    match separator.is_empty() {
        true => Err(Fault::new("empty separator")),
        false => Ok(separator),
    }
}

fn partition_at(run: &mut Run<'_>, value: &Value, args: &Args, from_end: bool) -> R<Value> {
    let text = receiver(run, value)?;
    let part = separator(args)?;
    let found = run.find_occurrences(&text, &part, 0..text.len(), 1, from_end)?;
    let end = text.len();
    let ranges = match (found.first(), from_end) {
        (Some(at), _) => [0..*at, *at..at + part.len(), at + part.len()..end],
        (None, false) => [0..end, end..end, end..end],
        (None, true) => [0..0, 0..0, 0..end],
    };
    run.tuple(
        ranges
            .into_iter()
            .map(|range| Value::Str(text.slice(range)))
            .collect(),
    )
}

pub(super) fn partition(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    partition_at(run, value, args, false)
}

pub(super) fn rpartition(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    partition_at(run, value, args, true)
}

fn split_text(run: &mut Run<'_>, value: &Value, args: &Args, from_end: bool) -> R<Value> {
    let text = receiver(run, value)?;
    let most = usize::try_from(args.int(1, -1)?).unwrap_or(usize::MAX);
    if args.some(0).is_none() {
        let words = match from_end {
            true => split_words_from_end(&text, most),
            false => split_words(&text, most),
        };
        let at = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
        let ranges = words
            .into_iter()
            .map(|word| at(word)..at(word) + word.len())
            .collect();
        return parts(run, &text, ranges);
    }
    let part = separator(args)?;
    let mut found = run.find_occurrences(&text, &part, 0..text.len(), most, from_end)?;
    if from_end {
        found.reverse();
    }
    let mut ranges = Vec::with_capacity(found.len() + 1);
    let mut start = 0;
    for at in found {
        ranges.push(start..at);
        start = at + part.len();
    }
    ranges.push(start..text.len());
    parts(run, &text, ranges)
}

pub(super) fn split(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    split_text(run, value, args, false)
}

pub(super) fn rsplit(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    split_text(run, value, args, true)
}

pub(super) fn splitlines(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let text = receiver(run, value)?;
    let mut lines = chars::lines(&text);
    if args.flag(0, false) {
        let starts: Vec<usize> = lines.iter().skip(1).map(|line| line.start).collect();
        let ends = starts.into_iter().chain([text.len()]);
        lines
            .iter_mut()
            .zip(ends)
            .for_each(|(line, end)| line.end = end);
    }
    parts(run, &text, lines)
}

pub(super) fn join(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let between = receiver(run, value)?;
    let mut texts = Vec::new();
    for (at, item) in run.iterate(&args.value(0))?.iter().enumerate() {
        match item {
            Value::Str(text) => texts.push(text.clone()),
            other => {
                let kind = other.kind();
                return Err(Fault::new(format!(
                    "sequence item {at}: expected str instance, {kind} found"
                )));
            }
        }
    }
    run.join(&texts, &between)
}

/// The string with characters before and after it, to a width.
fn pad(
    run: &mut Run<'_>,
    value: &Value,
    args: &Args,
    split: impl Fn(usize, usize) -> usize,
) -> R<Value> {
    let text = receiver(run, value)?;
    let width = usize::try_from(args.int(0, 0)?).unwrap_or(0);
    let fill = match args.get(1) {
        Some(fill) => string(fill, "the fill character")?,
        None => Str::template(" "),
    };
    if fill.chars().count() != 1 {
        return Err(Fault::new(
            "The fill character must be exactly one character long",
        ));
    }
    let missing = width.saturating_sub(text.chars().count());
    run.charge_bytes(missing.saturating_mul(fill.len()))?;
    let before = split(missing, width);
    let mut out = Builder::default();
    (0..before).for_each(|_| out.push_str(&fill));
    out.push_str(&text);
    (before..missing).for_each(|_| out.push_str(&fill));
    Ok(Value::Str(out.finish_like(&text)))
}

pub(super) fn center(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    pad(run, value, args, |missing, width| {
        missing / 2 + (missing & width & 1)
    })
}

pub(super) fn ljust(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    pad(run, value, args, |_, _| 0)
}

pub(super) fn rjust(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    pad(run, value, args, |missing, _| missing)
}

pub(super) fn zfill(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let text = receiver(run, value)?;
    let width = usize::try_from(args.int(0, 0)?).unwrap_or(0);
    let missing = width.saturating_sub(text.chars().count());
    run.charge_bytes(missing)?;
    let sign = usize::from(text.starts_with(['+', '-']));
    let mut out = Builder::default();
    out.push_str(&text.slice(0..sign));
    out.push_template(&"0".repeat(missing));
    out.push_str(&text.slice(sign..text.len()));
    Ok(Value::Str(out.finish_like(&text)))
}

pub(super) fn expandtabs(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let text = receiver(run, value)?;
    let size = usize::try_from(args.int(0, 8)?).unwrap_or(0);
    let mut out = Builder::default();
    let mut column = 0;
    for (at, char) in text.char_indices() {
        if char == '\t' {
            let spaces = if size == 0 { 0 } else { size - column % size };
            run.charge_bytes(spaces)?;
            out.push_template(&" ".repeat(spaces));
            column += spaces;
            continue;
        }
        column = if matches!(char, '\n' | '\r') {
            0
        } else {
            column + 1
        };
        out.push_str(&text.slice(at..at + char.len_utf8()));
    }
    Ok(Value::Str(out.finish_like(&text)))
}

pub(super) fn translate(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let text = receiver(run, value)?;
    let table = args.value(0);
    let mut out = Builder::default();
    for (at, char) in text.char_indices() {
        run.charge_bytes(super::ops::ITEM_BYTES)?;
        let own = text.slice(at..at + char.len_utf8());
        let mapped = run.item(&table, &Value::int(i64::from(u32::from(char))))?;
        match &mapped {
            Value::Undefined(_) => out.push_str(&own),
            Value::None => {}
            Value::Str(new) => {
                run.charge_bytes(new.len())?;
                // A character takes the place of another one of data.
                out.push(new, own.source().and(new.source()));
            }
            Value::Int(code, _) => {
                let char = u32::try_from(*code).ok().and_then(char::from_u32);
                let char =
                    char.ok_or_else(|| Fault::new("character mapping must be in range(0x110000)"))?;
                out.push(char.encode_utf8(&mut [0; 4]), own.source());
            }
            _ => {
                return Err(Fault::new(
                    "character mapping must return integer, None or str",
                ));
            }
        }
    }
    Ok(Value::Str(out.finish_like(&text)))
}

pub(super) fn left_out_encode(_: &mut Run<'_>, _: &Value, _: &mut Args) -> R<Value> {
    Err(Fault::of(
        FaultKind::Unsupported,
        "the method `encode` is not supported: a template has no bytes",
    ))
}

pub(super) fn format(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let pattern = receiver(run, value)?;
    let named = std::mem::take(&mut args.named).into_iter();
    let named = named
        .map(|(name, value)| (Value::template(name), value))
        .collect();
    let rest = std::mem::take(&mut args.rest);
    run.format_fields(&pattern, &rest, &Value::dict(named))
}

pub(super) fn format_map(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let pattern = receiver(run, value)?;
    run.format_fields(&pattern, &[], &args.value(0))
}

fn dict(value: &Value) -> R<&Dict> {
    match value {
        Value::Dict(dict) => Ok(dict),
        other => Err(Fault::new(format!(
            "'{}' object is not a dict",
            other.kind()
        ))),
    }
}

pub(super) fn get(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let key = args.value(0);
    if !key.is_hashable() {
        run.charge_key(&key)?;
        return Err(Fault::new(format!("unhashable type: '{}'", key.kind())));
    }
    let found = run.lookup_key(value, &key)?;
    Ok(found.unwrap_or_else(|| args.value(1)))
}

pub(super) fn items(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    let dict = dict(value)?;
    run.charge_items(dict.len())?;
    let mut pairs = Vec::with_capacity(dict.len());
    for (key, value) in dict.entries() {
        pairs.push(run.tuple(vec![key.clone(), value.clone()])?);
    }
    view(run, "dict_items", pairs)
}

fn view(run: &mut Run<'_>, name: &'static str, items: Vec<Value>) -> R<Value> {
    run.charge_items(items.len())?;
    run.checked(Value::object(Object::View(
        name,
        std::rc::Rc::new(List::new(items)),
    )))
}

pub(super) fn keys(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    let keys = dict(value)?
        .entries()
        .iter()
        .map(|entry| entry.0.clone())
        .collect();
    view(run, "dict_keys", keys)
}

pub(super) fn values(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    let values = dict(value)?
        .entries()
        .iter()
        .map(|entry| entry.1.clone())
        .collect();
    view(run, "dict_values", values)
}

/// A copy of a value that does not change is the value.
pub(super) fn copy(_: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    Ok(value.clone())
}

pub(super) fn count_items(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let wanted = args.value(0);
    let mut count = 0;
    for item in run.iterate(value)? {
        count += usize::from(run.equals(&item, &wanted)?);
    }
    Ok(Value::len_of(count))
}

pub(super) fn index_of_item(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let wanted = args.value(0);
    let items = run.iterate(value)?;
    let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let position = |at: i64| {
        if at < 0 {
            at.saturating_add(length).max(0)
        } else {
            at
        }
    };
    let (start, stop) = (position(args.int(1, 0)?), position(args.int(2, i64::MAX)?));
    for (at, item) in items.iter().enumerate() {
        let at = i64::try_from(at).unwrap_or(i64::MAX);
        if at >= start && at < stop && run.equals(item, &wanted)? {
            return Ok(Value::int(at));
        }
    }
    let shown = run.repr(&wanted)?;
    Err(Fault::new(format!(
        "{} is not in {}",
        &*shown,
        value.kind()
    )))
}

pub(super) fn fromkeys(run: &mut Run<'_>, _: &Value, args: &mut Args) -> R<Value> {
    let mut dict = Dict::default();
    for key in run.iterate(&args.value(0))? {
        run.charge_key(&key)?;
        if !key.is_hashable() {
            return Err(Fault::new(format!("unhashable type: '{}'", key.kind())));
        }
        dict.insert(key, args.value(1));
    }
    run.checked(Value::Dict(std::rc::Rc::new(dict)))
}

/// An integer.
fn whole(value: &Value) -> num_bigint::BigInt {
    let number = super::ops::Number::of(value);
    number
        .and_then(|number| number.to_big())
        .unwrap_or_default()
}

pub(super) fn as_integer_ratio(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    let number = Value::big(whole(value), value.source());
    run.tuple(vec![number, Value::int(1)])
}

pub(super) fn bit_length(_: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    let bits = i64::try_from(whole(value).bits()).unwrap_or(i64::MAX);
    Ok(Value::Int(bits, value.source()))
}

pub(super) fn is_integer(_: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    Ok(Value::Bool(
        matches!(value, Value::Float(number, _) if number.fract() == 0.0),
    ))
}

pub(super) fn cycler_next(_: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    match value.as_object() {
        Some(Object::Cycler(items, at)) => {
            let item = items.get(at.get()).cloned();
            at.set((at.get() + 1) % items.len().max(1));
            Ok(item.unwrap_or(Value::None))
        }
        _ => Ok(Value::None),
    }
}

pub(super) fn cycler_reset(_: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    if let Some(Object::Cycler(_, at)) = value.as_object() {
        at.set(0);
    }
    Ok(Value::None)
}

pub(super) fn loop_cycle(_: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    match value.as_object() {
        Some(Object::Loop(state)) if !args.rest.is_empty() => {
            let at = state.index.get() % args.rest.len();
            Ok(args.rest.swap_remove(at))
        }
        _ => Err(Fault::new("no items for cycling given")),
    }
}

pub(super) fn loop_changed(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let Some(Object::Loop(state)) = value.as_object() else {
        return Ok(Value::Bool(true));
    };
    let given = run.tuple(std::mem::take(&mut args.rest))?;
    run.charge_key(&given)?;
    let last = state.changed.borrow().clone();
    let is_same = match &last {
        Some(last) => run.equals(last, &given)?,
        None => false,
    };
    if !is_same {
        *state.changed.borrow_mut() = Some(given);
    }
    Ok(Value::Bool(!is_same))
}
