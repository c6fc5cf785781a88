//! Filters that make text of any value.

use crate::expr::args::{
    argument, bool_argument, checked_size, int_argument, require_filter_text, required_argument,
    some_argument, text_argument,
};
use crate::expr::chars::{capitalize_text, is_space, lines};
use crate::expr::number::check_result_size;
use crate::expr::{Arguments, EvalError, Result, Str, Value, chars};
use prompt_core::{Origin, Text};

/// `upper`.
///
/// # Errors
/// A value that is not defined.
pub fn upper<'a>(value: &Value<'a>, _: Arguments<'_, 'a>) -> Result<Value<'a>> {
    Ok(value.to_str()?.map_pieces(str::to_uppercase).into())
}

/// `lower`.
///
/// # Errors
/// A value that is not defined.
pub fn lower<'a>(value: &Value<'a>, _: Arguments<'_, 'a>) -> Result<Value<'a>> {
    Ok(value.to_str()?.map_pieces(str::to_lowercase).into())
}

/// `capitalize`: the first letter large, all others small.
///
/// # Errors
/// A value that is not defined.
pub fn capitalize<'a>(value: &Value<'a>, _: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let text = value.to_str()?;
    Ok(text.with_content(capitalize_text(&text)).into())
}

/// `title`: the first letter of each word large, all others small. A word begins after white space and `-({[<`.
///
/// # Errors
/// A value that is not defined.
pub fn title<'a>(value: &Value<'a>, _: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let text = value.to_str()?;
    Ok(text.with_content(title_words(&text)).into())
}

/// Each word with a capital first letter.
pub(crate) fn title_words(text: &str) -> String {
    let splits = |char: char| is_space(char) || matches!(char, '-' | '(' | '{' | '[' | '<');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let kind = splits(first);
        let end = rest.find(|char| splits(char) != kind).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        out.extend(first.to_uppercase());
        out.push_str(&word[first.len_utf8()..].to_lowercase());
        rest = after;
    }
    out
}

/// `string`.
///
/// # Errors
/// A value that is not defined.
pub fn string<'a>(value: &Value<'a>, _: Arguments<'_, 'a>) -> Result<Value<'a>> {
    Ok(value.to_str()?.into())
}

/// `trim(chars=none)`: without white space, or without these characters, at its ends.
///
/// # Errors
/// A value that is not defined, and `chars` that are not text.
pub fn trim<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    match value {
        Value::Text(text) => strip_chars(text, args, true, true),
        other => strip_chars(&other.to_str()?, args, true, true),
    }
}

/// Python's `strip`, `lstrip` and `rstrip`.
pub(crate) fn strip_chars<'a>(
    whole: &Str<'a>,
    args: Arguments<'_, 'a>,
    start: bool,
    end: bool,
) -> Result<Value<'a>> {
    let chars = if some_argument(args, 0).is_some() {
        text_argument(args, 0, "chars")?
    } else {
        None
    };
    // Sorted: both strings may be long.
    let chars = chars.map(|chars| {
        let mut chars: Vec<char> = chars.chars().collect();
        chars.sort_unstable();
        chars.dedup();
        chars
    });
    let drops = |char: char| match &chars {
        Some(chars) => chars.binary_search(&char).is_ok(),
        None => is_space(char),
    };
    let from = if start {
        whole.len() - whole.trim_start_matches(drops).len()
    } else {
        0
    };
    let to = if end {
        from + whole[from..].trim_end_matches(drops).len()
    } else {
        whole.len()
    };
    Ok(whole.slice(from..to).into())
}

/// `replace(old, new, count=none)`.
///
/// # Errors
/// A value that is not defined, and a `count` that is not an integer.
pub fn replace<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let old = required_argument(args, 0, "old")?.to_str()?;
    let new = required_argument(args, 1, "new")?.to_str()?;
    let count = if some_argument(args, 2).is_some() {
        int_argument(args, 2, "count", -1)?
    } else {
        -1
    };
    replace_text(&value.to_str()?, &old, &new, count)
}

/// Python's `replace`; a negative count is all.
pub(crate) fn replace_text<'a>(
    whole: &Str<'a>,
    old: &str,
    new: &Str<'a>,
    count: i128,
) -> Result<Value<'a>> {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let mut out = Text::new();
    let mut at = 0;
    for (start, found) in whole.match_indices(old).take(count) {
        check_result_size(1, out.as_str().len())?;
        whole.push_range(at..start, &mut out);
        new.push_to(&mut out);
        at = start + found.len();
    }
    if at == 0 && out.is_empty() {
        return Ok(whole.clone().into());
    }
    whole.push_range(at..whole.len(), &mut out);
    Ok(out.into())
}

