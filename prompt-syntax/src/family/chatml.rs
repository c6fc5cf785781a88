//! Facts about ChatML and what stands close to it.

use super::{Family, Order};

/// ChatML, as OpenHermes, SmolLM and many fine-tuned models read it; Qwen and Yi stand close to it.
pub const CHATML: Family = Family {
    name: "chatml",
    title: "ChatML",
    tokens: &["<|im_start|>", "<|im_end|>", "<|endoftext|>"],
    loose: &[],
    system: true,
    history: true,
    tools: false,
    order: Order::Any,
    ..Family::BARE
};

/// Qwen 2.5: ChatML with a default system message and tools in the Hermes manner.
pub const QWEN2_5: Family = Family {
    name: "qwen2_5",
    title: "Qwen 2.5",
    tokens: &[
        "<|im_start|>",
        "<|im_end|>",
        "<|endoftext|>",
        "<|object_ref_start|>",
        "<|object_ref_end|>",
        "<|box_start|>",
        "<|box_end|>",
        "<|quad_start|>",
        "<|quad_end|>",
        "<|vision_start|>",
        "<|vision_end|>",
        "<|vision_pad|>",
        "<|image_pad|>",
        "<|video_pad|>",
        "<|fim_prefix|>",
        "<|fim_middle|>",
        "<|fim_suffix|>",
        "<|fim_pad|>",
        "<|repo_name|>",
        "<|file_sep|>",
        "<tools>",
        "</tools>",
        "<tool_call>",
        "</tool_call>",
        "<tool_response>",
        "</tool_response>",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: true,
    order: Order::Any,
    ..Family::BARE
};

/// Qwen 3: ChatML with tools in the Hermes manner, and reasoning that can be turned off.
pub const QWEN3: Family = Family {
    name: "qwen3",
    title: "Qwen 3",
    tokens: &[
        "<|im_start|>",
        "<|im_end|>",
        "<|endoftext|>",
        "<think>",
        "</think>",
        "<tool_call>",
        "</tool_call>",
        "<tool_response>",
        "</tool_response>",
        "<|object_ref_start|>",
        "<|object_ref_end|>",
        "<|box_start|>",
        "<|box_end|>",
        "<|quad_start|>",
        "<|quad_end|>",
        "<|vision_start|>",
        "<|vision_end|>",
        "<|vision_pad|>",
        "<|image_pad|>",
        "<|video_pad|>",
        "<|fim_prefix|>",
        "<|fim_middle|>",
        "<|fim_suffix|>",
        "<|fim_pad|>",
        "<|repo_name|>",
        "<|file_sep|>",
        "<tools>",
        "</tools>",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: true,
    reasoning: true,
    order: Order::Any,
    ..Family::BARE
};

/// InternLM 2: ChatML after `<s>`.
pub const INTERNLM2: Family = Family {
    name: "internlm2",
    title: "InternLM 2",
    tokens: &[
        "<s>",
        "</s>",
        "<unk>",
        "<|im_start|>",
        "<|im_end|>",
        "<|action_start|>",
        "<|action_end|>",
        "<|interpreter|>",
        "<|plugin|>",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: false,
    order: Order::Any,
    ..Family::BARE
};

/// SmolLM 2: ChatML with a default system message.
pub const SMOLLM2: Family = Family {
    name: "smollm2",
    title: "SmolLM 2",
    tokens: &[
        "<|im_start|>",
        "<|im_end|>",
        "<|endoftext|>",
        "<repo_name>",
        "<reponame>",
        "<file_sep>",
        "<filename>",
        "<gh_stars>",
        "<issue_start>",
        "<issue_comment>",
        "<issue_closed>",
        "<jupyter_start>",
        "<empty_output>",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: false,
    order: Order::Any,
    ..Family::BARE
};

/// SmolLM 3: ChatML with metadata, switches inside the system message, and tools as Python prints them.
pub const SMOLLM3: Family = Family {
    name: "smollm3",
    title: "SmolLM 3",
    tokens: &[
        "<|im_start|>",
        "<|im_end|>",
        "<|end_of_text|>",
        "<|begin_of_text|>",
        "<think>",
        "</think>",
        "/no_think",
        "/system_override",
        "<tools>",
        "</tools>",
        "<tool_call>",
        "</tool_call>",
        "<code>",
        "</code>",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: true,
    order: Order::Any,
    ..Family::BARE
};

/// Yi 1.5: ChatML with the system message as bare text; every user message opens the answer.
pub const YI1_5: Family = Family {
    name: "yi1_5",
    title: "Yi 1.5",
    tokens: &[
        "<|startoftext|>",
        "<|endoftext|>",
        "<|im_start|>",
        "<|im_end|>",
        "<|im_sep|>",
        "<unk>",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: false,
    order: Order::Any,
    ..Family::BARE
};

/// Phi-4: ChatML with a mark in place of the line break.
pub const PHI4: Family = Family {
    name: "phi4",
    title: "Phi-4",
    tokens: &[
        "<|endoftext|>",
        "<|im_start|>",
        "<|im_sep|>",
        "<|im_end|>",
        "<|fim_prefix|>",
        "<|fim_middle|>",
        "<|fim_suffix|>",
        "<|dummy_",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: false,
    order: Order::Any,
    ..Family::BARE
};

/// LFM2: ChatML with a list of tools in the system message.
pub const LFM2: Family = Family {
    name: "lfm2",
    title: "LFM2",
    tokens: &[
        "<|startoftext|>",
        "<|endoftext|>",
        "<|im_start|>",
        "<|im_end|>",
        "<|pad|>",
        "<|tool_list_start|>",
        "<|tool_list_end|>",
        "<|tool_call_start|>",
        "<|tool_call_end|>",
        "<|tool_response_start|>",
        "<|tool_response_end|>",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: true,
    order: Order::Any,
    ..Family::BARE
};
