//! One data table per family of models: names, control tokens, capabilities, and the delimiters of its chat template.
//!
//! The compiler checks templates against it. At run time the chat formats are written, guarded and read back by it.
//! A family is a file in `family/` and a line of the list in this file. `cargo fmt` does not visit these files, since a
//! macro declares them: a table keeps several short items on a line.

#[macro_use]
mod turns;

use std::fmt::{self, Display, Formatter};
use std::ops::Range;

pub use turns::{
    Calls, DefaultSystem, Delimiters, End, Other, Start, System, SystemPlace, Trim, Turns,
};

/// Concatenates constant strings at compile time, so that a token which occurs in several delimiters is written once.
///
/// ```
/// const END: &str = "<|im_end|>";
/// assert_eq!(prompt_syntax::join!(END, "\n"), "<|im_end|>\n");
/// ```
#[macro_export]
macro_rules! join {
    ($($part:expr),+ $(,)?) => {{
        const PARTS: &[&str] = &[$($part),+];
        const BYTES: [u8; $crate::family::length(PARTS)] = $crate::family::joined(PARTS);
        const TEXT: &str = match ::core::str::from_utf8(&BYTES) {
            Ok(text) => text,
            Err(_) => panic!("parts of a string are strings"),
        };
        TEXT
    }};
}

#[doc(hidden)]
pub const fn length(parts: &[&str]) -> usize {
    let (mut length, mut at) = (0, 0);
    while at < parts.len() {
        length += parts[at].len();
        at += 1;
    }
    length
}

#[doc(hidden)]
pub const fn joined<const LENGTH: usize>(parts: &[&str]) -> [u8; LENGTH] {
    let (mut bytes, mut end, mut at) = ([0; LENGTH], 0, 0);
    while at < parts.len() {
        let (part, mut from) = (parts[at].as_bytes(), 0);
        while from < part.len() {
            bytes[end] = part[from];
            (end, from) = (end + 1, from + 1);
        }
        at += 1;
    }
    bytes
}

/// Declares the families. A line contains the file and its constants; both are sorted by name. A constant in brackets is a
/// layout without turns, not the chat template of a model. The first token is a `$`, for the macro that this one defines.
macro_rules! families {
    ($dollar:tt $($module:ident: $([$layout:ident])? $($name:ident)*;)*) => {
        $(
            pub mod $module;
            $(#[doc(inline)] pub use $module::$layout;)?
            $(#[doc(inline)] pub use $module::$name;)*
        )*

        /// All families, by name.
        pub const FAMILIES: &[&Family] = &[$($(&$layout,)? $(&$name,)*)*];

        /// Calls a macro with the names of the constants of all families that are models' chat templates.
        ///
        /// ```
        /// macro_rules! names {
        ///     ($($name:ident)*) => { [$(stringify!($name)),*] };
        /// }
        /// assert!(prompt_syntax::for_each_family!(names).contains(&"LLAMA3"));
        /// ```
        #[macro_export]
        macro_rules! for_each_family {
            ($dollar callback:ident) => { $dollar callback! { $($($name)*)* } };
        }
    };
}

families! { $
    alpaca: [ALPACA] ALPACA_CHAT;
    chatml: CHATML;
    command_r: COMMAND_R;
    deepseek: DEEPSEEK_CODER DEEPSEEK_R1 DEEPSEEK_V2 DEEPSEEK_V3 DEEPSEEK_V3_1;
    exaone: EXAONE3;
    falcon: FALCON;
    gemma: GEMMA2 GEMMA3;
    glm: GLM4 GLM4_5;
    gpt_oss: GPT_OSS;
    granite: GRANITE3_1;
    internlm: INTERNLM2;
    kimi: KIMI_K2;
    lfm: LFM2;
    llama2: LLAMA2;
    llama3: LLAMA3 LLAMA3_1 LLAMA3_2;
    llama4: LLAMA4;
    minicpm: MINICPM;
    mistral: MISTRAL_V0 MISTRAL_V1 MISTRAL_V3 MISTRAL_V3_TEKKEN MISTRAL_V7;
    olmo: OLMO2;
    openchat: OPENCHAT;
    phi: PHI3 PHI3_5 PHI4;
    plain: [PLAIN];
    qwen: QWEN2_5 QWEN3;
    smollm: SMOLLM2 SMOLLM3;
    solar: SOLAR;
    tulu: TULU3;
    vicuna: VICUNA;
    yi: YI1_5;
    zephyr: ZEPHYR;
}

/// The facts about a family of models: what the compiler, the writer, the guard and the reader need.
///
/// ```
/// use prompt_syntax::family;
///
/// assert!(family::LLAMA3.tokens.contains(&"<|eot_id|>"));
/// assert_eq!(family::by_name("llama3"), Some(&family::LLAMA3));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Family {
    /// The name that `format = …` takes.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// Other names under which the format is found: the family's own spelling and its models.
    pub aliases: &'static [&'static str],
    /// The token that begins a string, empty if there is none. It is left out on request, where the tokenizer adds it.
    pub bos: &'static str,
    /// The token that ends an answer, empty if there is none.
    pub eos: &'static str,
    /// The control tokens: data must not contain them. These are all added and special tokens of the models' tokenizer, and
    /// the delimiters that it splits like other text. HTML elements and white space that a tokenizer has as single tokens
    /// without a special meaning are left out.
    pub tokens: &'static [&'static str],
    /// The control tokens that differ in a number, such as the tokenizer's reserved tokens.
    pub numbered: &'static [Numbered],
    /// The delimiters that the tokenizer splits like other text. A model reads them alike in any case and with any white
    /// space between their words, so the guard finds these variants too.
    ///
    /// Role words such as `User:` are ordinary words within a sentence: an entry that begins with a line break counts at the
    /// start of a line only, one that begins with a space after white space only.
    pub loose: &'static [&'static str],
    /// Whether the format takes system messages.
    pub system: bool,
    /// Whether the format takes earlier turns.
    pub history: bool,
    /// Whether the format takes tools.
    pub tools: bool,
    /// Whether the format takes images, audio, video or files.
    pub media: bool,
    /// Whether the format writes the reasoning of an assistant message.
    pub reasoning: bool,
    /// The order of roles that the format takes.
    pub order: Order,
    /// The delimiters of the chat template.
    pub turns: Turns,
    /// The function that writes the conversation.
    pub template: Template,
}

