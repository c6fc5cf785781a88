//! One data table per family of models: names, control tokens, capabilities, and the delimiters of its chat template.
//!
//! The compiler checks templates against it. At run time the chat formats are written, guarded and read back by it.
//! A family is a file in `src/` and a line of the list in `lib.rs`. `cargo fmt` does not visit these files, since a
//! macro declares them: a table keeps several short items on a line.

#![cfg_attr(docsrs, feature(doc_cfg))]

use std::fmt::{self, Display, Formatter};
use std::ops::Range;
use std::sync::LazyLock;

/// Turns with a header that contains the role's name: `$open`, the name, `$middle`, the text, `$close`.
macro_rules! header {
    ($open:expr, $middle:expr, $close:expr $(, $assistant:literal)?) => {
        Turns {
            system: System::in_turn(Delimiters::new(join!($open, "system", $middle), $close)),
            user: Delimiters::new(join!($open, "user", $middle), $close),
            assistant: Delimiters::new(header!(@ $open, $middle $(, $assistant)?), $close),
            other: OtherRoles::Named { open: $open, middle: $middle, close: $close, capitalized: false },
            ..Turns::NONE
        }
    };
    (@ $open:expr, $middle:expr) => { join!($open, "assistant", $middle) };
    (@ $open:expr, $middle:expr, $assistant:literal) => { join!($open, $assistant, $middle) };
}

/// Concatenates constant strings at compile time, so that a token which occurs in several delimiters is written once.
macro_rules! join {
    ($($part:expr),+ $(,)?) => {{
        const PARTS: &[&str] = &[$($part),+];
        const BYTES: [u8; $crate::joined_length(PARTS)] = $crate::join_bytes(PARTS);
        const TEXT: &str = match ::core::str::from_utf8(&BYTES) {
            Ok(text) => text,
            Err(_) => panic!("parts of a string are strings"),
        };
        TEXT
    }};
}

const fn joined_length(parts: &[&str]) -> usize {
    let (mut length, mut at) = (0, 0);
    while at < parts.len() {
        length += parts[at].len();
        at += 1;
    }
    length
}

const fn join_bytes<const LENGTH: usize>(parts: &[&str]) -> [u8; LENGTH] {
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
            mod $module;
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
        /// assert!(prompt_family::for_each_family!(names).contains(&"LLAMA3"));
        /// ```
        #[macro_export]
        macro_rules! for_each_family {
            ($dollar callback:ident) => { $dollar callback! { $($($name)*)* } };
        }
    };
}

mod calls;
pub mod tokens;
mod unsupported;

pub use calls::CALL_SYNTAXES;
pub use unsupported::{UNSUPPORTED, UnsupportedModel};

families! { $
    alpaca: [ALPACA] ALPACA_CHAT;
    apertus: APERTUS;
    chatml: CHATML;
    command_r: COHERE2 COMMAND_R COMMAND_R7B;
    deepseek: DEEPSEEK_CODER DEEPSEEK_R1 DEEPSEEK_V2 DEEPSEEK_V3 DEEPSEEK_V3_1 DEEPSEEK_V3_2 DEEPSEEK_V4 DEEPSEEK_V4_0731;
    diffusion_gemma: DIFFUSION_GEMMA;
    exaone: EXAONE3;
    falcon: FALCON;
    gemma: GEMMA2 GEMMA3;
    gemma4: GEMMA4;
    glm: GLM4 GLM4_5 GLM4_7;
    gpt_oss: GPT_OSS;
    granite: GRANITE3_1 GRANITE4 GRANITE4_1;
    hunyuan: HY3;
    idefics: IDEFICS3;
    internlm: INTERNLM2;
    jamba: JAMBA1_7;
    kimi: KIMI_K2 KIMI_K2_0905 KIMI_K2_THINKING KIMI_K3;
    lfm: LFM2 LFM2_5 LFM2_5_VL;
    llama2: LLAMA2;
    llama3: LLAMA3 LLAMA3_1 LLAMA3_2;
    llama4: LLAMA4;
    minicpm: MINICPM;
    minimax: MINIMAX_M2 MINIMAX_M3;
    mistral: MISTRAL_V0 MISTRAL_V1 MISTRAL_V11 MISTRAL_V13 MISTRAL_V3 MISTRAL_V3_TEKKEN MISTRAL_V7;
    muse: MUSE_GLIMMER;
    nemotron: NEMOTRON3_5_LIGHTNING NEMOTRON3_NANO NEMOTRON3_SUPER NEMOTRON3_ULTRA;
    olmo: OLMO2 OLMO3;
    openchat: OPENCHAT;
    phi: PHI3 PHI3_5 PHI4 PHI4_MINI;
    plain: [PLAIN];
    qwen: QWEN2_5 QWEN2_5_VL QWEN3 QWEN3_5 QWEN3_5_SMALL QWEN3_6 QWEN3_8 QWEN3_CODER QWEN3_INSTRUCT QWEN3_THINKING QWEN3_VL;
    seed: SEED_OSS;
    smollm: SMOLLM2 SMOLLM3;
    smolvlm: SMOLVLM;
    solar: SOLAR;
    step: STEP3_5;
    tulu: TULU3;
    vicuna: VICUNA;
    yi: YI1_5;
    zephyr: ZEPHYR;
}

/// The facts about a family of models: what the compiler, the writer, the guard and the reader need.
///
/// ```
/// use typed_prompt::format;
///
/// assert!(format::LLAMA3.family().tokens.contains(&"<|eot_id|>"));
/// assert_eq!(format::LLAMA3.family().name, "llama3");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Family {
    /// The name that `format = …` takes.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// What the table was written from. A table of your own needs none.
    pub source: Source,
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
    /// The options that the format has beyond those that every format has. Any other option is an error.
    pub options: &'static [FormatOption],
    /// The order of roles that the format takes.
    pub order: Order,
    /// The delimiters of the chat template.
    pub turns: Turns,
    /// The function that writes the conversation.
    pub template: ConversationTemplate,
}

