//! Text that another template language would read as a slot. The scope decides later which of it is an error.

use super::shape;
use crate::Dialect;
use crate::name::{begins_name, continues_name, is_latex, is_type, name_len};
use prompt_base::Span;
use prompt_base::suggest::closest;

/// Text with the form of a slot or of a tag of another template language.
#[derive(Clone, Debug)]
pub(crate) struct Lookalike {
    pub(crate) span: Span,
    /// The names that it would read, in order. A path is its first name.
    pub(crate) names: Vec<String>,
    pub(crate) form: LookalikeKind,
    /// Where the backslashes before it begin, and how many there are: the beginning of the token and the offset in its text.
    pub(crate) slashes: (usize, usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LookalikeKind {
    /// `{name}`, `{{ name }}`, `${name}`: a path between braces and nothing else.
    Braces,
    /// `<name>`, `<name />`: text where the prompt contains `</name>`.
    Tag,
    /// `{name!r}`, `%name%`, `[[name]]`.
    Slot,
    /// `{% if name %}`, `{{#each names}}`.
    If,
    For,
}

/// The longest look-alike, in bytes.
const LONGEST: usize = 200;

/// Finds the look-alikes in a part of the text that a lexer has found to be literal; `at` is the beginning of its
/// token and the offset in the text of the token.
pub(crate) fn scan(text: &str, part: Span, at: usize, dialect: Dialect, out: &mut Vec<Lookalike>) {
    let mut next = part.start;
    while let Some(start) = next_sign(&text.as_bytes()[..part.end], next, dialect) {
        let opener = &text[start..part.end];
        let found = match opener.as_bytes()[0] {
            b'{' => braces(&text[..start], opener, dialect),
            b'<' => angles(text, start, opener, dialect),
            b'[' => brackets(opener),
            b'%' | b'@' | b'#' => signs(text, start, opener),
            _ => replaced(opener, dialect),
        };
        // The other characters of the same run open nothing either.
        let first = opener.chars().next();
        let run = opener.len() - opener.trim_start_matches(|c| Some(c) == first).len();
        let Some((len, names, form)) = found else {
            // The last of several braces may open a slot: `{{name}`.
            let is_brace = opener.starts_with('{') && run > 1;
            next = start + run - usize::from(is_brace);
            continue;
        };
        let before = &text[part.start..start];
        let sign = usize::from(opener.starts_with('{') && before.ends_with(['$', '#', '%', '@']));
        let start = start - sign;
        let before = &text[part.start..start];
        let slashes = before.len() - before.trim_end_matches('\\').len();
        let offset = at + (start - slashes - part.start);
        next = start + sign + len;
        out.push(Lookalike {
            span: Span::new(start, next),
            names,
            form,
            slashes: (offset, slashes),
        });
    }
}

/// The next byte that opens a look-alike. A loop over bytes, as macros are compiled without optimizations: a search for a set of
/// characters took a fifth of an expansion.
fn next_sign(text: &[u8], mut at: usize, dialect: Dialect) -> Option<usize> {
    let brace = match dialect {
        Dialect::Fstring => b'<',
        _ => b'{',
    };
    while at < text.len() {
        match text[at] {
            // Most bytes.
            b'a'..=b'z' | b' ' => {}
            b'<' | b'%' | b'[' | b'&' => return Some(at),
            byte if byte == brace => return Some(at),
            // `@name@`, `##name##`: most of these signs are alone or before a space.
            b'@' | b'#' => {
                if let Some(b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'@' | b'#') = text.get(at + 1) {
                    return Some(at);
                }
            }
            // `＜` and `｛`, of which no part is a character.
            0xef if matches!(text.get(at + 1..at + 3), Some([0xbc, 0x9c] | [0xbd, 0x9b])) => {
                return Some(at);
            }
            _ => {}
        }
        at += 1;
    }
    None
}

type LookalikeMatch = Option<(usize, Vec<String>, LookalikeKind)>;

/// The text before a closing delimiter on the same line.
fn until<'t>(text: &'t str, close: &str) -> Option<&'t str> {
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let line = text[..end].split(['\n', '\r']).next()?;
    line.find(close).map(|at| &line[..at])
}

