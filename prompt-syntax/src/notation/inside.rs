//! What may be between the delimiters of a notation, and the names in it.

use std::collections::HashSet;

use super::JINJA_SIGNS;
use crate::Dialect;
use crate::name::{continues_name, is_hyphenated, is_type, name_len};
use prompt_base::suggest::closest;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LookalikeKind {
    /// `{name}`, `{{ name }}`, `${name}`: a path between braces and nothing else.
    Braces,
    /// `<name>`, `<name />`: text where the prompt contains `</name>`.
    Tag,
    /// `{name!r}`, `%name%`, `[[name]]`.
    Slot,
    /// `<name:word>`: XML, except in `prompt!`, which does not know the names in scope.
    Labelled,
    /// `{% if name %}`, `{{#each names}}`.
    If,
    For,
    /// `{{#name}}`: a condition or a loop, by the kind of the name.
    Section,
    /// `<first_name last_name>`, where all of its names are in scope; `<each names>`, where the prompt contains the end of this block.
    Words,
    /// `<include 'file'>`, `{% set x = 3 %}`, `{# … #}`: text is not likely to contain it, so it is a mistake without a name in scope. Of a
    /// tag in angle brackets the name is its first word; other statements may have no names.
    Statement(Statement),
}

/// What a statement of another language does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Statement {
    /// `<include 'file'>`, `<extends "base.html">`
    Include,
    /// `<set x = 3>`
    Assignment,
    /// `<case "a">`
    Branch,
    /// `{{gen 'answer' n=3}}`
    Helper,
    /// `{# … #}`, `{{! … }}`, `<%# … %>`
    Comment,
    /// `{% endif %}`, `{% else %}`
    End,
    /// `{{ ctx.output_format }}`, `{format_instructions}`
    OutputType,
}

/// The length of a look-alike, its names and its kind.
pub(super) type Reading = (usize, Vec<String>, LookalikeKind);

/// The blocks of another language to one of which a tag belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Blocks {
    /// Those of Jinja that begin with these words: `if` for `{% endif %}`.
    Named(&'static [&'static str]),
    /// All of Handlebars: `{{else}}`, `{{/each}}`.
    Any,
    /// Those of Handlebars that set the current item: `{{this}}`, `{{@index}}`, `{{#if @first}}`.
    WithItem,
}

impl Blocks {
    /// The blocks to which a tag of another language belongs, `{% endif %}` or, in the angle dialect, `{{else}}`.
    pub(crate) fn of_tag(written: &str, dialect: Dialect) -> Option<Blocks> {
        if written.starts_with("{%") {
            let words = written.trim_matches(['{', '%', '}']);
            return Blocks::of_statement(words.trim_matches(JINJA_SIGNS));
        }
        let is_read = dialect == Dialect::Angle && written.starts_with("{{");
        is_read.then(|| Blocks::of_handlebars(written.trim_matches(['{', '}'])))?
    }

    /// The blocks to which a statement of Jinja belongs.
    fn of_statement(words: &str) -> Option<Blocks> {
        let word = &words[..name_len(words)];
        match word {
            "elif" => Some(Blocks::Named(&["if"])),
            _ if word.len() < words.len() => None,
            "else" => Some(Blocks::Named(&["if", "for"])),
            "endif" => Some(Blocks::Named(&["if"])),
            "endfor" => Some(Blocks::Named(&["for"])),
            _ => None,
        }
    }

    /// The blocks to which the content of `{{…}}` belongs.
    fn of_handlebars(words: &str) -> Option<Blocks> {
        let words = words.trim_matches(['~', ' ']);
        let end = words.strip_prefix('/').unwrap_or_default();
        if words == "else"
            || words.starts_with("else if ")
            || !end.is_empty() && name_len(end) == end.len()
        {
            return Some(Blocks::Any);
        }
        item_path(words).map(|_| Blocks::WithItem)
    }
}

/// The blocks of Jinja and Handlebars that begin in a text.
#[derive(Default)]
pub(crate) struct ForeignBlocks<'a> {
    /// The first words of Jinja's statements.
    statements: HashSet<&'a str>,
    /// Where the sections of Handlebars begin, at most two.
    sections: Vec<usize>,
    /// Those that set the current item, at most two.
    item_sections: Vec<usize>,
}

