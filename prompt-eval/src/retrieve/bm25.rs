use std::collections::HashMap;

use super::tokens::tokens;
use super::{Query, Retriever, best, enough};
use crate::{Error, Result};

/// The examples whose words are most like the question's, best first: Okapi BM25.
///
/// Words count as written: `Tall` is not `tall`. A word of more than half of the examples says little, and counts as a
/// fraction of the average word, as in the `rank_bm25` package.
///
/// ```
/// use prompt_eval::retrieve::{Bm25, Query, Retriever};
///
/// let mut bm25 = Bm25::new(1, ["how tall is mount everest", "who wrote hamlet", "the capital of France"]);
/// assert_eq!(bm25.ids(&Query::row(0).text("who wrote macbeth"), 3)?, [1]);
/// # Ok::<(), prompt_eval::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Bm25 {
    wanted: usize,
    /// For each word: in which examples it stands, and how often.
    places: HashMap<String, Vec<(usize, f64)>>,
    weights: HashMap<String, f64>,
    /// How much a word counts in each example, by its length.
    lengths: Vec<f64>,
}

const K1: f64 = 1.5;
const B: f64 = 0.75;
const EPSILON: f64 = 0.25;

impl Bm25 {
    /// So many of these examples.
    pub fn new<T: AsRef<str>>(wanted: usize, examples: impl IntoIterator<Item = T>) -> Bm25 {
        let mut places: HashMap<String, Vec<(usize, f64)>> = HashMap::new();
        let mut order = Vec::new();
        let mut lengths = Vec::new();
        for (id, example) in examples.into_iter().enumerate() {
            let tokens = tokens(example.as_ref());
            lengths.push(tokens.len() as f64);
            for token in tokens {
                let found = places.entry(token).or_insert_with_key(|token| {
                    order.push(token.clone());
                    Vec::new()
                });
                match found.last_mut() {
                    Some((last, count)) if *last == id => *count += 1.0,
                    _ => found.push((id, 1.0)),
                }
            }
        }
        let count = lengths.len() as f64;
        let mean = lengths.iter().sum::<f64>() / count;
        for length in &mut lengths {
            *length = K1 * (1.0 - B + B * *length / mean);
        }
        let weight = |token: &String| {
            let holds = places[token].len() as f64;
            (count - holds + 0.5).ln() - (holds + 0.5).ln()
        };
        // In the order of first use, so that the sum is the same in every run.
        let all: Vec<f64> = order.iter().map(weight).collect();
        let floor = EPSILON * all.iter().sum::<f64>() / all.len() as f64;
        let weights = all
            .iter()
            .map(|weight| if *weight < 0.0 { floor } else { *weight });
        Bm25 {
            wanted,
            weights: order.into_iter().zip(weights).collect(),
            places,
            lengths,
        }
    }
}

impl Retriever for Bm25 {
    fn ids(&mut self, query: &Query<'_>, count: usize) -> Result<Vec<usize>> {
        if count != self.lengths.len() {
            return Err(Error::new(format!(
                "the index is of {} examples, and there are {count}",
                self.lengths.len()
            )));
        }
        enough(self.wanted, query, count)?;
        let mut scores = vec![0.0; count];
        for token in tokens(query.text) {
            let Some(places) = self.places.get(&token) else {
                continue;
            };
            let weight = self.weights[&token];
            for (id, times) in places {
                scores[*id] += weight * (times * (K1 + 1.0) / (times + self.lengths[*id]));
            }
        }
        Ok(best(&scores, self.wanted, query))
    }
}
