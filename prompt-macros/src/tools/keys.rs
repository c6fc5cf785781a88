//! `#[tool(…)]`.

use proc_macro2::Span;
use prompt_syntax::problem::attribute as problem;
use syn::parse::ParseStream;
use syn::{Ident, LitStr, Path, Token};

use crate::input::helper_keys::{AttributeTarget, HelperKeys};
use crate::input::keys::crate_path;
use crate::syn_error;

pub(super) const ENUM: &AttributeTarget = &AttributeTarget {
    name: "an enum",
    keys: &["crate"],
};
pub(super) const VARIANT: &AttributeTarget = &AttributeTarget {
    name: "a variant",
    keys: &["name", "consequential"],
};
pub(super) const FIELD: &AttributeTarget = &AttributeTarget {
    name: "a field",
    keys: &["name", "default"],
};

/// The keys of `#[tool(…)]`.
#[derive(Default)]
pub(super) struct ToolKeys {
    pub(super) name: Option<LitStr>,
    pub(super) default: bool,
    pub(super) consequential: bool,
    pub(super) krate: Option<Path>,
    /// The span of the first key.
    pub(super) at: Option<Span>,
}

impl HelperKeys for ToolKeys {
    const ATTRIBUTE: &'static str = "tool";
    const TARGETS: &'static [&'static AttributeTarget] = &[ENUM, VARIANT, FIELD];

    fn key_example(key: &str) -> &'static str {
        match key {
            "crate" => "crate = \"…\"",
            "name" => "name = \"…\"",
            "consequential" => "consequential",
            _ => "default",
        }
    }

    fn read_key(&mut self, key: &Ident, name: &str, input: ParseStream<'_>) -> syn::Result<()> {
        self.at.get_or_insert(key.span());
        let takes = |what: &str| {
            let problem = problem::wrong_value_of_key(name, what, Self::key_example(name));
            syn_error(key.span(), problem)
        };
        match name {
            "crate" => self.krate = Some(crate_path(input, key)?),
            "name" => {
                let what = "a quoted string";
                input.parse::<Token![=]>().map_err(|_| takes(what))?;
                self.name = Some(input.parse().map_err(|_| takes(what))?);
            }
            _ => {
                match name {
                    "default" => self.default = true,
                    _ => self.consequential = true,
                }
                if input.peek(Token![=]) {
                    return Err(takes("no value"));
                }
            }
        }
        Ok(())
    }
}