impl Family {
    /// A family without a name, tokens and delimiters, which takes one user message.
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
        aliases: &[],
        bos: "",
        eos: "",
        tokens: &[],
        numbered: &[],
        loose: &[],
        system: false,
        history: false,
        tools: false,
        media: false,
        reasoning: false,
        order: Order::Any,
        turns: Turns::NONE,
        template: Template::Turns,
    };
}

/// Control tokens that differ in a number: a prefix, decimal digits, and a suffix.
///
/// ```
/// use prompt_syntax::family::{self, Numbered};
///
/// const RESERVED: Numbered = Numbered::new("<|reserved_special_token_", "|>");
/// assert!(family::LLAMA3.numbered.contains(&RESERVED));
/// assert_eq!(RESERVED.to_string(), "<|reserved_special_token_N|>");
/// assert_eq!(RESERVED.find("a <|reserved_special_token_17|> b"), Some(2..31));
/// assert_eq!(RESERVED.find("<|reserved_special_token_x|>"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Numbered {
    /// The text before the number, not empty.
    pub prefix: &'static str,
    /// The text after the number.
    pub suffix: &'static str,
}

impl Numbered {
    /// The largest number of digits that a tokenizer's tokens have.
    pub const DIGITS: usize = 6;

    /// The tokens that consist of these two texts and a number between them.
    ///
    /// ```
    /// assert_eq!(prompt_syntax::family::Numbered::new("<unused", ">").suffix, ">");
    /// ```
    pub const fn new(prefix: &'static str, suffix: &'static str) -> Numbered {
        Numbered { prefix, suffix }
    }

    /// The position of the first of these tokens in a text.
    ///
    /// ```
    /// use prompt_syntax::family::Numbered;
    ///
    /// assert_eq!(Numbered::new("[control_", "]").find("[control_] [control_8]"), Some(11..22));
    /// ```
    pub fn find(&self, text: &str) -> Option<Range<usize>> {
        let mut starts = text.match_indices(self.prefix);
        starts.find_map(|(start, _)| {
            let number = &text[start + self.prefix.len()..];
            let digits = number.bytes().take_while(u8::is_ascii_digit).count();
            let is_token = (1..=Numbered::DIGITS).contains(&digits)
                && number[digits..].starts_with(self.suffix);
            is_token.then(|| start..start + self.prefix.len() + digits + self.suffix.len())
        })
    }
}

