//! Text cut to a length, or into lines of one.

use crate::expr::args::{
    bool_argument, checked_size, int_argument, require_filter_text, some_argument, text_argument,
};
use crate::expr::chars::{char_offset, is_word, lines, trim_whitespace};
use crate::expr::{Arguments, EvalError, Result, Str, Value};
use prompt_core::{Origin, Text};

/// `truncate(length=255, killwords=false, end="...", leeway=none)`: cut between words, unless `killwords`. A string that is
/// longer by no more than the leeway, which is 5, stays whole.
///
/// # Errors
/// A value that is not a string, and a length that is shorter than the end.
///
/// ```
/// use prompt_jinja::private::{filters::truncate, template_str};
/// use typed_prompt::jinja::Value;
///
/// let cut = truncate(&template_str("foo bar baz qux"), &[Some(Value::Int(9))])?;
/// assert_eq!(cut.to_string(), "foo...");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn truncate<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let whole = require_filter_text("truncate", value)?;
    let length = int_argument(args, 0, "length", 255)?;
    let kills = bool_argument(args, 1, false)?;
    let dots = Str::new("...", Origin::Template);
    let end = text_argument(args, 2, "end")?.unwrap_or(&dots);
    let leeway = if some_argument(args, 3).is_some() {
        int_argument(args, 3, "leeway", 5)?
    } else {
        5
    };
    let count = |text: &str| i128::try_from(text.chars().count()).unwrap_or(i128::MAX);
    let kept = length.saturating_sub(count(end));
    if kept < 0 {
        return Err(eval_error!(
            "`truncate` to {length} characters is shorter than its end `{}`",
            &**end
        ));
    }
    if leeway < 0 {
        return Err(EvalError::new(
            "the leeway of `truncate` cannot be negative",
        ));
    }
    if count(whole) <= length.saturating_add(leeway) {
        return Ok(value.clone());
    }
    let mut cut = char_offset(whole, usize::try_from(kept).unwrap_or(usize::MAX));
    if !kills {
        cut = whole[..cut].rfind(' ').unwrap_or(cut);
    }
    let mut out = Text::new();
    whole.push_range(0..cut, &mut out);
    end.push_to(&mut out);
    Ok(out.into())
}

/// `wordwrap(width=79, break_long_words=true, wrapstring="\n", break_on_hyphens=true)`, each line on its own.
///
/// # Errors
/// A value that is not a string, and a width below one.
///
/// ```
/// use prompt_jinja::private::{filters::wordwrap, template_str};
/// use typed_prompt::jinja::Value;
///
/// let wrapped = wordwrap(&template_str("a bc def"), &[Some(Value::Int(4))])?;
/// assert_eq!(wrapped.to_string(), "a bc\ndef");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn wordwrap<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let whole = require_filter_text("wordwrap", value)?;
    let width = int_argument(args, 0, "width", 79)?;
    let breaks_words = bool_argument(args, 1, true)?;
    let newline = Str::new("\n", Origin::Template);
    let between = if some_argument(args, 2).is_some() {
        text_argument(args, 2, "wrapstring")?
    } else {
        None
    };
    let between = between.unwrap_or(&newline);
    let on_hyphens = bool_argument(args, 3, true)?;
    if width <= 0 && !whole.is_empty() {
        return Err(EvalError::new("the width of `wordwrap` is at least 1"));
    }
    let width = checked_size(width, "width")?;
    let mut out = Text::new();
    for (index, line) in lines(whole).into_iter().enumerate() {
        if index > 0 {
            between.push_to(&mut out);
        }
        for (index, kept) in wrap_line(&whole[line.clone()], width, breaks_words, on_hyphens)
            .into_iter()
            .enumerate()
        {
            crate::expr::number::check_result_size(1, out.as_str().len())?;
            if index > 0 {
                between.push_to(&mut out);
            }
            whole.push_range(line.start + kept.start..line.start + kept.end, &mut out);
        }
    }
    Ok(out.into())
}

/// The lines of a line that is wrapped.
pub(crate) fn wrap_line(
    line: &str,
    width: usize,
    breaks_words: bool,
    on_hyphens: bool,
) -> Vec<Range> {
    let wrap = Wrap {
        width,
        breaks_words,
        on_hyphens,
    };
    wrap.wrap_line(line)
}

/// Python's `textwrap`, as `wordwrap` sets it.
struct Wrap {
    width: usize,
    breaks_words: bool,
    on_hyphens: bool,
}

type Range = std::ops::Range<usize>;

