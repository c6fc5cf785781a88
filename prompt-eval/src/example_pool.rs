//! A pool of few-shot examples with a retriever.

use std::fmt;

use prompt_core::{Example, Examples, Prompt, PromptInfo};

use crate::DataError;
use crate::fingerprint::{RowIdentity, hash_input, hash_record};
use crate::retrieve::{FixK, Query, Retriever};

/// Few-shot examples, and the retriever that selects some of them for a row. Each example is rendered once.
///
/// A row never sees itself, with its answer: examples that equal it are excluded, if the pool was made of rows of the same prompt. See
/// [`leave_one_out`](ExamplePool::leave_one_out), [`leave_equal_inputs_out`](ExamplePool::leave_equal_inputs_out) and
/// [`keep_equal_rows`](ExamplePool::keep_equal_rows).
///
/// ```
/// use typed_prompt::{Message, Messages, eval::{ExamplePool, retrieve::{FixK, Query}}};
///
/// let rows = ["2+2=4", "3+3=6"].map(|text| Messages::from([Message::user(text)]));
/// let mut pool = ExamplePool::from_texts(&rows)?.retriever(FixK::new([1]));
/// let examples = pool.select_examples(&rows[0], &Query::row(0))?;
/// assert_eq!(examples.iter().next().unwrap().to_string(), "3+3=6");
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
#[must_use = "a pool is given to an evaluation"]
pub struct ExamplePool {
    examples: Vec<Example>,
    /// The rows from which the examples were rendered. `None` for examples that were collected without their rows.
    rows: Option<PoolRows>,
    retriever: Box<dyn Retriever + Send>,
    left_out: LeftOut,
}

/// The rows of a pool: the hashes of their content, sorted, each with the index of its example.
struct PoolRows {
    prompt: &'static PromptInfo,
    records: Vec<(u64, usize)>,
    inputs: Vec<(u64, usize)>,
}

/// The examples that a row must not see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LeftOut {
    Nothing,
    /// The row itself, if it can be compared with the examples: another prompt may select examples for its rows.
    KnownRows,
    EqualRows,
    EqualInputs,
}

impl ExamplePool {
    /// Examples as messages. All of them are selected, unless a retriever is set.
    ///
    /// # Errors
    /// An example that cannot be rendered, with its index.
    pub fn from_turns<P: Prompt>(
        rows: impl IntoIterator<Item = P>,
    ) -> Result<ExamplePool, DataError> {
        ExamplePool::from_rows(rows, Example::turns)
    }

    /// Examples as text.
    ///
    /// # Errors
    /// As [`from_turns`](ExamplePool::from_turns).
    pub fn from_texts<P: Prompt>(
        rows: impl IntoIterator<Item = P>,
    ) -> Result<ExamplePool, DataError> {
        ExamplePool::from_rows(rows, Example::text)
    }

    fn from_rows<P: Prompt>(
        rows: impl IntoIterator<Item = P>,
        render: impl Fn(&P) -> prompt_core::Result<Example>,
    ) -> Result<ExamplePool, DataError> {
        let (mut examples, mut identities) = (Vec::new(), Vec::new());
        for (index, row) in rows.into_iter().enumerate() {
            let example =
                render(&row).map_err(|error| error.inside(&format!("example {index}")))?;
            examples.push(example);
            identities.push(RowIdentity::from_prompt(&row)?);
        }
        Ok(ExamplePool {
            rows: Some(PoolRows::new(&P::INFO, &identities)),
            ..examples.into_iter().collect()
        })
    }

    /// Sets the retriever.
    pub fn retriever(self, retriever: impl Retriever + Send + 'static) -> ExamplePool {
        ExamplePool {
            retriever: Box::new(retriever),
            ..self
        }
    }

    /// Excludes the evaluated row from its examples, for a pool of the rows that are evaluated: all of them, or any part of them in any
    /// order. This is the default; with this method, a row that cannot be compared with the examples is an error.
    ///
    /// A row is recognised by what its prompt renders, with its answer. So all rows that equal the evaluated one are excluded, as in
    /// lm-evaluation-harness.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, eval::{ExamplePool, retrieve::{FixK, Query}}};
    ///
    /// let rows = ["a", "b", "a"].map(|text| Messages::from([Message::user(text)]));
    /// let mut pool = ExamplePool::from_texts(&rows)?.retriever(FixK::new(0..3)).leave_one_out();
    /// assert_eq!(pool.select_examples(&rows[0], &Query::row(0))?.len(), 1);
    /// assert_eq!(pool.select_examples(&rows[1], &Query::row(1))?.len(), 2);
    /// # Ok::<(), typed_prompt::eval::DataError>(())
    /// ```
    pub fn leave_one_out(self) -> ExamplePool {
        ExamplePool {
            left_out: LeftOut::EqualRows,
            ..self
        }
    }

    /// Excludes all examples with the input of the evaluated row, whatever their answer is: for datasets that contain a question several
    /// times with answers that are written differently.
    ///
    /// ```
    /// use typed_prompt::{Prompt, eval::{ExamplePool, retrieve::{FixK, Query}}};
    ///
    /// #[derive(Prompt)]
    /// #[prompt(user = "<question>", assistant = "<answer>")]
    /// struct Quiz { question: &'static str, #[prompt(answer)] answer: &'static str }
    ///
    /// let rows = [("1+1?", "2"), ("1+1?", "two"), ("2+2?", "4")].map(|(question, answer)| Quiz { question, answer });
    /// let mut pool = ExamplePool::from_turns(&rows)?.retriever(FixK::new(0..3)).leave_equal_inputs_out();
    /// assert_eq!(pool.select_examples(&rows[0], &Query::row(0))?.len(), 1);
    /// # Ok::<(), typed_prompt::eval::DataError>(())
    /// ```
    pub fn leave_equal_inputs_out(self) -> ExamplePool {
        ExamplePool {
            left_out: LeftOut::EqualInputs,
            ..self
        }
    }

