//! Splitting of a string at the control tokens that do not come from data.

use std::ops::Range;

use super::Token;

/// A control token, or the bytes between two of them.
///
/// ```
/// use typed_prompt::tokens::{TokenRun, runs};
///
/// let controls = [("<end>".to_owned(), 7)];
/// // The second one is data.
/// let runs = runs("a<end>b<end>", &[6..12], &controls);
/// assert!(matches!(&runs[..], [TokenRun::Text(_), TokenRun::Control(_), TokenRun::Text(range)] if *range == (6..12)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TokenRun {
    /// A control token.
    Control(Token),
    /// Bytes without a control token.
    Text(Range<usize>),
}

/// Splits a string at its control tokens. A token with a byte in `data` does not count, and of several tokens at one position the
/// longest counts. The ranges of `data` are in order.
///
/// ```
/// use typed_prompt::tokens::runs;
///
/// assert_eq!(runs("", &[], &[]), []);
/// ```
pub fn runs(text: &str, data: &[Range<usize>], controls: &[(String, u32)]) -> Vec<TokenRun> {
    let mut first = [false; 256];
    for (control, _) in controls {
        if let Some(byte) = control.bytes().next() {
            first[usize::from(byte)] = true;
        }
    }
    let mut runs = Vec::new();
    let (mut from, mut at) = (0, 0);
    let ends = data
        .iter()
        .map(|range| (range.start, range.end))
        .chain([(text.len(), text.len())]);
    for (end, next) in ends {
        while at < end {
            let own = &text.as_bytes()[at..end];
            let Some(found) = own.iter().position(|byte| first[usize::from(*byte)]) else {
                break;
            };
            at += found;
            let own = &text.as_bytes()[at..end];
            let Some((control, id)) = longest_control(own, controls) else {
                at += 1;
                continue;
            };
            if from < at {
                runs.push(TokenRun::Text(from..at));
            }
            let range = at..at + control.len();
            (from, at) = (range.end, range.end);
            runs.push(TokenRun::Control(Token { id, range }));
        }
        at = next;
    }
    if from < text.len() {
        runs.push(TokenRun::Text(from..text.len()));
    }
    runs
}

fn longest_control<'c>(text: &[u8], controls: &'c [(String, u32)]) -> Option<(&'c str, u32)> {
    controls
        .iter()
        .filter(|(control, _)| !control.is_empty() && text.starts_with(control.as_bytes()))
        .max_by_key(|(control, _)| control.len())
        .map(|(control, id)| (control.as_str(), *id))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text, its data, and the runs.
    type Case = (&'static str, &'static [(usize, usize)], &'static str);

    #[test]
    fn divides_only_outside_of_data() {
        let controls = [("<a>".to_owned(), 1), ("<a><b>".to_owned(), 2)];
        let cases: [Case; 7] = [
            ("x<a>y", &[], "0..1 1@1..4 4..5"),
            ("<a><b><a>", &[], "2@0..6 1@6..9"),
            ("<a><b>", &[(3, 4)], "1@0..3 3..6"),
            ("<a>", &[(0, 3)], "0..3"),
            ("<a>", &[(1, 2)], "0..3"),
            ("é<a", &[(2, 3)], "0..4"),
            ("<a<a>", &[(0, 2)], "0..2 1@2..5"),
        ];
        for (text, data, expected) in cases {
            let data: Vec<_> = data.iter().map(|(start, end)| *start..*end).collect();
            let shown: Vec<String> = runs(text, &data, &controls)
                .into_iter()
                .map(|run| match run {
                    TokenRun::Control(Token { id, range }) => format!("{id}@{range:?}"),
                    TokenRun::Text(range) => format!("{range:?}"),
                })
                .collect();
            assert_eq!(shown.join(" "), expected, "{text}");
        }
    }
}
