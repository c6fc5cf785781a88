//! What is said of a name that means nothing here, or not what it should.

use prompt_syntax::suggest::closest;
use prompt_syntax::{Dialect, Error, Path, Span};

use super::Resolver;
use crate::model::Place;

/// A name of nothing in scope.
pub(super) fn unknown(resolver: &Resolver<'_, '_>, path: &Path) -> Error {
    let first = &path.segments[0];
    let name = first.value.as_str();
    let written = resolver
        .source
        .value
        .get(..path.span.start)
        .unwrap_or_default();
    let as_text = match resolver.dialect {
        Dialect::Brace => format!("write `{{{{{name}}}}}` for the text `{{{name}}}`"),
        _ => format!("write `\\<{name}>` to keep it as text"),
    };
    let latex = resolver.dialect == Dialect::Brace && is_latex(written);
    // In a condition, a loop or an argument it is no text in any case.
    let is_slot = ["<", "<input:", "{", "{input:"]
        .iter()
        .any(|open| written.ends_with(open));
    let names = resolver.scope.names();
    let help = match closest(name, names.iter().copied()) {
        _ if latex => format!("{as_text}, as LaTeX needs it"),
        Some(near) if is_slot => format!("did you mean `{near}`? If not, {as_text}"),
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let mut ways = Vec::new();
            match names[..] {
                [only] => ways.push(format!("use `{only}`")),
                [_, ..] if names.len() <= 8 => {
                    ways.push(format!("use one of `{}`", names.join("`, `")));
                }
                _ => {}
            }
            ways.push(format!("add a field `{name}`"));
            if is_slot {
                ways.push(as_text);
            }
            ways.join("; or ")
        }
    };
    let label = match names[..] {
        [] => format!("`{}` has no fields", resolver.scope.owner),
        _ => format!("not a field of `{}`", resolver.scope.owner),
    };
    Error::new(first.span, format!("unknown slot `{name}`"))
        .label(label)
        .help(help)
}

pub(super) fn option(dialect: Dialect, place: &Place, span: Span) -> Error {
    let name = &place.name;
    Error::new(
        span,
        format!("`{name}` may not be there: it is an `Option`"),
    )
    .label("stands in no condition")
    .help(match dialect {
        Dialect::Brace => format!("make the field no `Option`: the brace dialect has no conditions, `syntax = \"angle\"` has: `<if {name}>…<{name}>…</if>`"),
        _ => format!("write `<if {name}>…<{name}>…</if>` or `<{name} ?? \"none\">`"),
    })
}

pub(super) fn list(dialect: Dialect, place: &Place, span: Span) -> Error {
    let name = &place.name;
    Error::new(span, format!("`{name}` is a list"))
        .label("a slot shows one value")
        .help(match dialect {
            Dialect::Brace => format!("make the field a text, joined before: the brace dialect has no loops, `syntax = \"angle\"` has: `<{name} | join(\", \")>`"),
            _ => format!("write `<for item in {name}>…<item>…</for>` or `<{name} | join(\", \")>`"),
        })
}

pub(super) fn unordered(place: &Place, span: Span) -> Error {
    let message = format!("`{}` has no order: it is a hash set or map", place.name);
    Error::new(span, message)
        .label("would change from run to run")
        .help("make the field a `BTreeSet`, or a sorted `Vec`")
}

pub(crate) fn apart(path: &Path, key: &str) -> Error {
    let name = &path.segments[0].value;
    let (why, help) = match key {
        "history" => (
            "its turns are messages of their own",
            "leave the slot out: the turns go before the last user message".to_owned(),
        ),
        "tools" => (
            "tools are given to the model beside the messages",
            "leave the slot out".to_owned(),
        ),
        "extra" => (
            "it gets a section of its own after the instruction",
            format!("leave the slot out, or take `extra` off the field `{name}`"),
        ),
        _ => (
            "it is skipped",
            format!("take `skip` off the field `{name}`"),
        ),
    };
    Error::new(
        path.span,
        format!("the field `{name}` is marked `{key}`, so it has no slot"),
    )
    .label(why)
    .help(help)
}

/// Whether a `\command` stands right before, perhaps with arguments between.
fn is_latex(before: &str) -> bool {
    let mut before = before
        .strip_suffix("input:")
        .unwrap_or(before)
        .strip_suffix('{')
        .unwrap_or(before);
    while let Some(rest) = before.strip_suffix('}') {
        let Some(open) = rest.rfind('{') else {
            return false;
        };
        before = &rest[..open];
    }
    let word = before.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    word.len() < before.len() && word.ends_with('\\')
}
