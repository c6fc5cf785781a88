//! Control tokens for which a tokenizer searches in normalised text: data may contain them in other characters.

use super::{broken, inside, is_invisible, rejected};
use crate::annotated_text::AnnotatedText;
use crate::{Guard, Result};

/// The normalised form of a character (NFKC, or any part of it, without accents and in any case).
#[derive(Clone, Copy, PartialEq)]
enum Folded {
    Char(char),
    /// A letter with an accent.
    Letter,
    /// One to four characters.
    Several,
    /// A space, or nothing.
    Gap,
}

/// A character of the text that normalization does not remove.
struct Letter {
    folded: Folded,
    at: usize,
    end: usize,
}

/// Breaks or rejects these tokens in data, also where data has them in other characters.
pub(crate) fn apply(wrapped: AnnotatedText, tokens: &[&str], title: &str) -> Result<AnnotatedText> {
    let guard = wrapped.options().guard;
    if guard == Guard::Allow || tokens.is_empty() {
        return Ok(wrapped);
    }
    let text = &*wrapped.text;
    let letters: Vec<Letter> = letters(text).collect();
    let tokens: Vec<(&str, Vec<char>)> =
        tokens.iter().map(|token| (*token, folded(token))).collect();
    let mut data = wrapped.data().peekable();
    let mut cuts = Vec::new();
    for (first, letter) in letters.iter().enumerate() {
        while data.next_if(|span| span.range().end <= letter.at).is_some() {}
        let Some(span) = data.peek() else { break };
        let cut = inside(text, letter.at, span.range().start);
        let skips = (guard == Guard::Neutralise).then_some(cut);
        let found = tokens.iter().find_map(|(token, folded)| {
            let end = end(folded, &letters[first..], skips)?;
            let is_data = span.range().start < end && (cut < end || cut == span.range().end);
            // The token itself is found by its bytes.
            let is_other = !text[letter.at..end]
                .chars()
                .filter(|char| *char != ' ')
                .eq(token.chars().filter(|char| *char != ' '));
            (is_data && is_other).then_some(letter.at..end)
        });
        match found {
            Some(range) if guard == Guard::Reject => {
                return Err(rejected(&wrapped, span, range, title));
            }
            Some(_) => cuts.push(cut),
            None => {}
        }
    }
    cuts.dedup();
    Ok(broken(&wrapped, &cuts))
}

fn letters(text: &str) -> impl Iterator<Item = Letter> {
    text.char_indices().filter_map(|(at, char)| {
        let end = at + char.len_utf8();
        fold(char).map(|folded| Letter { folded, at, end })
    })
}

fn folded(token: &str) -> Vec<char> {
    let chars = letters(token).map(|letter| match letter.folded {
        Folded::Char(char) => char,
        Folded::Letter | Folded::Several => char::REPLACEMENT_CHARACTER,
        Folded::Gap => ' ',
    });
    chars.collect()
}

/// The end of the text that is this token after normalization, if the text begins with one. Spaces at `skips` are passed over.
fn end(token: &[char], letters: &[Letter], skips: Option<usize>) -> Option<usize> {
    if letters.first()?.folded != Folded::Char(*token.first()?) {
        return None;
    }
    // The numbers of the token's characters that the text so far may be.
    let mut reached = vec![0];
    let mut letters = letters.iter().peekable();
    while let Some(letter) = letters.next() {
        let mut next = Vec::new();
        for count in &reached {
            let (least, most) = match letter.folded {
                Folded::Char(char) => (1, usize::from(token[*count] == char)),
                Folded::Letter => (1, usize::from(token[*count].is_ascii_alphabetic())),
                Folded::Several => (1, 4),
                Folded::Gap => (0, usize::from(token[*count] == ' ')),
            };
            next.extend(
                (least..=most)
                    .map(|more| count + more)
                    .take_while(|count| *count <= token.len()),
            );
        }
        next.sort_unstable();
        next.dedup();
        if next.last()? == &token.len() {
            return Some(letter.end);
        }
        reached = next;
        while letters
            .next_if(|next| skips == Some(letter.end) && next.folded == Folded::Char(' '))
            .is_some()
        {}
    }
    None
}