impl Family {
    /// A family without a name, tokens and delimiters, which takes one user message.
    ///
    /// ```
    /// use typed_prompt::format::Family;
    ///
    /// let mine = Family { name: "mine", title: "Mine", history: true, ..Family::BARE };
    /// assert!(!mine.system);
    /// ```
    pub const BARE: Family = Family {
        name: "",
        title: "",
        source: Source::NONE,
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
        options: &[],
        order: Order::Any,
        turns: Turns::NONE,
        template: ConversationTemplate::Turns,
    };

    /// Whether a token is a part of the delimiters of turns.
    fn is_of_turns(&self, token: &str) -> bool {
        let turns = &self.turns;
        let delimiters = [turns.user, turns.assistant, turns.system.delimiters];
        delimiters
            .iter()
            .any(|delimiters| delimiters.open.contains(token) || delimiters.close.contains(token))
    }

    /// Returns the control tokens that occur in a text: each of [`tokens`](Family::tokens) once, and the first of each of
    /// [`numbered`](Family::numbered).
    ///
    /// ```
    /// use typed_prompt::format;
    ///
    /// let text = "<|im_end|> and <|im_end|>";
    /// assert_eq!(format::CHATML.family().control_tokens_in(text), ["<|im_end|>"]);
    /// ```
    pub fn control_tokens_in<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let exact = self.tokens.iter().filter_map(|token| {
            let start = text.find(token)?;
            Some(&text[start..start + token.len()])
        });
        let numbered = self.numbered.iter();
        let numbered = numbered.filter_map(|token| Some(&text[token.find_in(text)?]));
        exact.chain(numbered).collect()
    }
}

/// The source of a family's table: which chat template was read, and when.
///
/// Models' templates change without a version, so a newer one may differ from the table.
///
/// ```
/// use typed_prompt::format;
///
/// assert_eq!(format::QWEN3.family().source.read, "2026-11");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    /// The file that contains the template.
    pub template: &'static str,
    /// The year and month in which it was read.
    pub read: &'static str,
}

impl Source {
    /// No source.
    pub(crate) const NONE: Source = Source::new("", "");

    /// This template, read in this month.
    ///
    /// ```
    /// use typed_prompt::format::Source;
    ///
    /// assert_eq!(Source::new("chat_template.jinja of Qwen/Qwen3-8B", "2026-11").read, "2026-11");
    /// ```
    pub const fn new(template: &'static str, read: &'static str) -> Source {
        Source { template, read }
    }
}

