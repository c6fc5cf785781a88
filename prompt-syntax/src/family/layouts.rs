//! Facts about the layouts of LazyLLM, which stand around a model's own words or in place of them.

use super::{Family, Order};

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
