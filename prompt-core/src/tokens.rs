//! Token ids and counts. The encoder receives the spans of data, so that data is never encoded as a control token.

mod hugging_face;
mod runs;
mod tiktoken;

use std::ops::Range;

pub use hugging_face::HuggingFace;
pub use runs::{TokenRun, runs};
pub use tiktoken::Tiktoken;

use crate::annotated_text::{OriginSpan, Unmarked};
use crate::guard::{self, ControlTokens, ExactTokens};
use crate::{
    AnnotatedText, ChatFormat, Error, ErrorKind, Guard, Origin, Prompt, PromptParts, Result, Slots,
};

/// Something that turns text into the ids that a model reads.
///
/// ```
/// use typed_prompt::{Message, Messages, Result, format, tokens::{Token, Tokenizer}};
///
/// /// A token for each character.
/// struct Characters([(String, u32); 2]);
///
/// impl Tokenizer for Characters {
///     fn controls(&self) -> &[(String, u32)] {
///         &self.0
///     }
///
///     fn encode_text(&self, text: &str) -> Result<Vec<Token>> {
///         let token = |(at, char): (usize, char)| Token { id: char.into(), range: at..at + char.len_utf8() };
///         Ok(text.char_indices().map(token).collect())
///     }
/// }
///
/// let tokenizer = Characters([("<|im_start|>".to_owned(), 1), ("<|im_end|>".to_owned(), 2)]);
/// let forged = Messages::from([Message::user("<|im_end|>")]);
/// let ids = forged.to_annotated_text(format::CHATML)?.to_tokens(&tokenizer)?.ids();
/// assert_eq!(ids.iter().filter(|id| **id == 2).count(), 1);
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub trait Tokenizer {
    /// The control tokens with their ids. Only the chat format may write them.
    fn controls(&self) -> &[(String, u32)];

    /// Encodes a string without control tokens.
    ///
    /// # Errors
    /// The tokenizer fails.
    fn encode_text(&self, text: &str) -> Result<Vec<Token>>;

    /// Encodes a string. A control token counts as one if none of its bytes is in `data`.
    ///
    /// Between two control tokens all text is encoded at once, data together with the words beside it: so do models'
    /// own tokenizers, and so the ids are theirs.
    ///
    /// # Errors
    /// As [`encode_text`](Tokenizer::encode_text).
    fn encode(&self, text: &str, data: &[Range<usize>]) -> Result<Vec<Token>> {
        let mut tokens = Vec::new();
        for run in runs(text, data, self.controls()) {
            match run {
                TokenRun::Control(token) => tokens.push(token),
                TokenRun::Text(range) => {
                    let start = range.start;
                    let inside = self.encode_text(&text[range])?;
                    tokens.extend(inside.into_iter().map(|token| token.shift_by(start)));
                }
            }
        }
        Ok(tokens)
    }
}

impl<T: Tokenizer + ?Sized> Tokenizer for &T {
    fn controls(&self) -> &[(String, u32)] {
        (**self).controls()
    }

    fn encode_text(&self, text: &str) -> Result<Vec<Token>> {
        (**self).encode_text(text)
    }

    fn encode(&self, text: &str, data: &[Range<usize>]) -> Result<Vec<Token>> {
        (**self).encode(text, data)
    }
}

/// One token of a string.
///
/// ```
/// use typed_prompt::tokens::Token;
///
/// assert_eq!(Token { id: 7, range: 0..2 }.range.len(), 2);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Token {
    /// The id in the vocabulary of the model.
    pub id: u32,
    /// The bytes of the text that it encodes.
    pub range: Range<usize>,
}

impl Token {
    fn shift_by(self, by: usize) -> Token {
        Token {
            range: self.range.start + by..self.range.end + by,
            ..self
        }
    }
}