    /// Excludes no example, also if it equals the evaluated row: to repeat the figures of a tool that shows a row its own answer.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, eval::{ExamplePool, retrieve::{FixK, Query}}};
    ///
    /// let rows = ["a", "b"].map(|text| Messages::from([Message::user(text)]));
    /// let mut pool = ExamplePool::from_texts(&rows)?.retriever(FixK::new(0..2)).keep_equal_rows();
    /// assert_eq!(pool.select_examples(&rows[0], &Query::row(0))?.len(), 2);
    /// # Ok::<(), typed_prompt::eval::DataError>(())
    /// ```
    pub fn keep_equal_rows(self) -> ExamplePool {
        ExamplePool {
            left_out: LeftOut::Nothing,
            ..self
        }
    }

    /// Selects the examples for a row. The row is recognised as it is rendered, so its own examples are not set yet.
    ///
    /// # Errors
    /// Those of the retriever. With [`leave_one_out`](ExamplePool::leave_one_out), also a row of another type than the examples, which cannot
    /// be compared with them.
    pub fn select_examples<R: Prompt>(
        &mut self,
        row: &R,
        query: &Query<'_>,
    ) -> Result<Examples, DataError> {
        let mut excluded = self.own_examples(row)?;
        excluded.extend(query.excluded);
        excluded.sort_unstable();
        excluded.dedup();
        let count = self.examples.len();
        let ids = self
            .retriever
            .select_rows(&query.excluding(&excluded), count)?;
        let examples = ids.into_iter().map(|id| match self.examples.get(id) {
            // A retriever of the program may ignore what is excluded.
            Some(_) if excluded.contains(&id) => Err(DataError::new(format!(
                "the retriever returned example {id}, which is excluded for this row"
            ))),
            Some(example) => Ok(example.clone()),
            None => Err(DataError::new(format!(
                "the retriever returned example {id} of {count}, counted from 0"
            ))),
        });
        examples.collect()
    }

    /// How examples are selected, for the head of the results.
    #[cfg(feature = "run")]
    pub(crate) fn describe_selection(&self) -> String {
        let (selection, count) = (self.retriever.definition(), self.examples.len());
        let left_out = match self.left_out {
            LeftOut::KnownRows => "",
            LeftOut::Nothing => ", also the row itself",
            LeftOut::EqualRows => ", without the row itself",
            LeftOut::EqualInputs => ", without those of the same input",
        };
        format!("{selection}, of {count}{left_out}")
    }

    /// The indices of the examples that the row must not see.
    fn own_examples<R: Prompt>(&self, row: &R) -> Result<Vec<usize>, DataError> {
        if self.left_out == LeftOut::Nothing {
            return Ok(Vec::new());
        }
        let is_lenient = self.left_out == LeftOut::KnownRows;
        let Some(rows) = &self.rows else {
            if is_lenient {
                return Ok(Vec::new());
            }
            return Err(DataError::new(
                "the examples were collected without their rows, so that the evaluated row cannot be recognised among them",
            )
            .with_help("make the pool with `ExamplePool::from_turns` or `ExamplePool::from_texts`"));
        };
        let prompt = rows.prompt;
        if (prompt.name, prompt.fingerprint) != (R::INFO.name, R::INFO.fingerprint) {
            if is_lenient {
                return Ok(Vec::new());
            }
            return Err(DataError::new(format!(
                "the examples are of the prompt `{}` and the rows of `{}`, so that the evaluated row cannot be recognised among them",
                prompt.name,
                R::INFO.name
            ))
            .with_help("make the pool of rows of the same type"));
        }
        Ok(match self.left_out {
            LeftOut::Nothing => Vec::new(),
            LeftOut::KnownRows | LeftOut::EqualRows => find_hash(&rows.records, hash_record(row)?),
            LeftOut::EqualInputs => find_hash(&rows.inputs, hash_input(row)?),
        })
    }
}

impl PoolRows {
    fn new(prompt: &'static PromptInfo, identities: &[RowIdentity]) -> PoolRows {
        let sorted = |hash: fn(&RowIdentity) -> u64| {
            let hashes = identities.iter().map(hash).zip(0..);
            let mut hashes: Vec<(u64, usize)> = hashes.collect();
            hashes.sort_unstable();
            hashes
        };
        PoolRows {
            prompt,
            records: sorted(|identity| identity.record),
            inputs: sorted(|identity| identity.input),
        }
    }
}

/// The examples with a hash, in their order.
fn find_hash(sorted: &[(u64, usize)], hash: u64) -> Vec<usize> {
    let start = sorted.partition_point(|(other, _)| *other < hash);
    let equal = sorted[start..].iter();
    let equal = equal.take_while(|(other, _)| *other == hash);
    equal.map(|(_, index)| *index).collect()
}

impl FromIterator<Example> for ExamplePool {
    fn from_iter<I: IntoIterator<Item = Example>>(examples: I) -> ExamplePool {
        let examples: Vec<Example> = examples.into_iter().collect();
        let all = FixK::new(0..examples.len());
        ExamplePool {
            examples,
            rows: None,
            retriever: Box::new(all),
            left_out: LeftOut::KnownRows,
        }
    }
}

impl fmt::Debug for ExamplePool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExamplePool({})", self.examples.len())
    }
}
