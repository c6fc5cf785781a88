//! The layouts of other systems against their recorded output, and their properties.

mod aisbench;
mod bad_json;
// Shared with the tests of prompt-core.
#[path = "../../../prompt-core/tests/it/bad_values.rs"]
mod bad_values;
mod guard;
#[path = "../../../prompt-core/tests/it/native_guard/hostile.rs"]
mod hostile;
mod lamini;
mod lazyllm;
mod lazyllm_differences;
mod lightrag;
