//! Text that looks like a slot of another template language, and text that was pasted (number 1).

use std::collections::HashSet;

use super::name::MESSAGES;
use super::{PossiblyPasted, Problem};
use crate::expr::parse_condition;
use crate::name::{continues_name, name_len};
use crate::notation::{
    LookalikeKind, Statement, foreign_filter, is_block_word, item_path, slot_attribute,
};
use crate::{Dialect, Error, Expr, Kind, Options, Plain, Role};
use prompt_base::Span;

impl PossiblyPasted {
    fn text(&self) -> &str {
        &self.written
    }
}

/// A name in scope that a look-alike contains.
pub(crate) struct InScope<'a> {
    pub(crate) name: &'a str,
    /// The kind of its values.
    pub(crate) kind: &'a Kind,
    /// The key of a field that has no slot.
    pub(crate) excluded_by: Option<&'a str>,
    /// Whether the text contains `</name>`, so that `<name>` is a tag.
    pub(crate) is_tag: bool,
    /// The list, if it is the variable of a loop.
    pub(crate) list: Option<&'a str>,
    /// The text of the template.
    pub(crate) text: &'a str,
}

/// The slot that shows a value of this kind. `with_input` is whether it is written `<input:name>`. The quotes are single, as those of
/// a string literal are not.
pub fn slot_of_kind(options: Options, name: &str, kind: &Kind, with_input: bool) -> String {
    let dialect = options.dialect;
    let shown = match (dialect, kind) {
        (Dialect::Angle | Dialect::Jinja, Kind::List(_)) => format!("{name} | join(', ')"),
        (Dialect::Angle, Kind::Unordered) => format!("{name} | sort | join(', ')"),
        (Dialect::Angle, Kind::Option(_)) => format!("{name} ?? 'none'"),
        (Dialect::Jinja, Kind::Option(_)) => format!("{name} | default('none')"),
        (Dialect::Angle | Dialect::Jinja, Kind::Struct([(field, _), ..])) => {
            format!("{name}.{field}")
        }
        (Dialect::Angle, Kind::Dict(_)) if !options.input_only => {
            return format!("<for key, value in {name}><key>: <value></for>");
        }
        _ => name.to_owned(),
    };
    match dialect {
        Dialect::Angle if with_input => dialect.slot(&format!("input:{shown}")),
        _ => options.slot(&shown),
    }
}