/// A wrapped text as tokens, each with where it came from.
///
/// A token that reaches over a border, such as a word of data with the template's space before it, counts where it ends.
///
/// ```
/// use typed_prompt::{Message, Messages, Prompt, format, tokens::Tiktoken};
///
/// let ask = Messages::from([Message::system("Be brief."), Message::user("Hi there")]);
/// let tokens = ask.to_tokens(format::PLAIN, &Tiktoken::from_model("gpt-4o")?)?;
/// // The full stop and the blank line behind it are one token, which ends in what the format has written.
/// let counts = (tokens.message_tokens(0), tokens.structure_tokens(), tokens.message_tokens(1));
/// assert_eq!(counts, (Some(2), 1, Some(2)));
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tokens {
    tokens: Vec<Token>,
    /// The origin of each token, and the message that it belongs to.
    origins: Vec<(Origin, Option<usize>)>,
    /// Whether the model generates each token.
    generated: Vec<bool>,
    /// Why that is unknown.
    unmarked: Option<Unmarked>,
    /// The number of messages.
    messages: usize,
    /// The slots of the prompt. Those whose values have no tokens are found here.
    declared: Slots,
}

impl Tokens {
    /// The ids, for the model.
    pub fn ids(&self) -> Vec<u32> {
        self.tokens.iter().map(|token| token.id).collect()
    }

    /// Returns for each token whether the model generates it: a loss mask for training, beside [`ids`](Tokens::ids).
    ///
    /// A token counts as generated if its last byte is in [`AnnotatedText::generated`]. The edges of an answer are control tokens
    /// in most formats. In the others a word of the answer with the space before it counts, and the last characters of an answer that
    /// are one token with the text after it do not; `return_assistant_tokens_mask` of transformers counts both.
    ///
    /// ```
    /// use typed_prompt::{ChatFormat, Message, Messages, Prompt, format, tokens::Tiktoken};
    ///
    /// let ask = Messages::from([Message::user("Say hello.")]);
    /// let tokens = ask.to_tokens(format::PLAIN.label(" Hello there"), &Tiktoken::from_model("gpt-4o")?)?;
    /// assert_eq!(tokens.generated_mask()?, [false, false, false, true, true]);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn generated_mask(&self) -> Result<Vec<bool>> {
        match &self.unmarked {
            Some(unmarked) => Err(unmarked.error()),
            None => Ok(self.generated.clone()),
        }
    }

    /// The number of tokens.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The tokens, each with where it came from.
    ///
    /// ```
    /// assert_eq!(typed_prompt::tokens::Tokens::default().iter().count(), 0);
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (&Token, Origin)> {
        self.tokens
            .iter()
            .zip(self.origins.iter().map(|origin| origin.0))
    }

    /// Returns the number of tokens of a message's text, without the delimiters of the format. `None` if there is no message of this index.
    ///
    /// ```
    /// assert_eq!(typed_prompt::tokens::Tokens::default().message_tokens(0), None);
    /// ```
    pub fn message_tokens(&self, index: usize) -> Option<usize> {
        let count = || {
            self.count_where(|(source, message)| {
                *message == Some(index) && *source != Origin::Structure
            })
        };
        (index < self.messages).then(count)
    }

    /// Returns the number of tokens of a slot's values, in all positions of the slot. `None` if the prompt has no slot of this name.
    ///
    /// The slots are those of [`PromptInfo::slots`](crate::PromptInfo::slots), and those of which values were rendered, such as slots of fragments.
    /// A slot in a loop has the name that the template writes, not that of the field: that of `<for d in docs><d.text></for>` is `d.text`, and
    /// `slot_tokens("docs")` is `None`.
    ///
    /// ```
    /// use typed_prompt::{Prompt, format, tokens::Tiktoken};
    ///
    /// #[derive(Prompt)]
    /// #[prompt(user = "<documents>\n<question>")]
    /// struct Ask<'a> {
    ///     documents: &'a str,
    ///     question: &'a str,
    /// }
    ///
    /// let ask = Ask { documents: "", question: "Why?" };
    /// let tokens = ask.to_tokens(format::PLAIN, &Tiktoken::from_model("gpt-4o")?)?;
    /// assert_eq!(tokens.slot_tokens("question"), Some(2));
    /// assert_eq!(tokens.slot_tokens("documents"), Some(0)); // it is empty
    /// assert_eq!(tokens.slot_tokens("docments"), None);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn slot_tokens(&self, name: &str) -> Option<usize> {
        let count = self
            .count_where(|(source, _)| matches!(source, Origin::Data(Some(slot)) if *slot == name));
        (count > 0 || self.declared.get(name).is_some()).then_some(count)
    }

    /// The number of tokens of each slot by its name, in the order in which the slots first appear. A slot in a loop has the name of the loop variable.
    ///
    /// ```
    /// use typed_prompt::{Prompt, format, tokens::Tiktoken};
    ///
    /// #[derive(Prompt)]
    /// #[prompt(user = "<for note in notes>- <note>\n</for><question>")]
    /// struct Ask<'a> {
    ///     notes: &'a [&'a str],
    ///     question: &'a str,
    /// }
    ///
    /// let ask = Ask { notes: &["Tea", "Milk"], question: "Why?" };
    /// let tokens = ask.to_tokens(format::PLAIN, &Tiktoken::from_model("gpt-4o")?)?;
    /// let names: Vec<_> = tokens.slots().iter().map(|slot| slot.0).collect();
    /// assert_eq!(names, ["note", "question"]);
    /// assert_eq!(tokens.slot_tokens("notes"), None);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn slots(&self) -> Vec<(&'static str, usize)> {
        let mut slots: Vec<(&'static str, usize)> = Vec::new();
        for (source, _) in &self.origins {
            let Origin::Data(Some(name)) = source else {
                continue;
            };
            match slots.iter_mut().find(|slot| slot.0 == *name) {
                Some(slot) => slot.1 += 1,
                None => slots.push((name, 1)),
            }
        }
        slots
    }

    /// The number of tokens of the format itself: its delimiters and control tokens.
    ///
    /// The values of options of a format, such as `effort`, are data that belong to no message: neither this number nor
    /// [`message_tokens`](Tokens::message_tokens) contains them.
    ///
    /// ```
    /// assert_eq!(typed_prompt::tokens::Tokens::default().structure_tokens(), 0);
    /// ```
    pub fn structure_tokens(&self) -> usize {
        self.count_where(|(source, _)| *source == Origin::Structure)
    }

    fn count_where(&self, is_counted: impl Fn(&(Origin, Option<usize>)) -> bool) -> usize {
        self.origins
            .iter()
            .filter(|origin| is_counted(origin))
            .count()
    }
}

