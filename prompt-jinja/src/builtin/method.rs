//! Methods of Python's strings, dicts and lists.
//!
//! Methods that change a list or a dict are left out: a prompt's values stay as they are.

use std::ops::Range;

use prompt_base::digit::decimal_value;

use super::args::{Args, clamp_size, require_str};
use super::chars::{
    self, capitalize_text, char_offset, is_digit, is_lower_text, is_space, is_title_text,
    is_upper_text, title_text,
};
use super::list::dict_pairs;
use super::search::find_occurrences;
use super::text::{center_offset, change_text, from_count, pad_text, replace_text, strip_ends};
use super::{BuilderOf, Host, Made, Outcome, SourcedStr, StrBuilder, View};

/// The string that a method is called on. What it searches or copies is charged.
fn receiver<'v, H: Host>(
    host: &mut H,
    method: &str,
    value: &'v H::Value,
) -> Outcome<H, &'v H::Str> {
    match H::view_value(value) {
        View::Str(text) => {
            host.charge_bytes(text.len())?;
            Ok(text)
        }
        _ => Err(no_method::<H>(method, value)),
    }
}

fn no_method<H: Host>(method: &str, value: &H::Value) -> H::Error {
    match H::check_defined(value) {
        Err(error) => error,
        Ok(()) => H::make_error(format!(
            "{} has no method `{method}`",
            H::describe_kind(value)
        )),
    }
}

/// Methods of strings. The host, the text and the arguments are named by the caller.
macro_rules! of_texts {
    ($($(#[$doc:meta])* $name:ident($host:ident, $text:ident, $args:ident) $body:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) fn $name<H: Host>($host: &mut H, value: &H::Value, $args: Args<'_, H>) -> Made<H> {
            let $text = receiver($host, stringify!($name), value)?;
            $body
        }
    )*};
}

