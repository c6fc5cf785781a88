//! Lamini's built-in layouts as chat formats, and its typed templates.
//!
//! Matched are the classes of the Python package `lamini` that each constant names (`QAPrompt`, `LlamaV2Prompt`,
//! `LlamaV2Runner`, `MistralPrompt`, `MistralRunner`, `LlamaV3Runner`), in releases 1.0.0 to 3.0.0. The layouts changed
//! between releases, so each version is a constant of its own.
//!
//! The constants are for prompts with roles. A template that fills in one text is a derived prompt:
//!
//! | release | template | here |
//! | --- | --- | --- |
//! | 0.0.19 | `{#input(Type)}`, `{#output(Type)}`, `{#cue(Type)}` | [`TypedTemplate`], [`GENERAL`], [`QA`] |
//! | 0.0.22 to 1.0.3 | `{input:question}`, filled in by the server | `syntax = "brace"`, with a field for each name |
//! | 2.0.0 to 3.0.0 | `{system}` and `{user}` (or `{input}`) of `str.format` | a derived prompt with these fields |
//! | 3.2.22 to 3.4.6 | the `instruction` of a generator, with its keys, below a `role` | the same, with the role's text, an empty line, and the instruction |
//!
//! Where Lamini prints a value with Python's `str`, a field of the type [`Python`](prompt_core::python::Python) does. An `output_type` is
//! `output = Answer`, and a field's `Context` its doc comment, which the JSON Schema of the answer contains. A field of the type
//! `Coerced<bool>` (feature `schema`) accepts what Lamini's typed calls convert.
//!
//! ```
//! use typed_prompt::{ChatFormat, Message, Messages, Prompt, compat::lamini};
//!
//! let ask = Messages::from([Message::system("Be a pirate."), Message::user("How are you?")]);
//! assert_eq!(ask.to_text(lamini::LLAMA2)?, "[INST] <<SYS>>\nBe a pirate.\n<</SYS>>\nHow are you? [/INST]");
//! // Lamini's `{input:cue}` is the beginning of the answer.
//! assert_eq!(
//!     ask.to_text(lamini::LLAMA2_BLANK_LINE.label(" Arr"))?,
//!     "<s>[INST] <<SYS>>\nBe a pirate.\n<</SYS>>\n\nHow are you? [/INST] Arr"
//! );
//! # Ok::<(), typed_prompt::Error>(())
//! ```

#[cfg(feature = "schema")]
mod coerced;
mod typed;

#[cfg(feature = "schema")]
pub use coerced::{Coerce, Coerced};
pub use typed::{GENERAL, Input, Output, QA, TypedTemplate};

use prompt_core::format::{
    self, Delimiters, Family, NativeFormat, Order, System, SystemPlacement, TextStart, Turns,
};

/// Lamini's `QAPrompt`, after Alpaca: one question, no system message.
///
/// ```
/// use typed_prompt::{Message, Messages, Prompt, compat::lamini};
///
/// let ask = Messages::from([Message::user("What are prompts?")]);
/// assert_eq!(
///     ask.to_text(lamini::ALPACA)?,
///     "Below is an instruction that describes a task. \
///      Write a response that appropriately completes the request.\n### Instruction: What are prompts?\n\n### Response:"
/// );
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub const ALPACA: NativeFormat = NativeFormat::new(&ALPACA_FAMILY);

/// Lamini's `LlamaV2Prompt` as its documents print it (1.0.0 and 1.0.1).
///
/// ```
/// use typed_prompt::{Message, Messages, compat::lamini};
///
/// let ask = Messages::from([Message::system("S"), Message::user("U")]);
/// assert_eq!(ask.to_text(lamini::LLAMA2)?, "[INST] <<SYS>>\nS\n<</SYS>>\nU [/INST]");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub const LLAMA2: NativeFormat = NativeFormat::new(&LLAMA2_FAMILY);

/// Lamini's `LlamaV2Prompt` of 1.0.3 and `LlamaV2Runner` of 2.0.16 to 3.0.0: with `<s>` and a blank line.
///
/// ```
/// use typed_prompt::{Message, Messages, Prompt, compat::lamini};
///
/// let ask = Messages::from([Message::system("S"), Message::user("U")]);
/// assert_eq!(ask.to_text(lamini::LLAMA2_BLANK_LINE)?, "<s>[INST] <<SYS>>\nS\n<</SYS>>\n\nU [/INST]");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub const LLAMA2_BLANK_LINE: NativeFormat = NativeFormat::new(&Family {
    bos: "<s>",
    turns: Turns {
        start: TextStart::Bos,
        system: System::new(
            SystemPlacement::FirstUser,
            Delimiters::new("<<SYS>>\n", "\n<</SYS>>\n\n"),
        ),
        ..LLAMA2_FAMILY.turns
    },
    ..LLAMA2_FAMILY
});

