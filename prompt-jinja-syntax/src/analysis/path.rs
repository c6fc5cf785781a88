//! Paths: the meaning of a name in its scope.

use super::expr::expr_name;
use crate::analysis::{
    Function, JinjaAnalyzer, JinjaMeaning, LocalVariable, PlaceExpr, Resolution, Term, TypedTerm,
};
use crate::problem::{name as problem, value};
use crate::{Binary, BinaryOp, Expr};
use prompt_base::Span;
use prompt_syntax::{Dialect, Kind, Literal, Path, Spanned};

/// The attributes of `loop`.
const LOOP: [(&str, Kind); 9] = [
    ("index", Kind::Int),
    ("index0", Kind::Int),
    ("revindex", Kind::Int),
    ("revindex0", Kind::Int),
    ("first", Kind::Bool),
    ("last", Kind::Bool),
    ("length", Kind::Int),
    ("depth", Kind::Int),
    ("depth0", Kind::Int),
];

/// Its other attributes: neighbouring items and methods.
const METHODS_OF_LOOP: [&str; 4] = ["previtem", "nextitem", "changed", "cycle"];

impl JinjaAnalyzer<'_, '_> {
    /// The value of a path, which may be an `Option`.
    pub(super) fn resolve_path(&mut self, path: &Path) -> Option<TypedTerm> {
        self.resolve_name(path, false)
    }

    /// The same; `lenient` allows a variable that may be undefined.
    pub(super) fn resolve_name(&mut self, path: &Path, lenient: bool) -> Option<TypedTerm> {
        let segments = path.names();
        if let Some((name, length)) = self.scopes.find_path(&segments) {
            name.used = true;
            let (meaning, certain) = (name.meaning.clone(), name.certain);
            if !certain && !lenient && !self.context.run_time {
                return self.report_as_none(problem::uncertain_name(&path.dotted()).at(path.span));
            }
            return self.resolve_meaning(meaning, path, length, lenient);
        }
        let first = &path.segments[0];
        let Some(field) = self.find_field(&first.value) else {
            self.report_unknown_name(first);
            return None;
        };
        if let Some(key) = self.context.fields[field].excluded_by {
            return self.report_as_none(problem::field_without_slot(first, key).at(path.span));
        }
        let place = self.field_place(field, String::new(), path.span);
        let kind = self.context.fields[field].kind.clone();
        self.part_of_place(place, kind, path, 1, lenient)
    }

    /// The name with `_` that `first-last` was meant for, where Jinja reads a difference of two unknown names.
    pub(super) fn hyphenated_name(&self, binary: &Binary) -> Option<String> {
        let (Expr::Path(left), Expr::Path(right)) = (&binary.left, &binary.right) else {
            return None;
        };
        let touches =
            left.span.end == binary.op.span.start && binary.op.span.end == right.span.start;
        let (left, right) = (&left.segments[0].value, &right.segments[0].value);
        let known = |name: &str| {
            self.find_field(name).is_some() || self.scopes.names_in_scope().contains(&name)
        };
        let joined = format!("{left}_{right}");
        let meant = known(&joined) && !(known(left) && known(right));
        (touches && binary.op.value == BinaryOp::Sub && meant).then_some(joined)
    }

    fn resolve_meaning(
        &mut self,
        meaning: Resolution,
        path: &Path,
        length: usize,
        lenient: bool,
    ) -> Option<TypedTerm> {
        match meaning {
            Resolution::Place { place, kind } => {
                self.part_of_place(place, kind, path, length, lenient)
            }
            Resolution::Other(JinjaMeaning::Variable {
                ident,
                kind,
                origins,
            }) => self.variable_value(ident, kind, &origins, false, path, length),
            Resolution::Other(JinjaMeaning::Macro(_)) => {
                self.report_as_none(problem::whole_macro(&path.dotted()).at(path.span))
            }
            Resolution::Loop(state) => self.of_loop(state, path, length),
            Resolution::Other(JinjaMeaning::Neighbour(ident, origins)) => {
                self.variable_value(ident, Kind::Dynamic, &origins, true, path, length)
            }
            Resolution::Other(JinjaMeaning::NoNeighbour) => {
                let name = &path.segments[length - 1];
                self.report_as_none(problem::no_neighbour(name).at(name.span))
            }
            Resolution::Other(JinjaMeaning::Changed(_)) => {
                self.report_as_none(problem::changed_not_called().at(path.span))
            }
        }
    }

    /// The value of a variable, or a part of it.
    fn variable_value(
        &mut self,
        ident: String,
        kind: Kind,
        origins: &[usize],
        uncertain: bool,
        path: &Path,
        length: usize,
    ) -> Option<TypedTerm> {
        let span = self.source_span(path.span);
        let variable = LocalVariable {
            ident,
            sources: self.source_places(origins, &path.dotted(), span),
            uncertain,
        };
        let value = TypedTerm::new(Term::Variable(variable), kind, span);
        self.resolve_parts(value, path, length)
    }

    /// A place for each field that a variable is made from.
    pub(super) fn source_places(
        &self,
        origins: &[usize],
        name: &str,
        span: Span,
    ) -> Vec<PlaceExpr> {
        let place = |&origin| self.field_place(origin, name.to_owned(), span);
        origins.iter().map(place).collect()
    }

