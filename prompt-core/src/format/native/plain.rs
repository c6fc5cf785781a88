//! The families that are nothing but turns.

use super::marks::{Closing, Head, Inside, Marks, Other, Start, Trim, keep};

const fn named(open: &'static str, middle: &'static str, close: &'static str) -> Other {
    Other::Named {
        open,
        middle,
        close,
        trim: Trim::Keep,
        capital: false,
    }
}

pub(crate) const CHATML: Marks = Marks {
    start: Start::Nothing,
    head: Head::Turn,
    system: Some(keep("<|im_start|>system\n", "<|im_end|>\n")),
    user: keep("<|im_start|>user\n", "<|im_end|>\n"),
    assistant: keep("<|im_start|>assistant\n", "<|im_end|>\n"),
    other: named("<|im_start|>", "\n", "<|im_end|>\n"),
    alternate: false,
    answer: "<|im_start|>assistant\n",
    closing: Closing::Nothing,
};

pub(crate) const INTERNLM2: Marks = Marks {
    start: Start::IfAsked("<s>"),
    closing: Closing::AfterAssistant("</s>"),
    ..CHATML
};

pub(crate) const SMOLLM2: Marks = Marks {
    head: Head::TurnOr(
        "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n",
    ),
    ..CHATML
};

pub(crate) const YI: Marks = Marks {
    start: Start::Nothing,
    head: Head::Before(keep("", "").trim(Trim::Show)),
    system: None,
    user: keep("<|im_start|>user\n", "<|im_end|>\n<|im_start|>assistant\n"),
    assistant: keep("", "<|im_end|>\n"),
    other: Other::Dropped,
    alternate: false,
    answer: "",
    closing: Closing::Nothing,
};

pub(crate) const PHI4: Marks = Marks {
    start: Start::Nothing,
    head: Head::Turn,
    system: Some(keep("<|im_start|>system<|im_sep|>", "<|im_end|>")),
    user: keep("<|im_start|>user<|im_sep|>", "<|im_end|>"),
    assistant: keep("<|im_start|>assistant<|im_sep|>", "<|im_end|>"),
    other: Other::Dropped,
    alternate: false,
    answer: "<|im_start|>assistant<|im_sep|>",
    closing: Closing::Nothing,
};

pub(crate) const PHI3: Marks = Marks {
    start: Start::Nothing,
    head: Head::Turn,
    system: Some(keep("<|system|>\n", "<|end|>\n")),
    user: keep("<|user|>\n", "<|end|>\n"),
    assistant: keep("<|assistant|>\n", "<|end|>\n"),
    other: Other::Dropped,
    alternate: false,
    answer: "<|assistant|>\n",
    closing: Closing::Always("<|endoftext|>"),
};

pub(crate) const PHI35: Marks = Marks {
    system: Some(keep("<|system|>\n", "<|end|>\n").unless_empty()),
    ..PHI3
};

pub(crate) const ZEPHYR: Marks = Marks {
    start: Start::Nothing,
    head: Head::Turn,
    system: Some(keep("<|system|>\n", "</s>\n")),
    user: keep("<|user|>\n", "</s>\n"),
    assistant: keep("<|assistant|>\n", "</s>\n"),
    other: Other::Dropped,
    alternate: false,
    answer: "<|assistant|>\n",
    closing: Closing::Nothing,
};

pub(crate) const OLMO2: Marks = Marks {
    start: Start::Always("<|endoftext|>"),
    assistant: keep("<|assistant|>\n", "<|endoftext|>\n").last("<|endoftext|>"),
    ..TULU3
};

pub(crate) const TULU3: Marks = Marks {
    start: Start::Nothing,
    head: Head::Turn,
    system: Some(keep("<|system|>\n", "\n")),
    user: keep("<|user|>\n", "\n"),
    assistant: keep("<|assistant|>\n", "<|end_of_text|>\n").last("<|end_of_text|>"),
    other: Other::Dropped,
    alternate: false,
    answer: "<|assistant|>\n",
    closing: Closing::Nothing,
};

pub(crate) const LLAMA2: Marks = Marks {
    start: Start::Nothing,
    head: Head::InFirst {
        open: "<<SYS>>\n",
        close: "\n<</SYS>>\n\n",
        rule: Inside::StripEnd,
    },
    system: None,
    user: keep("<s>[INST] ", " [/INST]").trim(Trim::Strip),
    assistant: keep(" ", " </s>").trim(Trim::Strip),
    other: Other::Dropped,
    alternate: true,
    answer: "",
    closing: Closing::Nothing,
};

