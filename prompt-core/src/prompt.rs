//! The traits of prompts.

use crate::{AnnotatedText, ChatFormat, Messages, PromptInfo, PromptParts, Reply, Result, Writer};

/// A prompt. `#[derive(Prompt)]` implements it for a struct and its template.
///
/// ```
/// use typed_prompt::{Message, Messages, Prompt, format};
///
/// let prompt = Messages::from([Message::user("Hello")]);
/// assert_eq!(prompt.to_text(format::CHATML)?, "<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a prompt",
    label = "not a prompt",
    note = "add `#[derive(Prompt)]` and a template: `#[prompt(user = \"…\")]`",
    note = "a string becomes a prompt with `prompt!(\"…\")`; a fragment is not a prompt, use it in a slot of another one"
)]
pub trait Prompt {
    /// The type of the model's answer: `String`, or the type given as `output`.
    type Output;

    /// Facts about the prompt that do not depend on its values.
    const INFO: PromptInfo;

    /// Renders the prompt.
    fn render(&self, out: &mut Writer);

    /// Renders the assistant's message with the answer, if the prompt has it as a field (`#[prompt(answer)]`).
    ///
    /// [`Prompt::render`] never renders it, since the model has to find it.
    fn render_answer(&self, out: &mut Writer) {
        let _ = out;
    }

    /// The JSON Schema of the answer; `None` for plain text.
    fn output_schema() -> Option<serde_json::Value> {
        None
    }

    /// Parses the model's answer.
    ///
    /// # Errors
    /// An answer that does not match the schema, with its position.
    fn parse_reply(reply: &Reply) -> Result<Self::Output>;

    /// The messages for a chat API.
    ///
    /// # Errors
    /// The value of a field cannot be rendered: an invalid history, a tool without a name, a value that cannot be written as JSON.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt};
    ///
    /// assert_eq!(Messages::from([Message::user("Hi")]).messages()?.len(), 1);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    fn messages(&self) -> Result<Messages> {
        render_messages::<Self>(|out| self.render(out))
    }

    /// The messages with the answer, if the prompt has it as a field: a few-shot example, or a row for training.
    ///
    /// # Errors
    /// As [`messages`](Prompt::messages).
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt};
    ///
    /// let prompt = Messages::from([Message::user("Hi")]);
    /// assert_eq!(prompt.messages_with_answer()?, prompt.messages()?);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    fn messages_with_answer(&self) -> Result<Messages> {
        render_messages::<Self>(|out| {
            self.render(out);
            self.render_answer(out);
        })
    }

    /// Returns the messages with the message of the answer, in which `mask` replaces the answer: for completion models, which need the
    /// text before the answer.
    ///
    /// # Errors
    /// As [`messages`](Prompt::messages).
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt};
    ///
    /// let prompt = Messages::from([Message::user("Hi")]);
    /// assert_eq!(prompt.messages_with_mask("")?, prompt.messages()?);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    fn messages_with_mask(&self, mask: &'static str) -> Result<Messages> {
        render_messages::<Self>(|out| {
            self.render(out);
            out.mask_answers(mask);
            self.render_answer(out);
        })
    }

    /// Returns the text of the only message, without a chat format: for completion and embedding models.
    ///
    /// # Errors
    /// More than one message, history, media or tools, which plain text does not support; an error of rendering.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt};
    ///
    /// assert_eq!(Messages::from([Message::user("Once upon a time")]).to_plain_text()?, "Once upon a time");
    /// assert!(Messages::from([Message::system("Be brief."), Message::user("Hi")]).to_plain_text().is_err());
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    fn to_plain_text(&self) -> Result<String> {
        crate::write::plain_text(self)
    }

    /// Returns the conversation as one text in a chat format: for completion endpoints and for tokenizers.
    ///
    /// A chat API formats the messages itself. It gets [`messages`](Prompt::messages), or the prompt by [`Llm::call`](crate::Llm::call). In a message of
    /// a chat API, the control tokens of this text would be text of the user.
    ///
    /// # Errors
    /// Messages that the format does not support, and an error of rendering.
    fn to_text(&self, format: impl ChatFormat) -> Result<String>
    where
        Self: Sized,
    {
        self.to_annotated_text(format)
            .map(AnnotatedText::into_string)
    }

    /// The same text, with the source of each segment.
    ///
    /// # Errors
    /// As [`to_text`](Prompt::to_text).
    fn to_annotated_text(&self, format: impl ChatFormat) -> Result<AnnotatedText>
    where
        Self: Sized,
    {
        let text = PromptParts::from_prompt(self).and_then(|parts| format.format_parts(parts));
        text.map_err(|error| error.or_with_prompt(&Self::INFO))
    }

    /// The tokens of the same text.
    ///
    /// Data is text to the tokenizer, so its control tokens in data need no breaking, and data passes as it is. The guard
    /// breaks, or rejects, only delimiters of the format that the tokenizer encodes as text, such as `[INST]`.
    ///
    /// # Errors
    /// As [`to_text`](Prompt::to_text); a tokenizer that has none of the format's control tokens.
    #[cfg(feature = "tokens")]
    fn to_tokens(
        &self,
        format: impl ChatFormat,
        tokenizer: &(impl crate::tokens::Tokenizer + ?Sized),
    ) -> Result<crate::tokens::Tokens>
    where
        Self: Sized,
    {
        crate::tokens::tokenize_prompt(self, format, tokenizer)
    }

    #[cfg(not(feature = "tokens"))]
    #[doc(hidden)]
    fn to_tokens(&self, _format: impl ChatFormat, _tokenizer: impl Sized) -> Result<()>
    where
        Self: crate::missing::HasTokens + Sized,
    {
        Ok(())
    }
}

