//! The corrected code for each error: it compiles and renders.

mod answer;
mod control_token;
mod examples_file;
mod field_without_slot;
mod file;
mod filters;
mod format;
mod front_matter;
mod function;
mod jinja;
mod lists;
mod media;
mod option;
mod output;
#[allow(dead_code)]
mod page;
mod shape;
mod sources;
mod string_query;
mod tags;
mod template;
mod tools;
mod trusted;
mod turns;
mod types;
mod unclosed;
mod unknown_key;
mod unknown_slot;
