//! The fingerprint of a prompt: a stable hash of its templates, roles, history and examples, dialect and output type.

use prompt_syntax::Dialect;
use quote::quote;

use crate::model::{Prompt, Step};

/// A number that changes with the texts, the roles, the slots and the output of a prompt, and with nothing else.
///
/// FNV-1a of 64 bits (<http://www.isthe.com/chongo/tech/comp/fnv/>): stable between compilers, and short.
pub(crate) fn fingerprint(prompt: &Prompt<'_>) -> u64 {
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
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
                Step::Message(message) => {
                    hash.add(message.role.map_or("fragment", prompt_syntax::Role::name));
                    hash.add(&case.sources[message.source].value);
                }
                Step::Examples(examples) => {
                    hash.add("examples");
                    hash.add(&case.sources[examples.source].value);
                }
                Step::History { field, .. } => {
                    hash.add("history");
                    hash.add(&case.case.fields[*field].name);
                }
            }
        }
    }
    let keys = &prompt.input.keys;
    hash.add(
        keys.syntax
            .as_ref()
            .map_or(Dialect::default(), |syntax| syntax.value)
            .name(),
    );
    if let Some(output) = &keys.output {
        let ty = &output.value;
        hash.add(&quote!(#ty).to_string());
    }
    hash.0
}

struct Hash(u64);

impl Hash {
    fn add(&mut self, text: &str) {
        // A zero byte keeps two texts from running into each other.
        const PRIME: u64 = 0x0100_0000_01b3;
        // Without an iterator, which is a call for each byte where macros run unoptimised.
        let mut rest = text.as_bytes();
        while let [byte, after @ ..] = rest {
            self.0 = (self.0 ^ *byte as u64).wrapping_mul(PRIME);
            rest = after;
        }
        self.0 = self.0.wrapping_mul(PRIME);
    }
}
