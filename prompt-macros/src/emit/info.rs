//! What is known about a prompt before it is filled, and the files that it comes from.

use proc_macro2::TokenStream;
use prompt_syntax::Role;
use quote::quote;

use super::{Code, Emitter};
use crate::fingerprint::fingerprint;
use crate::model::{Piece, Step, walk};

impl Emitter<'_> {
    /// `const INFO: PromptInfo = info("Ask", "", "user question 1 14\n", "src/lib.rs", 3, 17, 4332178534338039823);`
    pub(super) fn info(&self, code: &mut Code<'_>) {
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
        code.add("const INFO: ")
            .path("PromptInfo")
            .add(" = ")
            .path("info(");
        for text in [&name, &doc, &slots, &file] {
            code.literal(text).add(",");
        }
        code.literal(line)
            .add(",")
            .literal(column)
            .add(",")
            .literal(fingerprint(self.prompt))
            .add(")");
        if let Some(model) = &keys.model {
            code.add(".for_model(").literal(&model.value).add(")");
        }
        code.add(";");
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
