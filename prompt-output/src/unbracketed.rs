//! Answers without brackets: the inside of an object or a list, `key: value` lines, a Markdown list.

use crate::parser::{Candidate, JsonParser, OpenBracket, ParseContext};
use crate::reader::parse_value;
use crate::repair::{RepairKind, SyntaxRepair};
use crate::syntax::{End, NodeKind, ObjectEntry, SyntaxNode};
use crate::types::Object;
use prompt_base::Span;
use std::borrow::Cow;

/// Reads the entries of an object whose brackets are missing. They begin with the first line that begins with a key of the
/// schema, if the key or its value is quoted. A line `field: value` above or below them, by `names_field`, belongs to the answer as well, so then
/// there is not a result.
pub(crate) fn object_entries<'t>(
    text: &'t str,
    from: usize,
    end: usize,
    context: &ParseContext<'_>,
    names_field: &dyn Fn(&str) -> bool,
) -> Option<Candidate<'t>> {
    if context.names.is_empty() {
        return None;
    }
    let mut reader = JsonParser::new(text, from, end, context, false);
    let start = trimmed_lines(text, from, end)
        .map(|(start, _)| start)
        .find(|&start| {
            // `Name: value` without quotes is also how prose begins its paragraphs.
            let value_is_quoted = || {
                let value = text[start..end]
                    .split_once(':')
                    .map_or("", |(_, value)| value);
                value.trim_start().starts_with(['"', '{', '['])
            };
            reader
                .key_ahead(start)
                .is_some_and(|key| key.known && !key.cut && (key.quoted || value_is_quoted()))
        })?;
    reader.at = start;
    reader
        .open_brackets
        .push(OpenBracket::Object { unquoted: false });
    let span = Span::new(start, start);
    reader
        .record_repair(RepairKind::MissingOuterBrackets, span)
        .ok()?;
    let mut node = reader.read_entries(start).ok()?;
    // Missing brackets do not mean that the text was cut off.
    if node.end == End::Cut && !reader.dangling && !ends_in_cut(&node) {
        node.end = End::Likely;
    }
    let is_entry = |(_, line): (usize, &str)| is_field_line(line, names_field);
    let below = trimmed_lines(text, node.span.end.min(end), end).any(is_entry);
    if below || trimmed_lines(text, from, start).any(is_entry) {
        return None;
    }
    Some(reader.into_candidate(node))
}

/// Whether a line is `field: value`.
fn is_field_line(line: &str, names_field: &dyn Fn(&str) -> bool) -> bool {
    split_key(line).is_some_and(|(name, value)| !value.is_empty() && names_field(name))
}

/// The lines `field: value` around a value in brackets.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum FieldLines {
    /// It is not the value of a line.
    None,
    /// It is the value of the only one, whose key is spelled as in the schema: other spellings are also labels of the whole answer.
    Only,
    Several,
}

impl FieldLines {
    /// Whether `body` has lines of fields, by `names_field`, of which one has this value; `holder` returns the name of the field with such values
    /// that a key names.
    pub(crate) fn around_value<'t>(
        text: &str,
        body: Span,
        value: Span,
        names_field: &dyn Fn(&str) -> bool,
        holder: &dyn Fn(&str) -> Option<&'t str>,
    ) -> FieldLines {
        let line = text[body.start..value.start].rfind('\n');
        let line = line.map_or(body.start, |at| body.start + at + 1);
        let before = text[line..value.start].trim_start();
        let Some((key, "")) = split_key(before) else {
            return FieldLines::None;
        };
        let Some(field) = holder(key) else {
            return FieldLines::None;
        };
        let above = trimmed_lines(text, body.start, line);
        let below = trimmed_lines(text, value.end.min(body.end), body.end);
        match above
            .chain(below)
            .any(|(_, line)| is_field_line(line, names_field))
        {
            true => FieldLines::Several,
            false if key == field => FieldLines::Only,
            false => FieldLines::None,
        }
    }
}

fn ends_in_cut(node: &SyntaxNode<'_>) -> bool {
    match &node.kind {
        NodeKind::Object(entries) => entries.last().is_some_and(|entry| match entry.value.kind {
            // The end of the text ends an unquoted value.
            NodeKind::Unquoted(_) => false,
            _ => entry.value.end == End::Cut,
        }),
        _ => false,
    }
}

/// Reads `Key: value` lines that name fields of an object. A value that may continue on a line below is ambiguous, so then there
/// is not a result.
pub(crate) fn key_value_lines<'t>(
    text: &'t str,
    from: usize,
    object: &Object,
    context: &ParseContext<'_>,
) -> Option<Candidate<'t>> {
    let mut entries: Vec<ObjectEntry<'t>> = Vec::new();
    let mut previous_is_entry = false;
    for (start, line) in trimmed_lines(text, from, text.len()) {
        if line.is_empty() {
            previous_is_entry = false;
            continue;
        }
        match read_key_value(text, start, line, object, context) {
            KeyValueLine::Entry(entry) => entries.push(entry),
            // A line directly below an entry may be the rest of its value.
            KeyValueLine::Other if !previous_is_entry => continue,
            KeyValueLine::Other | KeyValueLine::Unclear => return None,
        }
        previous_is_entry = true;
    }
    let (first, last) = (entries.first()?, entries.last()?);
    let span = Span::new(first.key_span.start, last.value.span.end);
    Some(repaired_candidate(
        context,
        span,
        NodeKind::Object(entries),
        RepairKind::KeyValueLines,
    ))
}

