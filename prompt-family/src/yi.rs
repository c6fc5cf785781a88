//! Yi.

use super::chatml::{END, END_OF_TEXT, START, starcoder};
use super::*;

/// Yi 1.5: ChatML with the system message as bare text; every user message ends with the assistant's header.
/// Its tokens are the user-defined symbols of its vocabulary without HTML elements.
pub const YI1_5: Family = Family {
    name: "yi1_5",
    title: "Yi 1.5",
    source: Source::new("tests/corpus/yi-1.5-9b-chat/tokenizer_config.json of GregoryBolshakov/hf-chat-template at 72b987fc0b18", "2026-11"),
    aliases: &["yi-1.5", "01-ai/Yi-1.5-6B-Chat", "01-ai/Yi-1.5-9B-Chat", "01-ai/Yi-1.5-34B-Chat"],
    tokens: starcoder![
        "<|startoftext|>", END_OF_TEXT, START, END, "<|im_sep|>", "<unk>", "<|Human|>", "<|Assistant|>", "<|System|>",
        "<fim_prefix>", "<fim_middle>", "<fim_suffix>", "<fim_pad>", "<commit_before>", "<commit_msg>", "<commit_after>",
    ],
    numbered: &[Numbered::new("<|reserved", "|>"), Numbered::new("<|unused", "|>")],
    turns: Turns {
        system: System::new(SystemPlacement::First, Delimiters::new("", "").printing_lists()),
        user: Delimiters::new(CHATML.turns.user.open, join!(END, "\n", START, "assistant\n")),
        assistant: Delimiters::new("", CHATML.turns.assistant.close),
        ..Turns::NONE
    },
    ..CHATML
};
