//! Number 12: constructs of Jinja that a checked template does not support, and those of Handlebars.

use prompt_syntax::Role;
use prompt_syntax::dialect::name_len;
use prompt_syntax::problem::Problem;

/// Filters, methods and functions of Jinja2 that are left out, and what to write instead.
///
/// ```
/// use prompt_jinja_syntax::problem::subset::REFUSED;
///
/// assert!(REFUSED.iter().any(|(name, _)| *name == "random"));
/// ```
pub const REFUSED: &[(&str, &str)] = &[
    ("append", "add with `+`: `{% set list = list + [item] %}`"),
    ("attr", "write the name after a dot: `value.name`"),
    ("cycler", "use `loop.index0 % 2`"),
    ("dict", "write the dict out: `{\"key\": value}`"),
    (
        "format_map",
        "use the filter `format`: `\"%s\" | format(value)`",
    ),
    ("joiner", "use the filter `join`, or `loop.first`"),
    ("lipsum", "write the text out"),
    (
        "namespace",
        "count with `list | selectattr('key') | list | length`, add with `list | sum(attribute='key')`, or compute the value in Rust",
    ),
    ("pop", "use `[:-1]` and the filter `last`"),
    ("pprint", "use `tojson(indent=2)`"),
    (
        "random",
        "choose in Rust and pass a field: a prompt is the same for the same values",
    ),
    ("striptags", "do it in Rust and pass a field"),
    ("update", "make the dict in Rust and pass a field"),
    ("urlize", "make the links in Rust and pass a field"),
    (
        "xmlattr",
        "write the attributes out: `name=\"{{ value | e }}\"`",
    ),
];

fn left_out(what: &str) -> Problem {
    Problem::new(format!("{what} is outside the subset of Jinja")).with_label("not in the subset")
}

