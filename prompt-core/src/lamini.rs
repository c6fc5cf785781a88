//! Lamini's built-in layouts, over the messages of a prompt.
//!
//! Lamini's own notation, `{input:question}`, is the brace dialect of templates and needs none of these: they serve
//! prompts with roles. Its layouts changed from release to release, so each is a constant of data.
//!
//! ```
//! use prompt_core::{ChatFormat, Message, Messages, Prompt, lamini};
//!
//! let ask = Messages::from([Message::system("Be a pirate."), Message::user("How are you?")]);
//! assert_eq!(ask.to_text(lamini::LLAMA2)?, "[INST] <<SYS>>\nBe a pirate.\n<</SYS>>\nHow are you? [/INST]");
//! // Lamini's `{input:cue}` is the beginning of the answer.
//! assert_eq!(
//!     ask.to_text(lamini::LLAMA2_BLANK_LINE.label(" Arr"))?,
//!     "<s>[INST] <<SYS>>\nBe a pirate.\n<</SYS>>\n\nHow are you? [/INST] Arr"
//! );
//! # Ok::<(), prompt_core::Error>(())
//! ```

use crate::format::{Family, Mark, System, Turns};
use crate::syntax::family;

/// Lamini's `QAPrompt`, after Alpaca: one question, no system message.
///
/// ```
/// use prompt_core::{Message, Messages, Prompt, lamini};
///
/// let ask = Messages::from([Message::user("What are prompts?")]);
/// assert_eq!(
///     ask.to_text(lamini::ALPACA)?,
///     "Below is an instruction that describes a task. \
///      Write a response that appropriately completes the request.\n### Instruction: What are prompts?\n\n### Response:"
/// );
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub const ALPACA: Turns = Turns {
    family: &family::LAMINI_ALPACA,
    user: Mark(
        "Below is an instruction that describes a task. Write a response that appropriately completes the request.\n\
         ### Instruction: ",
        "\n\n### Response:",
    ),
    system: System::None,
    stop: "",
    ..BASE
};

/// Lamini's `LlamaV2Prompt` as its documents print it (1.0.0 and 1.0.1).
///
/// ```
/// use prompt_core::{Message, Messages, lamini};
///
/// let ask = Messages::from([Message::system("S"), Message::user("U")]);
/// assert_eq!(ask.to_text(lamini::LLAMA2)?, "[INST] <<SYS>>\nS\n<</SYS>>\nU [/INST]");
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub const LLAMA2: Turns = Turns {
    family: &family::LAMINI_LLAMA2,
    system: System::FirstUser(Mark("<<SYS>>\n", "\n<</SYS>>\n")),
    ..BASE
};

/// Lamini's `LlamaV2Prompt` of 1.0.3 and `LlamaV2Runner` of 2.0.16 to 3.0.0: with `<s>` and a blank line.
///
/// ```
/// use prompt_core::{Message, Messages, Prompt, lamini};
///
/// let ask = Messages::from([Message::system("S"), Message::user("U")]);
/// assert_eq!(ask.to_text(lamini::LLAMA2_BLANK_LINE)?, "<s>[INST] <<SYS>>\nS\n<</SYS>>\n\nU [/INST]");
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub const LLAMA2_BLANK_LINE: Turns = Turns {
    family: &family::LAMINI_LLAMA2,
    bos: "<s>",
    system: System::FirstUser(Mark("<<SYS>>\n", "\n<</SYS>>\n\n")),
    ..BASE
};

/// Lamini's `MistralPrompt` (1.0.3).
///
/// ```
/// use prompt_core::{Message, Messages, Prompt, lamini};
///
/// let ask = Messages::from([Message::system("Be kind."), Message::user("How are you?")]);
/// assert_eq!(ask.to_text(lamini::MISTRAL)?, "[INST] Be kind. How are you? [/INST]");
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub const MISTRAL: Turns = Turns {
    family: &family::LAMINI_MISTRAL,
    ..BASE
};

/// Lamini's `MistralRunner` (2.0.0 to 3.0.0): with `<s>`.
///
/// ```
/// use prompt_core::{Message, Messages, Prompt, lamini};
///
/// assert_eq!(Messages::from([Message::user("Hi")]).to_text(lamini::MISTRAL_BOS)?, "<s>[INST] Hi [/INST]");
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub const MISTRAL_BOS: Turns = Turns {
    family: &family::LAMINI_MISTRAL,
    bos: "<s>",
    ..BASE
};

/// Lamini's `LlamaV3Runner` (2.2.1 to 3.0.0).
///
/// ```
/// use prompt_core::{Message, Messages, Prompt, lamini};
///
/// assert_eq!(
///     Messages::from([Message::system("S"), Message::user("U")]).to_text(lamini::LLAMA3)?,
///     "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nS<|eot_id|>\
///      <|start_header_id|>user<|end_header_id|>\n\nU<|eot_id|>\
///      <|start_header_id|>assistant<|end_header_id|>\n\n"
/// );
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub const LLAMA3: Turns = Turns {
    family: &family::LAMINI_LLAMA3,
    bos: "<|begin_of_text|>",
    system: System::Turn(Mark(
        "<|start_header_id|>system<|end_header_id|>\n\n",
        "<|eot_id|>",
    )),
    user: Mark("<|start_header_id|>user<|end_header_id|>\n\n", "<|eot_id|>"),
    assistant: Mark(
        "<|start_header_id|>assistant<|end_header_id|>\n\n",
        "<|eot_id|>",
    ),
    answer: "<|start_header_id|>assistant<|end_header_id|>\n\n",
    stop: "<|eot_id|>",
    ..BASE
};

const BASE: Turns = Turns {
    family: &Family::BARE,
    also_named: &[],
    bos: "",
    bos_each_turn: false,
    system: System::FirstUser(Mark("", " ")),
    user: Mark("[INST] ", " [/INST]"),
    assistant: Mark("", ""),
    tool: None,
    answer: "",
    stop: "</s>",
    strip: false,
};
