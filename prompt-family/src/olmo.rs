//! OLMo.

use super::chatml::{END, END_OF_TEXT, START};
use super::tulu::{ASSISTANT, SYSTEM, USER};
use super::*;

const EOS: &str = END_OF_TEXT;

/// OLMo 2: Tülu 3 with other tokens. Its tokenizer could not be read: these are the special tokens of the vocabulary that
/// it shares with OLMo 3; the numbered ones are assumed.
pub const OLMO2: Family = Family {
    name: "olmo2",
    title: "OLMo 2",
    source: Source::new("tokenizer_config.json of allenai/OLMo-2-1124-7B-SFT", "2026-11"),
    aliases: &["olmo-2", "allenai/OLMo-2-1124-7B-Instruct", "allenai/OLMo-2-1124-13B-Instruct"],
    bos: EOS,
    eos: EOS,
    tokens: &[
        EOS, START, END, "<|pad|>", "<|endofprompt|>", SYSTEM, USER, ASSISTANT, "<|fim_prefix|>", "<|fim_middle|>",
        "<|fim_suffix|>", "|||PHONE_NUMBER|||", "|||EMAIL_ADDRESS|||", "|||IP_ADDRESS|||",
    ],
    numbered: &[Numbered::new("<|extra_id_", "|>")],
    turns: Turns {
        start: TextStart::Bos,
        assistant: Delimiters::new(TULU3.turns.assistant.open, join!(EOS, "\n")).last_close(EOS),
        ..TULU3.turns
    },
    ..TULU3
};
