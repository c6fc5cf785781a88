//! `#[prompt(from)]`: conversions of one value into a prompt with one field.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{GenericArgument, PathArguments, Type};

use super::{Runtime, is_string, mentions};
use crate::input::Input;

/// Expands to `From` for each type that converts into the only field of a struct with `#[prompt(from)]`.
pub(super) fn from(input: &Input) -> Option<TokenStream> {
    input.keys.from.as_ref()?;
    let [case] = &input.cases[..] else {
        return None;
    };
    let [field] = &case.fields[..] else {
        return None;
    };
    if input.is_enum || field.stands_apart().is_some() {
        return None;
    }
    let p = input.private();
    let (ident, name) = (&input.ident, &field.ident);
    let (parameters, arguments, clause) = input.generics.split_for_impl();
    let mut tokens = TokenStream::new();
    let allowed = &input.allowed;
    for FromConversion { given, value } in ways(&field.ty, input, &p) {
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

/// A type that `From` accepts, and the field's value computed from it.
struct FromConversion {
    given: TokenStream,
    value: TokenStream,
}

fn ways(ty: &Type, input: &Input, p: &Runtime) -> Vec<FromConversion> {
    let converted = |given: TokenStream| FromConversion {
        given,
        value: quote!(#p::core::convert::Into::into(value)),
    };
    let mut ways = Vec::new();
    if is_string(ty) {
        ways.push(converted(quote!(&str)));
    } else if let Some(lifetime) = text_of_cow(ty) {
        ways.push(converted(quote!(&#lifetime str)));
        ways.push(converted(quote!(#p::String)));
    } else if is_shared_text(ty) {
        ways.push(converted(quote!(&str)));
        ways.push(converted(quote!(#p::String)));
    }
    let is_parameter = |ty: &Type| {
        let mut parameters = input.generics.type_params();
        parameters
            .any(|parameter| matches!(ty, Type::Path(path) if path.path.is_ident(&parameter.ident)))
    };
    // `impl From<T::Item> for Ask<T>` may overlap with `impl From<T> for T`.
    let names: Vec<String> = input
        .generics
        .type_params()
        .map(|parameter| parameter.ident.to_string())
        .collect();
    if is_parameter(ty) || !mentions(quote!(#ty), &names) {
        ways.push(FromConversion {
            given: quote!(#ty),
            value: quote!(value),
        });
    }
    ways
}

/// The lifetime of a `Cow<'a, str>`.
fn text_of_cow(ty: &Type) -> Option<&syn::Lifetime> {
    let mut arguments = arguments(ty, &["Cow"])?;
    match (arguments.next()?, arguments.next()?) {
        (GenericArgument::Lifetime(lifetime), GenericArgument::Type(ty)) if is_str(ty) => {
            Some(lifetime)
        }
        _ => None,
    }
}

/// Whether a type is `Box<str>`, `Rc<str>` or `Arc<str>`.
fn is_shared_text(ty: &Type) -> bool {
    let argument = arguments(ty, &["Box", "Rc", "Arc"]).and_then(|mut arguments| arguments.next());
    matches!(argument, Some(GenericArgument::Type(ty)) if is_str(ty))
}

fn is_str(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident("str"))
}

/// The arguments of a type of one of these names.
fn arguments<'a>(
    ty: &'a Type,
    names: &[&str],
) -> Option<impl Iterator<Item = &'a GenericArgument> + use<'a>> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    match &last.arguments {
        PathArguments::AngleBracketed(arguments) if names.iter().any(|name| last.ident == name) => {
            Some(arguments.args.iter())
        }
        _ => None,
    }
}
