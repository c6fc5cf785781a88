use super::nearest::inner;
use super::{Query, Retriever, best, enough};
use crate::{Error, Result};

/// Examples that are near to the question and far from each other: of the nearest ones those that a determinantal point
/// process finds most likely, taken one by one (Chen et al. 2018, "Fast Greedy MAP Inference for Determinantal Point
/// Process"), the nearest first. This is what OpenCompass's `DPPRetriever` is to do.
///
/// ```
/// use prompt_eval::retrieve::{Diverse, Query, Retriever};
///
/// // The second example is the first over again.
/// let examples = vec![vec![1.0, 0.0], vec![1.0, 0.01], vec![0.6, 0.8]];
/// let mut diverse = Diverse::new(2, 3, examples, vec![vec![1.0, 0.1]])?;
/// let ids = diverse.ids(&Query::row(0), 3)?;
/// assert_eq!(ids, [1, 2]);
/// # Ok::<(), prompt_eval::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Diverse {
    wanted: usize,
    candidates: usize,
    balance: f64,
    examples: Vec<Vec<f32>>,
    questions: Vec<Vec<f32>>,
}

impl Diverse {
    /// So many out of the nearest `candidates`, by the vectors of examples and questions.
    ///
    /// # Errors
    /// Vectors of different lengths, or of length nought, and fewer candidates than examples wanted.
    pub fn new(
        wanted: usize,
        candidates: usize,
        mut examples: Vec<Vec<f32>>,
        mut questions: Vec<Vec<f32>>,
    ) -> Result<Diverse> {
        let length = examples.first().map_or(0, Vec::len);
        for vector in examples.iter_mut().chain(&mut questions) {
            let size = inner(vector, vector).sqrt() as f32;
            if vector.len() != length || size == 0.0 {
                return Err(Error::new(format!(
                    "a vector has {} numbers and the length {size}, and the first has {length} numbers",
                    vector.len()
                )));
            }
            vector.iter_mut().for_each(|number| *number /= size);
        }
        if candidates < wanted {
            return Err(Error::new(format!(
                "{wanted} examples are wanted, of {candidates} candidates"
            )));
        }
        Ok(Diverse {
            wanted,
            candidates,
            balance: 0.1,
            examples,
            questions,
        })
    }

    /// How much nearness counts against difference: the less, the more. It is 0.1 otherwise.
    ///
    /// ```
    /// use prompt_eval::retrieve::Diverse;
    ///
    /// let diverse = Diverse::new(1, 1, vec![vec![1.0]], vec![vec![1.0]])?.balance(0.5);
    /// # Ok::<(), prompt_eval::Error>(())
    /// ```
    pub fn balance(self, balance: f64) -> Diverse {
        Diverse { balance, ..self }
    }
}

impl Retriever for Diverse {
    fn ids(&mut self, query: &Query<'_>, count: usize) -> Result<Vec<usize>> {
        let Some(question) = self
            .questions
            .get(query.row)
            .filter(|_| count == self.examples.len())
        else {
            return Err(Error::new(format!(
                "there are vectors of {} examples and {} questions, and this is question {} for {count} examples",
                self.examples.len(),
                self.questions.len(),
                query.row
            )));
        };
        enough(self.wanted, query, count)?;
        let nearness: Vec<f64> = self
            .examples
            .iter()
            .map(|example| inner(example, question))
            .collect();
        let near = best(&nearness, self.candidates, query);
        // Both nearness and likeness lie between 0 and 1; the nearest candidate counts 1.
        let most = near.first().map_or(0.0, |id| nearness[*id]);
        let weight = |id: usize| ((nearness[id] - most) / 2.0 / (2.0 * self.balance)).exp();
        let likeness = |one: usize, other: usize| {
            let alike = (inner(&self.examples[one], &self.examples[other]) + 1.0) / 2.0;
            weight(one) * alike * weight(other)
        };
        let mut chosen = greedy(&near, self.wanted, likeness);
        chosen.sort_by(|one, other| nearness[*other].total_cmp(&nearness[*one]));
        Ok(chosen)
    }
}

/// The ids whose kernel has the greatest determinant, found one by one.
fn greedy(ids: &[usize], wanted: usize, kernel: impl Fn(usize, usize) -> f64) -> Vec<usize> {
    let mut gains: Vec<f64> = ids.iter().map(|id| kernel(*id, *id)).collect();
    let mut factors: Vec<Vec<f64>> = vec![Vec::new(); ids.len()];
    let mut chosen: Vec<usize> = Vec::new();
    while chosen.len() < wanted.min(ids.len()) {
        let free = (0..ids.len()).filter(|place| !chosen.contains(place));
        // Of equals the first.
        let Some(next) = free
            .rev()
            .max_by(|one, other| gains[*one].total_cmp(&gains[*other]))
        else {
            break;
        };
        let scale = gains[next].max(f64::MIN_POSITIVE).sqrt();
        for place in 0..ids.len() {
            if place == next || chosen.contains(&place) {
                continue;
            }
            let shared: f64 = factors[next]
                .iter()
                .zip(&factors[place])
                .map(|(one, other)| one * other)
                .sum();
            let factor = (kernel(ids[next], ids[place]) - shared) / scale;
            factors[place].push(factor);
            gains[place] -= factor * factor;
        }
        chosen.push(next);
    }
    chosen.into_iter().map(|place| ids[place]).collect()
}
