//! Delimiters and tags of the Jinja dialect (numbers 3 and 4).

use prompt_base::Span;
use prompt_syntax::problem::Problem;
use prompt_syntax::{Dialect, Role, problems};

problems! {
    /// `{# a comment`
    pub fn unclosed_comment() = "this comment is never closed",
        label "opened here", help "add `#}}`, or write `{{% raw %}}{{#{{% endraw %}}` to keep it as text";

    /// `{% raw %}`
    pub fn unclosed_raw() = "this block is never closed", label "opened here", help "add `{{% endraw %}}`";

    /// `{{ name`, `{% if name`: a slot or a tag that ends with `sign`.
    pub fn unclosed_tag(what: &str, written: &str, sign: &str) = "this {what} is never closed",
        label "opened here", help "write `{written} {sign}`, or `{{% raw %}}{written}{{% endraw %}}` to keep it as text";
}

/// `{{ name }`, `{{ name %}`, `{% if name }}`; `right` is how it is written, `sign` how it ends.
pub fn wrong_end(what: &str, sign: &str, written: &str, right: &str) -> Problem {
    Problem::new(format!("a {what} ends with `{sign}`, not with `{written}`"))
        .with_label(format!("`{sign}` expected"))
        .with_help(match right.contains(['\n', '\r']) {
            false => format!("write `{right}`"),
            true => format!("write `{sign}`"),
        })
}

problems! {
    /// `{% if {{ name }} %}`
    pub fn slot_in_a_tag(what: &str, right: &str) = "a slot is used inside of a {what}",
        label "already in a tag", help "name it without braces: `{right}`";

    /// `{{ (a] }}`
    pub fn crossed_bracket(close: char, open: char, right: char, opening: Span) = "`{close}` closes no `{open}`",
        label "`{right}` expected", related opening "opened here", help "write `{right}`";

    /// `{{ a) }}`
    pub fn stray_bracket(close: char, open: char) = "`{close}` closes nothing",
        label "not expected", help "remove it, or add the `{open}` that it closes";

    /// `{{ (a }}`
    pub fn unclosed_bracket(open: char, close: char) = "this `{open}` is never closed",
        label "opened here", help "add `{close}`";

    /// `{% elseif a %}`, `{% endfi %}`: a misspelt keyword; `right` is the text of the tag.
    pub fn unknown_tag(word: &str, right: &str) = "unknown tag `{word}`",
        label "not a tag", help "write `{{% {right} %}}`";
}

/// `{#if name}`, which Svelte reads as a block.
pub fn block_as_comment(words: &str) -> Option<Problem> {
    let (word, rest) = words.split_once(' ')?;
    let right = match word {
        "if" => format!("{{% if {rest} %}}…{{% endif %}}"),
        "each" => {
            let (list, item) = rest.split_once(" as ")?;
            format!("{{% for {item} in {list} %}}…{{% endfor %}}")
        }
        _ => return None,
    };
    let problem = unclosed_comment().with_label("begins a comment of Jinja");
    Some(problem.with_help(format!("write `{right}`")))
}

/// `{% foo %}`
pub fn no_tag(word: &str, written: &str) -> Problem {
    let problem = Problem::new(format!("unknown tag `{word}`")).with_label("not a tag");
    // `{% role "system" %}`, `{% chat role="system" %}`
    let role_in = |text: &str| {
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        words.find_map(Role::from_any_case)
    };
    let has_role =
        matches!(word, "role" | "chat" | "message" | "turn") || written.contains("role=");
    if let Some(role) = role_in(if has_role { written } else { word }) {
        let name = role.name();
        return problem.with_help(format!("write `{{% {name} %}}…{{% end{name} %}}`"));
    }
    problem
        .with_help(format!(
            "write `{{{{ … }}}}` for a value, one of {}, or `{}` to keep it as text",
            "`if`, `for`, `set`, `with`, `macro`, `filter`, `include`, `raw`, or a role, `system`, `user`, `assistant`",
            Dialect::Jinja.as_text(written)
        ))
}

/// `{% %}`, `{% "text" %}`
pub fn without_keyword(head: &str, written: &str) -> Problem {
    let problem = match head {
        "" => Problem::new("this tag is empty").with_label("no word in it"),
        _ => Problem::new("a tag begins with a word").with_label("no tag"),
    };
    problem.with_help(format!(
        "write `{{{{ … }}}}` for a value, or `{}` to keep it as text",
        Dialect::Jinja.as_text(written)
    ))
}

problems! {
    /// `{% endif a %}`
    pub fn more_than_a_word(tag: &str) = "nothing else is allowed in `{{% {tag} %}}`",
        label "not expected", help "write `{{% {tag} %}}`";

    /// `{% else a %}`
    pub fn condition_of_else(words: &str) = "nothing else is allowed in `{{% else %}}`",
        label "not expected", help "write `{{% elif {words} %}}`, or remove it";

    /// `01`
    pub fn begins_with_zero(rest: &str) = "a number does not begin with `0`",
        label "begins with `0`", help "write `{rest}`";

    /// `#[derive(ToValue)]` on anything but a struct with named fields.
    pub fn no_record(name: &str) = "only a struct with named fields is a value whose parts a template can name",
        help "write `impl ToValue for {name}`";

    /// `#[derive(Fields)]` on an enum.
    pub fn fields_of_an_enum() = "an enum has a template for each variant, and `Fields` is for one",
        help "make a struct of the variant whose template is read at run time";

    /// Constructs of the angle and brace dialects only.
    pub fn not_of_jinja() = "this cannot be used in the Jinja dialect",
        label "of another dialect", help "write `{{{{ x | default(\"none\") }}}}` for what may not be there";

    /// Number 7: `'%c' | format(number)` in the system message.
    pub fn characters_in_system() = "the system message writes numbers as characters",
        label "`%c` makes text of numbers",
        help "write `%d` for a number, `%s` for a character, and the pattern as a literal";
}

/// `{% else %}` in a `set`.
pub fn no_other_branch(dialect: Dialect, written: &str, block: &str, open: Span) -> Problem {
    Problem::new(format!("`{written}` is used in a `{block}`"))
        .with_label("it has no other branch")
        .related_to(open, "this block is open")
        .with_help(format!(
            "remove it, or add `{}` before it",
            dialect.end(block)
        ))
}

/// A sign without a meaning; `after` is what follows it.
pub fn meaningless_sign(sign: &str, after: &str) -> Problem {
    prompt_syntax::problem::word::without_meaning(sign, replacement_for_sign(sign, after))
}

fn replacement_for_sign(sign: &str, after: &str) -> String {
    match sign {
        "&&" | "&" => "write `and`",
        "||" => "write `or`",
        "!" => "write `not`",
        "===" => "write `==`",
        "!==" | "<>" => "write `!=`",
        "=>" => "write `>=` to compare: filters take the name of a field or filter, `map(attribute='name')`, and not a function",
        "??" | "?:" => match after {
            "" => "write `| default(\"…\")`",
            default => return format!("write `| default({default})`"),
        },
        "?." => "write `.` after `{% if … %}`, or `| default(\"…\")` for what may be missing",
        "?" => "write `a if condition else b`",
        "$" | "@" => "write the name alone",
        "^" => "write `**` for a power",
        "\\" => "write quotes without a backslash",
        "“" | "”" | "„" | "«" | "»" => "write a straight quote `\"`",
        "‘" | "’" | "`" => "write a straight quote `'`",
        _ => "write a name, a quoted string, a number or an operator",
    }
    .to_owned()
}
