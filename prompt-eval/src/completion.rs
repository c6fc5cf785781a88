//! Pairs of a context and a completion whose log-probability is scored.

use prompt_core::{ChatFormat, Messages, Prompt, Role};

use crate::DataError;

/// A context and the completion that is scored after it.
///
/// The prompts of several answers are variants of an enum, or values of a `#[prompt(answer)]` field. A
/// [`Likelihood`](prompt_core::Likelihood) returns the log-probabilities of the tokens of the answer; those of the context
/// are masked. [`Eval::multiple_choice`](crate::Eval::multiple_choice) scores all rows of a dataset.
///
/// ```
/// use typed_prompt::{Message, Messages, eval::Completion};
///
/// let scored = Completion::from_prompt(&Messages::from([Message::user("Q: Which?"), Message::assistant(" A")]))?;
/// assert_eq!((scored.text().as_str(), scored.context.len()), ("Q: Which? A", 9));
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// The text before the answer.
    pub context: String,
    /// The text that is scored.
    pub answer: String,
}

impl Completion {
    /// The texts of a prompt, joined, for a base model. The last assistant message is the answer.
    ///
    /// # Errors
    /// The prompt does not end with an assistant message, or cannot be rendered.
    pub fn from_prompt(prompt: &(impl Prompt + ?Sized)) -> Result<Completion, DataError> {
        Completion::split_answer(prompt, |context| {
            Ok(context.iter().map(|message| message.text()).collect())
        })
    }

    /// The text of a prompt in a chat format.
    ///
    /// # Errors
    /// As [`from_prompt`](Completion::from_prompt), and if the format cannot represent the messages.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, eval::Completion, format};
    ///
    /// let messages = Messages::from([Message::user("2+2?"), Message::assistant("4")]);
    /// let scored = Completion::in_format(&messages, format::CHATML)?;
    /// assert_eq!(scored.context, "<|im_start|>user\n2+2?<|im_end|>\n<|im_start|>assistant\n");
    /// # Ok::<(), typed_prompt::eval::DataError>(())
    /// ```
    pub fn in_format(
        prompt: &(impl Prompt + ?Sized),
        format: impl ChatFormat,
    ) -> Result<Completion, DataError> {
        Completion::split_answer(prompt, |context| Ok(context.to_text(format)?))
    }

    fn split_answer(
        prompt: &(impl Prompt + ?Sized),
        context: impl FnOnce(Messages) -> Result<String, DataError>,
    ) -> Result<Completion, DataError> {
        let messages = prompt.messages_with_answer()?;
        match messages.as_slice() {
            [before @ .., answer] if answer.role == Role::Assistant => Ok(Completion {
                context: context(Messages::from(before.to_vec()))?,
                answer: answer.text().into_owned(),
            }),
            _ => Err(
                DataError::new("the prompt does not end with an answer that can be scored")
                    .with_help("end it with an `assistant` text"),
            ),
        }
    }

    /// The context and the answer.
    pub fn text(&self) -> String {
        format!("{}{}", self.context, self.answer)
    }

    /// The same text without a context: all of it is scored, as by AISBench's `PPLInferencer`.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, eval::Completion};
    ///
    /// let scored = Completion::from_prompt(&Messages::from([Message::user("Q: Which?"), Message::assistant(" A")]))?;
    /// assert_eq!(scored.as_whole_answer().answer, "Q: Which? A");
    /// # Ok::<(), typed_prompt::eval::DataError>(())
    /// ```
    pub fn as_whole_answer(&self) -> Completion {
        Completion {
            context: String::new(),
            answer: self.text(),
        }
    }

    /// The same answer after another context, for its unconditional log-probability.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, eval::Completion};
    ///
    /// let scored = Completion::from_prompt(&Messages::from([Message::user("Q: Which?"), Message::assistant(" A")]))?;
    /// assert_eq!(scored.with_context("Answer:").text(), "Answer: A");
    /// # Ok::<(), typed_prompt::eval::DataError>(())
    /// ```
    pub fn with_context(&self, context: impl Into<String>) -> Completion {
        Completion {
            context: context.into(),
            answer: self.answer.clone(),
        }
    }
}
