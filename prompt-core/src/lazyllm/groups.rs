use crate::lazyllm::DEFAULT_SYSTEM;

/// One of LazyLLM's model groups.
pub(crate) struct Group {
    pub(crate) name: &'static str,
    pub(crate) system: &'static str,
    pub(crate) sos: &'static str,
    pub(crate) eos: &'static str,
    pub(crate) soh: &'static str,
    pub(crate) eoh: &'static str,
    pub(crate) soa: &'static str,
    pub(crate) eoa: &'static str,
    pub(crate) soe: &'static str,
    pub(crate) eoe: &'static str,
    pub(crate) tool_start_token: &'static str,
    pub(crate) tool_args_token: &'static str,
    pub(crate) tool_end_token: &'static str,
    pub(crate) stop_words: &'static [&'static str],
    pub(crate) separator: &'static str,
    pub(crate) plugin: &'static str,
    pub(crate) interpreter: &'static str,
}

impl Group {
    /// What a group that says nothing has.
    pub(crate) const NONE: Group = Group {
        name: "",
        system: DEFAULT_SYSTEM,
        sos: "",
        eos: "",
        soh: "",
        eoh: "",
        soa: "",
        eoa: "",
        soe: "",
        eoe: "",
        tool_start_token: "",
        tool_args_token: "",
        tool_end_token: "",
        stop_words: &[],
        separator: "",
        plugin: "",
        interpreter: "",
    };
}

/// The groups of LazyLLM 1.4, in its order.
pub(crate) const GROUPS: &[Group] = &[
    Group {
        name: "meta-llama-3",
        sos: "<|start_header_id|>system<|end_header_id|>\n\n",
        eos: "<|eot_id|>",
        soh: "<|start_header_id|>user<|end_header_id|>\n\n",
        eoh: "<|eot_id|>",
        soa: "<|start_header_id|>assistant<|end_header_id|>\n\n",
        eoa: "<|eot_id|>",
        stop_words: &["<|eot_id|>", "<|end_of_text|>"],
        ..Group::NONE
    },
    Group {
        name: "llama-2",
        system: LLAMA2_SYSTEM,
        sos: "[INST] <<SYS>>\n",
        eos: "\n<</SYS>>\n\n",
        soa: " [/INST] ",
        eoa: "</s>",
        separator: "<s>[INST] ",
        ..Group::NONE
    },
    Group {
        name: "qwen",
        system: "You are a helpful assistant.",
        sos: "<|im_start|>system\n",
        eos: "<|im_end|>\n",
        soh: "<|im_start|>user\n",
        eoh: "<|im_end|>\n",
        soa: "<|im_start|>assistant\n",
        eoa: "<|im_end|>",
        soe: "<|im_start|>environment\n",
        eoe: "<|im_end|>\n",
        tool_start_token: "<|action_start|><|function|>",
        tool_args_token: "<|args|>",
        tool_end_token: "<|action_end|>",
        stop_words: &["<|im_end|>"],
        separator: "\n",
        ..Group::NONE
    },
    Group {
        name: "deepseek-r1-distill-qwen",
        system: "You are a helpful assistant.",
        sos: "<|im_start|>system\n",
        eos: "<|im_end|>\n",
        soh: "<|im_start|>user\n",
        eoh: "<|im_end|>\n",
        soa: "<|im_start|>assistant\n\n<think>",
        eoa: "<|im_end|>",
        soe: "<|im_start|>environment\n",
        eoe: "<|im_end|>\n",
        tool_start_token: "<|action_start|><|function|>",
        tool_args_token: "<|args|>",
        tool_end_token: "<|action_end|>",
        stop_words: &["<|im_end|>"],
        separator: "\n",
        ..Group::NONE
    },
    Group {
        name: "deepseek-r1-distill-llama",
        system: "You are a helpful assistant.",
        sos: "<|start_header_id|>system<|end_header_id|>\n\n",
        eos: "<|eot_id|>",
        soh: "<|start_header_id|>user<|end_header_id|>\n\n",
        eoh: "<|eot_id|>",
        soa: "<|start_header_id|>assistant<|end_header_id|>\n\n<think>",
        eoa: "<|eot_id|>",
        stop_words: &["<|eot_id|>", "<|end_of_text|>", "<|eom_id|>"],
        ..Group::NONE
    },
    Group {
        name: "deepseek",
        system: "",
        sos: "<｜begin▁of▁sentence｜>",
        soh: "<｜User｜>",
        soa: "<｜Assistant｜>",
        eoa: "<｜end▁of▁sentence｜>",
        stop_words: &["<｜end▁of▁sentence｜>"],
        ..Group::NONE
    },
    Group {
        name: "internlm",
        system: INTERNLM_SYSTEM,
        sos: "<|System|>:",
        eos: "\n",
        soh: "<|User|>:",
        eoh: "\n",
        soa: "<|Bot|>:",
        eoa: "<eoa>",
        stop_words: &["<eoa>"],
        separator: "\n",
        ..Group::NONE
    },
    Group {
        name: "internlm2",
        system: INTERNLM_SYSTEM,
        sos: "<|im_start|>system\n",
        eos: "<|im_end|>\n",
        soh: "<|im_start|>user\n",
        eoh: "<|im_end|>\n",
        soa: "<|im_start|>assistant\n",
        eoa: "<|im_end|>",
        soe: "<|im_start|>environment\n",
        eoe: "<|im_end|>\n",
        tool_start_token: "<|function|>",
        tool_args_token: "<|args|>",
        tool_end_token: "<|action_end|>",
        stop_words: &["<|im_end|>"],
        separator: "\n",
        plugin: "<|plugin|>",
        interpreter: "<|interpreter|>",
    },
    Group {
        name: "sensechat",
        system: SENSECHAT_SYSTEM,
        sos: "<|im_start|>system\n",
        eos: "<|im_end|>\n",
        soh: "<|im_start|>user\n",
        eoh: "<|im_end|>\n",
        soa: "<|im_start|>assistant\n",
        eoa: "<|im_end|>",
        soe: "<|im_start|>environment\n",
        eoe: "<|im_end|>\n",
        tool_start_token: "<|function|>",
        tool_args_token: "<|args|>",
        tool_end_token: "<|action_end|>",
        stop_words: &["<|im_end|>"],
        separator: "\n",
        plugin: "<|plugin|>",
        interpreter: "<|interpreter|>",
    },
    Group {
        name: "internlm-xcomposer2",
        system: XCOMPOSER2_SYSTEM,
        sos: "[UNUSED_TOKEN_146]system\n",
        eos: "[UNUSED_TOKEN_145]\n",
        soh: "[UNUSED_TOKEN_146]user\n",
        eoh: "[UNUSED_TOKEN_145]\n",
        soa: "[UNUSED_TOKEN_146]assistant\n",
        eoa: "[UNUSED_TOKEN_145]\n",
        stop_words: &["[UNUSED_TOKEN_145]"],
        separator: "\n",
        ..Group::NONE
    },
    Group {
        name: "internlm-xcomposer",
        ..Group::NONE
    },
    Group {
        name: "codellama",
        ..Group::NONE
    },
    Group {
        name: "baichuan",
        ..Group::NONE
    },
    Group {
        name: "baichuan2",
        soh: "<reserved_106>",
        soa: "<reserved_107>",
        ..Group::NONE
    },
    Group {
        name: "chatglm3",
        sos: "<|system|>\n",
        soh: "<|user|>\n",
        soa: "<|assistant|>\n",
        stop_words: &["<|user|>", "<|observation|>"],
        plugin: "<|observation|>\n",
        ..Group::NONE
    },
    Group {
        name: "glm-4",
        sos: "<|system|>\n",
        soh: "<|user|>\n",
        soa: "<|assistant|>\n",
        soe: "<|observation|>\n",
        eoe: "\n",
        tool_start_token: "✿FUNCTION✿: ",
        tool_args_token: "✿ARGS✿: ",
        tool_end_token: "\n",
        stop_words: &["<|user|>", "<|observation|>"],
        plugin: "<|observation|>\n",
        ..Group::NONE
    },
];

