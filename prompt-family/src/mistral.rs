//! Mistral.

use super::*;

const BOS: &str = "<s>";
const EOS: &str = "</s>";
const INST: &str = "[INST]";
const INST_END: &str = "[/INST]";
const SYSTEM: &str = "[SYSTEM_PROMPT]";
const SYSTEM_END: &str = "[/SYSTEM_PROMPT]";
/// Before the list of tools.
pub const TOOLS: &str = "[AVAILABLE_TOOLS]";
/// After the list of tools.
pub const TOOLS_END: &str = "[/AVAILABLE_TOOLS]";
const CALLS: &str = "[TOOL_CALLS]";
const RESULT: &str = "[TOOL_RESULTS]";
const RESULT_END: &str = "[/TOOL_RESULTS]";
const IMAGE: &str = "[IMG]";
const PREFIX: &str = "[PREFIX]";
const MIDDLE: &str = "[MIDDLE]";
const SUFFIX: &str = "[SUFFIX]";
const CONTROL: Numbered = Numbered::new("[control_", "]");
const REFERENCE: Numbered = Numbered::new("[REFERENCE_DOC_", "]");

const CALL_SYNTAX: &[CallSyntax] =
    &[CallSyntax::new(CALLS, "", CallBody::Named { prefix: "", middle: "[ARGS]" }).in_section("", "[/TOOL_CALLS]")];

/// That of Magistral, and of its first version.
const REASONING: &[(&str, &str)] = &[("[THINK]", "[/THINK]"), ("<think>", "</think>")];

/// Mistral 7B Instruct and Mixtral 8x7B with their first template, which does not take system messages.
pub const MISTRAL_V0: Family = Family {
    name: "mistral_v0",
    title: "Mistral v0",
    source: Source::new("mistralai/Mixtral-8x7B-Instruct-v0.1 in packages/jinja/test/e2e.test.js of huggingface/huggingface.js at fe42e68017ff", "2026-11"),
    aliases: &["mistral-v0", "mistralai/Mistral-7B-Instruct-v0.1"],
    bos: BOS,
    eos: EOS,
    tokens: &[BOS, EOS, "<unk>", INST, INST_END],
    loose: &[INST, INST_END],
    history: true,
    order: Order::Alternate,
    turns: Turns {
        start: TextStart::Bos,
        user: Delimiters::new(join!(INST, " "), join!(" ", INST_END)),
        assistant: Delimiters::new("", EOS),
        other: OtherRoles::Unsupported,
        ..Turns::NONE
    },
    ..Family::BARE
};

