//! Vicuna.

use super::*;

const EOS: &str = "</s>";
const USER: &str = "USER:";
const ASSISTANT: &str = "ASSISTANT:";

/// Vicuna 1.1 and 1.5: roles as plain words, a default system message.
pub const VICUNA: Family = Family {
    name: "vicuna",
    title: "Vicuna",
    source: Source::new("chat_templates/vicuna.json of EricLBuehler/mistral.rs at 9e922623f24b", "2026-11"),
    aliases: &["lmsys/vicuna-7b-v1.5", "lmsys/vicuna-13b-v1.5"],
    eos: EOS,
    tokens: &["<s>", EOS, "<unk>", USER, ASSISTANT],
    loose: &[join!(" ", USER), join!(" ", ASSISTANT)],
    system: true,
    history: true,
    order: Order::Alternate,
    turns: Turns {
        system: System::new(SystemPlacement::BeforeTurns, Delimiters::new("", "").printing_lists()).default(
            DefaultSystem::UnlessFirst(
                "A chat between a curious user and an artificial intelligence assistant. The assistant gives helpful, detailed, and polite answers to the user's questions.",
            ),
        ),
        user: Delimiters::new(join!(" ", USER, " "), "").with_trim(Trim::Ends),
        assistant: Delimiters::new(join!(" ", ASSISTANT, " "), EOS).with_trim(Trim::Ends),
        ..Turns::NONE
    },
    ..Family::BARE
};
