//! What every step of lowering needs: the names in scope, the text, and where errors go.

use prompt_syntax::Dialect;
use prompt_syntax::kind::Kind;
use prompt_syntax::problem::name::{self as problem, Bound};
use prompt_syntax::{Error, Options, Span};

use super::kind;
use super::names::{Name, Names};
use super::term::Term;
use crate::errors::Errors;
use crate::input::Field;
use crate::model::{Place, Root};
use crate::source::SourceText;

/// A template of the Jinja dialect on its way from the tree to decisions.
pub(crate) struct Lowerer<'a, 'e> {
    pub(crate) fields: &'a [Field],
    /// The name of the struct or variant.
    pub(crate) owner: &'a str,
    /// The text, to which included files are added.
    pub(crate) source: &'e mut SourceText,
    pub(crate) errors: &'e mut Errors,
    /// Cleared by the first error, so that what it hides is not reported as missing.
    pub(crate) readable: &'e mut bool,
    /// Whether an error elsewhere has lost all names.
    pub(crate) all_lost: bool,
    /// Names that an error elsewhere keeps from meaning anything.
    pub(crate) lost: &'e [String],
    pub(crate) names: Names,
    pub(crate) options: Options,
    /// Where the text that is being lowered begins in the source: an included file stands after what was there.
    pub(crate) offset: usize,
    /// The files around the included one, the outermost first.
    pub(crate) including: Vec<String>,
    /// The macros that are being called.
    pub(crate) calling: Vec<String>,
    /// The text of the block that a filter is for.
    pub(crate) body: Option<Term>,
    /// What was reported: a macro is lowered once for each call.
    pub(crate) reported: Vec<Error>,
}

impl Lowerer<'_, '_> {
    /// A place of the tree as a place of the source.
    pub(crate) fn at(&self, span: Span) -> Span {
        Span::new(span.start + self.offset, span.end + self.offset)
    }

    /// Reports an error whose places are those of the tree.
    pub(crate) fn report(&mut self, mut error: Error) {
        error = error.moved(self.offset);
        self.report_at(&error);
    }

    /// Reports an error whose places are those of the source.
    pub(crate) fn report_at(&mut self, error: &Error) {
        *self.readable = false;
        if self.reported.contains(error) {
            return;
        }
        self.source.report(error, self.errors);
        self.reported.push(error.clone());
    }

    pub(crate) fn field(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }

    pub(crate) fn field_kind(&self, field: usize) -> Kind {
        let field = &self.fields[field];
        if field.keys.has("media") {
            Kind::Media
        } else {
            kind::of(&field.ty)
        }
    }

    /// A variable for what is in an `Option`: it may have the name of its own field.
    pub(crate) fn fresh_of(&mut self, place: &Place) -> proc_macro2::Ident {
        let fields = self.fields;
        let own = match place.root {
            Root::Field(field) if place.rest.is_empty() => Some(field),
            _ => None,
        };
        let fields = fields
            .iter()
            .enumerate()
            .filter(|(index, _)| Some(*index) != own);
        self.names.fresh(&place.name, |ident| {
            fields.clone().any(|(_, field)| field.name == ident)
        })
    }

    /// A variable of generated code.
    pub(crate) fn fresh(&mut self, name: &str) -> proc_macro2::Ident {
        let fields = self.fields;
        self.names
            .fresh(name, |ident| fields.iter().any(|field| field.name == ident))
    }

    /// Ends a block; what was named in it and never used is a mistake.
    pub(crate) fn close(&mut self) {
        let names = self.names.close();
        // Where the block has errors, what they hide may be the use.
        for name in names {
            self.expect_used(&name);
        }
    }

    pub(crate) fn expect_used(&mut self, name: &Name) {
        if let Some((span, what)) = name.written
            && !name.used
            && !name.name.starts_with('_')
            && *self.readable
        {
            let error = problem::unused(Dialect::Jinja, &name.name, what).at(span);
            if !self.reported.contains(&error) {
                self.source.report(&error, self.errors);
                self.reported.push(error);
            }
        }
    }

    /// The name of a variable has to be used, unless it comes from an included file.
    pub(crate) fn written(&self, span: Span, what: Bound) -> Option<(Span, Bound)> {
        self.including.is_empty().then(|| (self.at(span), what))
    }
}