/// `center(width=80)`.
///
/// # Errors
/// A value that is not defined, and a width that is not an integer.
pub fn center<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let text = value.to_str()?;
    let width = checked_size(int_argument(args, 0, "width", 80)?, "width")?;
    let pad = width.saturating_sub(text.chars().count());
    let left = pad / 2 + (pad & width & 1);
    let mut out = Text::new();
    out.push_from(Origin::Template, &" ".repeat(left));
    text.push_to(&mut out);
    out.push_from(Origin::Template, &" ".repeat(pad - left));
    Ok(out.into())
}

/// `escape`: `&`, `<`, `>` and quotes as HTML writes them.
///
/// # Errors
/// A value that is not defined.
pub fn escape<'a>(value: &Value<'a>, _: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let escaped = |text: &str| {
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
    };
    Ok(value.to_str()?.map_pieces(escaped).into())
}

/// `indent(width=4, first=false, blank=false)`: the width is a number of spaces, or the text to put before each line.
///
/// # Errors
/// A value that is not a string.
pub fn indent<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let text = require_filter_text("indent", value)?;
    let before = match argument(args, 0) {
        Some(Value::Text(text)) => text.clone(),
        _ => Str::from_shared(
            " ".repeat(checked_size(int_argument(args, 0, "width", 4)?, "width")?),
            Origin::Template,
        ),
    };
    let (first, blank) = (
        bool_argument(args, 1, false)?,
        bool_argument(args, 2, false)?,
    );
    let mut out = Text::new();
    let mut lines = lines(text);
    // A line break at the end begins one more line.
    let ends = lines.last().is_none_or(|last| last.end < text.len());
    if ends && !text.ends_with('\r') {
        lines.push(text.len()..text.len());
    }
    check_result_size(lines.len(), before.len())?;
    for (index, line) in lines.into_iter().enumerate() {
        if index > 0 {
            out.push_from(Origin::Template, "\n");
        }
        if (index > 0 && (blank || !line.is_empty())) || (index == 0 && first) {
            before.push_to(&mut out);
        }
        text.push_range(line, &mut out);
    }
    Ok(out.into())
}

/// `wordcount`.
///
/// # Errors
/// A value that is not defined.
pub fn wordcount<'a>(value: &Value<'a>, _: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let text = value.to_str()?;
    let words = text.split(|char| !chars::is_word(char));
    let count = words.filter(|word| !word.is_empty()).count();
    Ok(Value::Int(i128::try_from(count).unwrap_or(i128::MAX)))
}

/// `urlencode`: a string for the path of a URL; a dict or a list of pairs as its query.
///
/// # Errors
/// A value that is not defined, and items that are not pairs.
pub fn urlencode<'a>(value: &Value<'a>, _: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let pairs = match value.as_defined()? {
        Value::Dict(dict) => dict.entries().to_vec(),
        Value::List(items) | Value::Tuple(items) => {
            let mut pairs = Vec::with_capacity(items.len());
            for item in items.iter() {
                let [key, value] = crate::expr::unpack(item)?;
                pairs.push((key, value));
            }
            pairs
        }
        other => {
            let text = other.to_str()?;
            return Ok(text.with_content(percent_encode(&text, b"/")).into());
        }
    };
    let part = |value: &Value<'a>| {
        let text = value.to_str()?;
        Ok::<_, EvalError>(percent_encode(&text, b"").replace("%20", "+"))
    };
    let mut query = Vec::with_capacity(pairs.len());
    for (key, value) in &pairs {
        query.push(format!("{}={}", part(key)?, part(value)?));
    }
    Ok(Str::from_shared(query.join("&"), value.source()).into())
}

pub(crate) fn percent_encode(text: &str, safe: &[u8]) -> String {
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

/// `"%s is %d" | format(name, age)`, as Python's `%`.
///
/// # Errors
/// More or fewer values than places, and values of another kind.
pub fn format<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let values: Vec<Value<'a>> = args.iter().flatten().cloned().collect();
    crate::expr::printf::format_pattern(&value.to_str()?, &crate::expr::tuple(values))
}
