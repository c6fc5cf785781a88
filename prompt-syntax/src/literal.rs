//! Determines with the names in scope which text is literal: generics and HTML elements are not slots, and text that other template
//! languages would read as a slot is an error or escaped.

use std::ops::Range;
use std::vec::IntoIter;

use crate::Kind;
use crate::analysis::FieldInfo;
use crate::lex::continues_name;
use crate::lex::lookalike::{Lookalike, LookalikeKind};
use crate::parse::SHOWN;
use crate::problem::name::is_latex;
use crate::problem::{PossiblyPasted, literal as problem};
use crate::{
    Dialect, Error, Expr, KnownNames, Node, Options, Slot, Spanned, Template, Text, XmlTags,
};
use prompt_base::Span;
use prompt_base::suggest::closest;

/// Settles the literal text of a parsed template. `lookalikes` are in the order of their spans.
pub(crate) fn settle(
    template: &mut Template,
    text: &str,
    options: Options,
    lookalikes: Vec<Lookalike>,
    names: KnownNames<'_>,
    errors: &mut Vec<Error>,
) {
    let dialect = options.dialect;
    if lookalikes.is_empty() && dialect != Dialect::Angle {
        return;
    }
    let mut settler = LiteralResolver {
        text,
        dialect,
        names,
        lookalikes: lookalikes.into_iter().peekable(),
        bound: Vec::new(),
        errors,
        json: None,
        closed: None,
    };
    settler.nodes(&mut template.nodes);
}

struct LiteralResolver<'a> {
    text: &'a str,
    dialect: Dialect,
    names: KnownNames<'a>,
    lookalikes: std::iter::Peekable<IntoIter<Lookalike>>,
    /// The names that blocks around the current node bind, those of loops with the list.
    bound: Vec<(String, Option<Span>)>,
    errors: &'a mut Vec<Error>,
    /// The parts of the text that are like JSON, once they are needed.
    json: Option<Vec<Range<usize>>>,
    /// The XML tags that the text closes, once they are needed.
    closed: Option<XmlTags>,
}