of_texts! {
    /// `.upper()`.
    upper(host, text, _args) change_text(host, text, str::to_uppercase);
    /// `.lower()`.
    lower(host, text, _args) change_text(host, text, str::to_lowercase);
    /// `.casefold()`.
    casefold(host, text, _args) change_text(host, text, chars::fold_case);
    /// `.capitalize()`.
    capitalize(host, text, _args) change_text(host, text, capitalize_text);
    /// `.title()`: unlike the filter, a word begins after anything that is not a letter.
    title(host, text, _args) change_text(host, text, title_text);
    /// `.swapcase()`.
    swapcase(host, text, _args) change_text(host, text, chars::swap_case);
    /// `.strip(chars=none)`.
    strip(host, text, args) strip_ends(host, text, args, (true, true));
    /// `.lstrip(chars=none)`.
    lstrip(host, text, args) strip_ends(host, text, args, (true, false));
    /// `.rstrip(chars=none)`.
    rstrip(host, text, args) strip_ends(host, text, args, (false, true));
    /// `.replace(old, new, count=-1)`.
    replace(host, text, args) {
        let (old, new) = (args.get_str(0, "old")?, args.get_str(1, "new")?);
        replace_text(host, text, old, new, args.get_limit(2, "count")?)
    };
    /// `.startswith(prefix, start, end)`, or one of several in a tuple.
    startswith(host, text, args) has_affix(host, text, args, "prefix", |part, affix| {
        part.starts_with(affix).then_some(0)
    });
    /// `.endswith(suffix, start, end)`, or one of several in a tuple.
    endswith(host, text, args) has_affix(host, text, args, "suffix", |part, affix| {
        part.ends_with(affix).then(|| part.len() - affix.len())
    });
    /// `.split(sep=none, maxsplit=-1)`.
    split(host, text, args) split_text(host, text, args, false);
    /// `.rsplit(sep=none, maxsplit=-1)`: as `split`, from the end.
    rsplit(host, text, args) split_text(host, text, args, true);
    /// `.splitlines(keepends=false)`.
    splitlines(host, text, args) {
        let mut lines = chars::lines(text);
        if args.get_flag(0, false)? {
            let starts: Vec<usize> = lines.iter().skip(1).map(|line| line.start).collect();
            let ends = starts.into_iter().chain([text.len()]);
            lines.iter_mut().zip(ends).for_each(|(line, end)| line.end = end);
        }
        list_parts(host, text, lines)
    };
    /// `.partition(sep)`.
    partition(host, text, args) partition_at(host, text, args, false);
    /// `.rpartition(sep)`: the same from the end.
    rpartition(host, text, args) partition_at(host, text, args, true);
    /// `.removeprefix(prefix)`.
    removeprefix(host, text, args) {
        let prefix = args.get_str(0, "prefix")?;
        let start = if text.starts_with(&**prefix) { prefix.len() } else { 0 };
        match host.may_act(prefix, &text.slice(0..start))? {
            true => Ok(H::from_str(text.slice(start..text.len()))),
            false => Ok(H::from_str(text.clone())),
        }
    };
    /// `.removesuffix(suffix)`.
    removesuffix(host, text, args) {
        let suffix = args.get_str(0, "suffix")?;
        let end = text.strip_suffix(&**suffix).map_or(text.len(), str::len);
        match host.may_act(suffix, &text.slice(end..text.len()))? {
            true => Ok(H::from_str(text.slice(0..end))),
            false => Ok(H::from_str(text.clone())),
        }
    };
    /// `", ".join(items)`: the items are strings.
    join(host, between, args) {
        let items = host.iterate_value(args.get_required(0, "items")?)?;
        for item in &items {
            require_str::<H>(item, "an item of `join`")?;
        }
        host.join_values(&items, Some(&H::from_str(between.clone())))
    };
    /// `.center(width, fillchar=" ")`.
    center(host, text, args) pad(host, text, args, center_offset);
    /// `.ljust(width, fillchar=" ")`.
    ljust(host, text, args) pad(host, text, args, |_, _| 0);
    /// `.rjust(width, fillchar=" ")`.
    rjust(host, text, args) pad(host, text, args, |missing, _| missing);
    /// `.zfill(width)`: zeros after the sign.
    zfill(host, text, args) {
        let width = clamp_size(H::to_whole(args.get_required(0, "width")?, "width")?);
        let missing = width.saturating_sub(text.chars().count());
        host.charge_result(missing)?;
        let sign = usize::from(text.starts_with(['+', '-']));
        let mut out = BuilderOf::<H>::default();
        out.push_range(text, 0..sign);
        out.push_template(&"0".repeat(missing));
        out.push_range(text, sign..text.len());
        Ok(H::from_str(out.finish_like(text)))
    };
    /// `.expandtabs(tabsize=8)`.
    expandtabs(host, text, args) {
        let size = args.get_size(0, "tabsize", 8)?;
        let mut out = BuilderOf::<H>::default();
        let mut column = 0;
        for (at, char) in text.char_indices() {
            if char == '\t' {
                let spaces = if size == 0 { 0 } else { size - column % size };
                host.charge_result(spaces)?;
                out.push_template(&" ".repeat(spaces));
                column += spaces;
                continue;
            }
            column = if matches!(char, '\n' | '\r') { 0 } else { column + 1 };
            out.push_range(text, at..at + char.len_utf8());
        }
        Ok(H::from_str(out.finish_like(text)))
    };
}

macro_rules! checks {
    ($($(#[$doc:meta])* $name:ident($text:ident) $test:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) fn $name<H: Host>(host: &mut H, value: &H::Value, _: Args<'_, H>) -> Made<H> {
            let $text: &str = receiver(host, stringify!($name), value)?;
            Ok(H::from_bool($test))
        }
    )*};
}

fn are_all(text: &str, test: impl Fn(char) -> bool) -> bool {
    !text.is_empty() && text.chars().all(test)
}