/// Control tokens that differ in a number: a prefix, decimal digits, and a suffix.
///
/// ```
/// use typed_prompt::format::{self, Numbered};
///
/// const RESERVED: Numbered = Numbered::new("<|reserved_special_token_", "|>");
/// assert!(format::LLAMA3.family().numbered.contains(&RESERVED));
/// assert_eq!(RESERVED.to_string(), "<|reserved_special_token_N|>");
/// assert_eq!(RESERVED.find_in("a <|reserved_special_token_17|> b"), Some(2..31));
/// assert_eq!(RESERVED.find_in("<|reserved_special_token_x|>"), None);
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
    /// assert_eq!(typed_prompt::format::Numbered::new("<unused", ">").suffix, ">");
    /// ```
    pub const fn new(prefix: &'static str, suffix: &'static str) -> Numbered {
        Numbered { prefix, suffix }
    }

    /// The position of the first of these tokens in a text.
    ///
    /// ```
    /// use typed_prompt::format::Numbered;
    ///
    /// assert_eq!(Numbered::new("[control_", "]").find_in("[control_] [control_8]"), Some(11..22));
    /// ```
    pub fn find_in(&self, text: &str) -> Option<Range<usize>> {
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

/// Declares the options that only some formats have, each with its name.
macro_rules! options {
    ($($(#[$doc:meta])* $option:ident = $name:literal),* $(,)?) => {
        /// An option of a text that only some formats have. [`Family::options`] lists those of a family.
        ///
        /// ```
        /// use typed_prompt::format::{self, FormatOption};
        ///
        /// assert!(format::QWEN3.family().options.contains(&FormatOption::Thinking));
        /// assert!(!format::CHATML.family().options.contains(&FormatOption::Thinking));
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum FormatOption {
            $($(#[$doc])* $option,)*
        }

        impl FormatOption {
            /// All options that only some formats have.
            pub const ALL: &[FormatOption] = &[$(FormatOption::$option),*];

            /// Returns the name of the method that sets the option.
            ///
            /// ```
            /// use typed_prompt::format::FormatOption;
            ///
            /// assert_eq!(FormatOption::BuiltinTools.name(), "builtin_tools");
            /// ```
            pub const fn name(self) -> &'static str {
                match self {
                    $(FormatOption::$option => $name),*
                }
            }
        }
    };
}

options! {
    /// Content that the family does not support is handled as the model's chat template handles it.
    Lenient = "lenient",
    /// The last message stays open.
    Continued = "continued",
    /// Whether the model reasons before it answers.
    Thinking = "thinking",
    /// The reasoning effort.
    Effort = "effort",
    /// Whether the reasoning of earlier messages is written.
    KeepReasoning = "keep_reasoning",
    /// The identity of the model.
    Identity = "identity",
    /// The date.
    Date = "date",
    /// The date as text.
    DateText = "date_text",
    /// Whether tools are described in the first user message.
    ToolsInUser = "tools_in_user",
    /// Tools that the model's maker built in.
    BuiltinTools = "builtin_tools",
    /// Each tool call is a message of its own.
    SeparateCalls = "separate_calls",
    /// Tools that are called with Python code.
    PythonTools = "python_tools",
    /// Passages to answer from.
    Documents = "documents",
    /// Requirements of the answer.
    Controls = "controls",
}

/// The order of roles that a family takes.
///
/// ```
/// use typed_prompt::format::{self, Order};
///
/// assert_eq!(format::LLAMA2.family().order, Order::Alternate);
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
/// use typed_prompt::format::{self, ConversationTemplate};
///
/// assert_eq!(format::CHATML.family().template, ConversationTemplate::Turns);
/// assert_eq!(format::QWEN3.family().template, ConversationTemplate::Qwen);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ConversationTemplate {
    /// Each message between its delimiters.
    Turns,
    /// The reasoning mode and the tools in a developer message, and the results of tools inside the assistant's turn.
    Apertus,
    /// V3 and R1: all system messages first, blocks of tool calls and of results.
    DeepSeek,
    /// V3.1: the same with offered tools, and reasoning on request.
    DeepSeekV3_1,
    /// V3.2: offered tools, the arguments of calls between tags, and results after the answer.
    DeepSeekV3_2,
    /// V4: the same with results in user messages, and the reasoning efforts, each with its text in front.
    DeepSeekV4(&'static [EffortText]),
    /// Results of tools inside the assistant's turn, which continues after them.
    Gemma4,
    /// The same, and the assistant's turn is opened again after the results.
    DiffusionGemma,
    /// Tools in a system message of their own.
    Glm4,
    /// Arguments of tool calls as XML, and reasoning that can be turned off.
    Glm4_5,
    /// Tools and documents in turns of their own, the date in the default system message.
    Granite,
    /// The instructions after the family's own, and no tools.
    Cohere2,
    /// The same with tools, calls and results as numbered JSON, and the reasoning of messages with calls.
    CommandR7b,
    /// Channels, a developer message, tools as TypeScript.
    Harmony,
    /// All system messages in front with the tools and the reasoning effort, and the arguments of calls between tags.
    Hy3,
    /// Tools at the end of the system message, which is always there.
    Jamba,
    /// Tools declared in front.
    Kimi(CallNumbers),
    /// K3: elements with attributes, tools and the reasoning effort in system messages, and results in the order of their calls.
    KimiK3,
    /// Tools and documents in the system message.
    Granite4,
    /// A list of tools in the system message, and calls in Python.
    Lfm(CallStrings),
    /// Tools in the first user message, and a date in the system message.
    Llama(SystemDate),
    /// M2: tools in the system message, which is always there, and the arguments of calls between tags.
    MiniMaxM2,
    /// M3: the model's own instructions before the developer's, and the arguments of calls as elements inside each other.
    MiniMaxM3,
    /// The system message and the tools in the last user message.
    Mistral,
    /// V11: tools before the last user message, and calls with an id.
    MistralV11,
    /// V13: tools before the first user message, and calls without an id.
    MistralV13,
    /// Messages with recipients, tools and the reasoning effort in system messages, and the arguments of calls between tags.
    MuseGlimmer,
    /// Tools as tags in the system message, which is always there, and the arguments of calls between tags. Some models take a
    /// reasoning effort, whose text follows the user's last question.
    Nemotron3(Option<EffortText>),
    /// Tools in every system message, and calls in Python.
    Olmo3,
    /// A list of tools at the end of the system message.
    Phi4Mini,
    /// Tools as JSON in the system message, and reasoning that can be turned off.
    Qwen,
    /// The same with the arguments of calls between tags, and a generation prompt that opens the reasoning.
    Qwen3_5,
    /// Tools as tags in the system message, and the arguments of calls between tags.
    Qwen3Coder,
    /// Tools as Python functions in the system message, and the arguments of calls between tags.
    Seed,
    /// Metadata and switches in the system message.
    SmolLm3,
    /// Names of roles as words, with a space only before text.
    SmolVlm,
    /// Tools as JSON in the system message, the arguments of calls between tags, and a generation prompt that opens the reasoning.
    Step3_5,
}

/// The text that a chat template writes for a reasoning effort.
///
/// ```
/// use typed_prompt::format::{self, ConversationTemplate, EffortText};
///
/// let effort = EffortText::new("low", "\n\n{reasoning effort: low}");
/// assert_eq!(format::NEMOTRON3_SUPER.family().template, ConversationTemplate::Nemotron3(Some(effort)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EffortText {
    /// The value of the option.
    pub effort: &'static str,
    /// The text. It is empty for the effort that a model has without instructions.
    pub text: &'static str,
}

impl EffortText {
    /// Creates the text for an effort.
    ///
    /// ```
    /// assert_eq!(typed_prompt::format::EffortText::new("low", "Be quick.").effort, "low");
    /// ```
    pub const fn new(effort: &'static str, text: &'static str) -> EffortText {
        EffortText { effort, text }
    }
}

/// How a chat template numbers calls.
///
/// ```
/// use typed_prompt::format::{self, CallNumbers, ConversationTemplate};
///
/// assert_eq!(format::KIMI_K2.family().template, ConversationTemplate::Kimi(CallNumbers::InMessage));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CallNumbers {
    /// In each message from 0. A result contains the id of its call.
    InMessage,
    /// In the whole conversation. A result contains the number of the next call.
    InConversation,
}

/// How a chat template writes a string in a call in Python.
///
/// ```
/// use typed_prompt::format::{self, CallStrings, ConversationTemplate};
///
/// assert_eq!(format::LFM2.family().template, ConversationTemplate::Lfm(CallStrings::Escaped));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CallStrings {
    /// With escapes, and lists as JSON.
    Escaped,
    /// Without escapes, so that a string with a quotation mark or a backslash cannot be read back, and lists as Python prints them.
    Bare,
}

/// The date in the system message of a Llama model.
///
/// ```
/// use typed_prompt::format::{self, ConversationTemplate, SystemDate};
///
/// assert_eq!(format::LLAMA3_2.family().template, ConversationTemplate::Llama(SystemDate::Today));
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

/// Returns the first control token of any family in a text, such as `<|im_start|>`, `<|endoftext|>` or `[INST]`, with its family. Of several at
/// one position, one that begins or ends a turn. Words and XML names, such as `USER:` and `<s>`, are ordinary text.
///
/// ```
/// let (family, token) = prompt_family::control_token_in("Hi <|im_end|>").unwrap();
/// assert_eq!((family.name, token), ("chatml", "<|im_end|>"));
/// assert!(prompt_family::control_token_in("USER: <s>Hi</s> [1] <tool_call>").is_none());
/// ```
pub fn control_token_in(text: &str) -> Option<(&'static Family, &'static str)> {
    let mut starts = text.match_indices(SIGN_STARTS);
    starts.find_map(|(at, _)| {
        let rest = &text[at..];
        let sign = SIGNS.iter().find(|sign| rest.starts_with(sign.token))?;
        Some((sign.family, sign.token))
    })
}

/// Returns the first control token of another family in a text that is written for a family, or for none. A family without tokens takes any text.
///
/// ```
/// let llama3 = prompt_family::by_name("llama3");
/// assert!(llama3.is_some());
/// assert!(prompt_family::foreign_token_in("Hi <|eot_id|>", llama3).is_none());
/// assert_eq!(prompt_family::foreign_token_in("Hi <|im_end|>", llama3).unwrap().1, "<|im_end|>");
/// ```
pub fn foreign_token_in(
    text: &str,
    written_for: Option<&Family>,
) -> Option<(&'static Family, &'static str)> {
    if written_for.is_some_and(|family| family.tokens.is_empty()) {
        return None;
    }
    let (family, token) = control_token_in(text)?;
    let is_own = written_for.is_some_and(|own| own.tokens.contains(&token));
    (!is_own).then_some((family, token))
}

/// Returns the token at the start of a text that begins or ends a turn of any family; [`control_token_in`] finds those of the whole text.
///
/// ```
/// assert!(prompt_family::turn_token_at("[INST] Hi").is_some());
/// assert!(prompt_family::turn_token_at("Hi [INST]").is_none());
/// ```
pub fn turn_token_at(text: &str) -> Option<(&'static Family, &'static str)> {
    let mut signs = SIGNS.iter().take_while(|sign| sign.is_of_turns);
    let sign = signs.find(|sign| text.starts_with(sign.token))?;
    Some((sign.family, sign.token))
}

/// The characters with which a sign may begin.
const SIGN_STARTS: [char; 3] = ['<', '[', ']'];

/// A control token that no text or XML contains by chance.
struct Sign {
    family: &'static Family,
    token: &'static str,
    /// Whether it begins or ends a turn of the family.
    is_of_turns: bool,
}

/// The signs of all families, each once; those that begin or end turns come first. A token that several families share is that of the first one which
/// takes text alone, on which those that take images are built: `<|begin_of_text|>` is a token of Llama 3, and not of Idefics 3.
static SIGNS: LazyLock<Vec<Sign>> = LazyLock::new(|| {
    let mut signs: Vec<Sign> = Vec::new();
    let mut families = FAMILIES.to_vec();
    families.sort_by_key(|family| family.media);
    for is_of_turns in [true, false] {
        for family in &families {
            for token in family.tokens {
                let is_sign = match is_of_turns {
                    true => family.is_of_turns(token) && is_turn_sign(token),
                    false => is_control_sign(token),
                };
                if is_sign && signs.iter().all(|known| known.token != *token) {
                    signs.push(Sign {
                        family,
                        token,
                        is_of_turns,
                    });
                }
            }
        }
    }
    signs
});

/// Whether a token that begins or ends a turn is neither a word nor a tag of XML. Of these tokens, names with `_`, such as `<start_of_turn>`, are signs too.
fn is_turn_sign(token: &str) -> bool {
    is_control_sign(token) || token.starts_with('<') && token.contains('_')
}

/// Whether a control token is neither a word nor a tag of XML. Names with `_` between `<` and `>`, such as `<tool_call>`, are those of tags.
fn is_control_sign(token: &str) -> bool {
    let has_sign = token.contains(['|', '｜', '~']) || token.contains("INST]");
    let is_name = token.starts_with('[') && token.contains('_');
    token.starts_with("<<") || token.starts_with(SIGN_STARTS) && has_sign || is_name
}

/// Returns the family with this name.
///
/// ```
/// assert!(prompt_family::by_name("alpaca").is_some_and(|family| !family.history));
/// assert_eq!(prompt_family::by_name("llama"), None);
/// ```
pub fn by_name(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.name == name).copied()
}

