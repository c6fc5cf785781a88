//! `#[derive(ToValue)]`: a struct as a value of the Jinja dialect.

use proc_macro2::TokenStream;
use prompt_jinja_syntax::problem::tag as problem;
use quote::quote;
use syn::ext::IdentExt as _;
use syn::{Data, parse_quote};

use crate::Errors;
use crate::emit::Runtime;

/// Expands to the kinds of the fields, and a dict of their values.
///
/// ```text
/// impl ToValue for User {
///     fn kind() -> ValueKind { struct_kind(&[("name", <String as ToValue>::kind), …]) }
///     fn to_value(&self, source: Origin) -> Value<'_> { expr::record([("name", self.name.to_value(source)), …]) }
/// }
/// ```
pub(crate) fn implement_to_value(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(item) = crate::input::read_item(item, &mut errors) else {
        return errors.into_tokens();
    };
    let Data::Struct(syn::DataStruct {
        fields: syn::Fields::Named(fields),
        ..
    }) = &item.data
    else {
        let problem = problem::no_record(&item.ident.to_string());
        errors.push(item.ident.span(), problem);
        return errors.into_tokens();
    };
    let keys = crate::input::ItemKeys::read(&item.attrs, &mut Errors::default());
    let p = Runtime::new();
    let allowed = crate::input::allow_attributes(&crate::input::all_attributes(&item));
    let kinds = fields.named.iter().filter_map(|field| {
        let (name, ty) = (field.ident.as_ref()?.unraw().to_string(), &field.ty);
        Some(quote!((#name, <#ty as #p::expr::ToValue>::kind)))
    });
    let entries = fields.named.iter().filter_map(|field| {
        let ident = field.ident.as_ref()?;
        let (name, ty) = (ident.unraw().to_string(), &field.ty);
        Some(quote!((#name, <#ty as #p::expr::ToValue>::to_value(&self.#ident, source))))
    });
    let mut generics = item.generics.clone();
    let parameters: Vec<_> = generics
        .type_params()
        .map(|parameter| parameter.ident.clone())
        .collect();
    let clause = generics.make_where_clause();
    for parameter in parameters {
        clause
            .predicates
            .push(parse_quote!(#parameter: #p::expr::ToValue));
    }
    let (parameters, arguments, clause) = generics.split_for_impl();
    let ident = &item.ident;
    let implementations = quote! {
        #[automatically_derived]
        #allowed
        impl #parameters #p::expr::ToValue for #ident #arguments #clause {
            fn kind() -> #p::expr::ValueKind {
                #p::expr::struct_kind(const { &[#(#kinds),*] })
            }

            fn to_value(&self, source: #p::expr::Origin) -> #p::expr::Value<'_> {
                #p::expr::record([#(#entries),*])
            }
        }

        #[automatically_derived]
        #allowed
        impl #parameters #p::Truthy for #ident #arguments #clause {}
    };
    p.enclose_items(keys.crate_path(), implementations)
}