impl<'a> ForeignBlocks<'a> {
    pub(crate) fn find_blocks(text: &'a str) -> ForeignBlocks<'a> {
        let mut found = ForeignBlocks::default();
        for (at, _) in text.match_indices("{%") {
            let words = text[at + 2..].trim_start_matches(JINJA_SIGNS);
            found.statements.insert(&words[..name_len(words)]);
        }
        for (at, _) in text.match_indices("{{") {
            let words = text[at + 2..].trim_start_matches(['~', ' ']);
            let Some(section) = words.strip_prefix(['#', '^']) else {
                continue;
            };
            let is_condition = matches!(&section[..name_len(section)], "if" | "unless");
            for (positions, is_one) in [
                (&mut found.sections, true),
                (&mut found.item_sections, !is_condition),
            ] {
                if is_one && positions.len() < 2 {
                    positions.push(at);
                }
            }
        }
        found
    }

    /// Whether the text has one of these blocks, other than the one that begins at this position.
    pub(crate) fn has_any_of(&self, blocks: Blocks, position: usize) -> bool {
        let other = |positions: &[usize]| positions.iter().any(|at| *at != position);
        match blocks {
            Blocks::Named(words) => words.iter().any(|word| self.statements.contains(word)),
            Blocks::Any => other(&self.sections),
            Blocks::WithItem => other(&self.item_sections),
        }
    }
}

/// The path of Handlebars that begins at the current item, of `this.title` or `#if @first`.
pub(crate) fn item_path(words: &str) -> Option<&str> {
    let words = words.trim_matches(['~', ' ']);
    let path = match words.strip_prefix(['#', '^']) {
        Some(section) => section.split_once(' ')?.1.trim_start(),
        None => words,
    };
    let this = path.strip_prefix("this");
    let is_item = path == "."
        || path.starts_with("../")
        || this.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/']))
        || path
            .strip_prefix('@')
            .is_some_and(|name| name_len(name) > 0);
    (is_item && !path.contains([' ', '(', '"', '\''])).then_some(path)
}

/// The longest look-alike that is not a comment, in bytes.
const LONGEST: usize = 200;

/// The text before a closing delimiter on the same line.
pub(crate) fn text_until<'t>(text: &'t str, close: &str) -> Option<&'t str> {
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let line = text[..end].split(['\n', '\r']).next()?;
    line.find(close).map(|at| &line[..at])
}

/// A path, and what formats or filters it: ` name `, `name!r:>10`, `name | upper`, `name.len()`, `input:name`.
pub(crate) fn expression(words: &str) -> Option<(String, LookalikeKind)> {
    if words.contains(is_invisible) {
        let (name, _) = expression(&words.replace(is_invisible, ""))?;
        return Some((name, LookalikeKind::Slot));
    }
    let words = words.trim();
    let path = match words.split_once(':') {
        Some((input, path)) if input.trim_end().eq_ignore_ascii_case("input") => path.trim_start(),
        _ => words,
    };
    let path = path.strip_prefix(['$', '.', '@', '!']).unwrap_or(path);
    let (name, mut rest) = path.split_at(name_len(path));
    while let Some(field) = rest.strip_prefix('.') {
        // A part of a tuple is a number.
        let digits = field.len() - field.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        match name_len(field).max(digits) {
            0 => break,
            len => rest = &field[len..],
        }
    }
    let kind = match rest.is_empty() && path.len() == words.len() {
        true => LookalikeKind::Braces,
        false => LookalikeKind::Slot,
    };
    (!name.is_empty() && continues_path(rest)).then(|| (name.to_owned(), kind))
}

/// Characters without width, which are pasted unseen.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}'
    )
}

