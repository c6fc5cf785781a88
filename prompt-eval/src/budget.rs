//! Limits of the length of prompts.

use prompt_core::{Examples, Messages};

use crate::DataError;

/// The maximum length of a prompt in tokens, words, or another unit.
///
/// Few-shot examples are left out from the end until the prompt fits. A prompt that is too long without examples is an
/// error.
///
/// ```
/// use typed_prompt::{Examples, Message, Messages, Prompt, eval::PromptBudget, write::Writer};
///
/// let example = |text: &str| Messages::from([Message::user(text)]);
/// let examples = Examples::texts([example("2+2 = 4"), example("3+3 = 6"), example("4+4 = 8")])?;
/// let ask = |examples: &Examples| {
///     let mut out = Writer::new();
///     out.slot("examples", examples);
///     out.text("1+1 =");
///     out.finish()
/// };
/// let fitted = PromptBudget::max_words(8).fit_examples(examples, ask)?;
/// assert_eq!((fitted.examples.len(), fitted.dropped), (2, 1));
/// assert_eq!(fitted.messages[0].text(), "2+2 = 4\n3+3 = 6\n1+1 =");
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
pub struct PromptBudget {
    limit: usize,
    unit: &'static str,
    measure: Box<dyn Fn(&Messages) -> usize + Send + Sync>,
}

/// A prompt that fits its budget.
#[derive(Clone, Debug)]
pub struct FittedPrompt {
    /// The prompt.
    pub messages: Messages,
    /// The few-shot examples of the prompt.
    pub examples: Examples,
    /// How many examples were left out.
    pub dropped: usize,
}

impl PromptBudget {
    /// A budget in a unit that `measure` counts, such as the tokens of a tokenizer.
    ///
    /// ```
    /// use typed_prompt::eval::PromptBudget;
    ///
    /// let budget = PromptBudget::new(4096, "letters", |messages| messages.iter().map(|message| message.text().len()).sum());
    /// ```
    pub fn new(
        limit: usize,
        unit: &'static str,
        measure: impl Fn(&Messages) -> usize + Send + Sync + 'static,
    ) -> PromptBudget {
        PromptBudget {
            limit,
            unit,
            measure: Box::new(measure),
        }
    }

    /// A budget in words, separated by white space.
    pub fn max_words(limit: usize) -> PromptBudget {
        PromptBudget::new(limit, "words", |messages| {
            let texts = messages.iter().map(|message| message.text());
            texts.map(|text| text.split_whitespace().count()).sum()
        })
    }

    /// Leaves out examples until the prompt fits.
    ///
    /// # Errors
    /// The prompt is too long without examples, or cannot be rendered.
    pub fn fit_examples(
        &self,
        mut examples: Examples,
        mut prompt: impl FnMut(&Examples) -> prompt_core::Result<Messages>,
    ) -> Result<FittedPrompt, DataError> {
        let mut dropped = 0;
        loop {
            let messages = prompt(&examples)?;
            let length = (self.measure)(&messages);
            if length <= self.limit {
                return Ok(FittedPrompt {
                    messages,
                    examples,
                    dropped,
                });
            }
            if examples.pop().is_none() {
                let (limit, unit) = (self.limit, self.unit);
                return Err(DataError::new(format!(
                    "the prompt has {length} {unit} without any example, and {limit} are allowed"
                )));
            }
            dropped += 1;
        }
    }
}

impl std::fmt::Debug for PromptBudget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PromptBudget({} {})", self.limit, self.unit)
    }
}