/// `{name}`, `{{ name }}`, `{% if name %}`, `{{#each names}}`; in the brace dialect also `{inputs:name}` and `{name + 1}`
fn braces(before: &str, opener: &str, dialect: Dialect) -> LookalikeMatch {
    let run = opener.len() - opener.trim_start_matches('{').len();
    let inside = &opener[run..];
    if run == 1 && inside.starts_with('%') {
        let words = until(&inside[1..], "%}")?;
        return statement(words, 2 + words.len() + 2);
    }
    if run == 1 {
        if before.ends_with('$')
            && let Some((name, len)) = shell(inside)
        {
            return Some(slot(&name, len + 1));
        }
        let words = until(inside, "}")?;
        // `{count, plural, one{…} other{…}}`: what is inside is text.
        if let Some((choice, _)) = words.split_once('{')
            && is_message_argument(choice)
            && choice.matches(',').count() == 2
        {
            let choice = &choice[..=choice.rfind(',')?];
            return Some(slot(&choice[..name_len(choice)], choice.len() + 1));
        }
        if words.contains(['{', '\\']) {
            return None;
        }
        // Blade's unescaped output.
        let unescaped = words
            .strip_prefix("!!")
            .and_then(|it| it.strip_suffix("!!"));
        if let Some(block) = words.strip_prefix(['#', '@', ':']) {
            // A comment of Jinja ends with the same sign.
            return match words.ends_with('#') || !block.starts_with(begins_name) {
                true => None,
                false => statement(block, words.len() + 2),
            };
        }
        // LaTeX has expressions behind a command and its arguments, `_` and `^`.
        let is_latex = || before.ends_with(|c| continues_name(c) || c == '^') || is_latex(before);
        let near = || match dialect {
            // Quoted names are JSON.
            Dialect::Brace if !words.contains(['"', '\'']) => name_inside(words),
            _ => None,
        };
        let near = || computed(words).filter(|_| !is_latex()).or_else(near);
        let (name, form) = plain(unescaped.unwrap_or(words))
            .or_else(|| Some((near()?.to_owned(), LookalikeKind::Slot)))?;
        let mut names = match words.starts_with(begins_name) {
            true => with_arguments(name, words),
            false => vec![name],
        };
        names.extend(member(words));
        return Some((words.len() + 2, names, form));
    }
    let Some(words) = until(inside, "}}") else {
        return broken(inside, "}}").map(|(name, len)| slot(&name, run + len));
    };
    if words.contains(['{', '\\']) {
        return None;
    }
    let after = &inside[words.len()..];
    let close = after.len() - after.trim_start_matches('}').len();
    let len = run + words.len() + close.min(run);
    if let Some((name, form)) = plain(words) {
        let mut names = with_arguments(name, words);
        names.extend(member(words));
        return Some((len, names, form));
    }
    let words = words.trim_start_matches(['#', '>', '^', '&', '!', '~', '-', '/', '.', '$', '*']);
    statement(words.trim_end_matches(['~', '-']), len)
}

/// The name in `name:-none}`, `name%.*}` or `#name}`, which a shell reads after `${`, and the length with the brace.
fn shell(inside: &str) -> Option<(String, usize)> {
    let words = until(inside, "}")?;
    let name = words.trim_start_matches(['#', '!']);
    let (name, rest) = name.split_at(name_len(name));
    let is_operator = |sign: &&str| rest.starts_with(sign);
    let operators = [
        ":-", ":=", ":?", ":+", "-", "=", "+", "%", "#", "/", "^", ",",
    ];
    let is_shell = operators.iter().any(is_operator) || (rest.is_empty() && words != name);
    (!name.is_empty() && is_shell && !words.contains('{'))
        .then(|| (name.to_owned(), words.len() + 1))
}

/// Whether it begins like an argument of ICU's messages: `count, number`, `day, date, short`, `count, plural, …`. `{title, date}` is
/// code that takes an object apart.
fn is_message_argument(words: &str) -> bool {
    let mut parts = words[name_len(words)..].split(',').map(str::trim);
    let (name, kind, style) = (parts.next(), parts.next(), parts.next());
    let has_style = matches!(
        style,
        Some("short" | "medium" | "long" | "full" | "integer" | "percent" | "currency")
    );
    name == Some("")
        && parts.next().is_none()
        && match kind {
            Some("number") => style.is_none() || has_style,
            Some("date" | "time") => has_style,
            Some("plural" | "select" | "selectordinal") => style.is_some(),
            _ => false,
        }
}

/// Whether an expression of Python continues like this after a name: `or "none"`, `if known else ""`.
fn is_alternative(rest: &str) -> bool {
    let is_literal = |text: &str| text.starts_with(['"', '\'', '0', '1']);
    match rest.split_once(' ') {
        Some(("or" | "and", right)) => is_literal(right.trim_start()),
        Some(("if", right)) => right.contains(" else "),
        _ => false,
    }
}

