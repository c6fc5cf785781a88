//! Selection of few-shot examples.

mod bm25;
mod random;
mod vectors;

use crate::DataError;

pub use bm25::Bm25;
pub use random::Random;
pub use vectors::{Dpp, Nearest, RetrievalInput, VoteK};

/// A query for few-shot examples: a row of the evaluated dataset.
///
/// ```
/// use typed_prompt::eval::retrieve::Query;
///
/// let query = Query::row(3).text("how tall is mount fuji").excluding(&[7]);
/// assert_eq!((query.row, query.excluded), (3, &[7][..]));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Query<'a> {
    /// The index of the row in its dataset: how many records precede it, with those that cannot be read.
    pub row: usize,
    /// The text with which examples are compared.
    pub text: &'a str,
    /// The vector with which examples are compared. `None` selects that of [`row`](Query::row).
    pub vector: Option<&'a [f32]>,
    /// The indices of the examples that are excluded, in ascending order: the row itself, if it is one of the examples.
    pub excluded: &'a [usize],
}

impl<'a> Query<'a> {
    /// The query of a row.
    pub fn row(row: usize) -> Query<'a> {
        Query {
            row,
            ..Query::default()
        }
    }

    /// Sets the text with which examples are compared.
    pub fn text(self, text: &'a str) -> Query<'a> {
        Query { text, ..self }
    }

    /// Sets the vector with which examples are compared, for a question that is not a row of a dataset: one that a user asks now.
    ///
    /// ```
    /// use typed_prompt::eval::retrieve::{Nearest, Query, RetrievalInput, Retriever};
    ///
    /// let examples = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
    /// let mut nearest = Nearest::new(1, RetrievalInput { examples, queries: vec![] })?;
    /// assert_eq!(nearest.select_rows(&Query::default().vector(&[0.2, 0.9]), 2)?, [1]);
    /// # Ok::<(), typed_prompt::eval::DataError>(())
    /// ```
    pub fn vector(self, vector: &'a [f32]) -> Query<'a> {
        Query {
            vector: Some(vector),
            ..self
        }
    }

    /// Excludes examples, such as the row itself. Their indices are in ascending order.
    pub fn excluding<'b>(self, excluded: &'b [usize]) -> Query<'b>
    where
        'a: 'b,
    {
        Query { excluded, ..self }
    }

    fn is_excluded(&self, id: usize) -> bool {
        self.excluded.binary_search(&id).is_ok()
    }
}

/// A strategy to select few-shot examples.
///
/// The selection is deterministic, and never contains an excluded example.
///
/// ```
/// use typed_prompt::eval::retrieve::{FixK, Query, Retriever};
///
/// let mut three = FixK::new([0, 1, 2]);
/// assert_eq!(three.select_rows(&Query::row(0), 10)?, [0, 1, 2]);
/// // Example 1 is excluded, so two are left.
/// assert_eq!(three.select_rows(&Query::row(0).excluding(&[1]), 10)?, [0, 2]);
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
pub trait Retriever {
    /// The indices of the examples for a query, out of `count`, in the order of the prompt.
    ///
    /// It is called once for every row, in their order, also for rows that already have a result.
    ///
    /// # Errors
    /// An example does not exist, or there are not enough.
    fn select_rows(&mut self, query: &Query<'_>, count: usize) -> Result<Vec<usize>, DataError>;

    /// What the selection depends on, such as a seed. A results file records it. By default it is the name of the type.
    ///
    /// ```
    /// use typed_prompt::eval::retrieve::{Random, Retriever};
    ///
    /// assert_eq!(Random::new(2).seed(42).definition(), "2 random, seed 42");
    /// ```
    fn definition(&self) -> String {
        std::any::type_name::<Self>().to_owned()
    }
}

impl<R: Retriever + ?Sized> Retriever for Box<R> {
    fn select_rows(&mut self, query: &Query<'_>, count: usize) -> Result<Vec<usize>, DataError> {
        (**self).select_rows(query, count)
    }

