//! Retrievers that compare embedding vectors.

use prompt_core::Embedder;

use super::{FixK, Query, Retriever, check_count, top};
use crate::DataError;

/// The input of a retriever: vectors, or texts that an embedding model converts to vectors.
///
/// ```
/// use typed_prompt::eval::retrieve::{Nearest, RetrievalInput};
///
/// let input = RetrievalInput { examples: vec![vec![1.0, 0.0]], queries: vec![vec![0.2, 0.9]] };
/// let nearest = Nearest::new(1, input)?;
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RetrievalInput<T> {
    /// The vectors or texts of the examples, in the order of the pool.
    pub examples: Vec<T>,
    /// The vectors or texts of the evaluated rows. None are needed if each query has its own: [`Query::vector`].
    pub queries: Vec<T>,
}

/// The examples whose vectors are nearest to the query's by inner product, best first. The vectors come from any embedding
/// model; normalize them for cosine similarity.
///
/// ```
/// use typed_prompt::eval::retrieve::{Nearest, Query, RetrievalInput, Retriever};
///
/// let input = RetrievalInput {
///     examples: vec![vec![1.0, 0.0], vec![0.0, 1.0]],
///     queries: vec![vec![0.2, 0.9]],
/// };
/// let mut nearest = Nearest::new(1, input)?;
/// assert_eq!(nearest.select_rows(&Query::row(0), 2)?, [1]);
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Nearest {
    wanted: usize,
    vectors: RetrievalInput<Vec<f32>>,
}

impl Nearest {
    /// `wanted` of the examples with these vectors, for the queries with these vectors.
    ///
    /// # Errors
    /// The vectors have different lengths.
    pub fn new(wanted: usize, vectors: RetrievalInput<Vec<f32>>) -> Result<Nearest, DataError> {
        vectors.check_lengths()?;
        Ok(Nearest { wanted, vectors })
    }

    /// `wanted` of the examples with these texts, for the queries with these texts, by the cosine of their vectors. The model embeds both.
    ///
    /// The queries are the rows of an evaluation, in their order. A `Dataset` yields each row once, so a program reads it twice: the texts with
    /// `Dataset::<Ask>::load(path)?.map(|row| Ok(row?.value.question)).collect::<Result<Vec<_>, DataError>>()?`, and then the rows for `Eval::new`.
    ///
    /// ```
    /// use typed_prompt::eval::retrieve::{Nearest, Query, RetrievalInput, Retriever};
    /// use typed_prompt::{Result, llm::{BoxFuture, Embedder}};
    ///
    /// /// In a program it is a `client::EmbeddingModel`.
    /// struct Lengths;
    ///
    /// impl Embedder for Lengths {
    ///     fn embed<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Vec<Vec<f32>>>> {
    ///         let vectors = texts.iter().map(|text| vec![text.len() as f32, 1.0]).collect();
    ///         Box::pin(async { Ok(vectors) })
    ///     }
    /// }
    ///
    /// let texts = RetrievalInput {
    ///     examples: vec!["a lake".to_owned(), "a".to_owned()],
    ///     queries: vec!["b".to_owned()],
    /// };
    /// let nearest = Nearest::from_texts(1, &Lengths, &texts);
    /// assert_eq!(pollster::block_on(nearest)?.select_rows(&Query::row(0), 2)?, [1]);
    /// # Ok::<(), typed_prompt::eval::DataError>(())
    /// ```
    ///
    /// # Errors
    /// The model fails, or returns a vector of zeros.
    pub async fn from_texts(
        wanted: usize,
        embedder: &(impl Embedder + ?Sized),
        texts: &RetrievalInput<String>,
    ) -> Result<Nearest, DataError> {
        let examples = embedder.embed(&texts.examples).await?;
        let queries = match texts.queries.is_empty() {
            // A server refuses a request without texts.
            true => Vec::new(),
            false => embedder.embed(&texts.queries).await?,
        };
        let vectors = RetrievalInput { examples, queries };
        let mut nearest = Nearest::new(wanted, vectors)?;
        nearest.vectors.normalize_vectors()?;
        Ok(nearest)
    }
}

impl Retriever for Nearest {
    fn select_rows(&mut self, query: &Query<'_>, count: usize) -> Result<Vec<usize>, DataError> {
        let vector = self.vectors.query_vector(query)?;
        let similarities = self.vectors.example_similarities(vector, count)?;
        check_count(self.wanted, query, count)?;
        Ok(top(&similarities, self.wanted, query))
    }

