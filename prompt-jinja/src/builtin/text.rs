//! Filters that make text of any value.

use super::args::{Args, require_filter_str, require_str};
use super::chars::{capitalize_text, is_space, is_word, lines, title_words};
use super::search::find_occurrences;
use super::{BuilderOf, Host, Made, Outcome, SourcedStr, StrBuilder, View};

/// The text that a filter or test works on.
pub(crate) fn to_text<H: Host>(host: &mut H, value: &H::Value) -> Outcome<H, H::Str> {
    let text = host.to_str(value)?;
    host.charge_bytes(text.len())?;
    Ok(text)
}

/// A change of a text. Three times its bytes: a capital may take more of them.
pub(crate) fn change_text<H: Host>(
    host: &mut H,
    text: &H::Str,
    change: impl FnOnce(&str) -> String,
) -> Made<H> {
    host.charge_bytes(text.len().saturating_mul(3))?;
    Ok(H::from_str(text.change_whole(change)))
}

macro_rules! changes {
    ($($(#[$doc:meta])* $name:ident: $change:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) fn $name<H: Host>(host: &mut H, value: &H::Value, _: Args<'_, H>) -> Made<H> {
            let text = to_text(host, value)?;
            change_text(host, &text, $change)
        }
    )*};
}

changes! {
    /// `upper`.
    upper: str::to_uppercase;
    /// `lower`.
    lower: str::to_lowercase;
    /// `capitalize`: the first letter large, all others small.
    capitalize: capitalize_text;
    /// `title`: the first letter of each word large, all others small. A word begins after white space and `-({[<`.
    title: title_words;
}

/// `string`.
pub(crate) fn string<H: Host>(host: &mut H, value: &H::Value, _: Args<'_, H>) -> Made<H> {
    host.to_str(value).map(H::from_str)
}

/// `trim(chars=none)`: without white space, or without these characters, at its ends.
pub(crate) fn trim<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let text = to_text(host, value)?;
    strip_ends(host, &text, args, (true, true))
}

/// Python's `strip`, `lstrip` and `rstrip`. Characters of the template that must not act in data are not removed from it.
pub(crate) fn strip_ends<H: Host>(
    host: &mut H,
    text: &H::Str,
    args: Args<'_, H>,
    (start, end): (bool, bool),
) -> Made<H> {
    let given = match args.get_some(0) {
        Some(chars) => Some(require_str::<H>(chars, "chars")?),
        None => None,
    };
    // Sorted: both strings may be long.
    let mut chars: Vec<char> = given.iter().flat_map(|given| given.chars()).collect();
    host.charge_bytes(chars.len() * size_of::<char>())?;
    chars.sort_unstable();
    chars.dedup();
    let is_stripped = |char: char| match given {
        Some(_) => chars.binary_search(&char).is_ok(),
        None => is_space(char),
    };
    let mut from = match start {
        true => text.len() - text.trim_start_matches(is_stripped).len(),
        false => 0,
    };
    let mut to = match end {
        true => from + text[from..].trim_end_matches(is_stripped).len(),
        false => text.len(),
    };
    if let Some(given) = given {
        if !host.may_act(given, &text.slice(0..from))? {
            from = 0;
        }
        if !host.may_act(given, &text.slice(to..text.len()))? {
            to = text.len();
        }
    }
    Ok(H::from_str(text.slice(from..to)))
}

/// `replace(old, new, count=none)`.
pub(crate) fn replace<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let text = to_text(host, value)?;
    let old = host.to_str(args.get_required(0, "old")?)?;
    let new = host.to_str(args.get_required(1, "new")?)?;
    let most = match args.get_some(2) {
        Some(_) => args.get_limit(2, "count")?,
        None => usize::MAX,
    };
    replace_text(host, &text, &old, &new, most)
}

/// Python's `str.replace`. A word of the template that must not act in data is not replaced there.
pub(crate) fn replace_text<H: Host>(
    host: &mut H,
    text: &H::Str,
    old: &H::Str,
    new: &H::Str,
    most: usize,
) -> Made<H> {
    let found = find_occurrences(host, text, old, 0..text.len(), most, false)?;
    host.charge_result(found.len().saturating_mul(new.len()))?;
    if found.is_empty() {
        return Ok(H::from_str(text.clone()));
    }
    let mut out = BuilderOf::<H>::default();
    let mut at = 0;
    for start in found {
        out.push_range(text, at..start);
        out.push_str(new);
        at = start + old.len();
    }
    out.push_range(text, at..text.len());
    Ok(H::from_str(out.finish_like(text)))
}

/// `center(width=80)`.
pub(crate) fn center<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let text = to_text(host, value)?;
    let width = args.get_size(0, "width", 80)?;
    let fill = H::Str::from_template(" ");
    pad_text(host, &text, &fill, width, center_offset)
}

/// How much of the missing characters Python's `center` puts before a text.
pub(crate) fn center_offset(missing: usize, width: usize) -> usize {
    missing / 2 + (missing & width & 1)
}

/// The string with characters before and after it, to a width. `split` is how many of the missing ones are placed before it.
pub(crate) fn pad_text<H: Host>(
    host: &mut H,
    text: &H::Str,
    fill: &H::Str,
    width: usize,
    split: impl Fn(usize, usize) -> usize,
) -> Made<H> {
    let missing = width.saturating_sub(text.chars().count());
    host.charge_result(missing.saturating_mul(fill.len()))?;
    let before = split(missing, width);
    let mut out = BuilderOf::<H>::default();
    out.push_as(&fill.repeat(before), fill);
    out.push_str(text);
    out.push_as(&fill.repeat(missing - before), fill);
    Ok(H::from_str(out.finish_like(text)))
}

