use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};

/// All that is wrong with one prompt. Each is reported on its own, in one build.
#[derive(Default)]
pub(crate) struct Errors {
    errors: Vec<(Span, String)>,
}

impl Errors {
    /// Adds an error that rustc points at.
    pub(crate) fn push(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push((span, message.into()));
    }

    /// Adds an error with what to type instead.
    pub(crate) fn push_help(
        &mut self,
        span: Span,
        message: impl AsRef<str>,
        help: impl AsRef<str>,
    ) {
        self.push(
            span,
            format!("{}\n  = help: {}", message.as_ref(), help.as_ref()),
        );
    }

    /// How many there are so far.
    pub(crate) fn count(&self) -> usize {
        self.errors.len()
    }

    /// Adds an error of syn's.
    pub(crate) fn push_syn(&mut self, error: syn::Error) {
        for error in error {
            self.push(error.span(), error.to_string());
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
        let errors = self
            .errors
            .into_iter()
            .map(|(span, message)| quote_spanned!(span=> ::core::compile_error! { #message }));
        errors.collect()
    }
}

impl ToTokens for Errors {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for (span, message) in &self.errors {
            tokens.extend(quote_spanned!(*span=> ::core::compile_error! { #message }));
        }
    }
}
