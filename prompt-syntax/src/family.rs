//! Facts of model families that the compiler checks templates against, and the runtime data.

mod chatml;
mod deepseek;
mod frame;
mod layouts;
mod llama;
mod mistral;
mod others;
mod text;

pub use chatml::*;
pub use deepseek::*;
pub use frame::{Ends, Form, Frame};
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
    /// The fixed text of an ordinary conversation, where it depends on nothing else, such as the day.
    pub frame: Option<Frame>,
    /// The fixed text of an instruction and extra fields, of a layout that takes no more.
    pub form: Option<Form>,
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
        frame: None,
        form: None,
    };

    /// Whether a token, or what makes a conversation extraordinary, could begin in these words and end behind them.
    ///
    /// ```
    /// use prompt_syntax::family;
    ///
    /// assert!(family::CHATML.leaves_open("Text: <|im_"));
    /// assert!(!family::CHATML.leaves_open("<|im_start|>user\n"));
    /// assert!(family::LLAMA2.leaves_open("[ Ins "));
    /// ```
    pub fn leaves_open(&self, words: &str) -> bool {
        let switches = self.frame.map_or(&[][..], |frame| frame.switches);
        let mut tokens = self.tokens.iter().chain(switches);
        tokens.any(|token| begins_at_end(words.as_bytes(), token.as_bytes()))
            || self.loose.iter().any(|token| {
                let letters = token.chars().filter(|letter| !letter.is_whitespace());
                let token: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
                begins_at_end(self::end(words, token.len()).as_bytes(), token.as_bytes())
            })
    }
}

/// The last letters of a text, in lower case.
fn end(words: &str, letters: usize) -> String {
    let all = words.chars().rev().filter(|letter| !letter.is_whitespace());
    let end: Vec<char> = all.take(letters).collect();
    end.iter().rev().map(char::to_ascii_lowercase).collect()
}

/// Whether a text ends in a part of a token that begins it.
fn begins_at_end(text: &[u8], token: &[u8]) -> bool {
    let Some(last) = text.last() else {
        return false;
    };
    (1..token.len()).any(|len| token[len - 1] == *last && text.ends_with(&token[..len]))
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
pub const LAYOUTS: &[&Family] = &[
    &LAMINI_ALPACA,
    &LAMINI_LLAMA2,
    &LAMINI_LLAMA3,
    &LAMINI_MISTRAL,
    &LAZYLLM_ALPACA,
    &LAZYLLM_CHAT,
    &LAZYLLM_EMPTY,
];

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

    #[test]
    fn words_leave_a_token_open() {
        for (family, words, is_open) in [
            (CHATML, "<", true),
            (CHATML, "a <|im_end|", true),
            (CHATML, "<|IM_", false),
            (CHATML, "<|im_end|>", false),
            (CHATML, "<|im_ ", false),
            (CHATML, "", false),
            (LLAMA2, "<s>[INST] ", false),
            (LLAMA2, "[ /\nin", true),
            (FALCON, "Text:\n", true),
            (DEEPSEEK_V3, "<｜User", true),
        ] {
            let name = family.name;
            assert_eq!(family.leaves_open(words), is_open, "{words:?} of {name}");
        }
    }
}