/// The delimiters of a family's chat template.
///
/// The text is read back by the same delimiters. [`also_read`](Turns::also_read) and [`closes`](Turns::closes) list what
/// only the function of another [`ConversationTemplate`] writes.
///
/// ```
/// use typed_prompt::format::{self, Delimiters};
///
/// assert_eq!(format::CHATML.family().turns.user, Delimiters::new("<|im_start|>user\n", "<|im_end|>\n"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turns {
    /// The beginning of a string.
    pub start: TextStart,
    /// Placement and delimiters of system messages.
    pub system: System,
    /// Around a user message.
    pub user: Delimiters,
    /// Around an assistant message. Where `open` is blank, the end of the user message opens it.
    pub assistant: Delimiters,
    /// Around a tool's result, where the template has a turn for it.
    pub tool: Option<Delimiters>,
    /// What happens to a message with any other role.
    pub other: OtherRoles,
    /// The generation prompt, where it is not the assistant's `open` without the space at its end, which a tokenizer joins
    /// with the first word of the answer.
    pub answer: Option<&'static str>,
    /// The end of a string without a generation prompt.
    pub end: TextEnd,
    /// Around the reasoning at the start of an assistant message.
    pub reasoning: Option<(&'static str, &'static str)>,
    /// What an assistant message without reasoning begins with, where the template marks that there is none.
    pub no_reasoning: &'static str,
    /// Whether the reasoning of messages before the user's last one is written too, if the option `keep_reasoning` is not set.
    pub keeps_reasoning: bool,
    /// Around tool calls.
    pub calls: Calls,
    /// The notations of tool calls in a model's answer that are parsed. The format writes the first one.
    pub answer_calls: &'static [CallSyntax],
    /// Further delimiters of reasoning that are read.
    pub also_reasoning: &'static [(&'static str, &'static str)],
    /// Delimiters of the text of an answer, which are not a part of it.
    pub answer_text: &'static [(&'static str, &'static str)],
    /// The list of offered tools.
    pub tools: ToolList,
    /// Around each tool result, where several share a turn.
    pub results: Option<(&'static str, &'static str)>,
    /// The placeholders of images, audio and videos.
    pub media: Placeholders,
    /// Further turns that are read: the name of the role, empty for the format's own text, and the delimiters.
    pub also_read: &'static [(&'static str, &'static str, &'static str)],
    /// Further tokens that close a turn.
    pub closes: &'static [&'static str],
}

