//! Tokens inside a tag: strings, numbers, and invalid characters.

use super::Problem;
use super::expr::LOOP_HELP;
use super::value::constant_in_loop;

problems! {
    /// Number 3: `"text` without its end.
    pub fn unclosed_text(quote: &str) = "this text is never closed",
        label "opened here", help "add `{quote}` where the text ends";

    /// `"\q"`
    pub fn unknown_escape(shown: &str) = "unknown escape `\\{shown}`",
        label "not an escape", help "write `\\\\{shown}` for a backslash";
}

/// `user = "<tags | join(", ")>"`: a quote in a tag ends the literal. `tag` is the whole tag with single quotes, if it is known.
pub fn quote_in_literal(tag: Option<&str>) -> Problem {
    let right = match tag {
        Some(tag) => format!("write `{tag}` with single quotes"),
        None => "write single quotes in the tag".to_owned(),
    };
    Problem::new("a quote inside of this tag ends the string")
        .with_label("the string ends behind it")
        .with_help(format!("{right}; or write the string as `r#\"…\"#`"))
}

problems! {
    /// `user = r"a\nb"`
    pub(crate) fn typed_line_break() = "`\\n` is two characters here, not a line break",
        label "sent as a backslash and an `n`", help "write a line break; or write the two characters in quotes to keep them";

    /// `user = "Say "hello"."`
    pub fn text_after_literal() = "text follows the string: a quote inside of it ends it",
        label "the string ends here", help "escape the quote, `\"`, or write the string as `r#\"…\"#`";
}

/// A no-break space and the like in a tag.
pub(crate) fn other_space(char: char) -> Problem {
    let code = char as u32;
    Problem::new(format!(
        "the space in this tag is U+{code:04X}, which only looks like an ordinary space"
    ))
    .with_label("not an ordinary space")
    .with_help("write a space here; text that is pasted from documents often has such spaces")
}

/// `"\u{110000}"`, `"\xg0"`: the Jinja dialect takes so many digits.
pub fn no_character(digits: Option<usize>) -> Problem {
    let problem = Problem::new("this escape names no character");
    match digits {
        Some(digits) => problem
            .with_label(format!("{digits} digits expected"))
            .with_help("write it as `\\u00e9` or `\\U0001f600`, or the character itself"),
        None => problem
            .with_label("not a code point")
            .with_help("write it as `\\u{1F600}`"),
    }
}

problems! {
    /// A number beyond 64 bits.
    pub fn large_number() = "this number is too large",
        label "more than 64 bits", help "write a smaller number";

    /// `1a`
    pub fn begins_with_digit(number: &str) = "a name begins with a letter or `_`",
        label "begins with a digit", help "write a name, or `{number}` for the number";

    /// `join(sep=', ')`
    pub fn named_argument(name: &str) = "`=` has no meaning here",
        label "not expected", help "write the value alone, without `{name}=`: arguments have no names";

    /// `let Some(note) = note`
    pub fn let_in_condition(value: &str) = "`=` has no meaning here",
        label "not expected", help "write `{value}` alone: it is true for `Some`, and the value inside of the block";

    /// `r#type`
    pub fn raw_name(name: &str) = "a field is named without `r#`",
        label "not expected", help "write `{name}`";
}

/// `matches!(plan, Plan::Pro)`, where `arguments` begins with the parenthesis.
pub fn macro_in_condition(arguments: &str) -> Problem {
    let inner = arguments.trim_start_matches('(').split(')').next();
    let pair = inner.and_then(|inner| inner.split_once(','));
    let compared = pair.and_then(|(value, pattern)| {
        let (_, variant) = pattern.rsplit_once("::")?;
        Some(format!("write `{} == '{}'`", value.trim(), variant.trim()))
    });
    Problem::new("a template calls no macros of Rust")
        .with_label("not expected")
        .with_help(compared.unwrap_or_else(|| {
            "compute it in Rust: give a field `found: bool`, and write `found` as the condition"
                .to_owned()
        }))
}

/// `level in ['a', 'b']`, `level not in ['a', 'b']`; `is_part` is true if the condition has other parts.
pub fn list_in_condition(value: &str, is_negated: bool, is_part: bool) -> Problem {
    let meant = match is_negated {
        true => format!("{value} != 'a' and {value} != 'b'"),
        false => format!("{value} == 'a' or {value} == 'b'"),
    };
    let meant = match is_part && !is_negated {
        true => format!("({meant})"),
        false => meant,
    };
    Problem::new("a condition has no lists")
        .with_label("not expected")
        .with_help(format!("compare with each text: `{meant}`"))
}

/// `docs == []`, `docs != []`
pub(crate) fn empty_list(value: &str, is_negated: bool) -> Problem {
    let (meant, why) = match is_negated {
        true => (value.to_owned(), "has items"),
        false => (format!("not {value}"), "is empty"),
    };
    Problem::new("a condition has no lists")
        .with_label("not expected")
        .with_help(format!("write `{meant}` to ask whether `{value}` {why}"))
}

/// A sign without a meaning; `in_name` is true if letters are on both sides.
pub fn meaningless_sign(sign: &str, in_name: bool) -> Problem {
    without_meaning(sign, replacement_for_sign(sign, in_name))
}

/// A sign in `for item in list`; `list_of` is the item's name if it is right after `in`.
pub(crate) fn sign_in_a_loop(sign: &str, in_name: bool, list_of: Option<&str>) -> Problem {
    match (sign, list_of) {
        ("[" | "{", Some(target)) => constant_in_loop(target),
        ("[" | "=", _) => without_meaning(sign, LOOP_HELP),
        _ => meaningless_sign(sign, in_name),
    }
}

/// A sign that means nothing, with this help.
pub fn without_meaning(sign: &str, help: impl Into<String>) -> Problem {
    Problem::new(format!("`{}` has no meaning here", sign.escape_debug()))
        .with_label("not expected")
        .with_help(help)
}

fn replacement_for_sign(sign: &str, in_name: bool) -> &'static str {
    match sign {
        "&&" => "write `and`",
        "||" => "write `or`",
        "!" => "write `not`",
        "=" => "write `==` to compare",
        "[" | "]" => "write `.name` for a field; a loop reads the items of a list",
        "“" | "”" | "„" | "«" | "»" => "write a straight quote `\"`",
        "‘" | "’" | "`" => "write a straight quote `'`",
        "-" if in_name => "write `_`: a name consists of letters, digits and `_`",
        "\"" | "'" => "write a quoted string after `(`, `,` or `??`",
        _ => "write a field, `.`, `|`, `??`, a quoted string or a number",
    }
}
