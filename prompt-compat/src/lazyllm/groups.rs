//! The keys of LazyLLM's model groups, as data.

use std::borrow::Cow;

use super::Keys;

/// Builds the keys of a group. `Keys` contains `Cow`s, so it is not a constant.
type Build = fn() -> Keys;

/// The groups of LazyLLM 1.4.0 by name, in the order of its table.
pub(super) const GROUPS: &[(&str, Build)] = &[
    ("meta-llama-3", llama3_keys),
    ("llama-2", || Keys {
        system: LLAMA2_SYSTEM.into(),
        sos: "[INST] <<SYS>>\n".into(),
        eos: "\n<</SYS>>\n\n".into(),
        soa: " [/INST] ".into(),
        eoa: "</s>".into(),
        separator: "<s>[INST] ".into(),
        ..Keys::default()
    }),
    ("qwen", || Keys {
        system: "You are a helpful assistant.".into(),
        tool_start_token: "<|action_start|><|function|>".into(),
        tool_args_token: "<|args|>".into(),
        tool_end_token: "<|action_end|>".into(),
        ..chatml_keys()
    }),
    ("deepseek-r1-distill-qwen", || Keys {
        system: "You are a helpful assistant.".into(),
        soa: "<|im_start|>assistant\n\n<think>".into(),
        tool_start_token: "<|action_start|><|function|>".into(),
        tool_args_token: "<|args|>".into(),
        tool_end_token: "<|action_end|>".into(),
        ..chatml_keys()
    }),
    ("deepseek-r1-distill-llama", || Keys {
        system: "You are a helpful assistant.".into(),
        soa: "<|start_header_id|>assistant<|end_header_id|>\n\n<think>".into(),
        stop_words: borrowed_list(&["<|eot_id|>", "<|end_of_text|>", "<|eom_id|>"]),
        ..llama3_keys()
    }),
    ("deepseek", || Keys {
        system: "".into(),
        sos: "<｜begin▁of▁sentence｜>".into(),
        soh: "<｜User｜>".into(),
        soa: "<｜Assistant｜>".into(),
        eoa: "<｜end▁of▁sentence｜>".into(),
        stop_words: borrowed_list(&["<｜end▁of▁sentence｜>"]),
        ..Keys::default()
    }),
    ("internlm", || Keys {
        system: INTERNLM_SYSTEM.into(),
        sos: "<|System|>:".into(),
        eos: "\n".into(),
        soh: "<|User|>:".into(),
        eoh: "\n".into(),
        soa: "<|Bot|>:".into(),
        eoa: "<eoa>".into(),
        stop_words: borrowed_list(&["<eoa>"]),
        separator: "\n".into(),
        ..Keys::default()
    }),
    ("internlm2", || Keys {
        system: INTERNLM_SYSTEM.into(),
        tool_start_token: "<|function|>".into(),
        tool_args_token: "<|args|>".into(),
        tool_end_token: "<|action_end|>".into(),
        plugin: "<|plugin|>".into(),
        interpreter: "<|interpreter|>".into(),
        ..chatml_keys()
    }),
    ("sensechat", || Keys {
        system: SENSECHAT_SYSTEM.into(),
        tool_start_token: "<|function|>".into(),
        tool_args_token: "<|args|>".into(),
        tool_end_token: "<|action_end|>".into(),
        plugin: "<|plugin|>".into(),
        interpreter: "<|interpreter|>".into(),
        ..chatml_keys()
    }),
    ("internlm-xcomposer2", || Keys {
        system: XCOMPOSER2_SYSTEM.into(),
        sos: "[UNUSED_TOKEN_146]system\n".into(),
        eos: "[UNUSED_TOKEN_145]\n".into(),
        soh: "[UNUSED_TOKEN_146]user\n".into(),
        eoh: "[UNUSED_TOKEN_145]\n".into(),
        soa: "[UNUSED_TOKEN_146]assistant\n".into(),
        eoa: "[UNUSED_TOKEN_145]\n".into(),
        stop_words: borrowed_list(&["[UNUSED_TOKEN_145]"]),
        separator: "\n".into(),
        ..Keys::default()
    }),
    ("internlm-xcomposer", Keys::default),
    ("codellama", Keys::default),
    ("baichuan", Keys::default),
    ("baichuan2", || Keys {
        soh: "<reserved_106>".into(),
        soa: "<reserved_107>".into(),
        ..Keys::default()
    }),
    ("chatglm3", || Keys {
        sos: "<|system|>\n".into(),
        soh: "<|user|>\n".into(),
        soa: "<|assistant|>\n".into(),
        stop_words: borrowed_list(&["<|user|>", "<|observation|>"]),
        plugin: "<|observation|>\n".into(),
        ..Keys::default()
    }),
    ("glm-4", || Keys {
        sos: "<|system|>\n".into(),
        soh: "<|user|>\n".into(),
        soa: "<|assistant|>\n".into(),
        soe: "<|observation|>\n".into(),
        eoe: "\n".into(),
        tool_start_token: "✿FUNCTION✿: ".into(),
        tool_args_token: "✿ARGS✿: ".into(),
        tool_end_token: "\n".into(),
        stop_words: borrowed_list(&["<|user|>", "<|observation|>"]),
        plugin: "<|observation|>\n".into(),
        ..Keys::default()
    }),
];

/// The keys of the groups that use ChatML.
fn chatml_keys() -> Keys {
    Keys {
        sos: "<|im_start|>system\n".into(),
        eos: "<|im_end|>\n".into(),
        soh: "<|im_start|>user\n".into(),
        eoh: "<|im_end|>\n".into(),
        soa: "<|im_start|>assistant\n".into(),
        eoa: "<|im_end|>".into(),
        soe: "<|im_start|>environment\n".into(),
        eoe: "<|im_end|>\n".into(),
        stop_words: borrowed_list(&["<|im_end|>"]),
        separator: "\n".into(),
        ..Keys::default()
    }
}

/// The keys of the groups that use the delimiters of Llama 3.
fn llama3_keys() -> Keys {
    Keys {
        sos: "<|start_header_id|>system<|end_header_id|>\n\n".into(),
        eos: "<|eot_id|>".into(),
        soh: "<|start_header_id|>user<|end_header_id|>\n\n".into(),
        eoh: "<|eot_id|>".into(),
        soa: "<|start_header_id|>assistant<|end_header_id|>\n\n".into(),
        eoa: "<|eot_id|>".into(),
        stop_words: borrowed_list(&["<|eot_id|>", "<|end_of_text|>"]),
        ..Keys::default()
    }
}

fn borrowed_list(words: &[&'static str]) -> Cow<'static, [Cow<'static, str>]> {
    words.iter().map(|word| Cow::Borrowed(*word)).collect()
}

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
