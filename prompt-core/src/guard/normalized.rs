//! Control tokens for which a tokenizer searches in normalised text: data may contain them in other characters.

use std::ops::Range;

use super::{break_at, first_cut_inside, forged_token_error, is_invisible};
use crate::annotated_text::AnnotatedText;
use crate::{Guard, Result};

/// The normalised form of a character (NFKC, or any part of it, without accents and in any case).
#[derive(Clone, Copy, PartialEq)]
enum FoldedChar {
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
    folded: FoldedChar,
    at: usize,
    end: usize,
}

/// Tokens as a tree of their normalised characters.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct NormalizedTokens {
    /// The first one is the root.
    nodes: Vec<TokenNode>,
}

#[derive(Clone, PartialEq, Debug, Default)]
struct TokenNode {
    char: char,
    /// The nodes after it, sorted by their characters.
    next: Vec<usize>,
    /// The tokens that end here.
    tokens: Vec<String>,
}

/// How many nodes a text may reach. A character that is normalised to several can reach all tokens of a large tokenizer; a text that
/// reaches more nodes than this counts as a token.
const MOST: usize = 128;

impl NormalizedTokens {
    pub(crate) const NONE: NormalizedTokens = NormalizedTokens { nodes: Vec::new() };

    pub(crate) fn new<T: AsRef<str>>(tokens: &[T]) -> NormalizedTokens {
        let root = tokens.first().map(|_| TokenNode::default());
        let mut tree = NormalizedTokens {
            nodes: Vec::from_iter(root),
        };
        for token in tokens.iter().map(AsRef::as_ref) {
            let node = folded_letters(token)
                .fold(0, |node, letter| tree.insert_child(node, letter.folded));
            tree.nodes[node].tokens.push(token.to_owned());
        }
        tree
    }

    /// The node after this one for a character of a token.
    fn insert_child(&mut self, node: usize, folded: FoldedChar) -> usize {
        let char = match folded {
            FoldedChar::Char(char) => char,
            FoldedChar::Letter | FoldedChar::Several => char::REPLACEMENT_CHARACTER,
            FoldedChar::Gap => ' ',
        };
        match self.find_child(node, char) {
            Ok(at) => self.nodes[node].next[at],
            Err(at) => {
                let new = self.nodes.len();
                self.nodes.push(TokenNode {
                    char,
                    ..TokenNode::default()
                });
                self.nodes[node].next.insert(at, new);
                new
            }
        }
    }

    /// Where the node for this character is or would be among the nodes after another.
    fn find_child(&self, node: usize, char: char) -> std::result::Result<usize, usize> {
        let next = &self.nodes[node].next;
        next.binary_search_by_key(&char, |next| self.nodes[*next].char)
    }

    fn child_node(&self, node: usize, char: char) -> Option<usize> {
        let at = self.find_child(node, char).ok()?;
        Some(self.nodes[node].next[at])
    }

    /// Adds the nodes that one letter reaches from this one; more than [`MOST`] are not all added.
    fn follow_letter(&self, node: usize, folded: FoldedChar, reached: &mut Vec<usize>) {
        match folded {
            FoldedChar::Char(char) => reached.extend(self.child_node(node, char)),
            FoldedChar::Letter => {
                reached.extend(('a'..='z').filter_map(|char| self.child_node(node, char)));
            }
            FoldedChar::Several => self.add_descendants(node, 4, reached),
            FoldedChar::Gap => reached.extend(self.child_node(node, ' ')),
        }
    }

    fn add_descendants(&self, node: usize, depth: usize, reached: &mut Vec<usize>) {
        for next in &self.nodes[node].next {
            reached.push(*next);
            if depth > 1 {
                self.add_descendants(*next, depth - 1, reached);
            }
            if reached.len() > MOST {
                return;
            }
        }
    }

    /// The end of the text that may be a token after normalization, if the text begins with one that `is_found` accepts, given the
    /// tokens and that end. Spaces at `skips` are passed over.
    fn find_end(
        &self,
        letters: &[Letter],
        skips: Option<usize>,
        is_found: impl Fn(&[String], usize) -> bool,
    ) -> Option<usize> {
        let mut letters = letters.iter().peekable();
        match letters.peek()?.folded {
            FoldedChar::Char(char) => self.child_node(0, char)?,
            FoldedChar::Letter | FoldedChar::Several | FoldedChar::Gap => return None,
        };
        let mut reached = vec![0];
        while let Some(letter) = letters.next() {
            let mut next = Vec::new();
            for node in &reached {
                self.follow_letter(*node, letter.folded, &mut next);
            }
            let is_end = |node: &usize| is_found(&self.nodes[*node].tokens, letter.end);
            if next.len() > MOST || next.iter().any(is_end) {
                return Some(letter.end);
            }
            if letter.folded == FoldedChar::Gap {
                next.append(&mut reached);
            }
            next.sort_unstable();
            next.dedup();
            if next.is_empty() {
                return None;
            }
            reached = next;
            while letters
                .next_if(|next| skips == Some(letter.end) && next.folded == FoldedChar::Char(' '))
                .is_some()
            {}
        }
        None
    }
}

