//! Where tokens can begin: what a text is searched for before anything is compared.

mod rows;

use self::rows::{count, occur};

/// The bytes that tokens begin with. It keeps nothing on the heap, and is made when the crate is compiled for the families
/// that it knows.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Firsts {
    first: [bool; 256],
    /// What can follow the first byte.
    second: [bool; 256],
    /// What they can go on with.
    inside: [bool; 256],
    /// The first bytes, as many of them as one search can look for, and how many there are.
    few: [u8; 3],
    count: usize,
    longest: usize,
    /// Whether some tokens are loose.
    pub(super) is_loose: bool,
}

impl Firsts {
    /// Of these tokens. Those that are `loose` too count in any case, and with any white space except inside their words.
    pub(crate) const fn of(tokens: &[&str], loose: &[&str]) -> Firsts {
        let none = Firsts {
            first: [false; 256],
            second: [false; 256],
            inside: [false; 256],
            few: [0; 3],
            count: 0,
            longest: 0,
            is_loose: false,
        };
        none.and(tokens, loose)
    }

    /// With more of them.
    pub(crate) const fn and(mut self, tokens: &[&str], loose: &[&str]) -> Firsts {
        let (mut gaps, mut anything, mut at) = (false, false, 0);
        while at < tokens.len() {
            let token = tokens[at].as_bytes();
            at += 1;
            if !is_token(token) {
                continue;
            }
            if token.len() > self.longest {
                self.longest = token.len();
            }
            self.add(token[0]);
            self.second[token[1] as usize] = true;
            let is_loose = contains(loose, token);
            self.add_inside(token, is_loose);
            if is_loose {
                self.is_loose = true;
                self.add(other_case(token[0]));
                self.second[other_case(token[1]) as usize] = true;
                let is_word = token[0].is_ascii_alphanumeric() && token[1].is_ascii_alphanumeric();
                gaps |= !is_word;
                anything |= !is_word && (token[1].is_ascii_whitespace() || !token[1].is_ascii());
            }
        }
        if self.is_loose {
            self.add_gaps();
        }
        if gaps {
            self.follow_gaps(anything);
        }
        self
    }

    const fn add(&mut self, byte: u8) {
        if self.first[byte as usize] {
            return;
        }
        self.first[byte as usize] = true;
        if self.count < self.few.len() {
            self.few[self.count] = byte;
        }
        self.count += 1;
    }

    const fn add_inside(&mut self, token: &[u8], is_loose: bool) {
        let mut at = 0;
        while at < token.len() {
            self.inside[token[at] as usize] = true;
            if is_loose {
                self.inside[other_case(token[at]) as usize] = true;
            }
            at += 1;
        }
    }

    /// White space can stand between the words of loose tokens.
    const fn add_gaps(&mut self) {
        let mut byte = 0;
        while byte < 256 {
            self.inside[byte] |= SPACES[byte];
            byte += 1;
        }
    }

    /// White space, of one byte or several, can follow the first byte of a loose token; `anything` where white space of the
    /// token's own may be left out.
    const fn follow_gaps(&mut self, anything: bool) {
        let mut byte = 0;
        while byte < 256 {
            self.second[byte] |= anything | SPACES[byte];
            byte += 1;
        }
    }

    /// Where tokens that reach into data can begin, behind what was `seen`. The data begins at `start`.
    pub(crate) fn before(&self, text: &[u8], seen: usize, start: usize) -> usize {
        let before = text[seen..start].iter().rev();
        let before = before.take_while(|byte| self.inside[usize::from(**byte)]);
        let most = self.longest.saturating_sub(1);
        if !self.is_loose {
            return start - before.take(most).count();
        }
        // White space between the words of a loose token may be of any length.
        let mut letters = 0;
        let is_near = |byte: &&u8| {
            letters += usize::from(!SPACES[usize::from(**byte)]);
            letters <= most
        };
        start - before.take_while(is_near).count()
    }

