//! Where generated code finds the runtime.

use proc_macro2::{Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Path;

/// The path of the runtime, token by token.
///
/// A prompt names it twenty times. Each time that a `TokenStream` is put into another one, the compiler is asked thrice: that
/// took a seventh of an expansion.
#[derive(Clone)]
pub(crate) struct Runtime {
    path: Vec<TokenTree>,
}

impl Runtime {
    /// The hidden module of the crate at this path, which is `::typed_prompt` unless a prompt says another one.
    pub(crate) fn of(krate: Option<&Path>) -> Runtime {
        let path = match krate {
            Some(path) => quote!(#path::__private).into_iter().collect(),
            None => [segment("typed_prompt"), segment("__private")].concat(),
        };
        Runtime { path }
    }

    /// The same path, with errors about it at a place.
    pub(crate) fn at(&self, at: Span) -> Runtime {
        let mut path = self.path.clone();
        for token in &mut path {
            token.set_span(at.resolved_at(token.span()));
        }
        Runtime { path }
    }
}

impl Runtime {
    /// Adds the path of one of its items.
    pub(crate) fn item(&self, name: &str, tokens: &mut TokenStream) {
        self.to_tokens(tokens);
        tokens.extend(segment(name));
    }
}

/// `::name`
fn segment(name: &str) -> [TokenTree; 3] {
    [
        Punct::new(':', Spacing::Joint).into(),
        Punct::new(':', Spacing::Alone).into(),
        Ident::new(name, Span::call_site()).into(),
    ]
}

impl ToTokens for Runtime {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.path.iter().cloned());
    }
}
