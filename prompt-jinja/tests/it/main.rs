//! The behaviour of prompt-jinja through its public API; one file per subject, cases as data.

mod bad_json;
#[path = "../../../prompt-core/tests/it/bad_values.rs"]
mod bad_values;
mod builtins_page;
mod expressions;
#[path = "../../../prompt-core/tests/it/linear.rs"]
mod linear;