impl Display for Numbered {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}N{}", self.prefix, self.suffix)
    }
}

/// The order of roles that a family takes.
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

/// The function that writes a family's conversations. All but the first do what delimiters alone cannot express.
///
/// ```
/// use prompt_syntax::family::{self, Template};
///
/// assert_eq!(family::CHATML.template, Template::Turns);
/// assert_eq!(family::QWEN3.template, Template::Qwen);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Template {
    /// Each message between its delimiters.
    Turns,
    /// V3 and R1: all system messages first, blocks of tool calls and of results.
    DeepSeek,
    /// V3.1: the same with offered tools, and reasoning on request.
    DeepSeekV3_1,
    /// Tools in a system message of their own.
    Glm4,
    /// Arguments of tool calls as XML, and reasoning that can be turned off.
    Glm4_5,
    /// Tools and documents in turns of their own, the date in the default system message.
    Granite,
    /// Channels, a developer message, tools as TypeScript.
    Harmony,
    /// Tools declared in front.
    Kimi,
    /// A list of tools in the system message.
    Lfm,
    /// Tools in the first user message, and a date in the system message.
    Llama(SystemDate),
    /// The system message and the tools in the last user message.
    Mistral,
    /// Tools as JSON in the system message, and reasoning that can be turned off.
    Qwen,
    /// Metadata and switches in the system message.
    SmolLm3,
}

/// The date in the system message of a Llama model.
///
/// ```
/// use prompt_syntax::family::{self, SystemDate, Template};
///
/// assert_eq!(family::LLAMA3_2.template, Template::Llama(SystemDate::Today));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SystemDate {
    /// This one unless another is given. There is always a system message, and built-in tools are known.
    Fixed(&'static str),
    /// The current date. There is always a system message.
    Today,
    /// None.
    Never,
}

/// Returns the family with this name.
///
/// ```
/// use prompt_syntax::family;
///
/// assert!(family::by_name("alpaca").is_some_and(|family| !family.history));
/// assert_eq!(family::by_name("llama"), None);
/// ```
pub fn by_name(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.name == name).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_in_order_and_occur_once() {
        assert!(FAMILIES.is_sorted_by(|a, b| a.name < b.name));
        for family in FAMILIES {
            let word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            assert!(family.name.chars().all(word), "{}", family.name);
            assert_eq!(by_name(family.name), Some(*family));
        }
    }

    #[test]
    fn tokens_are_words_and_occur_once() {
        for family in FAMILIES {
            for (index, token) in family.tokens.iter().enumerate() {
                assert!(token.trim().len() > 2, "{token:?} of {}", family.name);
                let again = family.tokens[index + 1..].contains(token);
                assert!(!again, "{token} twice in {}", family.name);
                let numbered = family
                    .numbered
                    .iter()
                    .find(|numbered| numbered.find(token).is_some());
                assert_eq!(numbered, None, "{token} of {}", family.name);
            }
            for loose in family.loose {
                assert!(
                    family.tokens.contains(&loose.trim_start()),
                    "{loose} of {}",
                    family.name
                );
            }
        }
    }

    /// Data that is broken can be restored only if the space that breaks one token lies within no other token.
    #[test]
    fn tokens_overlap_in_one_character_at_most() {
        for family in FAMILIES {
            let numbered = family.numbered.iter().map(|numbered| numbered.prefix);
            let tokens: Vec<&str> = family.tokens.iter().copied().chain(numbered).collect();
            for (one, other) in tokens
                .iter()
                .flat_map(|one| tokens.iter().map(move |other| (one, other)))
            {
                let second = one.char_indices().nth(1).map_or(one.len(), |(at, _)| at);
                let overlaps = one[second..].char_indices().find(|(at, _)| {
                    let rest = &one[second + at..];
                    // OLMo's tokens end as they begin, with bars.
                    let is_bars = rest.bytes().all(|byte| byte == b'|');
                    rest.chars().count() > 1
                        && !is_bars
                        && (other.starts_with(rest) || rest.starts_with(other))
                });
                assert_eq!(overlaps, None, "{one} and {other} of {}", family.name);
            }
        }
    }
}
