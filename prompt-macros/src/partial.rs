//! `#[derive(Partial)]`: a struct of the parts of a value that have arrived.

use proc_macro2::{Span, TokenStream};
use prompt_syntax::problem::{attribute, partial as problem};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Attribute, Data, DeriveInput, Field, Fields, Ident, LitStr, Path, Token, Type};

use crate::Errors;
use crate::emit::Runtime;
use crate::input::helper_keys::{AttributeTarget, HelperKeys};
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
/// A field without `Partial` is an error at each place that names its part. A bound of the struct and of the implementation, `where for<'a> Field: Partial`,
/// would make them one, but the compiler cannot prove that bound for a type that contains itself.
///
/// A struct around one value has the parts of that value. An enum, a tuple struct, and what a function of the program reads, are present once they
/// are complete.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(item) = crate::input::read_item(item, &mut errors) else {
        return errors.into_tokens();
    };
    let keys = PartialKeys::read(&item.attrs, ITEM, &mut errors);
    if let Some(parameter) = item.generics.params.first() {
        errors.push(parameter.span(), problem::partial_with_parameters());
        return errors.into_tokens();
    }
    let serde = SerdeKeys::read(&item.attrs);
    let made = match &item.data {
        Data::Union(data) => {
            errors.push(data.union_token.span, problem::partial_union());
            TokenStream::new()
        }
        Data::Struct(data) if !serde.other_type => match &data.fields {
            fields if serde.transparent => {
                implement_without_struct(&item, only_field(fields), &keys, &mut errors)
            }
            Fields::Named(fields) => {
                named_struct(&item, fields.named.iter().collect(), &keys, &mut errors)
            }
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                implement_without_struct(&item, fields.unnamed.first(), &keys, &mut errors)
            }
            _ => implement_without_struct(&item, None, &keys, &mut errors),
        },
        Data::Struct(_) | Data::Enum(_) => {
            implement_without_struct(&item, None, &keys, &mut errors)
        }
    };
    quote!(#errors #made)
}

/// The implementation for an item without a struct of its own: its parts are those of the field around which it is, if serde reads it as that
/// field, or it is present once it is complete.
fn implement_without_struct(
    item: &DeriveInput,
    around: Option<&Field>,
    keys: &PartialKeys,
    errors: &mut Errors,
) -> TokenStream {
    let around = around.filter(|field| {
        let serde = SerdeKeys::read(&field.attrs);
        !serde.skip && serde.with.is_none()
    });
    keys.expect_only(&["crate"], errors);
    let mut is_complete = false;
    for (attributes, field) in inner_attributes(item) {
        let keys = PartialKeys::read(attributes, FIELD, errors);
        let is_around = field.zip(around).is_some_and(|(a, b)| std::ptr::eq(a, b));
        match is_around {
            true => {
                keys.expect_only(&["complete"], errors);
                is_complete = keys.complete;
            }
            false => keys.expect_only(&[], errors),
        }
    }
    implement(item, keys, |p| match around {
        Some(field) => part_of_field(p, &field.ty, is_complete, &quote!(value)),
        None => (quote!(Self), quote!(value.complete())),
    })
}

/// The attributes of the variants and fields of an item, with the field.
fn inner_attributes<'a>(item: &'a DeriveInput) -> Vec<(&'a [Attribute], Option<&'a Field>)> {
    let of_fields = |fields: &'a Fields| fields.iter().map(|field| (&field.attrs[..], Some(field)));
    match &item.data {
        Data::Struct(data) => of_fields(&data.fields).collect(),
        Data::Enum(data) => {
            let variants = data.variants.iter();
            let each = variants.flat_map(|variant| {
                std::iter::once((&variant.attrs[..], None)).chain(of_fields(&variant.fields))
            });
            each.collect()
        }
        Data::Union(_) => Vec::new(),
    }
}

