//! Names in expressions, and the filters, tests and calls there.

use prompt_syntax::builtin::{Builtin, FILTERS, FUNCTIONS, METHODS, Rest, TESTS, find, plain};
use prompt_syntax::problem::{call, value};
use prompt_syntax::{Call, Dialect, Expr, Filter, Literal, Named, Path, Span};

use super::finds;
use super::names::{Names, Origins};
use crate::dynamic::fields::FieldKind;

impl<'t> Names<'t, '_> {
    /// Looks at an expression, and says what it is made of.
    pub(super) fn expr(&mut self, expr: &'t Expr) -> Origins {
        let lenient = std::mem::replace(&mut self.lenient, false);
        match expr {
            Expr::Path(path) => {
                self.lenient = lenient;
                let origins = self.path(path, path.span);
                self.lenient = false;
                if let Some(field) = self.field_of(path)
                    && field.kind == FieldKind::Media
                    && self.shown
                {
                    self.report(value::media(self.template.dialect, field.name).at(path.span));
                }
                origins
            }
            Expr::Filter(filter) => self.filter(filter),
            Expr::Test(test) => {
                if find(TESTS, &test.name).is_none() {
                    self.report(call::unknown("test", &test.name, TESTS).at(test.name.span));
                } else if let Some(known) = find(TESTS, &test.name) {
                    self.arguments("test", known, &test.args, &[], test.name.span);
                }
                let asks = matches!(test.name.as_str(), "defined" | "undefined" | "none");
                self.decided(|this| {
                    this.lenient = asks;
                    this.expr(&test.value);
                    this.all_of(&test.args)
                })
            }
            Expr::Call(call) => {
                if let Some(origins) = self.of_loop(call) {
                    return origins;
                }
                let mut origins = match &call.receiver {
                    Some(receiver) => self.expr(receiver),
                    None => Vec::new(),
                };
                let table = if call.receiver.is_some() {
                    METHODS
                } else {
                    FUNCTIONS
                };
                let name = call.name.as_str();
                let bound = self
                    .scopes
                    .iter_mut()
                    .rev()
                    .flatten()
                    .find(|known| known.name == name);
                match (bound, find(table, name)) {
                    (Some(known), _) if call.receiver.is_none() => {
                        known.used = true;
                        origins.extend(known.origins.iter().copied());
                        self.expect_trusted(&origins, call.span);
                    }
                    (_, Some(known)) => {
                        let what = if call.receiver.is_some() {
                            "method"
                        } else {
                            "function"
                        };
                        self.arguments(what, known, &call.args, &call.named, call.name.span);
                    }
                    _ => {
                        let what = if call.receiver.is_some() {
                            "method"
                        } else {
                            "function"
                        };
                        self.report(call::unknown(what, name, table).at(call.name.span));
                    }
                }
                origins.extend(self.all_of(&call.args));
                origins.extend(self.named(&call.named));
                origins
            }
            Expr::If(conditional) => {
                let (mut yes, mut no) = (Vec::new(), Vec::new());
                finds(&conditional.condition, true, &mut yes);
                finds(&conditional.condition, false, &mut no);
                self.decided(|this| this.asked(&conditional.condition));
                let mut origins = self.where_found(&yes, |this| this.expr(&conditional.value));
                if let Some(otherwise) = &conditional.otherwise {
                    origins.extend(self.where_found(&no, |this| this.expr(otherwise)));
                }
                origins
            }
            Expr::Literal(_) | Expr::Body(_) => Vec::new(),
            Expr::Default(both) => {
                let mut origins = self.expr(&both.value);
                origins.extend(self.expr(&both.default));
                origins
            }
            Expr::Not(inner) => self.asked(&inner.value),
            Expr::Neg(inner) => self.expr(&inner.value),
            Expr::And(sides) | Expr::Or(sides) => {
                let mut found = Vec::new();
                finds(&sides.0, matches!(expr, Expr::And(_)), &mut found);
                self.lenient = lenient;
                let mut origins = self.expr(&sides.0);
                origins.extend(self.where_found(&found, |this| {
                    this.lenient = lenient;
                    this.expr(&sides.1)
                }));
                origins
            }
            Expr::Binary(binary) => {
                let mut origins = self.expr(&binary.left);
                origins.extend(self.expr(&binary.right));
                origins
            }
            Expr::Concat(items) | Expr::List(items) | Expr::Tuple(items) => {
                self.all_of(&items.value)
            }
            Expr::Compare(compare) => {
                let mut origins = self.expr(&compare.first);
                origins.extend(compare.rest.iter().flat_map(|(_, other)| self.expr(other)));
                origins
            }
            Expr::Attribute(attribute) => self.expr(&attribute.value),
            Expr::Index(index) => {
                let mut origins = self.expr(&index.value);
                origins.extend(self.expr(&index.index));
                origins
            }
            Expr::Slice(slice) => {
                let mut origins = self.expr(&slice.value);
                for bound in [&slice.start, &slice.stop, &slice.step]
                    .into_iter()
                    .flatten()
                {
                    origins.extend(self.expr(bound));
                }
                origins
            }
            Expr::Dict(entries) => {
                let mut origins = Vec::new();
                for (key, value) in &entries.value {
                    origins.extend(self.expr(key));
                    origins.extend(self.expr(value));
                }
                origins
            }
            _ => Vec::new(),
        }
    }

    /// `loop.cycle(…)`, `loop.changed(…)`
    fn of_loop(&mut self, node: &'t Call) -> Option<Origins> {
        let Some(Expr::Path(path)) = &node.receiver else {
            return None;
        };
        let is_of_loop = matches!(node.name.as_str(), "cycle" | "changed");
        if path.dotted() != "loop" || !is_of_loop || self.bound("loop").is_none() {
            return None;
        }
        if node.args.is_empty() || !node.named.is_empty() {
            let problem = match node.name.as_str() {
                "cycle" => call::empty_cycle(),
                _ => call::empty_changed(),
            };
            self.report(problem.at(node.span));
        }
        let cycles = node.name.value == "cycle";
        Some(if cycles {
            self.all_of(&node.args)
        } else {
            self.decided(|this| this.all_of(&node.args));
            Vec::new()
        })
    }

    /// Looks at what is true or false: what has no value is false.
    pub(super) fn asked(&mut self, expr: &'t Expr) -> Origins {
        self.lenient = true;
        self.expr(expr)
    }

    pub(super) fn all_of(&mut self, exprs: &'t [Expr]) -> Origins {
        exprs.iter().flat_map(|expr| self.expr(expr)).collect()
    }

    pub(super) fn named(&mut self, named: &'t [Named]) -> Origins {
        named
            .iter()
            .flat_map(|named| self.expr(&named.value))
            .collect()
    }

    pub(super) fn filter(&mut self, node: &'t Filter) -> Origins {
        if self.template.dialect != Dialect::Jinja
            && let Expr::Path(path) = &node.value
            && let Some(field) = self.field_of(path)
            && field.kind == FieldKind::Media
        {
            self.path(path, path.span);
            self.report(value::filtered_media(field.name).at(path.span));
            return Vec::new();
        }
        let name = node.name.value.join("::");
        self.lenient = find(FILTERS, &name).is_some_and(|known| known.function == "default");
        let mut origins = self.expr(&node.value);
        origins.extend(self.all_of(&node.args));
        origins.extend(self.named(&node.named));
        let span = node.name.span;
        if self.template.dialect != Dialect::Jinja || node.name.value.len() > 1 {
            let checked = match &node.name.value[..] {
                [name] => plain::check(name, &node.args, span, false),
                _ => Err(call::function_at_run_time().at(span)),
            };
            if let Err(mistake) = checked {
                self.report(mistake);
            } else if let Expr::Path(path) = &node.value {
                self.expect_there(path);
            }
            return origins;
        }
        let Some(known) = find(FILTERS, &name) else {
            self.report(call::unknown("filter", &name, FILTERS).at(span));
            return origins;
        };
        match known.rest {
            Rest::None => self.arguments("filter", known, &node.args, &node.named, span),
            Rest::Values => {}
            Rest::Filter => self.called("filter", node.args.first(), FILTERS),
            Rest::Test => self.called("test", node.args.first(), TESTS),
            Rest::AttributeTest => self.called("test", node.args.get(1), TESTS),
        }
        if known.function != "default"
            && let Expr::Path(path) = &node.value
        {
            self.expect_there(path);
        }
        origins
    }

    /// A filter of an `Option` leaves nothing to filter where it is empty.
    pub(super) fn expect_there(&mut self, path: &'t Path) {
        if let Some(field) = self.field_of(path)
            && field.kind == FieldKind::Optional
            && !self.there.contains(&field.name)
        {
            let problem = value::option(self.template.dialect, field.name);
            self.report(problem.at(path.span));
        }
    }

    /// The name of a filter or test that is called for each item.
    pub(super) fn called(&mut self, what: &str, name: Option<&'t Expr>, table: &'static [Builtin]) {
        if let Some(Expr::Literal(literal)) = name
            && let Literal::Str(name) = &literal.value
            && find(table, name).is_none()
        {
            self.report(call::unknown(what, name, table).at(literal.span));
        }
    }

    pub(super) fn arguments(
        &mut self,
        what: &str,
        known: &'static Builtin,
        args: &'t [Expr],
        named: &'t [Named],
        span: Span,
    ) {
        let given = |index: usize, name: &str| {
            index < args.len() || named.iter().any(|named| named.name.value == name)
        };
        let mut params = known.params.iter().enumerate();
        let is_short = params.any(|(index, param)| param.required && !given(index, param.name));
        if args.len() > known.params.len() || is_short {
            let count = args.len() + named.len();
            self.report(call::count(what, known, count).at(span));
        }
        for named in named {
            match known
                .params
                .iter()
                .position(|param| param.name == named.name.value)
            {
                None => {
                    let problem = call::no_param(what, known, &named.name);
                    self.report(problem.at(named.name.span));
                }
                Some(index) if index < args.len() => {
                    self.report(call::twice(&named.name).at(named.name.span));
                }
                Some(_) => {}
            }
        }
    }
}

/// What filters work on.
pub(super) fn base(expr: &Expr) -> &Expr {
    match expr {
        Expr::Filter(filter) => base(&filter.value),
        expr => expr,
    }
}
