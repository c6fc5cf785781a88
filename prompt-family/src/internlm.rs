//! InternLM.

use super::chatml::{END, START};
use super::*;

const BOS: &str = "<s>";
const ACTION: &str = "<|action_start|>";
const ACTION_END: &str = "<|action_end|>";
const PLUGIN: &str = "<|plugin|>";
const EOS: &str = "</s>";

/// InternLM 2: ChatML after `<s>`. Its tokens are those of its `tokenizer_config.json` and the reserved ones of its
/// vocabulary.
pub const INTERNLM2: Family = Family {
    name: "internlm2",
    title: "InternLM 2",
    source: Source::new("internlm/internlm2-chat-7b in packages/jinja/test/e2e.test.js of huggingface/huggingface.js at fe42e68017ff", "2026-11"),
    aliases: &["internlm/internlm2-chat-7b", "internlm/internlm2-chat-20b", "internlm/internlm2-chat-1_8b"],
    bos: BOS,
    eos: EOS,
    tokens: &[
        BOS, EOS, "<unk>", START, END, ACTION, ACTION_END, "<|interpreter|>", PLUGIN,
    ],
    numbered: &[Numbered::new("[UNUSED_TOKEN_", "]")],
    turns: Turns {
        start: TextStart::BosBeforeQuestion,
        end: TextEnd::EosAfterAssistant,
        answer_calls: &[CallSyntax::new(
            ACTION,
            ACTION_END,
            CallBody::Named { prefix: PLUGIN, middle: "" },
        )],
        also_reasoning: &[("<think>", "</think>")],
        ..CHATML.turns
    },
    ..CHATML
};
