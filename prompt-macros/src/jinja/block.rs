//! Text, slots and conditions.

use prompt_syntax::Dialect;
use prompt_syntax::kind::Kind;
use prompt_syntax::problem::name::Bound;
use prompt_syntax::problem::value as problem;
use prompt_syntax::{Expr, FilterBlock, If, Literal, Node, Span};

use super::expr::expr_name;
use super::lowerer::Lowerer;
use super::names::{Meaning, Name, changed, sets};
use super::term::{Term, Typed};
use super::test::{forget_unused, opposite};
use crate::model::{Bind, Branch, Fallback, How, Piece, Place, Root, Show, Slot, Value};

impl Lowerer<'_, '_> {
    /// What stands in a block with names of its own.
    pub(crate) fn block(&mut self, nodes: &[Node]) -> Vec<Piece> {
        self.names.open(changed(nodes));
        let pieces = self.pieces(nodes);
        self.close();
        pieces
    }

    pub(crate) fn pieces(&mut self, nodes: &[Node]) -> Vec<Piece> {
        let mut out = Vec::new();
        for node in nodes {
            self.node(node, &mut out);
        }
        out
    }

    pub(crate) fn node(&mut self, node: &Node, out: &mut Vec<Piece>) {
        match node {
            Node::Text(text) => out.push(Piece::Text {
                text: text.text.clone(),
                span: self.at(text.span),
            }),
            Node::Slot(slot) => self.slot(&slot.expr, self.at(slot.span), out),
            Node::If(block) => self.condition(block, out),
            Node::For(block) => self.repeated(block, out),
            Node::Set(set) => self.set(set, out),
            Node::With(block) => self.with(block, out),
            Node::Macro(block) => self.define(block),
            Node::Include(include) => self.include(include, out),
            Node::Filter(block) => {
                let body = self.block(&block.body);
                let outer = self.body.replace(Term::Block(body));
                let value = self.expr(&block.value);
                self.body = outer;
                let span = self.at(block.span);
                if let Some(value) = value
                    && self.expect_words(&value, block)
                {
                    out.push(Piece::Show(Show {
                        name: "filter".to_owned(),
                        term: value.term,
                        span,
                    }));
                }
            }
            // Reported by the parser.
            _ => {}
        }
    }

    /// The filters of a block end with a text, as in Jinja2.
    fn expect_words(&mut self, value: &Typed, block: &FilterBlock) -> bool {
        if value.kind.is_open() || value.kind == Kind::Text {
            return true;
        }
        let error = problem::block_gives(&value.kind).at(block.value.span());
        self.report(error);
        false
    }

    /// `{{ … }}`: parts that stay the template's words are text.
    pub(super) fn slot(&mut self, expr: &Expr, span: Span, out: &mut Vec<Piece>) {
        match expr {
            Expr::Literal(literal) => {
                let text = match &literal.value {
                    Literal::Str(text) => text.clone(),
                    Literal::Int(number) => number.to_string(),
                    Literal::Bool(true) => "True".to_owned(),
                    Literal::Bool(false) => "False".to_owned(),
                    Literal::None => "None".to_owned(),
                    Literal::Float(_) => {
                        let term = Term::Literal(literal.value.clone());
                        out.push(Piece::Show(Show {
                            name: "literal".to_owned(),
                            term,
                            span,
                        }));
                        return;
                    }
                };
                if !text.is_empty() {
                    out.push(Piece::Text { text, span });
                }
            }
            Expr::Concat(items) => {
                for item in &items.value {
                    self.slot(item, span, out);
                }
            }
            Expr::If(conditional) => {
                self.names.open_branch();
                let test = self.test(&conditional.condition, true);
                let mut body = Vec::new();
                self.slot(&conditional.value, span, &mut body);
                let bound = self.names.close();
                let mut otherwise = Vec::new();
                if let Some(expr) = &conditional.otherwise {
                    self.slot(expr, span, &mut otherwise);
                }
                if let Some(mut test) = test {
                    forget_unused(&mut test, &bound);
                    let branches = vec![Branch { test, body }];
                    out.push(Piece::If {
                        branches,
                        otherwise,
                    });
                }
            }
            Expr::Filter(filter) if self.with_default(filter, span, out) => {}
            _ => {
                if let Some(value) = self.expr(expr) {
                    self.show(value, expr, span, out);
                }
            }
        }
    }