/// Whether an expression of a template language continues like this after its path. JSON, types and prose do not.
fn continues_path(rest: &str) -> bool {
    let sign = rest.trim_start();
    match rest.chars().next() {
        Some('!') => {
            let conversion = &rest[1..];
            let spec = conversion.strip_prefix(['r', 's', 'a']);
            let spec = spec.unwrap_or(conversion);
            spec.is_empty() || spec.starts_with(':')
        }
        Some(':') => is_format(&rest[1..]),
        Some(',') => is_message_argument(rest) || is_aligned(&rest[1..]),
        Some('.' | '[' | '(') => {
            let rest = rest.trim_end_matches(['=', 'r', 's', 'a', '!']);
            let is_part = !rest.contains(' ') && rest.ends_with(continues_name);
            is_part || rest.ends_with([')', ']', '?'])
        }
        _ => {
            sign.is_empty()
                || sign == "="
                || sign.starts_with(['|', '?'])
                || is_alternative(sign)
                || is_message_argument(rest)
        }
    }
}

/// Whether it is a width of C#, and perhaps a format: `10:F2`.
fn is_aligned(rest: &str) -> bool {
    let (width, format) = rest.split_once(':').unwrap_or((rest, ""));
    let width = width.trim_start().trim_start_matches('-');
    let is_number = !width.is_empty() && width.bytes().all(|byte| byte.is_ascii_digit());
    is_number && is_format(format)
}

/// Whether it is a format of Python, Rust or C#: `.2f`, `>10`, `,d`, `?`, `%Y-%m-%d`, `N2`, `yyyy-MM-dd`.
fn is_format(spec: &str) -> bool {
    let mut rest = spec;
    let mut chars = rest.chars();
    if let (Some(fill), Some('<' | '>' | '^' | '=')) = (chars.next(), chars.next()) {
        rest = &rest[fill.len_utf8() + 1..];
    }
    let digits =
        |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = rest.trim_start_matches(['<', '>', '^', '=', '+', '-', '#']);
    let rest = &rest[digits(rest)..];
    let rest = rest.strip_prefix([',', '_']).unwrap_or(rest);
    let rest = match rest.strip_prefix('.') {
        Some(precision) => &precision[digits(precision)..],
        None => rest,
    };
    let kind = rest.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_kind = kind.len() <= 1 && "bcCdDeEfFgGnNoPsxX%?".contains(kind);
    let is_date = ["%", "yy", "MM", "dd", "HH", "hh"]
        .iter()
        .any(|part| rest.starts_with(part));
    is_kind || is_date && !rest.contains(' ')
}

/// Whether it is an argument of ICU's messages after its name: `, number`, `, date, short`, `, plural, …`. `{title, date}` is code
/// that takes an object apart.
fn is_message_argument(rest: &str) -> bool {
    let mut parts = rest.split(',').map(str::trim);
    let (before, kind, style) = (parts.next(), parts.next(), parts.next());
    let has_style = matches!(
        style,
        Some("short" | "medium" | "long" | "full" | "integer" | "percent" | "currency")
    );
    before == Some("")
        && parts.next().is_none()
        && match kind {
            Some("number") => style.is_none() || has_style,
            Some("date" | "time") => has_style,
            Some("plural" | "select" | "selectordinal") => style.is_some(),
            _ => false,
        }
}

/// The name in `count, plural, one {…} other {…}` of ICU, and the length up to the choices, which are text.
pub(super) fn message_choice(words: &str) -> Option<(&str, usize)> {
    let (choice, _) = words.split_once('{')?;
    let (name, rest) = choice.split_at(name_len(choice));
    let is_choice = is_message_argument(rest) && rest.matches(',').count() == 2;
    is_choice.then(|| (name, choice.rfind(',').map_or(choice.len(), |at| at + 1)))
}

/// Whether an expression of Python continues like this after a name: `or "none"`, `if known else ""`. `or another` is prose.
fn is_alternative(rest: &str) -> bool {
    let is_literal = |text: &str| text.starts_with(['"', '\'', '0', '1']);
    match rest.split_once(' ') {
        Some(("or" | "and", right)) => is_literal(right.trim_start()),
        Some(("if", right)) => right.contains(" else "),
        _ => false,
    }
}

