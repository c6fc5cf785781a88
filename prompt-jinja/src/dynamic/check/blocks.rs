//! Names in statements.

use prompt_syntax::kind::Kind;
use prompt_syntax::problem::name::hides_field;
use prompt_syntax::problem::value;
use prompt_syntax::{Dialect, Expr, For, If, Node, Role, Span};

use super::exprs::base;
use super::finds;
use super::names::{Names, Origins, What};
use crate::dynamic::fields::{Field, FieldKind};

impl<'t> Names<'t, '_> {
    pub(super) fn node(&mut self, node: &'t Node) {
        match node {
            Node::Slot(slot) => self.slot(&slot.expr, slot.span),
            Node::If(block) => self.condition(block),
            Node::For(block) => self.repeated(block),
            Node::Set(set) => {
                let mut origins = match &set.body {
                    // The text of a block is shown where the name is.
                    Some(body) => {
                        let mut origins = Vec::new();
                        self.origins_of(body, &mut origins);
                        self.block(body);
                        origins
                    }
                    None => Vec::new(),
                };
                origins.extend(self.decided(|this| this.expr(&set.value)));
                for target in &set.targets {
                    self.bind(target.as_str(), target.span, origins.clone(), What::Set);
                }
            }
            Node::With(with) => {
                let bound: Vec<_> = with
                    .bindings
                    .iter()
                    .map(|named| (&named.name, self.decided(|this| this.expr(&named.value))))
                    .collect();
                self.scopes.push(Vec::new());
                for (name, origins) in bound {
                    self.bind(name.as_str(), name.span, origins, What::Set);
                }
                self.nodes(&with.body);
                self.close();
            }
            Node::Macro(block) => {
                let mut origins = Vec::new();
                self.origins_of(&block.body, &mut origins);
                self.bind(block.name.as_str(), block.name.span, origins, What::Macro);
                self.scopes.push(Vec::new());
                for param in &block.params {
                    let origins = param
                        .default
                        .iter()
                        .flat_map(|default| self.decided(|this| this.expr(default)));
                    let origins = origins.collect();
                    self.bind(param.name.as_str(), param.name.span, origins, What::Param);
                }
                self.nodes(&block.body);
                self.close();
            }
            Node::Include(include) => {
                let key = (self.source, include.path.span.start);
                if let Some(tree) = self.template.included.get(&key) {
                    let outer = std::mem::replace(&mut self.source, *tree);
                    self.block(&self.template.trees[*tree]);
                    self.source = outer;
                }
            }
            Node::Filter(block) => {
                self.block(&block.body);
                self.expr(&block.value);
            }
            _ => {}
        }
    }

    /// The fields that a block shows: in its slots, or through what it loops over, names and calls.
    pub(super) fn origins_of(&self, nodes: &'t [Node], origins: &mut Origins) {
        let fields = self.template.contract.fields;
        let mut see = |name: &str| match self.bound(name) {
            Some(known) => origins.extend(known.origins.iter().copied()),
            None => origins.extend(fields.iter().position(|field| field.name == name)),
        };
        let mut look = |expr: &'t Expr| {
            expr.walk(&mut |expr| match expr {
                Expr::Path(path) => see(&path.segments[0].value),
                Expr::Call(call) if call.receiver.is_none() => see(&call.name.value),
                _ => {}
            });
        };
        let mut included = Vec::new();
        crate::dynamic::template::each(nodes, &mut |node| match node {
            Node::Slot(slot) => look(&slot.expr),
            Node::For(block) => look(&block.list),
            Node::Set(set) => look(&set.value),
            Node::With(with) => with.bindings.iter().for_each(|named| look(&named.value)),
            Node::Filter(block) => look(&block.value),
            Node::Include(include) => included.push(include.path.span.start),
            _ => {}
        });
        for start in included {
            if let Some(tree) = self.template.included.get(&(self.source, start)) {
                self.origins_of(&self.template.trees[*tree], origins);
            }
        }
    }

    pub(super) fn condition(&mut self, block: &'t If) {
        let mut before = Vec::new();
        for branch in &block.branches {
            self.where_found(&before.clone(), |this| {
                this.decided(|this| this.asked(&branch.condition))
            });
            let mut found = before.clone();
            finds(&branch.condition, true, &mut found);
            self.where_found(&found, |this| this.nodes(&branch.body));
            finds(&branch.condition, false, &mut before);
        }
        if let Some(otherwise) = &block.otherwise {
            self.where_found(&before, |this| this.nodes(otherwise));
        }
    }

    pub(super) fn repeated(&mut self, block: &'t For) {
        let origins = self.decided(|this| this.expr(&block.list));
        if let Expr::Path(path) = &block.list
            && let Some(field) = self.field_of(path)
        {
            let dialect = self.template.dialect;
            let kind = match field.kind {
                FieldKind::Text => Some(Kind::Text),
                FieldKind::Number => Some(Kind::Number),
                FieldKind::Media => Some(Kind::Media),
                FieldKind::Optional if !self.there.contains(&field.name) => {
                    Some(Kind::Option(Box::new(Kind::Unknown)))
                }
                _ => None,
            };
            if let Some(kind) = kind {
                self.report(value::no_list(dialect, field.name, &kind).at(path.span));
            }
        }
        self.scopes.push(Vec::new());
        for target in &block.targets {
            let name = target.as_str();
            if self
                .template
                .contract
                .fields
                .iter()
                .any(|field| field.name == name)
            {
                self.report(hides_field(name).at(target.span));
            }
            self.bind(name, target.span, origins.clone(), What::Loop);
        }
        if let Some(condition) = &block.condition {
            self.decided(|this| this.expr(condition));
        }
        if self.template.dialect == Dialect::Jinja {
            let what = match (&block.targets[..], base(&block.list)) {
                ([_], Expr::Path(path)) if self.is_place(path) => What::Items,
                ([_], _) => What::Values,
                _ => What::Parts,
            };
            self.bind("loop", block.span, origins.clone(), what);
        }
        let mut found = Vec::new();
        if let Some(condition) = &block.condition {
            finds(condition, true, &mut found);
        }
        // What is known of the items beside is known of the loop around.
        let outer = self.there.clone();
        self.there.retain(|name| !name.starts_with("loop."));
        self.where_found(&found, |this| this.nodes(&block.body));
        self.there = outer;
        self.close();
        if let Some(otherwise) = &block.otherwise {
            self.block(otherwise);
        }
    }

    pub(super) fn slot(&mut self, expr: &'t Expr, span: Span) {
        match expr {
            Expr::Path(path) => {
                self.path(path, span);
                if let Some(field) = self.field_of(path) {
                    self.shown_whole(field, span);
                }
            }
            Expr::Default(coalesce) => {
                if let Expr::Path(path) = base(&coalesce.value)
                    && let Some(field) = self.field_of(path)
                    && !matches!(field.kind, FieldKind::Optional | FieldKind::Unknown)
                {
                    self.report(value::always_there(Dialect::Angle, field.name).at(path.span));
                }
                let there: Vec<&'t str> = match base(&coalesce.value) {
                    Expr::Path(path) => vec![path.segments[0].as_str()],
                    _ => Vec::new(),
                };
                self.where_found(&there, |this| this.expr(&coalesce.value));
                self.slot(&coalesce.default, coalesce.default.span());
            }
            Expr::Concat(items) if self.template.dialect == Dialect::Jinja => {
                for item in &items.value {
                    self.slot(item, item.span());
                }
            }
            Expr::If(conditional) => {
                let (mut yes, mut no) = (Vec::new(), Vec::new());
                finds(&conditional.condition, true, &mut yes);
                finds(&conditional.condition, false, &mut no);
                self.decided(|this| this.asked(&conditional.condition));
                self.where_found(&yes, |this| this.slot(&conditional.value, span));
                if let Some(otherwise) = &conditional.otherwise {
                    self.where_found(&no, |this| this.slot(otherwise, span));
                }
            }
            expr => {
                self.expr(expr);
            }
        }
    }

    /// A field that fills a slot as it is.
    pub(super) fn shown_whole(&mut self, field: &'static Field, span: Span) {
        let (dialect, name) = (self.template.dialect, field.name);
        match field.kind {
            FieldKind::Optional if !self.there.contains(&name) => {
                self.report(value::option(dialect, name).at(span));
            }
            FieldKind::List if dialect != Dialect::Jinja => {
                self.report(value::list(dialect, name).at(span));
            }
            FieldKind::Media if self.role == Role::System => {
                self.report(value::media_in_system(name).at(span));
            }
            _ => {}
        }
    }
}