    fn show(&mut self, value: Typed, expr: &Expr, span: Span, out: &mut Vec<Piece>) {
        let name = match &value.term {
            Term::Place(place) => place.name.clone(),
            _ => expr_name(expr),
        };
        match (value.term, value.kind) {
            (Term::Place(place), Kind::Option(_)) => {
                let name = place.name.split('.').next().unwrap_or_default();
                // The condition around it may be one that could not be read.
                if self.lost.iter().any(|lost| lost == name) {
                    *self.readable = false;
                } else {
                    let error = problem::option(Dialect::Jinja, &place.name).at(span);
                    self.report_at(&error);
                }
            }
            (Term::Place(place), Kind::Unordered) => {
                self.report_at(&problem::unordered(Dialect::Jinja, &place.name).at(span));
            }
            (Term::Place(place), Kind::Media) => out.push(Piece::Media { place, span }),
            (Term::Place(place), Kind::Text | Kind::Int | Kind::Unknown) => {
                out.push(Piece::Slot(Slot {
                    name,
                    value: Value::Place(place),
                    fallback: None,
                    span,
                }));
            }
            (Term::Block(pieces), _) => out.extend(pieces),
            (term, _) => out.push(Piece::Show(Show { name, term, span })),
        }
    }

    /// `{{ note | default("none") }}` for an `Option`: the words of the template stay words of the template.
    fn with_default(
        &mut self,
        filter: &prompt_syntax::Filter,
        span: Span,
        out: &mut Vec<Piece>,
    ) -> bool {
        let ([name], [Expr::Literal(default)], []) =
            (&filter.name.value[..], &filter.args[..], &filter.named[..])
        else {
            return false;
        };
        if !matches!(name.as_str(), "default" | "d") || !matches!(default.value, Literal::Str(_)) {
            return false;
        }
        let Expr::Path(path) = &filter.value else {
            return false;
        };
        // A look ahead: what the name means is reported below.
        let [first] = &path.segments[..] else {
            return false;
        };
        let is_field = self.names.find(&first.value).is_none();
        let Some(field) = self.field(&first.value).filter(|_| is_field) else {
            return false;
        };
        let Kind::Option(inner) = self.field_kind(field) else {
            return false;
        };
        if !matches!(*inner, Kind::Text | Kind::Int) || self.fields[field].stands_apart().is_some()
        {
            return false;
        }
        let option = Place {
            root: Root::Field(field),
            rest: Vec::new(),
            name: first.value.clone(),
            origin: field,
            span: self.at(path.span),
            open: false,
        };
        let binding = self.fresh_of(&option);
        let value = Place {
            root: Root::Local(binding.clone()),
            ..option.clone()
        };
        out.push(Piece::Slot(Slot {
            name: first.value.clone(),
            value: Value::Place(value),
            fallback: Some(Fallback {
                option,
                binding,
                default: Value::Literal(default.value.clone()),
            }),
            span,
        }));
        true
    }

    fn condition(&mut self, block: &If, out: &mut Vec<Piece>) {
        self.declare(block, out);
        // What `{% if not x %}` does not find is there in its `else`.
        if let ([branch], Some(otherwise)) = (&block.branches[..], &block.otherwise)
            && let Some(condition) = opposite(&branch.condition)
        {
            self.branches(&[(&condition, otherwise)], Some(&branch.body), out);
            return;
        }
        let branches: Vec<(&Expr, &Vec<Node>)> = block
            .branches
            .iter()
            .map(|branch| (&branch.condition, &branch.body))
            .collect();
        self.branches(&branches, block.otherwise.as_ref(), out);
    }