/// Mistral 7B Instruct 0.2 and Mixtral 8x7B, with the system message inside the first user message.
pub const MISTRAL_V1: Family = Family {
    name: "mistral_v1",
    title: "Mistral v1",
    source: Source::new("mistralai/Mistral-7B-Instruct-v0.2 in tests/test-chat-template.cpp of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &["mistral-v1", "mistralai/Mistral-7B-Instruct-v0.2", "mistralai/Mixtral-8x7B-Instruct-v0.1"],
    system: true,
    turns: Turns {
        system: System::new(SystemPlacement::FirstUser, Delimiters::new("", "\n\n")),
        user: Delimiters::new(join!(" ", INST, " "), join!(" ", INST_END)),
        assistant: Delimiters::new(" ", EOS),
        ..MISTRAL_V0.turns
    },
    ..MISTRAL_V0
};

/// Mistral 7B Instruct 0.3 and Mixtral 8x22B, with system message and tools at the last user message. Its tokens are the
/// control and user-defined symbols of the SentencePiece model that Mistral's own package has for v3.
pub const MISTRAL_V3: Family = Family {
    name: "mistral_v3",
    title: "Mistral v3",
    source: Source::new("tests/corpus/mistral-7b-instruct-v0.3/tokenizer_config.json of GregoryBolshakov/hf-chat-template at 72b987fc0b18", "2026-11"),
    aliases: &[
        "mistral-v3", "mistralai/Mistral-7B-Instruct-v0.3", "mistralai/Mixtral-8x22B-Instruct-v0.1",
        "mistralai/Mistral-Large-Instruct-2407",
    ],
    tokens: &[
        BOS, EOS, "<unk>", INST, INST_END, TOOLS, TOOLS_END, CALLS, RESULT, RESULT_END, IMAGE, PREFIX, MIDDLE, SUFFIX,
    ],
    numbered: &[CONTROL, REFERENCE],
    loose: &[],
    tools: true,
    turns: Turns {
        system: System::new(SystemPlacement::LastUser, Delimiters::new("", "\n\n")),
        user: Delimiters::new(join!(INST, " "), INST_END),
        assistant: Delimiters::new(" ", EOS).with_trim(Trim::Ends).printing_lists(),
        tool: Some(Delimiters::new(join!(RESULT, " "), RESULT_END)),
        calls: Calls { section_open: join!(CALLS, " "), is_turn: true, ..Calls::NONE },
        answer_calls: CALL_SYNTAX,
        also_reasoning: REASONING,
        also_read: &[("", TOOLS, TOOLS_END), ("assistant", RESULT_END, EOS)],
        ..MISTRAL_V1.turns
    },
    template: ConversationTemplate::Mistral,
    ..MISTRAL_V1
};

/// Mistral Nemo: v3 without spaces. Its tokens are those of its `tokenizer.json`.
pub const MISTRAL_V3_TEKKEN: Family = Family {
    name: "mistral_v3_tekken",
    title: "Mistral v3 Tekken",
    source: Source::new("models/templates/mistralai-Mistral-Nemo-Instruct-2407.jinja of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &["mistral-v3-tekken", "mistral-nemo", "mistralai/Mistral-Nemo-Instruct-2407"],
    tokens: &[
        BOS, EOS, "<unk>", "<pad>", INST, INST_END, TOOLS, TOOLS_END, CALLS, RESULT, RESULT_END, PREFIX, MIDDLE,
        SUFFIX,
    ],
    numbered: &[Numbered::new("<SPECIAL_", ">")],
    turns: Turns {
        user: Delimiters::new(INST, INST_END),
        assistant: Delimiters::new("", EOS),
        tool: Some(Delimiters::new(RESULT, RESULT_END)),
        calls: Calls { section_open: CALLS, ..MISTRAL_V3.turns.calls },
        ..MISTRAL_V3.turns
    },
    ..MISTRAL_V3
};

/// Mistral Large 2411, with delimiters around system messages. Its tokens are the control and user-defined symbols of the
/// SentencePiece model that Mistral's own package has for v7.
pub const MISTRAL_V7: Family = Family {
    name: "mistral_v7",
    title: "Mistral v7",
    source: Source::new("mistralai/Mistral-Large-Instruct-2411 in tests/test-chat-template.cpp of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &["mistral-v7", "mistralai/Mistral-Large-Instruct-2411"],
    tokens: &[
        BOS, EOS, "<unk>", INST, INST_END, SYSTEM, SYSTEM_END, TOOLS, TOOLS_END, CALLS, RESULT, RESULT_END,
        "[TOOL_CONTENT]", IMAGE, "[IMG_BREAK]", "[IMG_END]", PREFIX, MIDDLE, SUFFIX, "[REF]", "[/REF]",
    ],
    numbered: &[CONTROL, REFERENCE],
    loose: &[],
    system: true,
    order: Order::Any,
    turns: Turns {
        system: System::in_turn(Delimiters::new(join!(SYSTEM, " "), SYSTEM_END)),
        user: Delimiters::new(join!(INST, " "), INST_END),
        assistant: Delimiters::new(" ", EOS),
        answer_calls: CALL_SYNTAX,
        also_reasoning: REASONING,
        ..MISTRAL_V0.turns
    },
    ..MISTRAL_V0
};
