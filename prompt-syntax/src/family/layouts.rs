//! Facts about the layouts of LazyLLM and Lamini, which stand around a model's own words or in place of them.

use super::{Family, LLAMA3, Order};

/// LazyLLM's Alpaca layout.
pub const LAZYLLM_ALPACA: Family = Family {
    name: "lazyllm_alpaca",
    title: "LazyLLM's Alpaca",
    tokens: &[
        "### Instruction:",
        "### Function-call Tools.",
        "### Response:",
    ],
    loose: &[
        "### Instruction:",
        "### Function-call Tools.",
        "### Response:",
    ],
    system: true,
    history: false,
    tools: true,
    order: Order::Any,
    ..Family::BARE
};

/// LazyLLM's Chat layout. What stands between its turns are the keys of a model, known when it is called.
pub const LAZYLLM_CHAT: Family = Family {
    name: "lazyllm_chat",
    title: "LazyLLM's Chat",
    tokens: &[],
    loose: &[],
    system: true,
    history: true,
    tools: true,
    order: Order::Any,
    ..Family::BARE
};

/// LazyLLM's layout without any words of its own.
pub const LAZYLLM_EMPTY: Family = Family {
    name: "lazyllm_empty",
    title: "LazyLLM's EmptyPrompter",
    tokens: &[],
    loose: &[],
    system: false,
    history: false,
    tools: false,
    order: Order::Any,
    ..Family::BARE
};

/// Lamini's Alpaca layout.
pub const LAMINI_ALPACA: Family = Family {
    name: "lamini_alpaca",
    title: "Lamini's Alpaca",
    tokens: &["### Instruction:", "### Response:"],
    loose: &["### Instruction:", "### Response:"],
    system: false,
    history: false,
    tools: false,
    order: Order::Alternate,
    ..Family::BARE
};

/// Lamini's Llama 2 layout.
pub const LAMINI_LLAMA2: Family = Family {
    name: "lamini_llama2",
    title: "Lamini's Llama 2",
    tokens: &["<s>", "</s>", "[INST]", "[/INST]", "<<SYS>>", "<</SYS>>"],
    loose: &["[INST]", "[/INST]", "<<SYS>>", "<</SYS>>"],
    system: true,
    history: false,
    tools: false,
    order: Order::Alternate,
    ..Family::BARE
};

/// Lamini's Llama 3 layout.
pub const LAMINI_LLAMA3: Family = Family {
    name: "lamini_llama3",
    title: "Lamini's Llama 3",
    history: false,
    order: Order::Alternate,
    ..LLAMA3
};

/// Lamini's Mistral layout.
pub const LAMINI_MISTRAL: Family = Family {
    name: "lamini_mistral",
    title: "Lamini's Mistral",
    tokens: &["<s>", "</s>", "[INST]", "[/INST]"],
    loose: &["[INST]", "[/INST]"],
    system: true,
    history: false,
    tools: false,
    order: Order::Alternate,
    ..Family::BARE
};