    fn branches(
        &mut self,
        nodes: &[(&Expr, &Vec<Node>)],
        otherwise: Option<&Vec<Node>>,
        out: &mut Vec<Piece>,
    ) {
        let before = self.names.certain();
        let mut after: Option<Vec<bool>> = None;
        let (mut branches, mut good) = (Vec::new(), true);
        for (condition, body) in nodes {
            self.names.open_branch();
            let test = self.test(condition, true);
            let body = self.pieces(body);
            let bound = self.names.close();
            self.merge(&before, &mut after);
            match test {
                Some(mut test) => {
                    forget_unused(&mut test, &bound);
                    branches.push(Branch { test, body });
                }
                None => good = false,
            }
        }
        let mut rest = Vec::new();
        if let Some(otherwise) = otherwise {
            self.names.open_branch();
            rest = self.pieces(otherwise);
            self.names.close();
        }
        self.merge(&before, &mut after);
        if let Some(after) = after {
            self.names.set_certain(&after);
        }
        if good {
            out.push(Piece::If {
                branches,
                otherwise: rest,
            });
        }
    }

    /// A variable has a value after a condition if each branch gives it one.
    fn merge(&mut self, before: &[bool], after: &mut Option<Vec<bool>>) {
        let now = self.names.certain();
        *after = Some(match after.take() {
            Some(after) => after.iter().zip(&now).map(|(a, b)| *a && *b).collect(),
            None => now,
        });
        self.names.set_certain(before);
    }

    /// Variables that a condition sets begin before it, since they are seen after it.
    fn declare(&mut self, block: &If, out: &mut Vec<Piece>) {
        if !self.names.is_block() {
            return;
        }
        let mut set = Vec::new();
        for branch in &block.branches {
            sets(&branch.body, &mut set);
        }
        sets(block.otherwise.as_deref().unwrap_or_default(), &mut set);
        for (name, span) in set {
            if self.names.own(&name).is_some() {
                continue;
            }
            let (value, kind, origins, certain) = self.before(&name, span);
            let ident = self.fresh(&name);
            out.push(Piece::Bind(Bind {
                idents: vec![ident.clone()],
                how: How::Declare,
                value,
                span: self.at(span),
            }));
            let written = self.written(span, Bound::Set);
            self.names.set(Name {
                name,
                meaning: Meaning::Variable {
                    ident,
                    kind,
                    origins,
                },
                written,
                used: false,
                certain,
            });
        }
    }

    /// What a name means before a condition gives it another value.
    fn before(&mut self, name: &str, span: Span) -> (Term, Kind, Vec<usize>, bool) {
        let is_known = self
            .names
            .find(name)
            .is_some_and(|name| !matches!(name.meaning, Meaning::Macro(_) | Meaning::Loop(_)))
            || self
                .field(name)
                .is_some_and(|field| self.fields[field].stands_apart().is_none());
        if is_known {
            let path = prompt_syntax::Path {
                span,
                segments: vec![prompt_syntax::Spanned {
                    value: name.to_owned(),
                    span,
                }],
                input: false,
            };
            if let Some(value) = self.named(&path, true)
                && !matches!(value.kind, Kind::Media | Kind::Unordered)
            {
                let origins = origins(&value.term);
                return (value.term, value.kind.there().dynamic(), origins, true);
            }
        }
        (Term::Absent, Kind::None, Vec::new(), false)
    }
}

/// The fields whose data a value may show.
pub(super) fn origins(term: &Term) -> Vec<usize> {
    let mut origins = Vec::new();
    term.shown(&mut |place| {
        if !origins.contains(&place.origin) {
            origins.push(place.origin);
        }
    });
    origins
}
