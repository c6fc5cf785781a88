//! Names and filters: what a path means here, and whether it can stand there.

use proc_macro2::{Ident, Span as TokenSpan};
use prompt_syntax::problem::{name, slot, value};
use prompt_syntax::{Dialect, Error, Expr, Path, Span, kind};

use crate::errors::Errors;
use crate::filters;
use crate::model::{Kind, Place, Root, Value, is_nested_option};
use crate::place::{Scope, identifier};
use crate::source::SourceText;

pub(crate) struct Resolver<'a, 'e> {
    pub(crate) scope: Scope<'a>,
    pub(crate) source: &'a SourceText,
    pub(crate) dialect: Dialect,
    pub(crate) errors: &'e mut Errors,
    /// Cleared by the first error, so that what it hides is not reported as missing.
    pub(crate) readable: &'e mut bool,
}

impl Resolver<'_, '_> {
    pub(crate) fn report(&mut self, error: &Error) {
        *self.readable = false;
        self.source.report(error, self.errors);
    }

    /// Resolves a value that is no image, sound, film or file.
    pub(crate) fn text(&mut self, expr: &Expr) -> Option<Value> {
        let value = self.value(expr)?;
        if let Value::Place(place) = &value
            && self.is_media(place)
        {
            let error = value::media(self.dialect, &place.name).at(expr.span());
            self.report(&error);
            return None;
        }
        Some(value)
    }

    /// Resolves a value. `None` if it has an error, which is reported.
    pub(crate) fn value(&mut self, expr: &Expr) -> Option<Value> {
        match expr {
            Expr::Path(path) => self.place(path).map(Value::Place),
            Expr::Literal(literal) => Some(Value::Literal(literal.value.clone())),
            Expr::Filter(filter) if !filter.named.is_empty() => {
                let span = filter.named[0].name.span;
                self.report(&slot::unsupported("an argument with a name").at(span));
                None
            }
            Expr::Filter(filter) => {
                let value = self.value(&filter.value);
                let args: Vec<Option<Value>> =
                    filter.args.iter().map(|arg| self.text(arg)).collect();
                let value = value?;
                let args: Vec<Value> = args.into_iter().collect::<Option<_>>()?;
                if let Err(error) = filters::check(filter) {
                    self.report(&error);
                    return None;
                }
                if let Value::Place(place) = &value
                    && let Err(error) = filters::takes(filter, self.kind(place))
                {
                    self.report(&error);
                    return None;
                }
                if let Value::Place(place) = &value
                    && self.is_media(place)
                {
                    let error = value::filtered_media(&place.name).at(filter.value.span());
                    self.report(&error);
                    return None;
                }
                Some(Value::Filter {
                    name: filter.name.value.clone(),
                    value: Box::new(value),
                    args,
                    span: filter.span,
                })
            }
            Expr::Default(coalesce) => {
                let error = slot::default_inside().at(coalesce.default.span());
                self.report(&error);
                None
            }
            Expr::Neg(_)
            | Expr::Binary(_)
            | Expr::Concat(_)
            | Expr::Compare(_)
            | Expr::Test(_)
            | Expr::If(_)
            | Expr::Attribute(_)
            | Expr::Index(_)
            | Expr::Slice(_)
            | Expr::Call(_)
            | Expr::List(_)
            | Expr::Tuple(_)
            | Expr::Dict(_)
            | Expr::Body(_) => {
                self.report(&slot::unsupported("this expression").at(expr.span()));
                None
            }
            other => {
                self.report(&slot::condition().at(other.span()));
                None
            }
        }
    }

    fn place(&mut self, path: &Path) -> Option<Place> {
        let name = path.dotted();
        // The longest path that a block has bound stands for itself; what follows are its fields.
        let longest = match self.scope.bindings.is_empty() {
            true => 0,
            false => path.segments.len(),
        };
        for length in (1..=longest).rev() {
            let prefix: Vec<&str> = path.segments[..length]
                .iter()
                .map(|segment| segment.as_str())
                .collect();
            if path.input
                && length == 1
                && self.scope.field(prefix[0]).is_some()
                && !self.is_refined(prefix[0])
            {
                break;
            }
            if let Some(binding) = self.scope.binding(&prefix.join(".")) {
                binding.used = true;
                let (root, origin) = (Root::Local(binding.ident.clone()), binding.origin);
                let rest = self.rest(path, length);
                return Some(Place {
                    root,
                    rest,
                    name,
                    origin,
                    span: path.span,
                    open: false,
                });
            }
        }
        let first = &path.segments[0];
        let Some(field) = self.scope.field(&first.value) else {
            if self.scope.all_lost || self.scope.lost.contains(&first.value) {
                *self.readable = false;
                return None;
            }
            if self.scope.captures {
                self.report(&name::type_captured(self.dialect, first).at(first.span));
                return None;
            }
            let source = &self.source.value;
            let before = source.get(..path.span.start).unwrap_or_default();
            let (names, owner) = (self.scope.names(), &self.scope.owner);
            let fields = self.scope.fields.len();
            let error =
                name::unknown(self.dialect, first, before, &names, owner, fields).at(first.span);
            self.report(&error);
            return None;
        };
        // Examples that are text have a slot.
        let apart_key = self.scope.fields[field].stands_apart();
        if let Some(key) = apart_key.filter(|key| *key != "shots") {
            let error = name::stands_apart(first, key).at(path.span);
            self.report(&error);
            return None;
        }
        let rest = self.rest(path, 1);
        Some(Place {
            root: Root::Field(field),
            rest,
            name,
            origin: field,
            span: path.span,
            open: false,
        })
    }

    /// Whether a condition has bound what is in this field.
    fn is_refined(&mut self, name: &str) -> bool {
        let field = self.scope.field(name);
        self.scope
            .binding(name)
            .is_some_and(|binding| Some(binding.origin) == field)
    }

