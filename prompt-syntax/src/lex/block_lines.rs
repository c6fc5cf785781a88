//! Removes the white space of lines that contain only block tags of the angle dialect.

use super::{LexToken, LexTokenKind};

/// Removes the blanks before, between and after the block tags of such a line, and the line break at its end.
///
/// The rule is that of standalone tags in Mustache; `docs/whitespace.md` describes it.
pub(super) fn remove(text: &str, tokens: &mut Vec<LexToken>) {
    let mut at = 0;
    while at < tokens.len() {
        if !is_block(&tokens[at].kind) {
            at += 1;
            continue;
        }
        let last = last_of_run(tokens, at);
        let (start, end) = (tokens[at].span.start, tokens[last].span.end);
        let before = text[..start].trim_end_matches(BLANKS);
        if (before.is_empty() || before.ends_with('\n'))
            && let Some(after) = line_end(&text[end..])
        {
            cut_end(&mut tokens[..at], start - before.len());
            for between in &mut tokens[at..last] {
                if let LexTokenKind::Text(blank) = &mut between.kind {
                    blank.clear();
                }
            }
            cut_start(&mut tokens[last + 1..], after);
        }
        at = last + 1;
    }
    tokens.retain(|token| !matches!(&token.kind, LexTokenKind::Text(text) if text.is_empty()));
}

const BLANKS: [char; 2] = [' ', '\t'];

fn is_block(kind: &LexTokenKind) -> bool {
    use LexTokenKind::{Begin, Else, ElseIf, End};
    matches!(kind, Begin(..) | ElseIf(_) | Else | End(_))
}

/// The last of the block tags from `first` on that only blanks separate.
fn last_of_run(tokens: &[LexToken], first: usize) -> usize {
    let mut last = first;
    for (index, token) in tokens.iter().enumerate().skip(first + 1) {
        match &token.kind {
            LexTokenKind::Text(text) if text.trim_matches(BLANKS).is_empty() => {}
            kind if is_block(kind) => last = index,
            _ => break,
        }
    }
    last
}

/// The length of the blanks and the line break at the start of the text. `None` if the line has more text.
fn line_end(text: &str) -> Option<usize> {
    let rest = text.trim_start_matches(BLANKS);
    let after = match rest.strip_prefix('\r').unwrap_or(rest) {
        _ if rest.is_empty() => rest,
        line => line.strip_prefix('\n')?,
    };
    Some(text.len() - after.len())
}

/// Removes bytes at the end of the text before a line of tags.
fn cut_end(tokens: &mut [LexToken], length: usize) {
    if let Some(LexToken {
        kind: LexTokenKind::Text(text),
        span,
        ..
    }) = tokens.last_mut()
    {
        text.truncate(text.len() - length);
        span.end -= length;
    }
}

/// Removes bytes at the start of the text after a line of tags.
fn cut_start(tokens: &mut [LexToken], length: usize) {
    if let Some(LexToken {
        kind: LexTokenKind::Text(text),
        span,
        ..
    }) = tokens.first_mut()
    {
        text.drain(..length);
        span.start += length;
    }
}
