//! Facts about families whose marks are plain text to the tokenizer.

use super::{Family, Order};

/// Zephyr and TinyLlama Chat.
pub const ZEPHYR: Family = Family {
    name: "zephyr",
    title: "Zephyr",
    tokens: &[
        "<s>",
        "</s>",
        "<unk>",
        "<|system|>",
        "<|user|>",
        "<|assistant|>",
    ],
    loose: &["<|system|>", "<|user|>", "<|assistant|>"],
    system: true,
    history: true,
    tools: false,
    order: Order::Any,
    ..Family::BARE
};

/// Vicuna 1.1 and 1.5: roles as plain words, a default system message.
pub const VICUNA: Family = Family {
    name: "vicuna",
    title: "Vicuna",
    tokens: &["<s>", "</s>", "<unk>", "USER:", "ASSISTANT:"],
    loose: &[],
    system: true,
    history: true,
    tools: false,
    order: Order::Alternate,
    ..Family::BARE
};

/// Alpaca's headings as a chat, which `alpaca` itself is not.
pub const ALPACA_CHAT: Family = Family {
    name: "alpaca_chat",
    title: "Alpaca chat",
    tokens: &[
        "<s>",
        "</s>",
        "<unk>",
        "### Instruction:",
        "### Input:",
        "### Response:",
    ],
    loose: &["### Instruction:", "### Input:", "### Response:"],
    system: true,
    history: true,
    tools: false,
    order: Order::Alternate,
    ..Family::BARE
};

/// OpenChat 3.5.
pub const OPENCHAT: Family = Family {
    name: "openchat",
    title: "OpenChat",
    tokens: &[
        "<s>",
        "</s>",
        "<|end_of_turn|>",
        "<|pad_0|>",
        "<sep>",
        "GPT4 Correct User:",
        "GPT4 Correct Assistant:",
        "GPT4 Correct System:",
    ],
    loose: &[
        "GPT4 Correct User:",
        "GPT4 Correct Assistant:",
        "GPT4 Correct System:",
    ],
    system: true,
    history: true,
    tools: false,
    order: Order::Any,
    ..Family::BARE
};

/// Falcon Instruct: roles as plain words.
pub const FALCON: Family = Family {
    name: "falcon",
    title: "Falcon",
    tokens: &[
        "<|endoftext|>",
        ">>TITLE<<",
        ">>ABSTRACT<<",
        ">>INTRODUCTION<<",
        ">>SUMMARY<<",
        ">>COMMENT<<",
        ">>ANSWER<<",
        ">>QUESTION<<",
        ">>DOMAIN<<",
        ">>PREFIX<<",
        ">>SUFFIX<<",
        ">>MIDDLE<<",
        "User:",
        "Assistant:",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: false,
    order: Order::Alternate,
    ..Family::BARE
};

/// OLMo 2.
pub const OLMO2: Family = Family {
    name: "olmo2",
    title: "OLMo 2",
    tokens: &[
        "<|endoftext|>",
        "<|im_start|>",
        "<|im_end|>",
        "<|pad|>",
        "<|endofprompt|>",
        "<|system|>",
        "<|user|>",
        "<|assistant|>",
    ],
    loose: &["<|system|>", "<|user|>", "<|assistant|>"],
    system: true,
    history: true,
    tools: false,
    order: Order::Any,
    ..Family::BARE
};

/// Tülu 3: as OLMo 2, with other tokens.
pub const TULU3: Family = Family {
    name: "tulu3",
    title: "Tülu 3",
    tokens: &[
        "<|begin_of_text|>",
        "<|end_of_text|>",
        "<|eot_id|>",
        "<|system|>",
        "<|user|>",
        "<|assistant|>",
    ],
    loose: &["<|system|>", "<|user|>", "<|assistant|>"],
    system: true,
    history: true,
    tools: false,
    order: Order::Any,
    ..Family::BARE
};

/// MiniCPM: marks around user messages only.
pub const MINICPM: Family = Family {
    name: "minicpm",
    title: "MiniCPM",
    tokens: &["<s>", "</s>", "<unk>", "<用户>", "<AI>"],
    loose: &["<用户>", "<AI>"],
    system: true,
    history: true,
    tools: false,
    order: Order::Any,
    ..Family::BARE
};

/// SOLAR: headings as plain text.
pub const SOLAR: Family = Family {
    name: "solar",
    title: "SOLAR",
    tokens: &[
        "<s>",
        "</s>",
        "<unk>",
        "### System:",
        "### User:",
        "### Assistant:",
    ],
    loose: &["### System:", "### User:", "### Assistant:"],
    system: true,
    history: true,
    tools: false,
    order: Order::Any,
    ..Family::BARE
};
