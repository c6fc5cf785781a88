//! Facts about families whose marks are plain text to the tokenizer.

use super::{Ends, Family, Frame, Order};

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
    frame: Some(Frame {
        system: Some(("<|system|>\n", "</s>\n<|user|>\n")),
        user: Some("<|user|>\n"),
        reply: "</s>\n<|assistant|>\n",
        next: "</s>\n<|user|>\n",
        answer: "</s>\n<|assistant|>\n",
        ends: Ends::Kept,
        switches: &[],
    }),
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
    frame: Some(Frame {
        system: Some(("", " USER: ")),
        user: Some(
            "A chat between a curious user and an artificial intelligence assistant. The assistant gives helpful, detailed, and polite answers to the user's questions. USER: ",
        ),
        reply: " ASSISTANT: ",
        next: "</s> USER: ",
        answer: " ASSISTANT:",
        ends: Ends::Varying,
        switches: &[],
    }),
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
    frame: Some(Frame {
        system: Some(("<s>", "\n\n### Instruction:\n")),
        user: Some("<s>### Instruction:\n"),
        reply: "\n\n### Response:\n",
        next: "</s>\n\n### Instruction:\n",
        answer: "\n\n### Response:\n",
        ends: Ends::Stripped,
        switches: &[],
    }),
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
    frame: Some(Frame {
        system: Some((
            "<s>GPT4 Correct System: ",
            "<|end_of_turn|>GPT4 Correct User: ",
        )),
        user: Some("<s>GPT4 Correct User: "),
        reply: "<|end_of_turn|>GPT4 Correct Assistant: ",
        next: "<|end_of_turn|>GPT4 Correct User: ",
        answer: "<|end_of_turn|>GPT4 Correct Assistant:",
        ends: Ends::Kept,
        switches: &[],
    }),
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
    frame: Some(Frame {
        system: Some(("", "\n\nUser: ")),
        user: Some("\n\nUser: "),
        reply: "\n\nAssistant: ",
        next: "\n\nUser: ",
        answer: "\n\nAssistant:",
        ends: Ends::Stripped,
        switches: &["\n\n"],
    }),
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
    frame: Some(Frame {
        system: Some(("<|endoftext|><|system|>\n", "\n<|user|>\n")),
        user: Some("<|endoftext|><|user|>\n"),
        reply: "\n<|assistant|>\n",
        next: "<|endoftext|>\n<|user|>\n",
        answer: "\n<|assistant|>\n",
        ends: Ends::Kept,
        switches: &[],
    }),
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
    frame: Some(Frame {
        system: Some(("<|system|>\n", "\n<|user|>\n")),
        user: Some("<|user|>\n"),
        reply: "\n<|assistant|>\n",
        next: "<|end_of_text|>\n<|user|>\n",
        answer: "\n<|assistant|>\n",
        ends: Ends::Kept,
        switches: &[],
    }),
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
    frame: Some(Frame {
        system: Some(("", "<用户>")),
        user: Some("<用户>"),
        reply: "<AI>",
        next: "<用户>",
        answer: "<AI>",
        ends: Ends::Stripped,
        switches: &[],
    }),
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
    frame: Some(Frame {
        system: Some(("### System:\n", "\n\n### User:\n")),
        user: Some("### User:\n"),
        reply: "\n\n### Assistant:\n",
        next: "### User:\n",
        answer: "\n\n### Assistant:\n",
        ends: Ends::Kept,
        switches: &[],
    }),
    ..Family::BARE
};
