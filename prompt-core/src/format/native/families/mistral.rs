//! Mistral's families.

use super::natives;
use crate::format::native::mistral::Mistral;
use crate::format::native::plain;

natives! {
    /// Mistral 7B Instruct and Mixtral 8x7B with their first template, which has no place for instructions.
    MISTRAL_V0 = plain::MISTRAL_V0, ("<s>", "</s>"),
    ["mistral-v0", "mistralai/Mistral-7B-Instruct-v0.1"],
    user "<s>[INST] Hi [/INST]";

    /// Mistral 7B Instruct 0.2 and Mixtral 8x7B, with the system message inside the first user message.
    MISTRAL_V1 = plain::MISTRAL_V1, ("<s>", "</s>"),
    ["mistral-v1", "mistralai/Mistral-7B-Instruct-v0.2", "mistralai/Mixtral-8x7B-Instruct-v0.1"],
    "<s> [INST] Be brief.\n\nHi [/INST] Hello.</s> [INST] Bye [/INST]";

    /// Mistral 7B Instruct 0.3 and Mixtral 8x22B, with system message and tools at the last user message.
    MISTRAL_V3 = Mistral { space: " ", strips: true }, ("<s>", "</s>"),
    ["mistral-v3", "mistralai/Mistral-7B-Instruct-v0.3", "mistralai/Mixtral-8x22B-Instruct-v0.1", "mistralai/Mistral-Large-Instruct-2407"],
    "<s>[INST] Hi[/INST] Hello.</s>[INST] Be brief.\n\nBye[/INST]";

    /// Mistral Nemo: as v3, without spaces.
    MISTRAL_V3_TEKKEN = Mistral { space: "", strips: false }, ("<s>", "</s>"),
    ["mistral-v3-tekken", "mistral-nemo", "mistralai/Mistral-Nemo-Instruct-2407"],
    "<s>[INST]Hi[/INST]Hello.</s>[INST]Be brief.\n\nBye[/INST]";

    /// Mistral Large 2411, with marks of its own around system messages.
    MISTRAL_V7 = plain::MISTRAL_V7, ("<s>", "</s>"),
    ["mistral-v7", "mistralai/Mistral-Large-Instruct-2411"],
    "<s>[SYSTEM_PROMPT] Be brief.[/SYSTEM_PROMPT][INST] Hi[/INST] Hello.</s>[INST] Bye[/INST]";
}
