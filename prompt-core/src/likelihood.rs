//! The trait of models that return log-probabilities for the tokens of a given answer.

use std::sync::Arc;

use crate::{BoxFuture, ModelInfo, Result};

/// A model that returns log-probabilities for the tokens of a given answer.
///
/// ```
/// use typed_prompt::{Result, llm::{BoxFuture, Likelihood}};
///
/// /// Every letter is one of 26, and a token.
/// struct Letters;
///
/// impl Likelihood for Letters {
///     fn score_tokens<'a>(&'a self, _context: &'a str, answer: &'a str) -> BoxFuture<'a, Result<Vec<f64>>> {
///         Box::pin(async move { Ok(answer.chars().map(|_| (1.0_f64 / 26.0).ln()).collect()) })
///     }
/// }
///
/// let values = pollster::block_on(Letters.score_tokens("The answer is ", "yes"))?;
/// assert_eq!(values.len(), 3);
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub trait Likelihood: Send + Sync {
    /// The natural logarithm of the probability of each token of `answer`, after all text before it. Both texts
    /// are given to the model as they are.
    ///
    /// A token that begins in the context and ends in the answer counts, and the first token of all does not where
    /// no text precedes it: no model returns its probability.
    fn score_tokens<'a>(
        &'a self,
        context: &'a str,
        answer: &'a str,
    ) -> BoxFuture<'a, Result<Vec<f64>>>;

    /// Returns what determines the log-probabilities besides the texts: see [`Llm::model_info`](crate::Llm::model_info).
    fn model_info(&self) -> Option<ModelInfo> {
        None
    }
}

macro_rules! pointers {
    ($($ty:ty)*) => {$(
        impl<L: Likelihood + ?Sized> Likelihood for $ty {
            fn score_tokens<'a>(&'a self, context: &'a str, answer: &'a str) -> BoxFuture<'a, Result<Vec<f64>>> {
                (**self).score_tokens(context, answer)
            }

            fn model_info(&self) -> Option<ModelInfo> {
                (**self).model_info()
            }
        }
    )*};
}

pointers! { &L Box<L> Arc<L> }
