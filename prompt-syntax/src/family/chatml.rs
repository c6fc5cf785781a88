//! ChatML.

use super::*;

pub(super) const START: &str = "<|im_start|>";
pub(super) const END: &str = "<|im_end|>";
pub(super) const END_OF_TEXT: &str = "<|endoftext|>";

/// ChatML, as OpenHermes, SmolLM and many fine-tuned models read it.
pub const CHATML: Family = Family {
    name: "chatml",
    title: "ChatML",
    aliases: &[
        "chat-ml", "teknium/OpenHermes-2.5-Mistral-7B", "HuggingFaceTB/SmolLM-1.7B-Instruct",
        "HuggingFaceTB/SmolLM-360M-Instruct", "HuggingFaceTB/SmolLM-135M-Instruct",
    ],
    eos: END,
    tokens: &[START, END, END_OF_TEXT],
    system: true,
    history: true,
    turns: header!(START, "\n", join!(END, "\n")),
    ..Family::BARE
};
