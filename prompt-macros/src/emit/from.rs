//! `#[prompt(from)]`: conversions of one value into a prompt with one field.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{GenericArgument, Lifetime, PathArguments, Type};

use super::{Runtime, is_string, mentions_any, type_parameters};
use crate::input::Input;
use crate::types::{TypeTokens, last_type_argument};

/// Expands to `From` for each type that converts into the only field of a struct, for `#[prompt(from)]`.
pub(super) fn from(input: &Input) -> Option<TokenStream> {
    let [case] = &input.cases[..] else {
        return None;
    };
    let [field] = &case.fields[..] else {
        return None;
    };
    if input.is_enum || field.key_without_slot().is_some() {
        return None;
    }
    let p = input.runtime();
    let (ident, name) = (&input.ident, &field.ident);
    let (parameters, arguments, clause) = input.generics.split_for_impl();
    let mut tokens = TokenStream::new();
    let allowed = &input.allowed;
    for (given, value) in accepted_types(&field.ty, input, &p) {
        tokens.extend(quote! {
            #[automatically_derived]
            #allowed
            impl #parameters #p::core::convert::From<#given> for #ident #arguments #clause {
                fn from(value: #given) -> Self {
                    Self { #name: #value }
                }
            }
        });
    }
    Some(tokens)
}

/// The types that `From` accepts, each with the field's value computed from it.
fn accepted_types(ty: &Type, input: &Input, p: &Runtime) -> Vec<(TokenStream, TokenStream)> {
    let converted = |given| (given, quote!(#p::core::convert::Into::into(value)));
    let mut ways = Vec::new();
    if is_string(ty) {
        ways.push(converted(quote!(&str)));
    } else if let Some(lifetime) = shared_text(ty) {
        ways.push(converted(quote!(&#lifetime str)));
        ways.push(converted(quote!(#p::String)));
    }
    let is_parameter = |ty: &Type| {
        let mut parameters = input.generics.type_params();
        parameters
            .any(|parameter| matches!(ty, Type::Path(path) if path.path.is_ident(&parameter.ident)))
    };
    // `impl From<T::Item> for Ask<T>` may overlap with `impl From<T> for T`.
    let names = type_parameters(&input.generics);
    if is_parameter(ty) || !mentions_any(quote!(#ty), &names) {
        ways.push((quote!(#ty), quote!(value)));
    }
    ways
}

/// The lifetime of a `Cow<'a, str>`; a `Box<str>`, `Rc<str>` or `Arc<str>` has none.
fn shared_text(ty: &Type) -> Option<Option<&Lifetime>> {
    let (Type::Path(_), TypeTokens::Path(last, name, _)) = (ty, TypeTokens::from_type(ty)) else {
        return None;
    };
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let lifetime = match arguments.args.first()? {
        GenericArgument::Lifetime(lifetime) => Some(lifetime),
        _ => None,
    };
    let is_shared = match name.as_str() {
        "Cow" => lifetime.is_some(),
        name => ["Box", "Rc", "Arc"].contains(&name),
    };
    let is_str = |ty: &Type| matches!(ty, Type::Path(path) if path.path.is_ident("str"));
    (is_shared && last_type_argument(last).is_some_and(is_str)).then_some(lifetime)
}
