//! What every prompt has many times, made of tokens one by one.
//!
//! A stream that is put into a `quote!` asks the compiler three times, and macros run unoptimised: a group, or a token that is
//! pushed, waits until all around it is there.

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

use super::Emitter;

impl Emitter<'_> {
    /// Adds `out.method(arguments);`.
    pub(super) fn calls(&self, method: &str, arguments: TokenStream, tokens: &mut TokenStream) {
        tokens.extend([
            TokenTree::from(self.out.clone()),
            Punct::new('.', Spacing::Alone).into(),
            Ident::new(method, Span::call_site()).into(),
            Group::new(Delimiter::Parenthesis, arguments).into(),
            Punct::new(';', Spacing::Alone).into(),
        ]);
    }
}

/// Tokens between braces.
pub(super) fn braced(tokens: TokenStream) -> Group {
    Group::new(Delimiter::Brace, tokens)
}
