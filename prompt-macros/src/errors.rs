//! The errors of one macro call, and their conversion to `compile_error!`.

use proc_macro2::{Span, TokenStream};
use prompt_syntax::problem::Problem;
use quote::{ToTokens, quote_spanned};

/// All that is wrong with one prompt. Each is reported on its own, in one build.
#[derive(Default)]
pub(crate) struct Errors {
    errors: Vec<(Span, String)>,
}

impl Errors {
    /// Adds a problem that rustc points at.
    #[allow(clippy::needless_pass_by_value)] // A problem is made to be reported.
    pub(crate) fn push(&mut self, span: Span, problem: Problem) {
        self.errors.push((span, problem.to_string()));
    }

    /// Adds a problem with its place in the template, drawn.
    pub(crate) fn push_drawn(&mut self, span: Span, drawn: String) {
        self.errors.push((span, drawn));
    }

    /// How many there are so far.
    pub(crate) fn count(&self) -> usize {
        self.errors.len()
    }

    /// Adds an error of syn's.
    pub(crate) fn push_syn(&mut self, error: syn::Error) {
        for error in error {
            self.errors.push((error.span(), error.to_string()));
        }
    }

    /// Nothing is wrong, or all that is.
    pub(crate) fn finish(self) -> Result<(), Errors> {
        if self.errors.is_empty() {
            Ok(())
        } else {
            Err(self)
        }
    }

    /// One `compile_error!` for each.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.into_token_stream()
    }
}

impl ToTokens for Errors {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for (span, message) in &self.errors {
            tokens.extend(quote_spanned!(*span=> ::core::compile_error! { #message }));
        }
    }
}

/// A problem, for what syn reads.
#[allow(clippy::needless_pass_by_value)]
pub(crate) fn unread(span: Span, problem: Problem) -> syn::Error {
    syn::Error::new(span, problem)
}
