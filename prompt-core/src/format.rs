//! Chat formats: how each family of models writes a conversation as one text.

mod added_token;
mod adjusted;
mod alpaca;
mod answer;
pub(crate) mod check;
pub(crate) mod native;
mod plain;
mod table;

use std::fmt;

pub use added_token::AddedToken;
pub use adjusted::Adjusted;
pub use alpaca::{ALPACA, AlpacaFormat};
pub use answer::{AnswerParser, AnswerPart};
pub use check::{check, check_facts, unsupported};
pub use native::ParsedTurn;
pub use native::{ChatInput, Date, NativeFormat};
pub use plain::{PLAIN, Plain};
pub use prompt_family::{
    CallBody, CallSyntax, Calls, ConversationTemplate, DefaultSystem, Delimiters, Family, Numbered,
    Order, OtherRoles, System, SystemDate, SystemPlacement, TextEnd, TextStart, Trim, Turns,
};
pub use table::*;

pub use crate::guard::ControlTokenSet;

use crate::{AnnotatedText, Draft, Guard, Messages, Prompt, Result};

/// Options of a chat format.
///
/// ```
/// use typed_prompt::format::FormatOptions;
///
/// let options = FormatOptions::default().bos(false);
/// assert!(options.generation_prompt);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FormatOptions {
    /// What happens to control tokens in data.
    pub guard: Guard,
    /// Whether the text begins with the beginning-of-sequence token. Turn it off if the tokenizer adds the token.
    pub bos: bool,
    /// Whether the text ends with the generation prompt, after which the model's answer begins.
    pub generation_prompt: bool,
    /// The answer, for training.
    pub label: Option<String>,
    /// Control tokens that data must not contain, next to those of the family.
    pub control_tokens: Vec<String>,
    /// Control tokens that a tokenizer searches for in normalised text: data must not contain them in other characters either, such as
    /// full-width letters. List them in `control_tokens` too.
    pub normalized_tokens: Vec<String>,
}

impl Default for FormatOptions {
    fn default() -> FormatOptions {
        FormatOptions {
            guard: Guard::default(),
            bos: true,
            generation_prompt: true,
            label: None,
            control_tokens: Vec::new(),
            normalized_tokens: Vec::new(),
        }
    }
}

impl FormatOptions {
    /// Sets [`guard`](FormatOptions::guard).
    pub fn guard(mut self, guard: Guard) -> FormatOptions {
        self.guard = guard;
        self
    }

    /// Sets [`bos`](FormatOptions::bos).
    pub fn bos(mut self, bos: bool) -> FormatOptions {
        self.bos = bos;
        self
    }

    /// Sets [`generation_prompt`](FormatOptions::generation_prompt).
    pub fn generation_prompt(mut self, generation_prompt: bool) -> FormatOptions {
        self.generation_prompt = generation_prompt;
        self
    }

    /// Sets [`label`](FormatOptions::label).
    pub fn label(mut self, label: impl Into<String>) -> FormatOptions {
        self.label = Some(label.into());
        self
    }
}

/// A family's way to write a conversation as one text.
///
/// ```
/// use typed_prompt::{ChatFormat, Message, Messages, Prompt, format};
///
/// let ask = Messages::from([Message::user("2+2?")]);
/// assert_eq!(ask.to_text(format::LLAMA2)?, "<s>[INST] 2+2? [/INST]");
/// assert_eq!(ask.to_text(format::LLAMA2.bos(false))?, "[INST] 2+2? [/INST]");
/// assert_eq!(ask.to_text(format::LLAMA2.label("4 </s>"))?, "<s>[INST] 2+2? [/INST] 4 </s>");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a chat format",
    label = "not a chat format",
    note = "use a constant such as `format::LLAMA3`; for a name that only the running program knows, `format::from_name(name)?`"
)]
pub trait ChatFormat: Send + Sync {
    /// Returns the table of the model family.
    fn family(&self) -> &'static Family;

    /// Writes a conversation.
    ///
    /// # Errors
    /// The family does not support a message or a part of one. Nothing is dropped.
    fn write(&self, messages: &Messages, out: &mut AnnotatedText) -> Result<()>;

    /// Writes a prompt with its extra fields separate: for layouts that place extra fields themselves.
    ///
    /// # Errors
    /// As [`write`](ChatFormat::write).
    fn write_draft(&self, draft: Draft, out: &mut AnnotatedText) -> Result<()> {
        let draft = draft.guard_headings(out.options().guard, self.family().title)?;
        self.write(&draft.join(), out)
    }

    /// Other names under which [`from_name`] finds it, such as those of models.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }

    /// The control tokens that data must not contain, next to the family's [numbered](Family::numbered) ones.
    fn tokens(&self) -> Vec<&str> {
        self.family().tokens.to_vec()
    }

    /// Returns the delimiters that a model of the family writes around its reasoning, before its answer. `None` for models without
    /// reasoning.
    ///
    /// ```
    /// use typed_prompt::{ChatFormat, format};
    ///
    /// assert_eq!(format::QWEN3.reasoning_delimiters(), Some(("<think>", "</think>")));
    /// assert_eq!(format::LLAMA3.reasoning_delimiters(), None);
    /// ```
    fn reasoning_delimiters(&self) -> Option<(&'static str, &'static str)> {
        None
    }

