//! What is known about a prompt before it is filled, and the files that it comes from.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use prompt_syntax::Role;
use quote::quote;

use super::Emitter;
use crate::fingerprint::fingerprint;
use crate::model::{Piece, Step, walk};

/// The parts of `{ let fingerprint = …; &info(…) }`.
///
/// A reference to nothing but constants is made a constant of its own, which rustc evaluates when it checks a prompt. One with
/// a variable in it waits for whoever asks: that is 2 % of what checking a prompt takes.
pub(super) struct Info {
    /// The variable.
    pub(super) known: Ident,
    pub(super) fingerprint: u64,
    /// `("Ask", "", "user question 1 14\n", "src/lib.rs", 3, 17, fingerprint)`
    pub(super) arguments: Group,
    /// `.for_model("llama3.1")`
    pub(super) model: Option<TokenStream>,
}

impl Emitter<'_> {
    pub(super) fn info(&self) -> Info {
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
                    let (line, column) = case.sources[message.source].line_and_column(span.start);
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
        let known = Ident::new("fingerprint", Span::mixed_site());
        let arguments = quote!(#name, #doc, #slots, #file, #line, #column, #known);
        Info {
            known,
            fingerprint: fingerprint(self.prompt),
            arguments: Group::new(Delimiter::Parenthesis, arguments),
            model: keys.model.as_ref().map(|model| {
                let model = &model.value;
                quote!(.for_model(#model))
            }),
        }
    }

    /// A template file that changes makes its prompt compile again.
    pub(super) fn tracked(&self) -> Option<TokenStream> {
        let p = &self.private;
        let mut tokens = None::<TokenStream>;
        for case in &self.prompt.cases {
            for file in case.sources.iter().flat_map(|source| &source.tracked) {
                let file = format!("/{file}");
                tokens.get_or_insert_default().extend(quote! { const _: &[u8] = #p::core::include_bytes!(#p::core::concat!(#p::core::env!("CARGO_MANIFEST_DIR"), #file)); });
            }
        }
        tokens
    }
}
