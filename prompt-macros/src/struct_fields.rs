//! `#[derive(Fields)]` of any struct: its fields as constants, which check paths such as `<user.name>` in templates.

use proc_macro2::{Span, TokenStream, TokenTree};
use prompt_syntax::problem::item as problem;
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;
use syn::{Data, Generics, Lifetime, Type};

use crate::Errors;
use crate::emit::{Runtime, mentions_any, type_parameters};
use crate::input::{ItemKeys, SourceKey};
use crate::types::{TypeTokens, last_type_argument, peel_references};

/// Expands to the fields as constants; for a prompt, also to the fields that run-time templates use.
#[allow(clippy::needless_pass_by_value)] // Without the feature `dynamic` it is only read.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(parsed) = crate::input::read_item(item.clone(), &mut errors) else {
        return errors.into_tokens();
    };
    // `derive(Prompt)` reports the errors of the prompt.
    let keys = ItemKeys::read(&parsed.attrs, &mut Errors::default());
    let mut tokens = TokenStream::new();
    let is_prompt = is_prompt(&parsed, &keys);
    #[cfg(feature = "dynamic")]
    if is_prompt {
        tokens.extend(crate::fields::implement_fields(item, &mut errors));
    }
    if !is_prompt || matches!(parsed.data, Data::Struct(_)) {
        tokens.extend(struct_fields(&parsed, &mut errors));
    }
    let implementations = Runtime::new().enclose_items(keys.crate_path(), tokens);
    quote!(#errors #implementations)
}

/// Whether an item, or a variant of it, has a template that is not a fragment.
fn is_prompt(item: &syn::DeriveInput, keys: &ItemKeys) -> bool {
    let has_template = |keys: &ItemKeys| {
        let mut given = keys.given.iter();
        given.any(|given| !matches!(given.value, SourceKey::Fragment(..)))
    };
    let of_variant = |variant: &syn::Variant| {
        has_template(&ItemKeys::read_of_variant(
            &variant.attrs,
            &mut Errors::default(),
        ))
    };
    has_template(keys)
        || matches!(&item.data, Data::Enum(data) if data.variants.iter().any(of_variant))
}

/// ```text
/// impl StructFields for User {
///     const FIELDS: &'static [StructField] = &[
///         StructField { name: "name", fields: FieldsOf::<Name>::FIELDS, labels: Labels::<Name>::LABELS },
///     ];
/// }
/// ```
fn struct_fields(item: &syn::DeriveInput, errors: &mut Errors) -> TokenStream {
    let Data::Struct(data) = &item.data else {
        let problem = problem::no_struct_fields(&item.ident.to_string());
        errors.push(item.ident.span(), problem);
        return TokenStream::new();
    };
    let p = Runtime::new();
    let allowed = crate::input::allow_attributes(&crate::input::all_attributes(item));
    let fields = data.fields.iter().enumerate().map(|(index, field)| {
        let ident = field.ident.as_ref();
        let name = ident.map_or(index.to_string(), |ident| ident.unraw().to_string());
        let constant = |ty| type_in_constant(ty, &item.generics);
        // A type behind a pointer or in a list may contain this struct, and constants cannot be recursive.
        let is_inside = std::ptr::eq(peel_references(&field.ty), &raw const field.ty);
        let own = constant(&field.ty).filter(|_| is_inside);
        let fields = own.map_or_else(|| quote!(#p::None), |ty| fields_of(&ty, &p));
        let mut content = &field.ty;
        while let Some(item) = unwrap_layers(content, 1) {
            content = item;
        }
        let labels = unwrap_layers(content, 0).and_then(constant);
        let labels =
            labels.map_or_else(|| quote!(#p::None), |ty| quote!(#p::Labels::<#ty>::LABELS));
        quote!(#p::StructField { name: #name, fields: #fields, labels: #labels })
    });
    let (parameters, arguments, clause) = item.generics.split_for_impl();
    let ident = &item.ident;
    quote! {
        #[automatically_derived]
        #allowed
        impl #parameters #p::StructFields for #ident #arguments #clause {
            const FIELDS: &'static [#p::StructField] = {
                #[allow(unused_imports)]
                use #p::{NoFields as _, NoLabels as _};
                &[#(#fields),*]
            };
        }
    }
}

/// The fields of a type, or `None` if it does not derive `Fields`.
pub(crate) fn fields_of(ty: &TokenStream, p: &Runtime) -> TokenStream {
    quote!(#p::FieldsOf::<#ty>::FIELDS)
}

/// A type as a constant can name it: a path without type parameters, with `'static` for each lifetime.
pub(crate) fn type_in_constant(ty: &Type, generics: &Generics) -> Option<TokenStream> {
    let Type::Path(path) = ty else { return None };
    let mut parameters = type_parameters(generics);
    parameters.extend(generics.const_params().map(|it| it.ident.to_string()));
    parameters.push("Self".to_owned());
    let tokens = path.to_token_stream();
    let is_named = path.qself.is_none() && !mentions_any(tokens.clone(), &parameters);
    is_named.then(|| with_static_lifetimes(tokens))
}

/// The type inside `Box` and references, as often as they occur, and then inside `layers` lists and `Option`s.
pub(crate) fn unwrap_layers(mut ty: &Type, layers: u8) -> Option<&Type> {
    let mut left = layers;
    loop {
        ty = match TypeTokens::from_type(ty) {
            TypeTokens::Path(last, name, _) => match name.as_str() {
                "Box" | "Arc" | "Rc" | "Cow" => last_type_argument(last)?,
                _ if left == 0 => return Some(peel_references(ty)),
                "Vec" | "VecDeque" | "LinkedList" | "BTreeSet" | "Option" => {
                    left -= 1;
                    last_type_argument(last)?
                }
                _ => return None,
            },
            TypeTokens::Items(items) if left > 0 => {
                left -= 1;
                items
            }
            _ => return None,
        };
    }
}

fn with_static_lifetimes(tokens: TokenStream) -> TokenStream {
    let mut changed = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(quote) if quote.as_char() == '\'' => {
                tokens.next();
                Lifetime::new("'static", Span::call_site()).to_tokens(&mut changed);
            }
            TokenTree::Group(group) => {
                let mut inner = proc_macro2::Group::new(
                    group.delimiter(),
                    with_static_lifetimes(group.stream()),
                );
                inner.set_span(group.span());
                changed.extend([TokenTree::Group(inner)]);
            }
            other => changed.extend([other]),
        }
    }
    changed
}