/// The name in an expression of Python: `price * 1.2`, `index+1`, `", ".join(items)`.
fn computed(words: &str) -> Option<&str> {
    if words.starts_with(['"', '\'']) {
        let (_, items) = words.split_once(".join(")?;
        return Some(&items[..name_len(items)]).filter(|_| words.ends_with(')'));
    }
    let (name, rest) = words.split_at(name_len(words));
    let operand = rest
        .trim_start()
        .trim_start_matches(['+', '-', '*', '/', '%']);
    let is_number = operand.starts_with(|c: char| c.is_ascii_digit());
    let is_apart = rest.starts_with(' ') && operand.starts_with(' ');
    let operand = operand.trim();
    let is_one = !operand.is_empty() && operand.chars().all(|c| continues_name(c) || c == '.');
    let has_operator = operand.len() < rest.trim().len();
    (!name.is_empty() && has_operator && is_one && (is_number || is_apart)).then_some(name)
}

/// The name in `this.name`, `state["name"]` or `.Name`, where another language has all values in one object.
fn member(words: &str) -> Option<String> {
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
fn with_arguments(name: String, words: &str) -> Vec<String> {
    let arguments = words.split_once('(').map_or("", |(_, arguments)| arguments);
    let found = statement(arguments, 0).map_or(Vec::new(), |(_, names, _)| names);
    [vec![name], found].concat()
}

/// A path, and what formats or filters it: ` name `, `name!r:>10`, `name | upper`, `name.len()`, `input:name`.
fn plain(words: &str) -> Option<(String, LookalikeKind)> {
    if words.contains(is_invisible) {
        return plain(&words.replace(is_invisible, ""))
            .map(|(name, _)| (name, LookalikeKind::Slot));
    }
    let mut at = words.trim();
    let braces = at.len();
    if let Some((input, rest)) = at.split_once(':')
        && input.trim_end().eq_ignore_ascii_case("input")
    {
        at = rest.trim_start();
    }
    at = at.strip_prefix(['$', '.', '@']).unwrap_or(at);
    let name = &at[..name_len(at)];
    if name.is_empty() {
        return None;
    }
    let mut rest = &at[name.len()..];
    while let Some(field) = rest.strip_prefix('.') {
        // A part of a tuple is a number.
        let digits = field.len() - field.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        match name_len(field).max(digits) {
            0 => break,
            len => rest = &field[len..],
        }
    }
    let is_path = rest.is_empty() && braces == at.len();
    let form = if is_path {
        LookalikeKind::Braces
    } else {
        LookalikeKind::Slot
    };
    follows(rest).then(|| (name.to_owned(), form))
}

/// Characters without width, which are pasted unseen.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}'
    )
}

/// Whether a slot can go on like this after its path.
fn follows(rest: &str) -> bool {
    if let Some(conversion) = rest.strip_prefix('!') {
        let spec = conversion
            .strip_prefix(['r', 's', 'a'])
            .unwrap_or(conversion);
        return spec.is_empty() || spec.starts_with(':');
    }
    if let Some(spec) = rest.strip_prefix(':') {
        return is_format(spec);
    }
    if is_message_argument(rest) || is_alternative(rest.trim_start()) {
        return true;
    }
    if let Some(width) = rest.strip_prefix(',') {
        let (width, spec) = width.split_once(':').unwrap_or((width, ""));
        let width = width.trim_start().trim_start_matches('-');
        let is_width = !width.is_empty() && width.bytes().all(|byte| byte.is_ascii_digit());
        return is_width && is_format(spec);
    }
    let sign = rest.trim_start();
    let rest = rest.trim_end_matches(['=', 'r', 's', 'a', '!']);
    let is_part = !rest.contains(' ') && rest.ends_with(continues_name);
    let is_call = rest.starts_with(['.', '[', '(']) && (is_part || rest.ends_with([')', ']', '?']));
    sign.is_empty() || sign == "=" || sign.starts_with(['|', '?']) || is_call
}

/// Whether it is a format of Python, Rust or C#: `.2f`, `>10`, `,d`, `?`, `%Y-%m-%d`, `N2`, `yyyy-MM-dd`.
fn is_format(spec: &str) -> bool {
    let mut rest = spec;
    let mut chars = rest.chars();
    if let (Some(fill), Some('<' | '>' | '^' | '=')) = (chars.next(), chars.next()) {
        rest = &rest[fill.len_utf8() + 1..];
    }
    let rest = rest.trim_start_matches(['<', '>', '^', '=', '+', '-', '#']);
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = rest.strip_prefix([',', '_']).unwrap_or(rest);
    let rest = match rest.strip_prefix('.') {
        Some(digits) => digits.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => rest,
    };
    let kind = rest.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_kind = kind.len() <= 1 && "bcCdDeEfFgGnNoPsxX%?".contains(kind);
    let mut dates = ["%", "yy", "MM", "dd", "HH", "hh"].into_iter();
    is_kind || (dates.any(|date| rest.starts_with(date)) && !rest.contains(' '))
}

