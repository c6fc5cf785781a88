//! Where generated code finds the runtime.

use std::cell::OnceCell;

use proc_macro2::{Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Path;

/// The path of the runtime.
#[derive(Clone)]
pub(crate) struct Runtime {
    /// Its tokens. Each time that a `TokenStream` is put into another one, the compiler is asked thrice: that took a seventh
    /// of an expansion.
    tokens: OnceCell<Vec<TokenTree>>,
    /// Whether they are those of `USUAL`, with no places of their own.
    is_usual: bool,
}

/// The hidden module, where no prompt says `crate = path`.
const USUAL: &str = "::typed_prompt::__private";

impl Runtime {
    /// The hidden module of the crate at this path, which is `::typed_prompt` unless a prompt says another one.
    pub(crate) fn of(krate: Option<&Path>) -> Runtime {
        match krate {
            Some(path) => Runtime::made_of(quote!(#path::__private).into_iter().collect()),
            None => Runtime {
                tokens: OnceCell::new(),
                is_usual: true,
            },
        }
    }

    fn made_of(tokens: Vec<TokenTree>) -> Runtime {
        Runtime {
            tokens: OnceCell::from(tokens),
            is_usual: false,
        }
    }

    /// The same path, with errors about it at a place.
    pub(crate) fn at(&self, at: Span) -> Runtime {
        let mut tokens = self.tokens().clone();
        for token in &mut tokens {
            token.set_span(at.resolved_at(token.span()));
        }
        Runtime::made_of(tokens)
    }

    /// The path as text, unless its tokens have places of their own.
    pub(crate) fn text(&self) -> Option<&'static str> {
        self.is_usual.then_some(USUAL)
    }

    fn tokens(&self) -> &Vec<TokenTree> {
        let usual = || [segment("typed_prompt"), segment("__private")].concat();
        self.tokens.get_or_init(usual)
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
        tokens.extend(self.tokens().iter().cloned());
    }
}
