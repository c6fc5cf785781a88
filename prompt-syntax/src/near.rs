//! Text that was probably meant as a slot.

use crate::name::{begins_name, name_len};
use crate::{Dialect, Options};
use prompt_base::Span;
use prompt_base::suggest::closest;

/// Text of a template that resembles a slot.
///
/// ```
/// use prompt_syntax::{Dialect, Options, near::near_slot};
///
/// let options = Options::message(Dialect::Brace);
/// let text = "Answer: { question }";
/// let near = near_slot(text, options, "question", ["question", "context"]).unwrap();
/// assert_eq!((near.span.of(text), near.slot.as_str()), ("{ question }", "{question}"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NearSlot {
    /// Their span.
    pub span: Span,
    /// The slot as the dialect writes it.
    pub slot: String,
}

/// The text of a template that was most likely meant as the slot of this field: in other brackets, with a space too many,
/// with more than a path, misspelt. `fields` are all names that a slot can have; a slot of another one is not meant.
///
/// This is for a field without a slot. The text is searched for brackets that open before a name, whatever they are
/// in this dialect.
///
/// ```
/// use prompt_syntax::{Dialect, Options, near::near_slot};
///
/// let options = Options::message(Dialect::Angle);
/// let near = |text| near_slot(text, options, "name", ["name", "names"]).map(|near| near.span);
/// assert_eq!(near("Dear < name >,").unwrap().range(), 5..13);
/// assert_eq!(near("Dear {{name}},").unwrap().range(), 5..13);
/// assert_eq!(near("Dear <nmae:>,").unwrap().range(), 5..12);
/// assert_eq!(near("Dear < names >,"), None);
/// ```
pub fn near_slot<'a>(
    text: &str,
    options: Options,
    field: &str,
    fields: impl IntoIterator<Item = &'a str>,
) -> Option<NearSlot> {
    let others: Vec<&str> = fields.into_iter().filter(|name| *name != field).collect();
    near_slot_of(text, options, field, &others)
}

fn near_slot_of(text: &str, options: Options, field: &str, others: &[&str]) -> Option<NearSlot> {
    let mut best: Option<(Rank, Span)> = None;
    let mut done = 0;
    for (at, c) in text.char_indices() {
        if at < done || !matches!(c, '<' | '{' | '[' | '$' | '%') {
            continue;
        }
        let Some(found) = BracketedName::at(text, at) else {
            // The other brackets of the same run do not open a name either; only the last one can be the `$` of `{$name`.
            done = at + run_of_openers(&text[at..]).saturating_sub(1);
            continue;
        };
        done = found.span.end;
        let exact = found.name == field;
        if !exact
            && (!found.closed
                || others.contains(&found.name)
                || closest(found.name, [field]).is_none())
        {
            continue;
        }
        let rank = Rank {
            misspelt: !exact,
            open: !found.closed,
            foreign: !is_own(options.dialect, c),
        };
        if best.as_ref().is_none_or(|(least, _)| rank < *least) {
            best = Some((rank, found.span));
        }
    }
    let slot = match options.dialect {
        Dialect::Angle if text.contains(&format!("</{field}")) => format!("<input:{field}>"),
        _ => options.slot(field),
    };
    best.map(|(_, span)| NearSlot { span, slot })
}

/// Criteria that make a candidate less likely, the most important first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    misspelt: bool,
    open: bool,
    foreign: bool,
}

fn is_own(dialect: Dialect, bracket: char) -> bool {
    match dialect {
        Dialect::Angle => bracket == '<',
        Dialect::Brace | Dialect::Fstring | Dialect::Jinja => bracket == '{',
    }
}

/// A name behind brackets.
struct BracketedName<'t> {
    name: &'t str,
    /// With the brackets.
    span: Span,
    closed: bool,
}

impl BracketedName<'_> {
    /// Reads the brackets that open here, the name behind them, and what closes them on the same line.
    fn at(text: &str, start: usize) -> Option<BracketedName<'_>> {
        let opener = &text[start..];
        let open = run_of_openers(opener);
        let mut at = start + open + blank(&text[start + open..]);
        if let Some(rest) = text[at..].strip_prefix("input") {
            let gap = blank(rest);
            if rest[gap..].starts_with(':') {
                at += "input".len() + gap + 1;
                at += blank(&text[at..]);
            }
        }
        if text[at..].starts_with("r#") {
            at += "r#".len();
        }
        let end = at + name_len(&text[at..]);
        if end == at {
            return None;
        }
        let name = &text[at..end];
        let brackets = opener[..open].trim_matches(['$', '%']);
        if brackets.is_empty() {
            // `$name`, `%name%`
            let close = usize::from(text[end..].starts_with('%'));
            let whole = open == 1 && at == start + 1 && (opener.starts_with('$') || close == 1);
            let span = Span::new(start, end + close);
            return whole.then_some(BracketedName {
                name,
                span,
                closed: true,
            });
        }
        let (end, closed) = match ending(text, end, brackets)? {
            TagEnding::Closed(end) => (end, true),
            // Other brackets open for many reasons.
            TagEnding::Open if at == start + open && brackets == "<" => (end, false),
            TagEnding::Open => return None,
        };
        let span = Span::new(start, end);
        Some(BracketedName { name, span, closed })
    }
}

