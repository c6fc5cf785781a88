//! Excerpts of two texts, around their first difference.

use serde_json::Value;

/// The number of characters that are shown before and after the first difference.
const BEFORE: usize = 60;
const AFTER: usize = 160;

/// `expected …` and `got …`, one line each, which begin shortly before the first difference.
pub(crate) fn texts(wanted: &str, got: &str) -> String {
    let same = wanted
        .chars()
        .zip(got.chars())
        .take_while(|(a, b)| a == b)
        .count();
    let start = same.saturating_sub(BEFORE);
    format!(
        "    first difference at character {same}\n    expected {}\n    got      {}",
        window(wanted, start),
        window(got, start)
    )
}

/// As [`texts`], for JSON. The order of keys is ignored.
pub(crate) fn values(wanted: &Value, got: &Value) -> String {
    texts(&format!("{wanted:#}"), &format!("{got:#}"))
}

/// The parts in which two texts differ, with a few characters of context.
pub(crate) fn parts(a: &str, b: &str) -> (String, String) {
    const AROUND: usize = 8;
    const LENGTH: usize = 90;
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let start = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let rest = a.len().min(b.len()) - start;
    let end = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take(rest)
        .take_while(|(a, b)| a == b)
        .count();
    let start = start.saturating_sub(AROUND);
    let cut = |text: &[char]| {
        let end = (text.len() - end + AROUND).min(text.len());
        let shown = end.min(start + LENGTH);
        let before = if start > 0 { "…" } else { "" };
        let after = if shown < text.len() { "…" } else { "" };
        format!(
            "{before}{}{after}",
            text[start..shown].iter().collect::<String>()
        )
    };
    (cut(&a), cut(&b))
}

fn window(text: &str, start: usize) -> String {
    let cut: String = text.chars().skip(start).take(BEFORE + AFTER).collect();
    let before = if start > 0 { "…" } else { "" };
    let after = if text.chars().count() > start + BEFORE + AFTER {
        "…"
    } else {
        ""
    };
    format!("{before}{cut:?}{after}")
}
