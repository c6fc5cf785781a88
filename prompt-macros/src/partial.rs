//! `#[derive(Partial)]`: a struct of the parts of a value that have arrived.

use proc_macro2::{Span, TokenStream};
use prompt_syntax::problem::{attribute, partial as problem};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::spanned::Spanned as _;
use syn::{Attribute, Data, DeriveInput, Field, Fields, Ident, LitStr, Path, Token, Type};

use crate::Errors;
use crate::emit::Runtime;
use crate::input::keys::crate_path;
use crate::input::skip_to_comma;
use crate::label::{NameSide, rename_key, rename_rule};
use crate::syn_error;
use crate::types::{TypeTokens, last_type_argument};

/// ```text
/// struct PartialMenu { name: Option<<String as Partial>::Partial>, … }
/// impl Partial for Menu {
///     type Partial = PartialMenu;
///     fn from_partial(value: &PartialValue<'_>) -> Option<PartialMenu> {
///         Some(PartialMenu { name: Partial::from_partial(&value.field("name")?), … })
///     }
/// }
/// ```
///
/// An enum, and a struct without named fields, are present once they are complete; a struct around one value has the parts of that value.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(item) = crate::input::read_item(item, &mut errors) else {
        return errors.into_tokens();
    };
    let keys = PartialKeys::read(&item.attrs, KeyTarget::Item, &mut errors);
    if let Some(parameter) = item.generics.params.first() {
        errors.push(parameter.span(), problem::partial_with_parameters());
        return errors.into_tokens();
    }
    let made = match &item.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => {
                named_struct(&item, fields.named.iter().collect(), &keys, &mut errors)
            }
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                let ty = &fields.unnamed[0].ty;
                implement(&item, &keys, |p| {
                    let part = quote_spanned!(ty.span()=> <#ty as #p::Partial>);
                    (quote!(#part::Partial), quote!(#part::from_partial(value)))
                })
            }
            _ => complete_item(&item, &keys),
        },
        Data::Enum(_) => complete_item(&item, &keys),
        Data::Union(data) => {
            errors.push(data.union_token.span, problem::partial_union());
            TokenStream::new()
        }
    };
    quote!(#errors #made)
}

fn complete_item(item: &DeriveInput, keys: &PartialKeys) -> TokenStream {
    implement(item, keys, |_| (quote!(Self), quote!(value.complete())))
}

/// The implementation, by the type of the part and the expression that reads it.
fn implement(
    item: &DeriveInput,
    keys: &PartialKeys,
    part: impl FnOnce(&Runtime) -> (TokenStream, TokenStream),
) -> TokenStream {
    let p = Runtime::new();
    let (ty, read) = part(&p);
    let items = implementation(item, &p, &ty, &read);
    p.enclose_items(keys.krate.as_ref(), items)
}

fn implementation(
    item: &DeriveInput,
    p: &Runtime,
    ty: &TokenStream,
    read: &TokenStream,
) -> TokenStream {
    let ident = &item.ident;
    let allowed = crate::input::allow_attributes(&crate::input::all_attributes(item));
    quote! {
        #[automatically_derived]
        #allowed
        impl #p::Partial for #ident {
            type Partial = #ty;

            fn from_partial(value: &#p::PartialValue<'_>) -> #p::Option<Self::Partial> {
                #read
            }
        }
    }
}