    fn definition(&self) -> String {
        format!("{} nearest", self.wanted)
    }
}

/// Examples that are near to the query and far from each other, nearest first: of the nearest candidates, those that a
/// determinantal point process selects greedily (Chen et al. 2018, "Fast Greedy MAP Inference for Determinantal Point
/// Process"), as OpenCompass's `DPPRetriever` intends.
///
/// ```
/// use typed_prompt::eval::retrieve::{Dpp, Query, RetrievalInput, Retriever};
///
/// let input = RetrievalInput {
///     // The second example nearly equals the first.
///     examples: vec![vec![1.0, 0.0], vec![1.0, 0.01], vec![0.6, 0.8]],
///     queries: vec![vec![1.0, 0.1]],
/// };
/// let mut dpp = Dpp::new(2, input)?.candidates(3)?;
/// let ids = dpp.select_rows(&Query::row(0), 3)?;
/// assert_eq!(ids, [1, 2]);
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Dpp {
    wanted: usize,
    candidates: usize,
    balance: f64,
    vectors: RetrievalInput<Vec<f32>>,
}

impl Dpp {
    /// `wanted` of the examples with these vectors, for the queries with these vectors. All examples are candidates, unless
    /// [`candidates`](Dpp::candidates) limits them.
    ///
    /// # Errors
    /// The vectors have different lengths, or a vector is zero.
    pub fn new(wanted: usize, mut vectors: RetrievalInput<Vec<f32>>) -> Result<Dpp, DataError> {
        vectors.check_lengths()?;
        vectors.normalize_vectors()?;
        Ok(Dpp {
            wanted,
            candidates: usize::MAX,
            // OpenCompass's default (`scale_factor`).
            balance: 0.1,
            vectors,
        })
    }

    /// Limits the candidates to the nearest ones.
    ///
    /// # Errors
    /// There are fewer candidates than wanted examples.
    pub fn candidates(self, candidates: usize) -> Result<Dpp, DataError> {
        let wanted = self.wanted;
        if candidates < wanted {
            let message = format!("{wanted} examples are wanted, of {candidates} candidates");
            return Err(
                DataError::new(message).with_help("allow more candidates, or want fewer examples")
            );
        }
        Ok(Dpp { candidates, ..self })
    }

    /// Sets the weight of diversity: the lower, the more nearness counts. 0.1 by default.
    ///
    /// ```
    /// use typed_prompt::eval::retrieve::{Dpp, RetrievalInput};
    ///
    /// let input = RetrievalInput { examples: vec![vec![1.0]], queries: vec![vec![1.0]] };
    /// let dpp = Dpp::new(1, input)?.balance(0.5);
    /// # Ok::<(), typed_prompt::eval::DataError>(())
    /// ```
    pub fn balance(self, balance: f64) -> Dpp {
        Dpp { balance, ..self }
    }
}

impl Retriever for Dpp {
    fn select_rows(&mut self, query: &Query<'_>, count: usize) -> Result<Vec<usize>, DataError> {
        if !(f64::MIN_POSITIVE..f64::INFINITY).contains(&self.balance) {
            let message = format!("the balance {} is not a number above 0", self.balance);
            let help = "write a weight such as `0.1`; `Nearest` selects without diversity";
            return Err(DataError::new(message).with_help(help));
        }
        let mut vector = self.vectors.query_vector(query)?.to_vec();
        normalize_vector(&mut vector)?;
        let relevance = self.vectors.example_similarities(&vector, count)?;
        check_count(self.wanted, query, count)?;
        let candidates = top(&relevance, self.candidates, query);
        // Relevance and similarity are scaled to 0..=1; the nearest candidate has relevance 1.
        let highest = candidates.first().map_or(0.0, |id| relevance[*id]);
        let weight = |id: usize| ((relevance[id] - highest) / 2.0 / (2.0 * self.balance)).exp();
        let examples = &self.vectors.examples;
        let kernel = |left: usize, right: usize| {
            let similarity = (inner_product(&examples[left], &examples[right]) + 1.0) / 2.0;
            weight(left) * similarity * weight(right)
        };
        let mut chosen = greedy_map(&candidates, self.wanted, kernel);
        chosen.sort_by(|left, right| relevance[*right].total_cmp(&relevance[*left]));
        Ok(chosen)
    }

