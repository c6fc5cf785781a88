//! How an expansion names the runtime of typed-prompt.
//!
//! A macro cannot find out by which name a package depends on typed-prompt, so it is `::typed_prompt` unless the key `crate` names
//! another path. Each expansion imports the runtime once and reaches all else through this import: rustc reports nothing about
//! paths that begin with an unresolved import, so that a missing or renamed crate is one error.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Path;
use syn::ext::IdentExt as _;

/// The name of the import.
const ALIAS: &str = "_typed_prompt";

/// The macro that writes the default import. rustc prints its name in the error about a missing crate, which is the only text of
/// such an error that a macro can choose.
const HINT: &str = "if_typed_prompt_is_renamed__add_the_key__crate_equals_its_path";

/// The hidden module of typed-prompt, under the name that the expansion imports it by.
#[derive(Clone)]
pub(crate) struct Runtime {
    alias: Ident,
}

impl Runtime {
    /// The runtime in a block of the expansion.
    pub(crate) fn new() -> Runtime {
        Runtime {
            alias: Ident::new(ALIAS, Span::call_site()),
        }
    }

    /// The runtime next to an item whose fields name it too: a module may have several.
    pub(crate) fn named_after(item: &Ident) -> Runtime {
        let name = format!("{ALIAS}_{}", item.unraw());
        Runtime {
            alias: Ident::new(&name, Span::call_site()),
        }
    }

    /// The same name with a span for errors.
    pub(crate) fn with_span(&self, at: Span) -> Runtime {
        let mut alias = self.alias.clone();
        alias.set_span(at.resolved_at(alias.span()));
        Runtime { alias }
    }

    /// The name of the import, as text.
    pub(crate) fn name(&self) -> String {
        self.alias.to_string()
    }

    /// The import, from the path of the key `crate` or from `::typed_prompt`.
    pub(crate) fn import_from(&self, krate: Option<&Path>) -> TokenStream {
        let alias = &self.alias;
        if let Some(path) = krate {
            return quote!(use #path::__private as #alias;);
        }
        let hint = Ident::new(HINT, Span::call_site());
        quote! {
            macro_rules! #hint {
                () => { use ::typed_prompt::__private as #alias; };
            }
            #hint! {}
        }
    }

    /// Items in a block of their own, behind the import.
    pub(crate) fn enclose_items(&self, krate: Option<&Path>, items: TokenStream) -> TokenStream {
        if items.is_empty() {
            return items;
        }
        let import = self.import_from(krate);
        quote!(const _: () = { #import #items };)
    }
}

impl ToTokens for Runtime {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.alias.to_tokens(tokens);
    }
}
