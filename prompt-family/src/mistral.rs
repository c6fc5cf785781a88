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

const ARGUMENTS: &str = "[ARGS]";
/// Before the id of a call.
pub const CALL_ID: &str = "[CALL_ID]";
/// Between the id of a call and its result.
pub const RESULT_CONTENT: &str = "[TOOL_CONTENT]";
const THINK: &str = "[THINK]";
const THINK_END: &str = "[/THINK]";

/// Mistral Small 3.2, as Mistral's own package writes it: each call with its id. Its tokens are those of that package for v11.
///
/// The chat template that is distributed beside it adds a default system message, and leaves text beside a call out. An image
/// stays where it is, as in that template; the package writes one after all texts before them.
pub const MISTRAL_V11: Family = Family {
    name: "mistral_v11",
    title: "Mistral v11",
    source: Source::new("InstructTokenizerV11 of mistral-common 1.13.1", "2026-11"),
    aliases: &[
        "mistral-v11", "mistral-small3.2", "mistralai/Mistral-Small-3.2-24B-Instruct-2506", "mistralai/Magistral-Small-2506",
    ],
    tokens: &[
        BOS, EOS, "<unk>", "<pad>", INST, INST_END, SYSTEM, SYSTEM_END, TOOLS, TOOLS_END, CALLS, CALL_ID, ARGUMENTS, RESULT,
        RESULT_CONTENT, RESULT_END, IMAGE, "[IMG_BREAK]", "[IMG_END]", PREFIX, MIDDLE, SUFFIX, "[AUDIO]", "[BEGIN_AUDIO]",
        "[TRANSCRIBE]",
    ],
    numbered: &[Numbered::new("<SPECIAL_", ">")],
    tools: true,
    media: true,
    order: Order::Alternate,
    turns: Turns {
        system: System::new(SystemPlacement::First, Delimiters::new(SYSTEM, SYSTEM_END)),
        user: Delimiters::new(INST, INST_END),
        assistant: Delimiters::new("", EOS),
        tool: Some(Delimiters::new(RESULT, RESULT_END)),
        calls: Calls { open: CALLS, middle: ARGUMENTS, ..Calls::NONE },
        tools: ToolList::new(join!(TOOLS, "["), ", ", join!("]", TOOLS_END)),
        media: Placeholders { image_urls: true, ..Placeholders::images(IMAGE) },
        also_read: &[("", TOOLS, TOOLS_END), ("assistant", RESULT_END, EOS)],
        ..MISTRAL_V7.turns
    },
    template: ConversationTemplate::MistralV11,
    ..MISTRAL_V7
};

/// Magistral 1.1, Devstral 1.1 and Ministral 3, as Mistral's own package writes them: calls without ids, tools in front, and
/// reasoning. Its tokens are those of that package for v13 and v15.
///
/// The chat templates that are distributed beside them add default system messages. An image after a single text is written
/// before it.
pub const MISTRAL_V13: Family = Family {
    name: "mistral_v13",
    title: "Mistral v13",
    source: Source::new("InstructTokenizerV13 of mistral-common 1.13.1", "2026-11"),
    aliases: &[
        "mistral-v13", "ministral-3", "mistralai/Magistral-Small-2507", "mistralai/Magistral-Small-2509",
        "mistralai/Devstral-Small-2507", "mistralai/Ministral-3-3B-Instruct-2512", "mistralai/Ministral-3-8B-Instruct-2512",
        "mistralai/Ministral-3-14B-Instruct-2512", "mistralai/Ministral-3-3B-Reasoning-2512",
        "mistralai/Ministral-3-8B-Reasoning-2512", "mistralai/Ministral-3-14B-Reasoning-2512",
    ],
    tokens: &[
        BOS, EOS, "<unk>", "<pad>", INST, INST_END, SYSTEM, SYSTEM_END, TOOLS, TOOLS_END, CALLS, CALL_ID, ARGUMENTS, RESULT,
        RESULT_CONTENT, RESULT_END, IMAGE, "[IMG_BREAK]", "[IMG_END]", PREFIX, MIDDLE, SUFFIX, "[AUDIO]", "[BEGIN_AUDIO]",
        "[TRANSCRIBE]", THINK, THINK_END, "[MODEL_SETTINGS]", "[/MODEL_SETTINGS]",
    ],
    reasoning: true,
    turns: Turns {
        reasoning: Some((THINK, THINK_END)),
        also_reasoning: &[("<think>", "</think>")],
        ..MISTRAL_V11.turns
    },
    template: ConversationTemplate::MistralV13,
    ..MISTRAL_V11
};
