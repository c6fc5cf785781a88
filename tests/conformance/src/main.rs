//! Golden cases of the reference systems: each is a derived prompt, rendered through the public API.
//!
//! `GOLDENS=folder cargo test -p conformance -- --nocapture` runs the cases of another folder; a system whose file is
//! not there is left out, and a case that does not compile fails alone. `build/` turns a case into Rust, this half runs it
//! and counts.

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
