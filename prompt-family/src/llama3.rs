//! Llama 3 to 3.3.

use super::*;

const BOS: &str = "<|begin_of_text|>";
const END_OF_TEXT: &str = "<|end_of_text|>";
const HEADER: &str = "<|start_header_id|>";
const HEADER_END: &str = "<|end_header_id|>";
const EOT: &str = "<|eot_id|>";
const EOM: &str = "<|eom_id|>";
const PYTHON: &str = "<|python_tag|>";
const PAD: &str = "<|finetune_right_pad_id|>";
const STEP: &str = "<|step_id|>";
pub(crate) const RESERVED: Numbered = Numbered::new("<|reserved_special_token_", "|>");

const TURNS: Turns = header!(HEADER, join!(HEADER_END, "\n\n"), EOT);

/// Llama 3: a header before each message. Its tokens are the special tokens of its tokenizer.
pub const LLAMA3: Family = Family {
    name: "llama3",
    title: "Llama 3",
    source: Source::new("LLM-Research/Meta-Llama-3-8B-Instruct in tests/test_chat_template.json of wangzhaode/jinja.cpp at f24bb4a7c0ac", "2026-11"),
    aliases: &["llama-3", "meta-llama/Meta-Llama-3-8B-Instruct", "meta-llama/Meta-Llama-3-70B-Instruct"],
    bos: BOS,
    eos: EOT,
    tokens: &[BOS, END_OF_TEXT, HEADER, HEADER_END, EOT],
    numbered: &[RESERVED],
    system: true,
    history: true,
    turns: Turns {
        start: TextStart::Bos,
        system: System::in_turn(TURNS.system.delimiters.with_trim(Trim::Ends).printing_lists()),
        user: TURNS.user.with_trim(Trim::Ends).printing_lists(),
        assistant: TURNS.assistant.with_trim(Trim::Ends).printing_lists(),
        ..TURNS
    },
    ..Family::BARE
};

/// Llama 3.1 and 3.3: a date in the system message, tools in the first user message.
pub const LLAMA3_1: Family = Family {
    name: "llama3_1",
    title: "Llama 3.1",
    source: Source::new("tests/corpus/llama-3.1-8b-instruct/tokenizer_config.json of GregoryBolshakov/hf-chat-template at 72b987fc0b18", "2026-11"),
    aliases: &[
        "llama-3.1", "llama-3.3", "meta-llama/Llama-3.1-8B-Instruct", "meta-llama/Llama-3.1-70B-Instruct",
        "meta-llama/Llama-3.1-405B-Instruct", "meta-llama/Meta-Llama-3.1-8B-Instruct",
        "meta-llama/Meta-Llama-3.1-70B-Instruct", "meta-llama/Meta-Llama-3.1-405B-Instruct",
        "meta-llama/Llama-3.3-70B-Instruct",
    ],
    tokens: &[BOS, END_OF_TEXT, HEADER, HEADER_END, EOT, EOM, PYTHON, PAD, STEP],
    tools: true,
    options: &[FormatOption::Date, FormatOption::DateText, FormatOption::ToolsInUser, FormatOption::BuiltinTools, FormatOption::SeparateCalls],
    turns: Turns {
        tool: Some(Delimiters::new(join!(HEADER, "ipython", HEADER_END, "\n\n"), EOT)),
        // The section is that of a call of a built-in tool.
        calls: Calls {
            section_open: PYTHON,
            section_close: EOM,
            open: "{\"name\": \"",
            middle: "\", \"parameters\": ",
            close: "}",
            ..Calls::NONE
        },
        answer_calls: &[
            CallSyntax::new("", "", CallBody::Json),
            CallSyntax::new("", "", CallBody::Python),
            CallSyntax::new(PYTHON, "", CallBody::Python),
            CallSyntax::new("<function=", "</function>", CallBody::Named { prefix: "", middle: ">" }),
        ],
        closes: &[EOM],
        ..LLAMA3.turns
    },
    template: ConversationTemplate::Llama(SystemDate::Fixed("26 Jul 2024")),
    ..LLAMA3
};

/// Llama 3.2: Llama 3.1 with the current date.
pub const LLAMA3_2: Family = Family {
    name: "llama3_2",
    title: "Llama 3.2",
    source: Source::new("models/templates/meta-llama-Llama-3.2-3B-Instruct.jinja of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &["llama-3.2", "meta-llama/Llama-3.2-1B-Instruct", "meta-llama/Llama-3.2-3B-Instruct"],
    tokens: &[BOS, END_OF_TEXT, HEADER, HEADER_END, EOT, EOM, PYTHON, PAD, STEP, "<|image|>"],
    options: &[FormatOption::Date, FormatOption::DateText, FormatOption::ToolsInUser, FormatOption::SeparateCalls],
    template: ConversationTemplate::Llama(SystemDate::Today),
    ..LLAMA3_1
};
