//! Functions of the user as filters.

use proc_macro2::{Ident, Span, TokenStream};
use prompt_jinja_syntax::analysis::{Function, PassedAs, Term};
use prompt_syntax::Literal as Written;
use quote::{quote, quote_spanned};

use super::super::body::literal_tokens;
use super::super::{CaseEmitter, ident_or_raw};
use crate::lower::TemplateMessage;

impl CaseEmitter<'_> {
    /// ```text
    /// expr::function_result("name", crate::shout(&self.name, "!"))
    /// ```
    pub(super) fn own_function_value(&self, message: &TemplateMessage, term: &Term) -> TokenStream {
        let mut name = None;
        term.each_place(&mut |place| {
            name.get_or_insert(place.name.clone());
        });
        let name = name.unwrap_or_else(|| "filter".to_owned());
        let p = &self.emitter.runtime;
        let called = self.own_function_call(message, term);
        let Term::Call { span, .. } = term else {
            return called;
        };
        self.asserted_made(message, &name, *span, &called)
            .unwrap_or_else(|| quote!(#p::expr::function_result(#name, #called)))
    }

    /// `crate::shout(&self.name, "!")`
    fn own_function_call(&self, message: &TemplateMessage, term: &Term) -> TokenStream {
        let Term::Call {
            function: Function::Own { path, given },
            args,
            ..
        } = term
        else {
            return TokenStream::new();
        };
        // rustc suggests other functions for the underlined code. For a file, that is its name.
        let at = Span::call_site().located_at(message.at);
        let path = path.iter().map(|segment| match segment.as_str() {
            "self" | "super" | "crate" | "Self" => Ident::new(segment, at),
            other => ident_or_raw(other, at),
        });
        let args = args.iter().flatten().zip(given).enumerate();
        let args = args.map(|(index, (arg, given))| {
            self.own_function_argument(message, arg, *given, index == 0)
        });
        let call = quote_spanned!(at=> #(#path)::*(#(#args),*));
        self.result_of_own(message, at, call, |see| {
            term.each_place(&mut |place| see(place));
        })
    }

    /// An argument: a reference to a Rust value; a number after the first argument is passed by value.
    fn own_function_argument(
        &self,
        message: &TemplateMessage,
        arg: &Term,
        given: PassedAs,
        first: bool,
    ) -> TokenStream {
        let p = &self.emitter.runtime;
        let value = |term: &Term| self.term_value(message, term);
        let number = match (given, arg) {
            (PassedAs::Itself, Term::Place(place)) => return self.place_reference(message, place),
            (PassedAs::Itself, Term::Literal(Written::Str(text))) => return quote!(#text),
            (PassedAs::Itself, Term::Literal(written)) => {
                literal_tokens(written, Span::call_site())
            }
            (PassedAs::Itself, call) => {
                let call = self.own_function_call(message, call);
                return quote!(&#call);
            }
            (PassedAs::Text, term) => {
                let value = value(term);
                return quote!(&*#p::expr::to_text(&#value)?);
            }
            (PassedAs::Int, term) => {
                let value = value(term);
                quote!(#p::expr::to_int(&#value)?)
            }
            (PassedAs::Float, term) => {
                let value = value(term);
                quote!(#p::expr::to_float(&#value)?)
            }
            (PassedAs::Bool, term) => {
                let value = value(term);
                quote!(#p::expr::to_bool(&#value)?)
            }
        };
        if first { quote!(&#number) } else { number }
    }
}
