//! Golden cases of the reference systems: each is a derived prompt, rendered through the public API.
//!
//! `GOLDENS=folder cargo test -p conformance -- --nocapture` runs the cases of another folder; a system whose file is
//! not there is left out. `build/` turns a case into Rust, this half runs it and counts.

mod attacks;
mod case;
mod chat_formats;
mod chat_templates;
mod compile_fail;
#[allow(dead_code)] // The goldens say what of it is used.
mod configs;
mod diff;
mod drive;
mod output;
mod table;

include!(concat!(env!("OUT_DIR"), "/systems.rs"));