    fn definition(&self) -> String {
        let Dpp {
            wanted,
            candidates,
            balance,
            ..
        } = self;
        let of = match *candidates {
            usize::MAX => String::new(),
            limit => format!(" of the {limit} nearest"),
        };
        format!("{wanted}{of}, diverse (balance {balance})")
    }
}

/// The ids whose kernel matrix has the largest determinant, selected greedily.
fn greedy_map(ids: &[usize], wanted: usize, kernel: impl Fn(usize, usize) -> f64) -> Vec<usize> {
    let mut gains: Vec<f64> = ids.iter().map(|id| kernel(*id, *id)).collect();
    let mut factors: Vec<Vec<f64>> = vec![Vec::new(); ids.len()];
    let mut chosen: Vec<usize> = Vec::new();
    while chosen.len() < wanted.min(ids.len()) {
        let free = (0..ids.len()).filter(|index| !chosen.contains(index));
        // Of equal gains the first is selected.
        let best = free
            .rev()
            .max_by(|left, right| gains[*left].total_cmp(&gains[*right]));
        let Some(next) = best else { break };
        chosen.push(next);
        // The gain of an example that equals a selected one is 0, or slightly less by rounding.
        let scale = gains[next].max(f64::MIN_POSITIVE).sqrt();
        for index in (0..ids.len()).filter(|index| !chosen.contains(index)) {
            let products = factors[next].iter().zip(&factors[index]);
            let shared: f64 = products.map(|(left, right)| left * right).sum();
            let factor = (kernel(ids[next], ids[index]) - shared) / scale;
            factors[index].push(factor);
            gains[index] -= factor * factor;
        }
    }
    chosen.into_iter().map(|index| ids[index]).collect()
}

/// The examples that most others are near to, each from a different neighbourhood: the same for every query.
///
/// Every example votes for its `neighbours` nearest by cosine. An example is skipped if all of its voters also voted for a
/// better one (Su et al. 2022, "Selective Annotation Makes Language Models Better Few-Example Learners", as implemented by
/// OpenCompass).
///
/// ```
/// use typed_prompt::eval::retrieve::{Query, Retriever, VoteK};
///
/// let vectors = vec![vec![1.0, 0.0], vec![0.9, 0.1], vec![0.8, 0.1]];
/// assert_eq!(VoteK::new(1, vectors).neighbours(1).select_rows(&Query::row(0), 3)?, [1]);
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
#[derive(Clone, Debug)]
pub struct VoteK {
    wanted: usize,
    neighbours: usize,
    vectors: Vec<Vec<f32>>,
    /// What is selected, once it is known.
    chosen: Option<FixK>,
}

impl VoteK {
    /// `wanted` of the examples with these vectors.
    pub fn new(wanted: usize, examples: Vec<Vec<f32>>) -> VoteK {
        VoteK {
            wanted,
            // OpenCompass's default (`votek_k`).
            neighbours: 3,
            vectors: examples,
            chosen: None,
        }
    }

    /// Sets for how many of its nearest each example votes. 3 by default.
    ///
    /// ```
    /// use typed_prompt::eval::retrieve::{Retriever, VoteK};
    ///
    /// let votes = VoteK::new(2, vec![vec![1.0, 0.0], vec![0.0, 1.0]]).neighbours(1);
    /// assert_eq!(votes.definition(), "2 by votes for 1 neighbour");
    /// ```
    pub fn neighbours(self, neighbours: usize) -> VoteK {
        VoteK {
            neighbours,
            chosen: None,
            ..self
        }
    }

    fn choose_rows(&self) -> Result<FixK, DataError> {
        let wanted = self.wanted;
        let votes = count_votes(self.neighbours, &self.vectors);
        let mut chosen = Vec::new();
        for (rank, (id, voters)) in votes.iter().enumerate() {
            let is_covered = votes[..rank]
                .iter()
                .any(|(_, others)| voters.iter().all(|voter| others.contains(voter)));
            if !is_covered && chosen.len() < wanted {
                chosen.push(*id);
            }
        }
        if chosen.len() < wanted {
            let message = format!(
                "{wanted} examples are wanted, and the vectors have {} different neighbourhoods",
                chosen.len()
            );
            return Err(
                DataError::new(message).with_help("want fewer, or give the pool more examples")
            );
        }
        Ok(FixK::new(chosen))
    }
}