pub(crate) const LLAMA3: Marks = Marks {
    start: Start::Always("<|begin_of_text|>"),
    head: Head::Turn,
    system: Some(
        keep(
            "<|start_header_id|>system<|end_header_id|>\n\n",
            "<|eot_id|>",
        )
        .trim(Trim::ShowStrip),
    ),
    user: keep("<|start_header_id|>user<|end_header_id|>\n\n", "<|eot_id|>").trim(Trim::ShowStrip),
    assistant: keep(
        "<|start_header_id|>assistant<|end_header_id|>\n\n",
        "<|eot_id|>",
    )
    .trim(Trim::ShowStrip),
    other: Other::Named {
        open: "<|start_header_id|>",
        middle: "<|end_header_id|>\n\n",
        close: "<|eot_id|>",
        trim: Trim::ShowStrip,
        capital: false,
    },
    alternate: false,
    answer: "<|start_header_id|>assistant<|end_header_id|>\n\n",
    closing: Closing::Nothing,
};

pub(crate) const MISTRAL_V0: Marks = Marks {
    start: Start::Always("<s>"),
    head: Head::Refused,
    system: None,
    user: keep("[INST] ", " [/INST]"),
    assistant: keep("", "</s>"),
    other: Other::Refused,
    alternate: true,
    answer: "",
    closing: Closing::Nothing,
};

pub(crate) const MISTRAL_V1: Marks = Marks {
    start: Start::Always("<s>"),
    head: Head::InFirst {
        open: "",
        close: "\n\n",
        rule: Inside::Keep,
    },
    system: None,
    user: keep(" [INST] ", " [/INST]"),
    assistant: keep(" ", "</s>"),
    other: Other::Refused,
    alternate: true,
    answer: "",
    closing: Closing::Nothing,
};

pub(crate) const MISTRAL_V7: Marks = Marks {
    start: Start::Always("<s>"),
    head: Head::Turn,
    system: Some(keep("[SYSTEM_PROMPT] ", "[/SYSTEM_PROMPT]")),
    user: keep("[INST] ", "[/INST]"),
    assistant: keep(" ", "</s>"),
    other: Other::Refused,
    alternate: false,
    answer: "",
    closing: Closing::Nothing,
};

pub(crate) const GEMMA2: Marks = Marks {
    start: Start::Always("<bos>"),
    head: Head::Refused,
    system: None,
    user: keep("<start_of_turn>user\n", "<end_of_turn>\n").trim(Trim::ShowStrip),
    assistant: keep("<start_of_turn>model\n", "<end_of_turn>\n").trim(Trim::ShowStrip),
    other: Other::Named {
        open: "<start_of_turn>",
        middle: "\n",
        close: "<end_of_turn>\n",
        trim: Trim::ShowStrip,
        capital: false,
    },
    alternate: true,
    answer: "<start_of_turn>model\n",
    closing: Closing::Nothing,
};

pub(crate) const DEEPSEEK_V2: Marks = Marks {
    start: Start::Always("<｜begin▁of▁sentence｜>"),
    head: Head::Turn,
    system: Some(keep("", "\n\n")),
    user: keep("User: ", "\n\n"),
    assistant: keep("Assistant: ", "<｜end▁of▁sentence｜>"),
    other: Other::Dropped,
    alternate: false,
    answer: "Assistant:",
    closing: Closing::Nothing,
};

pub(crate) const DEEPSEEK_CODER: Marks = Marks {
    start: Start::Always("<｜begin▁of▁sentence｜>"),
    head: Head::TurnOrNone(
        "You are an AI programming assistant, utilizing the Deepseek Coder model, developed by Deepseek Company, and you only answer questions related to computer science. For politically sensitive questions, security and privacy issues, and other non-computer science questions, you will refuse to answer\n",
    ),
    system: Some(keep("", "").trim(Trim::Show)),
    user: keep("### Instruction:\n", "\n"),
    assistant: keep("### Response:\n", "\n<|EOT|>\n"),
    other: Other::AsAssistant,
    alternate: false,
    answer: "### Response:\n",
    closing: Closing::Nothing,
};

