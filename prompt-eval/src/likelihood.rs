use prompt_core::{ChatFormat, Messages, Prompt, Role};

use crate::{Error, Result};

/// A text whose end is scored: how likely a model finds each of several answers.
///
/// A prompt for each answer is a variant of an enum, or a value of `#[prompt(answer)]`. A model that is a
/// [`Likelihood`](prompt_core::Likelihood) is asked for the log-probabilities of the answer's tokens; those before are
/// masked. [`Eval::ranked`](crate::Eval::ranked) does it for all rows.
///
/// ```
/// use prompt_core::{Message, Messages};
/// use prompt_eval::Completion;
///
/// let scored = Completion::of(&Messages::from([Message::user("Q: Which?"), Message::assistant(" A")]))?;
/// assert_eq!((scored.text().as_str(), scored.context.len()), ("Q: Which? A", 9));
/// # Ok::<(), prompt_eval::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// What is given.
    pub context: String,
    /// What is scored.
    pub answer: String,
}

impl Completion {
    /// The text of a prompt for a model that continues texts; the assistant's last turn is scored.
    ///
    /// # Errors
    /// A prompt that does not end with the assistant's turn, and what cannot be written.
    pub fn of(prompt: &(impl Prompt + ?Sized)) -> Result<Completion> {
        let messages = prompt.with_answer();
        messages.check()?;
        let (answer, context) = split(&messages)?;
        let context = context
            .iter()
            .map(|message| message.text())
            .collect::<String>();
        Ok(Completion { context, answer })
    }

    /// The text of a prompt in a model's own format.
    ///
    /// # Errors
    /// As [`of`](Completion::of), and what the format cannot say.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, format};
    /// use prompt_eval::Completion;
    ///
    /// let messages = Messages::from([Message::user("2+2?"), Message::assistant("4")]);
    /// let scored = Completion::in_format(&messages, format::CHATML)?;
    /// assert_eq!(scored.context, "<|im_start|>user\n2+2?<|im_end|>\n<|im_start|>assistant\n");
    /// # Ok::<(), prompt_eval::Error>(())
    /// ```
    pub fn in_format(
        prompt: &(impl Prompt + ?Sized),
        format: impl ChatFormat,
    ) -> Result<Completion> {
        let messages = prompt.with_answer();
        messages.check()?;
        let (answer, context) = split(&messages)?;
        let context = Messages::from(context.to_vec()).to_text(format)?;
        Ok(Completion { context, answer })
    }

    /// All of it.
    pub fn text(&self) -> String {
        format!("{}{}", self.context, self.answer)
    }

    /// The same text with nothing masked: all of it is scored, as AISBench's `PPLInferencer` does it.
    ///
    /// ```
    /// use prompt_core::{Message, Messages};
    /// use prompt_eval::Completion;
    ///
    /// let scored = Completion::of(&Messages::from([Message::user("Q: Which?"), Message::assistant(" A")]))?;
    /// assert_eq!(scored.whole().answer, "Q: Which? A");
    /// # Ok::<(), prompt_eval::Error>(())
    /// ```
    pub fn whole(&self) -> Completion {
        Completion {
            context: String::new(),
            answer: self.text(),
        }
    }

    /// The same answer after a text that says nothing about it: what is subtracted, so that likely words gain nothing.
    ///
    /// ```
    /// use prompt_core::{Message, Messages};
    /// use prompt_eval::Completion;
    ///
    /// let scored = Completion::of(&Messages::from([Message::user("Q: Which?"), Message::assistant(" A")]))?;
    /// assert_eq!(scored.after("Answer:").text(), "Answer: A");
    /// # Ok::<(), prompt_eval::Error>(())
    /// ```
    pub fn after(&self, context: impl Into<String>) -> Completion {
        Completion {
            context: context.into(),
            answer: self.answer.clone(),
        }
    }
}

fn split(messages: &Messages) -> Result<(String, &[prompt_core::Message])> {
    match messages.as_slice() {
        [context @ .., answer] if answer.role == Role::Assistant => {
            Ok((answer.text().into_owned(), context))
        }
        _ => Err(
            Error::new("the prompt has no answer at its end that can be scored")
                .with_help("end it with an `assistant` text"),
        ),
    }
}