    fn of_loop(&mut self, state: String, path: &Path, length: usize) -> Option<TypedTerm> {
        let [part] = &path.segments[length..] else {
            return self.report_as_none(problem::whole_loop().at(path.span));
        };
        let Some((_, kind)) = LOOP.into_iter().find(|(name, _)| *name == part.value) else {
            let names: Vec<&str> = LOOP
                .iter()
                .map(|(name, _)| *name)
                .chain(METHODS_OF_LOOP)
                .collect();
            return self.report_as_none(problem::no_part_of_loop(part, &names).at(part.span));
        };
        let (part, span) = (part.value.clone(), self.source_span(path.span));
        if let "depth" | "depth0" = part.as_str() {
            // The depth of recursive loops, which the subset leaves out.
            let depth = i64::from(part == "depth");
            return Some(TypedTerm::new(
                Term::Literal(Literal::Int(depth)),
                kind,
                span,
            ));
        }
        Some(TypedTerm::new(Term::Loop { state, part }, kind, span))
    }

    /// A field of a Rust place, or an attribute of its value.
    fn part_of_place(
        &mut self,
        mut place: PlaceExpr,
        mut kind: Kind,
        path: &Path,
        mut from: usize,
        lenient: bool,
    ) -> Option<TypedTerm> {
        let span = self.source_span(path.span);
        while let (Kind::Struct(_), Some(part)) = (&kind, path.segments.get(from)) {
            kind = self.field_of_struct(&kind, &path.names()[..from].join("."), part)?;
            place.rest.push(part.value.clone());
            from += 1;
        }
        let rest = &path.segments[from..];
        let open = kind == Kind::Unknown;
        let place = PlaceExpr {
            name: path.dotted(),
            span,
            open,
            ..place
        };
        if rest.is_empty() {
            return Some(TypedTerm::new(Term::Place(place), kind, span));
        }
        if kind == Kind::Unknown {
            let mut place = place;
            place
                .rest
                .extend(rest.iter().map(|segment| segment.value.clone()));
            return Some(TypedTerm::new(Term::Place(place), kind, span));
        }
        let whole = path.names()[..from].join(".");
        let problem = match &kind {
            Kind::Option(_) if lenient && self.context.run_time => {
                let term = Term::Place(place);
                let kind = Kind::Dynamic;
                return Some(TypedTerm { term, kind, span });
            }
            Kind::Option(_) => value::part_of_option(&whole, &path.dotted()),
            Kind::Unordered => value::unordered_value(Dialect::Jinja, &whole, &[]),
            Kind::Media => value::media_as_text(Dialect::Jinja, &whole),
            _ => {
                let value = TypedTerm::new(Term::Place(place), kind, span);
                return self.resolve_parts(value, path, from);
            }
        };
        self.report_as_none(problem.at(path.span))
    }

    /// A chain of attributes.
    fn resolve_parts(
        &mut self,
        mut value: TypedTerm,
        path: &Path,
        from: usize,
    ) -> Option<TypedTerm> {
        for (index, part) in path.segments.iter().enumerate().skip(from) {
            let before = path.names()[..index].join(".");
            value = self.attribute_value(value, &before, part)?;
        }
        Some(value)
    }

    /// The kind of a field of a struct that a run-time template names.
    fn field_of_struct(&mut self, of: &Kind, name: &str, part: &Spanned<String>) -> Option<Kind> {
        let kind = of.field_kind(part);
        kind.or_else(|| {
            let problem = value::no_field(name, part, &of.field_names());
            self.report_as_none(problem.at(part.span))
        })
    }

    /// Whether the items of a list, if they are structs, have the attribute that a filter names in a literal; it may be a path.
    pub(super) fn expect_attribute(
        &mut self,
        list: &TypedTerm,
        expr: &Expr,
        attribute: &TypedTerm,
    ) -> Option<()> {
        let Term::Literal(Literal::Str(path)) = &attribute.term else {
            return Some(());
        };
        // `sort` takes several.
        for path in path.split(',') {
            let mut kind = list.kind.item();
            for part in path.split('.') {
                let names = kind.field_names();
                kind = match kind.field_kind(part) {
                    Some(found) => found,
                    None if names.is_empty() => break,
                    None => {
                        let problem = value::no_field_of_items(&expr_name(expr), part, &names);
                        return self.report_at_as_none(problem.at(attribute.span));
                    }
                };
            }
        }
        Some(())
    }

    /// An attribute of a value.
    pub(super) fn attribute_value(
        &mut self,
        value: TypedTerm,
        name: &str,
        part: &Spanned<String>,
    ) -> Option<TypedTerm> {
        let kind = match &value.kind {
            Kind::Dict(kind) => (**kind).clone(),
            // Conditions show nothing about a variable.
            kind @ Kind::Struct(_) => match self.field_of_struct(kind, name, part)? {
                Kind::Option(_) => Kind::Dynamic,
                kind => kind,
            },
            kind if kind.is_open() => Kind::Dynamic,
            kind => {
                return self.report_as_none(value::no_part(name, kind, part).at(part.span));
            }
        };
        let span = value.span.to(self.source_span(part.span));
        let function = Function::Attribute(part.value.clone());
        let args = vec![Some(value.term)];
        Some(TypedTerm::call(function, args, kind.dynamic(), span))
    }
}