/// The name in an expression of Python: `price * 1.2`, `index+1`, `", ".join(items)`. Without spaces, `a-b` and `a*b` are as likely text.
pub(crate) fn computed_name(words: &str) -> Option<&str> {
    if words.starts_with(['"', '\'']) {
        let (_, items) = words.split_once(".join(")?;
        return Some(&items[..name_len(items)]).filter(|_| words.ends_with(')'));
    }
    let (name, rest) = words.split_at(name_len(words));
    let operand = rest
        .trim_start()
        .trim_start_matches(['+', '-', '*', '/', '%']);
    let is_number = operand.starts_with(|c: char| c.is_ascii_digit());
    let is_spaced = rest.starts_with(' ') && operand.starts_with(' ');
    let operand = operand.trim();
    let is_one = !operand.is_empty() && operand.chars().all(|c| continues_name(c) || c == '.');
    let has_operator = operand.len() < rest.trim().len();
    (!name.is_empty() && has_operator && is_one && (is_number || is_spaced)).then_some(name)
}

/// The name in `name:-none}`, `name%.*}` or `#name}`, which a shell reads after `${`, and the length with the brace.
pub(super) fn shell_name(inside: &str) -> Option<(&str, usize)> {
    const OPERATORS: [&str; 12] = [
        ":-", ":=", ":?", ":+", "-", "=", "+", "%", "#", "/", "^", ",",
    ];
    let words = text_until(inside, "}")?;
    let path = words.trim_start_matches(['#', '!']);
    let (name, rest) = path.split_at(name_len(path));
    let has_operator = OPERATORS.iter().any(|operator| rest.starts_with(operator));
    let is_shell = has_operator || rest.is_empty() && words != name;
    (!name.is_empty() && is_shell && !words.contains('{')).then_some((name, words.len() + 1))
}

/// The name in `name)s` or `name).2f`, which `printf` reads after `%(`, and the length.
pub(super) fn printf_name(inside: &str) -> Option<(&str, usize)> {
    let (name, rest) = inside.split_at(name_len(inside));
    let rest = rest.strip_prefix(')')?;
    let kind = rest.trim_start_matches(|c| matches!(c, '0'..='9' | '.' | '-' | '+' | '#'));
    let is_kind = kind.starts_with(|c| "sdifrxgeaoucXGEF".contains(c));
    (!name.is_empty() && is_kind).then(|| (name, inside.len() - kind.len() + 1))
}

/// The name in `this.name`, `state["name"]` or `.Name`, where another language has all values in one object.
pub(super) fn member_name(words: &str) -> Option<String> {
    let words = words.trim();
    let (object, rest) = words.split_at(name_len(words));
    let field = ["[\"", "['", "."]
        .into_iter()
        .find_map(|sign| rest.strip_prefix(sign))?;
    let field = &field[..name_len(field)];
    match object {
        // A field of the data in Go, whose name is public.
        "" => Some(field.to_lowercase()).filter(|_| rest.len() == 1 + field.len()),
        "this" | "self" | "input" | "inputs" | "vars" | "variables" | "data" | "ctx"
        | "context" | "params" | "args" | "kwargs" | "props" | "request" | "state" => {
            Some(field.to_owned())
        }
        _ => None,
    }
}

/// A name, and those in the arguments of the call that follows it: `len(items)`.
pub(super) fn names_of_call(name: String, words: &str) -> Vec<String> {
    let arguments = words.split_once('(').map_or("", |(_, arguments)| arguments);
    let found = statement_names(arguments, 0).map_or(Vec::new(), |(_, names, _)| names);
    [vec![name], found].concat()
}

