//! Idefics.

use super::smolvlm::{AROUND_IMAGE, END, IMAGE, SMOLVLM};
use super::*;

/// Idefics 3: SmolVLM with the tokens of Llama 3.
pub const IDEFICS3: Family = Family {
    name: "idefics3",
    title: "Idefics 3",
    source: Source::new("trl/chat_templates/idefics3.jinja of trl 1.16.0", "2026-11"),
    aliases: &["HuggingFaceM4/Idefics3-8B-Llama3"],
    bos: "<|begin_of_text|>",
    tokens: &[
        "<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", END, IMAGE, AROUND_IMAGE,
        "<global-img>", "System:", "User:", "Assistant:",
    ],
    numbered: &[llama3::RESERVED],
    turns: Turns { start: TextStart::Bos, ..SMOLVLM.turns },
    ..SMOLVLM
};
