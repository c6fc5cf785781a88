//! Names in templates: their characters, and what names of other languages look like.

/// Whether a name may begin with it. Rust's identifiers are those of UAX 31 (XID). All letters count here, because a name that
/// Rust does not accept cannot be a field: it is reported as an unknown slot, and not sent to the model as text.
pub(crate) fn begins_name(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

/// Whether a name can continue with this character: one that continues Rust's identifiers, such as the combining marks of Hindi,
/// Thai and decomposed accents, or any other letter or digit, because a name that Rust does not accept is reported as an unknown slot.
pub fn continues_name(c: char) -> bool {
    c.is_alphanumeric() || unicode_ident::is_xid_continue(c)
}

/// Whether it is a name but for its hyphens: `user-name`.
pub(crate) fn is_hyphenated(text: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && part.chars().all(continues_name);
    text.contains('-') && text.starts_with(begins_name) && text.split('-').all(is_part)
}

/// The length of the name at the start of the text; 0 if there is none.
pub fn name_len(text: &str) -> usize {
    // Nearly all names are ASCII, whose characters are in no table.
    let mut after = text.as_bytes();
    while let [b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_', more @ ..] = after {
        after = more;
    }
    let len = text.len() - after.len();
    if let [] | [0..0x80, ..] = after {
        let begins_with_digit = matches!(text.as_bytes(), [b'0'..=b'9', ..]);
        return if begins_with_digit { 0 } else { len };
    }
    let rest = &text[len..];
    if !text.starts_with(begins_name) {
        return 0;
    }
    rest.find(|c| !continues_name(c))
        .map_or(text.len(), |end| len + end)
}

/// The length of `.b.c` after a name.
pub(crate) fn fields_len(after: &str) -> usize {
    let mut rest = after;
    while let Some(field) = rest.strip_prefix('.') {
        match name_len(field) {
            0 => break,
            len => rest = &field[len..],
        }
    }
    after.len() - rest.len()
}

/// The length of `a.b.c` at the start of the text.
pub(crate) fn path_len(text: &str) -> usize {
    let name = name_len(text);
    name + fields_len(&text[name..])
}

/// Whether this is how types are named, which no variable and no constant is: `String`, `u8`.
///
/// ```
/// assert!(prompt_syntax::is_type("HashMap") && !prompt_syntax::is_type("HASH_MAP"));
/// ```
pub fn is_type(name: &str) -> bool {
    const BUILT_IN: [&str; 17] = [
        "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32",
        "i64", "i128", "isize", "f32", "f64",
    ];
    let camel = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.contains(|c: char| c.is_ascii_lowercase())
        && !name.contains('_');
    (camel && name != "Self") || BUILT_IN.contains(&name)
}

/// Whether a `\command` precedes, perhaps with arguments between. A LaTeX command has at most nine arguments.
pub(crate) fn is_latex(before: &str) -> bool {
    // No further, so that many commands in a long text take linear time.
    let start = before.char_indices().rev().nth(200).map_or(0, |(at, _)| at);
    let before = &before[start..];
    let mut before = before
        .strip_suffix("input:")
        .unwrap_or(before)
        .strip_suffix('{')
        .unwrap_or(before);
    for _ in 0..9 {
        let Some(rest) = before.strip_suffix('}') else {
            break;
        };
        let Some(open) = rest.rfind('{') else {
            return false;
        };
        before = &rest[..open];
    }
    let word = before.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    word.len() < before.len() && word.ends_with('\\')
}

/// The parts of `loop` in the angle dialect.
pub(crate) const LOOP_PARTS: [&str; 5] = ["index", "index0", "first", "last", "length"];

#[cfg(test)]
mod tests {
    use super::name_len;

    #[test]
    fn names_of_many_scripts() {
        for name in [
            "a",
            "_",
            "_1",
            "prénom",
            "问题",
            "背景_1",
            "प्रश्न",
            "คำถาม",
            "cafe\u{301}",
        ] {
            assert_eq!(name_len(name), name.len(), "{name}");
        }
        for text in ["", "1a", "-", " a", "😀", "\u{301}a", "<a"] {
            assert_eq!(name_len(text), 0, "{text}");
        }
        assert_eq!(name_len("a-b"), 1);
    }
}
