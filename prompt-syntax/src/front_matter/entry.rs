//! The lines of front matter: a key, and a string in one line. That is a small part of YAML, read as YAML reads it.

use crate::problem::front_matter::{self as problem, NotTextReason};
use crate::{Error, Spanned};
use prompt_base::Span;

/// A line `key: value`.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key, before the colon.
    pub key: Spanned<String>,
    /// Without its quotes.
    pub value: Spanned<String>,
    /// A construct of YAML other than a string in one line.
    wrong: Option<Error>,
    is_nested: bool,
}

impl Entry {
    /// Whether the value has lines of its own, below the key.
    pub fn is_nested(&self) -> bool {
        self.is_nested
    }

    /// The value, if it is a string.
    ///
    /// # Errors
    /// More of YAML than is read here.
    pub fn text(&self) -> Result<&str, Error> {
        match &self.wrong {
            Some(error) => Err(error.clone()),
            None => Ok(&self.value.value),
        }
    }

    /// The span of the value.
    pub fn span(&self) -> Span {
        self.value.span
    }
}

/// Reads the lines up to `end`, and what is wrong with the others.
///
/// ```
/// use prompt_syntax::front_matter::entries;
///
/// let (entries, errors) = entries("---\nsyntax: jinja\n---\n", 18);
/// assert_eq!((entries[0].text(), errors.len()), (Ok("jinja"), 0));
/// ```
pub fn entries(text: &str, end: usize) -> (Vec<Entry>, Vec<Error>) {
    let (mut entries, mut errors) = (Vec::new(), Vec::new());
    let mut at = 0;
    // Lines that are further in belong to the key above them.
    let mut inside = false;
    for line in text[..end].split_inclusive('\n') {
        let start = at;
        at += line.len();
        let line = line.trim_end();
        let words = line.trim_start();
        if start == 0 || words.is_empty() || words.starts_with('#') {
            continue;
        }
        let indent = line.len() - words.len();
        if indent > 0 || words.starts_with("- ") {
            if !std::mem::replace(&mut inside, true) {
                let span = Span::new(start + indent, start + line.len());
                match entries.last_mut() {
                    Some(entry) => mark_nested(entry),
                    None => errors.push(problem::no_key().at(span)),
                }
            }
            continue;
        }
        inside = false;
        match parse_entry(line, start) {
            Ok(entry) => entries.push(entry),
            Err(error) => errors.push(error),
        }
    }
    (entries, errors)
}

/// The key has a value of several lines.
fn mark_nested(entry: &mut Entry) {
    let error = problem::several_lines(&entry.key).at(entry.key.span);
    entry.wrong = Some(error);
    entry.is_nested = true;
}

/// Reads a line that begins `start` bytes into the file.
fn parse_entry(line: &str, start: usize) -> Result<Entry, Error> {
    let whole = Span::new(start, start + line.len());
    let colon = line.find(':').ok_or_else(|| problem::no_key().at(whole))?;
    let name = line[..colon].trim_end();
    let is_name = |char: char| char.is_alphanumeric() || "_-.".contains(char);
    if name.is_empty() || !name.chars().all(is_name) {
        return Err(problem::no_key().at(whole));
    }
    let key = Spanned::new(name.to_owned(), Span::new(start, start + name.len()));
    let rest = &line[colon + 1..];
    let written = rest.trim_start();
    let from = start + line.len() - written.len();
    let (value, len, wrong) = match written.chars().next() {
        Some(quote @ ('"' | '\'')) => parse_quoted(written, quote),
        Some('[' | '{' | '|' | '>' | '&' | '*' | '!' | '%' | '@' | '`') => (
            String::new(),
            written.len(),
            Some(NotTextReason::MoreOfYaml),
        ),
        _ => {
            let value = without_comment(written);
            let missing = value.is_empty().then_some(NotTextReason::Nothing);
            (value.to_owned(), value.len(), missing)
        }
    };
    let span = Span::new(from, from + len);
    let wrong = wrong.map(|why| {
        let at = if len == 0 { key.span } else { span };
        problem::no_text(name, why).at(at)
    });
    let value = Spanned::new(value, span);
    Ok(Entry {
        key,
        value,
        wrong,
        is_nested: false,
    })
}

