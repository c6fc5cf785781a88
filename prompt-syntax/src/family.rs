//! Facts of model families that the compiler checks templates against, and the runtime data.

mod chatml;
mod deepseek;
mod layouts;
mod llama;
mod mistral;
mod others;
mod text;

pub use chatml::*;
pub use deepseek::*;
pub use layouts::*;
pub use llama::*;
pub use mistral::*;
pub use others::*;
pub use text::*;

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
    /// Those of them that the tokenizer splits as it does other text, and that are no ordinary words: a model reads them
    /// much alike in any case, and with any white space between their words, and so data is searched for them.
    pub loose: &'static [&'static str],
    /// Whether it has a place for system messages.
    pub system: bool,
    /// Whether it has a place for earlier turns.
    pub history: bool,
    /// Whether it has a place for tools.
    pub tools: bool,
    /// Whether it has a place for images, sound, films or files.
    pub media: bool,
    /// Whether it keeps what the model thought apart from what it said.
    pub reasoning: bool,
    /// Which order of roles it takes.
    pub order: Order,
}

impl Family {
    /// A family that has no name, and no place for anything but a question.
    ///
    /// ```
    /// use prompt_syntax::family::Family;
    ///
    /// let mine = Family { name: "mine", title: "Mine", history: true, ..Family::BARE };
    /// assert!(!mine.system);
    /// ```
    pub const BARE: Family = Family {
        name: "",
        title: "",
        tokens: &[],
        loose: &[],
        system: false,
        history: false,
        tools: false,
        media: false,
        reasoning: false,
        order: Order::Any,
    };
}

/// Which order of roles a family takes.
///
/// ```
/// use prompt_syntax::family::{self, Order};
///
/// assert_eq!(family::LLAMA2.order, Order::Alternate);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// Any.
    Any,
    /// User and assistant in turn, beginning with the user; instructions first.
    Alternate,
}

/// Text alone: no structure, and so no tokens.
pub const PLAIN: Family = Family {
    name: "plain",
    title: "Plain text",
    tokens: &[],
    loose: &[],
    system: true,
    history: false,
    tools: false,
    order: Order::Any,
    ..Family::BARE
};

/// Stanford Alpaca. Its markers are plain text to the tokenizer.
pub const ALPACA: Family = Family {
    name: "alpaca",
    title: "Alpaca",
    tokens: &["### Instruction:", "### Input:", "### Response:"],
    loose: &["### Instruction:", "### Input:", "### Response:"],
    system: true,
    history: false,
    tools: false,
    order: Order::Any,
    ..Family::BARE
};

/// All families, by name.
pub const FAMILIES: &[&Family] = &[
    &ALPACA,
    &ALPACA_CHAT,
    &CHATML,
    &COMMAND_R,
    &DEEPSEEK_CODER,
    &DEEPSEEK_R1,
    &DEEPSEEK_V2,
    &DEEPSEEK_V3,
    &DEEPSEEK_V3_1,
    &EXAONE3,
    &FALCON,
    &GEMMA2,
    &GEMMA3,
    &GLM4,
    &GLM4_5,
    &GPT_OSS,
    &GRANITE3_1,
    &INTERNLM2,
    &KIMI_K2,
    &LFM2,
    &LLAMA2,
    &LLAMA3,
    &LLAMA3_1,
    &LLAMA3_2,
    &LLAMA4,
    &MINICPM,
    &MISTRAL_V0,
    &MISTRAL_V1,
    &MISTRAL_V3,
    &MISTRAL_V3_TEKKEN,
    &MISTRAL_V7,
    &OLMO2,
    &OPENCHAT,
    &PHI3,
    &PHI3_5,
    &PHI4,
    &PLAIN,
    &QWEN2_5,
    &QWEN3,
    &SMOLLM2,
    &SMOLLM3,
    &SOLAR,
    &TULU3,
    &VICUNA,
    &YI1_5,
    &ZEPHYR,
];

/// The layouts of other libraries, by name. They are named like families, and belong to no model.
pub const LAYOUTS: &[&Family] = &[&LAZYLLM_ALPACA, &LAZYLLM_CHAT, &LAZYLLM_EMPTY];

/// The family or the layout of that name.
///
/// ```
/// use prompt_syntax::family;
///
/// assert!(family::named("lazyllm_alpaca").is_some_and(|family| !family.history));
/// assert_eq!(family::named("llama"), None);
/// ```
pub fn named(name: &str) -> Option<&'static Family> {
    let mut all = FAMILIES.iter().chain(LAYOUTS);
    all.find(|family| family.name == name).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_in_order_and_occur_once() {
        for table in [FAMILIES, LAYOUTS] {
            assert!(table.is_sorted_by(|a, b| a.name < b.name));
        }
        for family in FAMILIES.iter().chain(LAYOUTS) {
            let word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            assert!(family.name.chars().all(word), "{}", family.name);
            assert_eq!(named(family.name), Some(*family));
        }
    }

    #[test]
    fn tokens_are_words_and_occur_once() {
        for family in FAMILIES.iter().chain(LAYOUTS) {
            for (index, token) in family.tokens.iter().enumerate() {
                assert!(token.trim().len() > 2, "{token:?} of {}", family.name);
                let again = family.tokens[index + 1..].contains(token);
                assert!(!again, "{token} twice in {}", family.name);
            }
        }
    }
}