impl Turns {
    /// Turns without any delimiters.
    ///
    /// ```
    /// assert_eq!(typed_prompt::format::Turns::NONE.user.open, "");
    /// ```
    pub const NONE: Turns = Turns {
        start: TextStart::Nothing,
        system: System::UNSUPPORTED,
        user: Delimiters::new("", ""),
        assistant: Delimiters::new("", ""),
        tool: None,
        other: OtherRoles::Dropped,
        answer: None,
        end: TextEnd::Nothing,
        reasoning: None,
        no_reasoning: "",
        keeps_reasoning: false,
        calls: Calls::NONE,
        answer_calls: &[],
        also_reasoning: &[],
        answer_text: &[],
        tools: ToolList::NONE,
        results: None,
        media: Placeholders::NONE,
        also_read: &[],
        closes: &[],
    };

    /// The generation prompt.
    ///
    /// ```
    /// assert_eq!(typed_prompt::format::OPENCHAT.family().turns.generation_prompt(), "GPT4 Correct Assistant:");
    /// ```
    pub fn generation_prompt(&self) -> &'static str {
        let default = || self.assistant.open.trim_end_matches(' ');
        self.answer.unwrap_or_else(default)
    }
}

/// The text before and after a message.
///
/// ```
/// use typed_prompt::format::{self, Delimiters, Trim};
///
/// assert_eq!(format::LLAMA2.family().turns.assistant, Delimiters::new(" ", " </s>").with_trim(Trim::Ends));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Delimiters {
    /// The text before the message.
    pub open: &'static str,
    /// The text after the message.
    pub close: &'static str,
    /// The text after the last message of a conversation, where it differs.
    pub last_close: Option<&'static str>,
    /// How the text is trimmed.
    pub trim: Trim,
    /// Whether the model's template prints a content that is a list as Python does. Otherwise it joins the list's texts.
    pub prints_lists: bool,
    /// Whether nothing is written for a message without text.
    pub optional: bool,
}

impl Delimiters {
    /// These delimiters around the unchanged text.
    ///
    /// ```
    /// assert_eq!(typed_prompt::format::Delimiters::new("U: ", "\n").close, "\n");
    /// ```
    pub const fn new(open: &'static str, close: &'static str) -> Delimiters {
        Delimiters {
            open,
            close,
            last_close: None,
            trim: Trim::Nothing,
            prints_lists: false,
            optional: false,
        }
    }

    /// The same delimiters around trimmed text.
    ///
    /// ```
    /// use typed_prompt::format::{Delimiters, Trim};
    ///
    /// assert_eq!(Delimiters::new("U: ", "\n").with_trim(Trim::Ends).trim, Trim::Ends);
    /// ```
    pub const fn with_trim(self, trim: Trim) -> Delimiters {
        Delimiters { trim, ..self }
    }

    pub(crate) const fn last_close(self, close: &'static str) -> Delimiters {
        Delimiters {
            last_close: Some(close),
            ..self
        }
    }

    pub(crate) const fn printing_lists(self) -> Delimiters {
        Delimiters {
            prints_lists: true,
            ..self
        }
    }

    pub(crate) const fn omitted_if_empty(self) -> Delimiters {
        Delimiters {
            optional: true,
            ..self
        }
    }
}

/// How the text of a message is trimmed.
///
/// ```
/// use typed_prompt::format::{self, Trim};
///
/// assert_eq!(format::LLAMA3.family().turns.user.trim, Trim::Ends);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Trim {
    /// Not at all.
    Nothing,
    /// White space at both ends is removed.
    Ends,
    /// The same, and two line breaks in a row are replaced by one.
    EndsAndBlankLines,
}

/// The beginning of a string.
///
/// ```
/// use typed_prompt::format::{self, TextStart};
///
/// assert_eq!(format::LLAMA3.family().turns.start, TextStart::Bos);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TextStart {
    /// The first message.
    Nothing,
    /// The family's `bos`.
    Bos,
    /// The family's `bos`, only before a user or system message.
    BosBeforeQuestion,
    /// A text that is always written.
    Text(&'static str),
}