impl Retriever for VoteK {
    fn select_rows(&mut self, query: &Query<'_>, count: usize) -> Result<Vec<usize>, DataError> {
        let mut chosen = match self.chosen.take() {
            Some(chosen) => chosen,
            None => self.choose_rows()?,
        };
        let selected = chosen.select_rows(query, count);
        self.chosen = Some(chosen);
        selected
    }

    fn definition(&self) -> String {
        let (wanted, neighbours) = (self.wanted, self.neighbours);
        let plural = if neighbours == 1 { "" } else { "s" };
        format!("{wanted} by votes for {neighbours} neighbour{plural}")
    }
}

/// Examples with their voters: most votes first, and in the order of their first vote if they have equally many.
fn count_votes(neighbours: usize, vectors: &[Vec<f32>]) -> Vec<(usize, Vec<usize>)> {
    let mut votes: Vec<(usize, Vec<usize>)> = Vec::new();
    for (voter, own) in vectors.iter().enumerate() {
        let mut ids: Vec<usize> = (0..vectors.len()).collect();
        ids.sort_by(|left, right| {
            cosine_similarity(&vectors[*left], own)
                .total_cmp(&cosine_similarity(&vectors[*right], own))
        });
        // The last is the voter itself.
        let end = ids.len() - 1;
        let nearest = &ids[end.saturating_sub(neighbours)..end];
        for id in nearest.iter().filter(|id| **id != voter) {
            match votes.iter_mut().find(|(voted, _)| voted == id) {
                Some((_, voters)) => voters.push(voter),
                None => votes.push((*id, vec![voter])),
            }
        }
    }
    votes.sort_by_key(|(_, voters)| std::cmp::Reverse(voters.len()));
    votes
}

impl RetrievalInput<Vec<f32>> {
    fn check_lengths(&self) -> Result<(), DataError> {
        let mut all = self.examples.iter().chain(&self.queries);
        let length = all.clone().next().map_or(0, Vec::len);
        match all.find(|vector| vector.len() != length) {
            Some(other) => Err(DataError::new(format!(
                "a vector has {} dimensions, and the first has {length}",
                other.len()
            ))),
            None => Ok(()),
        }
    }

    fn normalize_vectors(&mut self) -> Result<(), DataError> {
        for vector in self.examples.iter_mut().chain(&mut self.queries) {
            normalize_vector(vector)?;
        }
        Ok(())
    }

    /// The vector that a query brings, or that of its row.
    fn query_vector<'q>(&'q self, query: &Query<'q>) -> Result<&'q [f32], DataError> {
        let vector = match query.vector {
            Some(vector) => vector,
            None => self.queries.get(query.row).ok_or_else(|| {
                DataError::new(format!(
                    "there is no vector for query {}: there are {}",
                    query.row,
                    self.queries.len()
                ))
                .with_help("give the vector with the query: `Query::default().vector(&vector)`")
            })?,
        };
        let length = self.examples.first().map_or(vector.len(), Vec::len);
        if vector.len() != length {
            return Err(DataError::new(format!(
                "the vector of the query has {} dimensions, and those of the examples {length}",
                vector.len()
            )));
        }
        Ok(vector)
    }

    /// The inner products of a vector with all examples.
    fn example_similarities(&self, vector: &[f32], count: usize) -> Result<Vec<f64>, DataError> {
        if count != self.examples.len() {
            return Err(DataError::new(format!(
                "there are vectors of {} examples, and {count} examples",
                self.examples.len()
            )));
        }
        let examples = self.examples.iter();
        Ok(examples
            .map(|example| inner_product(example, vector))
            .collect())
    }
}

fn normalize_vector(vector: &mut [f32]) -> Result<(), DataError> {
    let norm = inner_product(vector, vector).sqrt() as f32;
    if norm == 0.0 {
        return Err(DataError::new("a zero vector cannot be normalized"));
    }
    vector.iter_mut().for_each(|number| *number /= norm);
    Ok(())
}

fn inner_product(left: &[f32], right: &[f32]) -> f64 {
    left.iter()
        .zip(right)
        .map(|(left, right)| f64::from(*left) * f64::from(*right))
        .sum()
}

fn cosine_similarity(left: &[f32], right: &[f32]) -> f64 {
    let norm = |vector: &[f32]| inner_product(vector, vector).sqrt();
    let norms = norm(left) * norm(right);
    match norms == 0.0 {
        true => 0.0,
        false => inner_product(left, right) / norms,
    }
}
