//! DeepSeek's families.

use super::natives;
use crate::format::native::deepseek::{DeepSeek, DeepSeekV31};
use crate::format::native::plain;

natives! {
    /// DeepSeek V2 and DeepSeek LLM: roles as plain words.
    DEEPSEEK_V2 = plain::DEEPSEEK_V2, ("<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>"),
    ["deepseek-v2", "deepseek-ai/DeepSeek-V2-Chat", "deepseek-ai/deepseek-llm-7b-chat", "deepseek-ai/deepseek-llm-67b-chat"],
    "<｜begin▁of▁sentence｜>Be brief.\n\nUser: Hi\n\nAssistant: Hello.<｜end▁of▁sentence｜>User: Bye\n\nAssistant:";

    /// DeepSeek V3: system messages in front, every user message opens the answer.
    DEEPSEEK_V3 = DeepSeek { thinks: false }, ("<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>"),
    ["deepseek-v3", "deepseek-ai/DeepSeek-V3", "deepseek-ai/DeepSeek-V3-0324"],
    "<｜begin▁of▁sentence｜>Be brief.<｜User｜>Hi<｜Assistant｜>Hello.<｜end▁of▁sentence｜><｜User｜>Bye<｜Assistant｜>";

    /// DeepSeek R1, whose answer begins with its reasoning.
    DEEPSEEK_R1 = DeepSeek { thinks: true }, ("<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>"),
    ["deepseek-r1", "deepseek-ai/DeepSeek-R1"],
    "<｜begin▁of▁sentence｜>Be brief.<｜User｜>Hi<｜Assistant｜>Hello.<｜end▁of▁sentence｜><｜User｜>Bye<｜Assistant｜><think>\n";

    /// DeepSeek V3.1, which reasons if it is told to.
    DEEPSEEK_V3_1 = DeepSeekV31, ("<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>"),
    ["deepseek-v3.1", "deepseek-ai/DeepSeek-V3.1"],
    "<｜begin▁of▁sentence｜>Be brief.<｜User｜>Hi<｜Assistant｜><think></think>Hello.<｜end▁of▁sentence｜><｜User｜>Bye<｜Assistant｜><think></think>";

    /// DeepSeek Coder: headings as plain text, a default system message.
    DEEPSEEK_CODER = plain::DEEPSEEK_CODER, ("<｜begin▁of▁sentence｜>", "<|EOT|>"),
    ["deepseek-coder", "deepseek-ai/deepseek-coder-1.3b-instruct", "deepseek-ai/deepseek-coder-6.7b-instruct", "deepseek-ai/deepseek-coder-33b-instruct"],
    "<｜begin▁of▁sentence｜>Be brief.### Instruction:\nHi\n### Response:\nHello.\n<|EOT|>\n### Instruction:\nBye\n### Response:\n";
}