/// Words between the delimiters of a statement: the names in it, unless it is prose.
fn statement(words: &str, len: usize) -> LookalikeMatch {
    let (mut names, mut form) = (Vec::new(), LookalikeKind::Slot);
    // How many names precede with nothing but blanks between.
    let mut row = 0;
    let mut at = 0;
    let mut joined = false;
    while let Some(c) = words[at..].chars().next() {
        if matches!(c, '"' | '\'') {
            let rest = &words[at + 1..];
            at += 1 + rest.find(c).map_or(rest.len(), |end| end + 1);
            (row, joined) = (0, false);
            continue;
        }
        let name = &words[at..at + name_len(&words[at..])];
        if name.is_empty() {
            let is_part = c == '.' && words[..at].ends_with(|c| continues_name(c) || c == ')');
            joined = c == '|' || is_part || joined && c.is_whitespace();
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
            "if" | "elif" | "elseif" | "elsif" | "unless" | "when" => form = LookalikeKind::If,
            "for" | "each" | "foreach" | "range" => form = LookalikeKind::For,
            "of" if form == LookalikeKind::For => row = 0,
            _ if is_keyword(name) => row = 0,
            // Three names in a row are prose; two may be a function and its argument.
            _ if row == 2 => return None,
            _ => {
                row += 1;
                if !is_key && !joined {
                    // A field of the data in Go is public: `.Name`.
                    names.push(match is_public {
                        true => name.to_lowercase(),
                        false => name.to_owned(),
                    });
                }
            }
        }
        joined = false;
    }
    (!names.is_empty()).then_some((len, names, form))
}

fn is_keyword(word: &str) -> bool {
    [
        "else", "in", "not", "and", "or", "is", "as", "with", "set", "let", "include", "partial",
        "template", "block", "call", "echo", "php", "do", "end", "case", "none", "true", "false",
    ]
    .contains(&word)
}

/// `<name` and `>`, or `{{name` and `}}`, with a line break between.
fn broken(inside: &str, close: &str) -> Option<(String, usize)> {
    let name = inside.trim_start();
    let (name, rest) = name.split_at(name_len(name));
    let after = rest.trim_start().strip_prefix(close)?;
    (!name.is_empty()).then(|| (name.to_owned(), inside.len() - after.len()))
}

/// The name in `#name`, `"name"`, `name == 1`, `slot:name` or `input name`.
fn name_inside(words: &str) -> Option<&str> {
    let is_name = |text: &str| !text.is_empty() && name_len(text) == text.len();
    let is_sign = |c: char| c.is_ascii_punctuation() && !matches!(c, '/' | '_' | '(' | ')');
    let bare = words.trim_matches(is_sign);
    if bare.len() < words.len() && is_name(bare) {
        return Some(bare);
    }
    let (word, rest) = words.split_at(name_len(words));
    let sign = rest.trim_start();
    if !word.is_empty() && ["==", "!=", "+"].iter().any(|at| sign.starts_with(at)) {
        return Some(word);
    }
    let name = rest.strip_prefix([':', ' ', '-', '='])?.trim_start();
    let is_prefix = closest(word, ["input", "slot", "field", "variable"]).is_some()
        || matches!(word, "var" | "param" | "arg" | "placeholder") && rest.starts_with(':');
    (is_prefix && is_name(name)).then_some(name)
}

/// The name of a parameter with its type, as in Rust and Python: `name: String`.
fn typed_name(words: &str) -> Option<&str> {
    let (name, ty) = words.split_once(':')?;
    let ty = ty.trim_start().trim_start_matches('&');
    let is_type = is_type(ty) || matches!(ty, "int" | "float" | "string" | "number" | "boolean");
    (!name.is_empty() && name_len(name) == name.len() && is_type).then_some(name)
}

