//! Which examples stand in front of a question.

mod bm25;
mod diverse;
mod nearest;
mod random;
mod tokens;
mod votek;
mod window;

use crate::{Error, Result};

pub use bm25::Bm25;
pub use diverse::Diverse;
pub use nearest::Nearest;
pub use random::Random;
pub use votek::VoteK;
pub use window::Window;

/// A question that examples are wanted for.
///
/// ```
/// use prompt_eval::retrieve::Query;
///
/// let query = Query::row(3).text("how tall is mount fuji").never(7);
/// assert_eq!((query.row, query.itself), (3, Some(7)));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Query<'a> {
    /// Its row in the data set, from 0.
    pub row: usize,
    /// What examples are compared with.
    pub text: &'a str,
    /// The example that it is itself, where questions and examples are of one data set.
    pub itself: Option<usize>,
}

impl<'a> Query<'a> {
    /// The question of a row.
    pub fn row(row: usize) -> Query<'a> {
        Query {
            row,
            ..Query::default()
        }
    }

    /// Sets what examples are compared with.
    pub fn text(self, text: &'a str) -> Query<'a> {
        Query { text, ..self }
    }

    /// Sets the example that it is itself, and that may not help it.
    pub fn never(self, itself: impl Into<Option<usize>>) -> Query<'a> {
        Query {
            itself: itself.into(),
            ..self
        }
    }
}

/// A way to choose examples.
///
/// Every choice is the same on every machine and in every run, and never the question itself.
///
/// ```
/// use prompt_eval::retrieve::{FixK, Query, Retriever};
///
/// let mut three = FixK::new([0, 1, 2]);
/// assert_eq!(three.ids(&Query::row(0), 10)?, [0, 1, 2]);
/// // The question is example 1, so there are two.
/// assert_eq!(three.ids(&Query::row(0).never(1), 10)?, [0, 2]);
/// # Ok::<(), prompt_eval::Error>(())
/// ```
pub trait Retriever {
    /// The examples for a question, out of `count`, in the order in which they are shown.
    ///
    /// Called once for every row, in their order, also for rows that are not asked again.
    ///
    /// # Errors
    /// An example that is not there, and more examples than there are.
    fn ids(&mut self, query: &Query<'_>, count: usize) -> Result<Vec<usize>>;
}

impl<R: Retriever + ?Sized> Retriever for Box<R> {
    fn ids(&mut self, query: &Query<'_>, count: usize) -> Result<Vec<usize>> {
        (**self).ids(query, count)
    }
}

/// No examples.
///
/// ```
/// use prompt_eval::retrieve::{Query, Retriever, Zero};
///
/// assert!(Zero.ids(&Query::row(0), 10)?.is_empty());
/// # Ok::<(), prompt_eval::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl Retriever for Zero {
    fn ids(&mut self, _: &Query<'_>, _: usize) -> Result<Vec<usize>> {
        Ok(Vec::new())
    }
}

/// The same examples for every question.
///
/// ```
/// use prompt_eval::retrieve::{FixK, Query, Retriever};
///
/// let error = FixK::new([0, 3]).ids(&Query::row(0), 3).unwrap_err();
/// assert_eq!(error.to_string(), "there is no example 3: there are 3, counted from 0");
/// ```
#[derive(Clone, Debug)]
pub struct FixK(Vec<usize>);

impl FixK {
    /// The examples with these numbers, from 0, in this order.
    pub fn new(ids: impl IntoIterator<Item = usize>) -> FixK {
        FixK(ids.into_iter().collect())
    }
}

impl Retriever for FixK {
    fn ids(&mut self, query: &Query<'_>, count: usize) -> Result<Vec<usize>> {
        if let Some(missing) = self.0.iter().find(|id| **id >= count) {
            return Err(Error::new(format!(
                "there is no example {missing}: there are {count}, counted from 0"
            )));
        }
        let mut others = self.0.clone();
        others.retain(|id| Some(*id) != query.itself);
        Ok(others)
    }
}

/// Refuses more examples than there are.
fn enough(wanted: usize, query: &Query<'_>, count: usize) -> Result<()> {
    let others = count - usize::from(query.itself.is_some_and(|itself| itself < count));
    if wanted <= others {
        return Ok(());
    }
    let beside = match query.itself {
        Some(_) => " beside the question itself",
        None => "",
    };
    Err(Error::new(format!(
        "{wanted} examples are wanted, and there are {others}{beside}"
    )))
}

/// The best `wanted` ids by score, best first; of equals the later one, as a sort in rising order read backwards gives.
fn best(scores: &[f64], wanted: usize, query: &Query<'_>) -> Vec<usize> {
    let mut ids: Vec<usize> = (0..scores.len()).collect();
    ids.sort_by(|left, right| {
        scores[*right]
            .total_cmp(&scores[*left])
            .then(right.cmp(left))
    });
    ids.retain(|id| Some(*id) != query.itself);
    ids.truncate(wanted);
    ids
}
