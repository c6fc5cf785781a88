//! Words as the Penn Treebank cuts them, which is how texts are compared.

/// Cuts a text into words and marks: `What's that?` is `What`, `'s`, `that` and `?`.
pub(super) fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let words: Vec<&str> = text.split_whitespace().collect();
    for (index, word) in words.iter().enumerate() {
        // A full stop ends a sentence, and belongs to the word elsewhere.
        let next = words.get(index + 1);
        let ends = next.is_none_or(|next| {
            next.starts_with(|c: char| c.is_uppercase() || !c.is_alphanumeric())
        });
        cut(word, ends, &mut tokens);
    }
    tokens
}

const CLITICS: [&str; 7] = ["'s", "'m", "'d", "'ll", "'re", "'ve", "n't"];

fn cut(word: &str, ends: bool, tokens: &mut Vec<String>) {
    let mut rest = word;
    let mut behind = Vec::new();
    while let Some(first) = rest.chars().next()
        && is_mark(first)
    {
        let (mark, after) = rest.split_at(first.len_utf8());
        tokens.push(mark.to_owned());
        rest = after;
    }
    while let Some(last) = rest.chars().next_back() {
        let is_stop = last == '.' && ends && !rest[..rest.len() - 1].contains('.');
        if !(is_mark(last) || is_stop || last == '\'') || rest.len() == last.len_utf8() {
            break;
        }
        let (before, mark) = rest.split_at(rest.len() - last.len_utf8());
        behind.push(mark.to_owned());
        rest = before;
    }
    inside(rest, tokens);
    tokens.extend(behind.into_iter().rev());
}

/// A word without marks at its ends.
fn inside(word: &str, tokens: &mut Vec<String>) {
    let mut start = 0;
    for (at, mark) in word.char_indices() {
        let number = mark == ',' || mark == ':';
        let of_number =
            number && word[at + mark.len_utf8()..].starts_with(|next: char| next.is_ascii_digit());
        if is_mark(mark) && !of_number {
            clitic(&word[start..at], tokens);
            tokens.push(mark.to_string());
            start = at + mark.len_utf8();
        }
    }
    clitic(&word[start..], tokens);
}

fn clitic(word: &str, tokens: &mut Vec<String>) {
    let lower = word.to_lowercase();
    let found = CLITICS.iter().find(|clitic| {
        lower.len() == word.len() && lower.len() > clitic.len() && lower.ends_with(**clitic)
    });
    if let Some(clitic) = found {
        let (word, clitic) = word.split_at(word.len() - clitic.len());
        tokens.extend([word.to_owned(), clitic.to_owned()]);
    } else if !word.is_empty() {
        tokens.push(word.to_owned());
    }
}

fn is_mark(char: char) -> bool {
    matches!(
        char,
        '?' | '!'
            | ','
            | ';'
            | ':'
            | '"'
            | '('
            | ')'
            | '['
            | ']'
            | '{'
            | '}'
            | '<'
            | '>'
            | '@'
            | '#'
            | '$'
            | '%'
            | '&'
    )
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn words_and_marks() {
        let check = |text: &str, expected: &str| {
            assert_eq!(tokens(text).join("|"), expected, "{text:?}");
        };
        check(
            "What's the capital of Spain?",
            "What|'s|the|capital|of|Spain|?",
        );
        check("Spain won in 2010.", "Spain|won|in|2010|.");
        check("One. Two.", "One|.|Two|.");
        check("Four, five, six.", "Four|,|five|,|six|.");
        check(
            "I don't; it's 1,000 (or so)",
            "I|do|n't|;|it|'s|1,000|(|or|so|)",
        );
        check("\"Who's there?\"", "\"|Who|'s|there|?|\"");
        check("珠穆朗玛峰 有 多高", "珠穆朗玛峰|有|多高");
        check("", "");
    }
}