/// The names in a statement, unless it is prose.
pub(super) fn statement_names(words: &str, len: usize) -> Option<Reading> {
    let (mut names, mut kind) = (Vec::new(), LookalikeKind::Slot);
    // How many names precede with nothing but blanks between.
    let mut row = 0;
    let mut at = 0;
    let mut is_member = false;
    while let Some(c) = words[at..].chars().next() {
        if matches!(c, '"' | '\'') {
            let rest = &words[at + 1..];
            at += 1 + rest.find(c).map_or(rest.len(), |end| end + 1);
            (row, is_member) = (0, false);
            continue;
        }
        let name = &words[at..at + name_len(&words[at..])];
        if name.is_empty() {
            let is_part = c == '.' && words[..at].ends_with(|c| continues_name(c) || c == ')');
            is_member = c == '|' || is_part || is_member && c.is_whitespace();
            if !c.is_whitespace() {
                row = 0;
            }
            at += c.len_utf8();
            continue;
        }
        let is_public = words[..at].ends_with('.') && !words[at + name.len()..].starts_with('.');
        at += name.len();
        let after = words[at..].trim_start();
        let is_key = after.starts_with(':') || (after.starts_with('=') && !after.starts_with("=="));
        match name {
            "if" | "elif" | "elseif" | "elsif" | "unless" | "when" => kind = LookalikeKind::If,
            "for" | "each" | "foreach" | "range" => kind = LookalikeKind::For,
            // The names before are those of the items.
            "in" | "of" if kind == LookalikeKind::For => {
                names.clear();
                row = 0;
            }
            _ if is_keyword(name) => row = 0,
            // Three names in a row are prose; two may be a function and its argument.
            _ if row == 2 => return None,
            _ => {
                row += 1;
                if !is_key && !is_member {
                    // A field of the data in Go is public: `.Name`.
                    names.push(match is_public {
                        true => name.to_lowercase(),
                        false => name.to_owned(),
                    });
                }
            }
        }
        is_member = false;
    }
    (!names.is_empty()).then_some((len, names, kind))
}

/// Whether a tag of two words that begins with this one is about the second: `<include footer>`, `<upper name>`.
pub(crate) fn is_word_of_tag(word: &str) -> bool {
    matches!(word, "include" | "partial" | "render") || foreign_filter(word).is_some()
}

/// The filter of the angle dialect that other languages have under this name.
pub(crate) fn foreign_filter(word: &str) -> Option<&'static str> {
    match word {
        "upper" | "uppercase" | "upcase" | "to_uppercase" | "toUpperCase" => Some("upper"),
        "lower" | "lowercase" | "downcase" | "to_lowercase" | "toLowerCase" => Some("lower"),
        "trim" | "strip" => Some("trim"),
        _ => None,
    }
}

fn is_keyword(word: &str) -> bool {
    [
        "else", "in", "not", "and", "or", "is", "as", "with", "set", "let", "include", "partial",
        "template", "block", "call", "echo", "php", "do", "end", "case", "none", "true", "false",
    ]
    .contains(&word)
}

/// `<name` and `>`, or `{{name` and `}}`, with a line break between: the name, and the length after the opening delimiter.
pub(super) fn broken_name<'t>(inside: &'t str, close: &str) -> Option<(&'t str, usize)> {
    let words = inside.trim_start();
    let (name, rest) = words.split_at(name_len(words));
    let after = rest.trim_start().strip_prefix(close)?;
    (!name.is_empty()).then(|| (name, inside.len() - after.len()))
}

/// The name in `<name` or `{name` at the end of a line or before a comma, where another slot opens before one is closed. XML has its
/// attributes on lines of their own.
pub(super) fn open_name(inside: &str, open: char, close: char) -> Option<&str> {
    let (name, rest) = inside.split_at(name_len(inside));
    let after = rest.strip_prefix([',', '.', '!', '?']).unwrap_or(rest);
    let ends = after.is_empty()
        || after.starts_with(['\n', '\r'])
        || after.len() < rest.len() && after.starts_with(' ');
    // What follows is prose, and no object or code.
    let is_open = rest
        .find([open, close, ':', ';', '('])
        .is_none_or(|at| rest[at..].starts_with(open));
    (!name.is_empty() && ends && is_open).then_some(name)
}

/// The reading of text, which also means the name with `_` where the text has hyphens: `{user-name}`.
pub(super) fn with_hyphens(words: &str, len: usize, reading: Option<Reading>) -> Option<Reading> {
    let written = words.trim().trim_end_matches('/').trim_end();
    if !is_hyphenated(written) {
        return reading;
    }
    let others = reading.map_or(Vec::new(), |(_, names, _)| names);
    let names = [vec![written.replace('-', "_")], others].concat();
    Some((len, names, LookalikeKind::Slot))
}

/// The signs of an operator behind a name. `/` is not one of them: it ends a tag of XML.
const OPERATORS: [&str; 6] = ["==", "!=", "+", "*", "- ", "% "];

