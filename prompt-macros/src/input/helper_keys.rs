//! The keys of helper attributes such as `#[tool(…)]` and `#[partial(…)]`, one by one. A key that cannot be read is reported and skipped.

use prompt_syntax::problem::attribute as problem;
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::spanned::Spanned as _;
use syn::{Attribute, Ident, Token};

use super::skip_to_comma;
use crate::Errors;

/// A kind of item that a helper attribute is written on.
#[derive(PartialEq, Eq)]
pub(crate) struct AttributeTarget {
    /// Its name in errors: `a field`.
    pub(crate) name: &'static str,
    pub(crate) keys: &'static [&'static str],
}

/// The keys of a helper attribute.
pub(crate) trait HelperKeys: Default {
    /// The name of the attribute.
    const ATTRIBUTE: &'static str;
    /// The items that it is written on.
    const TARGETS: &'static [&'static AttributeTarget];

    /// A key as it is written.
    fn key_example(key: &str) -> &'static str;

    /// Reads the value of a key that its target has.
    fn read_key(&mut self, key: &Ident, name: &str, input: ParseStream<'_>) -> syn::Result<()>;

    /// Reads all attributes of an item with this name.
    fn read(
        attributes: &[Attribute],
        target: &'static AttributeTarget,
        errors: &mut Errors,
    ) -> Self {
        let mut keys = Self::default();
        let attributes = attributes.iter();
        let mut given = Vec::new();
        for attribute in attributes.filter(|attribute| attribute.path().is_ident(Self::ATTRIBUTE)) {
            let Ok(list) = attribute.meta.require_list() else {
                let example = Self::key_example(target.keys[0]);
                let example = format!("`#[{}({example})]`", Self::ATTRIBUTE);
                errors.push(attribute.path().span(), problem::empty_attribute(&example));
                continue;
            };
            let read =
                |input: ParseStream<'_>| read_list(&mut keys, &mut given, input, target, errors);
            if let Err(error) = read.parse2(list.tokens.clone()) {
                errors.push_syn(error);
            }
        }
        keys
    }
}

fn read_list<K: HelperKeys>(
    keys: &mut K,
    given: &mut Vec<String>,
    input: ParseStream<'_>,
    target: &'static AttributeTarget,
    errors: &mut Errors,
) -> syn::Result<()> {
    while !input.is_empty() {
        let key = input.call(Ident::parse_any)?;
        let name = key.to_string();
        if given.contains(&name) {
            errors.push(key.span(), problem::duplicate_key(&name));
        }
        if target.keys.contains(&&*name) {
            if let Err(error) = keys.read_key(&key, &name, input) {
                errors.push_syn(error);
                skip_to_comma(input);
            }
        } else {
            let mut others = K::TARGETS.iter();
            let problem = match others.find(|other| other.keys.contains(&&*name)) {
                Some(other) => problem::misplaced_key(&name, target.name, other.name),
                None => problem::unknown_key("key", &name, target.keys),
            };
            errors.push(key.span(), problem);
            skip_to_comma(input);
        }
        given.push(name);
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(())
}