/// The field that a struct with `#[serde(transparent)]` is read as; serde reports a struct without exactly one.
fn only_field(fields: &Fields) -> Option<&Field> {
    let mut read = fields.iter().filter(|field| {
        let serde = SerdeKeys::read(&field.attrs);
        let ty = TypeTokens::from_type(&field.ty);
        let is_marker = matches!(ty, TypeTokens::Path(_, name, _) if name == "PhantomData");
        !(serde.skip || serde.default || is_marker)
    });
    let first = read.next()?;
    read.next().is_none().then_some(first)
}

/// The type of the part of a field, and the expression that reads it from `value`, a reference.
fn part_of_field(
    p: &Runtime,
    ty: &Type,
    is_complete: bool,
    value: &TokenStream,
) -> (TokenStream, TokenStream) {
    match is_complete {
        true => {
            let ty = option_content(ty).unwrap_or(ty);
            let read = quote!(#p::PartialValue::complete::<#p::Option<#ty>>(#value).flatten());
            (quote!(#ty), read)
        }
        false => {
            let part = quote_spanned!(ty.span()=> <#ty as #p::Partial>);
            (quote!(#part::Partial), quote!(#part::from_partial(#value)))
        }
    }
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
        let keys = PartialKeys::read(&field.attrs, FIELD, errors);
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
        let (part, parsed) = part_of_field(&p, ty, keys.complete, &quote!(&value));
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

/// The keys of serde that change how an item or a field is read.
#[derive(Default)]
struct SerdeKeys {
    /// The item is read as its only field.
    transparent: bool,
    /// The item is made from a value of another type.
    other_type: bool,
    default: bool,
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
                    Some("transparent") => keys.transparent = true,
                    Some("from" | "try_from") => keys.other_type = true,
                    Some("default") => keys.default = true,
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

const ITEM: &AttributeTarget = &AttributeTarget {
    name: "a type",
    keys: &["name", "derive", "crate"],
};
const FIELD: &AttributeTarget = &AttributeTarget {
    name: "a field",
    keys: &["complete", "skip"],
};

/// The keys of `#[partial(…)]`.
#[derive(Default)]
struct PartialKeys {
    /// The keys as they are written.
    written: Vec<Ident>,
    name: Option<Ident>,
    derives: Vec<Path>,
    krate: Option<Path>,
    complete: bool,
    skip: bool,
}

impl PartialKeys {
    /// Reports the other keys, which have no effect where no struct is generated.
    fn expect_only(&self, names: &[&str], errors: &mut Errors) {
        for key in &self.written {
            let name = key.to_string();
            if !names.contains(&&*name) {
                errors.push(key.span(), problem::partial_key_without_struct(&name));
            }
        }
    }
}

impl HelperKeys for PartialKeys {
    const ATTRIBUTE: &'static str = "partial";
    const TARGETS: &'static [&'static AttributeTarget] = &[ITEM, FIELD];

    fn key_example(key: &str) -> &'static str {
        match key {
            "name" => "name = \"MenuSoFar\"",
            "derive" => "derive(Debug)",
            "crate" => "crate = \"…\"",
            "skip" => "skip",
            _ => "complete",
        }
    }

    fn read_key(&mut self, key: &Ident, name: &str, input: ParseStream<'_>) -> syn::Result<()> {
        let takes = |what: &str| {
            syn_error(
                key.span(),
                attribute::wrong_value_of_key(name, what, Self::key_example(name)),
            )
        };
        match name {
            "crate" => self.krate = Some(crate_path(input, key)?),
            "derive" => {
                let content;
                syn::parenthesized!(content in input);
                let derives = content.parse_terminated(Path::parse_mod_style, Token![,])?;
                self.derives.extend(derives);
            }
            "name" => {
                let what = "the name of a struct in quotes";
                input.parse::<Token![=]>().map_err(|_| takes(what))?;
                let name: LitStr = input.parse().map_err(|_| takes(what))?;
                self.name = Some(name.parse().map_err(|_| takes(what))?);
            }
            _ => {
                match name {
                    "complete" => self.complete = true,
                    _ => self.skip = true,
                }
                if !input.is_empty() && !input.peek(Token![,]) {
                    return Err(takes("no value"));
                }
            }
        }
        self.written.push(key.clone());
        Ok(())
    }
}
