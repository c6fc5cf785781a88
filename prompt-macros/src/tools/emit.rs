//! Code generation for a set of tools. It cannot fail: all errors are found before.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned;

use super::item::{ToolParameter, ToolVariant, ToolsItem, VariantFields};
use crate::emit::Runtime;

/// ```text
/// const _: () = {
///     static __SET: Once = …;
///     fn __set() -> Result<&'static Set> { Set::get(&__SET, |set| set.tool("add", …)) }
///     impl Tools for Action { … }
/// };
/// ```
pub(super) fn emit_tools(item: &ToolsItem) -> TokenStream {
    let p = &Runtime::new();
    let import = p.import_from(item.krate.as_ref());
    let (ident, allowed) = (&item.ident, &item.allowed);
    let tools = item.variants.iter().map(|variant| {
        let (name, doc) = (&variant.name.text, &variant.doc);
        let parameters = parameters_code(&variant.shape, p);
        quote!(.tool(#name, &[#(#doc),*], #parameters))
    });
    let read = parse_body(&item.variants, p);
    let consequential = item.variants.iter().filter(|variant| variant.consequential);
    let names: Vec<_> = consequential.map(|variant| &variant.name.text).collect();
    let consequential = (!names.is_empty())
        .then(|| quote!(const CONSEQUENTIAL: &'static [&'static str] = &[#(#names),*];));
    quote! {
        #allowed
        const _: () = {
            #import
            static __SET: #p::tools::Once = #p::tools::Once::new();

            fn __set() -> #p::Result<&'static #p::tools::Set> {
                #p::tools::Set::get(&__SET, |set| set #(#tools)*)
            }

            #[automatically_derived]
            impl #p::tools::Tools for #ident {
                #consequential

                fn tools() -> #p::Result<#p::tools::Vec<#p::tools::Tool>> {
                    #p::Result::Ok(__set()?.tools().to_vec())
                }

                fn parse(call: &#p::tools::ToolCall) -> #p::Result<Self> {
                    #read
                }
            }
        };
    }
}

/// `Parameters::new().field("a", …)…`, or `Parameters::from_argument(…)`.
fn parameters_code(shape: &VariantFields, p: &Runtime) -> TokenStream {
    match shape {
        VariantFields::Unit => quote!(#p::tools::Parameters::new()),
        VariantFields::Whole(ty) => {
            let argument = argument_code(ty, p);
            quote!(#p::tools::Parameters::from_argument(#argument))
        }
        VariantFields::Fields(fields) => {
            let fields = fields.iter().map(|field| {
                let (name, doc, default) = (&field.name.text, &field.doc, field.default);
                let argument = argument_code(&field.ty, p);
                quote!(.field(#name, &[#(#doc),*], #default, #argument))
            });
            quote!(#p::tools::Parameters::new() #(#fields)*)
        }
    }
}

/// The same tokens wherever the type is used, so that a type that cannot be an argument is one error.
fn argument_code(ty: &Type, p: &Runtime) -> TokenStream {
    let (at, p) = (ty.span(), p.with_span(ty.span()));
    quote_spanned!(at=> &#p::tools::argument::<#ty>())
}

fn parse_body(variants: &[ToolVariant], p: &Runtime) -> TokenStream {
    let Some((last, others)) = variants.split_last() else {
        return TokenStream::new();
    };
    let takes = |variant: &ToolVariant| !matches!(variant.shape, VariantFields::Unit);
    let called = match variants.iter().any(takes) {
        true => quote!(let mut called = __set()?.parse(call)?;),
        false => quote!(let called = __set()?.parse(call)?;),
    };
    let arms = others.iter().enumerate().map(|(index, variant)| {
        let value = variant_value(variant, p);
        quote!(#index => #value,)
    });
    let last = variant_value(last, p);
    quote! {
        #called
        #p::Result::Ok(match called.index() {
            #(#arms)*
            _ => #last,
        })
    }
}

fn variant_value(variant: &ToolVariant, p: &Runtime) -> TokenStream {
    let ident = &variant.ident;
    match &variant.shape {
        VariantFields::Unit => quote!(Self::#ident),
        VariantFields::Whole(ty) => {
            let argument = argument_code(ty, p);
            quote!(Self::#ident(called.parse_whole(#argument)?))
        }
        VariantFields::Fields(fields) => {
            let fields = fields.iter().map(|field| take_field(field, p));
            quote!(Self::#ident { #(#fields),* })
        }
    }
}

fn take_field(field: &ToolParameter, p: &Runtime) -> TokenStream {
    let (ident, name) = (&field.ident, &field.name.text);
    let argument = argument_code(&field.ty, p);
    if field.default {
        quote_spanned!(field.ty.span()=> #ident: called.take_or_default(#name, #argument)?)
    } else {
        quote!(#ident: called.take(#name, #argument)?)
    }
}