checks! {
    /// `.isalnum()`: letters and digits, and nothing else.
    isalnum(text) are_all(text, char::is_alphanumeric);
    /// `.isalpha()`: letters and nothing else.
    isalpha(text) are_all(text, char::is_alphabetic);
    /// `.isascii()`.
    isascii(text) text.is_ascii();
    /// `.isdecimal()`: digits of numbers, of any script.
    isdecimal(text) are_all(text, |char| decimal_value(char).is_some());
    /// `.isdigit()`: digits, of any script, and nothing else.
    isdigit(text) are_all(text, is_digit);
    /// `.isidentifier()`.
    isidentifier(text) {
        let begins = |first: char| first.is_alphabetic() || first == '_';
        text.starts_with(begins) && text.chars().all(chars::is_word)
    };
    /// `.islower()`.
    islower(text) is_lower_text(text);
    /// `.isnumeric()`: numeric characters, also fractions.
    isnumeric(text) are_all(text, char::is_numeric);
    /// `.isprintable()`: nothing that `repr` escapes.
    isprintable(text) text.chars().all(|char| {
        let mut out = String::new();
        prompt_core::python::push_escaped(&mut out, char, '\0');
        char == '\\' || out.chars().eq([char])
    });
    /// `.isspace()`.
    isspace(text) are_all(text, is_space);
    /// `.istitle()`.
    istitle(text) is_title_text(text);
    /// `.isupper()`.
    isupper(text) is_upper_text(text);
}

/// The bytes between the characters of the optional arguments `start` and `end`.
fn char_bounds<H: Host>(text: &str, args: Args<'_, H>) -> Outcome<H, Option<Range<usize>>> {
    if args.get_some(1).is_none() && args.get_some(2).is_none() {
        return Ok(Some(0..text.len()));
    }
    let count = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
    let position = |value: Option<&H::Value>, name: &str, default: i64| -> Outcome<H, i64> {
        let at = value.map_or(Ok(default), |value| H::to_whole(value, name))?;
        Ok(if at < 0 {
            at.saturating_add(count).max(0)
        } else {
            at
        })
    };
    let start = position(args.get_some(1), "start", 0)?;
    let end = position(args.get_some(2), "end", count)?.min(count);
    let offset = |at: i64| char_offset(text, clamp_size(at));
    Ok((start <= end).then(|| offset(start)..offset(end)))
}

/// Whether one of the affixes is at an end of the string.
fn has_affix<H: Host>(
    host: &mut H,
    text: &H::Str,
    args: Args<'_, H>,
    name: &str,
    find: impl Fn(&str, &str) -> Option<usize>,
) -> Made<H> {
    let affixes = args.get_required(0, name)?;
    let affixes = match H::view_value(affixes) {
        View::Tuple(affixes) => affixes,
        _ => std::slice::from_ref(affixes),
    };
    let range = char_bounds(text, args)?;
    for affix in affixes {
        let affix = require_str::<H>(affix, name)?;
        host.charge_bytes(affix.len())?;
        let Some(range) = &range else { continue };
        if let Some(at) = find(&text[range.clone()], affix) {
            let start = range.start + at;
            if host.may_act(affix, &text.slice(start..start + affix.len()))? {
                return Ok(H::from_bool(true));
            }
        }
    }
    Ok(H::from_bool(false))
}

/// The number of the character at which a part begins.
fn find_position<H: Host>(
    host: &mut H,
    text: &H::Str,
    args: Args<'_, H>,
    from_end: bool,
) -> Outcome<H, Option<usize>> {
    let part = args.get_str(0, "part")?;
    let Some(range) = char_bounds(text, args)? else {
        return Ok(None);
    };
    let found = find_occurrences(host, text, part, range, 1, from_end)?;
    Ok(found.first().map(|at| text[..*at].chars().count()))
}

/// The operand that decides the source of what a search returns.
fn text_searched_in<'v, H: Host>(value: &'v H::Value, args: Args<'v, H>) -> &'v H::Value {
    args.get(0)
        .map_or(value, |part| H::data_operand(value, part))
}