    fn rest(&self, path: &Path, from: usize) -> Vec<Ident> {
        if from == path.segments.len() {
            return Vec::new();
        }
        let at = TokenSpan::call_site().located_at(self.source.span(path.span));
        path.segments[from..]
            .iter()
            .map(|segment| identifier(segment, at))
            .collect()
    }

    fn kind(&self, place: &Place) -> Kind {
        match place.root {
            Root::Field(field) if place.rest.is_empty() => self.scope.fields[field].kind(),
            _ => Kind::Unknown,
        }
    }

    pub(crate) fn is_media(&self, place: &Place) -> bool {
        match &place.root {
            _ if !place.rest.is_empty() => false,
            Root::Field(field) => self.scope.fields[*field].kind() == Kind::Media,
            Root::Local(ident) => self
                .scope
                .bindings
                .iter()
                .any(|binding| binding.ident == *ident && binding.media),
        }
    }

    /// Whether what a condition or a loop binds to this is media.
    pub(crate) fn holds_media(&self, place: &Place) -> bool {
        match place.root {
            Root::Field(field) if place.rest.is_empty() => self.scope.fields[field].holds_media(),
            _ => self.is_media(place),
        }
    }

    pub(crate) fn may_be_option(&self, place: &Place) -> bool {
        matches!(place.root, Root::Field(_)) || !place.rest.is_empty()
    }

    /// An `Option` outside of a condition, unless the condition is one that could not be read.
    fn report_option(&mut self, place: &Place, span: Span) {
        let name = place.name.split('.').next().unwrap_or_default();
        if self.scope.lost.iter().any(|lost| lost == name) {
            *self.readable = false;
            return;
        }
        self.report(&value::option(self.dialect, &place.name).at(span));
    }

    /// A slot shows text: an `Option` or a list needs something around it.
    pub(crate) fn expect_text(&mut self, value: &Value, expr: &Expr, span: Span) -> Option<()> {
        let Value::Place(place) = value else {
            // A filter of an `Option` leaves nothing to filter where it is empty.
            let place = base(value)?;
            if self.kind(place) == Kind::Option {
                self.report_option(place, expr.span());
                return None;
            }
            return Some(());
        };
        let kind = self.kind(place);
        if shows(kind) {
            return Some(());
        }
        let name = &place.name;
        let problem = match kind {
            Kind::Option => {
                self.report_option(place, span);
                return None;
            }
            Kind::Unordered => value::unordered(self.dialect, name),
            _ => value::list(self.dialect, name),
        };
        self.report(&problem.at(span));
        None
    }

    /// `??` is for what may not be there.
    pub(crate) fn expect_option(&mut self, place: &Place) -> Option<()> {
        let kind = self.kind(place);
        if matches!(kind, Kind::Option | Kind::Unknown)
            && !(matches!(place.root, Root::Local(_)) && place.rest.is_empty())
        {
            return Some(());
        }
        let error = value::always_there(self.dialect, &place.name).at(place.span);
        self.report(&error);
        None
    }

    /// A condition asks whether something is there, and finds one thing.
    pub(crate) fn expect_condition(&mut self, place: &Place) {
        let nested = match place.root {
            Root::Field(field) if place.rest.is_empty() => {
                is_nested_option(&self.scope.fields[field].ty)
            }
            _ => false,
        };
        if !nested {
            return;
        }
        let error = value::nested_option(&place.name).at(place.span);
        self.report(&error);
    }

    pub(crate) fn expect_list(&mut self, place: &Place) -> Option<()> {
        let (dialect, name) = (self.dialect, &place.name);
        let kind = match self.kind(place) {
            Kind::Number | Kind::Trusted => kind::Kind::Number,
            Kind::Text => kind::Kind::Text,
            Kind::Option => kind::Kind::Option(Box::new(kind::Kind::Unknown)),
            Kind::Unordered => {
                self.report(&value::unordered(dialect, name).at(place.span));
                return None;
            }
            Kind::List | Kind::Media | Kind::Unknown => return Some(()),
        };
        self.report(&value::no_list(dialect, name, &kind).at(place.span));
        None
    }
}

/// A slot's value, and what stands there instead of it.
pub(crate) fn with_default(expr: &Expr) -> (&Expr, Option<&Expr>) {
    match expr {
        Expr::Default(coalesce) => (&coalesce.value, Some(&coalesce.default)),
        other => (other, None),
    }
}

/// The name under which a slot's data is known.
pub(crate) fn name(expr: &Expr) -> String {
    match expr {
        Expr::Path(path) => path.dotted(),
        Expr::Filter(filter) => name(&filter.value),
        Expr::Default(coalesce) => name(&coalesce.value),
        _ => "literal".into(),
    }
}

/// The place that a value begins with.
pub(crate) fn base(value: &Value) -> Option<&Place> {
    match value {
        Value::Place(place) => Some(place),
        Value::Filter { value, .. } => base(value),
        Value::Literal(_) => None,
    }
}

/// The same value, made from what a name is bound to.
pub(crate) fn rebased(value: Value, binding: &Ident) -> Value {
    match value {
        Value::Place(place) => Value::Place(Place {
            root: Root::Local(binding.clone()),
            rest: Vec::new(),
            ..place
        }),
        Value::Filter {
            name,
            value,
            args,
            span,
        } => Value::Filter {
            name,
            value: Box::new(rebased(*value, binding)),
            args,
            span,
        },
        literal @ Value::Literal(_) => literal,
    }
}

/// Kinds of values that a slot can show as they are.
fn shows(kind: Kind) -> bool {
    !matches!(kind, Kind::List | Kind::Option | Kind::Unordered)
}
