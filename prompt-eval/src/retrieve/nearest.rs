use super::{Query, Retriever, best, enough};
use crate::{Error, Result};

/// The examples whose vectors are nearest to the question's by their inner product, best first. The vectors are yours: of
/// any embedding model, and of length one where the cosine is meant.
///
/// ```
/// use prompt_eval::retrieve::{Nearest, Query, Retriever};
///
/// let examples = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
/// let mut nearest = Nearest::new(1, examples, vec![vec![0.2, 0.9]])?;
/// assert_eq!(nearest.ids(&Query::row(0), 2)?, [1]);
/// # Ok::<(), prompt_eval::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Nearest {
    wanted: usize,
    examples: Vec<Vec<f32>>,
    questions: Vec<Vec<f32>>,
}

impl Nearest {
    /// So many of the examples with these vectors, for the questions with these.
    ///
    /// # Errors
    /// Vectors of different lengths.
    pub fn new(
        wanted: usize,
        examples: Vec<Vec<f32>>,
        questions: Vec<Vec<f32>>,
    ) -> Result<Nearest> {
        let mut all = examples.iter().chain(&questions);
        let length = all.clone().next().map_or(0, Vec::len);
        if let Some(other) = all.find(|vector| vector.len() != length) {
            return Err(Error::new(format!(
                "a vector has {} numbers, and the first has {length}",
                other.len()
            )));
        }
        Ok(Nearest {
            wanted,
            examples,
            questions,
        })
    }
}

impl Retriever for Nearest {
    fn ids(&mut self, query: &Query<'_>, count: usize) -> Result<Vec<usize>> {
        if count != self.examples.len() {
            return Err(Error::new(format!(
                "there are vectors of {} examples, and {count} examples",
                self.examples.len()
            )));
        }
        enough(self.wanted, query, count)?;
        let Some(question) = self.questions.get(query.row) else {
            return Err(Error::new(format!(
                "there is no vector for question {}: there are {}",
                query.row,
                self.questions.len()
            )));
        };
        let scores: Vec<f64> = self
            .examples
            .iter()
            .map(|example| inner(example, question))
            .collect();
        Ok(best(&scores, self.wanted, query))
    }
}

pub(super) fn inner(left: &[f32], right: &[f32]) -> f64 {
    left.iter()
        .zip(right)
        .map(|(left, right)| f64::from(*left) * f64::from(*right))
        .sum()
}
