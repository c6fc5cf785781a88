//! Tokens that one chat format writes, by family.

/// The headings of Alpaca.
pub mod alpaca {
    pub use crate::alpaca::{INPUT, INSTRUCTION, RESPONSE};
}

/// The tokens of Apertus.
pub mod apertus {
    pub use crate::apertus::{DEVELOPER, DEVELOPER_END, SHOWS_ANSWER};
}

/// The texts of Cohere 2 and Command R7B.
pub mod cohere {
    pub use crate::command_r::{DEVELOPER, HEADER};
}

/// The tokens of DeepSeek.
pub mod deepseek {
    pub use crate::deepseek::{RESULTS, RESULTS_END};
}

/// The tokens of Gemma 4.
pub mod gemma4 {
    pub use crate::gemma4::{QUOTE, THINK, TOOL, TOOL_END};
}

/// The tokens of GLM.
pub mod glm {
    pub use crate::glm::{GLM4_5_TOOLS, GLM4_TOOLS, NO_THINK};
}

/// The tokens of gpt-oss.
pub mod gpt_oss {
    pub use crate::gpt_oss::{
        ANALYSIS, CALL, CALL_CHANNEL, CALLED_TOOL, CHANNEL, END, FINAL, MESSAGE, REASONING, RESULT,
        RESULT_CHANNEL, RETURN, START, SYSTEM,
    };
}

/// The tokens of Granite.
pub mod granite {
    pub use crate::granite::{DOCUMENT_LIST, DOCUMENTS, TOOLS};
}

/// The tokens of Hunyuan.
pub mod hunyuan {
    pub use crate::hunyuan::REASONING_MODE;
}

/// The tokens of Jamba.
pub mod jamba {
    pub use crate::jamba::{TOOLS, TOOLS_END};
}

/// The tokens of Kimi.
pub mod kimi {
    pub use crate::kimi::{
        K3_END, K3_JSON, K3_JSON_END, MIDDLE, OPEN, RESPONSE_END, SEP, SYSTEM, TOOLS,
    };
}

/// The tokens of MiniMax.
pub mod minimax {
    pub use crate::minimax::MARK;
}

/// The tokens of Mistral.
pub mod mistral {
    pub use crate::mistral::{CALL_ID, RESULT_CONTENT, TOOLS, TOOLS_END};
}

/// The tokens of Muse Glimmer.
pub mod muse {
    pub use crate::muse::{EOM, HEADER_END, REASONING, RESULT, TO};
}

/// The tokens of Phi.
pub mod phi {
    pub use crate::phi::{TOOLS, TOOLS_END};
}

/// The tokens of Qwen.
pub mod qwen {
    pub use crate::qwen::CODER_SYSTEM;
}

/// The tokens of SmolLM.
pub mod smollm {
    pub use crate::smollm::{NO_THINK, OVERRIDE};
}