/// The end of a string without a generation prompt.
///
/// ```
/// use typed_prompt::format::{self, TextEnd};
///
/// assert_eq!(format::PHI3.family().turns.end, TextEnd::Eos);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TextEnd {
    /// The last message.
    Nothing,
    /// The family's `eos`.
    Eos,
    /// The family's `eos`, only after an assistant message.
    EosAfterAssistant,
}

/// Placement and delimiters of system messages.
///
/// ```
/// use typed_prompt::format::{self, SystemPlacement};
///
/// assert_eq!(format::LLAMA2.family().turns.system.placement, SystemPlacement::FirstUserAsOne);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct System {
    /// Where a system message is written.
    pub placement: SystemPlacement,
    /// Around it.
    pub delimiters: Delimiters,
    /// The system message of a conversation that has none.
    pub default: DefaultSystem,
}

impl System {
    /// A system message is an error.
    pub(crate) const UNSUPPORTED: System = System {
        placement: SystemPlacement::Unsupported,
        delimiters: Delimiters::new("", ""),
        default: DefaultSystem::None,
    };

    /// System messages are turns, wherever they are.
    ///
    /// ```
    /// use typed_prompt::format::{self, System};
    ///
    /// assert_eq!(format::CHATML.family().turns.system, System::in_turn(format::CHATML.family().turns.system.delimiters));
    /// ```
    pub const fn in_turn(delimiters: Delimiters) -> System {
        System::new(SystemPlacement::Turn, delimiters)
    }

    /// A system message with these delimiters is written at this position.
    ///
    /// ```
    /// use typed_prompt::format::{Delimiters, System, SystemPlacement};
    ///
    /// let system = System::new(SystemPlacement::First, Delimiters::new("", "\n"));
    /// assert_eq!(system.placement, SystemPlacement::First);
    /// ```
    pub const fn new(placement: SystemPlacement, delimiters: Delimiters) -> System {
        System {
            placement,
            delimiters,
            default: DefaultSystem::None,
        }
    }

    pub(crate) const fn default(self, default: DefaultSystem) -> System {
        System { default, ..self }
    }
}

/// Where a system message is written.
///
/// ```
/// use typed_prompt::format::{self, SystemPlacement};
///
/// assert_eq!(format::GEMMA2.family().turns.system.placement, SystemPlacement::Unsupported);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SystemPlacement {
    /// Where it is in the conversation, as a turn.
    Turn,
    /// Before the turns. Only the first message can be one.
    First,
    /// The same, and it is an error if no turn follows.
    BeforeTurns,
    /// Inside the first user message, before its text.
    FirstUser,
    /// The same, and the two are trimmed as one text.
    FirstUserAsOne,
    /// Inside the last user message, before its text.
    LastUser,
    /// Nowhere: it is an error.
    Unsupported,
}

impl SystemPlacement {
    /// Whether a system message has a turn of its own.
    ///
    /// ```
    /// assert!(typed_prompt::format::SystemPlacement::First.is_turn());
    /// ```
    pub const fn is_turn(self) -> bool {
        matches!(
            self,
            SystemPlacement::Turn | SystemPlacement::First | SystemPlacement::BeforeTurns
        )
    }
}

/// The system message of a conversation that has none.
///
/// ```
/// use typed_prompt::format::{self, DefaultSystem};
///
/// assert_eq!(format::KIMI_K2.family().turns.system.default, DefaultSystem::UnlessFirst("You are a helpful assistant"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DefaultSystem {
    /// None.
    None,
    /// This text, where the first message is not a system message.
    UnlessFirst(&'static str),
    /// This text, where no message is a system message.
    UnlessAny(&'static str),
}

impl DefaultSystem {
    /// The text.
    ///
    /// ```
    /// use typed_prompt::format::DefaultSystem;
    ///
    /// assert_eq!(DefaultSystem::UnlessFirst("Be brief.").text(), Some("Be brief."));
    /// ```
    pub const fn text(self) -> Option<&'static str> {
        match self {
            DefaultSystem::None => None,
            DefaultSystem::UnlessFirst(text) | DefaultSystem::UnlessAny(text) => Some(text),
        }
    }
}

/// What happens to a message whose role has no delimiters of its own.
///
/// ```
/// use typed_prompt::format::{self, OtherRoles};
///
/// assert_eq!(format::MISTRAL_V7.family().turns.other, OtherRoles::Unsupported);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OtherRoles {
    /// Its header contains the role's name: `open`, the name, `middle`, the text trimmed as a user's, `close`.
    Named {
        /// The text before the name.
        open: &'static str,
        /// The text between the name and the text.
        middle: &'static str,
        /// The text at the end.
        close: &'static str,
        /// Whether the name begins with a capital.
        capitalized: bool,
    },
    /// It is written like the assistant's where the model's chat template is followed, and is an error otherwise.
    LikeAssistant,
    /// It is left out where the model's chat template is followed, and is an error otherwise.
    Dropped,
    /// It is an error.
    Unsupported,
}

/// The text around the list of offered tools, and between two of them.
///
/// ```
/// use typed_prompt::format;
///
/// assert_eq!(format::LFM2.family().turns.tools.open, "List of tools: <|tool_list_start|>[");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ToolList {
    /// Before the first tool.
    pub open: &'static str,
    /// Between two tools.
    pub between: &'static str,
    /// After the last tool.
    pub close: &'static str,
}

impl ToolList {
    pub(crate) const NONE: ToolList = ToolList::new("", "", "");