/// `<name >`, `<name/>`, `<name.len()>`, `<%= name %>`; in the angle dialect also `<#name>` and `<If name>`, in the others `<name>` and
/// `<if name>`.
fn angles(text: &str, start: usize, opener: &str, dialect: Dialect) -> LookalikeMatch {
    for (open, close) in [("<%", "%>"), ("<?", "?>"), ("<#", ">")] {
        if let Some(inside) = opener.strip_prefix(open) {
            let words = until(inside, close)?;
            let len = open.len() + words.len() + close.len();
            return statement(words.trim_start_matches(['=', '-', '!']), len);
        }
    }
    let run = opener.len() - opener.trim_start_matches('<').len();
    let angle = dialect == Dialect::Angle;
    // A tag of the dialect itself that is kept as text was recognized by the lexer.
    if angle && run == 1 && shape(text, start, false).is_some() {
        return None;
    }
    let inside = &opener[run..];
    let Some(words) = until(inside, ">") else {
        return broken(inside, ">").map(|(name, len)| slot(&name, run + len));
    };
    let after = &inside[words.len()..];
    let close = after.len() - after.trim_start_matches('>').len();
    let len = run + words.len() + close.min(run);
    if words.contains(['<', '{', '\\']) {
        return None;
    }
    let is_at_start = |block: &&str| {
        let start = words.get(..block.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(block))
    };
    // A block in lowercase is one in this dialect.
    if let Some(block) = [
        "if ", "for ", "else if ", "unless ", "foreach ", "match ", "switch ", "while ",
    ]
    .into_iter()
    .find(is_at_start)
        && (!angle || !words.starts_with(block) || !matches!(block, "if " | "for " | "else if "))
    {
        return statement(&[block, &words[block.len()..]].concat(), len);
    }
    let bare = words.trim_end_matches('/');
    if angle
        && run == 1
        && let Some(name) = name_inside(bare).or_else(|| typed_name(bare))
    {
        return Some(slot(name, len));
    }
    let (name, _) = plain(words.trim_end().trim_end_matches('/'))?;
    let trimmed = words.trim();
    let is_tag = trimmed.trim_end_matches('/').trim_end().len() == name_len(trimmed);
    match is_tag {
        true => Some((len, vec![name], LookalikeKind::Tag)),
        // After a comparison's sign there may be anything: `a < b ? c : d > e`.
        false if words.starts_with(' ') => None,
        false => Some(slot(&name, len)),
    }
}

/// `%name%`, `%%name%%`, `@name@`, `@@name@@`, `##name##`, `%(name)s`
fn signs(text: &str, start: usize, opener: &str) -> LookalikeMatch {
    let sign = &opener[..1];
    let run = opener.len() - opener.trim_start_matches(sign).len();
    let inside = &opener[run..];
    if let Some(inside) = opener.strip_prefix("%(") {
        let name = &inside[..name_len(inside)];
        let rest = inside[name.len()..].strip_prefix(')')?;
        let kind = rest.trim_start_matches(|c| matches!(c, '0'..='9' | '.' | '-' | '+' | '#'));
        let is_kind = kind.starts_with(|c| "sdifrxgeaoucXGEF".contains(c));
        let len = opener.len() - kind.len() + 1;
        return (!name.is_empty() && is_kind).then(|| slot(name, len));
    }
    let name = &inside[..name_len(inside)];
    let after = inside[name.len()..].strip_prefix(&opener[..run])?;
    let continues = |c: char| continues_name(c) || opener.starts_with(c);
    let alone = !text[..start].ends_with(continues) && !after.starts_with(continues);
    let is_slot = run == 2 || (run == 1 && sign != "#");
    (alone && is_slot && !name.is_empty()).then(|| slot(name, name.len() + 2 * run))
}

/// A look-alike of one name.
fn slot(name: &str, len: usize) -> (usize, Vec<String>, LookalikeKind) {
    (len, vec![name.to_owned()], LookalikeKind::Slot)
}

/// `[[name]]`, `[% name %]`
fn brackets(opener: &str) -> LookalikeMatch {
    if let Some(inside) = opener.strip_prefix("[%") {
        let words = until(inside, "%]")?;
        return statement(words.trim_matches(['-', '+', '=']), words.len() + 4);
    }
    let inside = opener.strip_prefix("[[")?;
    let words = until(inside, "]]")?;
    let name = words.trim();
    (!name.is_empty() && name_len(name) == name.len()).then(|| slot(name, words.len() + 4))
}

/// `&lt;name&gt;`, which is `<name>` in HTML, and signs of double width: `＜name＞`, `｛name｝`.
fn replaced(opener: &str, dialect: Dialect) -> LookalikeMatch {
    let signs = [
        ("＜", "＞"),
        ("｛｛", "｝｝"),
        ("｛", "｝"),
        ("&lt;", "&gt;"),
    ];
    let known = &signs[..if dialect == Dialect::Angle { 4 } else { 3 }];
    let (open, close) = known.iter().find(|(open, _)| opener.starts_with(open))?;
    let words = until(&opener[open.len()..], close)?;
    // A comparison's sign is followed by a space: `a &lt; b`.
    let (name, _) = plain(words).filter(|_| !words.starts_with(' '))?;
    Some(slot(&name, open.len() + words.len() + close.len()))
}
