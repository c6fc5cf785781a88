//! OLMo.

use super::chatml::{END, END_OF_TEXT, START};
use super::tulu::{ASSISTANT, SYSTEM, USER};
use super::*;

const EOS: &str = END_OF_TEXT;

/// OLMo 2: Tülu 3 with other tokens.
pub const OLMO2: Family = Family {
    name: "olmo2",
    title: "OLMo 2",
    aliases: &["olmo-2", "allenai/OLMo-2-1124-7B-Instruct", "allenai/OLMo-2-1124-13B-Instruct"],
    bos: EOS,
    eos: EOS,
    tokens: &[EOS, START, END, "<|pad|>", "<|endofprompt|>", SYSTEM, USER, ASSISTANT],
    turns: Turns {
        start: Start::Bos,
        assistant: Delimiters::new(TULU3.turns.assistant.open, join!(EOS, "\n")).last_close(EOS),
        ..TULU3.turns
    },
    ..TULU3
};
