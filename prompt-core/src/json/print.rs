//! Printing JSON.

/// What stands between tokens.
#[derive(Clone, Copy)]
pub(super) enum Style {
    Compact,
    Spaced,
    Indented(usize),
}

/// Prints JSON anew, token by token: no tree, so that nothing changes but the white space.
pub(super) fn print(text: &str, style: Style) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut depth = 0;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let end = match byte {
            b'"' => string_end(bytes, at),
            b' ' | b'\t' | b'\n' | b'\r' | b',' | b':' | b'{' | b'}' | b'[' | b']' => at + 1,
            _ => word_end(bytes, at),
        };
        match (byte, style) {
            (b' ' | b'\t' | b'\n' | b'\r', _) => {}
            (b':', Style::Spaced | Style::Indented(_)) => out.push_str(": "),
            (b',', Style::Spaced) => out.push_str(", "),
            (b',', Style::Indented(width)) => {
                out.push(',');
                new_line(&mut out, depth * width);
            }
            (b'{' | b'[', Style::Indented(width)) => {
                out.push(char::from(byte));
                depth += 1;
                if !matches!(next_token(bytes, end), Some(b'}' | b']')) {
                    new_line(&mut out, depth * width);
                }
            }
            (b'}' | b']', Style::Indented(width)) => {
                depth -= 1;
                if !out.ends_with(['{', '[']) {
                    new_line(&mut out, depth * width);
                }
                out.push(char::from(byte));
            }
            _ => out.push_str(&text[at..end]),
        }
        at = end;
    }
    out
}

fn new_line(out: &mut String, width: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', width));
}

pub(super) fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    loop {
        match bytes.get(at) {
            Some(b'\\') => at += 2,
            Some(b'"') => return at + 1,
            Some(_) => at += 1,
            None => return bytes.len(),
        }
    }
}

fn word_end(bytes: &[u8], start: usize) -> usize {
    let rest = &bytes[start..];
    let len = rest
        .iter()
        .position(|byte| b" \t\n\r,:{}[]\"".contains(byte));
    len.map_or(bytes.len(), |len| start + len.max(1))
}

fn next_token(bytes: &[u8], at: usize) -> Option<u8> {
    bytes
        .get(at..)?
        .iter()
        .copied()
        .find(|byte| !byte.is_ascii_whitespace())
}