/// Breaks or rejects these tokens in data, also where data has them in other characters.
pub(crate) fn guard_normalized(
    wrapped: AnnotatedText,
    tokens: &NormalizedTokens,
    title: &str,
    guard: Guard,
) -> Result<AnnotatedText> {
    if guard == Guard::Allow || tokens.nodes.is_empty() {
        return Ok(wrapped);
    }
    let text = &*wrapped.text;
    let letters: Vec<Letter> = folded_letters(text).collect();
    let mut data = wrapped.data().peekable();
    let mut cuts = Vec::new();
    for (first, letter) in letters.iter().enumerate() {
        while data.next_if(|span| span.range().end <= letter.at).is_some() {}
        let Some(span) = data.peek() else { break };
        let Range { start, end: last } = span.range();
        let cut = first_cut_inside(text, letter.at, start);
        let skips = (guard == Guard::Neutralise).then_some(cut);
        let found = tokens.find_end(&letters[first..], skips, |tokens, end| {
            // The token itself is found by its bytes.
            let is_other =
                |token: &String| token.replace(' ', "") != text[letter.at..end].replace(' ', "");
            start < end && (cut < end || cut == last) && tokens.iter().any(is_other)
        });
        match found.filter(|end| start < *end) {
            Some(end) if guard == Guard::Reject => {
                return Err(forged_token_error(&wrapped, span, letter.at..end, title));
            }
            Some(_) => cuts.push(cut),
            None => {}
        }
    }
    cuts.dedup();
    Ok(break_at(&wrapped, &cuts))
}

fn folded_letters(text: &str) -> impl Iterator<Item = Letter> {
    text.char_indices().filter_map(|(at, char)| {
        let end = at + char.len_utf8();
        fold_char(char).map(|folded| Letter { folded, at, end })
    })
}

/// The normalised form of a character, or `None` if it may be removed. Cases are not distinguished.
fn fold_char(char: char) -> Option<FoldedChar> {
    Some(match char {
        '\u{b}' | '\u{fffd}' => return None,
        '\u{c}' | '\u{85}' => FoldedChar::Gap,
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
        | '\u{a800}'..='\u{abff}'
        | '\u{11000}'..='\u{11fff}'
        | '\u{16f00}'..='\u{16fff}'
        | '\u{1d165}'..='\u{1d172}' => return None,
        '▁' => FoldedChar::Char(' '),
        char if char.is_whitespace() => FoldedChar::Char(' '),
        '\u{ff01}'..='\u{ff5e}' => return fold_char(char::from_u32(char as u32 - 0xfee0)?),
        '\u{226e}' | '\u{fe64}' => FoldedChar::Char('<'),
        '\u{226f}' | '\u{fe65}' => FoldedChar::Char('>'),
        '\u{2260}' => FoldedChar::Char('='),
        '\u{fe47}' => FoldedChar::Char('['),
        '\u{fe5f}' => FoldedChar::Char('#'),
        '\u{aa}'
        | '\u{b2}'..='\u{be}'
        | '\u{132}'..='\u{149}'
        | '\u{1c4}'..='\u{1cc}'
        | '\u{1f1}'..='\u{1f3}'
        | '\u{2b0}'..='\u{2ff}'
        | '\u{37e}'
        | '\u{1d00}'..='\u{1dbf}'
        | '\u{1fef}'
        | '\u{2024}'..='\u{20a8}'
        | '\u{2100}'..='\u{218f}'
        | '\u{2460}'..='\u{24ff}'
        | '\u{2a74}'..='\u{2a76}'
        | '\u{3200}'..='\u{33ff}'
        | '\u{fb00}'..='\u{fb29}'
        | '\u{fe10}'..='\u{fe6f}'
        | '\u{1d400}'..='\u{1d7ff}'
        | '\u{1f100}'..='\u{1f2ff}'
        | '\u{1fbf0}'..='\u{1fbf9}' => FoldedChar::Several,
        '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => FoldedChar::Letter,
        char => FoldedChar::Char(char.to_ascii_lowercase()),
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
        let mut out = AnnotatedText::new();
        out.push("a ＜end＞ b", Origin::Data(None));
        assert!(out.guarded(&Family::BARE, &[], &options).is_err());
    }
}
