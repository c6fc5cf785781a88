//! LFM.

use super::chatml::{END, END_OF_TEXT, START};
use super::*;

const BOS: &str = "<|startoftext|>";
const RESULT: &str = "<|tool_response_start|>";
const RESULT_END: &str = "<|tool_response_end|>";
const CALL: &str = "<|tool_call_start|>";
const CALL_END: &str = "<|tool_call_end|>";
const TOOLS: &str = "<|tool_list_start|>";
const TOOLS_END: &str = "<|tool_list_end|>";
const THINK: &str = "<think>";
const THINK_END: &str = "</think>";
const IMAGE: &str = "<image>";

/// The tokens of LFM2.
macro_rules! tokens {
    ($($token:expr),* $(,)?) => {
        &[
            BOS, END_OF_TEXT, START, END, "<|pad|>", TOOLS, TOOLS_END, CALL, CALL_END, RESULT, RESULT_END, "<|fim_pre|>",
            "<|fim_mid|>", "<|fim_suf|>", "<|cot_start|>", "<|cot_end|>", "<|review_start|>", "<|review_end|>", $($token,)*
        ]
    };
}

/// LFM2 with its second chat template: ChatML with a list of tools in the system message, and calls in Python. The first template
/// leaves calls out. Its `tokenizer.json` could not be read: the tokens that its chat template does not write (`<|cot_…|>`,
/// `<|review_…|>`, `<|reserved_N|>`) are assumed.
pub const LFM2: Family = Family {
    name: "lfm2",
    title: "LFM2",
    source: Source::new("trl/chat_templates/lfm2_v2.jinja of trl 1.16.0", "2026-11"),
    aliases: &[
        "LiquidAI/LFM2-350M", "LiquidAI/LFM2-700M", "LiquidAI/LFM2-1.2B", "LiquidAI/LFM2-2.6B", "LiquidAI/LFM2-8B-A1B",
    ],
    bos: BOS,
    tokens: tokens![],
    numbered: &[Numbered::new("<|reserved_", "|>")],
    tools: true,
    turns: Turns {
        calls: Calls {
            section_open: join!(CALL, "["),
            middle: "(",
            close: ")",
            section_close: join!("]", CALL_END),
            ..Calls::NONE
        },
        answer_calls: &[CallSyntax::new(CALL, CALL_END, CallBody::Python)],
        also_reasoning: &[(THINK, THINK_END)],
        tools: ToolList::new(join!("List of tools: ", TOOLS, "["), ", ", join!("]", TOOLS_END)),
        start: TextStart::Bos,
        tool: Some(Delimiters::new(join!(START, "tool\n", RESULT), join!(RESULT_END, END, "\n"))),
        ..CHATML.turns
    },
    template: ConversationTemplate::Lfm(CallStrings::Escaped),
    ..CHATML
};

/// LFM2.5: the list of tools and results without tokens, and reasoning after the last question. Its `tokenizer.json` could not be
/// read: its tokens are LFM2's and the delimiters of its template.
pub const LFM2_5: Family = Family {
    name: "lfm2_5",
    title: "LFM2.5",
    source: Source::new("trl/chat_templates/lfm2_2_5_v2.jinja of trl 1.16.0", "2026-11"),
    aliases: &["lfm2.5", "LiquidAI/LFM2.5-230M", "LiquidAI/LFM2.5-350M", "LiquidAI/LFM2.5-8B-A1B"],
    tokens: tokens![THINK, THINK_END],
    reasoning: true,
    options: &[FormatOption::KeepReasoning],
    turns: Turns {
        reasoning: Some((THINK, THINK_END)),
        also_reasoning: &[],
        tools: ToolList::new("List of tools: [", ", ", "]"),
        tool: None,
        ..LFM2.turns
    },
    template: ConversationTemplate::Lfm(CallStrings::Bare),
    ..LFM2
};

/// LFM2.5 VL: the same with images, and with escapes in the strings of calls.
pub const LFM2_5_VL: Family = Family {
    name: "lfm2_5_vl",
    title: "LFM2.5 VL",
    source: Source::new("trl/chat_templates/lfm2_2_5_vl.jinja of trl 1.16.0", "2026-11"),
    aliases: &["lfm2.5-vl", "LiquidAI/LFM2.5-VL-3B"],
    tokens: tokens![THINK, THINK_END, IMAGE, "<|image_start|>", "<|image_end|>"],
    media: true,
    turns: Turns { media: Placeholders::images(IMAGE), ..LFM2_5.turns },
    template: ConversationTemplate::Lfm(CallStrings::Escaped),
    ..LFM2_5
};
