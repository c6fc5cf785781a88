//! InternLM.

use super::chatml::{END, START};
use super::*;

const BOS: &str = "<s>";
const EOS: &str = "</s>";

/// InternLM 2: ChatML after `<s>`. Its tokens are those of its `tokenizer_config.json` and the reserved ones of its
/// vocabulary.
pub const INTERNLM2: Family = Family {
    name: "internlm2",
    title: "InternLM 2",
    aliases: &["internlm/internlm2-chat-7b", "internlm/internlm2-chat-20b", "internlm/internlm2-chat-1_8b"],
    bos: BOS,
    eos: EOS,
    tokens: &[
        BOS, EOS, "<unk>", START, END, "<|action_start|>", "<|action_end|>", "<|interpreter|>", "<|plugin|>",
    ],
    numbered: &[Numbered::new("[UNUSED_TOKEN_", "]")],
    turns: Turns { start: Start::BosBeforeQuestion, end: End::EosAfterAssistant, ..CHATML.turns },
    ..CHATML
};