/// Text that another template language reads as a slot for a name in scope.
pub(crate) fn foreign_slot(
    dialect: Dialect,
    written: &str,
    known: &InScope<'_>,
    kind: LookalikeKind,
) -> Problem {
    let name = known.name;
    let block = |words: &str| {
        format!(
            "{}…{}",
            dialect.tag(words),
            dialect.end(words.split(' ').next().unwrap_or_default())
        )
    };
    let has_blocks = matches!(dialect, Dialect::Angle | Dialect::Jinja);
    // `items.length > 2`
    let compares_length = kind == LookalikeKind::If
        && has_blocks
        && matches!(known.kind, Kind::List(_) | Kind::Unordered | Kind::Text)
        && split_at_name(written, name).is_some_and(|(_, rest)| rest.starts_with('.'));
    let right = match kind {
        LookalikeKind::If if has_blocks => {
            let comparison = comparison_of(written).filter(|_| !compares_length);
            let condition = comparison.unwrap_or_else(|| {
                let is_negated = is_negated(written, name);
                format!("{}{name}", if is_negated { "not " } else { "" })
            });
            match is_branch(written) {
                true if dialect == Dialect::Jinja => dialect.tag(&format!("elif {condition}")),
                true => dialect.tag(&format!("else if {condition}")),
                false => block(&format!("if {condition}")),
            }
        }
        // A section of Mustache is a loop for a list, and a condition otherwise.
        LookalikeKind::Section if has_blocks && matches!(known.kind, Kind::List(_)) => {
            block(&format!("for item in {name}"))
        }
        LookalikeKind::Section if has_blocks => block(&format!("if {name}")),
        LookalikeKind::For if has_blocks => {
            let item = item_of_loop(written, name);
            block(&format!("for {item} in {name}"))
        }
        LookalikeKind::Words if !written[1..].starts_with(name) => {
            match filter_of(dialect, written, known) {
                Some(filter) => dialect.slot(&format!("{name} | {filter}")),
                None => slot_of_kind(Options::message(dialect), name, known.kind, known.is_tag),
            }
        }
        LookalikeKind::Words => {
            let names = written.split(['<', '>', ' ', ',', '/']);
            let names = names.filter(|name| !name.is_empty());
            let slots: Vec<String> = names.map(|name| dialect.slot(name)).collect();
            slots.join(" ")
        }
        _ => match filter_of(dialect, written, known) {
            Some(filter) => dialect.slot(&format!("{name} | {filter}")),
            None => {
                let path = path_in(dialect, written, known);
                slot_of_kind(Options::message(dialect), path, known.kind, known.is_tag)
            }
        },
    };
    let right = right_of_optional_path(dialect, written, known)
        .or_else(|| right_of_choice(dialect, written, name))
        .or_else(|| right_of_attribute(dialect, written, known))
        .unwrap_or(right);
    let keep = dialect.as_text(written);
    let problem = Problem::new(format!(
        "`{written}` is not a slot in the {} dialect",
        dialect.title()
    ))
    .with_label(format!("`{name}` is in scope"));
    // `<pair.0>`: a second error for `<pair.1>` has another help.
    if let (Dialect::Angle, Some(list), Some(part)) =
        (dialect, known.list, pair_part_name(written, name))
    {
        // A name that is never used begins with `_`.
        let shown = |part: &str, number: u8| {
            let is_used = known.text.contains(&format!("<{name}.{number}"));
            format!("{}{part}", if is_used { "" } else { "_" })
        };
        let (first, second) = (shown("first", 0), shown("second", 1));
        return problem.with_help(format!(
            "write `<{part}>`, and `<for {first}, {second} in {list}>` instead of `<for {name} in {list}>`; or `{keep}` to keep it as text"
        ));
    }
    let other = dialect_of(written, name).filter(|other| *other != dialect);
    let is_block = matches!(
        kind,
        LookalikeKind::If | LookalikeKind::Section | LookalikeKind::For
    );
    let mut help = match known.excluded_by {
        None if is_block && !has_blocks => format!(
            "write `{right}` for the value: the {} dialect has no conditions and loops, `syntax = \"angle\"` has them",
            dialect.title()
        ),
        Some(key) => format!("leave it out, as the field is marked `{key}` and has no slot"),
        None if compares_length => format!(
            "write `{right}`, which is true if `{name}` is not empty; for a comparison give the number as a field of its own"
        ),
        None if is_with(written) => format!(
            "leave out the block, and begin its paths with `{name}`, as in `{}`",
            dialect.slot(&format!("{name}.field"))
        ),
        None => match called_helper(written, name).filter(|_| !right.contains('|')) {
            Some(helper) => format!(
                "add a field with the result of `{helper}`, which the program computes; or write `{right}` for the value alone"
            ),
            None => format!(
                "write `{right}`{}",
                more_than_a_name(dialect, written, name)
            ),
        },
    };
    if dialect == Dialect::Angle && written.starts_with("<<") && known.excluded_by.is_none() {
        help += &format!(", or `<raw><</raw>{right}>` for the value in angle brackets");
    }
    help += &format!(", or `{keep}` to keep it as text");
    if known.excluded_by.is_none()
        && let Some(other) = other
    {
        help += &format!(
            "; or, if all slots are written so, add `syntax = \"{}\"`",
            other.name()
        );
    }
    problem
        .with_help(help)
        .possibly_pasted(written, Some(right), other)
}