/// The messages that `write` writes for the prompt `P`.
fn render_messages<P: Prompt + ?Sized>(write: impl FnOnce(&mut Writer)) -> Result<Messages> {
    let mut out = Writer::new();
    write(&mut out);
    out.finish().map_err(|error| error.or_with_prompt(&P::INFO))
}

/// A prompt without tools, to which a call may add tools.
///
/// `#[derive(Prompt)]` implements it for a type without a field marked `#[prompt(tools)]`. Tools in [`Messages`] are
/// checked when the call is made.
///
/// ```
/// fn takes_tools<P: typed_prompt::tool::AcceptsTools>(_: &P) {}
///
/// takes_tools(&typed_prompt::Messages::new());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` takes no tools from a call",
    label = "has its own tools, or is not a prompt",
    note = "remove the field marked `#[prompt(tools)]`, or use `with_own_tools`, where the model calls that field's tools"
)]
pub trait AcceptsTools: Prompt {}

#[diagnostic::do_not_recommend]
impl<P: AcceptsTools + ?Sized> AcceptsTools for &P {}

#[diagnostic::do_not_recommend]
impl AcceptsTools for Messages {}

#[diagnostic::do_not_recommend]
impl<P: Prompt + ?Sized> Prompt for &P {
    type Output = P::Output;
    const INFO: PromptInfo = P::INFO;

    fn render(&self, out: &mut Writer) {
        (**self).render(out);
    }

    fn render_answer(&self, out: &mut Writer) {
        (**self).render_answer(out);
    }

    fn output_schema() -> Option<serde_json::Value> {
        P::output_schema()
    }

    fn parse_reply(reply: &Reply) -> Result<P::Output> {
        P::parse_reply(reply)
    }
}

/// `Messages` are a prompt with the output type `String`.
#[diagnostic::do_not_recommend]
impl Prompt for Messages {
    type Output = String;
    const INFO: PromptInfo = PromptInfo::new("Messages").with_position(file!(), line!(), column!());

    fn render(&self, out: &mut Writer) {
        out.append(self);
    }

    fn parse_reply(reply: &Reply) -> Result<String> {
        crate::output::parse_text(reply)
    }

    fn messages(&self) -> Result<Messages> {
        Ok(self.clone())
    }
}
