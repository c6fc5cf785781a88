//! Hunyuan.

use super::*;

const BOS: &str = "<｜hy_begin_of_sentence:opensource｜>";
const EOS: &str = "<｜hy_eos:opensource｜>";
const USER: &str = "<｜hy_User:opensource｜>";
const ASSISTANT: &str = "<｜hy_Assistant:opensource｜>";
/// Before the reasoning effort.
pub const REASONING_MODE: &str = "<｜reasoning_mode:opensource｜>";
const THINK: &str = "<think:opensource>";
const THINK_END: &str = "</think:opensource>";
const CALLS: &str = "<tool_calls:opensource>";
const CALLS_END: &str = "</tool_calls:opensource>";
const CALL: &str = "<tool_call:opensource>";
const CALL_END: &str = "</tool_call:opensource>";
const SEPARATOR: &str = "<tool_sep:opensource>";
/// Around the name of an argument.
const KEY: (&str, &str) = ("<arg_key:opensource>", "</arg_key:opensource>");
/// Around the value of an argument.
const VALUE: (&str, &str) = ("<arg_value:opensource>", "</arg_value:opensource>");
const RESULTS: &str = "<tool_responses:opensource>";
const RESULTS_END: &str = "</tool_responses:opensource>";
const RESULT: &str = "<tool_response:opensource>";
const RESULT_END: &str = "</tool_response:opensource>";

/// Hy3: its tokens around each turn, all system messages in front, arguments between the tags of GLM-4.5, and reasoning with an effort. Its
/// tokenizer could not be read: its tokens are those of its template.
pub const HY3: Family = Family {
    name: "hy3",
    title: "Hy3",
    source: Source::new("models/templates/tencent-Hy3.jinja of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &["tencent/Hy3"],
    bos: BOS,
    eos: EOS,
    tokens: &[
        BOS, EOS, "<｜hy_pad:opensource｜>", USER, ASSISTANT, REASONING_MODE, THINK, THINK_END, CALLS, CALLS_END, CALL,
        CALL_END, SEPARATOR, KEY.0, KEY.1, VALUE.0, VALUE.1, RESULTS, RESULTS_END, RESULT, RESULT_END, "<tools>", "</tools>",
    ],
    system: true,
    history: true,
    tools: true,
    reasoning: true,
    options: &[FormatOption::Effort, FormatOption::KeepReasoning],
    turns: Turns {
        start: TextStart::Bos,
        system: System::new(SystemPlacement::First, Delimiters::new("", "")),
        user: Delimiters::new(USER, ""),
        assistant: Delimiters::new(ASSISTANT, EOS).last_close(""),
        tool: Some(Delimiters::new(join!(RESULTS, "\n"), RESULTS_END)),
        answer: Some(join!(ASSISTANT, THINK)),
        reasoning: Some((THINK, THINK_END)),
        no_reasoning: join!(THINK, THINK_END),
        calls: Calls {
            section_open: join!(CALLS, "\n"),
            section_close: CALLS_END,
            open: CALL,
            middle: join!(SEPARATOR, "\n"),
            close: join!(CALL_END, "\n"),
            arguments: Some(TaggedArguments {
                open: KEY.0,
                middle: join!(KEY.1, "\n", VALUE.0),
                other_middle: None,
                close: join!(VALUE.1, "\n"),
                between: "",
                values: TagValues::Json,
            }),
            ..Calls::NONE
        },
        answer_calls: &[CallSyntax::new(
            CALL,
            CALL_END,
            CallBody::Tags { name: ("", SEPARATOR), key: KEY, value: VALUE, end: "" },
        )
        .in_section(CALLS, CALLS_END)],
        results: Some((join!(RESULT, "\n"), join!("\n", RESULT_END, "\n"))),
        also_read: &[("", REASONING_MODE, "")],
        ..Turns::NONE
    },
    template: ConversationTemplate::Hy3,
    ..Family::BARE
};
