//! Facts about families with control tokens of their own.

use super::{Family, Order};

/// Gemma 2, which has no place for instructions.
pub const GEMMA2: Family = Family {
    name: "gemma2",
    title: "Gemma 2",
    tokens: &[
        "<bos>",
        "<eos>",
        "<pad>",
        "<unk>",
        "<start_of_turn>",
        "<end_of_turn>",
        "<mask>",
        "<unused",
    ],
    loose: &[],
    system: false,
    history: true,
    tools: false,
    order: Order::Alternate,
    ..Family::BARE
};

/// Gemma 3, with the system message inside the first user message, and images.
pub const GEMMA3: Family = Family {
    name: "gemma3",
    title: "Gemma 3",
    tokens: &[
        "<bos>",
        "<eos>",
        "<pad>",
        "<unk>",
        "<start_of_turn>",
        "<end_of_turn>",
        "<start_of_image>",
        "<end_of_image>",
        "<image_soft_token>",
        "<mask>",
        "<unused",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: false,
    media: true,
    order: Order::Alternate,
    ..Family::BARE
};

/// Phi-3 mini.
pub const PHI3: Family = Family {
    name: "phi3",
    title: "Phi-3",
    tokens: &[
        "<s>",
        "</s>",
        "<unk>",
        "<|endoftext|>",
        "<|system|>",
        "<|user|>",
        "<|assistant|>",
        "<|end|>",
        "<|placeholder",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: false,
    order: Order::Any,
    ..Family::BARE
};

/// Phi-3.5 mini: as Phi-3, and an empty system message is none.
pub const PHI3_5: Family = Family {
    name: "phi3_5",
    title: "Phi-3.5",
    tokens: &[
        "<s>",
        "</s>",
        "<unk>",
        "<|endoftext|>",
        "<|system|>",
        "<|user|>",
        "<|assistant|>",
        "<|end|>",
        "<|placeholder",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: false,
    order: Order::Any,
    ..Family::BARE
};

/// Command R and R+, without their templates for tools.
pub const COMMAND_R: Family = Family {
    name: "command_r",
    title: "Command R",
    tokens: &[
        "<BOS_TOKEN>",
        "<EOS_TOKEN>",
        "<|START_OF_TURN_TOKEN|>",
        "<|END_OF_TURN_TOKEN|>",
        "<|SYSTEM_TOKEN|>",
        "<|USER_TOKEN|>",
        "<|CHATBOT_TOKEN|>",
        "<PAD>",
        "<UNK>",
        "<CLS>",
        "<SEP>",
        "<MASK_TOKEN>",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: false,
    order: Order::Alternate,
    ..Family::BARE
};

/// Granite 3.1: tools and documents in turns of their own.
pub const GRANITE3_1: Family = Family {
    name: "granite3_1",
    title: "Granite 3.1",
    tokens: &[
        "<|start_of_role|>",
        "<|end_of_role|>",
        "<|end_of_text|>",
        "<|tool_call|>",
        "<|start_of_cite|>",
        "<|end_of_cite|>",
        "<|start_of_plugin|>",
        "<|end_of_plugin|>",
        "<fim_prefix>",
        "<fim_middle>",
        "<fim_suffix>",
        "<fim_pad>",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: true,
    order: Order::Any,
    ..Family::BARE
};

/// gpt-oss (harmony): channels, instructions in a developer turn, tools as TypeScript.
pub const GPT_OSS: Family = Family {
    name: "gpt_oss",
    title: "gpt-oss",
    tokens: &[
        "<|start|>",
        "<|end|>",
        "<|message|>",
        "<|channel|>",
        "<|constrain|>",
        "<|call|>",
        "<|return|>",
        "<|startoftext|>",
        "<|endoftext|>",
        "<|endofprompt|>",
        "<|reserved_",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: true,
    reasoning: true,
    order: Order::Any,
    ..Family::BARE
};

/// GLM-4: marks for roles, tools in a system turn of their own.
pub const GLM4: Family = Family {
    name: "glm4",
    title: "GLM-4",
    tokens: &[
        "[gMASK]",
        "[sMASK]",
        "[MASK]",
        "<sop>",
        "<eop>",
        "<|system|>",
        "<|user|>",
        "<|assistant|>",
        "<|observation|>",
        "<|endoftext|>",
        "<|begin_of_image|>",
        "<|end_of_image|>",
        "<|begin_of_video|>",
        "<|end_of_video|>",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: true,
    order: Order::Any,
    ..Family::BARE
};

/// GLM-4.5: tools in front, arguments as XML, and reasoning that can be turned off.
pub const GLM4_5: Family = Family {
    name: "glm4_5",
    title: "GLM-4.5",
    tokens: &[
        "[gMASK]",
        "<sop>",
        "<|system|>",
        "<|user|>",
        "<|assistant|>",
        "<|observation|>",
        "<|endoftext|>",
        "<think>",
        "</think>",
        "/nothink",
        "<tool_call>",
        "</tool_call>",
        "<tool_response>",
        "</tool_response>",
        "<arg_key>",
        "</arg_key>",
        "<arg_value>",
        "</arg_value>",
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

/// Kimi K2: tools declared in front, a default system message.
pub const KIMI_K2: Family = Family {
    name: "kimi_k2",
    title: "Kimi K2",
    tokens: &[
        "[BOS]",
        "[EOS]",
        "[PAD]",
        "[UNK]",
        "<|im_system|>",
        "<|im_user|>",
        "<|im_assistant|>",
        "<|im_middle|>",
        "<|im_end|>",
        "<|tool_calls_section_begin|>",
        "<|tool_calls_section_end|>",
        "<|tool_call_begin|>",
        "<|tool_call_argument_begin|>",
        "<|tool_call_end|>",
        "<|media_begin|>",
        "<|media_content|>",
        "<|media_end|>",
        "<|media_pad|>",
        "<|media_start|>",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: true,
    media: true,
    order: Order::Any,
    ..Family::BARE
};

/// EXAONE 3.0 and 3.5.
pub const EXAONE3: Family = Family {
    name: "exaone3",
    title: "EXAONE 3",
    tokens: &[
        "[BOS]",
        "[EOS]",
        "[PAD]",
        "[UNK]",
        "[|system|]",
        "[|user|]",
        "[|assistant|]",
        "[|tool|]",
        "[|endofturn|]",
    ],
    loose: &[],
    system: true,
    history: true,
    tools: false,
    order: Order::Any,
    ..Family::BARE
};
