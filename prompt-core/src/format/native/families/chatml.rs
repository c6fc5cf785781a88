//! ChatML and what stands close to it.

use super::natives;
use crate::format::native::hermes::Hermes;
use crate::format::native::lfm::Lfm;
use crate::format::native::plain;
use crate::format::native::smol::Smol;

natives! {
    /// ChatML, as OpenHermes, SmolLM and many fine-tuned models read it; Qwen and Yi stand close to it.
    CHATML = plain::CHATML, ("", "<|im_end|>"),
    ["chat-ml", "teknium/OpenHermes-2.5-Mistral-7B", "HuggingFaceTB/SmolLM-1.7B-Instruct", "HuggingFaceTB/SmolLM-360M-Instruct", "HuggingFaceTB/SmolLM-135M-Instruct"],
    "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello.<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n";

    /// Qwen 2.5: ChatML with a default system message and tools in the Hermes manner.
    QWEN2_5 = Hermes { system: Some("You are Qwen, created by Alibaba Cloud. You are a helpful assistant."), thinks: false }, ("", "<|im_end|>"),
    ["qwen2.5", "Qwen/Qwen2.5-0.5B-Instruct", "Qwen/Qwen2.5-1.5B-Instruct", "Qwen/Qwen2.5-3B-Instruct", "Qwen/Qwen2.5-7B-Instruct", "Qwen/Qwen2.5-14B-Instruct", "Qwen/Qwen2.5-32B-Instruct", "Qwen/Qwen2.5-72B-Instruct"],
    "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello.<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n";

    /// Qwen 3: ChatML with tools in the Hermes manner, and reasoning that can be turned off.
    QWEN3 = Hermes { system: None, thinks: true }, ("", "<|im_end|>"),
    ["Qwen/Qwen3-0.6B", "Qwen/Qwen3-1.7B", "Qwen/Qwen3-4B", "Qwen/Qwen3-8B", "Qwen/Qwen3-14B", "Qwen/Qwen3-32B", "Qwen/Qwen3-30B-A3B", "Qwen/Qwen3-235B-A22B"],
    "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello.<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n";

    /// InternLM 2: ChatML after `<s>`.
    INTERNLM2 = plain::INTERNLM2, ("<s>", "</s>"),
    ["internlm/internlm2-chat-7b", "internlm/internlm2-chat-20b", "internlm/internlm2-chat-1_8b"],
    "<s><|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello.<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n";

    /// SmolLM 2: ChatML with a default system message.
    SMOLLM2 = plain::SMOLLM2, ("", "<|im_end|>"),
    ["HuggingFaceTB/SmolLM2-135M-Instruct", "HuggingFaceTB/SmolLM2-360M-Instruct", "HuggingFaceTB/SmolLM2-1.7B-Instruct"],
    "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello.<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n";

    /// SmolLM 3: ChatML with metadata, switches inside the system message, and tools as Python prints them.
    SMOLLM3 = Smol, ("", "<|im_end|>"),
    with ".date(format::Date { year: 2025, month: 7, day: 26 })",
    ["HuggingFaceTB/SmolLM3-3B"],
    "<|im_start|>system\n## Metadata\n\nKnowledge Cutoff Date: June 2025\nToday Date: 26 July 2025\nReasoning Mode: /think\n\n## Custom Instructions\n\nBe brief.\n\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello.<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n";

    /// Yi 1.5: ChatML with the system message as bare text; every user message opens the answer.
    YI1_5 = plain::YI, ("", "<|im_end|>"),
    ["yi-1.5", "01-ai/Yi-1.5-6B-Chat", "01-ai/Yi-1.5-9B-Chat", "01-ai/Yi-1.5-34B-Chat"],
    "Be brief.<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello.<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n";

    /// Phi-4: ChatML with a mark in place of the line break.
    PHI4 = plain::PHI4, ("", "<|im_end|>"),
    ["phi-4", "microsoft/phi-4"],
    "<|im_start|>system<|im_sep|>Be brief.<|im_end|><|im_start|>user<|im_sep|>Hi<|im_end|><|im_start|>assistant<|im_sep|>Hello.<|im_end|><|im_start|>user<|im_sep|>Bye<|im_end|><|im_start|>assistant<|im_sep|>";

    /// LFM2: ChatML with a list of tools in the system message.
    LFM2 = Lfm, ("<|startoftext|>", "<|im_end|>"),
    ["LiquidAI/LFM2-350M", "LiquidAI/LFM2-700M", "LiquidAI/LFM2-1.2B"],
    "<|startoftext|><|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello.<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n";
}
