//! Markdown fences.

use prompt_base::Span;

/// A Markdown fence in a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fence {
    /// From the opening line to the end of the closing line.
    pub outer: Span,
    pub body: Span,
    pub closed: bool,
}

impl Fence {
    /// The fence whose body contains a position. The fences are in order.
    pub(crate) fn find_containing(fences: &[Fence], position: usize) -> Option<&Fence> {
        let next = fences.partition_point(|fence| fence.body.end <= position);
        fences
            .get(next)
            .filter(|fence| fence.body.start <= position)
    }
}

/// Returns the fences of a text after a position. Opening and closing lines may be indented; a closing line contains nothing else.
pub(crate) fn find_fences(text: &str, from: usize) -> Vec<Fence> {
    let mut fences: Vec<Fence> = Vec::new();
    let mut open: Option<(usize, usize, char, usize)> = None;
    let bytes = text.as_bytes();
    let mut next = from;
    // Most lines contain neither character, so the search skips them without splitting the text into lines.
    while let Some(offset) = memchr::memchr2(b'`', b'~', &bytes[next..]) {
        let at = next + offset;
        let start = memchr::memrchr(b'\n', &bytes[next..at]).map_or(next, |end| next + end + 1);
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |end| at + end + 1);
        let line = &text[start..end];
        next = end;
        let indent = line.len() - line.trim_start().len();
        let trimmed = line.trim();
        let mark = trimmed
            .chars()
            .next()
            .filter(|mark| matches!(mark, '`' | '~'))
            .unwrap_or(' ');
        let length = trimmed.chars().take_while(|&letter| letter == mark).count();
        match open {
            Some((outer, body, opening, count))
                if mark == opening && length >= count && length == trimmed.len() =>
            {
                let outer = Span::new(outer, end);
                fences.push(Fence {
                    outer,
                    body: Span::new(body, start),
                    closed: true,
                });
                open = None;
            }
            None if mark != ' ' && length >= 3 && !trimmed[length..].contains('`') => {
                let fence = start + indent;
                let info = &text[fence + length..end];
                // The answer may begin on the opening line: "```json {".
                let body = info.find(['{', '[']).map_or(end, |at| fence + length + at);
                open = Some((fence, body, mark, length));
            }
            _ => {}
        }
    }
    if let Some((outer, body, ..)) = open {
        let end = text.len();
        let outer = Span::new(outer, end);
        fences.push(Fence {
            outer,
            body: Span::new(body.min(end), end),
            closed: false,
        });
    }
    fences
}

#[cfg(test)]
mod fence_tests {
    use super::*;

    #[test]
    fn fences() {
        let bodies = |text: &str| -> Vec<(String, bool)> {
            let fences = find_fences(text, 0);
            fences
                .iter()
                .map(|f| (text[f.body.start..f.body.end].to_owned(), f.closed))
                .collect()
        };
        let one = |body: &str, closed| vec![(body.to_owned(), closed)];
        assert_eq!(bodies("a\n```json\n{}\n```\nb"), one("{}\n", true));
        assert_eq!(bodies("  ~~~\nx\n  ~~~"), one("x\n", true));
        assert_eq!(
            bodies("```json {\"a\":\n1}\n```"),
            one("{\"a\":\n1}\n", true)
        );
        assert_eq!(bodies("```\nnever closed"), one("never closed", false));
        assert_eq!(
            bodies("```\n{\"code\": \"```\",\n1}\n```"),
            one("{\"code\": \"```\",\n1}\n", true)
        );
        assert_eq!(bodies("`inline` and ```x``` too").len(), 0);
        assert_eq!(bodies("```\na\n```\n\n```\nb\n```").len(), 2);
    }
}