/// Words before `:` that other languages have for `input`.
const INPUT_WORDS: [&str; 8] = [
    "var",
    "param",
    "arg",
    "placeholder",
    "in",
    "val",
    "value",
    "ctx",
];

/// The name in `#name`, `"name"`, `name == 1`, `slot:name`, `input name` or `input['name']`.
pub(super) fn single_name(words: &str) -> Option<&str> {
    let is_name = |text: &str| !text.is_empty() && name_len(text) == text.len();
    let is_sign = |c: char| c.is_ascii_punctuation() && !matches!(c, '/' | '_' | '(' | ')');
    let bare = words.trim_matches(is_sign);
    if bare.len() < words.len() && is_name(bare) {
        return Some(bare);
    }
    let (word, rest) = words.split_at(name_len(words));
    let sign = rest.trim_start();
    if !word.is_empty() && OPERATORS.iter().any(|at| sign.starts_with(at)) {
        return Some(word);
    }
    let name = match rest.strip_prefix(['.', '[', '(']) {
        Some(name) => name.trim_matches(['[', ']', '(', ')', '"', '\'']),
        None => rest.strip_prefix([':', ' ', '-', '='])?.trim_start(),
    };
    let is_prefix = closest(word, ["input", "slot", "field", "variable"]).is_some()
        || INPUT_WORDS.contains(&word) && rest.starts_with(':');
    (is_prefix && is_name(name)).then_some(name)
}

/// The name and the attribute in `name default="none"`, `name join=", "` or `name truncate="200"`: what a slot does with its value, written as an
/// attribute of markup. With the names of other filters, and before `/>`, it is markup.
pub(crate) fn slot_attribute(words: &str) -> Option<(&str, &str, &str)> {
    let (name, rest) = words.split_at(name_len(words));
    let attribute = rest.trim_start();
    let (key, value) = attribute.split_at(name_len(attribute));
    let value = value.trim_start().strip_prefix('=')?.trim();
    let is_slot = !name.is_empty() && attribute.len() < rest.len() && is_quoted(value);
    let inside = is_slot.then(|| &value[1..value.len() - 1])?;
    let is_known = match key {
        "default" | "fallback" | "join" => true,
        "truncate" => !inside.is_empty() && inside.bytes().all(|b| b.is_ascii_digit()),
        _ => false,
    };
    is_known.then_some((name, key, inside))
}

/// A helper of Handlebars or Guidance, `gen 'answer' n=3`: a name and at least two arguments, of which the last has a key; one is enough for `gen`.
/// Returns the names of its arguments, and whether all arguments are quoted or have a key: other words may be prose unless they are names in scope.
pub(crate) fn helper_names(words: &str) -> Option<(Vec<String>, bool)> {
    let words = words.trim_matches(['~', ' ']);
    let mut rest = &words[name_len(words)..];
    if rest.len() == words.len() {
        return None;
    }
    // With one argument, other words are functions of code: `{{ printf "%s" }}`.
    let is_gen = words.starts_with("gen ");
    let (mut names, mut count, mut is_keyed, mut is_marked) = (Vec::new(), 0, false, true);
    while !rest.is_empty() {
        let argument = rest.trim_start();
        if argument.len() == rest.len() {
            return None;
        }
        let key = &argument[..name_len(argument)];
        let keyed = argument[key.len()..].strip_prefix('=');
        let keyed = keyed.filter(|_| !key.is_empty());
        let value = keyed.unwrap_or(argument);
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let len = match quote {
            Some(quote) => value[1..].find(quote).map_or(0, |end| end + 2),
            None => value
                .find(|c| !continues_name(c) && c != '.')
                .unwrap_or(value.len()),
        };
        if len == 0 || value.starts_with('.') {
            return None;
        }
        let name = &value[..name_len(value)];
        if !name.is_empty() {
            names.push(name.to_owned());
        }
        is_keyed = keyed.is_some();
        is_marked &= is_keyed || quote.is_some();
        count += 1;
        rest = &value[len..];
    }
    (is_gen && is_marked || count > 1 && is_keyed).then_some((names, is_marked))
}