fn named_struct(
    item: &DeriveInput,
    fields: Vec<&Field>,
    keys: &PartialKeys,
    errors: &mut Errors,
) -> TokenStream {
    let rule = rename_rule(&item.attrs, NameSide::Deserialize, errors);
    let name = keys.name.clone();
    let name = name.unwrap_or_else(|| format_ident!("Partial{}", item.ident.unraw()));
    let p = Runtime::named_after(&name);
    let (mut declared, mut read) = (Vec::new(), Vec::new());
    for field in fields {
        let keys = PartialKeys::read(&field.attrs, KeyTarget::Field, errors);
        let serde = SerdeKeys::read(&field.attrs);
        if keys.skip || serde.skip {
            continue;
        }
        let (Some(ident), ty) = (&field.ident, &field.ty) else {
            continue;
        };
        if let Some(at) = serde.with {
            errors.push(at, problem::partial_with_function());
            continue;
        }
        let own = rename_key(&field.attrs, "rename", NameSide::Deserialize, errors);
        let json = match (own, rule) {
            (Some((name, _)), _) => name,
            (None, Some(rule)) => rule.of_field(&ident.unraw().to_string()),
            (None, None) => ident.unraw().to_string(),
        };
        let (part, parsed) = match keys.complete {
            true => {
                let ty = option_content(ty).unwrap_or(ty);
                (
                    quote!(#ty),
                    quote!(value.complete::<#p::Option<#ty>>().flatten()),
                )
            }
            false => {
                let trait_path = quote_spanned!(ty.span()=> <#ty as #p::Partial>);
                (
                    quote!(#trait_path::Partial),
                    quote!(#trait_path::from_partial(&value)),
                )
            }
        };
        let docs = field
            .attrs
            .iter()
            .filter(|each| each.path().is_ident("doc"));
        let vis = &field.vis;
        declared.push(quote!(#(#docs)* #vis #ident: #p::Option<#part>));
        let value = match serde.flatten {
            true => quote!(#p::Some(#p::core::clone::Clone::clone(value))),
            false => quote!(value.field(#json)),
        };
        read.push(quote!(#ident: #value.and_then(|value| #parsed)));
    }
    let (ident, vis, derives) = (&item.ident, &item.vis, &keys.derives);
    let doc = format!("The part of [`{}`] that has arrived.", ident.unraw());
    let allowed = crate::input::allow_attributes(&crate::input::all_attributes(item));
    let import = p.import_from(keys.krate.as_ref());
    let read = quote!(#p::Some(#name { #(#read,)* }));
    let implementation = implementation(item, &p, &quote!(#name), &read);
    quote! {
        #import

        #[doc = #doc]
        #[derive(#p::core::clone::Clone, #p::core::fmt::Debug #(, #derives)*)]
        #allowed
        #vis struct #name {
            #(#declared,)*
        }

        #implementation
    }
}

/// The type inside of an `Option`.
fn option_content(ty: &Type) -> Option<&Type> {
    match TypeTokens::from_type(ty) {
        TypeTokens::Path(last, name, _) if name == "Option" => last_type_argument(last),
        _ => None,
    }
}

/// The keys of serde that change how a field is read.
#[derive(Default)]
struct SerdeKeys {
    flatten: bool,
    skip: bool,
    with: Option<Span>,
}

impl SerdeKeys {
    /// serde reports mistakes in its attributes.
    fn read(attributes: &[Attribute]) -> SerdeKeys {
        let mut keys = SerdeKeys::default();
        for attribute in attributes {
            if !attribute.path().is_ident("serde") {
                continue;
            }
            let _ = attribute.parse_nested_meta(|meta| {
                let name = meta.path.get_ident().map(Ident::to_string);
                match name.as_deref() {
                    Some("flatten") => keys.flatten = true,
                    Some("skip" | "skip_deserializing") => keys.skip = true,
                    Some("with" | "deserialize_with") => keys.with = Some(meta.path.span()),
                    _ => {}
                }
                skip_to_comma(meta.input);
                Ok(())
            });
        }
        keys
    }
}

/// The item that `#[partial(…)]` is written on.
#[derive(Clone, Copy)]
enum KeyTarget {
    Item,
    Field,
}

impl KeyTarget {
    fn keys(self) -> &'static [&'static str] {
        match self {
            KeyTarget::Item => &["name", "derive", "crate"],
            KeyTarget::Field => &["complete", "skip"],
        }
    }
}

/// The keys of `#[partial(…)]`.
#[derive(Default)]
struct PartialKeys {
    name: Option<Ident>,
    derives: Vec<Path>,
    krate: Option<Path>,
    complete: bool,
    skip: bool,
}

impl PartialKeys {
    fn read(attributes: &[Attribute], on: KeyTarget, errors: &mut Errors) -> PartialKeys {
        let mut keys = PartialKeys::default();
        for attribute in attributes {
            if !attribute.path().is_ident("partial") {
                continue;
            }
            let Ok(list) = attribute.meta.require_list() else {
                let example = format!("`#[partial({})]`", example(on.keys()[0]));
                errors.push(
                    attribute.path().span(),
                    attribute::empty_attribute(&example),
                );
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
        on: KeyTarget,
        errors: &mut Errors,
    ) -> syn::Result<()> {
        while !input.is_empty() {
            let key = input.call(Ident::parse_any)?;
            let name = key.to_string();
            if on.keys().contains(&&*name) {
                self.read_key(&key, &name, input)?;
            } else {
                errors.push(key.span(), attribute::unknown_key("key", &name, on.keys()));
                skip_to_comma(input);
            }
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
                attribute::wrong_value_of_key(name, what, example(name)),
            )
        };
        match name {
            "complete" => self.complete = true,
            "skip" => self.skip = true,
            "crate" => self.krate = Some(crate_path(input, key)?),
            "derive" => {
                let content;
                syn::parenthesized!(content in input);
                let derives = content.parse_terminated(Path::parse_mod_style, Token![,])?;
                self.derives.extend(derives);
            }
            _ => {
                let what = "the name of a struct in quotes";
                input.parse::<Token![=]>().map_err(|_| takes(what))?;
                let name: LitStr = input.parse().map_err(|_| takes(what))?;
                self.name = Some(name.parse().map_err(|_| takes(what))?);
            }
        }
        match input.is_empty() || input.peek(Token![,]) {
            true => Ok(()),
            false => Err(takes("no value")),
        }
    }
}

/// A key as it is written.
fn example(key: &str) -> &'static str {
    match key {
        "name" => "name = \"MenuSoFar\"",
        "skip" => "skip",
        _ => "complete",
    }
}