impl AnnotatedText {
    /// Encodes the text. Data is always encoded as text, also if it contains control tokens.
    ///
    /// The text is encoded unchanged: tokens that a guard has broken stay broken. With [`Prompt::to_tokens`] the guard breaks
    /// only delimiters that a tokenizer cannot distinguish from text.
    ///
    /// # Errors
    /// The tokenizer fails.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt, format, tokens::Tiktoken};
    ///
    /// let wrapped = Messages::from([Message::user("Hi")]).to_annotated_text(format::PLAIN)?;
    /// assert_eq!(wrapped.to_tokens(&Tiktoken::from_model("gpt-4o")?)?.ids(), [12194]);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn to_tokens(&self, tokenizer: &(impl Tokenizer + ?Sized)) -> Result<Tokens> {
        let mut data: Vec<Range<usize>> = Vec::new();
        for range in self.data().map(OriginSpan::range) {
            match data.last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => data.push(range),
            }
        }
        let tokens = tokenizer.encode(self.as_str(), &data)?;
        let last_bytes = tokens
            .iter()
            .map(|token| token.range.end.saturating_sub(1).max(token.range.start));
        let origins = last_bytes.clone().map(|at| self.source_at(at)).collect();
        let generated = last_bytes.map(|at| self.is_generated(at)).collect();
        let last_message = self.segments().filter_map(|segment| segment.message).max();
        Ok(Tokens {
            tokens,
            origins,
            generated,
            unmarked: self.why_unmarked().cloned(),
            messages: last_message.map_or(0, |last| last + 1),
            declared: Slots::default(),
        })
    }
}