/// The function that another language calls with a name and nothing else: `recall` of `{{recall $name}}`.
fn called_helper<'w>(written: &'w str, name: &str) -> Option<&'w str> {
    let words = written.strip_prefix("{{")?.strip_suffix("}}")?;
    let (helper, argument) = words.trim_matches(['~', ' ', '-']).split_once(' ')?;
    let is_path = |c: char| continues_name(c) || c == '.' || c == '-';
    let is_helper = helper.starts_with(char::is_alphabetic) && helper.chars().all(is_path);
    let is_name = argument.trim_start_matches(['$', '.']) == name;
    (is_helper && is_name && !is_block_word(helper)).then_some(helper)
}

/// Whether it is a block whose paths begin with its value: `{{#with name}}`.
fn is_with(written: &str) -> bool {
    let words = written.trim_start_matches(['{', '~', '#', '.', ' ', '%', '-', '<']);
    words.starts_with("with ") && !words.contains('=')
}

/// Whether it continues a condition: `{{else if name}}`, `{% elif name %}`.
fn is_branch(written: &str) -> bool {
    let words = written.trim_start_matches(|c: char| !c.is_alphabetic());
    ["else", "elif", "elsif"]
        .iter()
        .any(|word| words.starts_with(word))
}

/// The filter of the angle dialect for `name | upper`, `upper name` and `name.to_uppercase()` of another language.
fn filter_of(dialect: Dialect, written: &str, known: &InScope<'_>) -> Option<&'static str> {
    let (before, rest) = split_at_name(written, known.name)?;
    let rest = rest.trim_start();
    let (_, helper) = before.trim_end().rsplit_once(['{', '<', '~'])?;
    let (word, after) = match (rest.strip_prefix('|'), rest.strip_prefix('.')) {
        (Some(filter), _) => filter.trim_start().split_at(name_len(filter.trim_start())),
        (_, Some(method)) => {
            let (word, after) = method.split_at(name_len(method));
            (word, after.strip_prefix("()")?)
        }
        _ if before.ends_with(' ') => (helper, rest),
        _ => return None,
    };
    let is_text = dialect == Dialect::Angle
        && matches!(known.kind, Kind::Text | Kind::Unknown)
        && !after.contains(continues_name);
    foreign_filter(word).filter(|_| is_text)
}

/// Whether the condition of another language tests that a value is missing: `unless name`, `not name`, `!name`, `^name`.
fn is_negated(written: &str, name: &str) -> bool {
    let Some((before, _)) = split_at_name(written, name) else {
        return false;
    };
    let before = before.trim_end_matches([' ', '(', '$', '.', '@']);
    ["unless", "not", "!", "^"]
        .iter()
        .any(|sign| before.ends_with(sign))
}

/// The text before and after a name. The same letters in a longer word are not the name: the `s` of `unless s`.
fn split_at_name<'w>(written: &'w str, name: &str) -> Option<(&'w str, &'w str)> {
    let found = written.match_indices(name);
    let mut parts = found.map(|(at, name)| (&written[..at], &written[at + name.len()..]));
    parts.find(|(before, after)| {
        !before.ends_with(continues_name) && !after.starts_with(continues_name)
    })
}

/// The variable of a loop in another language, `a` of `a in list` and of `list as a`.
fn item_of_loop<'w>(written: &'w str, list: &str) -> &'w str {
    let words: Vec<&str> = written
        .split(|c: char| !continues_name(c))
        .filter(|word| !word.is_empty())
        .collect();
    let item = words.windows(3).find_map(|words| match words {
        [item, "in" | "of", of] if *of == list => Some(*item),
        [of, "as", item] if *of == list => Some(*item),
        _ => None,
    });
    item.filter(|_| !written.contains(',')).unwrap_or("item")
}

