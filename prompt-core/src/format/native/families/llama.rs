//! Meta's families.

use super::natives;
use crate::format::native::llama::{Llama, LlamaHead};
use crate::format::native::plain;

const LLAMA_3: Llama = Llama {
    open: "<|start_header_id|>",
    middle: "<|end_header_id|>\n\n",
    close: "<|eot_id|>",
    head: LlamaHead::Today,
};

natives! {
    /// Llama 2, with the system message inside the first user message.
    LLAMA2 = plain::LLAMA2, ("<s>", "</s>"),
    ["llama-2", "meta-llama/Llama-2-7b-chat-hf", "meta-llama/Llama-2-13b-chat-hf", "meta-llama/Llama-2-70b-chat-hf"],
    "<s>[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\nHi [/INST] Hello. </s><s>[INST] Bye [/INST]";

    /// Llama 3: a header before each message.
    LLAMA3 = plain::LLAMA3, ("<|begin_of_text|>", "<|eot_id|>"),
    ["llama-3", "meta-llama/Meta-Llama-3-8B-Instruct", "meta-llama/Meta-Llama-3-70B-Instruct"],
    "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nBe brief.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\nHello.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nBye<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n";

    /// Llama 3.1 and 3.3: headers, a date in the system message, tools in the first user message.
    LLAMA3_1 = Llama { head: LlamaHead::Fixed("26 Jul 2024"), ..LLAMA_3 }, ("<|begin_of_text|>", "<|eot_id|>"),
    ["llama-3.1", "llama-3.3", "meta-llama/Llama-3.1-8B-Instruct", "meta-llama/Llama-3.1-70B-Instruct", "meta-llama/Llama-3.1-405B-Instruct", "meta-llama/Meta-Llama-3.1-8B-Instruct", "meta-llama/Meta-Llama-3.1-70B-Instruct", "meta-llama/Meta-Llama-3.1-405B-Instruct", "meta-llama/Llama-3.3-70B-Instruct"],
    "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nCutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024\n\nBe brief.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\nHello.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nBye<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n";

    /// Llama 3.2: as 3.1, with the day it is.
    LLAMA3_2 = LLAMA_3, ("<|begin_of_text|>", "<|eot_id|>"),
    with ".date(format::Date { year: 2025, month: 7, day: 26 })",
    ["llama-3.2", "meta-llama/Llama-3.2-1B-Instruct", "meta-llama/Llama-3.2-3B-Instruct"],
    "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nCutting Knowledge Date: December 2023\nToday Date: 26 Jul 2025\n\nBe brief.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\nHello.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nBye<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n";

    /// Llama 4: headers, images, several calls at once.
    LLAMA4 = Llama { open: "<|header_start|>", middle: "<|header_end|>\n\n", close: "<|eot|>", head: LlamaHead::Given }, ("<|begin_of_text|>", "<|eot|>"),
    ["llama-4", "meta-llama/Llama-4-Scout-17B-16E-Instruct", "meta-llama/Llama-4-Maverick-17B-128E-Instruct"],
    "<|begin_of_text|><|header_start|>system<|header_end|>\n\nBe brief.<|eot|><|header_start|>user<|header_end|>\n\nHi<|eot|><|header_start|>assistant<|header_end|>\n\nHello.<|eot|><|header_start|>user<|header_end|>\n\nBye<|eot|><|header_start|>assistant<|header_end|>\n\n";
}
