//! Text cut to a length, or into lines of one.

use super::args::{Args, clamp_size, require_filter_str, require_str};
use super::chars::{char_offset, is_word, lines, trim_whitespace};
use super::{BuilderOf, Host, Made, SourcedStr, StrBuilder, View};

/// `truncate(length=255, killwords=false, end="...", leeway=none)`: cut between words, unless `killwords`. A string that is
/// longer by no more than the leeway, which is 5, stays whole.
pub(crate) fn truncate<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let size = match H::view_value(value) {
        View::Str(text) => {
            host.charge_bytes(text.len())?;
            Some(text.chars().count())
        }
        _ => H::count_items(value),
    };
    let length = args.get_whole(0, "length", 255)?;
    let kills = args.get_flag(1, false)?;
    let end = match args.get(2) {
        Some(end) => require_str::<H>(end, "end")?.clone(),
        None => H::Str::from_template("..."),
    };
    let leeway = match args.get_some(3) {
        Some(leeway) => H::to_whole(leeway, "leeway")?,
        None => 5,
    };
    let clamp = |size: usize| i64::try_from(size).unwrap_or(i64::MAX);
    let kept = length.saturating_sub(clamp(end.chars().count()));
    if kept < 0 {
        return Err(H::make_error(format!(
            "`truncate` to {length} characters is shorter than its end `{}`",
            &*end
        )));
    }
    if leeway < 0 {
        return Err(H::make_error("the leeway of `truncate` cannot be negative"));
    }
    // What is short enough is not cut, whatever it is.
    if size.is_some_and(|size| clamp(size) <= length.saturating_add(leeway)) {
        return Ok(value.clone());
    }
    let whole = require_filter_str::<H>("truncate", value)?;
    let mut cut = char_offset(whole, clamp_size(kept));
    if !kills {
        cut = whole[..cut].rfind(' ').unwrap_or(cut);
    }
    let mut out = BuilderOf::<H>::default();
    out.push_range(whole, 0..cut);
    out.push_str(&end);
    Ok(H::from_str(out.finish_like(whole)))
}

/// `wordwrap(width=79, break_long_words=true, wrapstring="\n", break_on_hyphens=true)`, each line on its own.
pub(crate) fn wordwrap<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let whole = require_filter_str::<H>("wordwrap", value)?;
    let width = args.get_whole(0, "width", 79)?;
    let breaks_words = args.get_flag(1, true)?;
    let between = match args.get_some(2) {
        Some(between) => require_str::<H>(between, "wrapstring")?.clone(),
        None => H::Str::from_template("\n"),
    };
    let on_hyphens = args.get_flag(3, true)?;
    if width <= 0 && !whole.is_empty() {
        return Err(H::make_error("the width of `wordwrap` is at least 1"));
    }
    // Each character may be a chunk of its own.
    host.charge_bytes(whole.len().saturating_mul(32))?;
    let wrap = Wrap {
        width: clamp_size(width),
        breaks_words,
        on_hyphens,
    };
    let mut out = BuilderOf::<H>::default();
    for (index, line) in lines(whole).into_iter().enumerate() {
        if index > 0 {
            out.push_str(&between);
        }
        let wrapped = wrap.wrap_line(&whole[line.clone()]);
        for (index, kept) in wrapped.into_iter().enumerate() {
            host.charge_result(between.len() + kept.len())?;
            if index > 0 {
                out.push_str(&between);
            }
            out.push_range(whole, line.start + kept.start..line.start + kept.end);
        }
    }
    Ok(H::from_str(out.finish_like(whole)))
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
        if before(end, is_punctuated) && is(end, is_dash) {
            let count = dashes(end);
            if count >= 2 && is(end + count, is_word) {
                return end;
            }
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