    /// Returns the table that defines the syntax of tool calls in answers: that of the family by default. A model's own chat
    /// template has the syntax whose delimiters it contains.
    fn call_family(&self) -> &'static Family {
        self.family()
    }

    /// The default options of the format.
    fn options(&self) -> FormatOptions {
        FormatOptions::default()
    }

    /// Writes a prompt, and applies the guard to its data.
    ///
    /// # Errors
    /// The family does not support a message, or data contains a control token and the guard rejects it.
    fn wrap(&self, draft: Draft) -> Result<AnnotatedText> {
        let mut out = AnnotatedText::new(self.options());
        self.write_draft(draft, &mut out)?;
        self.apply_guard(out)
    }

    /// Writes messages, and applies the guard to their data.
    ///
    /// # Errors
    /// As [`wrap`](ChatFormat::wrap).
    fn wrap_messages(&self, messages: &Messages) -> Result<AnnotatedText> {
        let mut out = AnnotatedText::new(self.options());
        self.write(messages, &mut out)?;
        self.apply_guard(out)
    }

    /// Applies the guard to the data in a text of this format. By default it searches for [`tokens`](ChatFormat::tokens).
    ///
    /// # Errors
    /// A control token in data, where [`Guard::Reject`] is asked for.
    fn apply_guard(&self, out: AnnotatedText) -> Result<AnnotatedText> {
        out.guarded(self.family(), &self.tokens())
    }

    /// The text of a prompt.
    ///
    /// # Errors
    /// As [`wrap`](ChatFormat::wrap).
    fn text<P: Prompt + ?Sized>(&self, prompt: &P) -> Result<String>
    where
        Self: Sized,
    {
        let wrapped = Draft::of(prompt).and_then(|draft| self.wrap(draft));
        let text = wrapped.map(AnnotatedText::into_string);
        text.map_err(|error| error.of_prompt(P::INFO.name, P::INFO.fingerprint))
    }

    /// The same format with another guard.
    fn guard(self, guard: Guard) -> Adjusted<Self>
    where
        Self: Sized,
    {
        Adjusted::new(self, |wrapping| wrapping.guard = guard)
    }

    /// The same format with or without the beginning-of-sequence token.
    fn bos(self, bos: bool) -> Adjusted<Self>
    where
        Self: Sized,
    {
        Adjusted::new(self, |wrapping| wrapping.bos = bos)
    }

    /// The same format, ending where the model's answer begins, or after the last message.
    fn generation_prompt(self, generation_prompt: bool) -> Adjusted<Self>
    where
        Self: Sized,
    {
        Adjusted::new(self, |wrapping| {
            wrapping.generation_prompt = generation_prompt;
        })
    }

    /// The same format, whose guard also keeps these control tokens out of data: for a model whose tokenizer has more than its
    /// family.
    ///
    /// ```
    /// use typed_prompt::{ChatFormat, Message, Messages, format};
    ///
    /// let ask = Messages::from([Message::user("<|pause|>")]);
    /// let format = format::PLAIN.control_tokens(["<|pause|>"]);
    /// assert_eq!(ask.to_text(format)?, "< |pause|>");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    fn control_tokens<T: Into<String>>(self, tokens: impl IntoIterator<Item = T>) -> Adjusted<Self>
    where
        Self: Sized,
    {
        Adjusted::new(self, |wrapping| {
            wrapping
                .control_tokens
                .extend(tokens.into_iter().map(Into::into));
        })
    }

    /// The same with the control tokens of a `tokenizer.json`: all added tokens that are special or in the form `<|…|>`. Where
    /// the tokenizer normalises text before it searches for a token, data may not contain the token in full-width letters, with
    /// accents, or with characters without width either.
    ///
    /// # Errors
    /// As [`AddedToken::parse`].
    ///
    /// ```
    /// use typed_prompt::{ChatFormat, Message, Messages, format};
    ///
    /// let json = r#"{"added_tokens": [{"id": 7, "content": "[PAUSE]", "special": true}]}"#; // the file's text
    /// let ask = Messages::from([Message::user("[PAUSE]</s>")]);
    /// let text = ask.to_text(format::LLAMA2.with_tokenizer(json)?)?;
    /// assert_eq!(text, "<s>[INST] [ PAUSE]< /s> [/INST]");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    fn with_tokenizer(self, json: &str) -> Result<Adjusted<Self>>
    where
        Self: Sized,
    {
        let mut tokens = AddedToken::parse(json)?;
        tokens.retain(AddedToken::is_control);
        let normalized = tokens.iter().filter(|token| token.is_normalized);
        let normalized: Vec<String> = normalized.map(|token| token.content.clone()).collect();
        Ok(Adjusted::new(self, |wrapping| {
            wrapping.normalized_tokens.extend(normalized);
            let contents = tokens.into_iter().map(|token| token.content);
            wrapping.control_tokens.extend(contents);
        }))
    }

    /// The same format with the answer at the end, for training. An empty label adds nothing.
    fn label(self, label: impl Into<String>) -> Adjusted<Self>
    where
        Self: Sized,
    {
        let label = label.into();
        Adjusted::new(self, |wrapping| {
            wrapping.label = Some(label).filter(|label| !label.is_empty());
        })
    }
}

impl fmt::Debug for dyn ChatFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChatFormat({})", self.family().name)
    }
}
