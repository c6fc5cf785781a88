//! Literals of an `enum` or `const` and booleans, in the spellings that name exactly one of them.

use crate::name::fold_name;
use crate::repair::RepairKind;
use crate::types::ChoiceLiteral;

/// The result of looking for a literal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum LiteralMatch {
    /// The index of the literal, and the repair.
    One(usize, Option<RepairKind>),
    /// The indexes of two literals that the text spells equally well.
    Several(usize, usize),
    None,
}

/// Returns the literal that a text spells: exactly, or else in another case or with other separators, or else by an alias or its
/// description. Where two literals match equally well, none is chosen.
pub(crate) fn find_literal(literals: &[ChoiceLiteral], text: &str) -> LiteralMatch {
    let text = text.trim();
    if let Some(index) = literals.iter().position(|literal| literal.text == text) {
        return LiteralMatch::One(index, None);
    }
    let name = fold_name(text);
    if name.is_empty() {
        return LiteralMatch::None;
    }
    let is_named = |literal: &str, folded: &str| {
        literal == text || folded == name && signs_of(literal) == signs_of(text)
    };
    let is_spelled = |literal: &ChoiceLiteral| is_named(&literal.text, &literal.folded.text);
    let is_alias = |literal: &ChoiceLiteral| {
        let mut aliases = literal.aliases.iter().zip(&literal.folded.aliases);
        aliases.any(|(alias, folded)| is_named(alias, folded))
    };
    let is_description = |literal: &ChoiceLiteral| is_described(literal, &name);
    only_match(literals, RepairKind::ChoiceSpelling, is_spelled)
        .or_else(|| only_match(literals, RepairKind::ChoiceAlias, is_alias))
        .or_else(|| only_match(literals, RepairKind::ChoiceAlias, is_description))
        .unwrap_or(LiteralMatch::None)
}

/// The only literal that satisfies a test, or two of them, or none.
fn only_match(
    literals: &[ChoiceLiteral],
    how: RepairKind,
    test: impl Fn(&ChoiceLiteral) -> bool,
) -> Option<LiteralMatch> {
    let mut fitting = (0..literals.len()).filter(|&index| test(&literals[index]));
    let one = fitting.next()?;
    Some(match fitting.next() {
        None => LiteralMatch::One(one, Some(how)),
        Some(other) => LiteralMatch::Several(one, other),
    })
}

/// The description alone, or after the literal or its alias: `k1: the first`.
fn is_described(literal: &ChoiceLiteral, name: &str) -> bool {
    let folded = &literal.folded;
    let Some(description) = folded
        .description
        .as_deref()
        .filter(|words| !words.is_empty())
    else {
        return false;
    };
    let Some(word) = name.strip_suffix(description) else {
        return false;
    };
    let word = word.trim_end();
    word.is_empty() || word == folded.text || folded.aliases.iter().any(|alias| alias == word)
}

/// All signs of a text other than separators between its letters: `-1` is not `1`, `C++` is not `C`, and `red?` is not `red`.
fn signs_of(text: &str) -> String {
    let is_separator = |c: char| c.is_alphanumeric() || c.is_whitespace() || c == '_';
    let (start, end) = alphanumeric_extent(text);
    let inside = &text[start..end];
    let has_digits = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let mut signs: String = text[..start]
        .chars()
        .filter(|c| !is_separator(*c))
        .collect();
    signs.push(' ');
    let mut previous = None;
    let mut letters = inside.chars().peekable();
    while let Some(letter) = letters.next() {
        // Between digits a sign changes the number; between words a hyphen, a full stop or a slash only separates them.
        let is_number = has_digits(previous) && has_digits(letters.peek().copied());
        if !is_separator(letter)
            && (is_number && letter != '-' || !"-.,/:'’".contains(letter))
            && !is_mark(letter)
        {
            signs.push(letter);
        }
        previous = Some(letter);
    }
    signs.push(' ');
    signs.extend(text[end..].chars().filter(|c| !is_separator(*c)));
    signs
}

fn is_mark(letter: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&letter)
}

/// From the first letter or digit of a text to the last.
fn alphanumeric_extent(text: &str) -> (usize, usize) {
    let end = text
        .trim_end_matches(|c: char| !c.is_alphanumeric() && !is_mark(c))
        .len();
    (
        text.find(char::is_alphanumeric).unwrap_or(end).min(end),
        end,
    )
}

/// The boolean that a text spells, in any case: `true`, `false`, `yes` or `no`, and nothing else.
pub(crate) fn truth_value(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" => Some(true),
        "false" | "no" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_literal_is_spelled_in_one_way_only() {
        let literals: Vec<ChoiceLiteral> = [
            "A+", "A", "car-2", "NOT_SPAM", "SPAM", "café", "v1.5", "-1", "1", "6-10", "2024_01",
        ]
        .iter()
        .map(|text| {
            let aliases = vec![format!("alias of {text}")];
            ChoiceLiteral::new(json!(text), (*text).to_owned(), aliases, None)
        })
        .collect();
        for (text, literal) in [
            ("a+", Some("A+")),
            ("a", Some("A")),
            ("Car 2", Some("car-2")),
            ("not spam", Some("NOT_SPAM")),
            ("Spam", Some("SPAM")),
            ("CAFE", Some("café")),
            ("V1.5", Some("v1.5")),
            ("v15", None),
            ("6 10", Some("6-10")),
            ("610", None),
            ("2024-01", Some("2024_01")),
            ("202401", None),
            ("-1", Some("-1")),
            ("alias of SPAM", Some("SPAM")),
            ("spam?", None),
            ("!spam", None),
            ("spam or ham", None),
            ("it is spam", None),
            ("", None),
        ] {
            let found = match find_literal(&literals, text) {
                LiteralMatch::One(index, _) => Some(literals[index].text.as_str()),
                _ => None,
            };
            assert_eq!(found, literal, "{text}");
        }
    }
}
