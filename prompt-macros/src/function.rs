//! `#[function(…)]`: a function that makes a prompt of its arguments.

mod lifetimes;
mod signature;

use proc_macro2::{Ident, Span, TokenStream};
use prompt_syntax::problem::function as problem;
use quote::{ToTokens, quote};
use syn::{GenericParam, Type};

use self::signature::{FnArgument, Signature};
use crate::Errors;
use crate::emit;
use crate::input::{AttributeValue, ItemKeys, SourceKey};
use crate::input::{
    Case, Field, Input, MacroKind, allow_attributes, doc_lines, expect_lines, named_field,
};

/// Expands to a struct with the arguments as its fields, its implementation of `Prompt`, and the function that makes it.
///
/// The struct has the name of the function: the one is a type and the other a value, so both can be used, imported and
/// documented together, and no other name of the user's is taken.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut signature = match Signature::parse(item) {
        Ok(signature) => signature,
        Err(error) => {
            errors.push_syn(error);
            return errors.into_tokens();
        }
    };
    let keys = ItemKeys::read_arguments(arguments, &mut errors, |_, _, _| None);
    signature.expect_prompt(&mut errors);
    if signature.has_self {
        // It is inside an `impl`, where a struct cannot be declared.
        return errors.into_tokens();
    }
    signature.name_lifetimes();
    let input = signature.to_input(keys, &mut errors);
    let declaration = signature.declare_items();
    let implementation = crate::expand_input(&input, errors);
    quote! { #declaration #implementation }
}

impl Signature {
    /// The struct that a derive would read.
    fn to_input(&self, mut keys: ItemKeys, errors: &mut Errors) -> Input {
        if let Some(output) = &keys.output {
            errors.push(output.key, problem::output_key());
        }
        for given in &keys.given {
            if matches!(given.value, SourceKey::Fragment(..)) {
                errors.push(given.key, problem::fragment_key());
            }
        }
        let before = keys.given.len();
        keys.given
            .retain(|given| !matches!(given.value, SourceKey::Fragment(..)));
        // A missing key was written in the wrong place.
        keys.broken |= before > keys.given.len() || self.has_keys();
        keys.output = self
            .answer_type()
            .map(|(key, value)| AttributeValue { key, value });
        expect_lines(&self.attributes, &mut keys, errors);
        let mut fields: Vec<Field> = Vec::new();
        for argument in &self.arguments {
            let field = named_field(
                argument.name.clone(),
                argument.ty.clone(),
                &argument.attributes,
                errors,
            );
            fields.push(field);
        }
        if let Some(marker) = self.marker_field() {
            let skip = AttributeValue {
                key: Span::call_site(),
                value: "skip",
            };
            let ty = Type::Verbatim(TokenStream::new());
            let mut field = named_field(marker, ty, &[], errors);
            field.keys.keys.push(skip);
            fields.push(field);
        }
        let mut allowing: Vec<_> = self.attributes.iter().collect();
        for argument in &self.arguments {
            allowing.extend(&argument.attributes);
        }
        Input {
            ident: self.name.clone(),
            generics: self.generics.clone(),
            docs: doc_lines(&self.attributes),
            cases: vec![Case::of_struct(fields, self.lost, self.name.span())],
            is_enum: false,
            allowed: allow_attributes(&allowing),
            form: MacroKind::Function,
            keys,
        }
    }

    /// The struct, and the function that makes it.
    fn declare_items(&self) -> TokenStream {
        let Signature {
            visibility,
            constness,
            name,
            generics,
            ..
        } = self;
        let (parameters, types, clause) = generics.split_for_impl();
        let mut attributes = TokenStream::new();
        for attribute in &self.attributes {
            if !attribute.path().is_ident("prompt") {
                attribute.to_tokens(&mut attributes);
            }
        }
        let (mut fields, mut arguments, mut names) =
            (TokenStream::new(), TokenStream::new(), TokenStream::new());
        for argument in &self.arguments {
            let FnArgument { name, ty, .. } = argument;
            let passed = argument.attributes_of_argument();
            fields.extend(quote!(#name: #ty,));
            arguments.extend(quote!(#(#passed)* #name: #ty,));
            names.extend(quote!(#name,));
        }
        if let Some(marker) = self.marker_field() {
            let used = self.unused_parameters();
            // As `PhantomData` would do, without a path that rustc has to resolve outside of the block with the runtime.
            fields.extend(quote!(#marker: [fn() -> (#(#used,)*); 0],));
            names.extend(quote!(#marker: [],));
        }
        let doc = format!("The prompt that [`{name}`](fn@{name}) makes.");
        quote! {
            #[doc = #doc]
            #[allow(non_camel_case_types, dead_code)]
            #[must_use = "a prompt is asked with `llm.call(…)`"]
            #visibility struct #name #parameters #clause {
                #fields
            }

            #attributes
            #[allow(clippy::needless_lifetimes)]
            #visibility #constness fn #name #parameters(#arguments) -> #name #types #clause {
                #name { #names }
            }
        }
    }

    /// The name of a field for parameters that no argument mentions: only the answer uses them.
    fn marker_field(&self) -> Option<Ident> {
        (!self.unused_parameters().is_empty()).then(|| Ident::new("__answer", Span::call_site()))
    }

    /// The parameters that no argument mentions.
    fn unused_parameters(&self) -> Vec<TokenStream> {
        let mentioned = |name: &str| {
            let mut arguments = self.arguments.iter();
            arguments
                .any(|FnArgument { ty, .. }| emit::mentions_any(quote!(#ty), &[name.to_owned()]))
        };
        let parameters = self.generics.params.iter();
        parameters
            .filter_map(|parameter| match parameter {
                GenericParam::Type(parameter) => {
                    let name = &parameter.ident;
                    (!mentioned(&name.to_string())).then(|| quote!(#name))
                }
                GenericParam::Lifetime(parameter) => {
                    let name = &parameter.lifetime;
                    (!mentioned(&name.ident.to_string())).then(|| quote!(&#name ()))
                }
                GenericParam::Const(_) => None,
            })
            .collect()
    }
}