impl LiteralResolver<'_> {
    fn nodes(&mut self, nodes: &mut Vec<Node>) {
        let settled = Vec::with_capacity(nodes.len());
        for mut node in std::mem::replace(nodes, settled) {
            self.node(&mut node);
            match (nodes.last_mut(), node) {
                (Some(Node::Text(before)), Node::Text(text)) => {
                    before.text.push_str(&text.text);
                    before.span.end = text.span.end;
                }
                (_, node) => nodes.push(node),
            }
        }
    }

    fn node(&mut self, node: &mut Node) {
        let outside = self.bound.len();
        match node {
            Node::Text(text) => self.text(text),
            Node::Slot(slot) => {
                if self.is_literal(slot) {
                    let text = slot.span.of(self.text).to_owned();
                    let span = slot.span;
                    *node = Node::Text(Text { span, text });
                }
            }
            Node::If(block) => {
                for branch in &mut block.branches {
                    self.nodes(&mut branch.body);
                }
                self.optional(&mut block.otherwise);
            }
            Node::For(block) => {
                self.bind(&block.targets, Some(block.list.span()));
                self.nodes(&mut block.body);
                self.bound.truncate(outside);
                self.optional(&mut block.otherwise);
            }
            Node::Role(block) => self.nodes(&mut block.body),
            #[cfg(feature = "jinja")]
            Node::Set(set) => {
                self.optional(&mut set.body);
                self.bind(&set.targets, None);
            }
            #[cfg(feature = "jinja")]
            Node::With(block) => {
                let names = block.bindings.iter().map(|binding| &binding.name);
                self.bound
                    .extend(names.map(|name| (name.value.clone(), None)));
                self.nodes(&mut block.body);
                self.bound.truncate(outside);
            }
            #[cfg(feature = "jinja")]
            Node::Macro(block) => {
                let names = block.params.iter().map(|param| param.name.value.clone());
                self.bound.extend(names.map(|name| (name, None)));
                self.nodes(&mut block.body);
                self.bound.truncate(outside);
            }
            #[cfg(feature = "jinja")]
            Node::Filter(block) => self.nodes(&mut block.body),
            #[cfg(feature = "jinja")]
            Node::Include(_) => {}
            Node::Error(_) => {}
        }
    }

    fn optional(&mut self, nodes: &mut Option<Vec<Node>>) {
        if let Some(nodes) = nodes {
            self.nodes(nodes);
        }
    }

    fn bind(&mut self, names: &[Spanned<String>], list: Option<Span>) {
        let names = names.iter().map(|name| (name.value.clone(), list));
        self.bound.extend(names);
    }

    fn in_scope(&self, name: &str) -> bool {
        let fields = match self.names {
            KnownNames::Unknown => return false,
            KnownNames::Fields(fields) | KnownNames::Captured(fields) => fields,
        };
        fields.iter().any(|field| field.name == name)
            || self.bound.iter().any(|(bound, _)| bound == name)
    }

    /// Whether a slot is the text of a generic type or of an HTML element.
    fn is_literal(&self, slot: &Slot) -> bool {
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
        if !is_void && !before.ends_with("::") && !before.ends_with(continues_name) {
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
                let bound = self.bound.iter().map(|(name, _)| name.as_str());
                closest(name, fields.chain(bound)).is_none()
            }
        }
    }

    /// Reports the look-alikes of a text for names in scope, and removes the backslashes of those that are escaped.
    fn text(&mut self, text: &mut Text) {
        let mut removed: Vec<Range<usize>> = Vec::new();
        while let Some(found) = self
            .lookalikes
            .next_if(|found| found.span.start < text.span.end)
        {
            if found.span.start < text.span.start || matches!(self.names, KnownNames::Unknown) {
                continue;
            }
            let known = found.names.iter().find(|name| self.in_scope(name));
            let known = known.cloned().or_else(|| self.in_another_case(&found));
            let unknown = known.is_none() && self.may_be_captured(&found);
            let Some(name) = known.or(found.names.first().filter(|_| unknown).cloned()) else {
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
            if self.errors.len() >= SHOWN {
                continue;
            }
            let closed = self.closed.get_or_insert_with(|| XmlTags::of([self.text]));
            let is_tag = closed.has(name);
            let field = self.field(name);
            let list = self.bound.iter().rev().find(|(bound, _)| bound == name);
            let problem = match unknown {
                true => problem::perhaps_captured(written, name),
                false => {
                    let known = problem::InScope {
                        name,
                        kind: field.map_or(&Kind::Unknown, |field| &field.kind),
                        apart: field.and_then(|field| field.apart),
                        is_tag,
                        text: self.text,
                        list: list.and_then(|(_, list)| list.map(|list| list.of(self.text))),
                    };
                    problem::foreign_slot(self.dialect, written, &known, found.form)
                }
            };
            self.errors.push(problem.at(found.span));
        }
        for range in removed.into_iter().rev() {
            text.text.replace_range(range, "");
        }
    }

    /// The name in scope that `{NAME}`, `{{userName}}` or `[[NAME]]` means: placeholders are often written in capitals, and other
    /// languages have names without underscores. `${NAME}` is a variable of a shell.
    fn in_another_case(&self, found: &Lookalike) -> Option<String> {
        let written = found.span.of(self.text);
        let name = found.names.first()?;
        let is_placeholder = found.form == LookalikeKind::Braces || written.starts_with("[[");
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

    fn field(&self, name: &str) -> Option<&FieldInfo> {
        match self.names {
            KnownNames::Fields(fields) => fields.iter().find(|field| field.name == name),
            _ => None,
        }
    }

    /// Whether it may be meant as a slot of `prompt!`, whose macro cannot see the names in scope.
    fn may_be_captured(&mut self, found: &Lookalike) -> bool {
        if !matches!(self.names, KnownNames::Captured(_))
            || self.dialect != Dialect::Angle
            || found.form != LookalikeKind::Braces
        {
            return false;
        }
        let start = found.span.start;
        let text = self.text;
        let json = self.json.get_or_insert_with(|| json_like(text));
        let after = json.partition_point(|part| part.start < start);
        let is_inside = after > 0 && json[after - 1].end > start;
        !is_inside && !is_latex(&text[..start + 1])
    }
}

/// How many errors about pasted text are marked beside the first.
const MARKED: usize = 4;

/// Joins the errors about text that was perhaps pasted into one: two that are not likely mistakes in slots or tags of this prompt,
/// or three slots. Each error comes with the number of its source.
pub fn joined(dialect: Dialect, errors: Vec<(usize, Error)>) -> Vec<(usize, Error)> {
    let found: Vec<(usize, &Error, &PossiblyPasted)> = errors
        .iter()
        .filter_map(|(source, error)| Some((*source, error, error.problem.pasted.as_deref()?)))
        .collect();
    let foreign = found.iter().filter(|(_, _, text)| !text.misspelt).count();
    let slots = found.iter().filter(|(_, _, text)| !text.block).count();
    if foreign < 2 && slots < 3 {
        return errors;
    }
    let first = found.iter().find(|(_, _, text)| !text.block);
    let &(source, first, _) = first.unwrap_or(&found[0]);
    let mut problem = problem::pasted_text(dialect, &found);
    let others = found
        .iter()
        .filter(|(other, error, _)| *other == source && error.span != first.span);
    for (_, error, _) in others.take(MARKED) {
        problem = problem.related_to(error.span, "and this");
    }
    let mut one = Some((source, problem.at(first.span)));
    let mut kept = Vec::new();
    for (source, error) in errors {
        match &error.problem.pasted {
            None => kept.push((source, error)),
            Some(_) => kept.extend(one.take()),
        }
    }
    kept
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
fn first_name(expr: &Expr) -> Option<&str> {
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

/// Whether this is how types are named, which no variable and no constant is: `String`, `u8`.
///
/// ```
/// assert!(prompt_syntax::is_type("HashMap") && !prompt_syntax::is_type("HASH_MAP"));
/// ```
pub fn is_type(name: &str) -> bool {
    const BUILT_IN: [&str; 17] = [
        "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32",
        "i64", "i128", "isize", "f32", "f64",
    ];
    let camel = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.contains(|c: char| c.is_ascii_lowercase())
        && !name.contains('_');
    (camel && name != "Self") || BUILT_IN.contains(&name)
}