/// Lamini's `MistralPrompt` (1.0.3).
///
/// ```
/// use typed_prompt::{Message, Messages, Prompt, compat::lamini};
///
/// let ask = Messages::from([Message::system("Be kind."), Message::user("How are you?")]);
/// assert_eq!(ask.to_text(lamini::MISTRAL)?, "[INST] Be kind. How are you? [/INST]");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub const MISTRAL: NativeFormat = NativeFormat::new(&MISTRAL_FAMILY);

/// Lamini's `MistralRunner` (2.0.0 to 3.0.0): with `<s>`.
///
/// ```
/// use typed_prompt::{Message, Messages, Prompt, compat::lamini};
///
/// assert_eq!(Messages::from([Message::user("Hi")]).to_text(lamini::MISTRAL_BOS)?, "<s>[INST] Hi [/INST]");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub const MISTRAL_BOS: NativeFormat = NativeFormat::new(&Family {
    bos: "<s>",
    turns: Turns {
        start: TextStart::Bos,
        ..MISTRAL_FAMILY.turns
    },
    ..MISTRAL_FAMILY
});

/// Lamini's `LlamaV3Runner` (2.2.1 to 3.0.0).
///
/// ```
/// use typed_prompt::{Message, Messages, Prompt, compat::lamini};
///
/// assert_eq!(
///     Messages::from([Message::system("S"), Message::user("U")]).to_text(lamini::LLAMA3)?,
///     "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nS<|eot_id|>\
///      <|start_header_id|>user<|end_header_id|>\n\nU<|eot_id|>\
///      <|start_header_id|>assistant<|end_header_id|>\n\n"
/// );
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub const LLAMA3: NativeFormat = NativeFormat::new(&LLAMA3_FAMILY);

const fn without_trimming(delimiters: Delimiters) -> Delimiters {
    Delimiters::new(delimiters.open, delimiters.close)
}

const ALPACA_TOKENS: &[&str] = &["### Instruction:", "### Response:"];

/// The family of [`ALPACA`]: `format = lamini::ALPACA_FAMILY` checks a prompt against it at compile time.
///
/// ```
/// assert!(!typed_prompt::compat::lamini::ALPACA_FAMILY.system);
/// ```
pub const ALPACA_FAMILY: Family = Family {
    name: "lamini_alpaca",
    title: "Lamini's Alpaca",
    tokens: ALPACA_TOKENS,
    loose: ALPACA_TOKENS,
    turns: Turns {
        user: Delimiters::new(
            "Below is an instruction that describes a task. Write a response that appropriately completes the request.\n\
             ### Instruction: ",
            "\n\n### Response:",
        ),
        ..Turns::NONE
    },
    ..Family::BARE
};

/// The family of [`LLAMA2`]: `format = lamini::LLAMA2_FAMILY` checks a prompt against it at compile time.
///
/// ```
/// assert!(typed_prompt::compat::lamini::LLAMA2_FAMILY.system);
/// ```
pub const LLAMA2_FAMILY: Family = Family {
    name: "lamini_llama2",
    title: "Lamini's Llama 2",
    tokens: &["<s>", "</s>", "[INST]", "[/INST]", "<<SYS>>", "<</SYS>>"],
    loose: &["[INST]", "[/INST]", "<<SYS>>", "<</SYS>>"],
    turns: Turns {
        system: System::new(
            SystemPlacement::FirstUser,
            Delimiters::new("<<SYS>>\n", "\n<</SYS>>\n"),
        ),
        ..MISTRAL_FAMILY.turns
    },
    ..MISTRAL_FAMILY
};

/// The family of [`MISTRAL`]: `format = lamini::MISTRAL_FAMILY` checks a prompt against it at compile time.
///
/// ```
/// assert!(typed_prompt::compat::lamini::MISTRAL_FAMILY.system);
/// ```
pub const MISTRAL_FAMILY: Family = Family {
    name: "lamini_mistral",
    title: "Lamini's Mistral",
    eos: "</s>",
    tokens: &["<s>", "</s>", "[INST]", "[/INST]"],
    loose: &["[INST]", "[/INST]"],
    system: true,
    order: Order::Alternate,
    turns: Turns {
        system: System::new(SystemPlacement::FirstUser, Delimiters::new("", " ")),
        user: Delimiters::new("[INST] ", " [/INST]"),
        ..Turns::NONE
    },
    ..Family::BARE
};

const META_LLAMA3: &NativeFormat = &format::LLAMA3;

/// The family of [`LLAMA3`]: `format = lamini::LLAMA3_FAMILY` checks a prompt against it at compile time.
///
/// ```
/// assert!(typed_prompt::compat::lamini::LLAMA3_FAMILY.system);
/// ```
pub const LLAMA3_FAMILY: Family = Family {
    name: "lamini_llama3",
    title: "Lamini's Llama 3",
    aliases: &[],
    history: false,
    order: Order::Alternate,
    turns: Turns {
        user: without_trimming(META_LLAMA3.family().turns.user),
        assistant: without_trimming(META_LLAMA3.family().turns.assistant),
        system: System::in_turn(without_trimming(
            META_LLAMA3.family().turns.system.delimiters,
        )),
        ..META_LLAMA3.family().turns
    },
    ..*META_LLAMA3.family()
};
