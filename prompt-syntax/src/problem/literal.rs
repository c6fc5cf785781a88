//! Text that looks like a slot of another template language, and text that was pasted (number 1).

use std::collections::HashSet;

use super::{Pasted, Problem};
use crate::lex::lookalike::Form;
use crate::{Dialect, Error};

/// Text that another template language reads as a slot for a name in scope. `apart` is the key of a field that has no slot.
pub(crate) fn lookalike(
    dialect: Dialect,
    written: &str,
    name: &str,
    apart: Option<&str>,
    form: Form,
    is_tag: bool,
) -> Problem {
    let slot = match dialect {
        Dialect::Angle if is_tag => format!("<input:{name}>"),
        dialect => dialect.slot(name),
    };
    let block = |words: &str| {
        format!(
            "{}…{}",
            dialect.tag(words),
            dialect.end(words.split(' ').next().unwrap_or_default())
        )
    };
    let has_blocks = matches!(dialect, Dialect::Angle | Dialect::Jinja);
    let right = match form {
        Form::If if has_blocks => block(&format!("if {name}")),
        Form::For if has_blocks => block(&format!("for item in {name}")),
        _ => slot.clone(),
    };
    let keep = dialect.as_text(written);
    let other = dialect_of(written, name).filter(|other| *other != dialect);
    let mut help = match apart {
        Some(key) => format!("leave it out, as the field is marked `{key}` and has no slot"),
        None => format!("write `{right}`"),
    };
    help += &format!(", or `{keep}` to keep it as text");
    if apart.is_none()
        && let Some(other) = other
    {
        help += &format!(
            "; or, if all slots are written so, add `syntax = \"{}\"`",
            other.name()
        );
    }
    Problem::new(format!(
        "`{written}` is not a slot in the {} dialect",
        dialect.title()
    ))
    .labelled(format!("`{name}` is in scope"))
    .helped(help)
    .pasted(written, Some(right), other)
}

/// The dialect that reads these words as the slot of this name.
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

/// `{name}` in `prompt!`, whose variables in scope no macro can know.
pub(crate) fn perhaps_captured(written: &str, name: &str) -> Problem {
    let slot = Dialect::Angle.slot(name);
    let other = dialect_of(written, name).unwrap_or(Dialect::Brace);
    Problem::new(format!("`{written}` may be a slot or text"))
        .labelled(format!("a variable `{name}` may be in scope"))
        .helped(format!(
            "write `{slot}` for the value of the variable `{name}`, or `\\{written}` to keep it as text; or, if all slots are written so, add `syntax = \"{}\"`",
            other.name()
        ))
        .pasted(written, Some(slot), Some(other))
}

/// How many texts one message lists.
const LISTED: usize = 8;

/// How many of them are marked in the text beside the first.
const MARKED: usize = 4;

/// Joins the errors about text that was perhaps pasted into one: three of them, or two that are not misspelt names. The errors
/// about tags of blocks that cannot be parsed are joined with them, but do not count. Each error comes with the number of its
/// source.
pub fn joined(dialect: Dialect, errors: Vec<(usize, Error)>) -> Vec<(usize, Error)> {
    let (blocks, found): (Vec<_>, Vec<_>) = errors
        .iter()
        .filter_map(|(source, error)| Some((*source, error.span, error.problem.pasted.clone()?)))
        .partition(|(_, _, text)| text.block);
    let misspelt = found.iter().filter(|(_, _, text)| text.misspelt).count();
    if found.len() < 2 || (found.len() == 2 && misspelt > 0) {
        return errors;
    }
    let (source, first, _) = found[0];
    let texts: Vec<&Pasted> = found.iter().map(|(_, _, text)| &**text).collect();
    let tags: Vec<&str> = blocks
        .iter()
        .map(|(_, _, tag)| tag.written.as_str())
        .collect();
    let mut problem = pasted(dialect, &texts, &distinct(tags.into_iter()));
    let others = found[1..].iter().chain(&blocks);
    let others = others.filter(|(other, _, _)| *other == source);
    for (_, span, _) in others.take(MARKED) {
        problem = problem.related_to(*span, "and this");
    }
    let mut one = Some((source, problem.at(first)));
    let mut kept = Vec::new();
    for (source, error) in errors {
        match &error.problem.pasted {
            None => kept.push((source, error)),
            Some(text) if text.block => {}
            Some(_) => kept.extend(one.take()),
        }
    }
    kept
}

/// The joined error. `tags` are the tags of blocks that cannot be parsed.
fn pasted(dialect: Dialect, texts: &[&Pasted], tags: &[&str]) -> Problem {
    let written = distinct(texts.iter().map(|text| text.written.as_str()));
    let slots = distinct(texts.iter().filter_map(|text| text.slot.as_deref()));
    let (shown, is_one) = (listed(&written), written.len() == 1);
    let mut message = match (texts.iter().any(|text| text.slot.is_some()), is_one) {
        (true, true) => format!("{shown} is not a slot in the {} dialect", dialect.title()),
        (true, false) => format!("{shown} are not slots in the {} dialect", dialect.title()),
        (false, true) => format!("{shown} names no field"),
        (false, false) => format!("{shown} name no field"),
    };
    match tags {
        [] => {}
        [_] => message += &format!(", and {} is not a tag of a block", listed(tags)),
        _ => message += &format!(", and {} are not tags of blocks", listed(tags)),
    }
    let mut help = String::new();
    if !slots.is_empty() {
        help = format!("write {} where a slot is meant; or, ", listed(&slots));
    }
    let other = texts[0].dialect;
    if let Some(other) = other
        && texts.iter().all(|text| text.dialect == Some(other))
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
    let keep = match (dialect, &texts[0].slot) {
        (Dialect::Brace | Dialect::Fstring, None) => format!("{{{}}}", written[0]),
        _ => dialect.as_text(written[0]),
    };
    if matches!(dialect, Dialect::Angle | Dialect::Brace) {
        help += &format!(
            "if the text was pasted, add `slots = \"input\"`, so that only `{slot}` is a slot; or put `<raw>` and `</raw>` around it; or "
        );
    }
    help += &format!("write `{keep}` to keep one of them as text");
    Problem::new(message)
        .labelled("the first of them")
        .helped(help)
}

fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = HashSet::new();
    texts.filter(|text| seen.insert(*text)).collect()
}

/// `a`, `b` and 3 more.
fn listed(texts: &[&str]) -> String {
    let shown = super::listed(&texts[..texts.len().min(LISTED)]);
    match texts.len().saturating_sub(LISTED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
