//! Facts about Mistral's families.

use super::{Family, Order};

/// Mistral 7B Instruct and Mixtral 8x7B with their first template, which has no place for instructions.
pub const MISTRAL_V0: Family = Family {
    name: "mistral_v0",
    title: "Mistral v0",
    tokens: &["<s>", "</s>", "<unk>", "[INST]", "[/INST]"],
    loose: &["[INST]", "[/INST]"],
    system: false,
    history: true,
    tools: false,
    order: Order::Alternate,
    ..Family::BARE
};

/// Mistral 7B Instruct 0.2 and Mixtral 8x7B, with the system message inside the first user message.
pub const MISTRAL_V1: Family = Family {
    name: "mistral_v1",
    title: "Mistral v1",
    tokens: &["<s>", "</s>", "<unk>", "[INST]", "[/INST]"],
    loose: &["[INST]", "[/INST]"],
    system: true,
    history: true,
    tools: false,
    order: Order::Alternate,
    ..Family::BARE
};

/// Mistral 7B Instruct 0.3 and Mixtral 8x22B, with system message and tools at the last user message.
pub const MISTRAL_V3: Family = Family {
    name: "mistral_v3",
    title: "Mistral v3",
    tokens: &[
        "<s>",
        "</s>",
        "<unk>",
        "[INST]",
        "[/INST]",
        "[AVAILABLE_TOOLS]",
        "[/AVAILABLE_TOOLS]",
        "[TOOL_CALLS]",
        "[TOOL_RESULTS]",
        "[/TOOL_RESULTS]",
        "[control_",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: true,
    order: Order::Alternate,
    ..Family::BARE
};

/// Mistral Nemo: as v3, without spaces.
pub const MISTRAL_V3_TEKKEN: Family = Family {
    name: "mistral_v3_tekken",
    title: "Mistral v3 Tekken",
    tokens: &[
        "<s>",
        "</s>",
        "<unk>",
        "<pad>",
        "[INST]",
        "[/INST]",
        "[AVAILABLE_TOOLS]",
        "[/AVAILABLE_TOOLS]",
        "[TOOL_CALLS]",
        "[TOOL_RESULTS]",
        "[/TOOL_RESULTS]",
        "<SPECIAL_",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: true,
    order: Order::Alternate,
    ..Family::BARE
};

/// Mistral Large 2411, with marks of its own around system messages.
pub const MISTRAL_V7: Family = Family {
    name: "mistral_v7",
    title: "Mistral v7",
    tokens: &[
        "<s>",
        "</s>",
        "<unk>",
        "[INST]",
        "[/INST]",
        "[SYSTEM_PROMPT]",
        "[/SYSTEM_PROMPT]",
        "[AVAILABLE_TOOLS]",
        "[/AVAILABLE_TOOLS]",
        "[TOOL_CALLS]",
        "[TOOL_RESULTS]",
        "[/TOOL_RESULTS]",
        "[TOOL_CONTENT]",
        "[IMG]",
        "[IMG_BREAK]",
        "[IMG_END]",
        "[PREFIX]",
        "[MIDDLE]",
        "[SUFFIX]",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: false,
    order: Order::Any,
    ..Family::BARE
};
