//! MiniMax.

use super::*;

const BOS: &str = "]~!b[";
const OPEN: &str = "]~b]";
const END: &str = "[e~[";
const THINK: &str = "<think>";
const THINK_END: &str = "</think>";
const SECTION: &str = "<minimax:tool_call>";
const SECTION_END: &str = "</minimax:tool_call>";
const INVOKE: &str = "<invoke name=\"";
const INVOKE_END: &str = "</invoke>";
const PARAMETER: &str = "<parameter name=\"";
const PARAMETER_END: &str = "</parameter>";
const RESULT: &str = "<response>";
const RESULT_END: &str = "</response>";

/// MiniMax M2: its tokens around each turn, the arguments of calls between tags, and a generation prompt that opens the reasoning.
/// Its tokenizer could not be read: its tokens are those of its template.
pub const MINIMAX_M2: Family = Family {
    name: "minimax_m2",
    title: "MiniMax M2",
    source: Source::new("models/templates/MiniMax-M2.jinja of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &["minimax-m2", "MiniMaxAI/MiniMax-M2"],
    bos: BOS,
    eos: END,
    tokens: &[
        BOS, OPEN, END, THINK, THINK_END, SECTION, SECTION_END, INVOKE, INVOKE_END, PARAMETER, PARAMETER_END, RESULT,
        RESULT_END, "<tools>", "</tools>",
    ],
    system: true,
    history: true,
    tools: true,
    reasoning: true,
    options: &[FormatOption::Identity],
    turns: Turns {
        start: TextStart::Bos,
        system: System::new(SystemPlacement::First, Delimiters::new(join!(OPEN, "system\n"), join!(END, "\n")))
            .default(DefaultSystem::UnlessFirst("You are a helpful assistant.")),
        user: Delimiters::new(join!(OPEN, "user\n"), join!(END, "\n")),
        assistant: Delimiters::new(join!(OPEN, "ai\n"), join!(END, "\n")),
        tool: Some(Delimiters::new(join!(OPEN, "tool\n"), join!(END, "\n"))),
        answer: Some(join!(OPEN, "ai\n", THINK, "\n")),
        reasoning: Some((join!(THINK, "\n"), join!("\n", THINK_END, "\n\n"))),
        calls: Calls {
            section_open: join!("\n", SECTION, "\n"),
            section_close: SECTION_END,
            open: INVOKE,
            middle: "\">\n",
            close: join!(INVOKE_END, "\n"),
            arguments: Some(TaggedArguments {
                open: PARAMETER,
                middle: "\">",
                other_middle: None,
                close: join!(PARAMETER_END, "\n"),
                between: "",
                values: TagValues::Json,
            }),
            ..Calls::NONE
        },
        answer_calls: &[CallSyntax::new(
            "<invoke ",
            INVOKE_END,
            CallBody::Tags {
                name: ("name=\"", "\">"),
                key: (PARAMETER, "\">"),
                value: ("", PARAMETER_END),
                end: "",
            },
        )
        .in_section(SECTION, SECTION_END)],
        results: Some((RESULT, RESULT_END)),
        ..Turns::NONE
    },
    template: ConversationTemplate::MiniMaxM2,
    ..Family::BARE
};

/// Before each tag of a call of MiniMax M3.
pub const MARK: &str = "]<]minimax[>[";
const M3_THINK: &str = "<mm:think>";
const M3_THINK_END: &str = "</mm:think>";
const IMAGE: &str = "]<]image[>[";
const VIDEO: &str = "]<]video[>[";
const M3_INVOKE: &str = join!(MARK, "<invoke name=\"");
const M3_INVOKE_END: &str = join!(MARK, "</invoke>");
const M3_SECTION: &str = join!(MARK, "<tool_call>");
const M3_SECTION_END: &str = join!(MARK, "</tool_call>");

/// MiniMax M3: the model's own instructions in front, arguments of calls as elements, and an answer that begins with reasoning or with
/// the end of it. Its tokenizer could not be read: its tokens are those of its template.
pub const MINIMAX_M3: Family = Family {
    name: "minimax_m3",
    title: "MiniMax M3",
    source: Source::new("models/templates/MiniMax-M3.jinja of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &["minimax-m3", "MiniMaxAI/MiniMax-M3"],
    tokens: &[
        BOS, OPEN, END, MARK, M3_THINK, M3_THINK_END, IMAGE, VIDEO, RESULT, RESULT_END, "<tools>", "</tools>",
        "<thinking_instructions>", "</thinking_instructions>",
    ],
    media: true,
    options: &[FormatOption::Identity, FormatOption::Thinking],
    turns: Turns {
        system: System::new(SystemPlacement::First, Delimiters::new(join!(OPEN, "developer\n"), join!(END, "\n")))
            .default(DefaultSystem::UnlessFirst("You are a helpful assistant.")),
        answer: None,
        reasoning: Some((M3_THINK, M3_THINK_END)),
        no_reasoning: M3_THINK_END,
        calls: Calls {
            section_open: join!(M3_SECTION, "\n"),
            section_close: M3_SECTION_END,
            open: M3_INVOKE,
            middle: "\">",
            close: join!(M3_INVOKE_END, "\n"),
            ..Calls::NONE
        },
        answer_calls: &[CallSyntax::new(M3_INVOKE, M3_INVOKE_END, CallBody::Elements { mark: MARK, name_end: "\">" })
            .in_section(M3_SECTION, M3_SECTION_END)],
        media: Placeholders { image: IMAGE, video: VIDEO, ..Placeholders::NONE },
        also_read: &[("", join!(OPEN, "system\n"), join!(END, "\n"))],
        ..MINIMAX_M2.turns
    },
    template: ConversationTemplate::MiniMaxM3,
    ..MINIMAX_M2
};
