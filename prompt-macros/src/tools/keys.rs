//! `#[tool(…)]`: its keys, one by one. A key that cannot be read is reported and skipped.

use proc_macro2::Span;
use prompt_syntax::problem::attribute as problem;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Ident, LitStr, Path, Token};

use crate::Errors;
use crate::input::keys::crate_path;
use crate::input::skip_to_comma;
use crate::syn_error;

/// The item that an attribute is written on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AttributeTarget {
    Enum,
    Variant,
    Field,
}

impl AttributeTarget {
    const ALL: [AttributeTarget; 3] = [
        AttributeTarget::Enum,
        AttributeTarget::Variant,
        AttributeTarget::Field,
    ];

    fn name(self) -> &'static str {
        match self {
            AttributeTarget::Enum => "an enum",
            AttributeTarget::Variant => "a variant",
            AttributeTarget::Field => "a field",
        }
    }

    fn keys(self) -> &'static [&'static str] {
        match self {
            AttributeTarget::Enum => &["crate"],
            AttributeTarget::Variant => &["name", "consequential"],
            AttributeTarget::Field => &["name", "default"],
        }
    }
}

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

impl ToolKeys {
    pub(super) fn read(
        attributes: &[Attribute],
        on: AttributeTarget,
        errors: &mut Errors,
    ) -> ToolKeys {
        let mut keys = ToolKeys::default();
        for attribute in attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident("tool"))
        {
            let Ok(list) = attribute.meta.require_list() else {
                let at = attribute.path().segments[0].ident.span();
                let example = format!("`#[tool({})]`", key_example(on.keys()[0]));
                errors.push(at, problem::empty_attribute(&example));
                continue;
            };
            let each = |input: ParseStream<'_>| keys.each(input, on, errors);
            if let Err(error) = each.parse2(list.tokens.clone()) {
                errors.push_syn(error);
            }
        }
        keys
    }

    fn each(
        &mut self,
        input: ParseStream<'_>,
        on: AttributeTarget,
        errors: &mut Errors,
    ) -> syn::Result<()> {
        let mut given: Vec<String> = Vec::new();
        while !input.is_empty() {
            let key = input.call(Ident::parse_any)?;
            let name = key.to_string();
            self.at.get_or_insert(key.span());
            if given.contains(&name) {
                errors.push(key.span(), problem::duplicate_key(&name));
            }
            if on.keys().contains(&&*name) {
                if let Err(error) = self.read_key(&key, &name, input) {
                    errors.push_syn(error);
                    skip_to_comma(input);
                }
            } else {
                report_misplaced(&key, &name, on, errors);
                skip_to_comma(input);
            }
            given.push(name);
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }

    fn read_key(&mut self, key: &Ident, name: &str, input: ParseStream<'_>) -> syn::Result<()> {
        let takes = |what: &str| {
            syn_error(
                key.span(),
                problem::wrong_value_of_key(name, what, key_example(name)),
            )
        };
        if let "default" | "consequential" = name {
            match name {
                "default" => self.default = true,
                _ => self.consequential = true,
            }
            return if input.peek(Token![=]) {
                Err(takes("no value"))
            } else {
                Ok(())
            };
        }
        if name == "crate" {
            self.krate = Some(crate_path(input, key)?);
        } else {
            let what = "a quoted string";
            input.parse::<Token![=]>().map_err(|_| takes(what))?;
            self.name = Some(input.parse().map_err(|_| takes(what))?);
        }
        Ok(())
    }
}

/// A key as it is written.
fn key_example(key: &str) -> &'static str {
    match key {
        "name" => "name = \"…\"",
        "consequential" => "consequential",
        _ => "default",
    }
}

fn report_misplaced(key: &Ident, name: &str, on: AttributeTarget, errors: &mut Errors) {
    let elsewhere = AttributeTarget::ALL
        .into_iter()
        .find(|target| target.keys().contains(&name));
    let problem = match elsewhere {
        Some(target) => problem::misplaced_key(name, on.name(), target.name()),
        None => problem::unknown_key("key", name, on.keys()),
    };
    errors.push(key.span(), problem);
}