    /// A list of tools with these texts.
    ///
    /// ```
    /// assert_eq!(typed_prompt::format::ToolList::new("[", ", ", "]").between, ", ");
    /// ```
    pub const fn new(open: &'static str, between: &'static str, close: &'static str) -> ToolList {
        ToolList {
            open,
            between,
            close,
        }
    }
}

/// The delimiters of tool calls.
///
/// ```
/// use typed_prompt::format;
///
/// assert_eq!(format::QWEN3.family().turns.calls.open, "<tool_call>\n{\"name\": \"");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Calls {
    /// Before all calls of a message.
    pub section_open: &'static str,
    /// After all calls of a message.
    pub section_close: &'static str,
    /// Before the name of the tool.
    pub open: &'static str,
    /// Between the name and the arguments. Of tagged arguments, `{index}` in it is the number of the call in its message, from 1.
    pub middle: &'static str,
    /// After the arguments.
    pub close: &'static str,
    /// Whether `section_open` opens the assistant's turn.
    pub is_turn: bool,
    /// How each argument is written between tags. Without it the arguments are JSON.
    pub arguments: Option<TaggedArguments>,
}

impl Calls {
    pub(crate) const NONE: Calls = Calls {
        section_open: "",
        section_close: "",
        open: "",
        middle: "",
        close: "",
        is_turn: false,
        arguments: None,
    };
}

/// The text that a template writes in place of an image, audio or a video. It is empty for a kind that the family does not support,
/// which is an error.
///
/// ```
/// use typed_prompt::format;
///
/// let media = format::GEMMA3.family().turns.media;
/// assert_eq!((media.image, media.audio), ("<start_of_image>", ""));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Placeholders {
    /// For an image.
    pub image: &'static str,
    /// For audio.
    pub audio: &'static str,
    /// For a video.
    pub video: &'static str,
    /// Whether the template knows images by the name that chat APIs have for them too, `image_url`.
    pub image_urls: bool,
}

impl Placeholders {
    /// No kind of media is supported.
    ///
    /// ```
    /// use typed_prompt::format::{self, Placeholders};
    ///
    /// assert_eq!(format::CHATML.family().turns.media, Placeholders::NONE);
    /// ```
    pub const NONE: Placeholders = Placeholders::images("");

    /// Only images are supported.
    ///
    /// ```
    /// use typed_prompt::format::{self, Placeholders};
    ///
    /// assert_eq!(format::LLAMA4.family().turns.media, Placeholders::images("<|image|>"));
    /// ```
    pub const fn images(image: &'static str) -> Placeholders {
        Placeholders {
            image,
            audio: "",
            video: "",
            image_urls: false,
        }
    }
}

/// The delimiters of arguments of a tool call, each of which is between tags.
///
/// ```
/// use typed_prompt::format::{self, TagValues};
///
/// let arguments = format::QWEN3_6.family().turns.calls.arguments.unwrap();
/// assert_eq!((arguments.open, arguments.values), ("<parameter=", TagValues::Json));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TaggedArguments {
    /// Before the name of an argument.
    pub open: &'static str,
    /// Between the name and the value.
    pub middle: &'static str,
    /// The same before a value that is not a string, where it differs. `{type}` in it is the value's type in JSON.
    pub other_middle: Option<&'static str>,
    /// After the value.
    pub close: &'static str,
    /// Between two arguments.
    pub between: &'static str,
    /// How a value that is not a string is written.
    pub values: TagValues,
}

/// How the value of an argument between tags is written, if it is not a string.
///
/// ```
/// use typed_prompt::format::{self, TagValues};
///
/// assert_eq!(format::QWEN3_5.family().turns.calls.arguments.unwrap().values, TagValues::PythonScalars);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TagValues {
    /// As JSON: `null`, `true`, `["a"]`.
    Json,
    /// As Python prints it: `None`, `True`, `['a']`.
    Python,
    /// Lists and objects as JSON, and the rest as Python prints it: `None`, `True`, `["a"]`.
    PythonScalars,
}

/// How a model writes a tool call in its answer.
///
/// After `open` the call is read as JSON if it begins as an object or a list of objects, and as `body` otherwise. Several calls
/// may be between `open` and `close`. Servers may remove special tokens from an answer: `close` may be missing, and so may
/// `open` where tools are offered.
///
/// ```
/// use typed_prompt::format::{self, CallBody};
///
/// let syntax = format::QWEN3.family().turns.answer_calls[0];
/// assert_eq!((syntax.open, syntax.close), ("<tool_call>", "</tool_call>"));
/// assert!(matches!(syntax.body, CallBody::Tags { .. }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallSyntax {
    /// Before a list of calls; optional.
    pub section_open: &'static str,
    /// After a list of calls; optional.
    pub section_close: &'static str,
    /// Before a call. Empty if calls have no delimiter: they begin a line.
    pub open: &'static str,
    /// After a call.
    pub close: &'static str,
    /// The call, if it is not JSON with the keys `name` and `arguments` or `parameters`.
    pub body: CallBody,
    /// Around the arguments as one JSON object, which a call may contain in place of arguments between tags. Empty if it may not.
    pub json_arguments: (&'static str, &'static str),
}

impl CallSyntax {
    /// Calls between these delimiters, without a section.
    ///
    /// ```
    /// use typed_prompt::format::{CallBody, CallSyntax};
    ///
    /// const SYNTAX: CallSyntax = CallSyntax::new("<tool_calls>", "</tool_calls>", CallBody::Json);
    /// assert_eq!(SYNTAX.section_open, "");
    /// ```
    pub const fn new(open: &'static str, close: &'static str, body: CallBody) -> CallSyntax {
        CallSyntax {
            section_open: "",
            section_close: "",
            open,
            close,
            body,
            json_arguments: ("", ""),
        }
    }

