//! DeepSeek.

use super::*;

const BOS: &str = "<｜begin▁of▁sentence｜>";
const EOS: &str = "<｜end▁of▁sentence｜>";
const USER: &str = "<｜User｜>";
const ASSISTANT: &str = "<｜Assistant｜>";
const THINK: &str = "<think>";
const THINK_END: &str = "</think>";
const CALLS: &str = "<｜tool▁calls▁begin｜>";
const CALLS_END: &str = "<｜tool▁calls▁end｜>";
const CALL: &str = "<｜tool▁call▁begin｜>";
const CALL_END: &str = "<｜tool▁call▁end｜>";
const SEPARATOR: &str = "<｜tool▁sep｜>";
/// Before a block of results.
pub const RESULTS: &str = "<｜tool▁outputs▁begin｜>";
/// After a block of results.
pub const RESULTS_END: &str = "<｜tool▁outputs▁end｜>";
const RESULT: &str = "<｜tool▁output▁begin｜>";
const RESULT_END: &str = "<｜tool▁output▁end｜>";
const FIM: &str = "<｜fim▁begin｜>";
const FIM_HOLE: &str = "<｜fim▁hole｜>";
const FIM_END: &str = "<｜fim▁end｜>";
const PAD: &str = "<｜▁pad▁｜>";
const EOT: &str = "<|EOT|>";
const PLACEHOLDER: Numbered = Numbered::new("<｜place▁holder▁no▁", "｜>");

/// DeepSeek V2 and DeepSeek LLM: roles as plain words. V2's tokenizer could not be read: its tokens are V3's, without
/// placeholders.
pub const DEEPSEEK_V2: Family = Family {
    name: "deepseek_v2",
    title: "DeepSeek V2",
    source: Source::new("tests/corpus/deepseek-llm-7b-chat/tokenizer_config.json of GregoryBolshakov/hf-chat-template at 72b987fc0b18", "2026-11"),
    aliases: &[
        "deepseek-v2", "deepseek-ai/DeepSeek-V2-Chat", "deepseek-ai/deepseek-llm-7b-chat",
        "deepseek-ai/deepseek-llm-67b-chat",
    ],
    bos: BOS,
    eos: EOS,
    tokens: &[
        BOS, EOS, "User:", "Assistant:", USER, ASSISTANT, CALLS, CALLS_END, CALL, CALL_END, SEPARATOR, RESULTS, RESULTS_END,
        RESULT, RESULT_END, FIM, FIM_HOLE, FIM_END, EOT,
    ],
    loose: &["\nUser:", "\nAssistant:"],
    system: true,
    history: true,
    turns: Turns {
        start: TextStart::Bos,
        system: System::in_turn(Delimiters::new("", "\n\n")),
        user: Delimiters::new("User: ", "\n\n"),
        assistant: Delimiters::new("Assistant: ", EOS),
        ..Turns::NONE
    },
    ..Family::BARE
};

/// DeepSeek V3: system messages in front, every user message ends with the assistant's token. Its tokens are those of its
/// `tokenizer.json`.
pub const DEEPSEEK_V3: Family = Family {
    name: "deepseek_v3",
    title: "DeepSeek V3",
    source: Source::new("deepseek-v3-0324 in xinference/model/llm/llm_family.json of xorbitsai/inference at 7ecec16b6338", "2026-11"),
    aliases: &["deepseek-v3", "deepseek-ai/DeepSeek-V3", "deepseek-ai/DeepSeek-V3-0324"],
    tokens: &[
        BOS, EOS, USER, ASSISTANT, CALLS, CALLS_END, CALL, CALL_END, SEPARATOR, RESULTS, RESULTS_END, RESULT, RESULT_END,
        FIM, FIM_HOLE, FIM_END, PAD, EOT,
    ],
    numbered: &[PLACEHOLDER],
    loose: &[],
    turns: Turns {
        system: System::new(SystemPlacement::First, Delimiters::new("", "")),
        user: Delimiters::new(USER, ASSISTANT),
        assistant: Delimiters::new("", EOS),
        tool: Some(Delimiters::new(RESULT, RESULT_END)),
        calls: Calls {
            section_open: CALLS,
            section_close: CALLS_END,
            open: CALL,
            middle: SEPARATOR,
            close: CALL_END,
            ..Calls::NONE
        },
        answer_calls: &[CallSyntax::new(CALL, CALL_END, CallBody::Named {
            prefix: join!("function", SEPARATOR),
            middle: SEPARATOR,
        })
        .in_section(CALLS, CALLS_END)],
        also_reasoning: &[(THINK, THINK_END)],
        also_read: &[("", RESULTS, ""), ("assistant", RESULT_END, EOS), ("assistant", RESULTS_END, EOS)],
        ..DEEPSEEK_V2.turns
    },
    template: ConversationTemplate::DeepSeek,
    ..DEEPSEEK_V2
};