/// `.find(part, start, end)`: the number of the character where it begins; -1 if there is none.
pub(crate) fn find<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let text = receiver(host, "find", value)?;
    let (at, of) = (
        find_position(host, text, args, false)?,
        text_searched_in(value, args),
    );
    Ok(at.map_or_else(|| H::from_whole(-1, of), |at| from_count::<H>(at, of)))
}

/// `.rfind(part, start, end)`: the same from the end.
pub(crate) fn rfind<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let text = receiver(host, "rfind", value)?;
    let (at, of) = (
        find_position(host, text, args, true)?,
        text_searched_in(value, args),
    );
    Ok(at.map_or_else(|| H::from_whole(-1, of), |at| from_count::<H>(at, of)))
}

/// `.rindex(part, start, end)`: the same, and an error if there is none.
pub(crate) fn rindex<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let text = receiver(host, "rindex", value)?;
    match find_position(host, text, args, true)? {
        Some(at) => Ok(from_count::<H>(at, text_searched_in(value, args))),
        None => Err(no_item::<H>()),
    }
}

fn no_item<H: Host>() -> H::Error {
    H::make_error("there is no such item")
}

fn list_parts<H: Host>(host: &mut H, text: &H::Str, ranges: Vec<Range<usize>>) -> Made<H> {
    host.charge_items(ranges.len())?;
    let parts = ranges.into_iter();
    let parts = parts.map(|range| H::from_str(text.slice(range))).collect();
    host.make_list(parts)
}

/// The text at which a text is split.
fn require_separator<H: Host>(value: &H::Value) -> Outcome<H, &H::Str> {
    let separator = require_str::<H>(value, "sep")?;
    match separator.is_empty() {
        true => Err(H::make_error("a text cannot be split at an empty text")),
        false => Ok(separator),
    }
}

fn partition_at<H: Host>(
    host: &mut H,
    text: &H::Str,
    args: Args<'_, H>,
    from_end: bool,
) -> Made<H> {
    let part = require_separator::<H>(args.get_required(0, "sep")?)?;
    let end = text.len();
    let found = find_occurrences(host, text, part, 0..end, 1, from_end)?;
    let ranges = match (found.first(), from_end) {
        (Some(at), _) => [0..*at, *at..at + part.len(), at + part.len()..end],
        (None, false) => [0..end, end..end, end..end],
        (None, true) => [0..0, 0..0, 0..end],
    };
    host.make_tuple(ranges.map(|range| H::from_str(text.slice(range))).into())
}

fn split_text<H: Host>(host: &mut H, text: &H::Str, args: Args<'_, H>, from_end: bool) -> Made<H> {
    let most = args.get_limit(1, "maxsplit")?;
    let Some(part) = args.get_some(0) else {
        let words = match from_end {
            true => split_words_from_end(text, most),
            false => split_words(text, most),
        };
        return list_parts(host, text, words);
    };
    let part = require_separator::<H>(part)?;
    let mut found = find_occurrences(host, text, part, 0..text.len(), most, from_end)?;
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
    list_parts(host, text, ranges)
}

/// The words between white space; after so many splits, the rest as it is.
fn split_words(text: &str, most: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut rest = text.trim_start_matches(is_space);
    while !rest.is_empty() {
        let start = text.len() - rest.len();
        let end = rest.find(is_space).filter(|_| parts.len() < most);
        let end = end.unwrap_or(rest.len());
        parts.push(start..start + end);
        rest = rest[end..].trim_start_matches(is_space);
    }
    parts
}

fn split_words_from_end(text: &str, most: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut rest = text.trim_end_matches(is_space);
    while !rest.is_empty() {
        let space = rest.rfind(is_space).filter(|_| parts.len() < most);
        let start = space.map_or(0, |at| {
            at + rest[at..].chars().next().map_or(1, char::len_utf8)
        });
        parts.push(start..rest.len());
        rest = rest[..start].trim_end_matches(is_space);
    }
    parts.reverse();
    parts
}

