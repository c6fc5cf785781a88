//! The behaviour of prompt-core through its public API; one file per subject, cases as data.

mod formats;
mod guard;
mod history;
mod lamini;
mod lazyllm;
mod output;
mod values;
mod wire;
