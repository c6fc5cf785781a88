//! The walk over the names of a parsed template, before its fields are typed. It determines which text is literal, and which names
//! come from outside of the template.
//!
//! The [`Analyzer`](super::Analyzer) runs after it: it needs the tree with its literal text, and the fields, whose types the macro
//! `template` infers from the names.

use std::collections::HashSet;
use std::ops::Range;
use std::vec::IntoIter;

use super::FieldInfo;
use super::scope::{Bound, ScopeStack};
use super::usage::{NameUsage, UsageRecorder};
use crate::language::{Language, LanguageNode as _};
use crate::notation::{ForeignBlocks, Lookalike};
use crate::problem::slot as problem;
use crate::{Dialect, Error, Expr, Kind, Node, Slot, Spanned, Text, XmlTags};
use prompt_base::Span;

/// The names in scope of a template, as far as they are known.
#[derive(Clone, Copy)]
pub enum KnownNames<'a> {
    /// No names: they are inferred from the template.
    Unknown,
    /// The fields.
    Fields(&'a [FieldInfo]),
    /// Those of variables around `prompt!` that the template captures; there may be others.
    Captured(&'a [FieldInfo]),
}

impl<'a> KnownNames<'a> {
    /// The fields; none if they are not known.
    pub(super) fn fields(self) -> &'a [FieldInfo] {
        match self {
            KnownNames::Unknown => &[],
            KnownNames::Fields(fields) | KnownNames::Captured(fields) => fields,
        }
    }
}

/// A name that a block binds.
pub struct BoundName {
    pub(super) name: String,
    /// The list of the loop whose items it names.
    pub(super) list: Option<Span>,
    /// The name of that list, if the list comes from outside of the template.
    pub(super) list_name: Option<String>,
    /// Whether a slot can show it: neither a macro nor `loop`.
    pub(super) is_value: bool,
}

impl BoundName {
    /// The name of a value.
    pub fn new(name: &Spanned<String>) -> BoundName {
        BoundName {
            name: name.value.clone(),
            list: None,
            list_name: None,
            is_value: true,
        }
    }

    /// The name of something that a slot cannot show.
    pub fn not_a_value(name: &str) -> BoundName {
        BoundName {
            name: name.to_owned(),
            list: None,
            list_name: None,
            is_value: false,
        }
    }
}

impl Bound for BoundName {
    fn path(&self) -> &str {
        &self.name
    }
}

/// Resolves the literal text of a tree. Returns the names that it takes from outside, if they are to be inferred.
/// `lookalikes` are in the order of their spans.
pub(super) fn resolve_names<L: Language>(
    nodes: &mut Vec<Node<L>>,
    text: &str,
    dialect: Dialect,
    tags: &XmlTags,
    lookalikes: Vec<Lookalike>,
    names: KnownNames<'_>,
    errors: &mut Vec<Error>,
) -> Vec<NameUsage> {
    let is_inferred = matches!(names, KnownNames::Unknown);
    let has_json = dialect == Dialect::Jinja && text.contains("tojson");
    if !is_inferred && lookalikes.is_empty() && dialect != Dialect::Angle && !has_json {
        return Vec::new();
    }
    let mut resolver = NameResolver {
        text,
        dialect,
        tags,
        names,
        scopes: ScopeStack::new(Vec::new()),
        usage: UsageRecorder::new(is_inferred),
        lookalikes: lookalikes.into_iter().peekable(),
        errors,
        json_parts: None,
        closed_tags: None,
        ends: None,
        has_system_section: None,
        foreign_blocks: None,
    };
    resolver.resolve_nodes(nodes);
    resolver.usage.found
}

/// The walk over a tree, and what it knows.
pub struct NameResolver<'a> {
    pub(super) text: &'a str,
    pub(super) dialect: Dialect,
    /// The XML tags that the messages of the prompt close.
    pub(super) tags: &'a XmlTags,
    pub(super) names: KnownNames<'a>,
    /// The names that blocks have bound.
    pub scopes: ScopeStack<BoundName>,
    pub(super) usage: UsageRecorder,
    pub(super) lookalikes: std::iter::Peekable<IntoIter<Lookalike>>,
    pub(super) errors: &'a mut Vec<Error>,
    /// The parts of the text that are like JSON, once they are needed.
    pub(super) json_parts: Option<Vec<Range<usize>>>,
    /// Those that the text itself closes, once they are needed.
    pub(super) closed_tags: Option<XmlTags>,
    /// What the text contains between `</` and `>`, once it is needed.
    pub(super) ends: Option<HashSet<&'a str>>,
    /// Whether the text contains `{{#system`, once it is needed.
    pub(super) has_system_section: Option<bool>,
    /// The blocks of other languages that begin in the text, once they are needed.
    pub(super) foreign_blocks: Option<ForeignBlocks<'a>>,
}

