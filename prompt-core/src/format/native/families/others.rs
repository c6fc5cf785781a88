//! Families with control tokens of their own.

use super::natives;
use crate::format::native::gemma::Gemma;
use crate::format::native::glm::{Glm4, Glm45};
use crate::format::native::granite::Granite;
use crate::format::native::harmony::Harmony;
use crate::format::native::kimi::Kimi;
use crate::format::native::plain;

natives! {
    /// Gemma 2, which has no place for instructions.
    GEMMA2 = plain::GEMMA2, ("<bos>", "<eos>"),
    ["gemma-2", "google/gemma-2-2b-it", "google/gemma-2-9b-it", "google/gemma-2-27b-it"],
    user "<bos><start_of_turn>user\nHi<end_of_turn>\n<start_of_turn>model\n";

    /// Gemma 3, with the system message inside the first user message, and images.
    GEMMA3 = Gemma, ("<bos>", "<eos>"),
    ["gemma-3", "google/gemma-3-4b-it", "google/gemma-3-12b-it", "google/gemma-3-27b-it"],
    "<bos><start_of_turn>user\nBe brief.\n\nHi<end_of_turn>\n<start_of_turn>model\nHello.<end_of_turn>\n<start_of_turn>user\nBye<end_of_turn>\n<start_of_turn>model\n";

    /// Phi-3 mini.
    PHI3 = plain::PHI3, ("", "<|endoftext|>"),
    ["phi-3", "microsoft/Phi-3-mini-4k-instruct", "microsoft/Phi-3-mini-128k-instruct"],
    "<|system|>\nBe brief.<|end|>\n<|user|>\nHi<|end|>\n<|assistant|>\nHello.<|end|>\n<|user|>\nBye<|end|>\n<|assistant|>\n";

    /// Phi-3.5 mini: as Phi-3, and an empty system message is none.
    PHI3_5 = plain::PHI35, ("", "<|endoftext|>"),
    ["phi-3.5", "microsoft/Phi-3.5-mini-instruct"],
    "<|system|>\nBe brief.<|end|>\n<|user|>\nHi<|end|>\n<|assistant|>\nHello.<|end|>\n<|user|>\nBye<|end|>\n<|assistant|>\n";

    /// Command R and R+, without their templates for tools.
    COMMAND_R = plain::COMMAND_R, ("<BOS_TOKEN>", "<|END_OF_TURN_TOKEN|>"),
    ["command-r", "CohereForAI/c4ai-command-r-v01", "CohereForAI/c4ai-command-r-plus"],
    "<BOS_TOKEN><|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|>Be brief.<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|USER_TOKEN|>Hi<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>Hello.<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|USER_TOKEN|>Bye<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>";

    /// Granite 3.1: tools and documents in turns of their own.
    GRANITE3_1 = Granite, ("", "<|end_of_text|>"),
    ["granite-3.1", "ibm-granite/granite-3.1-2b-instruct", "ibm-granite/granite-3.1-8b-instruct"],
    "<|start_of_role|>system<|end_of_role|>Be brief.<|end_of_text|>\n<|start_of_role|>user<|end_of_role|>Hi<|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|>Hello.<|end_of_text|>\n<|start_of_role|>user<|end_of_role|>Bye<|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|>";

    /// gpt-oss (harmony): channels, instructions in a developer turn, tools as TypeScript.
    GPT_OSS = Harmony, ("", "<|return|>"),
    with ".date(format::Date { year: 2025, month: 7, day: 26 })",
    ["gpt-oss", "harmony", "openai/gpt-oss-20b", "openai/gpt-oss-120b"],
    "<|start|>system<|message|>You are ChatGPT, a large language model trained by OpenAI.\nKnowledge cutoff: 2024-06\nCurrent date: 2025-07-26\n\nReasoning: medium\n\n# Valid channels: analysis, commentary, final. Channel must be included for every message.<|end|><|start|>developer<|message|># Instructions\n\nBe brief.\n\n<|end|><|start|>user<|message|>Hi<|end|><|start|>assistant<|channel|>final<|message|>Hello.<|end|><|start|>user<|message|>Bye<|end|><|start|>assistant";

    /// GLM-4: marks for roles, tools in a system turn of their own.
    GLM4 = Glm4, ("", "<|endoftext|>"),
    ["glm-4", "zai-org/glm-4-9b-chat", "THUDM/glm-4-9b-chat"],
    "[gMASK]<sop><|system|>\nBe brief.<|user|>\nHi<|assistant|>\nHello.<|user|>\nBye<|assistant|>\n";

    /// GLM-4.5: tools in front, arguments as XML, and reasoning that can be turned off.
    GLM4_5 = Glm45, ("", "<|endoftext|>"),
    ["glm-4.5", "zai-org/GLM-4.5", "zai-org/GLM-4.5-Air"],
    "[gMASK]<sop><|system|>\nBe brief.<|user|>\nHi<|assistant|>\n<think></think>\nHello.<|user|>\nBye<|assistant|>";

    /// Kimi K2: tools declared in front, a default system message.
    KIMI_K2 = Kimi, ("", "[EOS]"),
    ["kimi-k2", "moonshotai/Kimi-K2-Instruct"],
    "<|im_system|>system<|im_middle|>Be brief.<|im_end|><|im_user|>user<|im_middle|>Hi<|im_end|><|im_assistant|>assistant<|im_middle|>Hello.<|im_end|><|im_user|>user<|im_middle|>Bye<|im_end|><|im_assistant|>assistant<|im_middle|>";

    /// EXAONE 3.0 and 3.5.
    EXAONE3 = plain::EXAONE3, ("", "[|endofturn|]"),
    ["exaone-3", "LGAI-EXAONE/EXAONE-3.0-7.8B-Instruct", "LGAI-EXAONE/EXAONE-3.5-2.4B-Instruct", "LGAI-EXAONE/EXAONE-3.5-7.8B-Instruct", "LGAI-EXAONE/EXAONE-3.5-32B-Instruct"],
    "[|system|]Be brief.[|endofturn|]\n[|user|]Hi\n[|assistant|]Hello.[|endofturn|]\n[|user|]Bye\n[|assistant|]";
}
