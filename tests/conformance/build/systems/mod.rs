//! The reference systems. To add one: a file here, and a line in [`SYSTEMS`].

mod adalflow;
mod aisbench;
mod lamini;
mod lazyllm;
mod lightrag;

use crate::plan::System;

pub(crate) const SYSTEMS: &[System] = &[
    lazyllm::SYSTEM,
    lazyllm::KEYS,
    lamini::SYSTEM,
    aisbench::SYSTEM,
    adalflow::SYSTEM,
    lightrag::SYSTEM,
];
