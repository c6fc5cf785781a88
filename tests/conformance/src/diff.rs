//! Two texts side by side, cut to the place where they part.

use serde_json::Value;

/// Around the first difference this many characters are shown before, and after.
const BEFORE: usize = 60;
const AFTER: usize = 160;

/// `expected …` and `got …`, one line each, from shortly before the first difference.
pub(crate) fn texts(wanted: &str, got: &str) -> String {
    let same = wanted.chars().zip(got.chars()).take_while(|(a, b)| a == b).count();
    let start = same.saturating_sub(BEFORE);
    format!(
        "    first difference at character {same}\n    expected {}\n    got      {}",
        window(wanted, start),
        window(got, start)
    )
}

/// As [`texts`], for JSON: objects are compared without regard to their order.
pub(crate) fn values(wanted: &Value, got: &Value) -> String {
    texts(&format!("{wanted:#}"), &format!("{got:#}"))
}

fn window(text: &str, start: usize) -> String {
    let cut: String = text.chars().skip(start).take(BEFORE + AFTER).collect();
    let before = if start > 0 { "…" } else { "" };
    let after = if text.chars().count() > start + BEFORE + AFTER { "…" } else { "" };
    format!("{before}{cut:?}{after}")
}
