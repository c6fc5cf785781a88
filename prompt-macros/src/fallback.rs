use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::attribute::Given;
use crate::emit::{self, Answer};
use crate::errors::Errors;
use crate::input::Input;

/// The errors, and an implementation without a body: what uses the prompt then adds no error of its own.
pub(crate) fn fallback(input: &Input, errors: Errors) -> TokenStream {
    let p = input.private();
    let errors = errors.into_tokens();
    let from = emit::from(input);
    let (parameters, arguments, clause) = input.generics.split_for_impl();
    let (ident, allowed) = (&input.ident, &input.allowed);
    let out = Ident::new("out", Span::mixed_site());
    let is_fragment = input
        .cases
        .iter()
        .map(|case| &case.keys)
        .chain([&input.keys])
        .any(|keys| {
            keys.given
                .iter()
                .any(|given| matches!(given.value, Given::Fragment { .. }))
        });
    if is_fragment {
        return quote! {
            #errors
            #[automatically_derived]
            #allowed
            impl #parameters #p::ToPrompt for #ident #arguments #clause {
                fn write(&self, #out: &mut #p::Writer) {}
            }
            #[automatically_derived]
            #allowed
            impl #parameters #p::Truthy for #ident #arguments #clause {}
            #[automatically_derived]
            #allowed
            impl #parameters #p::expr::ToValue for #ident #arguments #clause {
                fn to_value(&self, source: #p::Source) -> #p::expr::Value<'_> {
                    #p::expr::written(self, source)
                }
            }
            #from
        };
    }
    let Answer { ty, schema, read } =
        Answer::of(input.keys.output.as_ref().map(|output| &output.value), &p);
    let name = ident.to_string();
    quote! {
        #errors
        #[automatically_derived]
        #allowed
        impl #parameters #p::Prompt for #ident #arguments #clause {
            type Output = #ty;

            const INFO: &'static #p::PromptInfo = &#p::PromptInfo {
                name: #name, doc: "", model: #p::None, slots: #p::Slots::NONE, file: "", line: 0, column: 0, fingerprint: #p::Fingerprint(0),
            };

            fn render(&self, #out: &mut #p::Writer) {}

            #schema

            fn read(reply: &#p::Reply) -> #p::Result<#ty> {
                #read
            }
        }
        #[automatically_derived]
        #allowed
        impl #parameters #p::TakesTools for #ident #arguments #clause {}
        #from
    }
}
