//! Lines and columns of a text.

/// Returns the line and column of a byte, both counted from 1, the column in characters.
pub(crate) fn line_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..at.min(text.len())];
    let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
    let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    (line, 1 + count_chars(&before[start..]))
}

/// Returns the lines and columns of positions in ascending order.
pub(crate) struct Positions<'t> {
    text: &'t str,
    at: usize,
    line: usize,
    column: usize,
}

impl<'t> Positions<'t> {
    pub(crate) fn new(text: &'t str) -> Positions<'t> {
        Positions {
            text,
            at: 0,
            line: 1,
            column: 1,
        }
    }

    pub(crate) fn next(&mut self, at: usize) -> (usize, usize) {
        let at = at.min(self.text.len());
        if at < self.at {
            return line_column(self.text, at);
        }
        let between = &self.text.as_bytes()[self.at..at];
        match memchr::memrchr(b'\n', between) {
            Some(newline) => {
                self.line += between.iter().filter(|&&byte| byte == b'\n').count();
                self.column = 1 + count_chars(&between[newline + 1..]);
            }
            None => self.column += count_chars(between),
        }
        self.at = at;
        (self.line, self.column)
    }
}

/// The number of characters that begin in these bytes.
fn count_chars(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_equal_singly_and_in_sequence() {
        let text = "a\nbé\n\n  😀x";
        let mut positions = Positions::new(text);
        for (at, _) in text.char_indices() {
            assert_eq!(positions.next(at), line_column(text, at), "byte {at}");
        }
        assert_eq!(line_column(text, text.len()), (4, 5));
    }
}
