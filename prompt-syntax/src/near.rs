//! Text that was probably meant as a slot.

use crate::notation::bracketed_names;
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
    for found in bracketed_names(text) {
        let is_exact = found.name == field;
        // A slot of another field is not meant, and text is hardly ever a name that is both misspelt and unclosed.
        if !is_exact
            && (!found.is_closed
                || others.contains(&found.name)
                || closest(found.name, [field]).is_none())
        {
            continue;
        }
        let rank = Rank {
            misspelt: !is_exact,
            open: !found.is_closed,
            foreign: !is_own(options.dialect, found.bracket),
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