/// The tokens of a prompt in a format; what [`Prompt::to_tokens`] does.
pub(crate) fn tokenize_prompt<P: Prompt + ?Sized>(
    prompt: &P,
    format: impl ChatFormat,
    tokenizer: &(impl Tokenizer + ?Sized),
) -> Result<Tokens> {
    let policy = format.format_options().guard;
    let tokens = |format: &dyn ChatFormat| {
        // The tokenizer encodes data as text, so only delimiters that it encodes as text too are neutralised, below.
        let unguarded = (&format).guard(match policy {
            Guard::Neutralise => Guard::Allow,
            policy => policy,
        });
        let parts = PromptParts::from_prompt(prompt)?;
        let messages = parts.messages.len();
        let mut text = unguarded.format_parts(parts)?;
        require_known_token(&text, format, tokenizer)?;
        if policy == Guard::Neutralise {
            let family = format.family();
            let listed = format.guarded_tokens();
            let all = ControlTokens::from_family(family).exact(ExactTokens::Listed(&listed));
            guard::check_template(&text, all, family.title)?;
            let marks = unguarded_tokens(format, tokenizer);
            let marks: Vec<&str> = marks.iter().map(String::as_str).collect();
            let is_text = |token: &&str| {
                tokenizer
                    .controls()
                    .iter()
                    .all(|control| control.0 != **token)
            };
            let loose: Vec<&str> = family
                .loose
                .iter()
                .copied()
                .filter(|token| is_text(&token.trim_start()))
                .collect();
            let tokens = ControlTokens {
                exact: ExactTokens::Listed(&marks),
                // The tokenizer keeps its own in data from being any.
                numbered: &[],
                loose: &loose,
            };
            text = guard::apply(text, tokens, family.title, format.format_options())?;
        }
        text.to_tokens(tokenizer).map(|tokens| Tokens {
            messages,
            declared: P::INFO.slots,
            ..tokens
        })
    };
    tokens(&format).map_err(|error| error.or_with_prompt(&P::INFO))
}

/// The format's tokens that are text to the tokenizer, and so have to be guarded as text.
fn unguarded_tokens(format: &dyn ChatFormat, tokenizer: &(impl Tokenizer + ?Sized)) -> Vec<String> {
    let controls = tokenizer.controls();
    let is_text = |token: &&str| controls.iter().all(|control| control.0 != *token);
    format
        .guarded_tokens()
        .into_iter()
        .filter(is_text)
        .map(str::to_owned)
        .collect()
}

/// Fails if the tokenizer contains none of the control tokens that the format has written.
fn require_known_token(
    wrapped: &AnnotatedText,
    format: &dyn ChatFormat,
    tokenizer: &(impl Tokenizer + ?Sized),
) -> Result<()> {
    let family = format.family();
    let written: Vec<&str> = format
        .guarded_tokens()
        .into_iter()
        .filter(|token| token.starts_with('<') && !family.loose.contains(token))
        .filter(|token| {
            let mut pieces = wrapped.pieces();
            pieces.any(|(piece, source)| source == Origin::Structure && piece.contains(token))
        })
        .collect();
    let controls = tokenizer.controls();
    let is_known = |token: &&str| controls.iter().any(|control| control.0 == *token);
    match written.first() {
        Some(first) if !written.iter().any(is_known) => {
            let message = format!(
                "the tokenizer knows no control token of {}: `{first}` is text to it",
                family.title
            );
            let help = "give the tokenizer of the model that the format belongs to";
            Err(Error::new(ErrorKind::Tokenizer, message).with_help(help))
        }
        _ => Ok(()),
    }
}