    /// The next place in the range where a token can begin. It may end behind the range.
    pub(crate) fn next(&self, text: &[u8], mut from: usize, end: usize) -> Option<usize> {
        let [a, b, c] = self.few;
        loop {
            let rest = text.get(from..end)?;
            let found = match self.count {
                0 => None,
                1 => memchr::memchr(a, rest),
                2 => memchr::memchr2(a, b, rest),
                3 => memchr::memchr3(a, b, c, rest),
                _ => rest.iter().position(|byte| self.first[usize::from(*byte)]),
            };
            let at = from + found?;
            if self.second[usize::from(*text.get(at + 1)?)] {
                return Some(at);
            }
            from = at + 1;
        }
    }

    /// Appends words to a text, and gives a place of it before which no token begins in them; `None` where none does at all.
    #[inline]
    pub(crate) fn copy(&self, words: &str, text: &mut String) -> Option<usize> {
        if words.len() >= SHORT || self.occur(words.as_bytes()) {
            return self.copy_searching(words, text);
        }
        text.push_str(words);
        None
    }

    /// The same for words that are long, or not clean: each block is searched and copied at once, while it is at hand.
    fn copy_searching(&self, words: &str, text: &mut String) -> Option<usize> {
        let start = text.len();
        let mut rest = words;
        while !rest.is_empty() {
            let from = words.len() - rest.len();
            let (block, behind) = rest.split_at(border(rest, BLOCK));
            if let Some(at) = self.next(words.as_bytes(), from, from + block.len()) {
                text.push_str(rest);
                return Some(start + at);
            }
            text.push_str(block);
            rest = behind;
        }
        // What follows the last byte is not known here.
        let last = *words.as_bytes().last()?;
        self.first[usize::from(last)].then(|| text.len() - 1)
    }

    /// Whether a text of few bytes has one that a token can begin with.
    pub(crate) fn occur(&self, text: &[u8]) -> bool {
        let [a, b, c] = self.few;
        match self.count {
            0 => false,
            1 => occur([a], text),
            2 => occur([a, b], text),
            3 => occur([a, b, c], text),
            _ => text.iter().any(|byte| self.first[usize::from(*byte)]),
        }
    }

    /// How many of the bytes a token can begin with; `None` where tokens begin with too many different ones.
    pub(crate) fn count(&self, text: &[u8]) -> Option<usize> {
        let [a, b, c] = self.few;
        match self.count {
            0 => Some(0),
            1 => Some(count([a], text)),
            2 => Some(count([a, b], text)),
            3 => Some(count([a, b, c], text)),
            _ => None,
        }
    }

    /// The same for a text that is known when the crate is compiled.
    pub(crate) const fn occurrences(&self, text: &str) -> usize {
        let (text, mut at, mut count) = (text.as_bytes(), 0, 0);
        while at < text.len() {
            if self.first[text[at] as usize] {
                count += 1;
            }
            at += 1;
        }
        count
    }
}

impl std::fmt::Debug for Firsts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Firsts").finish_non_exhaustive()
    }
}

/// Words of fewer bytes are searched faster without a call of `memchr`.
const SHORT: usize = 256;

/// How many bytes are searched before they are copied: as many as the nearest cache holds twice, and some more.
const BLOCK: usize = 8192;

