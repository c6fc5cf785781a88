//! Strings in triple quotes, `"""…"""`, `'''…'''` or a Markdown fence, as models write code.

use std::borrow::Cow;

pub(super) struct Block<'t> {
    pub text: Cow<'t, str>,
    /// How many bytes it takes, quotes included.
    pub length: usize,
    /// How many bytes had to be looked at.
    pub seen: usize,
    pub cut: bool,
}

/// The block that a text begins with.
pub(super) fn find(text: &str) -> Option<Block<'_>> {
    let quote = ["\"\"\"", "'''", "```"]
        .into_iter()
        .find(|quote| text.starts_with(quote))?;
    let body = &text[3..];
    let body_start = if quote == "```" { 3 + info(body)? } else { 3 };
    let body = &text[body_start..];
    let (content, length, seen, cut) = match end(body, quote) {
        Some((end, seen)) => {
            let (length, seen) = (body_start + end + 3, body_start + seen);
            (&body[..end], length, seen, false)
        }
        None => (body, text.len(), text.len(), true),
    };
    Some(Block {
        text: trim(content),
        length,
        seen,
        cut,
    })
}

/// The length of the line after a fence, which names a language or a file.
fn info(body: &str) -> Option<usize> {
    let end = body.find('\n');
    match end {
        Some(end) if !body[..end].contains('`') => Some(end),
        // All on one line: the fence is no more than a quote.
        Some(_) => Some(0),
        None => Some(if body.contains("```") { 0 } else { body.len() }),
    }
}

/// Where the closing quotes stand: the first that JSON could go on after, or the first at all; and how far was looked.
fn end(body: &str, quote: &str) -> Option<(usize, usize)> {
    let goes_on = |&(at, _): &(usize, &str)| {
        let rest = body[at + 3..].trim_start();
        rest.is_empty() || rest.starts_with([',', '}', ']', '"', '\''])
    };
    let mut places = body.match_indices(quote);
    let first = places.clone().next()?;
    Some(match places.find(goes_on) {
        Some((end, _)) => (end, end),
        None => (first.0, body.len()),
    })
}

/// Takes off the line breaks at both ends and the margin that all lines share.
fn trim(content: &str) -> Cow<'_, str> {
    let Some(content) = content
        .strip_prefix('\n')
        .or_else(|| content.strip_prefix("\r\n"))
    else {
        return Cow::Borrowed(content);
    };
    let content = content.trim_end();
    let margin = content
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let lines: Vec<&str> = content
        .lines()
        .map(|line| {
            if line.trim().is_empty() {
                ""
            } else {
                &line[margin..]
            }
        })
        .collect();
    Cow::Owned(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn blocks() {
        for (text, content) in [
            ("\"\"\"a \"b\" c\"\"\", \"d\": 1}", "a \"b\" c"),
            ("\"\"\"\n  if x:\n    y\n  \"\"\"}", "if x:\n  y"),
            ("'''it's'''", "it's"),
            ("```rust main.rs\nfn main() {}\n```,", "fn main() {}"),
            ("```\na `b` c\n```", "a `b` c"),
            ("```x```", "x"),
        ] {
            assert_eq!(find(text).unwrap().text, content, "{text}");
        }
        assert!(find("\"\"").is_none());
        assert!(find("\"\"\"never").unwrap().cut);
    }
}
