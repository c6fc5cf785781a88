//! Lifetimes that an argument leaves out and a field must have.

use proc_macro2::{Ident, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Lifetime, Type};

/// Names each elided lifetime of a type (`&str`, `'_`) after its argument.
///
/// `names` are the names in use, `found` collects the new ones.
pub(super) fn name_elided_lifetimes(
    ty: &Type,
    argument: &Ident,
    names: &mut Vec<String>,
    found: &mut Vec<Lifetime>,
) -> Type {
    let mut namer = Namer {
        argument,
        names,
        found,
    };
    let before = namer.found.len();
    let tokens = namer.name_in_tokens(quote!(#ty));
    if namer.found.len() == before {
        return ty.clone();
    }
    // It was a type before, so lifetimes are where they are allowed.
    syn::parse2(tokens).unwrap_or_else(|_| ty.clone())
}

struct Namer<'a> {
    argument: &'a Ident,
    names: &'a mut Vec<String>,
    found: &'a mut Vec<Lifetime>,
}

impl Namer<'_> {
    fn name_in_tokens(&mut self, tokens: TokenStream) -> TokenStream {
        let mut written = TokenStream::new();
        let mut tokens = tokens.into_iter().peekable();
        // The lifetimes of `fn(&str) -> &str` and `Fn(&str) -> &str` are their own.
        let mut own = false;
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Punct(mark) if mark.as_char() == '&' => {
                    let at = mark.span();
                    written.extend([TokenTree::Punct(mark)]);
                    let next = tokens.peek();
                    if !matches!(next, Some(TokenTree::Punct(quote)) if quote.as_char() == '\'') {
                        self.fresh_lifetime(at).to_tokens(&mut written);
                    }
                }
                TokenTree::Punct(mark)
                    if mark.as_char() == '\''
                        && matches!(tokens.peek(), Some(TokenTree::Ident(name)) if name == "_") =>
                {
                    tokens.next();
                    self.fresh_lifetime(mark.span()).to_tokens(&mut written);
                }
                TokenTree::Group(group) if !own => {
                    let inner = self.name_in_tokens(group.stream());
                    let mut copy = proc_macro2::Group::new(group.delimiter(), inner);
                    copy.set_span(group.span());
                    written.extend([TokenTree::Group(copy)]);
                }
                TokenTree::Ident(ident) => {
                    own = ident == "fn" || ident.to_string().starts_with("Fn");
                    written.extend([TokenTree::Ident(ident)]);
                    continue;
                }
                TokenTree::Punct(mark)
                    if mark.as_char() == '-' && mark.spacing() == Spacing::Joint =>
                {
                    // The return type of a function is kept unchanged: its elided lifetimes cannot be named.
                    written.extend([TokenTree::Punct(mark)]);
                    written.extend(tokens);
                    break;
                }
                other => written.extend([other]),
            }
            own = false;
        }
        written
    }

    fn fresh_lifetime(&mut self, at: proc_macro2::Span) -> Lifetime {
        let mut name = self.argument.to_string();
        if let Some(raw) = name.strip_prefix("r#") {
            name = format!("{raw}_");
        }
        while self.names.contains(&name) || name == "static" {
            name.push('_');
        }
        self.names.push(name.clone());
        let lifetime = Lifetime::new(&format!("'{name}"), at);
        self.found.push(lifetime.clone());
        lifetime
    }
}