/// The text before ` #`.
fn without_comment(text: &str) -> &str {
    if text.starts_with('#') {
        return "";
    }
    let end = text.find(" #").unwrap_or(text.len());
    text[..end].trim_end()
}

/// The text in quotes, how long it is with them, and what is wrong with it.
fn parse_quoted(written: &str, quote: char) -> (String, usize, Option<NotTextReason>) {
    let mut value = String::new();
    let mut chars = written.char_indices().skip(1).peekable();
    while let Some((at, char)) = chars.next() {
        match char {
            '\'' if quote == '\'' && chars.next_if(|(_, next)| *next == '\'').is_some() => {
                value.push('\'');
            }
            char if char == quote => {
                let end = at + 1;
                let behind = without_comment(written[end..].trim_start());
                let wrong = (!behind.is_empty()).then_some(NotTextReason::BehindQuote);
                return (value, end, wrong);
            }
            '\\' if quote == '"' => match chars.next() {
                Some((_, 'n')) => value.push('\n'),
                Some((_, 't')) => value.push('\t'),
                Some((_, char @ ('"' | '\\' | '/'))) => value.push(char),
                _ => {
                    return (value, written.len(), Some(NotTextReason::Escape));
                }
            },
            char => value.push(char),
        }
    }
    (value, written.len(), Some(NotTextReason::NoQuote))
}

#[cfg(test)]
mod tests {
    use super::entries;

    /// The entry of each line: its key and value, or the error.
    fn read(lines: &str) -> Vec<String> {
        let text = format!("---\n{lines}\n");
        let (entries, errors) = entries(&text, text.len());
        let mut messages: Vec<String> = entries
            .iter()
            .map(|entry| match entry.text() {
                Ok(text) => {
                    let span = entry.span();
                    assert!(
                        text.len() <= text.len().max(span.end - span.start),
                        "{lines}"
                    );
                    format!("{}={text}", entry.key.value)
                }
                Err(error) => format!("{}: {}", entry.key.value, error.label().unwrap_or_default()),
            })
            .collect();
        messages.extend(errors.into_iter().map(|error| error.message().to_owned()));
        messages
    }

    #[test]
    fn a_line_is_parsed_as_in_yaml() {
        for (lines, expected) in [
            ("model: gpt-4.1", "model=gpt-4.1"),
            ("model:gpt", "model=gpt"),
            ("model:   a b  ", "model=a b"),
            ("model: a # b", "model=a"),
            ("model: a#b", "model=a#b"),
            ("model: \"a # b\"", "model=a # b"),
            ("model: \"a\\n\\\"b\\\"\" # c", "model=a\n\"b\""),
            ("model: 'it''s'", "model=it's"),
            ("model: ollama:qwen", "model=ollama:qwen"),
            ("model: é", "model=é"),
            ("# model: a\n\nmodel: b", "model=b"),
        ] {
            assert_eq!(read(lines), [expected], "{lines}");
        }
    }

    #[test]
    fn other_yaml_syntax_is_an_error() {
        for (lines, expected) in [
            ("model:", "model: has no value"),
            ("model: # a", "model: has no value"),
            ("model: [a, b]", "model: more of YAML than is read here"),
            ("model: |", "model: more of YAML than is read here"),
            ("model: \"a", "model: has no closing quote"),
            ("model: \"a\" b", "model: continues after its quote"),
            (
                "model: \"\\x41\"",
                "model: has an escape that is not read here",
            ),
            (
                "input:\n  schema:\n    text: string",
                "input: the indented lines below belong to it",
            ),
            (
                "model:\n- a\n- b",
                "model: the indented lines below belong to it",
            ),
            (
                "model: a\n  b",
                "model: the indented lines below belong to it",
            ),
            ("just text", "this line of the front matter has no key"),
            ("two words: x", "this line of the front matter has no key"),
            ("  model: a", "this line of the front matter has no key"),
            (": a", "this line of the front matter has no key"),
        ] {
            assert_eq!(read(lines), [expected], "{lines}");
        }
    }
}