pub(crate) const COMMAND_R: Marks = Marks {
    start: Start::Always("<BOS_TOKEN>"),
    head: Head::Before(keep(
        "<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|>",
        "<|END_OF_TURN_TOKEN|>",
    )),
    system: None,
    user: keep(
        "<|START_OF_TURN_TOKEN|><|USER_TOKEN|>",
        "<|END_OF_TURN_TOKEN|>",
    )
    .trim(Trim::Strip),
    assistant: keep(
        "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>",
        "<|END_OF_TURN_TOKEN|>",
    )
    .trim(Trim::Strip),
    other: Other::Dropped,
    alternate: true,
    answer: "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>",
    closing: Closing::Nothing,
};

pub(crate) const VICUNA: Marks = Marks {
    start: Start::Nothing,
    head: Head::BeforeTurns(
        keep("", "").trim(Trim::Show),
        "A chat between a curious user and an artificial intelligence assistant. The assistant gives helpful, detailed, and polite answers to the user's questions.",
    ),
    system: None,
    user: keep(" USER: ", "").trim(Trim::Strip),
    assistant: keep(" ASSISTANT: ", "</s>").trim(Trim::Strip),
    other: Other::Dropped,
    alternate: true,
    answer: " ASSISTANT:",
    closing: Closing::Nothing,
};

pub(crate) const ALPACA: Marks = Marks {
    start: Start::Always("<s>"),
    head: Head::Before(keep("", "\n\n").trim(Trim::ShowStrip)),
    system: None,
    user: keep("### Instruction:\n", "\n\n").trim(Trim::ShowStrip),
    assistant: keep("### Response:\n", "</s>\n\n").trim(Trim::ShowStrip),
    other: Other::Dropped,
    alternate: true,
    answer: "### Response:\n",
    closing: Closing::Nothing,
};

pub(crate) const OPENCHAT: Marks = Marks {
    start: Start::Always("<s>"),
    head: Head::Turn,
    system: Some(keep("GPT4 Correct System: ", "<|end_of_turn|>")),
    user: keep("GPT4 Correct User: ", "<|end_of_turn|>"),
    assistant: keep("GPT4 Correct Assistant: ", "<|end_of_turn|>"),
    other: Other::Named {
        open: "GPT4 Correct ",
        middle: ": ",
        close: "<|end_of_turn|>",
        trim: Trim::Keep,
        capital: true,
    },
    alternate: false,
    answer: "GPT4 Correct Assistant:",
    closing: Closing::Nothing,
};

pub(crate) const FALCON: Marks = Marks {
    start: Start::Nothing,
    head: Head::BeforeTurns(keep("", "").trim(Trim::Strip), ""),
    system: None,
    user: keep("\n\nUser: ", "").trim(Trim::Squeeze),
    assistant: keep("\n\nAssistant: ", "").trim(Trim::Squeeze),
    other: Other::Dropped,
    alternate: true,
    answer: "\n\nAssistant:",
    closing: Closing::Nothing,
};

pub(crate) const MINICPM: Marks = Marks {
    start: Start::Nothing,
    head: Head::Turn,
    system: Some(keep("", "").trim(Trim::Strip)),
    user: keep("<用户>", "<AI>").trim(Trim::Strip),
    assistant: keep("", "").trim(Trim::Strip),
    other: Other::AsAssistant,
    alternate: false,
    answer: "",
    closing: Closing::Nothing,
};

pub(crate) const EXAONE3: Marks = Marks {
    start: Start::Nothing,
    head: Head::TurnOr("[|system|][|endofturn|]\n"),
    system: Some(keep("[|system|]", "[|endofturn|]\n")),
    user: keep("[|user|]", "\n"),
    assistant: keep("[|assistant|]", "[|endofturn|]\n"),
    other: named("[|", "|]", "[|endofturn|]\n"),
    alternate: false,
    answer: "[|assistant|]",
    closing: Closing::Nothing,
};

pub(crate) const SOLAR: Marks = Marks {
    start: Start::Nothing,
    head: Head::Turn,
    system: Some(keep("### System:\n", "\n\n").unless_empty()),
    user: keep("### User:\n", "\n\n"),
    assistant: keep("### Assistant:\n", ""),
    other: Other::Dropped,
    alternate: false,
    answer: "### Assistant:\n",
    closing: Closing::Nothing,
};
