//! Where a text in quotes ends.

use crate::unicode::name_len;

/// Finds the end of the text whose quote stands at `at`: the place after the closing quote. Without one, the place where
/// reading goes on.
///
/// A forgotten quote makes the next one far away look like its end. So a text that holds `>` or a line break counts as
/// closed only if what follows can follow a text.
pub(crate) fn end(text: &str, at: usize) -> Result<usize, usize> {
    let mut chars = text[at..].char_indices();
    let quote = chars.next().map(|(_, quote)| quote);
    let mut suspect = None;
    while let Some((index, c)) = chars.next() {
        if Some(c) == quote {
            let end = at + index + c.len_utf8();
            let next = text[end..].trim_start_matches([' ', '\t']);
            let follows = next.is_empty()
                || next.starts_with([')', ',', '|', '?', '>', '%', '}', '~', '\n', '\r'])
                || matches!(&next[..name_len(next)], "and" | "or");
            return match suspect {
                Some(resume) if !follows => Err(resume),
                _ => Ok(end),
            };
        }
        match c {
            '\\' => drop(chars.next()),
            '>' | '\n' | '\r' => suspect = suspect.or(Some(at + index)),
            _ => {}
        }
    }
    Err(suspect.unwrap_or(text.len()))
}
