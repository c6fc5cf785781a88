//! MiniCPM.

use super::*;

const USER: &str = "<用户>";
const ASSISTANT: &str = "<AI>";
const EOS: &str = "</s>";

/// MiniCPM: delimiters around user messages only, which are plain text to the tokenizer.
pub const MINICPM: Family = Family {
    name: "minicpm",
    title: "MiniCPM",
    source: Source::new("minicpm-2b-dpo-bf16 in xinference/model/llm/llm_family.json of xorbitsai/inference at 7ecec16b6338", "2026-11"),
    aliases: &["openbmb/MiniCPM-2B-sft-bf16", "openbmb/MiniCPM-2B-dpo-bf16"],
    eos: EOS,
    tokens: &["<s>", EOS, "<unk>", USER, ASSISTANT],
    loose: &[USER, ASSISTANT],
    system: true,
    history: true,
    turns: Turns {
        system: System::in_turn(Delimiters::new("", "").with_trim(Trim::Ends)),
        user: Delimiters::new(USER, ASSISTANT).with_trim(Trim::Ends),
        assistant: Delimiters::new("", "").with_trim(Trim::Ends),
        other: OtherRoles::LikeAssistant,
        ..Turns::NONE
    },
    ..Family::BARE
};