enum TagEnding {
    /// Where the closing brackets end.
    Closed(usize),
    Open,
}

/// The most characters between a name and its closing bracket.
const NEAR: usize = 40;

/// The closing bracket after a name; `None` if the text before it is longer than a path, a call or a format.
fn ending(text: &str, from: usize, brackets: &str) -> Option<TagEnding> {
    let closing = match brackets.chars().next_back()? {
        '<' => '>',
        '{' => '}',
        '[' => ']',
        '(' => ')',
        _ => '%',
    };
    let rest = &text[from..];
    let line = rest.char_indices().take(NEAR);
    let mut line = line.take_while(|(_, c)| !matches!(c, '\n' | '\r' | '<' | '{'));
    let Some((at, _)) = line.find(|(_, c)| *c == closing) else {
        return Some(TagEnding::Open);
    };
    let words = &rest[..at];
    let next = words.trim_start_matches([' ', '\t']);
    // After a space another word is prose: `[see the notes]`, `<name of the user>`.
    let prose = next.len() < words.len() && next.starts_with(begins_name);
    // A quoted string is an attribute's, but not after a sign: `<name || "none">`.
    let quoted = words.contains('"') && !next.starts_with(['|', '?']);
    if prose || words.starts_with('=') || words.ends_with(['-', '=']) || quoted {
        return None;
    }
    let after = &rest[at..];
    let closing = after.len() - after.trim_start_matches(['>', '}', ']', ')', '%']).len();
    Some(TagEnding::Closed(from + at + closing))
}

/// The length of the run of opening brackets at the start of a text.
fn run_of_openers(text: &str) -> usize {
    text.len()
        - text
            .trim_start_matches(['<', '{', '[', '$', '%', '(', '#'])
            .len()
}

fn blank(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t']).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_and_far() {
        let check = |text: &str, dialect, expected: Option<&str>| {
            let options = Options::message(dialect);
            let near = near_slot(text, options, "name", ["name", "names", "question"]);
            let words = near.as_ref().map(|near| near.span.of(text));
            assert_eq!(words, expected, "{text:?} in {}", dialect.name());
        };
        let all = |text: &str, expected| {
            Dialect::ALL
                .into_iter()
                .for_each(|dialect| check(text, dialect, expected));
        };
        all("Dear < name >,", Some("< name >"));
        all("Dear <name >,", Some("<name >"));
        all("Dear <name:>,", Some("<name:>"));
        all("Dear <name.len()>,", Some("<name.len()>"));
        all("Dear <name[0]>", Some("<name[0]>"));
        all("Dear <name/>", Some("<name/>"));
        all("Dear <<name>>", Some("<<name>>"));
        all("Dear <input : name>", Some("<input : name>"));
        all("Dear {name},", Some("{name}"));
        all("Dear { name },", Some("{ name }"));
        all("Dear {{ name }},", Some("{{ name }}"));
        all("Dear {name!r:>10}", Some("{name!r:>10}"));
        all("Dear {name.first}", Some("{name.first}"));
        all("Dear ${name}", Some("${name}"));
        all("Dear $name, hello", Some("$name"));
        all("Dear %(name)s", Some("%(name)"));
        all("Dear %name%", Some("%name%"));
        all("Dear <r#name>", Some("<r#name>"));
        all("Dear <name || \"you\">", Some("<name || \"you\">"));
        all(
            "Dear <name ? \"you\" : name>",
            Some("<name ? \"you\" : name>"),
        );
        all("Dear [name]", Some("[name]"));
        all("Dear [[ name ]]", Some("[[ name ]]"));
        all("Dear {nmae}", Some("{nmae}"));
        all("Dear <name and more", Some("<name"));
        all("Dear <%= name %>", None);
        all("{{ question }} {names} <question>", None);
        all("the name, name> and (name)", None);
        all("[name of the user] <name of=\"x\"> a<b", None);
        all("if a <named", None);
        // The dialect's own brackets and the right name come first.
        check(
            "{nmae} <nmae:> [name] < name >",
            Dialect::Angle,
            Some("< name >"),
        );
        check(
            "{nmae} <nmae:> [name] { name }",
            Dialect::Brace,
            Some("{ name }"),
        );
        check("{ name }", Dialect::Jinja, Some("{ name }"));
        let angle = Options::message(Dialect::Angle);
        let near = near_slot("{name} </name>", angle, "name", ["name"]);
        assert_eq!(near.unwrap().slot, "<input:name>");
    }
}
