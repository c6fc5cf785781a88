//! Any text as a template of the Jinja dialect: the invariants of the parser hold.

#![no_main]

use libfuzzer_sys::fuzz_target;
use prompt_syntax::{Dialect, Options};

#[path = "../../prompt-syntax/tests/invariants/mod.rs"]
mod invariants;

fuzz_target!(|text: &str| {
    invariants::check(text, Options::message(Dialect::Jinja));
    for (trim_blocks, lstrip_blocks) in [(false, false), (true, false), (false, true), (true, true)]
    {
        let options = Options {
            trim_blocks,
            lstrip_blocks,
            keep_trailing_newline: trim_blocks == lstrip_blocks,
            role_lines: trim_blocks && lstrip_blocks,
            ..Options::document(Dialect::Jinja)
        };
        invariants::check(text, options);
    }
});
