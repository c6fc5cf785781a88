//! The behaviour of prompt-chat-template through its public API; one file per subject, cases as data.

mod bad_json;
#[path = "../../../prompt-core/tests/it/bad_values.rs"]
mod bad_values;
mod file_faults;
mod guard;
mod large_tokenizers;
mod limits;
#[path = "../../../prompt-core/tests/it/linear.rs"]
mod linear;
mod masks;
mod messages_of_errors;
mod prepare;
mod python;
mod templates;
