//! What stands behind a key.

use prompt_syntax::family;
use prompt_syntax::problem::attribute as problem;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Ident, LitStr, Path, Token};

use crate::errors::unread;
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
        let word = input.parse::<Ident>().map(|word| word.to_string());
        let problem = problem::no_text(&key.to_string(), word.ok().as_deref());
        unread(at, problem)
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
            let key = key.to_string();
            let problem = problem::takes(&key, "`true` or `false`", &format!("{key} = true"));
            unread(at, problem)
        })
}

/// The format in `format = …`.
pub(super) enum FormatName {
    /// The name of a model family.
    Name(Ident),
    /// The path of a constant `Family`.
    Path(Path),
}

/// A name without quotes, or the path of a constant. The constants of the module `format` have names, whose errors are
/// drawn in the template.
pub(super) fn format(input: ParseStream<'_>) -> syn::Result<FormatName> {
    let at = input.span();
    if input.peek(Token![::]) || input.peek2(Token![::]) {
        let path = Path::parse_mod_style(input)?;
        let mut names = path.segments.iter().rev().map(|it| it.ident.to_string());
        let (last, module) = (names.next().unwrap_or_default(), names.next());
        return match module.as_deref() {
            Some("format") => Err(unread(at, problem::path_of_format(&last.to_lowercase()))),
            _ => Ok(FormatName::Path(path)),
        };
    }
    let name = Ident::parse_any(input).map_err(|_| {
        let example = input
            .parse::<Quoted>()
            .map_or("llama3".to_owned(), |text| text.value());
        unread(at, problem::quoted_format(&example))
    })?;
    let text = name.to_string();
    let is_constant = !text.contains(char::is_lowercase);
    Ok(match family::by_name(&text.to_lowercase()) {
        None if is_constant => FormatName::Path(name.into()),
        _ => FormatName::Name(name),
    })
}

/// A key that is a word alone.
pub(super) fn expect_bare(key: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
    if !input.peek(Token![=]) {
        return Ok(());
    }
    let name = key.to_string();
    let problem = problem::takes(&name, "no value", &format!("#[prompt({name})]"));
    Err(unread(key.span(), problem))
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
    let problem = problem::takes(&key.to_string(), what, example);
    Err(unread(key.span(), problem))
}
