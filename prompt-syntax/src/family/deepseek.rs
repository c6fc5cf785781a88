//! Facts about DeepSeek's families.

use super::{Family, Order};

/// DeepSeek V2 and DeepSeek LLM: roles as plain words.
pub const DEEPSEEK_V2: Family = Family {
    name: "deepseek_v2",
    title: "DeepSeek V2",
    tokens: &[
        "<｜begin▁of▁sentence｜>",
        "<｜end▁of▁sentence｜>",
        "User:",
        "Assistant:",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: false,
    order: Order::Any,
    ..Family::BARE
};

/// DeepSeek V3: system messages in front, every user message opens the answer.
pub const DEEPSEEK_V3: Family = Family {
    name: "deepseek_v3",
    title: "DeepSeek V3",
    tokens: &[
        "<｜begin▁of▁sentence｜>",
        "<｜end▁of▁sentence｜>",
        "<｜User｜>",
        "<｜Assistant｜>",
        "<｜tool▁calls▁begin｜>",
        "<｜tool▁calls▁end｜>",
        "<｜tool▁call▁begin｜>",
        "<｜tool▁call▁end｜>",
        "<｜tool▁sep｜>",
        "<｜tool▁outputs▁begin｜>",
        "<｜tool▁outputs▁end｜>",
        "<｜tool▁output▁begin｜>",
        "<｜tool▁output▁end｜>",
        "<｜fim▁begin｜>",
        "<｜fim▁hole｜>",
        "<｜fim▁end｜>",
        "<｜▁pad▁｜>",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: false,
    order: Order::Any,
    ..Family::BARE
};

/// DeepSeek R1, whose answer begins with its reasoning.
pub const DEEPSEEK_R1: Family = Family {
    name: "deepseek_r1",
    title: "DeepSeek R1",
    tokens: &[
        "<｜begin▁of▁sentence｜>",
        "<｜end▁of▁sentence｜>",
        "<｜User｜>",
        "<｜Assistant｜>",
        "<think>",
        "</think>",
        "<｜tool▁calls▁begin｜>",
        "<｜tool▁calls▁end｜>",
        "<｜tool▁call▁begin｜>",
        "<｜tool▁call▁end｜>",
        "<｜tool▁sep｜>",
        "<｜tool▁outputs▁begin｜>",
        "<｜tool▁outputs▁end｜>",
        "<｜tool▁output▁begin｜>",
        "<｜tool▁output▁end｜>",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: false,
    reasoning: true,
    order: Order::Any,
    ..Family::BARE
};

/// DeepSeek V3.1, which reasons if it is told to.
pub const DEEPSEEK_V3_1: Family = Family {
    name: "deepseek_v3_1",
    title: "DeepSeek V3.1",
    tokens: &[
        "<｜begin▁of▁sentence｜>",
        "<｜end▁of▁sentence｜>",
        "<｜User｜>",
        "<｜Assistant｜>",
        "<think>",
        "</think>",
        "<｜tool▁calls▁begin｜>",
        "<｜tool▁calls▁end｜>",
        "<｜tool▁call▁begin｜>",
        "<｜tool▁call▁end｜>",
        "<｜tool▁sep｜>",
        "<｜tool▁output▁begin｜>",
        "<｜tool▁output▁end｜>",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: true,
    reasoning: true,
    order: Order::Any,
    ..Family::BARE
};

/// DeepSeek Coder: headings as plain text, a default system message.
pub const DEEPSEEK_CODER: Family = Family {
    name: "deepseek_coder",
    title: "DeepSeek Coder",
    tokens: &[
        "<｜begin▁of▁sentence｜>",
        "<|EOT|>",
        "<｜fim▁begin｜>",
        "<｜fim▁hole｜>",
        "<｜fim▁end｜>",
        "### Instruction:",
        "### Response:",
    ],
    loose: &["### Instruction:", "### Response:"],
    system: true,
    history: true,
    tools: false,
    order: Order::Any,
    ..Family::BARE
};
