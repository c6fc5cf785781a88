//! Facts about Meta's families.

use super::{Family, Order};

/// Llama 2, with the system message inside the first user message.
pub const LLAMA2: Family = Family {
    name: "llama2",
    title: "Llama 2",
    tokens: &[
        "<s>", "</s>", "<unk>", "[INST]", "[/INST]", "<<SYS>>", "<</SYS>>",
    ],
    loose: &["[INST]", "[/INST]", "<<SYS>>", "<</SYS>>"],
    system: true,
    history: true,
    tools: false,
    order: Order::Alternate,
    ..Family::BARE
};

/// Llama 3: a header before each message.
pub const LLAMA3: Family = Family {
    name: "llama3",
    title: "Llama 3",
    tokens: &[
        "<|begin_of_text|>",
        "<|end_of_text|>",
        "<|start_header_id|>",
        "<|end_header_id|>",
        "<|eot_id|>",
        "<|reserved_special_token_",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: false,
    order: Order::Any,
    ..Family::BARE
};

/// Llama 3.1 and 3.3: headers, a date in the system message, tools in the first user message.
pub const LLAMA3_1: Family = Family {
    name: "llama3_1",
    title: "Llama 3.1",
    tokens: &[
        "<|begin_of_text|>",
        "<|end_of_text|>",
        "<|start_header_id|>",
        "<|end_header_id|>",
        "<|eot_id|>",
        "<|eom_id|>",
        "<|python_tag|>",
        "<|finetune_right_pad_id|>",
        "<|step_id|>",
        "<|reserved_special_token_",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: true,
    order: Order::Any,
    ..Family::BARE
};

/// Llama 3.2: as 3.1, with the day it is.
pub const LLAMA3_2: Family = Family {
    name: "llama3_2",
    title: "Llama 3.2",
    tokens: &[
        "<|begin_of_text|>",
        "<|end_of_text|>",
        "<|start_header_id|>",
        "<|end_header_id|>",
        "<|eot_id|>",
        "<|eom_id|>",
        "<|python_tag|>",
        "<|finetune_right_pad_id|>",
        "<|step_id|>",
        "<|image|>",
        "<|reserved_special_token_",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: true,
    order: Order::Any,
    ..Family::BARE
};

/// Llama 4: headers, images, several calls at once.
pub const LLAMA4: Family = Family {
    name: "llama4",
    title: "Llama 4",
    tokens: &[
        "<|begin_of_text|>",
        "<|end_of_text|>",
        "<|header_start|>",
        "<|header_end|>",
        "<|eot|>",
        "<|eom|>",
        "<|step|>",
        "<|python_start|>",
        "<|python_end|>",
        "<|image|>",
        "<|image_start|>",
        "<|image_end|>",
        "<|patch|>",
        "<|tile_x_separator|>",
        "<|tile_y_separator|>",
        "<|finetune_right_pad|>",
        "<function_call>",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: true,
    media: true,
    order: Order::Any,
    ..Family::BARE
};