/// `name`, or the path that begins with it: the parts of a struct, whose fields the macro does not see.
fn path_in<'w>(dialect: Dialect, written: &'w str, known: &InScope<'w>) -> &'w str {
    let has_paths = matches!(dialect, Dialect::Angle | Dialect::Jinja);
    let Some((before, rest)) = split_at_name(written, known.name) else {
        return known.name;
    };
    let mut len = 0;
    while let Some(field) = rest[len..].strip_prefix('.')
        && name_len(field) > 0
    {
        len += 1 + name_len(field);
    }
    match rest[len..].starts_with(['(', '[', '.']) || !has_paths || *known.kind != Kind::Unknown {
        true => known.name,
        false => &written[before.len()..before.len() + known.name.len() + len],
    }
}

/// `<if user><user.name></if>` for `<user?.name>`.
fn right_of_optional_path(dialect: Dialect, written: &str, known: &InScope<'_>) -> Option<String> {
    let (_, mut rest) = split_at_name(written, known.name)?;
    if dialect != Dialect::Angle || !rest.starts_with("?.") {
        return None;
    }
    let mut path = known.name.to_owned();
    while let Some(field) = rest.strip_prefix("?.").or_else(|| rest.strip_prefix('.')) {
        let (field, after) = field.split_at(name_len(field));
        path = format!("{path}.{field}");
        rest = after;
    }
    let name = known.name;
    let default = match rest.trim_start().starts_with("??") {
        true => "<else>…",
        false => "",
    };
    Some(format!("<if {name}><{path}>{default}</if>"))
}

/// The condition of a tag of another language, if it compares: `name == 'a'` for `{{#if (eq name "a")}}` and `{% if name === 'a' %}`.
fn comparison_of(written: &str) -> Option<String> {
    let words = written.trim_start_matches(|c: char| !c.is_alphabetic());
    let words = words.strip_prefix("else ").unwrap_or(words);
    let (keyword, rest) = words.split_at(name_len(words));
    let rest = rest.trim_end_matches(['}', '%', '>', '-', '~', ' ', ':', '{', '?']);
    let rest = rest.trim_start();
    let call = condition_of_call(rest).filter(|(_, rest)| rest.is_empty());
    let rest = call.as_ref().map_or(rest, |(condition, _)| condition);
    let inside = rest
        .strip_prefix('(')
        .and_then(|inside| inside.strip_suffix(')'));
    let rest = inside
        .filter(|inside| !inside.contains(['(', ')']))
        .unwrap_or(rest);
    let rest = rest.replace('"', "'").replace('$', "").replace(" .", " ");
    let mut parts = rest.splitn(3, ' ');
    let parts = [(); 3].map(|()| parts.next().unwrap_or_default());
    let condition = match (comparison_sign(parts[0]), comparison_sign(parts[1])) {
        (Some(sign), _) => format!("{} {sign} {}", parts[1], parts[2]),
        (_, Some(sign)) => format!("{} {sign} {}", parts[0], parts[2]),
        _ => rest,
    };
    let condition = condition
        .replace("===", "==")
        .replace("!==", "!=")
        .replace("&&", "and")
        .replace("||", "or");
    let span = Span::new(0, condition.len());
    let is_comparison = matches!(
        parse_condition::<Plain>(&condition, span, Dialect::Angle),
        Ok(Expr::Compare(_) | Expr::And(_) | Expr::Or(_))
    );
    is_comparison.then(|| match keyword {
        "unless" => format!("not ({condition})"),
        _ => condition,
    })
}