/// The meaning of one line.
enum KeyValueLine<'t> {
    Entry(ObjectEntry<'t>),
    Other,
    /// A key whose value is not on its line.
    Unclear,
}

fn read_key_value<'t>(
    text: &'t str,
    start: usize,
    line: &'t str,
    object: &Object,
    context: &ParseContext<'_>,
) -> KeyValueLine<'t> {
    let Some((name, value)) = split_key(line) else {
        return KeyValueLine::Other;
    };
    if object.find_field(name).is_none() {
        // The first key may be on the line of an introduction.
        let inner = value
            .split_once(':')
            .is_some_and(|(key, _)| object.find_field(key.trim()).is_some());
        return if inner {
            KeyValueLine::Unclear
        } else {
            KeyValueLine::Other
        };
    }
    if value.is_empty() {
        return KeyValueLine::Unclear;
    }
    // Another field on the same line: where its value ends is not clear.
    let is_key = |part: &str| {
        part.split_once(':')
            .is_some_and(|(key, _)| object.find_field(key.trim()).is_some())
    };
    if value.split([',', ';', '|']).skip(1).any(is_key) {
        return KeyValueLine::Unclear;
    }
    let key_start = start + offset_in(line, name);
    KeyValueLine::Entry(ObjectEntry {
        key: Cow::Borrowed(name),
        key_span: Span::new(key_start, key_start + name.len()),
        value: line_value(context, text, start + offset_in(line, value), value),
    })
}

/// The key and the value of a line, without decoration.
fn split_key(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let name = key.trim_matches(|c| matches!(c, '-' | '*' | '•' | '_' | '`' | '#' | '"' | ' '));
    if name.contains(['{', '[', '(']) {
        return None;
    }
    let value = value.trim().trim_start_matches(['*', '_']).trim_start();
    Some((name, value.trim_end_matches(['*', ',']).trim_end()))
}

/// Reads the items of the only Markdown list of a text, each on one line.
pub(crate) fn markdown_list<'t>(
    text: &'t str,
    from: usize,
    context: &ParseContext<'_>,
) -> Option<Candidate<'t>> {
    let mut items: Vec<SyntaxNode<'t>> = Vec::new();
    let mut indent = None;
    let mut ended = false;
    for (start, line) in trimmed_lines(text, from, text.len()) {
        if line.trim().is_empty() {
            continue;
        }
        let Some(item) = strip_bullet(line) else {
            // An indented line below an item belongs to it.
            let own = text[..start]
                .rsplit('\n')
                .next()
                .is_some_and(|margin| !margin.is_empty());
            if !items.is_empty() && own {
                return None;
            }
            // The first item may be on the line of an introduction.
            if line
                .split(": ")
                .skip(1)
                .any(|rest| strip_bullet(rest).is_some())
            {
                return None;
            }
            ended |= !items.is_empty();
            continue;
        };
        let margin = text[..start].rsplit('\n').next().map_or(0, str::len);
        // A second list, or one with levels, is an explanation or a nested value: which items are meant is not clear.
        if ended || *indent.get_or_insert(margin) != margin || item.is_empty() {
            return None;
        }
        items.push(line_value(
            context,
            text,
            start + offset_in(line, item),
            item,
        ));
    }
    let (first, last) = (items.first()?, items.last()?);
    let span = Span::new(first.span.start, last.span.end);
    Some(repaired_candidate(
        context,
        span,
        NodeKind::List(items),
        RepairKind::Bullets,
    ))
}

/// A value that is part of a line: a value of JSON, or as it is written.
fn line_value<'t>(
    context: &ParseContext<'_>,
    answer: &'t str,
    start: usize,
    text: &'t str,
) -> SyntaxNode<'t> {
    let end = start + text.len();
    if text.starts_with(['"', '{', '['])
        && let Ok(value) = parse_value(answer, start, end, context)
        && value.node.span.end == end
        && value.node.end != End::Cut
        && value.repairs.is_empty()
        && value.loss.is_none()
    {
        return value.node;
    }
    context.new_node(Span::new(start, end), End::Sure, NodeKind::Unquoted(text))
}

fn repaired_candidate<'t>(
    context: &ParseContext<'_>,
    span: Span,
    kind: NodeKind<'t>,
    how: RepairKind,
) -> Candidate<'t> {
    let repairs = vec![SyntaxRepair::new(how, span)];
    let node = context.new_node(span, End::Sure, kind);
    Candidate::new(node, repairs)
}

/// The offset of a part of a line.
fn offset_in(line: &str, part: &str) -> usize {
    part.as_ptr().addr() - line.as_ptr().addr()
}

/// An item of a Markdown list without its bullet or number.
pub(crate) fn strip_bullet(line: &str) -> Option<&str> {
    if let Some(rest) = line.strip_prefix(['-', '*', '•', '+']) {
        return rest.starts_with(' ').then(|| rest.trim());
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line[digits..].strip_prefix(['.', ')'])?;
    (digits > 0 && rest.starts_with(' ')).then(|| rest.trim())
}

/// The lines of a part of a text, without their margins, and their positions.
fn trimmed_lines(text: &str, from: usize, end: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut start = from;
    text[from..end].split_inclusive('\n').map(move |line| {
        let margin = line.len() - line.trim_start_matches([' ', '\t']).len();
        let at = start + margin;
        start += line.len();
        (at, line[margin..].trim_end())
    })
}
