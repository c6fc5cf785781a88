//! Which text is literal: generics and HTML elements are not slots, and text that other template languages would read as a slot is an
//! error or escaped.

use std::ops::Range;

use super::FieldInfo;
use super::names::{KnownNames, NameResolver};
use crate::language::Language;
use crate::name::{continues_name, is_latex, is_type, name_len};
use crate::notation::{
    Blocks, ForeignBlocks, Lookalike, LookalikeKind, Statement, is_output_type, is_word_of_tag,
    list_of_block, slot_attribute, text_until,
};
use crate::problem::{MAX_ERRORS, literal as problem};
use crate::{Dialect, Expr, Kind, Role, Slot, Text, XmlTags};
use prompt_base::suggest::closest;

impl NameResolver<'_> {
    fn in_scope(&self, name: &str) -> bool {
        if matches!(self.names, KnownNames::Unknown) {
            return false;
        }
        let mut fields = self.names.fields().iter();
        fields.any(|field| field.name == name)
            || self
                .scopes
                .bindings()
                .any(|bound| bound.is_value && bound.name == name)
    }

    /// Whether a slot is the text of a generic type, of a group of a regular expression or of an HTML element. Where its name is in
    /// scope, `Array<item>` and `(?P<year>…)` may be meant either way, which is an error.
    pub(super) fn is_literal<L: Language>(&mut self, slot: &Slot<L>) -> bool {
        if self.dialect != Dialect::Angle {
            return false;
        }
        let written = slot.span.of(self.text);
        let name = first_name(&slot.expr).unwrap_or_default();
        if name.is_empty() || written.starts_with("<input:") {
            return false;
        }
        let before = &self.text[..slot.span.start];
        let is_void = written.len() == name.len() + 2 && VOID_ELEMENTS.contains(&name);
        let glued = before.ends_with("::") || before.ends_with("(?");
        if !is_void && !glued && !before.ends_with(continues_name) {
            return false;
        }
        // Scripts without spaces between words are full of slots right behind a letter.
        let glued = glued || before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let is_word = |c: char| c.is_ascii_alphanumeric() || "_:?".contains(c);
        let outside = before.trim_end_matches(is_word);
        // Of `\n<name>` and of a command of LaTeX, the letters belong to the backslash.
        let glued = glued && !outside.ends_with('\\');
        if glued && written.len() == name.len() + 2 && self.in_scope(name) {
            let error = problem::glued_slot(&before[outside.len()..], written, name);
            self.errors.push(error.at(slot.span));
            return false;
        }
        match self.names {
            KnownNames::Unknown => {
                let is_letter =
                    name.len() == 1 && name.starts_with(|c: char| c.is_ascii_uppercase());
                is_type(name) || is_letter || HTML_ONLY.contains(&name)
            }
            _ if self.in_scope(name) => false,
            _ if name.starts_with(char::is_uppercase) => true,
            KnownNames::Fields(fields) | KnownNames::Captured(fields) => {
                // A misspelt slot is an error, not text.
                let fields = fields.iter().map(|field| field.name.as_str());
                let bound = self.scopes.bindings().filter(|bound| bound.is_value);
                let bound = bound.map(|bound| bound.name.as_str());
                closest(name, fields.chain(bound)).is_none()
            }
        }
    }

    /// Reports the look-alikes of a text for names in scope, and removes the backslashes of those that are escaped.
    pub(super) fn resolve_text(&mut self, text: &mut Text) {
        let mut removed: Vec<Range<usize>> = Vec::new();
        while let Some(mut found) = self
            .lookalikes
            .next_if(|found| found.span.start < text.span.end)
        {
            if found.span.start < text.span.start || matches!(self.names, KnownNames::Unknown) {
                continue;
            }
            let may_be_known = found.kind != LookalikeKind::Labelled;
            let mut names = found.names.iter().filter(|_| may_be_known);
            let known = names.find(|name| self.in_scope(name));
            let known = known.cloned().or_else(|| self.in_another_case(&found));
            let unknown = known.is_none() && self.may_be_captured(&found);
            let inside = found.span.of(self.text).strip_prefix('<').unwrap_or("");
            let word = &inside[..name_len(inside)];
            // `{{> name}}` for a field of that name.
            if word.is_empty()
                && known.is_some()
                && matches!(found.kind, LookalikeKind::Statement(_))
            {
                found.kind = LookalikeKind::Slot;
            }
            if known.is_none() && !unknown && self.is_stray_part(&found) {
                found.kind = LookalikeKind::Statement(Statement::End);
            }
            let is_braced = found.span.of(self.text).starts_with('{');
            if known.is_none() && is_braced && is_output_type(found.span.of(self.text)) {
                found.kind = LookalikeKind::Statement(Statement::OutputType);
            }
            let has_end = found.kind == LookalikeKind::Words && self.has_end(word);
            let name = match found.kind {
                LookalikeKind::Statement(_) => Some(word.to_owned()),
                LookalikeKind::Words => self.name_of_words(&found, has_end),
                _ => known.or(found.names.first().filter(|_| unknown).cloned()),
            };
            let Some(name) = name else {
                continue;
            };
            let name = name.as_str();
            let (at, slashes) = found.slashes;
            let at = at - text.span.start;
            if slashes % 2 == 1 && self.dialect != Dialect::Jinja {
                removed.push(at..at + slashes.div_ceil(2));
                continue;
            }
            let written = found.span.of(self.text);
            if self.errors.len() >= MAX_ERRORS {
                continue;
            }
            if found.kind == LookalikeKind::Statement(Statement::End) && !self.is_stray_part(&found)
            {
                continue;
            }
            if let LookalikeKind::Statement(kind) = found.kind {
                // With a closing tag it is XML.
                if name.is_empty() || !VOID_ELEMENTS.contains(&name) && !self.has_end(name) {
                    let error = problem::foreign_statement(self.dialect, written, kind);
                    self.errors.push(error.at(found.span));
                }
                continue;
            }
            let is_tag = self.is_closed(name);
            // `<name />` beside `</name>` belongs to the tags of that name, and `<name:x>` beside `</name:x>` is XML.
            let is_xml = self.has_same_end(written);
            // Beside `{{#system}}`, the section of another role is not about the field of that name.
            let is_role = found.kind == LookalikeKind::Section
                && Role::from_any_case(name).is_some()
                && self.has_system_section();
            if is_role {
                continue;
            }
            if found.kind == LookalikeKind::Tag && (is_tag || self.tags.has(name)) || is_xml {
                continue;
            }
            let list = self.scopes.find_name(name).and_then(|bound| bound.list);
            let field = self.find_field(name);
            let problem = match unknown {
                true => problem::perhaps_captured(written, name),
                false => {
                    let known = problem::InScope {
                        name,
                        kind: field.map_or(&Kind::Unknown, |field| &field.kind),
                        excluded_by: field.and_then(|field| field.excluded_by),
                        is_tag,
                        text: self.text,
                        list: list.map(|list| list.of(self.text)),
                    };
                    let kind = match found.kind {
                        LookalikeKind::Words if has_end => LookalikeKind::For,
                        kind => kind,
                    };
                    problem::foreign_slot(self.dialect, written, &known, kind)
                }
            };
            self.errors.push(problem.at(found.span));
        }
        for range in removed.into_iter().rev() {
            text.text.replace_range(range, "");
        }
    }

    /// Whether a message of the prompt contains `</name>`.
    fn has_end(&mut self, name: &str) -> bool {
        self.tags.has(name) || self.is_closed(name)
    }

    /// Whether the text contains `</name:x>`, for the tag `<name:x>`.
    fn has_same_end(&mut self, tag: &str) -> bool {
        let Some(inside) = tag.strip_prefix('<') else {
            return false;
        };
        let text = self.text;
        let ends = self.ends.get_or_insert_with(|| {
            let ends = text.match_indices("</");
            ends.filter_map(|(at, open)| text_until(&text[at + open.len()..], ">"))
                .collect()
        });
        let words = inside.strip_suffix('>');
        words.is_some_and(|words| ends.contains(words))
    }

    /// Whether the text contains `</name>`.
    fn is_closed(&mut self, name: &str) -> bool {
        let text = self.text;
        let closed = self
            .closed_tags
            .get_or_insert_with(|| XmlTags::from_texts([text]));
        closed.has(name)
    }

    /// Whether `{% endif %}`, `{{else}}` or `{{this}}` is left of a template in Jinja or Handlebars: the text has no other tag that begins a block to which it
    /// belongs, and it is not quoted.
    fn is_stray_part(&mut self, found: &Lookalike) -> bool {
        let text = self.text;
        let Some(blocks) = Blocks::of_tag(found.span.of(text), self.dialect) else {
            return false;
        };
        let quotes = ['`', '"', '\''];
        let is_quoted = text[..found.span.start].ends_with(quotes)
            || text[found.span.end..].starts_with(quotes);
        let known = self
            .foreign_blocks
            .get_or_insert_with(|| ForeignBlocks::find_blocks(text));
        !is_quoted && !known.has_any_of(blocks, found.span.start)
    }

    /// Whether the text contains a section of the system role, `{{#system}}`.
    fn has_system_section(&mut self) -> bool {
        let text = self.text;
        *self
            .has_system_section
            .get_or_insert_with(|| text.contains("{{#system"))
    }

    /// The name in scope that several words mean: all of them are slots, or a block goes over a list.
    fn name_of_words(&self, found: &Lookalike, has_end: bool) -> Option<String> {
        if !has_end {
            let are_slots = found.names.iter().all(|name| self.in_scope(name));
            let last = match &found.names[..] {
                [word, name] if is_word_of_tag(word) && self.in_scope(name) => Some(name),
                _ => found.names.first().filter(|_| are_slots),
            };
            return last.cloned();
        }
        let inside = found.span.of(self.text).trim_matches(['<', '>', '/']);
        let list = list_of_block(inside).filter(|list| self.in_scope(list))?;
        // `<item name>` and `<summary part of text>` are XML.
        let is_list = |field: &FieldInfo| match field.kind {
            Kind::List(_) | Kind::Dict(_) => true,
            Kind::Unknown => found.names.len() > 2,
            _ => false,
        };
        let is_loop = self.find_field(list).is_some_and(is_list);
        is_loop.then(|| list.to_owned())
    }

    /// The name in scope that `{NAME}`, `{{userName}}` or `[[NAME]]` means: placeholders are often written in capitals, and other
    /// languages have names without underscores. `${NAME}` is a variable of a shell.
    fn in_another_case(&self, found: &Lookalike) -> Option<String> {
        let written = found.span.of(self.text);
        let name = found.names.first()?;
        let is_placeholder = found.kind == LookalikeKind::Braces || written.starts_with("[[");
        let meant = match name.contains(char::is_lowercase) {
            false if written.starts_with(['{', '[']) => name.to_lowercase(),
            true if name.starts_with(char::is_lowercase) => {
                let parts = name.chars().map(|c| match c.is_uppercase() {
                    true => format!("_{}", c.to_lowercase()),
                    false => c.to_string(),
                });
                parts.collect()
            }
            _ => return None,
        };
        Some(meant).filter(|name| is_placeholder && self.in_scope(name))
    }

    fn find_field(&self, name: &str) -> Option<&FieldInfo> {
        match self.names {
            KnownNames::Fields(fields) => fields.iter().find(|field| field.name == name),
            _ => None,
        }
    }

    /// Whether it may be meant as a slot of `prompt!`, whose macro cannot see the names in scope.
    fn may_be_captured(&mut self, found: &Lookalike) -> bool {
        if !matches!(self.names, KnownNames::Captured(_)) || self.dialect != Dialect::Angle {
            return false;
        }
        let written = found.span.of(self.text);
        if let Some(inside) = written.strip_prefix('<') {
            // `Promise<string[]>`, `Option<fn()>`
            let before = &self.text[..found.span.start];
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let is_glued =
                before.ends_with(is_word) || before.ends_with("::") || before.ends_with("(?");
            return !is_glued && is_broken_slot(inside);
        }
        if found.kind != LookalikeKind::Braces {
            return false;
        }
        let start = found.span.start;
        let text = self.text;
        let json = self.json_parts.get_or_insert_with(|| json_like(text));
        let after = json.partition_point(|part| part.start < start);
        let is_inside = after > 0 && json[after - 1].end > start;
        !is_inside && !is_latex(&text[..start + 1])
    }
}