/// The name of a parameter with its type, as in Rust and Python: `name: String`.
fn typed_name(words: &str) -> Option<&str> {
    let (name, ty) = words.split_once(':')?;
    let ty = ty.trim_start().trim_start_matches('&');
    let is_type = is_type(ty) || matches!(ty, "int" | "float" | "string" | "number" | "boolean");
    (!name.is_empty() && name_len(name) == name.len() && is_type).then_some(name)
}

/// The name before a word that does not belong to the language: `name:trusted`.
fn labelled_name(words: &str) -> Option<&str> {
    let (name, label) = words.split_once(':')?;
    let is_name = |text: &str| !text.is_empty() && name_len(text) == text.len();
    // `chrono::now()`
    let is_call = label.starts_with(':') && label.ends_with(')');
    (is_name(name) && (is_name(label) || is_call)).then_some(name)
}

/// The first word of a statement, which markup does not contain, and what it does: `include 'file'`, `set x = 3`.
pub(super) fn statement(words: &str) -> Option<(&str, Statement)> {
    let (word, rest) = words.split_at(name_len(words));
    let rest = rest.strip_prefix([' ', '\t'])?;
    let rest = rest.trim_end_matches([' ', '\t', '/']).trim_start();
    let is_file = || rest.contains(['.', '/']) && !rest.contains([' ', '=']);
    let kind = match word {
        "include" if is_quoted(rest) || is_file() => Statement::Include,
        "import" | "extends" if is_quoted(rest) => Statement::Include,
        "case" | "when" if is_quoted(rest) => Statement::Branch,
        _ if is_assignment(word, rest) => Statement::Assignment,
        _ => return None,
    };
    Some((word, kind))
}

/// Whether it is a quoted string and nothing else.
fn is_quoted(words: &str) -> bool {
    let mut strings = ['"', '\'']
        .into_iter()
        .filter_map(|quote| words.strip_prefix(quote)?.strip_suffix(quote));
    strings.any(|inside| !inside.contains(['"', '\'']))
}

/// Whether it is `x = 3` behind the first word of a statement. An attribute of markup has no spaces around its sign, or a quoted value, which only a
/// word that assigns may have.
fn is_assignment(word: &str, words: &str) -> bool {
    let (name, rest) = words.split_at(name_len(words));
    let sign = rest.trim_start();
    if word.is_empty() || name.is_empty() || sign.len() == rest.len() {
        return false;
    }
    if let Some(value) = sign.strip_prefix(":=") {
        return !value.trim().is_empty();
    }
    let value = sign.strip_prefix('=').map_or("", str::trim);
    let is_markup = value.starts_with(['"', '\'']) && !matches!(word, "set" | "let" | "assign");
    !value.is_empty() && !value.starts_with('=') && !is_markup
}

/// The list of a block of another language: `each items`, `loop a in items`, `repeat items as a`.
pub(crate) fn list_of_block(words: &str) -> Option<&str> {
    let mut parts = words.split_whitespace();
    let parts = [(); 5].map(|()| parts.next());
    let list = match parts {
        [Some(_), Some(list), None, ..] => list,
        [Some(_), Some(_), Some("in" | "of"), Some(list), None] => list,
        [Some(_), Some(list), Some("as"), Some(_), None] => list,
        _ => return None,
    };
    (name_len(list) == list.len()).then_some(list)
}

/// The names in `first_name last_name` or `city, country`.
fn several_names(words: &str) -> Option<Vec<String>> {
    let names = words.split([' ', ',']).filter(|part| !part.is_empty());
    let names: Vec<String> = names.map(str::to_owned).collect();
    let are_names = names.iter().all(|name| name_len(name) == name.len());
    (names.len() > 1 && are_names).then_some(names)
}

/// The names in a block of another language: `if name`, `foreach names as name`.
pub(super) fn names_of_block(words: &str, len: usize) -> Option<Reading> {
    let block = BLOCKS[find_block(words)?];
    statement_names(&[block, &words[block.len()..]].concat(), len)
}