const LLAMA2_SYSTEM: &str = concat!(
    "\n",
    "You are a helpful, respectful and honest assistant. Always answer as helpfully as possible, while being safe. Your answers should not include any harmful, unethical, racist, sexist, toxic, dangerous, or illegal content. Please ensure that your responses are socially unbiased and positive in nature.\n",
    "\n",
    "If a question does not make any sense, or is not factually coherent, explain why instead of answering something not correct. If you don't know the answer to a question, please don't share false information.",
);

const INTERNLM_SYSTEM: &str = concat!(
    "You are an AI assistant whose name is InternLM (书生·浦语).\n",
    "- InternLM (书生·浦语) is a conversational language model that is developed by Shanghai AI Laboratory (上海人工智能实验室). It is designed to be helpful, honest, and harmless.\n",
    "- InternLM (书生·浦语) can understand and communicate fluently in the language chosen by the user such as English and 中文.",
);

const SENSECHAT_SYSTEM: &str = concat!(
    "You are an AI assistant whose name is SenseChat.\n",
    "- SenseChat is a conversational language model that is developed by SenseTime. It is designed to be helpful, honest, and harmless.\n",
    "- SenseChat can understand and communicate fluently in the language chosen by the user such as English and 中文.",
);

const XCOMPOSER2_SYSTEM: &str = concat!(
    "You are an AI assistant whose name is InternLM-XComposer (浦语·灵笔).\n",
    "- InternLM-XComposer (浦语·灵笔) is a multi-modality conversational language model that is developed by Shanghai AI Laboratory (上海人工智能实验室). It is designed to be helpful, honest, and harmless.\n",
    "- InternLM-XComposer (浦语·灵笔) can understand and communicate fluently in the language chosen by the user such as English and 中文.\n",
    "- InternLM-XComposer (浦语·灵笔) is capable of comprehending and articulating responses effectively based on the provided image.",
);
