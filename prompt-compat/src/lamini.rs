//! Lamini's built-in layouts, as chat formats.
//!
//! Matched are the classes of the Python package `lamini` that each constant names (`QAPrompt`, `LlamaV2Prompt`,
//! `LlamaV2Runner`, `MistralPrompt`, `MistralRunner`, `LlamaV3Runner`), in releases 1.0.0 to 3.0.0. The layouts changed
//! between releases, so each version is a constant of its own.
//!
//! Lamini's own notation, `{input:question}`, is the brace dialect of templates and needs none of these: they are for
//! prompts with roles.
//!
//! ```
//! use prompt_compat::lamini;
//! use prompt_core::{ChatFormat, Message, Messages, Prompt};
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

use prompt_core::format::{Family, Mark, Order, System, Turns};

/// Lamini's `QAPrompt`, after Alpaca: one question, no system message.
///
/// ```
/// use prompt_compat::lamini;
/// use prompt_core::{Message, Messages, Prompt};
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
    family: &Family {
        tokens: ALPACA_TOKENS,
        loose: ALPACA_TOKENS,
        system: false,
        ..family("lamini_alpaca", "Lamini's Alpaca")
    },
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
/// use prompt_compat::lamini;
/// use prompt_core::{Message, Messages};
///
/// let ask = Messages::from([Message::system("S"), Message::user("U")]);
/// assert_eq!(ask.to_text(lamini::LLAMA2)?, "[INST] <<SYS>>\nS\n<</SYS>>\nU [/INST]");
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub const LLAMA2: Turns = Turns {
    family: &LLAMA2_FAMILY,
    system: System::FirstUser(Mark("<<SYS>>\n", "\n<</SYS>>\n")),
    ..BASE
};

/// Lamini's `LlamaV2Prompt` of 1.0.3 and `LlamaV2Runner` of 2.0.16 to 3.0.0: with `<s>` and a blank line.
///
/// ```
/// use prompt_compat::lamini;
/// use prompt_core::{Message, Messages, Prompt};
///
/// let ask = Messages::from([Message::system("S"), Message::user("U")]);
/// assert_eq!(ask.to_text(lamini::LLAMA2_BLANK_LINE)?, "<s>[INST] <<SYS>>\nS\n<</SYS>>\n\nU [/INST]");
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub const LLAMA2_BLANK_LINE: Turns = Turns {
    family: &LLAMA2_FAMILY,
    bos: "<s>",
    system: System::FirstUser(Mark("<<SYS>>\n", "\n<</SYS>>\n\n")),
    ..BASE
};

/// Lamini's `MistralPrompt` (1.0.3).
///
/// ```
/// use prompt_compat::lamini;
/// use prompt_core::{Message, Messages, Prompt};
///
/// let ask = Messages::from([Message::system("Be kind."), Message::user("How are you?")]);
/// assert_eq!(ask.to_text(lamini::MISTRAL)?, "[INST] Be kind. How are you? [/INST]");
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub const MISTRAL: Turns = Turns {
    family: &MISTRAL_FAMILY,
    ..BASE
};

/// Lamini's `MistralRunner` (2.0.0 to 3.0.0): with `<s>`.
///
/// ```
/// use prompt_compat::lamini;
/// use prompt_core::{Message, Messages, Prompt};
///
/// assert_eq!(Messages::from([Message::user("Hi")]).to_text(lamini::MISTRAL_BOS)?, "<s>[INST] Hi [/INST]");
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub const MISTRAL_BOS: Turns = Turns {
    family: &MISTRAL_FAMILY,
    bos: "<s>",
    ..BASE
};

/// Lamini's `LlamaV3Runner` (2.2.1 to 3.0.0).
///
/// ```
/// use prompt_compat::lamini;
/// use prompt_core::{Message, Messages, Prompt};
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
    family: &Family {
        tokens: LLAMA3_TOKENS,
        ..family("lamini_llama3", "Lamini's Llama 3")
    },
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

const fn family(name: &'static str, title: &'static str) -> Family {
    Family {
        name,
        title,
        system: true,
        order: Order::Alternate,
        ..Family::BARE
    }
}

const ALPACA_TOKENS: &[&str] = &["### Instruction:", "### Response:"];

const LLAMA2_FAMILY: Family = Family {
    tokens: &["<s>", "</s>", "[INST]", "[/INST]", "<<SYS>>", "<</SYS>>"],
    loose: &["[INST]", "[/INST]", "<<SYS>>", "<</SYS>>"],
    ..family("lamini_llama2", "Lamini's Llama 2")
};

const MISTRAL_FAMILY: Family = Family {
    tokens: &["<s>", "</s>", "[INST]", "[/INST]"],
    loose: &["[INST]", "[/INST]"],
    ..family("lamini_mistral", "Lamini's Mistral")
};

const LLAMA3_TOKENS: &[&str] = &[
    "<|begin_of_text|>",
    "<|end_of_text|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|eot_id|>",
    "<|reserved_special_token_",
];