/// Declares functions that return the problem of a construct outside of the subset: the construct, and what to write instead.
macro_rules! left_out {
    ($($(#[$attribute:meta])* $name:ident($($parameter:ident: $ty:ty)?) = $what:literal, $help:literal;)*) => {$(
        $(#[$attribute])*
        pub fn $name($($parameter: $ty)?) -> Problem {
            left_out(&format!($what)).with_help(format!($help))
        }
    )*};
}

left_out! {
    /// `{% if a, b %}`
    condition_of_several_values() = "a condition of several values", "join them with `and` or `or`";
    /// `+a`
    plus() = "a `+` before a value", "remove it";
    /// `a[0, 1]`
    index_of_several_values() = "an index of several values", "write `a[0][1]` for an item of an item";
    /// `a | b.c`
    dotted_filter() = "a filter with a dot in its name",
        "write `|` before another filter, or `(…)` around the value to take a field of it";
    /// `a is b(c=1)`
    named_argument_of_test() = "an argument with a name in a test", "write the value alone";
    /// `(a)(b)`
    call_of_value() = "a call of something that is not a macro, function or method", "write `name(…)` or `value.name(…)`";
    /// `f(*a)`
    unpacked() = "an argument that is unpacked", "write the arguments one by one";
    /// `f"…"`
    interpolated() = "a string with a letter before it", "join texts and values with `~`: `\"Hello \" ~ name`";
    /// `r"…"`
    prefixed(text: &str) = "a string with a letter before it", "write `{text}`";
    /// `[a for a in b]`
    comprehension() = "a list that is made by a loop",
        "write `{{% for … %}}`, or `| map(attribute=\"…\")` and `| selectattr(…)`";
    /// `{% with a, b = c %}`
    with_several_names() = "a `with` of several names for one value", "write `a = …, b = …`";
    /// `{% include name %}`
    include_of_value() = "an include without a quoted path", "write `{{% include \"file.jinja\" %}}`";
    /// `{% include "file" ignore missing %}`
    ignore_missing() = "`ignore missing`", "remove it: the file is read when the template is compiled";
    /// `{% include "file" without context %}`
    without_context() = "`without context`", "remove it: an included template sees the names around it";
    /// `{% for a in b recursive %}`
    recursive() = "a recursive loop", "nest the loops that are needed, or give the items as one list";
    /// `{% for (a, (b, c)) in d %}`
    nested_target() = "a part of an item that is taken apart itself", "name it, and take its items by `[0]`";
    /// `{% set a.b = c %}`
    part_of_name() = "a value for a part of a name", "compute the value in Rust, or with filters: `list | selectattr('key') | list | length` counts, `list | sum(attribute='key')` adds";
    /// `"\N{DASH}"`
    named_character() = "`\\N{{…}}`", "write the character itself, or `\\u` and its number";
    /// `is callable`, `is escaped`
    test(name: &str) = "the test `{name}`", "ask in Rust, and give a `bool` field";
    /// `is filter`, `is test`
    test_of_name(name: &str) = "the test `{name}`", "remove it: an unknown one is an error here";
}

/// A function that Jinja has: `namespace(…)`.
pub fn unsupported_function(name: &str) -> Option<Problem> {
    let help = match name {
        "caller" => "give the text as an argument of the macro",
        "super" => "write the whole template here",
        "self" => "write the text, or a macro",
        "cycler" | "dict" | "joiner" | "lipsum" | "namespace" => {
            let refused = REFUSED.iter().find(|(refused, _)| *refused == name);
            refused.map_or("write the text", |(_, instead)| instead)
        }
        "loop" => "nest the loops that are needed: a loop cannot call itself",
        _ => return None,
    };
    Some(left_out(&format!("`{name}(…)`")).with_help(help))
}

/// A tag that Jinja, or an extension of it, has: `{% extends %}`; `head` is what follows the word.
pub fn unsupported_tag(word: &str, head: &str) -> Option<Problem> {
    let some = |head: &str| match head {
        "" => "…".to_owned(),
        head => head.to_owned(),
    };
    let help = match word {
        "extends" | "block" => {
            "write the whole template here, and `{% include \"…\" %}` for parts that others share"
        }
        "import" | "from" => "write the macro in this template, or `{% include \"…\" %}` for text",
        "call" => "give the text as an argument: `{% set text %}…{% endset %}{{ name(text) }}`",
        "do" => &format!("remove it, or write `{{% set name = {} %}}`", some(head)),
        "print" => &format!("write `{{{{ {} }}}}`", some(head)),
        "break" | "continue" => "choose the items in the loop's tag: `{% for item in list if … %}`",
        "autoescape" => "remove it: nothing is escaped in a prompt",
        "trans" | "pluralize" => "write the text, with `{{ … }}` for its values",
        "debug" | "generation" => "remove it",
        "verbatim" => "write `{% raw %}…{% endraw %}`",
        "comment" => "write `{# … #}`",
        "switch" | "case" | "match" | "when" | "default" => {
            "write `{% if … %}{% elif … %}{% else %}{% endif %}`"
        }
        _ => return None,
    };
    Some(left_out(&format!("`{{% {word} %}}`")).with_help(help))
}

/// `price:.2f`, as in Python's f-strings.
pub fn format_of_slot(slot: &str) -> Option<Problem> {
    let (value, spec) = slot.rsplit_once(':')?;
    let (value, spec) = (value.trim(), spec.trim());
    let is_path = |part: &str| !part.is_empty() && name_len(part) == part.len();
    let ending = spec.strip_suffix(|letter: char| letter.is_alphabetic() || letter == '%');
    let is_spec = |sign: char| sign.is_ascii_digit() || "<>^=+-#,._ ".contains(sign);
    if !value.split('.').all(is_path)
        || spec.is_empty()
        || !ending.unwrap_or(spec).chars().all(is_spec)
    {
        return None;
    }
    let help = match printf_of(spec) {
        Some(printf) if printf.ends_with('%') => {
            format!("write `'{printf}' | format({value} * 100)`")
        }
        Some(printf) => format!("write `'{printf}' | format({value})`"),
        None => format!("write `{value}`, and make the field a string that is formatted before"),
    };
    let problem = Problem::new(format!("the format `{spec}` is of Python's f-strings"));
    Some(problem.with_label("not of Jinja").with_help(help))
}

/// The same format as Python's `%` has it, if it has.
fn printf_of(spec: &str) -> Option<String> {
    let (side, spec) = match spec.as_bytes()[0] {
        b'<' => ("-", &spec[1..]),
        b'>' => ("", &spec[1..]),
        _ => ("", spec),
    };
    let (size, letter) =
        match spec.trim_end_matches(|letter: char| letter.is_alphabetic() || letter == '%') {
            size if size.len() + 1 >= spec.len() => (size, &spec[size.len()..]),
            _ => return None,
        };
    let letter = match letter {
        "" if size.contains('.') => "g",
        "" => "s",
        "%" => "f%%",
        letter if "defgoxX".contains(letter) => letter,
        _ => return None,
    };
    let is_number = size
        .chars()
        .all(|sign| sign.is_ascii_digit() || sign == '.');
    is_number.then(|| format!("%{side}{size}{letter}"))
}

/// The text of a slot in the notation of Handlebars, as in Dotprompt files.
pub fn handlebars_tag(head: &str) -> Option<Problem> {
    let help = instead_of_handlebars(head)?;
    Some(
        Problem::new(format!("`{{{{{head}}}}}` is of Handlebars"))
            .with_label("not of Jinja")
            .with_help(help),
    )
}

fn instead_of_handlebars(head: &str) -> Option<String> {
    let tag = |words: &str| Some(format!("write `{{% {words} %}}`"));
    let slot = |words: &str| Some(format!("write `{{{{ {words} }}}}`"));
    let (sign, rest) = match head.chars().next()? {
        c if c.is_alphabetic() => (' ', head),
        c => (c, head[c.len_utf8()..].trim_start()),
    };
    let (word, more) = match rest.split_once(char::is_whitespace) {
        Some((word, more)) => (word, more.trim()),
        None => (rest, ""),
    };
    match (sign, word, more) {
        ('#', "if", more) => tag(&format!("if {more}")),
        ('#', "unless", more) => tag(&format!("if not {more}")),
        ('#', "with", more) => tag(&format!("with item = {more}")),
        ('#', "each", more) => {
            let (list, item) = more.split_once(" as ").unwrap_or((more, "item"));
            tag(&format!("for {} in {list}", item.trim_matches(['|', ' '])))
        }
        ('#', name, _) if section_role(name).is_some() => {
            let role = section_role(name)?.name();
            Some(format!("write `{{% {role} %}}…{{% end{role} %}}`"))
        }
        ('#', name, _) if !name.is_empty() => {
            let name = name.trim_end_matches('~');
            Some(format!(
                "write `{{% if {name} %}}` or `{{% for item in {name} %}}`"
            ))
        }
        ('/', "if" | "unless", _) => tag("endif"),
        ('/', "each", _) => tag("endfor"),
        ('/', "with", _) => tag("endwith"),
        ('/', name, "") if !name.is_empty() => {
            Some("write `{% endif %}` or `{% endfor %}`".to_owned())
        }
        ('^', "", _) | (' ', "else", "") => tag("else"),
        ('^', name, "") => tag(&format!("if not {name}")),
        (' ', "else", more) => {
            let condition = more.strip_prefix("if ")?;
            tag(&format!("elif {condition}"))
        }
        ('!', _, more) if !more.is_empty() => Some("write `{# … #}`".to_owned()),
        ('>', name, _) if !name.is_empty() => tag(&format!("include \"{name}\"")),
        ('@', "index", _) => slot("loop.index0"),
        ('@', "first" | "last", _) => slot(&format!("loop.{word}")),
        ('@', "key", _) => {
            Some("write `{% for key, value in map.items() %}` and `{{ key }}`".to_owned())
        }
        ('&', name, "") if !name.is_empty() => slot(name),
        ('.', path, "") => {
            let path = path.trim_start_matches(['.', '/']);
            slot(if path.is_empty() { "item" } else { path })
        }
        ('{', path, "") => {
            let path = path.strip_suffix('}')?;
            let name = path.replace('.', "");
            if name.is_empty() || name_len(&name) < name.len() {
                return None;
            }
            slot(path)
        }
        (' ', "role", name) => {
            let role = Role::from_name(name.trim_matches(['"', '\'']))?.name();
            Some(format!("write `{{% {role} %}}…{{% end{role} %}}`"))
        }
        (' ', "json", more) if !more.is_empty() => slot(&format!("{more} | tojson")),
        _ => None,
    }
}

/// The role of a section of Guidance: `system`, `user~`. A section of another role without `~` is of Mustache, about a field of that name.
fn section_role(name: &str) -> Option<Role> {
    let is_of_guidance = name == "system" || name.ends_with('~');
    let role = Role::from_any_case(name.trim_end_matches('~'));
    role.filter(|_| is_of_guidance)
}

#[cfg(test)]
mod tests {
    use super::printf_of;

    #[test]
    fn formats_of_python() {
        for (spec, expected) in [
            (".2f", Some("%.2f")),
            ("05d", Some("%05d")),
            (">10", Some("%10s")),
            ("<10", Some("%-10s")),
            (".3", Some("%.3g")),
            (".1%", Some("%.1f%%")),
            ("x", Some("%x")),
            (",", None),
            (",.2f", None),
            ("^10", None),
            ("*>10", None),
            ("b", None),
        ] {
            assert_eq!(printf_of(spec).as_deref(), expected, "{spec}");
        }
    }
}
