//! Names behind any brackets, for a field that no slot uses: its slot was perhaps meant by text that is too common to be an error
//! by itself, such as `[name]` or `<nmae:>`.

use crate::name::{begins_name, name_len};
use prompt_base::Span;

/// A name behind brackets.
pub(crate) struct BracketedName<'t> {
    pub(crate) name: &'t str,
    /// With the brackets.
    pub(crate) span: Span,
    pub(crate) is_closed: bool,
    /// The first bracket.
    pub(crate) bracket: char,
}

/// All names behind brackets.
pub(crate) fn bracketed_names(text: &str) -> Vec<BracketedName<'_>> {
    let (mut names, mut done) = (Vec::new(), 0);
    for (at, c) in text.char_indices() {
        if at < done || !matches!(c, '<' | '{' | '[' | '$' | '%') {
            continue;
        }
        match BracketedName::parse(text, at, c) {
            Some(found) => {
                done = found.span.end;
                names.push(found);
            }
            // The other brackets of the same run do not open a name either; only the last one can be the `$` of `{$name`.
            None => done = at + openers_len(&text[at..]).saturating_sub(1),
        }
    }
    names
}

impl BracketedName<'_> {
    /// Reads the brackets that open here, the name behind them, and what closes them on the same line.
    fn parse(text: &str, start: usize, bracket: char) -> Option<BracketedName<'_>> {
        let opener = &text[start..];
        let open = openers_len(opener);
        let mut at = start + open + blank_len(&text[start + open..]);
        if let Some(rest) = text[at..].strip_prefix("input") {
            let gap = blank_len(rest);
            if rest[gap..].starts_with(':') {
                at += "input".len() + gap + 1;
                at += blank_len(&text[at..]);
            }
        }
        if text[at..].starts_with("r#") {
            at += "r#".len();
        }
        let end = at + name_len(&text[at..]);
        if end == at {
            return None;
        }
        let name = &text[at..end];
        let brackets = opener[..open].trim_matches(['$', '%']);
        if brackets.is_empty() {
            // `$name`, `%name%`
            let close = usize::from(text[end..].starts_with('%'));
            let whole = open == 1 && at == start + 1 && (opener.starts_with('$') || close == 1);
            let span = Span::new(start, end + close);
            return whole.then_some(BracketedName {
                name,
                span,
                is_closed: true,
                bracket,
            });
        }
        let (end, is_closed) = match find_closing(text, end, brackets)? {
            Closing::Closed(end) => (end, true),
            // Other brackets open for many reasons.
            Closing::Open if at == start + open && brackets == "<" => (end, false),
            Closing::Open => return None,
        };
        let span = Span::new(start, end);
        Some(BracketedName {
            name,
            span,
            is_closed,
            bracket,
        })
    }
}

enum Closing {
    /// Where the closing brackets end.
    Closed(usize),
    Open,
}

/// The most characters between a name and its closing bracket.
const NEAR: usize = 40;

/// The closing bracket after a name; `None` if the text before it is longer than a path, a call or a format.
fn find_closing(text: &str, from: usize, brackets: &str) -> Option<Closing> {
    let closing = match brackets.chars().next_back()? {
        '<' => '>',
        '{' => '}',
        '[' => ']',
        '(' => ')',
        _ => '%',
    };
    let rest = &text[from..];
    let line = rest.char_indices().take(NEAR);
    let mut line = line.take_while(|(_, c)| !matches!(c, '\n' | '\r' | '<' | '{'));
    let Some((at, _)) = line.find(|(_, c)| *c == closing) else {
        return Some(Closing::Open);
    };
    let words = &rest[..at];
    let next = words.trim_start_matches([' ', '\t']);
    // After a space another word is prose: `[see the notes]`, `<name of the user>`.
    let prose = next.len() < words.len() && next.starts_with(begins_name);
    // A quoted string is an attribute's, but not after a sign: `<name || "none">`.
    let quoted = words.contains('"') && !next.starts_with(['|', '?']);
    if prose || words.starts_with('=') || words.ends_with(['-', '=']) || quoted {
        return None;
    }
    let after = &rest[at..];
    let closing = after.len() - after.trim_start_matches(['>', '}', ']', ')', '%']).len();
    Some(Closing::Closed(from + at + closing))
}

/// The length of the run of opening brackets at the start of a text.
fn openers_len(text: &str) -> usize {
    text.len()
        - text
            .trim_start_matches(['<', '{', '[', '$', '%', '(', '#'])
            .len()
}

fn blank_len(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t']).len()
}