/// The condition of a subexpression of Handlebars and the text after it: `a and b == 'x'` for `(and a (eq b 'x'))`.
fn condition_of_call(text: &str) -> Option<(String, &str)> {
    let inside = text.strip_prefix('(')?;
    let (word, mut rest) = inside.split_at(name_len(inside));
    let mut arguments = Vec::new();
    let rest = loop {
        let argument = rest.trim_start();
        if let Some(rest) = argument.strip_prefix(')') {
            break rest;
        }
        let quote = argument.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (value, after) = match quote {
            _ if argument.starts_with('(') => {
                let (value, after) = condition_of_call(argument)?;
                (format!("({value})"), after)
            }
            Some(quote) => {
                let end = argument[1..].find(quote)? + 2;
                (argument[..end].to_owned(), &argument[end..])
            }
            None => {
                let end = argument.find([' ', ')'])?;
                (argument[..end].to_owned(), &argument[end..])
            }
        };
        arguments.push(value);
        rest = after;
    };
    let condition = match (word, &arguments[..]) {
        ("not", [value]) => format!("not {value}"),
        ("and" | "or", [_, _, ..]) => arguments.join(&format!(" {word} ")),
        (_, [left, right]) => format!("{left} {} {right}", comparison_sign(word)?),
        _ => return None,
    };
    Some((condition, rest))
}

/// The sign of a comparison that other languages write as a word.
pub fn comparison_sign(word: &str) -> Option<&'static str> {
    Some(match word {
        "eq" | "equals" => "==",
        "ne" | "neq" => "!=",
        "gt" => ">",
        "ge" | "gte" => ">=",
        "lt" => "<",
        "le" | "lte" => "<=",
        _ => return None,
    })
}

/// `<if name>…<else>…</if>` for `<name ? 'a' : 'b'>`, and `<if name == '…'>…<else if name == '…'>…</if>` for `<switch name>`.
fn right_of_choice(dialect: Dialect, written: &str, name: &str) -> Option<String> {
    let words = written.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
    let mut words = words.split_whitespace();
    if matches!(words.next(), Some("switch" | "match" | "case"))
        && words
            .next()
            .is_some_and(|word| word.trim_matches(['(', ')', '$']) == name)
        && matches!(dialect, Dialect::Angle | Dialect::Jinja)
    {
        let (first, next) = match dialect {
            Dialect::Jinja => ("if", "elif"),
            _ => ("if", "else if"),
        };
        let tag = |word| dialect.tag(&format!("{word} {name} == '…'"));
        return Some(format!(
            "{}…{}…{}",
            tag(first),
            tag(next),
            dialect.end("if")
        ));
    }
    let inside = written.strip_prefix('<')?.strip_suffix('>')?;
    let (condition, _) = inside.split_once(" ? ")?;
    let is_choice = dialect == Dialect::Angle && condition.trim() == name && inside.contains(" : ");
    is_choice.then(|| format!("<if {name}>…<else>…</if>"))
}

/// `<name ?? 'none'>` for `<name default="none">`, and `<name | join(', ')>` for `<name join=", ">`.
fn right_of_attribute(dialect: Dialect, written: &str, known: &InScope<'_>) -> Option<String> {
    let inside = written.strip_prefix('<')?.strip_suffix('>')?;
    let (name, key, value) = slot_attribute(inside)?;
    let is_default = matches!(key, "default" | "fallback");
    let right = match known.kind {
        _ if dialect != Dialect::Angle => return None,
        Kind::Option(_) | Kind::Unknown if is_default => format!("<{name} ?? '{value}'>"),
        Kind::List(_) | Kind::Unknown if key == "join" => format!("<{name} | join('{value}')>"),
        Kind::Text | Kind::Unknown if key == "truncate" => format!("<{name} | truncate({value})>"),
        _ => return None,
    };
    Some(right)
}