    pub(crate) const fn in_section(self, open: &'static str, close: &'static str) -> CallSyntax {
        CallSyntax {
            section_open: open,
            section_close: close,
            ..self
        }
    }

    pub(crate) const fn or_json_arguments(
        self,
        open: &'static str,
        close: &'static str,
    ) -> CallSyntax {
        CallSyntax {
            json_arguments: (open, close),
            ..self
        }
    }
}

/// How a tool call is written inside its delimiters.
///
/// ```
/// use typed_prompt::format::{self, CallBody};
///
/// assert_eq!(format::LFM2.family().turns.answer_calls[0].body, CallBody::Python);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallBody {
    /// Only as JSON.
    Json,
    /// Only as JSON, and an object with one key, an offered name, is a call with the value as its arguments: `[{"add": {"a": 1}}]`.
    JsonByName,
    /// `prefix`, the name, `middle`, and the arguments as JSON, perhaps fenced. `prefix` and `middle` may be missing.
    Named {
        /// Before the name.
        prefix: &'static str,
        /// Between the name and the arguments.
        middle: &'static str,
    },
    /// Calls as Python writes them: `[add(a=1, b=2)]`.
    Python,
    /// The name and each argument between tags.
    Tags {
        /// Around the name; the second is empty if white space or the first argument ends the name.
        name: (&'static str, &'static str),
        /// Around the key of an argument.
        key: (&'static str, &'static str),
        /// Around the value of an argument.
        value: (&'static str, &'static str),
        /// After the arguments. It may be missing before the end of the call.
        end: &'static str,
    },
    /// The name up to `name_end`, and each argument as an element with the name of its key: text, an element for each entry of an object,
    /// or an element `item` for each value of a list. `mark` precedes each tag.
    Elements {
        /// Before each tag.
        mark: &'static str,
        /// After the name of the tool.
        name_end: &'static str,
    },
    /// `prefix`, the name, and the arguments as an object whose keys are not quoted and whose strings are between two `quote`:
    /// `call:add{a:1,b:<|"|>2<|"|>}`.
    BareKeys {
        /// Before the name.
        prefix: &'static str,
        /// Before and after a string.
        quote: &'static str,
    },
    /// A message of harmony: its header contains the recipient. `close` and `section_close` are tokens that end a message. The call is
    /// JSON, or is read by a second syntax of the family.
    Channel,
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

    /// All but layouts of one message.
    fn models() -> impl Iterator<Item = &'static Family> {
        FAMILIES
            .iter()
            .copied()
            .filter(|family| !family.aliases.is_empty())
    }

    #[test]
    fn shared_tokens_are_those_of_the_general_family() {
        for (token, name) in [
            ("<|begin_of_text|>", "llama3"),
            ("<|eot_id|>", "llama3"),
            ("<|im_start|>", "chatml"),
        ] {
            let found = control_token_in(token).map(|(family, _)| family.name);
            assert_eq!(found, Some(name), "{token}");
        }
    }

    /// Names and tags of XML apart, a text with a delimiter of a turn is refused, whatever its token begins with.
    #[test]
    fn tokens_of_turns_are_found() {
        let is_named = |token: &str| {
            let name = token
                .trim_start_matches(['<', '[', '/'])
                .trim_end_matches(['>', ']']);
            let is_letter = |c: char| c.is_alphanumeric() || ": #\n".contains(c);
            name.chars().all(is_letter)
        };
        for family in FAMILIES {
            let tokens = family
                .tokens
                .iter()
                .filter(|token| family.is_of_turns(token));
            for token in tokens.filter(|token| !is_named(token)) {
                let text = format!("Hi {token}");
                let found = control_token_in(&text).map(|(_, token)| token);
                assert_eq!(found, Some(*token), "{}", family.name);
                assert!(turn_token_at(token).is_some(), "{token}");
            }
        }
    }

    /// A table that derives from another one has a source of its own.
    #[test]
    fn each_family_has_its_source() {
        for (index, family) in models().enumerate() {
            let Source { template, read } = family.source;
            let (year, month) = read.split_once('-').unwrap_or_default();
            let is_month = matches!(month.parse(), Ok(1..=12)) && month.len() == 2;
            let is_date = matches!(year.parse(), Ok(2020..=2099)) && is_month;
            assert!(is_date && !template.is_empty(), "{}", family.name);
            let mut others = models().take(index);
            let same = others.find(|other| other.source.template == template);
            assert_eq!(
                same.map(|same| same.name),
                None,
                "the source of {}",
                family.name
            );
        }
    }

    /// Data must not contain a placeholder, which the guard finds by its tokens.
    #[test]
    fn placeholders_contain_control_tokens() {
        for family in models() {
            let Placeholders {
                image,
                audio,
                video,
                ..
            } = family.turns.media;
            let kinds = [image, audio, video];
            let mut written = kinds.iter().filter(|text| !text.is_empty());
            assert_eq!(family.media, written.clone().count() > 0, "{}", family.name);
            assert!(
                written.all(|text| !family.control_tokens_in(text).is_empty()),
                "{}",
                family.name
            );
        }
    }

    /// Data must not contain the delimiter of a turn, also of one that is only read.
    #[test]
    fn delimiters_that_are_only_read_contain_control_tokens() {
        for family in models() {
            let opens = family.turns.also_read.iter().map(|(_, open, _)| *open);
            for delimiter in opens.chain(family.turns.closes.iter().copied()) {
                let is_guarded = !family.control_tokens_in(delimiter).is_empty();
                assert!(is_guarded, "{delimiter:?} of {}", family.name);
            }
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
                    .find(|numbered| numbered.find_in(token).is_some());
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
