//! Where the bytes of a string literal's value stand in the literal as it was written.
//!
//! A template is parsed as the *value* of a literal, but errors are drawn over the literal's own characters, so every byte of the
//! value remembers the characters of the token that it came from.

use std::ops::Range;

use prompt_syntax::Span;

/// The value of a string literal, and where each of its bytes was written.
#[derive(Debug)]
pub(crate) struct Cooked {
    pub(crate) value: String,
    /// In the order of the value, without gaps.
    runs: Vec<Run>,
    /// How many bytes of the value that the runs know were taken off its beginning.
    skipped: usize,
    /// Where the closing quote stands.
    end: usize,
}

/// Characters that were written as they are, or one that an escape stands for.
#[derive(Debug)]
struct Run {
    /// Where it begins in the value.
    value: usize,
    /// The bytes of the token. Of an escape there are more than of its character.
    written: Range<usize>,
    is_escape: bool,
}

impl Cooked {
    /// Reads a string literal token: `"…"`, `r"…"`, `r#"…"#`.
    ///
    /// `None` if the token is no string literal that rustc would accept.
    pub(crate) fn read(token: &str) -> Option<Cooked> {
        match token.strip_prefix('r') {
            Some(raw) => {
                let hashes = raw.len() - raw.trim_start_matches('#').len();
                let quoted = raw[hashes..].strip_suffix(&raw[..hashes])?;
                let value = quoted.strip_prefix('"')?.strip_suffix('"')?;
                Some(Cooked::verbatim(
                    value,
                    'r'.len_utf8() + hashes + '"'.len_utf8(),
                ))
            }
            None => {
                let inner = token.strip_prefix('"')?.strip_suffix('"')?;
                Cooked::unescape(inner, '"'.len_utf8())
            }
        }
    }

    /// A value that was written as it is, `start` bytes into its token.
    pub(crate) fn verbatim(value: &str, start: usize) -> Cooked {
        let mut cooked = Cooked::empty(start + value.len());
        cooked.push_str(value, start);
        cooked
    }

    /// The text of a file: without its byte order mark, and with the line breaks of Unix.
    pub(crate) fn file(text: &str) -> Cooked {
        let start = text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len();
        let mut cooked = Cooked::empty(text.len());
        let mut at = start;
        while let Some(len) = text[at..].find("\r\n") {
            cooked.push_str(&text[at..at + len], at);
            cooked.push_escape('\n', at + len..at + len + 2);
            at += len + 2;
        }
        cooked.push_str(&text[at..], at);
        cooked
    }

    /// The same less the line break at its end.
    pub(crate) fn without_last_line_break(mut self) -> Cooked {
        if self.value.ends_with('\n') {
            self.value.pop();
        }
        self
    }

    /// The same less its first bytes.
    pub(crate) fn without_first(mut self, bytes: usize) -> Cooked {
        self.value.drain(..bytes);
        self.skipped += bytes;
        self
    }

    /// The bytes of the token that a span of the value came from.
    pub(crate) fn written(&self, span: Span) -> Range<usize> {
        let start = self.char_at(span.start).map_or(self.end, |char| char.start);
        let end = if span.end > span.start {
            self.char_at(span.end - 1).map_or(self.end, |char| char.end)
        } else {
            start
        };
        start..end
    }

    /// The bytes of the token that stand for the character which a byte of the value is of.
    fn char_at(&self, byte: usize) -> Option<Range<usize>> {
        let char = self.value.get(byte..).map_or_else(
            || (0..byte).rev().find(|at| self.value.is_char_boundary(*at)),
            |_| Some(byte),
        )?;
        let len = self.value[char..].chars().next()?.len_utf8();
        let at = char + self.skipped;
        let run = self.runs.partition_point(|run| run.value <= at);
        let run = self.runs.get(run.checked_sub(1)?)?;
        if run.is_escape {
            return Some(run.written.clone());
        }
        let start = run.written.start + at - run.value;
        Some(start..start + len)
    }

    fn empty(end: usize) -> Cooked {
        Cooked {
            value: String::new(),
            runs: Vec::new(),
            skipped: 0,
            end,
        }
    }

    /// Characters that were written as they are, from `start` on.
    fn push_str(&mut self, text: &str, start: usize) {
        if !text.is_empty() {
            self.run(start..start + text.len(), false);
            self.value.push_str(text);
        }
    }

    fn push_escape(&mut self, char: char, written: Range<usize>) {
        self.run(written, true);
        self.value.push(char);
    }

    fn run(&mut self, written: Range<usize>, is_escape: bool) {
        self.runs.push(Run {
            value: self.value.len(),
            written,
            is_escape,
        });
    }

    /// The escapes of <https://doc.rust-lang.org/reference/tokens.html#string-literals>.
    fn unescape(inner: &str, start: usize) -> Option<Cooked> {
        let mut cooked = Cooked::empty(start + inner.len());
        // One character is looked for by words of memory, one of several step by step, and macros run unoptimised.
        let has_returns = inner.contains('\r');
        let special = |text: &str| match has_returns {
            true => text.find(['\\', '\r']),
            false => text.find('\\'),
        };
        let mut at = 0;
        while let Some(len) = special(&inner[at..]) {
            let (text, rest) = inner[at..].split_at(len);
            cooked.push_str(text, start + at);
            at += len;
            let (char, len) = match escape(&rest[1..]) {
                _ if rest.starts_with("\r\n") => (Some('\n'), 2),
                _ if rest.starts_with('\r') => (Some('\r'), 1),
                Some(Escape::Char(char, len)) => (Some(char), 1 + len),
                Some(Escape::Skip(len)) => (None, 1 + len),
                None => return None,
            };
            if let Some(char) = char {
                cooked.push_escape(char, start + at..start + at + len);
            }
            at += len;
        }
        cooked.push_str(&inner[at..], start + at);
        Some(cooked)
    }
}