/// What to do about the rest of a look-alike that has more than a name, where the slot alone would not do the same.
fn more_than_a_name(dialect: Dialect, written: &str, name: &str) -> &'static str {
    let Some((before, rest)) = split_at_name(written, name) else {
        return "";
    };
    let rest = rest.trim_end_matches(['}', '>']).trim();
    // A longer word is a type or a label: `<name: String>`.
    let is_format = |rest: &str| {
        let spec = rest.strip_prefix([':', '!']).unwrap_or_default();
        let is_word = spec.starts_with(char::is_alphabetic) && spec.len() > 2;
        !spec.is_empty() && !spec.starts_with(' ') && !is_word
    };
    match dialect {
        _ if is_format(rest) => ", and format the value in Rust",
        Dialect::Brace if rest.starts_with(['[', '(']) => {
            ", and give the part as a field of its own: a slot of the brace dialect is one name"
        }
        Dialect::Brace if rest.starts_with(['|', '?', '.']) || before.contains('(') => {
            ", and compute the value in Rust: filters, defaults and paths are those of `syntax = \"angle\"`"
        }
        _ => "",
    }
}

/// The name for a part of a pair: `first` for `<pair.0>`.
fn pair_part_name(written: &str, name: &str) -> Option<&'static str> {
    let part = written.strip_prefix('<')?.strip_prefix(name)?;
    match part {
        ".0>" => Some("first"),
        ".1>" => Some("second"),
        _ => None,
    }
}

/// The dialect in which this text is the slot of this name.
pub(super) fn dialect_of(written: &str, name: &str) -> Option<Dialect> {
    let inner = |open, close| {
        Some(
            written
                .strip_prefix(open)?
                .strip_suffix(close)?
                .trim_matches(['-', ' ']),
        )
    };
    if inner("{{", "}}") == Some(name) || written.starts_with("{%") {
        return Some(Dialect::Jinja);
    }
    let mut plain = [Dialect::Angle, Dialect::Brace].into_iter();
    plain.find(|dialect| dialect.slot(name) == written)
}

problems! {
    /// `<include 'file'>`
    fn foreign_include(dialect: Dialect, written: &str) = "`{written}` is not an include of the {title} dialect",
        label "sent as text",
        help "write the text here, or give it as a field whose type is a fragment, `#[prompt(fragment = \"…\")]`; or write `{text}` to keep it as text; the Jinja dialect has `{{% include %}}`",
        where title = dialect.title(), where text = dialect.as_text(written);

    /// `<set x = 3>`
    fn foreign_assignment(dialect: Dialect, written: &str, name: &str) = "`{written}` is not an assignment of the {title} dialect",
        label "sent as text",
        help "compute the value in Rust and give it as a field `{name}`; or write `{text}` to keep it as text; the Jinja dialect has `{{% set %}}`",
        where title = dialect.title(), where text = dialect.as_text(written);

    /// `{# todo #}`
    fn foreign_comment(dialect: Dialect, written: &str) = "`{written}` is not a comment of the {title} dialect",
        label "sent as text",
        help "write `<!--# … -->`, or `{text}` to keep it as text", where title = dialect.title(), where text = dialect.as_text(written);

    /// `{% endif %}`, `{{else}}`, `{{@index}}`
    fn foreign_end(dialect: Dialect, written: &str) = "`{written}` is left of a template in {language}",
        label "its block does not begin in this text",
        help "{action}, or write `{text}` to keep it as text",
        where language = if written.starts_with("{%") { "Jinja" } else { "Handlebars" },
        where action = right_of_part(dialect, written),
        where text = dialect.as_text(written);

    /// `{{ ctx.output_format }}`
    fn foreign_output_type(dialect: Dialect, written: &str) = "`{written}` is not replaced by a description of the output type",
        label "sent as text",
        help "remove it, since a call sends the type of `output`; or write `{text}` to keep it as text", where text = dialect.as_text(written);

    /// `{{gen 'answer' n=3}}`
    pub(crate) fn foreign_helper(dialect: Dialect, written: &str) = "`{written}` is a helper of Handlebars",
        label "not of the {title} dialect",
        help "remove it if the model answers there: its answer is the result of the call; write `{slot}` for a field with a value that the program computes; or write `{text}` to keep it as text",
        where title = dialect.title(), where slot = dialect.slot("name"),
        where text = match dialect {
            Dialect::Brace => format!("<raw>{written}</raw>"),
            _ => dialect.as_text(written),
        };

    /// `<case 'a'>`
    fn branch_in_angle(written: &str) = "`{written}` is not a tag of the angle dialect",
        label "sent as text",
        help "its blocks are `<if …>…<else>…</if>` and `<for item in list>…</for>`; or write `\\{written}` to keep it as text";
}

