//! The behaviour of prompt-core through its public API; one file per subject, cases as data.

mod answer_calls;
mod answers;
mod bad_json;
mod bad_text;
mod bad_values;
mod control_tokens;
mod false_positives;
mod file_faults;
mod format_options;
mod formats;
mod formats_page;
mod guard;
mod guard_ways;
mod history;
mod linear;
mod masks;
mod native_guard;
mod native_read;
mod native_strict;
mod output;
mod prefix;
#[cfg(feature = "tokens")]
mod real_tokenizers;
mod reasoning;
mod steps;
#[cfg(feature = "tokens")]
mod tokens;
mod values;
mod ways;
mod wire;

/// Of inputs that are much alike each one is tested, or in a debug build every fourth one.
const STEP: usize = if cfg!(debug_assertions) { 4 } else { 1 };

/// The size of long input: a tenth of it in a debug build, which `cargo test` waits for.
const fn long(size: usize) -> usize {
    if cfg!(debug_assertions) {
        size / 10
    } else {
        size
    }
}
