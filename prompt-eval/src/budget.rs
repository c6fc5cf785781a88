use prompt_core::{Messages, Shots};

use crate::{Error, Result};

/// How long a prompt may be, by a measure of yours: tokens, words or bytes.
///
/// Examples are left out from the end until it fits, each as a whole; a prompt that is too long without any is an error.
///
/// ```
/// use prompt_core::{Message, Messages, Prompt, Shots, Writer};
/// use prompt_eval::Budget;
///
/// let example = |text: &str| Messages::from([Message::user(text)]);
/// let shots = Shots::texts([example("2+2 = 4"), example("3+3 = 6"), example("4+4 = 8")]);
/// let ask = |shots: &Shots| {
///     let mut out = Writer::new();
///     out.slot("shots", shots);
///     out.text("1+1 =");
///     out.finish()
/// };
/// let fitted = Budget::words(8).fit(shots, ask)?;
/// assert_eq!((fitted.shots.len(), fitted.dropped), (2, 1));
/// assert_eq!(fitted.messages[0].text(), "2+2 = 4\n3+3 = 6\n1+1 =");
/// # Ok::<(), prompt_eval::Error>(())
/// ```
pub struct Budget {
    limit: usize,
    unit: &'static str,
    measure: Box<dyn Fn(&Messages) -> usize + Send + Sync>,
}

/// A prompt that fits, and what was left out for it.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The prompt.
    pub messages: Messages,
    /// The examples in it.
    pub shots: Shots,
    /// How many examples were left out.
    pub dropped: usize,
}

impl Budget {
    /// So many of a unit, as a tokenizer counts them.
    ///
    /// ```
    /// use prompt_eval::Budget;
    ///
    /// let budget = Budget::new(4096, "letters", |messages| messages.iter().map(|message| message.text().len()).sum());
    /// ```
    pub fn new(
        limit: usize,
        unit: &'static str,
        measure: impl Fn(&Messages) -> usize + Send + Sync + 'static,
    ) -> Budget {
        Budget {
            limit,
            unit,
            measure: Box::new(measure),
        }
    }

    /// So many words, as white space parts them.
    pub fn words(limit: usize) -> Budget {
        Budget::new(limit, "words", |messages| {
            let texts = messages.iter().map(|message| message.text());
            texts.map(|text| text.split_whitespace().count()).sum()
        })
    }

    /// Leaves examples out until the prompt fits.
    ///
    /// # Errors
    /// A prompt that is too long without any example, and one that cannot be written.
    pub fn fit(
        &self,
        mut shots: Shots,
        mut prompt: impl FnMut(&Shots) -> Messages,
    ) -> Result<Fitted> {
        let mut dropped = 0;
        loop {
            let messages = prompt(&shots);
            messages.check()?;
            let length = (self.measure)(&messages);
            if length <= self.limit {
                return Ok(Fitted {
                    messages,
                    shots,
                    dropped,
                });
            }
            if shots.pop().is_none() {
                let (limit, unit) = (self.limit, self.unit);
                return Err(Error::new(format!(
                    "the prompt has {length} {unit} without any example, and {limit} are allowed"
                )));
            }
            dropped += 1;
        }
    }
}

impl std::fmt::Debug for Budget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Budget({} {})", self.limit, self.unit)
    }
}