/// The normalised form of a character, or `None` if it may be removed. Cases are not distinguished.
fn fold(char: char) -> Option<Folded> {
    Some(match char {
        '\u{b}' | '\u{fffd}' => return None,
        '\u{c}' | '\u{85}' => Folded::Gap,
        char if is_invisible(char) => return None,
        // Marks without width, and characters that have no image: those that Rust escapes.
        char if !char.is_ascii() && !char.is_whitespace() && char.escape_debug().len() > 1 => {
            return None;
        }
        // Scripts with marks that have a width: with their letters, which the standard library does not distinguish from the marks.
        '\u{900}'..='\u{dff}'
        | '\u{f00}'..='\u{109f}'
        | '\u{1700}'..='\u{17ff}'
        | '\u{1900}'..='\u{1cff}'
        | '\u{302e}'..='\u{302f}'
        | '\u{a800}'..='\u{aaff}'
        | '\u{abe0}'..='\u{abff}'
        | '\u{11000}'..='\u{11fff}'
        | '\u{16f00}'..='\u{16fff}'
        | '\u{1d165}'..='\u{1d172}' => return None,
        '▁' => Folded::Char(' '),
        char if char.is_whitespace() => Folded::Char(' '),
        '\u{ff01}'..='\u{ff5e}' => return fold(char::from_u32(char as u32 - 0xfee0)?),
        '\u{226e}' | '\u{fe64}' => Folded::Char('<'),
        '\u{226f}' | '\u{fe65}' => Folded::Char('>'),
        '\u{2260}' => Folded::Char('='),
        '\u{fe47}' => Folded::Char('['),
        '\u{fe5f}' => Folded::Char('#'),
        '\u{c0}'..='\u{131}'
        | '\u{14a}'..='\u{1c3}'
        | '\u{1cd}'..='\u{1f0}'
        | '\u{1f4}'..='\u{24f}'
        | '\u{1e00}'..='\u{1eff}' => Folded::Letter,
        '\u{aa}'
        | '\u{b2}'..='\u{be}'
        | '\u{132}'..='\u{149}'
        | '\u{1c4}'..='\u{1cc}'
        | '\u{1f1}'..='\u{1f3}'
        | '\u{2b0}'..='\u{2ff}'
        | '\u{37e}'
        | '\u{1d00}'..='\u{1dbf}'
        | '\u{1fef}'
        | '\u{2024}'..='\u{2026}'
        | '\u{203c}'
        | '\u{2047}'..='\u{2049}'
        | '\u{2070}'..='\u{209f}'
        | '\u{20a8}'
        | '\u{2100}'..='\u{218f}'
        | '\u{2460}'..='\u{24ff}'
        | '\u{2a74}'..='\u{2a76}'
        | '\u{3200}'..='\u{33ff}'
        | '\u{fb00}'..='\u{fb06}'
        | '\u{fb29}'
        | '\u{fe10}'..='\u{fe19}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{1d400}'..='\u{1d7ff}'
        | '\u{1f100}'..='\u{1f2ff}'
        | '\u{1fbf0}'..='\u{1fbf9}' => Folded::Several,
        char => Folded::Char(char.to_ascii_lowercase()),
    })
}

#[cfg(test)]
mod tests {
    use crate::format::{Family, FormatOptions};
    use crate::{AnnotatedText, Guard, Origin};

    #[test]
    fn tokens_are_found_without_other_control_tokens() {
        let mut options = FormatOptions::default().guard(Guard::Reject);
        options.normalized_tokens = vec!["<end>".to_owned()];
        let mut out = AnnotatedText::new(options);
        out.push("a ＜end＞ b", Origin::Data(None));
        assert!(out.guarded(&Family::BARE, &[]).is_err());
    }
}
