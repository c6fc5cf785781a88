//! Rust source code: string literals and identifiers.

use std::collections::BTreeSet;
use std::fmt::Write;

/// `text` as a string literal with escapes. A raw literal would lose carriage returns, and cannot contain every text.
pub(crate) fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            ' '..='~' => out.push(c),
            c if c.is_alphanumeric() => out.push(c),
            c => write!(out, "\\u{{{:x}}}", u32::from(c)).expect("a string takes everything"),
        }
    }
    out.push('"');
    out
}

/// A comma-separated list in `&[…]`.
pub(crate) fn slice(items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().collect();
    format!("&[{}]", items.join(", "))
}

/// Assigns a unique field name to every key of a case.
#[derive(Default)]
pub(crate) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// Returns the key if it is a valid field name, else a generated name.
    pub(crate) fn give(&mut self, key: &str) -> String {
        let plain = if can_be_field(key) { key } else { "slot" };
        let mut name = plain.to_owned();
        let mut count = 1;
        while !self.taken.insert(name.clone()) {
            count += 1;
            name = format!("{plain}_{count}");
        }
        name
    }
}

/// `name` as a field of a struct: keywords are raw identifiers.
pub(crate) fn field(name: &str) -> String {
    if KEYWORDS.contains(&name) {
        format!("r#{name}")
    } else {
        name.to_owned()
    }
}

/// Whether `name` is an identifier that keeps its bytes: rustc normalises identifiers to Unicode form C, so only scripts
/// in which each letter has one spelling are accepted.
fn can_be_field(name: &str) -> bool {
    let mut chars = name.chars();
    let start = |c: char| c == '_' || c.is_ascii_alphabetic() || is_plain_letter(c);
    chars.next().is_some_and(start)
        && chars.all(|c| start(c) || c.is_ascii_digit())
        && name != "_"
        && !NEVER_RAW.contains(&name)
}

fn is_plain_letter(c: char) -> bool {
    matches!(c,
        '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{131}'   // Latin
        | '\u{391}'..='\u{3a1}' | '\u{3a3}'..='\u{3a9}' | '\u{3b1}'..='\u{3c9}' // Greek
        | '\u{410}'..='\u{44f}'                                            // Cyrillic
        | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}'                // Kana
        | '\u{4e00}'..='\u{9fa5}'                                          // Chinese
        | '\u{ac00}'..='\u{d7a3}') // Hangul
}

const NEVER_RAW: &[&str] = &["self", "Self", "super", "crate"];

const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];
