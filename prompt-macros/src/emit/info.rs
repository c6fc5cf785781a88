//! What is known about a prompt before it is filled, and the files that it comes from.

use proc_macro2::{Literal, TokenStream};
use prompt_syntax::Role;
use quote::quote;

use super::Emitter;
use crate::fingerprint::fingerprint;
use crate::model::{Piece, Step, walk};

impl Emitter<'_> {
    pub(super) fn info(&self) -> TokenStream {
        let p = &self.private;
        let name = self.prompt.input.ident.to_string();
        let docs: Vec<String> = self
            .prompt
            .input
            .docs
            .iter()
            .map(syn::LitStr::value)
            .collect();
        let doc = docs
            .iter()
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
            .collect::<Vec<_>>()
            .join("\n");
        let keys = &self.prompt.input.keys;
        let description = keys.description.as_ref();
        let doc = match description {
            Some(description) if docs.is_empty() => description.value.clone(),
            _ => doc,
        };
        let model = match &keys.model {
            Some(model) => {
                let model = &model.value;
                quote!(#p::Some(#model))
            }
            None => quote!(#p::None),
        };
        let (mut slots, mut seen) = (String::new(), Vec::new());
        for case in &self.prompt.cases {
            for step in &case.steps {
                let Step::Message(message) = step else {
                    continue;
                };
                walk(&message.body, &mut |piece| {
                    let (name, span) = match piece {
                        Piece::Slot(slot) => (&slot.name, slot.span),
                        Piece::Show(show) => (&show.name, show.span),
                        Piece::Media { place, span, .. } => (&place.name, *span),
                        _ => return,
                    };
                    if seen.contains(&(message.role, name)) {
                        return;
                    }
                    seen.push((message.role, name));
                    let (_, line, column) = case.sources[message.source].place(span);
                    let role = message.role.map_or("fragment", Role::name);
                    slots.push_str(&format!("{role} {name} {line} {column}\n"));
                });
            }
        }
        let place = self
            .prompt
            .cases
            .iter()
            .find_map(|case| Some(case.sources.first()?.place(prompt_syntax::Span::new(0, 0))));
        let (file, line, column) = place.unwrap_or_default();
        let (line, column) = (
            Literal::usize_unsuffixed(line),
            Literal::usize_unsuffixed(column),
        );
        let fingerprint = fingerprint(self.prompt);
        quote! {
            #p::PromptInfo {
                name: #name,
                doc: #doc,
                model: #model,
                slots: #p::Slots::of(#slots),
                file: #file,
                line: #line,
                column: #column,
                fingerprint: #p::Fingerprint(#fingerprint),
            }
        }
    }

    /// A template file that changes makes its prompt compile again.
    pub(super) fn tracked(&self) -> TokenStream {
        let p = &self.private;
        let files = self
            .prompt
            .cases
            .iter()
            .flat_map(|case| &case.sources)
            .flat_map(|source| &source.tracked);
        files
            .map(|file| {
                let file = format!("/{file}");
                quote! { const _: &[u8] = #p::core::include_bytes!(#p::core::concat!(#p::core::env!("CARGO_MANIFEST_DIR"), #file)); }
            })
            .collect()
    }
}