/// DeepSeek R1, whose answer begins with its reasoning.
pub const DEEPSEEK_R1: Family = Family {
    name: "deepseek_r1",
    title: "DeepSeek R1",
    source: Source::new("deepseek-ai/DeepSeek-R1 in tests/test_chat_template.json of wangzhaode/jinja.cpp at f24bb4a7c0ac", "2026-11"),
    aliases: &["deepseek-r1", "deepseek-ai/DeepSeek-R1"],
    tokens: &[
        BOS, EOS, USER, ASSISTANT, THINK, THINK_END, CALLS, CALLS_END, CALL, CALL_END, SEPARATOR, RESULTS, RESULTS_END,
        RESULT, RESULT_END, FIM, FIM_HOLE, FIM_END, PAD, EOT,
    ],
    reasoning: true,
    turns: Turns {
        user: Delimiters::new(USER, ""),
        assistant: Delimiters::new(ASSISTANT, EOS),
        answer: Some(join!(ASSISTANT, THINK, "\n")),
        reasoning: Some((join!(THINK, "\n"), join!("\n", THINK_END, "\n\n"))),
        ..DEEPSEEK_V3.turns
    },
    ..DEEPSEEK_V3
};

/// DeepSeek V3.1, which reasons on request.
pub const DEEPSEEK_V3_1: Family = Family {
    name: "deepseek_v3_1",
    title: "DeepSeek V3.1",
    source: Source::new("models/templates/deepseek-ai-DeepSeek-V3.1.jinja of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &["deepseek-v3.1", "deepseek-ai/DeepSeek-V3.1"],
    tokens: &[
        BOS, EOS, USER, ASSISTANT, THINK, THINK_END, CALLS, CALLS_END, CALL, CALL_END, SEPARATOR, RESULTS, RESULTS_END,
        RESULT, RESULT_END, FIM, FIM_HOLE, FIM_END, PAD, EOT, "<｜search▁begin｜>", "<｜search▁end｜>",
    ],
    tools: true,
    options: &[FormatOption::Thinking],
    turns: Turns {
        answer: None,
        reasoning: Some((THINK, THINK_END)),
        also_read: &[("assistant", RESULT_END, EOS)],
        ..DEEPSEEK_R1.turns
    },
    template: ConversationTemplate::DeepSeekV3_1,
    ..DEEPSEEK_R1
};

/// The token in the tags of calls.
const DSML: &str = "｜DSML｜";
const INVOKE: &str = join!("<", DSML, "invoke ");
const INVOKE_END: &str = join!("</", DSML, "invoke>");
const PARAMETER: &str = join!("<", DSML, "parameter name=\"");
const PARAMETER_END: &str = join!("</", DSML, "parameter>");

/// A call of DeepSeek V3.2 and V4, whose tags contain whether a value is a string.
const SYNTAX: CallSyntax = CallSyntax::new(
    INVOKE,
    INVOKE_END,
    CallBody::Tags { name: ("name=\"", "\">"), key: (PARAMETER, "\">"), value: ("", PARAMETER_END), end: "" },
);

/// Calls of DeepSeek V3.2 and V4, which name the section differently.
const fn dsml_calls(section_open: &'static str, section_close: &'static str) -> Calls {
    Calls {
        section_open,
        section_close,
        open: join!(INVOKE, "name=\""),
        middle: "\">\n",
        close: join!("\n", INVOKE_END),
        arguments: Some(TaggedArguments {
            open: PARAMETER,
            middle: "\" string=\"true\">",
            other_middle: Some("\" string=\"false\">"),
            close: PARAMETER_END,
            between: "\n",
            values: TagValues::Json,
        }),
        ..Calls::NONE
    }
}

/// DeepSeek V3.2, by the functions for its prompts that are published with the model: it has no chat template. Its tokens are those
/// of V3.1 and the tags of its prompts.
pub const DEEPSEEK_V3_2: Family = Family {
    name: "deepseek_v3_2",
    title: "DeepSeek V3.2",
    source: Source::new("encoding/encoding_dsv32.py of deepseek-ai/DeepSeek-V3.2, in papkdvvoetochie/aboba at 7d7804828183", "2026-11"),
    aliases: &["deepseek-v3.2", "deepseek-ai/DeepSeek-V3.2"],
    tokens: &[
        BOS, EOS, USER, ASSISTANT, THINK, THINK_END, DSML, "<functions>", "</functions>", "<function_results>",
        "</function_results>", "<result>", "</result>", CALLS, CALLS_END, CALL, CALL_END, SEPARATOR, RESULTS, RESULTS_END, RESULT,
        RESULT_END, FIM, FIM_HOLE, FIM_END, PAD, EOT, "<｜search▁begin｜>", "<｜search▁end｜>",
    ],
    turns: Turns {
        no_reasoning: THINK_END,
        other: OtherRoles::Unsupported,
        tool: Some(Delimiters::new("\n\n<function_results>", "\n</function_results>\n\n")),
        results: Some(("\n<result>", "</result>")),
        calls: dsml_calls(join!("\n\n<", DSML, "function_calls>\n"), join!("\n</", DSML, "function_calls>")),
        answer_calls: &[SYNTAX.in_section(join!("<", DSML, "function_calls>"), join!("</", DSML, "function_calls>"))],
        also_read: &[("assistant", "\n</function_results>\n\n", EOS)],
        ..DEEPSEEK_V3_1.turns
    },
    template: ConversationTemplate::DeepSeekV3_2,
    ..DEEPSEEK_V3_1
};

const THOROUGH: &str = "Reasoning Effort: Absolute maximum with no shortcuts permitted.\nYou MUST be very thorough in your thinking and comprehensively decompose the problem to resolve the root cause, rigorously stress-testing your logic against all potential paths, edge cases, and adversarial scenarios.\nExplicitly write out your entire deliberation process, documenting every intermediate step, considered alternative, and rejected hypothesis to ensure absolutely no assumption is left unchecked.\n\n";
const EXHAUSTIVE: &str = "Reasoning Effort: Beyond maximum — exhaustive, relentless, and uncompromising.\nYou MUST reason with the utmost depth and rigor, leaving absolutely nothing to chance: exhaustively decompose the problem into its most fundamental components, trace every causal chain to its root, and resolve the underlying cause rather than any surface symptom.\nDo not stop reasoning until you have independently verified the solution from multiple angles and are certain that no assumption remains unchecked and no error remains undiscovered.\n\n";

/// DeepSeek V4, by the functions for its prompts that are published with the model: it has no chat template.
pub const DEEPSEEK_V4: Family = Family {
    name: "deepseek_v4",
    title: "DeepSeek V4",
    source: Source::new("vllm/tokenizers/deepseek_v4_encoding.py of vLLM, in QuixiAI/SlimServe", "2026-11"),
    aliases: &["deepseek-v4", "deepseek-ai/DeepSeek-V4-Flash", "deepseek-ai/DeepSeek-V4-Pro"],
    tokens: &[
        BOS, EOS, USER, ASSISTANT, THINK, THINK_END, DSML, "<tool_result>", "</tool_result>", "<｜latest_reminder｜>",
        "<｜action｜>", "<｜query｜>", "<｜authority｜>", "<｜domain｜>", "<｜title｜>", "<｜read_url｜>", CALLS, CALLS_END, CALL,
        CALL_END, SEPARATOR, RESULTS, RESULTS_END, RESULT, RESULT_END, FIM, FIM_HOLE, FIM_END, PAD, EOT,
    ],
    options: &[FormatOption::Thinking, FormatOption::Effort],
    turns: Turns {
        tool: None,
        results: Some(("<tool_result>", "</tool_result>")),
        calls: dsml_calls(join!("\n\n<", DSML, "tool_calls>\n"), join!("\n</", DSML, "tool_calls>")),
        answer_calls: &[SYNTAX.in_section(join!("<", DSML, "tool_calls>"), join!("</", DSML, "tool_calls>"))],
        also_read: &[],
        ..DEEPSEEK_V3_2.turns
    },
    template: ConversationTemplate::DeepSeekV4(&[EffortText::new("high", ""), EffortText::new("max", THOROUGH)]),
    ..DEEPSEEK_V3_2
};

/// DeepSeek V4 0731: its middle effort is the highest one of DeepSeek V4.
pub const DEEPSEEK_V4_0731: Family = Family {
    name: "deepseek_v4_0731",
    title: "DeepSeek V4 0731",
    source: Source::new("vllm/tokenizers/deepseek_v4_encoding.py of vLLM 0.33.0", "2026-11"),
    aliases: &["deepseek-v4-0731", "deepseek-ai/DeepSeek-V4-Flash-0731"],
    template: ConversationTemplate::DeepSeekV4(&[
        EffortText::new("low", ""), EffortText::new("high", THOROUGH), EffortText::new("max", EXHAUSTIVE),
    ]),
    ..DEEPSEEK_V4
};

const INSTRUCTION: &str = alpaca::INSTRUCTION;
const RESPONSE: &str = alpaca::RESPONSE;

/// DeepSeek Coder: headings as plain text, a default system message. Its tokens are the added tokens of its
/// `tokenizer.json`, without single letters.
pub const DEEPSEEK_CODER: Family = Family {
    name: "deepseek_coder",
    title: "DeepSeek Coder",
    source: Source::new("deepseek-ai/deepseek-coder-33b-instruct in tests/test-chat-template.cpp of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &[
        "deepseek-coder", "deepseek-ai/deepseek-coder-1.3b-instruct", "deepseek-ai/deepseek-coder-6.7b-instruct",
        "deepseek-ai/deepseek-coder-33b-instruct",
    ],
    eos: EOT,
    tokens: &[
        BOS, EOS, EOT, FIM, FIM_HOLE, FIM_END, "<pad>", "<|User|>", "<|Assistant|>", INSTRUCTION, RESPONSE,
    ],
    loose: &[INSTRUCTION, RESPONSE],
    turns: Turns {
        system: System::in_turn(Delimiters::new("", "").printing_lists()).default(DefaultSystem::UnlessAny(
            "You are an AI programming assistant, utilizing the Deepseek Coder model, developed by Deepseek Company, and you only answer questions related to computer science. For politically sensitive questions, security and privacy issues, and other non-computer science questions, you will refuse to answer\n",
        )),
        user: Delimiters::new(join!(INSTRUCTION, "\n"), "\n"),
        assistant: Delimiters::new(join!(RESPONSE, "\n"), join!("\n", EOT, "\n")),
        other: OtherRoles::LikeAssistant,
        ..DEEPSEEK_V2.turns
    },
    ..DEEPSEEK_V2
};
