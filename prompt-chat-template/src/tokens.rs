//! The control tokens that a template's own text shows.

use prompt_syntax::family::FAMILIES;

/// `<|…|>` of any kind, and every token of a known family that the text holds.
pub(crate) fn of_template(source: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    for (open, close) in [("<|", "|>"), ("<｜", "｜>")] {
        let mut rest = source;
        while let Some(at) = rest.find(open) {
            rest = &rest[at..];
            let end = rest.find(close).map(|end| end + close.len());
            let name = end.map(|end| &rest[..end]);
            let name = name.filter(|name| {
                name.len() < 80
                    && !name.contains(|char: char| char.is_whitespace() || "'\"{}".contains(char))
            });
            if let Some(name) = name {
                tokens.push(name.to_owned());
            }
            rest = &rest[open.len()..];
        }
    }
    for token in FAMILIES.iter().flat_map(|family| family.tokens) {
        if source.contains(token) {
            tokens.push((*token).to_owned());
        }
    }
    let mut seen = std::collections::HashSet::new();
    tokens.retain(|token| seen.insert(token.clone()));
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_a_text() {
        let source = "{{ '<|im_start|>' + role }}<｜User｜> [INST] <| {{ x }} |>";
        let tokens = of_template(source);
        for token in ["<|im_start|>", "<｜User｜>", "[INST]"] {
            assert!(tokens.iter().any(|known| known == token), "{token}");
        }
        assert!(!tokens.iter().any(|token| token.contains("x")));
    }
}