/// The names in a block of Razor, Blade or Velocity, behind its sign: `if ($name)`, `foreach(name in names)`.
pub(super) fn directive_names(words: &str) -> Option<Reading> {
    let (word, rest) = words.split_at(name_len(words));
    let mut blocks = BLOCKS.iter().map(|block| block.trim_end());
    if !blocks.any(|block| block == word) && !matches!(word, "elseif" | "each") {
        return None;
    }
    let inside = rest.trim_start_matches(' ').strip_prefix('(')?;
    let line = inside.split(['\n', '\r']).next()?;
    let mut open = 1;
    let end = line.bytes().take(LONGEST).position(|byte| {
        match byte {
            b'(' => open += 1,
            b')' => open -= 1,
            _ => {}
        }
        open == 0
    })?;
    let len = 1 + words.len() - inside.len() + end + 1;
    statement_names(&format!("{word} {}", &inside[..end]), len)
}

/// What BAML and LangChain replace by a description of the output type.
pub(crate) const OUTPUT_TYPES: [&str; 2] = ["ctx.output_format", "format_instructions"];

/// Whether BAML or LangChain replaces this text by a description of the output type.
pub(crate) fn is_output_type(written: &str) -> bool {
    OUTPUT_TYPES.contains(&written.trim_matches(['{', '}', ' ', '-']))
}

/// Whether a block or statement of another language begins with this word.
pub(crate) fn is_block_word(word: &str) -> bool {
    is_keyword(word)
        || BLOCKS.iter().any(|block| block.trim_end() == word)
        || matches!(word, "each" | "range" | "elif" | "elseif" | "elsif")
}

/// The index of the block that begins with these words, in any case.
fn find_block(words: &str) -> Option<usize> {
    BLOCKS.iter().position(|block| {
        let start = words.get(..block.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(block))
    })
}

/// The words that begin blocks in tags of other languages; the first three also do in the angle dialect, in lowercase.
const BLOCKS: [&str; 9] = [
    "if ", "for ", "else if ", "unless ", "foreach ", "match ", "switch ", "while ", "when ",
];

/// The names in a tag: `name /`, `name.len()`, `unless name`. With `is_single_angle` also `#name` and `input name`, which are closer to a
/// slot of the angle dialect than to anything else.
pub(super) fn tag_names(
    words: &str,
    is_angle: bool,
    is_single_angle: bool,
    len: usize,
) -> Option<Reading> {
    if let Some(index) = find_block(words)
        && (!is_angle || index > 2 || !words.starts_with(BLOCKS[index]))
    {
        return names_of_block(words, len);
    }
    // `< if name >`
    if is_single_angle
        && words.starts_with(' ')
        && find_block(words.trim_start()).is_some_and(|index| index < 2)
    {
        return names_of_block(words.trim_start(), len);
    }
    let bare = words.trim_end_matches('/');
    // `< input:name>`
    if is_single_angle && words.starts_with(' ') && words.trim_start().starts_with("input:") {
        let name = single_name(bare.trim())?;
        return Some((len, vec![name.to_owned()], LookalikeKind::Slot));
    }
    if is_single_angle && let Some((word, kind)) = statement(words) {
        return Some((len, vec![word.to_owned()], LookalikeKind::Statement(kind)));
    }
    if let Some((name, ..)) = slot_attribute(words) {
        return Some((len, vec![name.to_owned()], LookalikeKind::Tag));
    }
    if is_single_angle && let Some(name) = single_name(bare).or_else(|| typed_name(bare)) {
        return Some((len, vec![name.to_owned()], LookalikeKind::Slot));
    }
    if is_single_angle && let Some(name) = labelled_name(bare) {
        return Some((len, vec![name.to_owned()], LookalikeKind::Labelled));
    }
    if is_single_angle && let Some(names) = several_names(bare) {
        return Some((len, names, LookalikeKind::Words));
    }
    let (name, _) = expression(words.trim_end().trim_end_matches('/'))?;
    let trimmed = words.trim();
    let is_tag = trimmed.trim_end_matches('/').trim_end().len() == name_len(trimmed);
    let kind = match is_tag {
        true => LookalikeKind::Tag,
        // After a comparison's sign there may be anything: `a < b ? c : d > e`.
        false if words.starts_with(' ') => return None,
        false => LookalikeKind::Slot,
    };
    Some((len, vec![name], kind))
}
