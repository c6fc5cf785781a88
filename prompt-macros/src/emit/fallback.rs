//! The expansion of a prompt that has errors.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};

use super::body::field_variable;
use super::{
    CaseEmitter, Code, Emitter, OutputType, from_conversions, mentions_any, type_parameters,
    write_fragment_impls, write_impl, write_method,
};
use crate::Errors;
use crate::input::SourceKey;
use crate::lower::{AnalyzedPrompt, ResolvedNode, Root, SlotValue, walk};
use crate::types::TypeKind;

/// For each template the fields whose types the macro cannot determine, and a slot of each.
pub(crate) fn unknown_slots(prompt: &AnalyzedPrompt<'_>) -> Vec<(Vec<usize>, TokenStream)> {
    let emitter = Emitter::new(prompt);
    let mut all = Vec::new();
    // The fallback has no bounds for type parameters: a slot with one would be a second error.
    let parameters = type_parameters(&prompt.input.generics);
    for case in &prompt.cases {
        let of_case = CaseEmitter::new(&emitter, case);
        let (mut done, mut tokens) = (Vec::new(), TokenStream::new());
        for message in crate::lower::template_messages(case) {
            walk(&message.body, &mut |piece| {
                if let ResolvedNode::Slot(slot) = piece
                    && slot.fallback.is_none()
                    && let SlotValue::Place(place) = &slot.value
                    && let Root::Field(index) = place.root
                    && place.rest.is_empty()
                    && case.case.fields[index].kind() == TypeKind::Unknown
                    && !mentions_any(case.case.fields[index].ty.to_token_stream(), &parameters)
                    && !done.contains(&index)
                {
                    done.push(index);
                    tokens.extend(of_case.fill_slot(message, slot));
                }
            });
        }
        let tokens = match &case.case.variant {
            Some(variant) if !done.is_empty() => {
                let fields = done.iter().map(|index| &case.case.fields[*index]);
                let bound = fields.map(|field| {
                    let (name, local) = (&field.ident, field_variable(field));
                    quote!(#name: #local,)
                });
                quote!(if let Self::#variant { #(#bound)* .. } = self { #tokens })
            }
            _ => tokens,
        };
        all.push((done, tokens));
    }
    all
}

/// The errors, and an implementation without a body, so that code that uses the prompt has no error of its own.
///
/// The body contains the slots whose types the macro cannot determine, so that their errors are reported in the same build.
pub(crate) fn fallback(prompt: &AnalyzedPrompt<'_>, errors: &Errors) -> TokenStream {
    let input = prompt.input;
    let runtime = input.runtime();
    let mut code = Code::new(&runtime);
    let keys = input.cases.iter().map(|case| &case.keys);
    let mut given = keys.chain([&input.keys]).flat_map(|keys| &keys.given);
    let is_fragment = given.any(|given| matches!(given.value, SourceKey::Fragment(..)));
    let slots = unknown_slots(prompt).into_iter();
    let slots: TokenStream = slots.map(|(_, tokens)| tokens).collect();
    if is_fragment {
        write_fragment_impls(input, &input.generics, &mut code, |code| {
            code.tokens(slots);
        });
    } else {
        let answer = OutputType::from_key(input.keys.output.as_ref().map(|output| &output.value));
        write_impl("Prompt", input, &input.generics, &mut code, |code| {
            answer.write_output_type(code);
            code.add("const INFO: ").path("PromptInfo").add(" = ");
            code.path("PromptInfo::new(")
                .literal(input.ident.to_string())
                .add(");");
            write_method("render", code, |code| _ = code.tokens(slots));
            answer.write_methods(code);
        });
        write_impl("AcceptsTools", input, &input.generics, &mut code, |_| {});
    }
    code.tokens(from_conversions(input));
    let implementation = input.with_runtime(code.into_tokens());
    quote!(#errors #implementation)
}