/// The border of characters at a place of a text, or next to it on the left.
fn border(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// What can be broken: a token of one character is none.
pub(super) const fn is_token(token: &[u8]) -> bool {
    let mut at = 1;
    // Bytes that go on with the first character.
    while at < token.len() && token[at] & 0xc0 == 0x80 {
        at += 1;
    }
    at < token.len()
}

/// White space, and the bytes of it.
const SPACES: [bool; 256] = {
    let (mut spaces, mut byte) = ([false; 256], 0);
    while byte < 256 {
        let at = byte as u8;
        spaces[byte] = at.is_ascii_whitespace()
            || matches!(at, 0x0b | 0x80..=0x8a | 0x9a | 0x9f | 0xa0 | 0xa8 | 0xa9 | 0xaf | 0xc2 | 0xe1..=0xe3);
        byte += 1;
    }
    spaces
};

const fn other_case(byte: u8) -> u8 {
    if byte.is_ascii_alphabetic() {
        byte ^ b' '
    } else {
        byte
    }
}

const fn contains(tokens: &[&str], token: &[u8]) -> bool {
    let mut at = 0;
    while at < tokens.len() {
        if equal(tokens[at].as_bytes(), token) {
            return true;
        }
        at += 1;
    }
    false
}

const fn equal(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_where_a_token_can_begin() {
        let firsts = Firsts::of(&["<|a|>", "[INST]", "é", "x"], &["[INST]"]);
        let found = |text: &str| firsts.next(text.as_bytes(), 0, text.len());
        for (text, at) in [
            ("a <|b|>", Some(2)),
            ("a < b <p> <", Some(2)),
            ("a <b> <p> <", None),
            ("[ I", Some(0)),
            ("[\u{3000}I", Some(0)),
            ("[i", Some(0)),
            ("[x] [I", Some(4)),
            ("é x", None),
        ] {
            assert_eq!(found(text), at, "{text}");
        }
        assert_eq!(firsts.next("<|a".as_bytes(), 0, 1), Some(0));
    }

    #[test]
    fn looks_back_as_far_as_a_token_could_begin() {
        let strict = Firsts::of(&["<|end|>"], &[]);
        let loose = Firsts::of(&["[INST]"], &["[INST]"]);
        // What stands before the data, and how much of it a token could hold.
        for (firsts, before, bytes) in [
            (&strict, "a <|en", 4),
            (&strict, "<|end|>\n", 0),
            (&strict, "<|end|><|", 6),
            (&loose, "x: [ in\n ", 7),
            (&loose, "x: [\u{3000}", 5),
            (&loose, "x: [ \t\u{3000}\u{a0}  i \r\n \u{b} \u{2003} n", 23),
            (&loose, "[INST] x", 0),
        ] {
            let text = [before, "data"].concat();
            let from = firsts.before(text.as_bytes(), 0, before.len());
            assert_eq!(before.len() - from, bytes, "{before:?}");
        }
        assert_eq!(strict.before(b"<|en", 3, 4), 3);
    }

    #[test]
    fn sees_them_anywhere() {
        let firsts = Firsts::of(&["<|a|>", "[INST]"], &[]);
        for len in 0..200 {
            let clean = "a".repeat(len);
            assert!(!firsts.occur(clean.as_bytes()));
            for at in 0..len {
                let text = [&clean[..at], "[", &clean[at + 1..]].concat();
                assert!(firsts.occur(text.as_bytes()), "{text}");
            }
        }
    }

    #[test]
    fn knows_the_bytes_of_white_space() {
        let spaces = ('\0'..=char::MAX).filter(|letter| letter.is_whitespace());
        for space in spaces {
            let mut bytes = [0; 4];
            let mut bytes = space.encode_utf8(&mut bytes).bytes();
            assert!(bytes.all(|byte| SPACES[usize::from(byte)]), "{space:?}");
        }
        assert!(!"用户a".bytes().all(|byte| SPACES[usize::from(byte)]));
    }

    #[test]
    fn copies_and_finds() {
        let firsts = Firsts::of(&["<|a|>"], &[]);
        for (words, found) in [
            ("", None),
            ("a < b", None),
            ("a <|b", Some(4)),
            ("a <", Some(4)),
            (&"é".repeat(10_000), None),
            (
                &["é".repeat(10_000), "<|".to_owned()].concat(),
                Some(20_002),
            ),
        ] {
            let mut text = "> ".to_owned();
            assert_eq!(firsts.copy(words, &mut text), found);
            assert_eq!(text, ["> ", words].concat());
        }
    }

    #[test]
    fn counts_them() {
        let firsts = Firsts::of(&["<|a|>", "[INST]", "User:"], &["User:"]);
        let text = "<a> [b] user <";
        assert_eq!(firsts.occurrences(text), 4);
        assert_eq!(firsts.count(text.as_bytes()), None);
        let firsts = Firsts::of(&["<|a|>", "[INST]"], &[]);
        // All of them one of these bytes, one in three, and one in forty.
        for each in ["<", "[ab", &["a".repeat(39), "<".to_owned()].concat()] {
            for len in 0..600 {
                let text: String = each.chars().cycle().take(len).collect();
                let count = firsts.occurrences(&text);
                assert_eq!(firsts.count(text.as_bytes()), Some(count), "{text}");
            }
        }
    }
}
