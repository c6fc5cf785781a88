//! A slot whose type only rustc knows: its error is given the place in the template.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::CaseEmitter;
use crate::model::{Message, Slot};

impl CaseEmitter<'_> {
    /// ```text
    /// {
    ///     #[diagnostic::on_unimplemented(message = "…", label = "…", note = "the place, drawn")]
    ///     trait Slot: ToPrompt {}
    ///     #[diagnostic::do_not_recommend]
    ///     impl<T: ToPrompt + ?Sized> Slot for T {}
    ///     fn slot<T: Slot>(value: &T) -> &dyn ToPrompt { value }
    ///     out.slot("passage", slot(&self.passage))
    /// }
    /// ```
    pub(super) fn asserted(
        &self,
        message: &Message,
        slot: &Slot,
        value: &TokenStream,
    ) -> TokenStream {
        let (p, out, name) = (&self.emitter.private, &self.emitter.out, &slot.name);
        let source = &self.case.sources[message.source];
        let Some(drawing) = source
            .draw(slot.span, "this slot", &[])
            .filter(|_| !self.emitter.inline)
        else {
            return quote!(#out.slot(#name, #value));
        };
        let note = format!("the slot stands here\n{drawing}")
            .replace('{', "{{")
            .replace('}', "}}");
        let text = format!("`{{Self}}` cannot fill the slot `{name}`");
        let own = "derive a fragment for a type of your own, `#[prompt(fragment = \"…\")]`, implement `ToPrompt` for it, or wrap the value in `display(…)`";
        let option = format!(
            "an `Option` stands in a condition, `<if {name}>…<{name}>…</if>`, or has a default, `<{name} ?? \"none\">`"
        );
        let list = format!(
            "a list stands in a loop, `<for item in {name}>…<item>…</for>`, or is joined, `<{name} | join(\", \")>`"
        );
        let at = self.at(message, &slot.value);
        // Names of the user's cannot be meant by these, nor these by the user's.
        let (assertion, function) = (
            Ident::new("Slot", Span::mixed_site()),
            Ident::new("slot", Span::mixed_site()),
        );
        let call = {
            let function = super::located(&function, at);
            quote_spanned!(at=> #function(#value))
        };
        quote! {{
            #[diagnostic::on_unimplemented(message = #text, label = "neither text, number, `bool`, `char` nor path", note = #note, note = #own, note = #option, note = #list)]
            trait #assertion: #p::ToPrompt {}
            #[diagnostic::do_not_recommend]
            impl<T: #p::ToPrompt + ?#p::core::marker::Sized> #assertion for T {}
            fn #function<T: #assertion>(value: &T) -> &dyn #p::ToPrompt {
                value
            }
            #out.slot(#name, #call)
        }}
    }
}