/// What to do about a part of a block that is left of another language.
fn right_of_part(dialect: Dialect, written: &str) -> String {
    let words = written.trim_matches(['{', '}', '%', '~', ' ', '-', '+']);
    if dialect != Dialect::Angle {
        return "remove it".to_owned();
    }
    if words == "else" {
        return "write `<else>`".to_owned();
    }
    let Some(path) = item_path(words) else {
        return "remove it".to_owned();
    };
    let value = match path {
        "@index" => "loop.index0",
        "@first" => "loop.first",
        "@last" => "loop.last",
        _ => {
            return "write the path with its first name, that of the item or of a field".to_owned();
        }
    };
    let not = match words.starts_with("#unless") || words.starts_with('^') {
        true => "not ",
        false => "",
    };
    match path.len() == words.len() {
        true => format!("write `<{value}>`"),
        false => format!("write `<if {not}{value}>…</if>`"),
    }
}

/// How many characters of a comment a message contains.
const MAX_COMMENT: usize = 60;

/// A statement of another language, which has no name in scope.
pub(crate) fn foreign_statement(dialect: Dialect, written: &str, kind: Statement) -> Problem {
    match kind {
        // With braces it may be part of a pasted template.
        Statement::Include if written.starts_with('{') => {
            foreign_include(dialect, written).pasted_block(written)
        }
        Statement::Include => foreign_include(dialect, written),
        Statement::Assignment => {
            let words = written.split(|c: char| !continues_name(c));
            let name = words.filter(|word| !word.is_empty()).nth(1);
            let problem = foreign_assignment(dialect, written, name.unwrap_or_default());
            match written.starts_with('{') {
                true => problem.pasted_block(written),
                false => problem,
            }
        }
        Statement::Branch => branch_in_angle(written),
        Statement::OutputType => foreign_output_type(dialect, written).pasted_block(written),
        Statement::End => foreign_end(dialect, written).pasted_block(written),
        Statement::Helper => foreign_helper(dialect, written).pasted_block(written),
        Statement::Comment => {
            let first = written.split(['\n', '\r']).next().unwrap_or_default();
            let shown = match first.char_indices().nth(MAX_COMMENT) {
                Some((end, _)) => format!("{}…", &first[..end]),
                None => first.to_owned(),
            };
            foreign_comment(dialect, &shown).pasted_block(&shown)
        }
    }
}

/// `{name}` or `<name:x>` in `prompt!`, whose macro cannot see the variables in scope.
pub(crate) fn perhaps_captured(written: &str, name: &str) -> Problem {
    let slot = Dialect::Angle.slot(name);
    let mut help = format!(
        "write `{slot}` for the value of the variable `{name}`, or `\\{written}` to keep it as text"
    );
    let other =
        (!written.starts_with('<')).then(|| dialect_of(written, name).unwrap_or(Dialect::Brace));
    if let Some(other) = other {
        help += &format!(
            "; or, if all slots are written so, add `syntax = \"{}\"`",
            other.name()
        );
    }
    Problem::new(format!("`{written}` may be a slot or text"))
        .with_label(format!("a variable `{name}` may be in scope"))
        .with_help(help)
        .possibly_pasted(written, Some(slot), other)
}

/// `v<version>`, `Array<item>`, `(?P<year>`: a slot right behind a word that code could contain.
pub(crate) fn glued_slot(before: &str, written: &str, name: &str) -> Problem {
    let slot = format!("<input:{name}>");
    Problem::new(format!("`{before}{written}` may contain a slot or be text"))
        .with_label(format!("`{name}` is in scope"))
        .with_help(format!(
            "write `{slot}` for the value of `{name}`, or `\\{written}` to keep it as text"
        ))
        .possibly_pasted(written, Some(slot), None)
}

