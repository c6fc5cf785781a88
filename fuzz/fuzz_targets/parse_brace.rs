//! Any text as a template of the brace dialect: the invariants of the parser hold.

#![no_main]

use libfuzzer_sys::fuzz_target;
use prompt_syntax::{Dialect, Options};

#[path = "../../prompt-syntax/tests/invariants/mod.rs"]
mod invariants;

fuzz_target!(|text: &str| {
    for roles in [false, true] {
        invariants::check(
            text,
            Options {
                roles,
                ..Options::message(Dialect::Brace)
            },
        );
    }
});
