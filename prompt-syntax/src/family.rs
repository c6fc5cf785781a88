//! Facts of model families that the compiler checks templates against, and the runtime data.

/// What a family of models takes for structure, and what its format can say.
///
/// ```
/// use prompt_syntax::family;
///
/// assert!(family::LLAMA3.tokens.contains(&"<|eot_id|>"));
/// assert_eq!(family::named("llama3"), Some(&family::LLAMA3));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Family {
    /// The name that `format = …` takes.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The texts that the family reads as structure.
    pub tokens: &'static [&'static str],
    /// Whether it has a place for system messages.
    pub system: bool,
    /// Whether it has a place for earlier turns.
    pub history: bool,
    /// Whether it has a place for tools.
    pub tools: bool,
    /// Whether it has a place for images, sound, films or files.
    pub media: bool,
}

/// Text alone: no structure, and so no tokens.
pub const PLAIN: Family = Family {
    name: "plain",
    title: "Plain text",
    tokens: &[],
    system: true,
    history: false,
    tools: false,
    media: false,
};

/// ChatML, as the model's own template of OpenHermes and SmolLM prints it.
pub const CHATML: Family = Family {
    name: "chatml",
    title: "ChatML",
    tokens: &["<|im_start|>", "<|im_end|>", "<|endoftext|>"],
    system: true,
    history: true,
    tools: false,
    media: false,
};

/// Llama 3.
pub const LLAMA3: Family = Family {
    name: "llama3",
    title: "Llama 3",
    tokens: &[
        "<|begin_of_text|>",
        "<|end_of_text|>",
        "<|start_header_id|>",
        "<|end_header_id|>",
        "<|eot_id|>",
        "<|eom_id|>",
        "<|python_tag|>",
    ],
    system: true,
    history: true,
    tools: false,
    media: false,
};

/// Llama 2. Its markers are plain text to the tokenizer.
pub const LLAMA2: Family = Family {
    name: "llama2",
    title: "Llama 2",
    tokens: &["<s>", "</s>", "[INST]", "[/INST]", "<<SYS>>", "<</SYS>>"],
    system: true,
    history: true,
    tools: false,
    media: false,
};

/// Stanford Alpaca. Its markers are plain text to the tokenizer.
pub const ALPACA: Family = Family {
    name: "alpaca",
    title: "Alpaca",
    tokens: &["### Instruction:", "### Input:", "### Response:"],
    system: true,
    history: false,
    tools: false,
    media: false,
};

/// All families, by name.
pub const FAMILIES: &[&Family] = &[&ALPACA, &CHATML, &LLAMA2, &LLAMA3, &PLAIN];

/// The family of that name.
pub fn named(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.name == name).copied()
}
