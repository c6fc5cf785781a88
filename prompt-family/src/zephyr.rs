//! Zephyr.

use super::*;

const EOS: &str = "</s>";
const SYSTEM: &str = "<|system|>";
const USER: &str = "<|user|>";
const ASSISTANT: &str = "<|assistant|>";
const CLOSE: &str = join!(EOS, "\n");

/// Zephyr and TinyLlama Chat. The names of roles are plain text to the tokenizer.
pub const ZEPHYR: Family = Family {
    name: "zephyr",
    title: "Zephyr",
    source: Source::new("tests/corpus/zephyr-7b-beta/tokenizer_config.json of GregoryBolshakov/hf-chat-template at 72b987fc0b18", "2026-11"),
    aliases: &[
        "HuggingFaceH4/zephyr-7b-alpha", "HuggingFaceH4/zephyr-7b-beta", "TinyLlama/TinyLlama-1.1B-Chat-v1.0",
    ],
    eos: EOS,
    tokens: &["<s>", EOS, "<unk>", SYSTEM, USER, ASSISTANT],
    loose: &[SYSTEM, USER, ASSISTANT],
    system: true,
    history: true,
    turns: Turns {
        system: System::in_turn(Delimiters::new(join!(SYSTEM, "\n"), CLOSE)),
        user: Delimiters::new(join!(USER, "\n"), CLOSE),
        assistant: Delimiters::new(join!(ASSISTANT, "\n"), CLOSE),
        ..Turns::NONE
    },
    ..Family::BARE
};