enum Escape {
    /// A character, and the bytes of its escape behind the backslash.
    Char(char, usize),
    /// A line break with the white space that follows it: stands for nothing.
    Skip(usize),
}

/// Reads what stands behind a backslash.
fn escape(rest: &str) -> Option<Escape> {
    let simple = |char| Some(Escape::Char(char, 1));
    match rest.chars().next()? {
        'n' => simple('\n'),
        'r' => simple('\r'),
        't' => simple('\t'),
        '0' => simple('\0'),
        char @ ('\\' | '\'' | '"') => simple(char),
        'x' => {
            let code = u8::from_str_radix(rest.get(1..3)?, 16)
                .ok()
                .filter(u8::is_ascii)?;
            Some(Escape::Char(code.into(), 3))
        }
        'u' => {
            let digits = rest.strip_prefix("u{")?.split_once('}')?.0;
            let code = u32::from_str_radix(&digits.replace('_', ""), 16).ok()?;
            Some(Escape::Char(
                char::from_u32(code)?,
                "u{}".len() + digits.len(),
            ))
        }
        '\n' | '\r' => {
            let skipped = rest.trim_start_matches([' ', '\t', '\n', '\r']);
            Some(Escape::Skip(rest.len() - skipped.len()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is drawn for `words` of the value: the characters of the token.
    #[track_caller]
    fn check(token: &str, words: &str, written: &str) {
        let cooked = Cooked::read(token).expect("a string literal");
        let literal: syn::LitStr = syn::parse_str(token).expect("a string literal");
        assert_eq!(cooked.value, literal.value());
        let start = cooked.value.find(words).expect("the words are there");
        let range = cooked.written(Span {
            start,
            end: start + words.len(),
        });
        assert_eq!(&token[range], written);
    }

    #[test]
    fn plain_and_raw() {
        check(r#""Use <name>.""#, "<name>", "<name>");
        check(r#""é <name>""#, "<name>", "<name>");
        check(r###"r"Use <name>""###, "<name>", "<name>");
        check(r####"r##"a "# <name>"##"####, "<name>", "<name>");
        check("r#\"\\n<name>\"#", "<name>", "<name>");
    }

    #[test]
    fn escapes() {
        check(r#""\n\t\r\0\\\'\"<name>""#, "<name>", "<name>");
        check(r#""\x41\u{1F600}\u{00_e9}<name>""#, "<name>", "<name>");
        check(r#""<na\u{6d}e>""#, "<name>", r"<na\u{6d}e>");
        check(r#""<\x6eame>!""#, "name", r"\x6eame");
        check(r#""a\n""#, "\n", r"\n");
    }

    #[test]
    fn line_continuations() {
        check("\"a \\\n     <name>\"", "<name>", "<name>");
        check("\"<na\\\n     me>\"", "<name>", "<na\\\n     me>");
        // What is skipped behind a span is not part of it.
        check("\"<name>\\\n     .\"", "<name>", "<name>");
        check("\"<name>\\\n  \n\n  \"", "<name>", "<name>");
    }

    #[test]
    fn line_breaks_of_windows() {
        check("\"a\r\n<name>\"", "<name>", "<name>");
        check("\"a\\\r\n  <name>\"", "<name>", "<name>");
    }

    #[test]
    fn ends_and_empty_spans() {
        let cooked = Cooked::read(r#""a\n""#).expect("a string literal");
        assert_eq!(cooked.written(Span { start: 2, end: 2 }), 4..4);
        assert_eq!(cooked.written(Span { start: 1, end: 1 }), 2..2);
        assert_eq!(cooked.written(Span { start: 0, end: 2 }), 1..4);
        assert_eq!(cooked.written(Span { start: 9, end: 12 }), 4..4);
    }

    #[test]
    fn other_tokens() {
        for token in [
            "",
            "\"",
            "b\"a\"",
            "r#\"a\"",
            "1",
            "'a'",
            r#""\q""#,
            r#""\x80""#,
            r#""\u{d800}""#,
            "\"a\"x",
        ] {
            assert!(Cooked::read(token).is_none(), "{token}");
        }
    }

    /// Every literal made of these pieces has the value that rustc gives it, and every character of it leads back to its piece.
    #[test]
    fn all_short_literals() {
        let pieces = [
            "a",
            "é",
            "\n",
            r"\n",
            r"\\",
            r#"\""#,
            r"\x7f",
            r"\u{1F600}",
            "\\\n \t",
            "<x>",
        ];
        for a in pieces {
            for b in pieces {
                for c in pieces {
                    let token = format!("\"{a}{b}{c}\"");
                    let literal: syn::LitStr = syn::parse_str(&token).expect("a string literal");
                    let cooked = Cooked::read(&token).expect("a string literal");
                    assert_eq!(cooked.value, literal.value(), "{token}");
                    let mut end = 1;
                    for (start, char) in cooked.value.char_indices() {
                        let range = cooked.written(Span {
                            start,
                            end: start + char.len_utf8(),
                        });
                        assert!(range.start >= end && range.end > range.start, "{token}");
                        end = range.end;
                    }
                    assert!(end < token.len(), "{token}");
                }
            }
        }
    }
}