/// The string in the middle or at an end of so many characters.
fn pad<H: Host>(
    host: &mut H,
    text: &H::Str,
    args: Args<'_, H>,
    split: impl Fn(usize, usize) -> usize,
) -> Made<H> {
    let width = clamp_size(H::to_whole(args.get_required(0, "width")?, "width")?);
    let fill = match args.get(1) {
        Some(fill) => require_str::<H>(fill, "fillchar")?.clone(),
        None => H::Str::from_template(" "),
    };
    if fill.chars().count() != 1 {
        return Err(H::make_error("`fillchar` is one character"));
    }
    pad_text(host, text, &fill, width, split)
}

macro_rules! of_dicts {
    ($($(#[$doc:meta])* $name:ident($host:ident, $entries:ident) $body:block)*) => {$(
        $(#[$doc])*
        pub(crate) fn $name<H: Host>($host: &mut H, value: &H::Value, _: Args<'_, H>) -> Made<H> {
            let View::Dict($entries) = H::view_value(value) else {
                return Err(no_method::<H>(stringify!($name), value));
            };
            let items = $body;
            $host.view_of_dict(concat!("dict_", stringify!($name)), items)
        }
    )*};
}

of_dicts! {
    /// `.items()`: the pairs of a dict.
    items(host, entries) { dict_pairs(host, entries)? }
    /// `.keys()`.
    keys(host, entries) { entries.iter().map(|entry| entry.0.clone()).collect() }
    /// `.values()`.
    values(host, entries) { entries.iter().map(|entry| entry.1.clone()).collect() }
}

/// `.get(key, default=none)`.
pub(crate) fn get<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let View::Dict(_) = H::view_value(value) else {
        return Err(no_method::<H>("get", value));
    };
    let key = args.get_required(0, "key")?;
    H::check_hashable(key)?;
    let found = host.get_entry(value, key)?;
    Ok(found
        .or_else(|| args.get(1).cloned())
        .unwrap_or_else(H::make_none))
}

/// `.count(item)`: how often it is in a list, or a string in a string.
pub(crate) fn count<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let wanted = args.get_required(0, "item")?;
    let count = match H::view_value(value) {
        View::Str(text) => {
            let part = require_str::<H>(wanted, "item")?;
            match char_bounds(text, args)? {
                Some(range) => find_occurrences(host, text, part, range, usize::MAX, false)?.len(),
                None => 0,
            }
        }
        View::List(_) | View::Tuple(_) | View::Object => {
            if args.get(1).is_some() {
                return Err(H::make_error("`count` of a list takes one argument"));
            }
            let mut count = 0;
            for item in host.iterate_value(value)? {
                count += usize::from(host.are_equal(&item, wanted)?);
            }
            count
        }
        _ => return Err(no_method::<H>("count", value)),
    };
    Ok(from_count::<H>(count, text_searched_in(value, args)))
}

/// `.index(item, start, stop)`: the number of the first such item, or of the character where a string begins.
pub(crate) fn index<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let found = match H::view_value(value) {
        View::Str(text) => {
            host.charge_bytes(text.len())?;
            find_position(host, text, args, false)?
        }
        View::List(_) | View::Tuple(_) | View::Object => {
            let wanted = args.get_required(0, "item")?;
            let items = host.iterate_value(value)?;
            let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
            let position = |at: i64| match at < 0 {
                true => at.saturating_add(length).max(0),
                false => at,
            };
            let start = position(args.get_whole(1, "start", 0)?);
            let stop = position(args.get_whole(2, "stop", i64::MAX)?);
            let mut found = None;
            for (at, item) in items.iter().enumerate().take(clamp_size(stop)) {
                if at >= clamp_size(start) && host.are_equal(item, wanted)? {
                    found = Some(at);
                    break;
                }
            }
            found
        }
        _ => return Err(no_method::<H>("index", value)),
    };
    found
        .map(|at| from_count::<H>(at, text_searched_in(value, args)))
        .ok_or_else(no_item::<H>)
}