impl NameResolver<'_> {
    /// Nodes in the current scope.
    pub fn resolve_nodes<L: Language>(&mut self, nodes: &mut Vec<Node<L>>) {
        let resolved = Vec::with_capacity(nodes.len());
        for mut node in std::mem::replace(nodes, resolved) {
            self.resolve_node(&mut node);
            match (nodes.last_mut(), node) {
                (Some(Node::Text(before)), Node::Text(text)) => {
                    before.text.push_str(&text.text);
                    before.span.end = text.span.end;
                }
                (_, node) => nodes.push(node),
            }
        }
    }

    /// Nodes with a scope of their own.
    pub fn resolve_block<L: Language>(&mut self, nodes: &mut Vec<Node<L>>) {
        self.scopes.open_block(Vec::new());
        self.resolve_nodes(nodes);
        self.scopes.close_scope();
    }

    fn resolve_node<L: Language>(&mut self, node: &mut Node<L>) {
        match node {
            Node::Text(text) => self.resolve_text(text),
            Node::Slot(slot) => {
                if self.is_literal(slot) {
                    let text = slot.span.of(self.text).to_owned();
                    let span = slot.span;
                    *node = Node::Text(Text { span, text });
                } else {
                    self.report_quoted_json(slot);
                    self.record_slot(&slot.expr);
                }
            }
            Node::If(block) => {
                for branch in &mut block.branches {
                    let outside = self.usage.conditions.len();
                    self.record_condition(&branch.condition, true);
                    // A branch is not a scope: a variable that it sets belongs to the block around it.
                    self.resolve_nodes(&mut branch.body);
                    self.usage.conditions.truncate(outside);
                }
                if let Some(otherwise) = &mut block.otherwise {
                    self.resolve_nodes(otherwise);
                }
            }
            Node::For(block) => {
                let list_name = self.record_list(&block.list);
                self.scopes.open_block(Vec::new());
                for target in &block.targets {
                    self.scopes.bind_name(BoundName {
                        list: Some(block.list.span()),
                        list_name: list_name.clone(),
                        ..BoundName::new(target)
                    });
                }
                if block.targets.len() > 1 {
                    self.usage.record_parts(list_name.as_deref());
                }
                if let Some(condition) = &block.condition {
                    self.record_other(condition);
                }
                self.scopes.bind_name(BoundName::not_a_value("loop"));
                self.resolve_nodes(&mut block.body);
                self.scopes.close_scope();
                self.resolve_optional_block(&mut block.otherwise);
            }
            Node::Role(block) => self.resolve_block(&mut block.body),
            Node::Other(node) => node.resolve_names(self),
            Node::Error(_) => {}
        }
    }

    /// `"<name | json>"` for a text: the filter writes quotes itself.
    fn report_quoted_json<L: Language>(&mut self, slot: &Slot<L>) {
        let Expr::Filter(filter) = &slot.expr else {
            return;
        };
        let is_json =
            matches!(&filter.name.value[..], [name] if name == "json" || name == "tojson");
        let (before, after) = (&self.text[..slot.span.start], &self.text[slot.span.end..]);
        // `\"\"\"` is a string of Python.
        let is_quoted =
            before.ends_with('"') && !before.ends_with("\"\"") && after.starts_with('"');
        if is_json && is_quoted && !after.starts_with("\"\"") && self.is_text_field(&filter.value) {
            let written = slot.span.of(self.text);
            self.errors
                .push(problem::quoted_json(written).at(slot.span));
        }
    }

    /// Whether it is a field of text, or of text that may be missing.
    fn is_text_field<L: Language>(&mut self, expr: &Expr<L>) -> bool {
        let Expr::Path(path) = expr else {
            return false;
        };
        let [name] = &path.segments[..] else {
            return false;
        };
        let fields = self.names.fields().iter();
        let mut kinds = fields.filter(|field| field.name == name.value);
        let is_text = kinds.any(|field| match &field.kind {
            Kind::Option(inner) => **inner == Kind::Text,
            kind => *kind == Kind::Text,
        });
        is_text && self.scopes.find_name(&name.value).is_none()
    }

    /// The same, if there are any.
    pub fn resolve_optional_block<L: Language>(&mut self, nodes: &mut Option<Vec<Node<L>>>) {
        if let Some(nodes) = nodes {
            self.resolve_block(nodes);
        }
    }
}
