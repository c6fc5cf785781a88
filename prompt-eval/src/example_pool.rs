//! A pool of few-shot examples with a retriever.

use std::fmt;

use prompt_core::{Example, Examples, Prompt};

use crate::DataError;
use crate::retrieve::{FixK, Query, Retriever};

/// Few-shot examples, and the retriever that selects some of them for a row. Each example is rendered once.
///
/// ```
/// use typed_prompt::{Message, Messages, eval::{ExamplePool, retrieve::{FixK, Query}}};
///
/// let rows = ["2+2=4", "3+3=6"].map(|text| Messages::from([Message::user(text)]));
/// let mut pool = ExamplePool::from_texts(rows)?.retriever(FixK::new([1]));
/// assert_eq!(pool.select_examples(&Query::row(0))?.iter().next().unwrap().to_string(), "3+3=6");
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
pub struct ExamplePool {
    examples: Vec<Example>,
    retriever: Box<dyn Retriever + Send>,
    leave_one_out: bool,
}

impl ExamplePool {
    /// Examples as messages. All of them are selected, unless a retriever is set.
    ///
    /// # Errors
    /// An example that cannot be rendered, with its index.
    pub fn from_turns<P: Prompt>(
        rows: impl IntoIterator<Item = P>,
    ) -> Result<ExamplePool, DataError> {
        Ok(Examples::turns(rows)?.iter().cloned().collect())
    }

    /// Examples as text.
    ///
    /// # Errors
    /// As [`from_turns`](ExamplePool::from_turns).
    pub fn from_texts<P: Prompt>(
        rows: impl IntoIterator<Item = P>,
    ) -> Result<ExamplePool, DataError> {
        Ok(Examples::texts(rows)?.iter().cloned().collect())
    }

    /// Sets the retriever.
    pub fn retriever(self, retriever: impl Retriever + Send + 'static) -> ExamplePool {
        ExamplePool {
            retriever: Box::new(retriever),
            ..self
        }
    }

    /// Excludes the example of the evaluated row: the examples are the rows of the dataset, in the same order.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, eval::{ExamplePool, retrieve::{FixK, Query}}};
    ///
    /// let rows = ["a", "b"].map(|text| Messages::from([Message::user(text)]));
    /// let mut pool = ExamplePool::from_texts(rows)?.retriever(FixK::new([0, 1])).leave_one_out();
    /// assert_eq!(pool.select_examples(&Query::row(1))?.len(), 1);
    /// # Ok::<(), typed_prompt::eval::DataError>(())
    /// ```
    pub fn leave_one_out(self) -> ExamplePool {
        ExamplePool {
            leave_one_out: true,
            ..self
        }
    }

    /// Selects the examples for a row.
    ///
    /// # Errors
    /// Those of the retriever.
    pub fn select_examples(&mut self, query: &Query<'_>) -> Result<Examples, DataError> {
        let query = match self.leave_one_out {
            true => query.excluding(query.row),
            false => *query,
        };
        let count = self.examples.len();
        let ids = self.retriever.select_rows(&query, count)?;
        let examples = ids.into_iter().map(|id| {
            self.examples.get(id).cloned().ok_or_else(|| {
                DataError::new(format!(
                    "the retriever returned example {id} of {count}, counted from 0"
                ))
            })
        });
        examples.collect()
    }
}

impl FromIterator<Example> for ExamplePool {
    fn from_iter<I: IntoIterator<Item = Example>>(examples: I) -> ExamplePool {
        let examples: Vec<Example> = examples.into_iter().collect();
        let all = FixK::new(0..examples.len());
        ExamplePool {
            examples,
            retriever: Box::new(all),
            leave_one_out: false,
        }
    }
}

impl fmt::Debug for ExamplePool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExamplePool({})", self.examples.len())
    }
}
