//! Apertus.

use super::*;

const BOS: &str = "<s>";
const EOS: &str = "<|assistant_end|>";
const SYSTEM: &str = "<|system_start|>";
const SYSTEM_END: &str = "<|system_end|>";
/// Before the reasoning mode and the tools.
pub const DEVELOPER: &str = "<|developer_start|>";
/// After the reasoning mode and the tools.
pub const DEVELOPER_END: &str = "<|developer_end|>";
/// The tool whose arguments are an answer to the user.
pub const SHOWS_ANSWER: &str = "display_answers";
const USER: &str = "<|user_start|>";
const USER_END: &str = "<|user_end|>";
const ASSISTANT: &str = "<|assistant_start|>";
const INNER: &str = "<|inner_prefix|>";
const INNER_END: &str = "<|inner_suffix|>";
const CALLS: &str = "<|tools_prefix|>";
const CALLS_END: &str = "<|tools_suffix|>";

/// Apertus: the reasoning mode and the tools in a developer message, and the results of tools inside the assistant's turn, without tokens
/// around them, so that they are read back as a part of this turn. Its tokens are those of its `tokenizer.json`, as listed in fffoivos/train-apertus-with-glossapi; its four tokens of LaTeX are left out.
pub const APERTUS: Family = Family {
    name: "apertus",
    title: "Apertus",
    source: Source::new("models/templates/Apertus-8B-Instruct.jinja of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &["swiss-ai/Apertus-8B-Instruct-2509", "swiss-ai/Apertus-70B-Instruct-2509"],
    bos: BOS,
    eos: EOS,
    tokens: &[
        BOS, "</s>", "<unk>", "<pad>", SYSTEM, SYSTEM_END, DEVELOPER, DEVELOPER_END, USER, USER_END, ASSISTANT, EOS, INNER, INNER_END,
        CALLS, CALLS_END, "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[TOOL_CALLS]",
        "[PREFIX]", "[MIDDLE]", "[SUFFIX]", "<filename>", "<gh_stars>", "<issue_start>", "<issue_comment>", "<issue_closed>",
        "<jupyter_start>", "<jupyter_text>", "<jupyter_code>", "<jupyter_output>", "<empty_output>", "<commit_before>", "<commit_msg>",
        "<commit_after>", "<reponame>", "<think>", "</think>", "<answer>", "</answer>", "<iban-pii>", "<email-pii>", "<ip-pii>",
        "<file_sep>", "<code_to_intermediate>", "<intermediate_to_code>", "<pr>", "<pr_status>", "<pr_is_merged>", "<pr_base>",
        "<pr_file>", "<pr_base_code>", "<pr_diff>", "<pr_diff_hunk>", "<pr_comment>", "<pr_event_id>", "<pr_review>",
        "<pr_review_state>", "<pr_review_comment>", "<pr_in_reply_to_review_id>", "<pr_in_reply_to_comment_id>",
        "<pr_diff_hunk_comment_line>", "<|fim_begin|>", "<|fim_hole|>", "<|fim_end|>",
    ],
    numbered: &[Numbered::new("<SPECIAL_", ">")],
    system: true,
    history: true,
    tools: true,
    reasoning: true,
    options: &[FormatOption::Thinking, FormatOption::Date],
    turns: Turns {
        start: TextStart::Bos,
        system: System::new(SystemPlacement::First, Delimiters::new(SYSTEM, SYSTEM_END)).default(DefaultSystem::UnlessFirst(
            "You are Apertus, a helpful assistant created by the SwissAI initiative.\nKnowledge cutoff: 2024-04\nCurrent date: ",
        )),
        user: Delimiters::new(USER, USER_END),
        assistant: Delimiters::new(ASSISTANT, EOS).last_close(""),
        other: OtherRoles::Unsupported,
        reasoning: Some((INNER, INNER_END)),
        keeps_reasoning: true,
        calls: Calls {
            section_open: join!(CALLS, "["),
            section_close: join!("]", CALLS_END),
            open: "{\"",
            middle: "\": ",
            close: "}",
            ..Calls::NONE
        },
        answer_calls: &[CallSyntax::new(CALLS, CALLS_END, CallBody::JsonByName)],
        also_read: &[("", DEVELOPER, DEVELOPER_END)],
        ..Turns::NONE
    },
    template: ConversationTemplate::Apertus,
    ..Family::BARE
};
