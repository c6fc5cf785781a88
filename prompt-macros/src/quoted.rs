//! A text in quotes, as it was written.

use proc_macro2::{Literal, Span};
use syn::parse::{Parse, ParseStream};
use syn::{Lit, LitStr};

use crate::locate::Cooked;

/// A string literal whose value is read when it is asked for.
///
/// A `LitStr` is taken apart character by character when it is parsed. Most builds run macros without optimisations, where
/// that took a tenth of the time of an expansion; and a template's text is read with its places anyway.
#[derive(Clone)]
pub(crate) struct Quoted {
    token: Literal,
}

impl Quoted {
    /// The characters between the quotes, with what escapes stand for.
    pub(crate) fn value(&self) -> String {
        let token = self.token.to_string();
        Cooked::read(&token).map_or_else(
            // Such as one with a suffix.
            || match Lit::new(self.token.clone()) {
                Lit::Str(literal) => literal.value(),
                _ => String::new(),
            },
            |cooked| cooked.value,
        )
    }

    pub(crate) fn span(&self) -> Span {
        self.token.span()
    }

    pub(crate) fn token(&self) -> &Literal {
        &self.token
    }

    /// The token, if Rust takes it as an expression.
    pub(crate) fn without_suffix(&self) -> Option<&Literal> {
        let ends = self.token.to_string().ends_with(['"', '#']);
        ends.then_some(&self.token)
    }
}

impl From<&LitStr> for Quoted {
    fn from(literal: &LitStr) -> Quoted {
        Quoted {
            token: literal.token(),
        }
    }
}

impl Parse for Quoted {
    fn parse(input: ParseStream<'_>) -> syn::Result<Quoted> {
        input.step(|cursor| match cursor.literal() {
            Some((token, rest)) if is_text(&token.to_string()) => Ok((Quoted { token }, rest)),
            _ => Err(cursor.error("expected string literal")),
        })
    }
}

/// Whether a literal is `"…"`, `r"…"` or `r#"…"#`.
fn is_text(token: &str) -> bool {
    token.starts_with('"') || token.starts_with("r\"") || token.starts_with("r#")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(token: &str, value: Option<&str>) {
        let read = syn::parse_str::<Quoted>(token).ok();
        assert_eq!(read.map(|read| read.value()).as_deref(), value);
        let by_syn = syn::parse_str::<LitStr>(token).ok();
        assert_eq!(by_syn.map(|literal| literal.value()).as_deref(), value);
    }

    #[test]
    fn texts_are_those_of_syn() {
        check(r#""""#, Some(""));
        check(r#""a\tb\u{e9}""#, Some("a\tbé"));
        check(r###"r#"a "quoted" \t"#"###, Some(r#"a "quoted" \t"#));
        check(r#""a"suffix"#, Some("a"));
        for other in ["b\"a\"", "c\"a\"", "'a'", "1", "a", "r#type", ""] {
            check(other, None);
        }
    }
}