impl Wrap {
    /// Where the lines of a paragraph are.
    fn wrap_line(&self, text: &str) -> Vec<Range> {
        let mut chunks = if self.on_hyphens {
            hyphen_chunks(text)
        } else {
            space_chunks(text)
        };
        chunks.reverse();
        // A chunk may be as long as the text: how much longer it is than a line is not needed.
        let most = self.width.saturating_add(1);
        let len = |chunk: &Range| text[chunk.clone()].chars().take(most).count();
        let is_blank = |chunk: &Range| trim_whitespace(&text[chunk.clone()]).is_empty();
        let mut lines: Vec<Range> = Vec::new();
        let mut line: Vec<Range> = Vec::new();
        while !chunks.is_empty() {
            if !lines.is_empty() {
                chunks.pop_if(|next| is_blank(next));
            }
            line.clear();
            let mut used = 0;
            while let Some(chunk) = chunks.pop_if(|chunk| used + len(chunk) <= self.width) {
                used += len(&chunk);
                line.push(chunk);
            }
            if let Some(chunk) = chunks.last().cloned()
                && len(&chunk) > self.width
            {
                if self.breaks_words {
                    let (now, later) =
                        self.break_chunk(text, &chunk, self.width.saturating_sub(used));
                    line.push(now);
                    chunks.pop();
                    chunks.push(later);
                } else if line.is_empty() {
                    line.push(chunk);
                    chunks.pop();
                }
            }
            line.pop_if(|last| is_blank(last));
            if let (Some(first), Some(last)) = (line.first(), line.last()) {
                lines.push(first.start..last.end);
            }
        }
        lines
    }

    /// A word that is longer than a line, cut after a hyphen or anywhere.
    fn break_chunk(&self, text: &str, chunk: &Range, space: usize) -> (Range, Range) {
        let word = &text[chunk.clone()];
        let mut end = char_offset(word, space);
        if self.on_hyphens
            && word.chars().nth(space).is_some()
            && let Some(hyphen) = word[..end].rfind('-')
            && hyphen > 0
            && word[..hyphen].contains(|char| char != '-')
        {
            end = hyphen + 1;
        }
        let cut = chunk.start + end;
        (chunk.start..cut, cut..chunk.end)
    }
}

/// The characters that separate words: ASCII white space only.
fn is_separator(char: char) -> bool {
    matches!(char, '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | ' ')
}

/// White space and words by turns.
fn space_chunks(text: &str) -> Vec<Range> {
    let mut chunks = Vec::new();
    let mut start = 0;
    while let Some(first) = text[start..].chars().next() {
        let kind = is_separator(first);
        let rest = &text[start..];
        let end = start
            + rest
                .find(|char| is_separator(char) != kind)
                .unwrap_or(rest.len());
        chunks.push(start..end);
        start = end;
    }
    chunks
}

/// White space, words, parts of words up to a hyphen, and dashes.
fn hyphen_chunks(text: &str) -> Vec<Range> {
    let mut chunks = Vec::new();
    for word in space_chunks(text) {
        if text[word.clone()].starts_with(is_separator) {
            chunks.push(word);
            continue;
        }
        let chars: Vec<(usize, char)> = text[word.clone()].char_indices().collect();
        let at = |index: usize| chars.get(index).map_or(word.end, |(at, _)| word.start + at);
        let mut start = 0;
        while start < chars.len() {
            let end = chunk_end(&chars, start);
            chunks.push(at(start)..at(end));
            start = end;
        }
    }
    chunks
}

/// The end of the part of a word that begins at `start`, by the pattern of Python's `textwrap`.
fn chunk_end(chars: &[(usize, char)], start: usize) -> usize {
    let char = |index: usize| chars.get(index).map(|(_, char)| *char);
    let is = |index: usize, test: fn(char) -> bool| char(index).is_some_and(test);
    let is_dash = |char: char| char == '-';
    let before = |index: usize, test: fn(char) -> bool| index > 0 && is(index - 1, test);
    let dashes = |from: usize| {
        chars[from.min(chars.len())..]
            .iter()
            .take_while(|(_, char)| is_dash(*char))
            .count()
    };
    // A dash between words is a part of its own.
    if before(start, is_punctuated) {
        let count = dashes(start);
        if count >= 2 && is(start + count, is_word) {
            return start + count;
        }
    }
    for end in start + 1..chars.len() {
        // After a hyphen between letters.
        if is(end, is_dash) {
            let letters = |a: usize, b: usize| is(a, is_letter) && is(b, is_letter);
            let leads = (end >= 2 && letters(end - 2, end - 1))
                || (end >= 3 && is(end - 2, is_dash) && letters(end - 3, end - 1));
            let next = is(end + 1, is_letter)
                && (is(end + 2, is_letter) || (is(end + 2, is_dash) && is(end + 3, is_letter)));
            if leads && next {
                return end + 1;
            }
        }
        // Before a dash between words.
        let count = dashes(end);
        if before(end, is_punctuated) && count >= 2 && is(end + count, is_word) {
            return end;
        }
    }
    chars.len()
}

fn is_punctuated(char: char) -> bool {
    is_word(char) || matches!(char, '!' | '"' | '\'' | '&' | '.' | ',' | '?')
}

/// A word character that is not a decimal digit.
fn is_letter(char: char) -> bool {
    is_word(char) && !char.is_ascii_digit()
}
