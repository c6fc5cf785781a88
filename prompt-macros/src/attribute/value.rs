//! What stands behind a key.

use prompt_syntax::Dialect;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Ident, LitStr, Token};

use crate::quoted::Quoted;

pub(crate) fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        let _ = input.parse::<proc_macro2::TokenTree>();
    }
}

/// `= "…"`, or the text alone where it comes first.
pub(super) fn text(input: ParseStream<'_>, key: &Ident) -> syn::Result<Quoted> {
    if key == "template" && input.peek(LitStr) {
        return input.parse();
    }
    equals(input, key, "a text", &format!("{key} = \"…\""))?;
    let at = input.span();
    input.parse::<Quoted>().map_err(|_| {
        let path = if key == "file" { "a path in quotes" } else { "a text in quotes" };
        let word = input.parse::<Ident>().map(|word| word.to_string());
        let help = if key == "syntax" {
            let name = word.ok().filter(|word| Dialect::from_name(word).is_some());
            format!("write `syntax = \"{}\"`", name.as_deref().unwrap_or("angle"))
        } else if word.is_ok_and(|word| word == "include_str") {
            "write `file = \"…\"`, with the path from the folder of Cargo.toml".to_owned()
        } else {
            format!("write `{key} = \"…\"`: the compiler checks what it can read here, and no constant or call")
        };
        syn::Error::new(at, format!("`{key}` takes {path}\n  = help: {help}"))
    })
}

/// `= true` or `= false`; the key alone is `true`.
pub(super) fn flag(input: ParseStream<'_>, key: &Ident) -> syn::Result<bool> {
    if !input.peek(Token![=]) {
        return Ok(true);
    }
    input.parse::<Token![=]>()?;
    let at = input.span();
    input
        .parse::<syn::LitBool>()
        .map(|value| value.value)
        .map_err(|_| {
            let message =
                format!("`{key}` takes `true` or `false`\n  = help: write `{key} = true`");
            syn::Error::new(at, message)
        })
}

/// A name without quotes.
pub(super) fn word(input: ParseStream<'_>) -> syn::Result<Ident> {
    let at = input.span();
    Ident::parse_any(input).map_err(|_| {
        let example = input
            .parse::<Quoted>()
            .map_or("llama3".to_owned(), |text| text.value());
        let message =
            format!("`format` takes a name without quotes\n  = help: write `format = {example}`");
        syn::Error::new(at, message)
    })
}

/// A key that is a word alone.
pub(super) fn expect_bare(key: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
    if !input.peek(Token![=]) {
        return Ok(());
    }
    let message = format!("`{key}` takes no value\n  = help: write `#[prompt({key})]`");
    Err(syn::Error::new(key.span(), message))
}

/// The `=` behind a key.
pub(super) fn equals(
    input: ParseStream<'_>,
    key: &Ident,
    what: &str,
    example: &str,
) -> syn::Result<()> {
    if input.parse::<Token![=]>().is_ok() {
        return Ok(());
    }
    let message = format!("`{key}` takes {what}\n  = help: write `{example}`");
    Err(syn::Error::new(key.span(), message))
}
