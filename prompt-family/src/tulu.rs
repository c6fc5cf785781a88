//! Tülu.

use super::*;

const EOS: &str = "<|end_of_text|>";
pub(crate) const SYSTEM: &str = "<|system|>";
pub(crate) const USER: &str = "<|user|>";
pub(crate) const ASSISTANT: &str = "<|assistant|>";

/// Tülu 3. The names of roles are plain text to the tokenizer, which is that of Llama 3.1.
pub const TULU3: Family = Family {
    name: "tulu3",
    title: "Tülu 3",
    source: Source::new("tokenizer_config.json of allenai/Llama-3.1-Tulu-3-8B", "2026-11"),
    aliases: &["tulu-3", "allenai/Llama-3.1-Tulu-3-8B", "allenai/Llama-3.1-Tulu-3-70B"],
    eos: EOS,
    tokens: &[
        "<|begin_of_text|>", EOS, "<|eot_id|>", SYSTEM, USER, ASSISTANT, "<|start_header_id|>", "<|end_header_id|>",
        "<|eom_id|>", "<|python_tag|>", "<|finetune_right_pad_id|>", "<|pad|>",
    ],
    numbered: &[llama3::RESERVED],
    loose: &[SYSTEM, USER, ASSISTANT],
    system: true,
    history: true,
    turns: Turns {
        system: System::in_turn(Delimiters::new(join!(SYSTEM, "\n"), "\n")),
        user: Delimiters::new(join!(USER, "\n"), "\n"),
        assistant: Delimiters::new(join!(ASSISTANT, "\n"), join!(EOS, "\n")).last_close(EOS),
        ..Turns::NONE
    },
    ..Family::BARE
};
