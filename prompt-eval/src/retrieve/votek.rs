use super::nearest::inner;
use super::{FixK, Query, Retriever};
use crate::{Error, Result};

/// The examples that most others are near to, each a different neighbourhood: the same for every question.
///
/// Every example votes for its `neighbours` nearest by cosine; an example whose voters all voted for a better one is passed
/// over (Su et al. 2022, "Selective Annotation Makes Language Models Better Few-Shot Learners", as OpenCompass does it).
///
/// ```
/// use prompt_eval::retrieve::{Query, Retriever, VoteK};
///
/// let vectors = vec![vec![1.0, 0.0], vec![0.9, 0.1], vec![0.8, 0.1]];
/// assert_eq!(VoteK::new(1, 1, &vectors)?.ids(&Query::row(0), 3)?, [1]);
/// # Ok::<(), prompt_eval::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct VoteK(FixK);

impl VoteK {
    /// So many of the examples with these vectors.
    ///
    /// # Errors
    /// Fewer different neighbourhoods than examples wanted.
    pub fn new(wanted: usize, neighbours: usize, vectors: &[Vec<f32>]) -> Result<VoteK> {
        let voters = votes(neighbours, vectors);
        let mut chosen = Vec::new();
        for (place, (id, own)) in voters.iter().enumerate() {
            let is_covered = voters[..place]
                .iter()
                .any(|(_, other)| own.iter().all(|voter| other.contains(voter)));
            if !is_covered && chosen.len() < wanted {
                chosen.push(*id);
            }
        }
        if chosen.len() < wanted {
            return Err(Error::new(format!(
                "{wanted} examples are wanted, and the vectors have {} different neighbourhoods",
                chosen.len()
            )));
        }
        Ok(VoteK(FixK::new(chosen)))
    }
}

impl Retriever for VoteK {
    fn ids(&mut self, query: &Query<'_>, count: usize) -> Result<Vec<usize>> {
        self.0.ids(query, count)
    }
}

/// Examples with those that voted for them, most votes first, else in the order of their first vote.
fn votes(neighbours: usize, vectors: &[Vec<f32>]) -> Vec<(usize, Vec<usize>)> {
    let mut voters: Vec<(usize, Vec<usize>)> = Vec::new();
    for (voter, own) in vectors.iter().enumerate() {
        let mut ids: Vec<usize> = (0..vectors.len()).collect();
        ids.sort_by(|left, right| {
            cosine(&vectors[*left], own).total_cmp(&cosine(&vectors[*right], own))
        });
        // The last is the example itself.
        let end = ids.len() - 1;
        for id in &ids[end.saturating_sub(neighbours)..end] {
            if *id == voter {
                continue;
            }
            match voters.iter_mut().find(|(of, _)| of == id) {
                Some((_, voters)) => voters.push(voter),
                None => voters.push((*id, vec![voter])),
            }
        }
    }
    voters.sort_by_key(|(_, voters)| std::cmp::Reverse(voters.len()));
    voters
}

fn cosine(left: &[f32], right: &[f32]) -> f64 {
    let length = |vector: &[f32]| inner(vector, vector).sqrt();
    let lengths = length(left) * length(right);
    if lengths == 0.0 {
        0.0
    } else {
        inner(left, right) / lengths
    }
}
