//! Kimi.

use super::*;

/// Before the name of a role that is neither the user nor the assistant.
pub const SYSTEM: &str = "<|im_system|>";
const USER: &str = "<|im_user|>";
const ASSISTANT: &str = "<|im_assistant|>";
/// Between the name of a role and the text.
pub const MIDDLE: &str = "<|im_middle|>";
const END: &str = "<|im_end|>";
const CALLS: &str = "<|tool_calls_section_begin|>";
const CALLS_END: &str = "<|tool_calls_section_end|>";
const CALL: &str = "<|tool_call_begin|>";
const ARGUMENTS: &str = "<|tool_call_argument_begin|>";
const CALL_END: &str = "<|tool_call_end|>";
const MEDIA: &str = "<|media_start|>";
const MEDIA_CONTENT: &str = "<|media_content|>";
const MEDIA_PAD: &str = "<|media_pad|>";
const MEDIA_END: &str = "<|media_end|>";
const EOS: &str = "[EOS]";
const THINK: &str = "<think>";
const THINK_END: &str = "</think>";
const KIMI: &str = "You are Kimi, an AI assistant created by Moonshot AI.";
const SYNTAX: CallSyntax =
    CallSyntax::new(CALL, CALL_END, CallBody::Named { prefix: "functions.", middle: ARGUMENTS });
/// Before the list of tools.
pub const TOOLS: &str = join!(SYSTEM, "tool_declare", MIDDLE);

/// Kimi K2: tools declared in front, a default system message. Its tokens are those of its `tokenizer_config.json`;
/// the reserved ones (`<|reserved_token_N|>`) are assumed.
pub const KIMI_K2: Family = Family {
    name: "kimi_k2",
    title: "Kimi K2",
    source: Source::new("models/templates/moonshotai-Kimi-K2.jinja of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &["kimi-k2", "moonshotai/Kimi-K2-Instruct"],
    eos: EOS,
    tokens: &[
        "[BOS]", EOS, "[PAD]", "[UNK]", SYSTEM, USER, ASSISTANT, MIDDLE, END, CALLS, CALLS_END, CALL, ARGUMENTS, CALL_END,
        "<|media_begin|>", MEDIA_CONTENT, MEDIA_END, MEDIA_PAD, MEDIA, "[EOT]",
        "<|start_header_id|>", "<|end_header_id|>",
    ],
    numbered: &[Numbered::new("<|reserved_token_", "|>")],
    system: true,
    history: true,
    tools: true,
    media: true,
    turns: Turns {
        system: System::in_turn(Delimiters::new(join!(SYSTEM, "system", MIDDLE), END))
            .default(DefaultSystem::UnlessFirst("You are a helpful assistant")),
        user: Delimiters::new(join!(USER, "user", MIDDLE), END),
        assistant: Delimiters::new(join!(ASSISTANT, "assistant", MIDDLE), END),
        tool: Some(Delimiters::new(join!(SYSTEM, "tool", MIDDLE), END)),
        calls: Calls {
            section_open: CALLS,
            section_close: CALLS_END,
            open: join!(CALL, "functions."),
            middle: ARGUMENTS,
            close: CALL_END,
            ..Calls::NONE
        },
        // Some models write the section in the singular.
        answer_calls: &[
            SYNTAX.in_section(CALLS, CALLS_END),
            SYNTAX.in_section("<|tool_call_section_begin|>", "<|tool_call_section_end|>"),
        ],
        also_reasoning: &[("◁think▷", "◁/think▷"), (THINK, THINK_END)],
        media: Placeholders::images(join!(MEDIA, "image", MEDIA_CONTENT, MEDIA_PAD, MEDIA_END, "\n")),
        also_read: &[("", TOOLS, END)],
        ..Turns::NONE
    },
    template: ConversationTemplate::Kimi(CallNumbers::InMessage),
    ..Family::BARE
};

/// Kimi K2 from September 2025 on: another default system message, and calls that are numbered through the conversation.
pub const KIMI_K2_0905: Family = Family {
    name: "kimi_k2_0905",
    title: "Kimi K2 0905",
    source: Source::new("models/templates/Kimi-K2-Instruct.jinja of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &["kimi-k2-0905", "moonshotai/Kimi-K2-Instruct-0905"],
    turns: Turns {
        system: System::in_turn(KIMI_K2.turns.system.delimiters).default(DefaultSystem::UnlessFirst(KIMI)),
        ..KIMI_K2.turns
    },
    template: ConversationTemplate::Kimi(CallNumbers::InConversation),
    ..KIMI_K2
};

/// Kimi K2 Thinking: the same with reasoning.
pub const KIMI_K2_THINKING: Family = Family {
    name: "kimi_k2_thinking",
    title: "Kimi K2 Thinking",
    source: Source::new("models/templates/Kimi-K2-Thinking.jinja of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &["kimi-k2-thinking", "moonshotai/Kimi-K2-Thinking"],
    tokens: &[
        "[BOS]", EOS, "[PAD]", "[UNK]", SYSTEM, USER, ASSISTANT, MIDDLE, END, CALLS, CALLS_END, CALL, ARGUMENTS, CALL_END,
        "<|media_begin|>", MEDIA_CONTENT, MEDIA_END, MEDIA_PAD, MEDIA, "[EOT]",
        "<|start_header_id|>", "<|end_header_id|>", THINK, THINK_END,
    ],
    reasoning: true,
    turns: Turns {
        reasoning: Some((THINK, THINK_END)),
        also_reasoning: &[("◁think▷", "◁/think▷")],
        ..KIMI_K2_0905.turns
    },
    ..KIMI_K2_0905
};
