//! `Prompt::INFO`: what a program can read about a prompt, and its fingerprint.

use prompt_syntax::Role;
use quote::quote;

use super::{Code, Emitter};
use crate::lower::{AnalyzedPrompt, PromptStep, ResolvedNode, template_messages, walk};

impl Emitter<'_> {
    /// ```text
    /// const INFO: PromptInfo = PromptInfo::new("Ask")
    ///     .with_slots(slots_from_lines("user question 1 14\n"))
    ///     .with_position("src/lib.rs", 3, 17)
    ///     .with_fingerprint(4332178534338039823);
    /// ```
    pub(super) fn write_info(&self, code: &mut Code<'_>) {
        let name = self.prompt.input.ident.to_string();
        let keys = &self.prompt.input.keys;
        let docs = self.prompt.input.docs.iter().map(syn::LitStr::value);
        let docs = docs.map(|line| line.strip_prefix(' ').unwrap_or(&line).to_owned());
        let docs: Vec<String> = docs.collect();
        let doc = match &keys.description {
            Some(description) if docs.is_empty() => description.value.clone(),
            _ => docs.join("\n"),
        };
        code.add("const INFO: ").path("PromptInfo").add(" = ");
        code.path("PromptInfo::new(").literal(name).add(")");
        if !doc.is_empty() {
            code.add(".with_doc(").literal(doc).add(")");
        }
        let slots = self.slot_lines();
        if !slots.is_empty() {
            code.add(".with_slots(").path("slots_from_lines(");
            code.literal(slots).add("))");
        }
        let trusted = self.trusted_names();
        if !trusted.is_empty() {
            code.add(".with_trusted(&[");
            for name in trusted {
                code.literal(name).add(",");
            }
            code.add("])");
        }
        let first = self
            .prompt
            .cases
            .iter()
            .find_map(|case| case.sources.first());
        let position = first.map(|source| source.position(prompt_base::Span::new(0, 0)));
        let (file, line, column) = position.unwrap_or_default();
        code.add(".with_position(").literal(file).add(",");
        code.literal(line).add(",").literal(column).add(")");
        code.add(".with_fingerprint(")
            .literal(fingerprint(self.prompt))
            .add(");");
    }

    /// The lines of `slots_from_lines`: the first position of each field in each role.
    fn slot_lines(&self) -> String {
        let (mut slots, mut seen) = (String::new(), Vec::new());
        for case in &self.prompt.cases {
            for message in template_messages(case) {
                walk(&message.body, &mut |piece| {
                    let (name, span) = match piece {
                        ResolvedNode::Slot(slot) => (&slot.name, slot.span),
                        ResolvedNode::Other(other) => match super::jinja::shown_value(other) {
                            Some(shown) => shown,
                            None => return,
                        },
                        ResolvedNode::Media { place, span, .. } => (&place.name, *span),
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
        slots
    }

    /// The names of `PromptInfo::with_trusted`.
    fn trusted_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for case in &self.prompt.cases {
            let fields = case.case.fields.iter();
            for field in fields.filter(|it| it.keys.has("trusted") && !it.keys.has("skip")) {
                if !names.contains(&field.name) {
                    names.push(field.name.clone());
                }
            }
        }
        names
    }
}

/// A number that changes with the texts, the roles, the slots and the output of a prompt, and with nothing else.
///
/// FNV-1a of 64 bits (<http://www.isthe.com/chongo/tech/comp/fnv/>): stable between compilers, and short.
pub(crate) fn fingerprint(prompt: &AnalyzedPrompt<'_>) -> u64 {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    for case in &prompt.cases {
        hash.add(
            &case
                .case
                .variant
                .as_ref()
                .map_or(String::new(), ToString::to_string),
        );
        for step in &case.steps {
            match step {
                PromptStep::Message(message) => {
                    hash.add(message.role.map_or("fragment", prompt_syntax::Role::name));
                    hash.add(&case.sources[message.source].value);
                }
                PromptStep::Examples(examples) => {
                    hash.add("examples");
                    hash.add(&case.sources[examples.source].value);
                }
                PromptStep::History { field, .. } => {
                    hash.add("history");
                    hash.add(&case.case.fields[*field].name);
                }
            }
        }
    }
    let keys = &prompt.input.keys;
    hash.add(keys.dialect().name());
    if let Some(output) = &keys.output {
        let ty = &output.value;
        hash.add(&quote!(#ty).to_string());
    }
    hash.0
}

struct Fnv(u64);

impl Fnv {
    fn add(&mut self, text: &str) {
        const PRIME: u64 = 0x0100_0000_01b3;
        // Without an iterator, which is a call for each byte where macros run unoptimised.
        let mut rest = text.as_bytes();
        while let [byte, after @ ..] = rest {
            self.0 = (self.0 ^ *byte as u64).wrapping_mul(PRIME);
            rest = after;
        }
        // A zero byte after each text: otherwise `ab`, `c` and `a`, `bc` would have the same number.
        self.0 = self.0.wrapping_mul(PRIME);
    }
}
