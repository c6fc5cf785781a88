//! The expansion of a prompt with errors: the errors, and an `impl` without a body.

use proc_macro2::TokenStream;

use crate::attribute::Given;
use crate::emit::{self, Answer, Code};
use crate::errors::Errors;
use crate::input::Input;

/// The errors, and an implementation without a body: what uses the prompt then adds no error of its own.
pub(crate) fn fallback(input: &Input, errors: Errors) -> TokenStream {
    let p = input.private();
    let mut code = Code::new(&p);
    code.tokens(errors.into_tokens());
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
        emit::fragment(input, &input.generics, &mut code, |_| {});
    } else {
        let answer = Answer::of(input.keys.output.as_ref().map(|output| &output.value));
        emit::implement("Prompt", input, &input.generics, &mut code, |code| {
            answer.ty(code);
            code.add("const INFO: ").path("PromptInfo").add(" = ");
            code.path("info(")
                .literal(input.ident.to_string())
                .add(", \"\", \"\", \"\", 0, 0, 0);");
            emit::writes("render", code, |_| {});
            answer.methods(code);
        });
        emit::implement("AcceptsTools", input, &input.generics, &mut code, |_| {});
    }
    code.tokens(emit::from(input));
    code.into_tokens()
}
