//! The guard's prefilter: the bytes that control tokens begin with, searched for before any token is compared.

/// The bytes that tokens begin with. It does not allocate, and is a constant for the families of this crate.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Prefilter {
    first: [bool; 256],
    /// What can follow the first byte.
    second: [bool; 256],
    /// The bytes that tokens contain.
    inside: [bool; 256],
    /// The first bytes, as many as one `memchr` search takes, and their number.
    few: [u8; 3],
    count: usize,
    longest: usize,
    /// Whether some tokens are loose.
    pub(super) is_loose: bool,
}

impl Prefilter {
    /// The prefilter of these tokens. Those that are `loose` too match in any case, and with any white space except inside words.
    pub(crate) const fn new(tokens: &[&str], loose: &[&str]) -> Prefilter {
        let none = Prefilter {
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

    /// Adds more tokens.
    pub(crate) const fn and(mut self, tokens: &[&str], loose: &[&str]) -> Prefilter {
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

    /// Where tokens that extend into data can begin, not before `seen`. The data begins at `start`.
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

    /// The next position in the range where a token can begin. The token may end after the range.
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
}

impl std::fmt::Debug for Prefilter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prefilter").finish_non_exhaustive()
    }
}

/// Whether a token has two characters at least, so that it can be broken.
pub(super) const fn is_token(token: &[u8]) -> bool {
    let mut at = 1;
    // The other bytes of the first character.
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
        let firsts = Prefilter::new(&["<|a|>", "[INST]", "é", "x"], &["[INST]"]);
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
        let strict = Prefilter::new(&["<|end|>"], &[]);
        let loose = Prefilter::new(&["[INST]"], &["[INST]"]);
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
    fn knows_the_bytes_of_white_space() {
        let spaces = ('\0'..=char::MAX).filter(|letter| letter.is_whitespace());
        for space in spaces {
            let mut bytes = [0; 4];
            let mut bytes = space.encode_utf8(&mut bytes).bytes();
            assert!(bytes.all(|byte| SPACES[usize::from(byte)]), "{space:?}");
        }
        assert!(!"用户a".bytes().all(|byte| SPACES[usize::from(byte)]));
    }
}