/// `escape`: `&`, `<`, `>` and quotes as HTML writes them.
pub(crate) fn escape<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    match H::view_value(value) {
        View::Str(text) if H::is_safe(text) => Ok(value.clone()),
        _ => forceescape(host, value, args),
    }
}

/// `forceescape`: the same, also of a text that is escaped.
pub(crate) fn forceescape<H: Host>(host: &mut H, value: &H::Value, _: Args<'_, H>) -> Made<H> {
    let text = to_text(host, value)?;
    host.charge_bytes(text.len().saturating_mul(5))?;
    Ok(H::from_safe(text.map_pieces(escape_html)))
}

/// Text with the characters that HTML reserves escaped.
pub(crate) fn escape_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\'' => out.push_str("&#39;"),
            '"' => out.push_str("&#34;"),
            char => out.push(char),
        }
    }
    out
}

/// `indent(width=4, first=false, blank=false)`: the width is a number of spaces, or the text to put before each line.
pub(crate) fn indent<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let text = require_filter_str::<H>("indent", value)?;
    let spaces;
    let before: &str = match args.get(0).map(H::view_value) {
        Some(View::Str(before)) => before,
        _ => {
            let width = args.get_size(0, "width", 4)?;
            host.charge_result(width)?;
            spaces = " ".repeat(width);
            &spaces
        }
    };
    let (first, blank) = (args.get_flag(1, false)?, args.get_flag(2, false)?);
    let mut lines = lines(text);
    // A line break at the end begins one more line.
    let ends = lines.last().is_none_or(|last| last.end < text.len());
    if ends && !text.ends_with('\r') {
        lines.push(text.len()..text.len());
    }
    host.charge_bytes(text.len())?;
    host.charge_items(lines.len())?;
    host.charge_result(before.len().saturating_mul(lines.len()))?;
    let mut out = BuilderOf::<H>::default();
    for (index, line) in lines.into_iter().enumerate() {
        if index > 0 {
            out.push_template("\n");
        }
        if (index > 0 && (blank || !line.is_empty())) || (index == 0 && first) {
            match args.get(0).map(H::view_value) {
                Some(View::Str(given)) => out.push_str(given),
                _ => out.push_template(before),
            }
        }
        out.push_range(text, line);
    }
    Ok(H::from_str(out.finish_like(text)))
}

/// `wordcount`.
pub(crate) fn wordcount<H: Host>(host: &mut H, value: &H::Value, _: Args<'_, H>) -> Made<H> {
    let text = to_text(host, value)?;
    let words = text.split(|char| !is_word(char));
    let count = words.filter(|word| !word.is_empty()).count();
    Ok(from_count::<H>(count, value))
}

/// `length`, also `count`: of a list, a dict or a string.
pub(crate) fn length<H: Host>(host: &mut H, value: &H::Value, _: Args<'_, H>) -> Made<H> {
    let length = match H::view_value(value) {
        View::Str(text) => {
            host.charge_bytes(text.len())?;
            Some(text.chars().count())
        }
        _ => H::count_items(value),
    };
    match length {
        Some(length) => Ok(from_count::<H>(length, value)),
        None => {
            H::check_defined(value)?;
            Err(H::make_error(format!(
                "{} has no length",
                H::describe_kind(value)
            )))
        }
    }
}

/// `default(value="", boolean=false)`: another value for an undefined value or an `Option` without one; with `boolean`
/// also for what is empty, zero, false or `None`.
pub(crate) fn default<H: Host>(_: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let is_missing = H::is_missing(value) || args.get_flag(1, false)? && !H::is_true(value)?;
    H::check_computed(value)?;
    Ok(match (is_missing, args.get(0)) {
        (false, _) => value.clone(),
        (true, Some(default)) => default.clone(),
        (true, None) => H::from_str(H::Str::from_template("")),
    })
}

/// A number of things.
pub(crate) fn from_count<H: Host>(count: usize, of: &H::Value) -> H::Value {
    H::from_whole(i64::try_from(count).unwrap_or(i64::MAX), of)
}

/// `urlencode`: a string for the path of a URL; a dict or a list of pairs as its query.
pub(crate) fn urlencode<H: Host>(host: &mut H, value: &H::Value, _: Args<'_, H>) -> Made<H> {
    let pairs = match H::view_value(value) {
        View::Dict(entries) => entries.to_vec(),
        View::List(_) | View::Tuple(_) | View::Object => {
            let mut pairs = Vec::new();
            for item in host.iterate_value(value)? {
                match &host.iterate_value(&item)?[..] {
                    [key, value] => pairs.push((key.clone(), value.clone())),
                    _ => return Err(H::make_error("`urlencode` takes pairs")),
                }
            }
            pairs
        }
        _ => {
            let quoted = quote_part(host, value, |text| percent_encode(text, b"/"))?;
            return Ok(H::from_str(quoted));
        }
    };
    let quote = |text: &str| percent_encode(text, b"").replace("%20", "+");
    let mut out = BuilderOf::<H>::default();
    for (index, (key, value)) in pairs.iter().enumerate() {
        if index > 0 {
            out.push_template("&");
        }
        out.push_str(&quote_part(host, key, quote)?);
        out.push_template("=");
        out.push_str(&quote_part(host, value, quote)?);
    }
    Ok(H::from_str(out.finish_like(&H::Str::from_template(""))))
}

fn quote_part<H: Host>(
    host: &mut H,
    value: &H::Value,
    quote: impl Fn(&str) -> String,
) -> Outcome<H, H::Str> {
    let text = to_text(host, value)?;
    host.charge_bytes(text.len().saturating_mul(3))?;
    Ok(text.map_pieces(quote))
}

fn percent_encode(text: &str, safe: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"_.-~".contains(&byte) || safe.contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