/// How many texts one message lists.
const LISTED: usize = 8;

/// Several errors about text that was perhaps pasted, as one.
pub(crate) fn pasted_text(dialect: Dialect, found: &[(usize, &Error, &PossiblyPasted)]) -> Problem {
    let all = || found.iter().map(|(_, _, text)| *text);
    let written = distinct_texts(all().filter(|text| !text.block).map(PossiblyPasted::text));
    let mut tags = distinct_texts(all().filter(|text| text.block).map(PossiblyPasted::text));
    tags.retain(|tag| !written.contains(tag));
    let slots = distinct_texts(all().filter_map(|text| text.slot.as_deref()));
    let are = |texts: &[&str], one: &str, several: &str| match texts {
        [_] => format!("{} {one}", list_first_texts(texts)),
        _ => format!("{} {several}", list_first_texts(texts)),
    };
    let mut parts = Vec::new();
    if !written.is_empty() && slots.is_empty() {
        parts.push(are(&written, "names no field", "name no field"));
    } else if !written.is_empty() {
        let slots = are(&written, "is not a slot", "are not slots");
        parts.push(format!("{slots} in the {} dialect", dialect.title()));
    }
    if !tags.is_empty() {
        parts.push(are(
            &tags,
            "is not a tag of a block",
            "are not tags of blocks",
        ));
    }
    let mut help = String::new();
    let is_role = |text: &&str| {
        let name = text.trim_start_matches('<').trim_end_matches('>');
        Role::from_any_library(name).is_some()
    };
    if slots.is_empty() && tags.is_empty() && written.iter().all(is_role) {
        help = format!("{MESSAGES}; or, ");
    }
    if !slots.is_empty() {
        help = format!(
            "write {} where a slot is meant; or, ",
            list_first_texts(&slots)
        );
    }
    let mut dialects = all().filter(|text| !text.block).map(|text| text.dialect);
    if let Some(Some(other)) = dialects.next()
        && dialects.all(|dialect| dialect == Some(other))
    {
        help += &format!(
            "if all slots are written so, add `syntax = \"{}\"`; or, ",
            other.name()
        );
    }
    let slot = match dialect {
        Dialect::Brace => "{input:name}",
        _ => "<input:name>",
    };
    // A backslash does not keep a doubled brace as text.
    let is_doubled = |text: &&&str| dialect == Dialect::Brace && text.starts_with("{{");
    let first = written.iter().chain(&tags).find(|text| !is_doubled(text));
    let keep = first.map(|first| match (dialect, &slots[..]) {
        (Dialect::Brace | Dialect::Fstring, []) if first.starts_with('{') => format!("{{{first}}}"),
        _ => dialect.as_text(first),
    });
    if matches!(dialect, Dialect::Angle | Dialect::Brace) {
        help += &format!(
            "if the text was pasted, add `slots = \"input\"`, so that only `{slot}` is a slot; or put `<raw>` and `</raw>` around it"
        );
    }
    if let Some(keep) = keep {
        let or = match help.ends_with(", ") || help.is_empty() {
            true => "",
            false => "; or ",
        };
        help += &format!("{or}write `{keep}` to keep one of them as text");
    }
    Problem::new(parts.join(", and "))
        .with_label("the first of them")
        .with_help(help)
}

fn distinct_texts<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = HashSet::new();
    texts.filter(|text| seen.insert(*text)).collect()
}

/// `a`, `b` and 3 more.
fn list_first_texts(texts: &[&str]) -> String {
    let shown = super::list_names(&texts[..texts.len().min(LISTED)]);
    match texts.len().saturating_sub(LISTED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
