//! Golden cases of the reference systems: each is a derived prompt, rendered through the public API.
//!
//! `GOLDENS=folder cargo test -p conformance -- --nocapture` runs the cases of another folder. A system whose file does
//! not exist there is skipped, and a case that does not compile fails alone. `build/` generates the Rust code of a case; this crate runs it
//! and counts the results.

// The goldens determine what is used.
#![allow(dead_code, mixed_script_confusables)]

mod attacks;
mod case;
mod chat_formats;
mod chat_templates;
mod compile_fail;
mod configs;
mod diff;
mod drive;
mod output;
mod table;
mod trial;

include!(concat!(env!("OUT_DIR"), "/systems.rs"));