    fn definition(&self) -> String {
        (**self).definition()
    }
}

/// No examples.
///
/// ```
/// use typed_prompt::eval::retrieve::{Query, Retriever, Zero};
///
/// assert!(Zero.select_rows(&Query::row(0), 10)?.is_empty());
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl Retriever for Zero {
    fn select_rows(&mut self, _: &Query<'_>, _: usize) -> Result<Vec<usize>, DataError> {
        Ok(Vec::new())
    }

    fn definition(&self) -> String {
        "none".to_owned()
    }
}

/// The same examples for every query.
///
/// ```
/// use typed_prompt::eval::retrieve::{FixK, Query, Retriever};
///
/// let error = FixK::new([0, 3]).select_rows(&Query::row(0), 3).unwrap_err();
/// assert_eq!(error.to_string(), "there is no example 3: there are 3, counted from 0");
/// ```
#[derive(Clone, Debug)]
pub struct FixK(Vec<usize>);

impl FixK {
    /// The examples with these indices, in this order.
    pub fn new(ids: impl IntoIterator<Item = usize>) -> FixK {
        FixK(ids.into_iter().collect())
    }
}

impl Retriever for FixK {
    fn select_rows(&mut self, query: &Query<'_>, count: usize) -> Result<Vec<usize>, DataError> {
        if let Some(missing) = self.0.iter().find(|id| **id >= count) {
            return Err(DataError::new(format!(
                "there is no example {missing}: there are {count}, counted from 0"
            )));
        }
        let mut others = self.0.clone();
        others.retain(|id| !query.is_excluded(*id));
        Ok(others)
    }

    fn definition(&self) -> String {
        // Indices that follow each other are written as a range, so that a pool of which all are selected has a short text.
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        for id in &self.0 {
            match ranges.last_mut() {
                Some((_, end)) if *id == *end + 1 => *end = *id,
                _ => ranges.push((*id, *id)),
            }
        }
        let ranges = ranges.iter().map(|(start, end)| match start == end {
            true => start.to_string(),
            false => format!("{start}–{end}"),
        });
        format!("fixed {}", ranges.collect::<Vec<_>>().join(", "))
    }
}

/// The examples directly before the row of the query. The first row is preceded by the last.
///
/// ```
/// use typed_prompt::eval::retrieve::{Query, Retriever, Window};
///
/// assert_eq!(Window::new(3).select_rows(&Query::row(1), 12)?, [10, 11, 0]);
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Window(usize);

impl Window {
    /// The last `wanted` examples.
    pub fn new(wanted: usize) -> Window {
        Window(wanted)
    }
}

impl Retriever for Window {
    fn select_rows(&mut self, query: &Query<'_>, count: usize) -> Result<Vec<usize>, DataError> {
        check_count(self.0, query, count)?;
        if self.0 == 0 {
            return Ok(Vec::new());
        }
        let start = query.row % count;
        let before = (1..=count).map(|back| (start + count - back) % count);
        let mut ids: Vec<usize> = before
            .filter(|id| !query.is_excluded(*id))
            .take(self.0)
            .collect();
        ids.reverse();
        Ok(ids)
    }

    fn definition(&self) -> String {
        format!("{} before the row", self.0)
    }
}

/// Fails if fewer examples are available than wanted.
fn check_count(wanted: usize, query: &Query<'_>, count: usize) -> Result<(), DataError> {
    let available = count - excluded_below(query, count);
    if wanted <= available {
        return Ok(());
    }
    let besides = match query.excluded.is_empty() {
        false => " besides the row itself and its equals",
        true => "",
    };
    let message = format!("{wanted} examples are wanted, and there are {available}{besides}");
    Err(DataError::new(message).with_help("want fewer, or give the pool more examples"))
}

/// How many of the first `count` examples are excluded.
fn excluded_below(query: &Query<'_>, count: usize) -> usize {
    query.excluded.partition_point(|id| *id < count)
}

/// The indices of the `wanted` highest scores, highest first. Of equal scores the last comes first, as when an ascending
/// sort is reversed.
fn top(scores: &[f64], wanted: usize, query: &Query<'_>) -> Vec<usize> {
    let mut ids: Vec<usize> = (0..scores.len()).rev().collect();
    ids.sort_by(|left, right| scores[*right].total_cmp(&scores[*left]));
    ids.retain(|id| !query.is_excluded(*id));
    ids.truncate(wanted);
    ids
}
