//! `#[derive(Fields)]`: the fields of a prompt for templates that are loaded at run time.

use proc_macro2::{Span, TokenStream};
use prompt_jinja_syntax::problem::tag as problem;
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Generics, Type, parse_quote};

use crate::Errors;
use crate::emit::{Runtime, mentions_any, of_type, type_parameters};
use crate::input::Format;
use crate::input::{Field, Input, WHITESPACE};
use crate::struct_fields::{type_in_constant, unwrap_layers};
use crate::types::{TypeKind, content_type, is_safe_by_name};

/// Expands to the fields that a run-time template may name, and their values.
///
/// ```text
/// impl Fields for Ask {
///     const CONTRACT: &'static Contract = &…;
///     fn field(&self, index: usize) -> FieldValue<'_> { … }
/// }
/// ```
pub(crate) fn implement_fields(item: TokenStream, errors: &mut Errors) -> TokenStream {
    // `derive(Prompt)` reports the errors of the prompt.
    let Some(input) = Input::parse(item, &mut Errors::default()) else {
        return TokenStream::new();
    };
    let ([case], false) = (&input.cases[..], input.is_enum) else {
        errors.push(input.ident.span(), problem::fields_of_an_enum());
        return TokenStream::new();
    };
    let p = input.runtime();
    let (names, values): (Vec<_>, Vec<_>) = case
        .fields
        .iter()
        .map(|field| {
            (
                field_constant(field, &input.generics, &p),
                field_value(field, &p),
            )
        })
        .unzip();
    let indices = 0..values.len();
    let syntax = input.keys.dialect().name();
    let format = match &input.keys.format {
        Some(format) => {
            let name = match &format.value {
                Format::Family(family) => family.name.to_token_stream(),
                Format::Path(path) => quote!(#path.name),
            };
            quote!(#p::Some(#name))
        }
        None => quote!(#p::None),
    };
    let answered = input.keys.output.is_some();
    let input_only = input.keys.slots.is_some();
    let [lines, trim, lstrip, keep] =
        WHITESPACE.map(|key| input.keys.whitespace_key(&input.keys, key));

    let mut generics = input.generics.clone();
    let parameters = type_parameters(&generics);
    let clause = generics.make_where_clause();
    clause.predicates.push(parse_quote!(Self: #p::Prompt));
    for field in &case.fields {
        let ty = &field.ty;
        if mentions_any(quote!(#ty), &parameters) && key_outside_expressions(field).is_none() {
            clause.predicates.push(parse_quote!(#ty: #p::expr::ToValue));
        }
    }
    // A run-time template may use these in the system message; rustc checks that their names refer to the expected types.
    let safe = case
        .fields
        .iter()
        .filter(|field| !field.keys.has("trusted") && is_safe_by_name(&field.ty))
        .map(|field| {
            let (ty, at) = (&field.ty, of_type(&field.ty));
            quote_spanned!(at=> let _ = #p::system_safe::<#ty>;)
        });
    let (parameters, arguments, clause) = generics.split_for_impl();
    let (ident, allowed) = (&input.ident, &input.allowed);
    quote! {
        #[automatically_derived]
        #allowed
        impl #parameters #p::dynamic::Fields for #ident #arguments #clause {
            const CONTRACT: &'static #p::dynamic::Contract = &#p::dynamic::Contract {
                fields: &[#(#names),*],
                syntax: #syntax,
                keep_block_lines: #lines,
                trim_blocks: #trim,
                lstrip_blocks: #lstrip,
                keep_trailing_newline: #keep,
                input_only: #input_only,
                format: #format,
                answered: #answered,
            };

            fn field(&self, index: usize) -> #p::dynamic::FieldValue<'_> {
                #(#safe)*
                match index {
                    #(#indices => #values,)*
                    _ => #p::dynamic::FieldValue::Nothing,
                }
            }
        }
    }
}

/// The key that keeps a field out of expressions.
fn key_outside_expressions(field: &Field) -> Option<&'static str> {
    let key = ["history", "examples", "tools", "extra", "skip"]
        .into_iter()
        .find(|key| field.keys.has(key));
    key.or_else(|| (field.kind() == TypeKind::Media).then_some("media"))
}

fn field_constant(field: &Field, generics: &Generics, p: &Runtime) -> TokenStream {
    let name = &field.name;
    let (ty, at) = (&field.ty, Span::call_site().located_at(field.ty.span()));
    let kind = match key_outside_expressions(field) {
        Some("history") => quote!(History),
        Some("examples") => quote!(Examples),
        Some("tools") => quote!(ToolSet),
        Some("extra") => quote!(Extra),
        Some("media") => quote!(Media),
        Some(_) => quote!(Skip),
        None if is_media_option(ty) => quote!(Value(#p::dynamic::optional_media)),
        None => {
            let kind = quote_spanned!(at=> <#ty as #p::expr::ToValue>::kind);
            match field.keys.has("answer") {
                true => quote!(Solution(#kind)),
                false => quote!(Value(#kind)),
            }
        }
    };
    let trusted = field.is_trusted().then(|| quote!(.trusted()));
    let labels = key_outside_expressions(field)
        .is_none()
        .then(|| innermost_type(&field.ty))
        .flatten();
    let labels = labels
        .and_then(|ty| type_in_constant(ty, generics))
        .map(|ty| {
            quote!(.labels({
                #[allow(unused_imports)]
                use #p::NoLabels as _;
                #p::Labels::<#ty>::LABELS
            }))
        });
    quote!(#p::dynamic::Field::new(#name, #p::dynamic::FieldKind::#kind) #trusted #labels)
}

/// The innermost type of lists and `Option`s, if the macro cannot determine its kind.
fn innermost_type(ty: &Type) -> Option<&Type> {
    let ty = unwrap_layers(ty, 0)?;
    match TypeKind::from_type(ty) {
        TypeKind::Unknown => Some(ty),
        TypeKind::List | TypeKind::Option => innermost_type(content_type(ty)?),
        _ => None,
    }
}

fn field_value(field: &Field, p: &Runtime) -> TokenStream {
    let ident = &field.ident;
    if is_media_option(&field.ty) {
        return quote! {
            match #p::optional_value(&self.#ident) {
                #p::Some(media) => #p::dynamic::FieldValue::Media(media),
                #p::None => #p::dynamic::FieldValue::Value(#p::expr::Value::Absent),
            }
        };
    }
    match key_outside_expressions(field) {
        Some("history") => quote!(#p::dynamic::FieldValue::History(&self.#ident)),
        Some("examples") => quote!(#p::dynamic::FieldValue::Examples(&self.#ident, &self.#ident)),
        Some("tools") => quote!(#p::dynamic::FieldValue::ToolSet(&self.#ident)),
        Some("media") => quote!(#p::dynamic::FieldValue::Media(&self.#ident)),
        Some("extra") => {
            let title = field.title();
            if field.kind() == TypeKind::Option {
                quote! {
                    match #p::optional_value(&self.#ident) {
                        #p::Some(value) => #p::dynamic::FieldValue::Extra(#title, value),
                        #p::None => #p::dynamic::FieldValue::Nothing,
                    }
                }
            } else {
                quote!(#p::dynamic::FieldValue::Extra(#title, &self.#ident))
            }
        }
        Some(_) => quote!(#p::dynamic::FieldValue::Nothing),
        None => {
            // A missing trait is reported at the type, as in the constant: rustc prints equal errors once.
            let at = Span::call_site().located_at(field.ty.span());
            let ty = &field.ty;
            let source = quote!(#p::expr::Origin::Data(#p::None));
            quote_spanned! {at=>
                #p::dynamic::FieldValue::Value(<#ty as #p::expr::ToValue>::to_value(&self.#ident, #source))
            }
        }
    }
}

fn is_media_option(ty: &Type) -> bool {
    TypeKind::from_type(ty) == TypeKind::Option
        && content_type(ty).is_some_and(|ty| TypeKind::from_type(ty) == TypeKind::Media)
}
