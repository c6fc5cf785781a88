//! Slots and loops whose types only rustc knows: its errors are given the place in the template.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::CaseEmitter;
use crate::model::{Message, Place, Slot};

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
            .filter(|_| self.emitter.explains())
        else {
            return quote!(#out.slot(#name, #value));
        };
        let note = escaped(&format!("the slot stands here\n{drawing}"));
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

    /// The same for the list of a loop.
    ///
    /// ```text
    /// {
    ///     #[diagnostic::on_unimplemented(message = "…", label = "…", note = "the place, drawn")]
    ///     trait Loop: List {}
    ///     #[diagnostic::do_not_recommend]
    ///     impl<T: List + ?Sized> Loop for T {}
    ///     fn items<T: Loop>(list: &T) -> T::Iter<'_> { … }
    ///     items(&self.people)
    /// }
    /// ```
    pub(super) fn asserted_list(
        &self,
        message: &Message,
        place: &Place,
        value: &TokenStream,
    ) -> TokenStream {
        let (p, name) = (&self.emitter.private, &place.name);
        let at = self.at_place(message, place);
        let drawing = self.case.sources[message.source]
            .draw(place.span, "this list", &[])
            .filter(|_| self.emitter.explains());
        let Some(drawing) = drawing else {
            let p = self.emitter.private_at(at);
            return quote_spanned!(at=> #p::items(#value));
        };
        let note = escaped(&format!("the loop stands here\n{drawing}"));
        let text = format!("`{{Self}}` is not a list, and `{name}` stands in a loop");
        let lists = "slices, arrays, `Vec`, `VecDeque`, `LinkedList` and `BTreeSet` are lists; a hash set has no order of its own";
        let option = format!(
            "an `Option` of a list stands in a condition first: `<if {name}><for item in {name}>…</for></if>`"
        );
        let (assertion, function) = (
            Ident::new("Loop", Span::mixed_site()),
            // Under the span of its argument, so that rustc sees that one missing trait is one error.
            Ident::new("__items", at),
        );
        // A variable has another hygiene than this code; what stands around it has none.
        let call = if place.is_local() {
            quote_spanned!(at=> #function(&*(#value)))
        } else {
            quote_spanned!(at=> #function(#value))
        };
        quote! {{
            #[diagnostic::on_unimplemented(message = #text, label = "a loop needs a list", note = #note, note = #lists, note = #option)]
            trait #assertion: #p::List {}
            #[diagnostic::do_not_recommend]
            impl<T: #p::List + ?#p::core::marker::Sized> #assertion for T {}
            fn #function<T: #assertion>(list: &T) -> <T as #p::List>::Iter<'_> {
                #p::items(list)
            }
            #call
        }}
    }
}

/// A text as the attribute takes it, where braces name type parameters.
fn escaped(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}
