//! Nemotron 3: ChatML with the tools and calls of Qwen 3 Coder.

use super::qwen::{
    CALL, CALL_END, CODER_CALLS, FUNCTION, FUNCTION_END, HERMES, PARAMETER, PARAMETER_END, RESULT, RESULT_END, RESULTS,
};
use super::*;

const THINK: &str = "<think>";
const THINK_END: &str = "</think>";

/// Nemotron 3 Nano: the tools and calls of Qwen 3 Coder, and reasoning that can be turned off. Its tokenizer could not be read: its
/// tokens are those of its template.
pub const NEMOTRON3_NANO: Family = Family {
    name: "nemotron3_nano",
    title: "Nemotron 3 Nano",
    source: Source::new("trl/chat_templates/nemotron_3_nano.jinja of trl 1.16.0", "2026-11"),
    aliases: &["nemotron-3-nano", "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B"],
    tokens: &[
        chatml::START, chatml::END, THINK, THINK_END, CALL, CALL_END, RESULT, RESULT_END, FUNCTION, FUNCTION_END, PARAMETER,
        PARAMETER_END, "<tools>", "</tools>",
    ],
    tools: true,
    reasoning: true,
    options: &[FormatOption::Thinking, FormatOption::KeepReasoning],
    turns: Turns {
        system: System::new(SystemPlacement::Turn, CHATML.turns.system.delimiters)
            .default(DefaultSystem::UnlessFirst("")),
        user: CHATML.turns.user.printing_lists(),
        assistant: CHATML.turns.assistant.with_trim(Trim::Ends).printing_lists(),
        answer: Some(join!(chatml::START, "assistant\n", THINK, "\n")),
        reasoning: Some((join!(THINK, "\n"), join!("\n", THINK_END, "\n"))),
        no_reasoning: join!(THINK, THINK_END),
        calls: Calls { close: join!(CODER_CALLS.close, "\n"), ..CODER_CALLS },
        answer_calls: &[HERMES],
        results: Some(RESULTS),
        ..CHATML.turns
    },
    template: ConversationTemplate::Nemotron3(None),
    ..CHATML
};

/// Nemotron 3 Super: Nemotron 3 Nano with a low reasoning effort on request.
pub const NEMOTRON3_SUPER: Family = Family {
    name: "nemotron3_super",
    title: "Nemotron 3 Super",
    source: Source::new("trl/chat_templates/nemotron_3_super.jinja of trl 1.16.0", "2026-11"),
    aliases: &["nemotron-3-super", "nvidia/NVIDIA-Nemotron-3-Super-120B-A12B"],
    options: &[FormatOption::Thinking, FormatOption::KeepReasoning, FormatOption::Effort],
    template: ConversationTemplate::Nemotron3(Some(EffortText::new("low", "\n\n{reasoning effort: low}"))),
    ..NEMOTRON3_NANO
};

/// Nemotron 3.5 Lightning: Nemotron 3 Nano without line breaks after the reasoning.
pub const NEMOTRON3_5_LIGHTNING: Family = Family {
    name: "nemotron3_5_lightning",
    title: "Nemotron 3.5 Lightning",
    source: Source::new("trl/chat_templates/nemotron_3_5_lightning.jinja of trl 1.16.0", "2026-11"),
    aliases: &["nemotron-3.5-lightning", "nvidia/NVIDIA-Nemotron-3.5-Lightning-30B-A3B"],
    turns: Turns {
        assistant: CHATML.turns.assistant.printing_lists(),
        reasoning: Some((join!(THINK, "\n"), THINK_END)),
        ..NEMOTRON3_NANO.turns
    },
    ..NEMOTRON3_NANO
};

/// Nemotron 3 Ultra: Nemotron 3.5 Lightning with a medium reasoning effort on request.
pub const NEMOTRON3_ULTRA: Family = Family {
    name: "nemotron3_ultra",
    title: "Nemotron 3 Ultra",
    source: Source::new("trl/chat_templates/nemotron_3_ultra.jinja of trl 1.16.0", "2026-11"),
    aliases: &["nemotron-3-ultra", "nvidia/NVIDIA-Nemotron-3-Ultra-550B-A55B"],
    options: NEMOTRON3_SUPER.options,
    template: ConversationTemplate::Nemotron3(Some(EffortText::new(
        "medium",
        "\n\n{reasoning effort: efficient}",
    ))),
    ..NEMOTRON3_5_LIGHTNING
};
