//! Names of tools, as models call them.

/// The longest name that every provider takes.
pub const LONGEST_NAME: usize = 64;

/// A type's or variant's name as models expect the name of a tool.
///
/// ```
/// use prompt_base::tool_name::snake_case;
///
/// assert_eq!(snake_case("GetWeather"), "get_weather");
/// assert_eq!(snake_case("HTTPGet2"), "http_get2");
/// ```
pub fn snake_case(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut snake = String::with_capacity(name.len() + 4);
    for (at, char) in chars.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| chars[before]);
        let starts_word = char.is_uppercase()
            && match before {
                None | Some('_') => false,
                Some(before) if before.is_uppercase() => {
                    chars.get(at + 1).is_some_and(|next| next.is_lowercase())
                }
                Some(_) => true,
            };
        if starts_word {
            snake.push('_');
        }
        snake.extend(char.to_lowercase());
    }
    snake
}

/// The reason why a string cannot be the name of a tool, as a predicate; `None` if every provider accepts it.
///
/// OpenAI and Anthropic accept ASCII letters, digits, `_` and `-`; Gemini requires a letter or `_` first.
///
/// ```
/// use prompt_base::tool_name::fault_of_name;
///
/// assert_eq!(fault_of_name("get_weather"), None);
/// assert_eq!(fault_of_name("get weather").unwrap(), "holds ` `");
/// ```
pub fn fault_of_name(name: &str) -> Option<String> {
    let allowed = |char: char| char.is_ascii_alphanumeric() || char == '_' || char == '-';
    let Some(first) = name.chars().next() else {
        return Some("is empty".to_owned());
    };
    if let Some(char) = name.chars().find(|char| !allowed(*char)) {
        return Some(format!("holds `{}`", char.escape_debug()));
    }
    if !(first.is_ascii_alphabetic() || first == '_') {
        return Some(format!("begins with `{first}`"));
    }
    (name.len() > LONGEST_NAME).then(|| format!("has {} characters", name.len()))
}

/// The rule for names of tools, as a help.
pub const NAME_RULE: &str =
    "ASCII letters, digits, `_` and `-`, a letter or `_` first, at most 64 of them";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_where_words_begin() {
        for (name, snake) in [
            ("Add", "add"),
            ("GetWeather", "get_weather"),
            ("getWeather", "get_weather"),
            ("get_weather", "get_weather"),
            ("HTTPServer", "http_server"),
            ("ReadPDF", "read_pdf"),
            ("Utf8Text", "utf8_text"),
            ("A", "a"),
            ("Page_Of_vec", "page_of_vec"),
            ("Äther", "äther"),
            ("", ""),
        ] {
            assert_eq!(snake_case(name), snake, "{name}");
        }
    }

    #[test]
    fn names_that_a_provider_rejects_are_reported() {
        let long = "a".repeat(65);
        for (name, fault) in [
            ("a", None),
            ("_a-9", None),
            ("9a", Some("begins with `9`")),
            ("-a", Some("begins with `-`")),
            ("", Some("is empty")),
            ("a.b", Some("holds `.`")),
            ("größe", Some("holds `ö`")),
            ("a\nb", Some("holds `\\n`")),
            (&long, Some("has 65 characters")),
        ] {
            assert_eq!(fault_of_name(name).as_deref(), fault, "{name}");
        }
    }
}
