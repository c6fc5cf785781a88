//! Families whose marks are plain text to the tokenizer.

use super::natives;
use crate::format::native::plain;

natives! {
    /// Zephyr and TinyLlama Chat.
    ZEPHYR = plain::ZEPHYR, ("", "</s>"),
    ["HuggingFaceH4/zephyr-7b-alpha", "HuggingFaceH4/zephyr-7b-beta", "TinyLlama/TinyLlama-1.1B-Chat-v1.0"],
    "<|system|>\nBe brief.</s>\n<|user|>\nHi</s>\n<|assistant|>\nHello.</s>\n<|user|>\nBye</s>\n<|assistant|>\n";

    /// Vicuna 1.1 and 1.5: roles as plain words, a default system message.
    VICUNA = plain::VICUNA, ("", "</s>"),
    ["lmsys/vicuna-7b-v1.5", "lmsys/vicuna-13b-v1.5"],
    "Be brief. USER: Hi ASSISTANT: Hello.</s> USER: Bye ASSISTANT:";

    /// Alpaca's headings as a chat, which [`ALPACA`](crate::format::ALPACA) itself is not.
    ALPACA_CHAT = plain::ALPACA, ("<s>", "</s>"),
    ["alpaca-chat"],
    "<s>Be brief.\n\n### Instruction:\nHi\n\n### Response:\nHello.</s>\n\n### Instruction:\nBye\n\n### Response:\n";

    /// OpenChat 3.5.
    OPENCHAT = plain::OPENCHAT, ("<s>", "<|end_of_turn|>"),
    ["openchat/openchat-3.5-0106", "openchat/openchat_3.5"],
    "<s>GPT4 Correct System: Be brief.<|end_of_turn|>GPT4 Correct User: Hi<|end_of_turn|>GPT4 Correct Assistant: Hello.<|end_of_turn|>GPT4 Correct User: Bye<|end_of_turn|>GPT4 Correct Assistant:";

    /// Falcon Instruct: roles as plain words.
    FALCON = plain::FALCON, ("", "<|endoftext|>"),
    ["tiiuae/falcon-7b-instruct", "tiiuae/falcon-40b-instruct"],
    "Be brief.\n\nUser: Hi\n\nAssistant: Hello.\n\nUser: Bye\n\nAssistant:";

    /// OLMo 2.
    OLMO2 = plain::OLMO2, ("<|endoftext|>", "<|endoftext|>"),
    ["olmo-2", "allenai/OLMo-2-1124-7B-Instruct", "allenai/OLMo-2-1124-13B-Instruct"],
    "<|endoftext|><|system|>\nBe brief.\n<|user|>\nHi\n<|assistant|>\nHello.<|endoftext|>\n<|user|>\nBye\n<|assistant|>\n";

    /// Tülu 3: as OLMo 2, with other tokens.
    TULU3 = plain::TULU3, ("", "<|end_of_text|>"),
    ["tulu-3", "allenai/Llama-3.1-Tulu-3-8B", "allenai/Llama-3.1-Tulu-3-70B"],
    "<|system|>\nBe brief.\n<|user|>\nHi\n<|assistant|>\nHello.<|end_of_text|>\n<|user|>\nBye\n<|assistant|>\n";

    /// MiniCPM: marks around user messages only.
    MINICPM = plain::MINICPM, ("", "</s>"),
    ["openbmb/MiniCPM-2B-sft-bf16", "openbmb/MiniCPM-2B-dpo-bf16"],
    "Be brief.<用户>Hi<AI>Hello.<用户>Bye<AI>";

    /// SOLAR: headings as plain text.
    SOLAR = plain::SOLAR, ("", "</s>"),
    ["upstage/SOLAR-10.7B-Instruct-v1.0"],
    "### System:\nBe brief.\n\n### User:\nHi\n\n### Assistant:\nHello.### User:\nBye\n\n### Assistant:\n";
}