/// Whether the text after a `<` is a slot with more than a path: `name:trusted>`, `n + 1>`.
fn is_broken_slot(inside: &str) -> bool {
    let Some(words) = inside.strip_suffix('>') else {
        return false;
    };
    if slot_attribute(words).is_some() {
        return true;
    }
    let rest = &words[name_len(words)..];
    let more = rest.trim_start();
    let signs = ["+ ", "- ", "* ", "/ ", "== ", "!= "];
    let has_operator = rest.starts_with(' ') && signs.iter().any(|sign| more.starts_with(sign));
    let label = rest.strip_prefix(':').unwrap_or_default();
    let has_label = !label.is_empty() && name_len(label) == label.len();
    rest.len() < words.len() && (has_operator || has_label || is_call(words))
}

/// `name.len()`, `chrono::now()`, `now()` and `items[0]`, which markup does not have. `<file(s)>`, `<score(1-5)>` and `<path[:line]>` are placeholders of text.
fn is_call(words: &str) -> bool {
    let is_path = |c: char| continues_name(c) || c == '.' || c == ':';
    let path = words.trim_start_matches(is_path);
    let (path, arguments) = words.split_at(words.len() - path.len());
    if path.replace("::", "").contains(':') {
        return false;
    }
    let is_index = |index: &str| !index.is_empty() && index.bytes().all(|b| b.is_ascii_digit());
    match arguments.strip_prefix('[') {
        Some(index) => index.strip_suffix(']').is_some_and(is_index),
        None if path.contains('.') || path.contains("::") => {
            arguments.starts_with('(') && arguments.ends_with(')')
        }
        None => arguments == "()",
    }
}

/// The outermost pairs of braces or brackets whose content begins like JSON or code on lines of its own.
fn json_like(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut open): (Vec<Range<usize>>, Vec<usize>) = (Vec::new(), Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '{' | '[' => open.push(at),
            '}' | ']' => {
                let Some(start) = open.pop() else { continue };
                let inside = text[start + 1..].trim_start_matches([' ', '\t']);
                if inside.starts_with(['"', '\'', '\n', '\r', '{', '[']) {
                    while found.last().is_some_and(|inner| inner.start > start) {
                        found.pop();
                    }
                    found.push(start..at + 1);
                }
            }
            _ => {}
        }
    }
    found
}

/// The name that an expression of a slot begins with.
fn first_name<L: Language>(expr: &Expr<L>) -> Option<&str> {
    match expr {
        Expr::Path(path) => path.segments.first().map(|name| name.as_str()),
        Expr::Filter(filter) => first_name(&filter.value),
        Expr::Default(both) => first_name(&both.value),
        _ => None,
    }
}

/// The elements of HTML that have no end.
const VOID_ELEMENTS: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// Those that name no variable.
const HTML_ONLY: [&str; 5] = ["br", "col", "hr", "img", "wbr"];
