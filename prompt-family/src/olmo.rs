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

const CALLS: &str = "<function_calls>";
const CALLS_END: &str = "</function_calls>";
const OLMO: &str = "You are Olmo, a helpful AI assistant built by Ai2. Your date cutoff is December 2024, and your model weights are available at https://huggingface.co/allenai. ";

/// Olmo 3.1 Instruct: ChatML with tools in every system message, calls in Python, and results as messages of the environment.
/// Its tokens are OLMo 2's and the delimiters of its template.
pub const OLMO3: Family = Family {
    name: "olmo3",
    title: "Olmo 3",
    source: Source::new("the chat template of lmstudio-community/Olmo-3.1-32B-Instruct-MLX-8bit", "2026-11"),
    aliases: &["olmo-3", "olmo-3.1", "allenai/Olmo-3.1-32B-Instruct"],
    tokens: &[
        EOS, START, END, "<|pad|>", "<|endofprompt|>", SYSTEM, USER, ASSISTANT, "<|fim_prefix|>", "<|fim_middle|>",
        "<|fim_suffix|>", "|||PHONE_NUMBER|||", "|||EMAIL_ADDRESS|||", "|||IP_ADDRESS|||", "<functions>", "</functions>",
        CALLS, CALLS_END,
    ],
    tools: true,
    turns: Turns {
        start: TextStart::Nothing,
        system: chatml::CHATML.turns.system.default(DefaultSystem::UnlessAny(OLMO)),
        user: chatml::CHATML.turns.user,
        assistant: chatml::CHATML.turns.assistant.last_close(EOS),
        tool: Some(Delimiters::new(join!(START, "environment\n"), join!(END, "\n"))),
        other: OtherRoles::Dropped,
        calls: Calls { section_open: CALLS, middle: "(", close: ")", section_close: CALLS_END, ..Calls::NONE },
        answer_calls: &[CallSyntax::new(CALLS, CALLS_END, CallBody::Python)],
        also_reasoning: &[("<think>", "</think>")],
        tools: ToolList::new("<functions>[", ", ", "]</functions>"),
        closes: &[EOS],
        ..Turns::NONE
    },
    template: ConversationTemplate::Olmo3,
    ..OLMO2
};
