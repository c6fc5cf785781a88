//! Phi.

use super::chatml;
use super::*;

const SYSTEM: &str = "<|system|>";
const USER: &str = "<|user|>";
const ASSISTANT: &str = "<|assistant|>";
const END: &str = "<|end|>";
const EOS: &str = chatml::END_OF_TEXT;
const CLOSE: &str = join!(END, "\n");

/// Phi-3 mini. Its tokens are those of its `tokenizer_config.json`.
pub const PHI3: Family = Family {
    name: "phi3",
    title: "Phi-3",
    source: Source::new("tests/corpus/phi-3-mini-4k-instruct/tokenizer_config.json of GregoryBolshakov/hf-chat-template at 72b987fc0b18", "2026-11"),
    aliases: &["phi-3", "microsoft/Phi-3-mini-4k-instruct", "microsoft/Phi-3-mini-128k-instruct"],
    eos: EOS,
    tokens: &["<s>", "</s>", "<unk>", EOS, SYSTEM, USER, ASSISTANT, END],
    numbered: &[Numbered::new("<|placeholder", "|>")],
    system: true,
    history: true,
    turns: Turns {
        system: System::in_turn(Delimiters::new(join!(SYSTEM, "\n"), CLOSE)),
        user: Delimiters::new(join!(USER, "\n"), CLOSE),
        assistant: Delimiters::new(join!(ASSISTANT, "\n"), CLOSE),
        end: TextEnd::Eos,
        ..Turns::NONE
    },
    ..Family::BARE
};

/// Phi-3.5 mini: Phi-3 without a turn for an empty system message.
pub const PHI3_5: Family = Family {
    name: "phi3_5",
    title: "Phi-3.5",
    source: Source::new("models/templates/microsoft-Phi-3.5-mini-instruct.jinja of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &["phi-3.5", "microsoft/Phi-3.5-mini-instruct"],
    turns: Turns { system: System::in_turn(PHI3.turns.system.delimiters.omitted_if_empty()), ..PHI3.turns },
    ..PHI3
};

/// Before the list of tools.
pub const TOOLS: &str = "<|tool|>";
/// After the list of tools.
pub const TOOLS_END: &str = "<|/tool|>";
const RESULT: &str = "<|tool_response|>";
const TOOL_CALL: &str = "<|tool_call|>";
const TOOL_CALL_END: &str = "<|/tool_call|>";
const CALL_SYNTAX: &[CallSyntax] = &[
    CallSyntax::new(TOOL_CALL, TOOL_CALL_END, CallBody::Json),
    CallSyntax::new("functools", "", CallBody::Json),
];
const REASONING: &[(&str, &str)] = &[("<think>", "</think>")];

/// Phi-4 mini: Phi-3.5 without line breaks, and tools in the system message. Its chat template does not support calls: they
/// are written as the model writes them, and results with the token of its vocabulary.
pub const PHI4_MINI: Family = Family {
    name: "phi4_mini",
    title: "Phi-4 mini",
    source: Source::new("models/templates/llama-cpp-microsoft-Phi-4-mini-instruct.jinja of ggml-org/llama.cpp at 6d7822c18b5b", "2026-11"),
    aliases: &["phi-4-mini", "microsoft/Phi-4-mini-instruct"],
    tokens: &[
        EOS, SYSTEM, USER, ASSISTANT, END, "<|endofprompt|>", TOOLS, TOOLS_END, TOOL_CALL, TOOL_CALL_END, RESULT, "<|tag|>",
    ],
    numbered: &[],
    tools: true,
    turns: Turns {
        system: System::in_turn(Delimiters::new(SYSTEM, END)),
        user: Delimiters::new(USER, END),
        assistant: Delimiters::new(ASSISTANT, END),
        tool: Some(Delimiters::new(RESULT, END)),
        calls: Calls {
            section_open: join!(TOOL_CALL, "["),
            open: "{\"name\": \"",
            middle: "\", \"arguments\": ",
            close: "}",
            section_close: join!("]", TOOL_CALL_END),
            ..Calls::NONE
        },
        answer_calls: CALL_SYNTAX,
        also_reasoning: REASONING,
        ..PHI3.turns
    },
    template: ConversationTemplate::Phi4Mini,
    ..PHI3
};

const SEPARATOR: &str = "<|im_sep|>";

/// Phi-4: ChatML with a token in place of the line break.
pub const PHI4: Family = Family {
    name: "phi4",
    title: "Phi-4",
    source: Source::new("LLM-Research/phi-4 in tests/test_chat_template.json of wangzhaode/jinja.cpp at f24bb4a7c0ac", "2026-11"),
    aliases: &["phi-4", "microsoft/phi-4"],
    tokens: &[
        chatml::END_OF_TEXT, chatml::START, SEPARATOR, chatml::END, "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>",
        "<|endofprompt|>",
    ],
    numbered: &[Numbered::new("<|dummy_", "|>")],
    turns: Turns {
        other: OtherRoles::Dropped,
        answer_calls: CALL_SYNTAX,
        also_reasoning: REASONING,
        ..header!(chatml::START, SEPARATOR, chatml::END)
    },
    ..CHATML
};
