//! The reference systems. To add one: a file here, and a line in [`SYSTEMS`].

mod adalflow;
mod aisbench;
mod lamini;
mod lamini_client;
mod lazyllm;
mod lightrag;

use crate::plan::System;

pub(crate) const SYSTEMS: &[System] = &[
    lazyllm::SYSTEM,
    lazyllm::KEYS,
    lamini::SYSTEM,
    lamini_client::SYSTEM,
    aisbench::SYSTEM,
    adalflow::SYSTEM,
    lightrag::SYSTEM,
];
