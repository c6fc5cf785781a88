//! Random selection of few-shot examples.

use super::{Query, Retriever, check_count, excluded_below};
use crate::DataError;

/// Random examples, different for every query, and the same in every run.
///
/// ```
/// use typed_prompt::eval::retrieve::{Query, Random, Retriever};
///
/// let ids = Random::new(3).seed(42).select_rows(&Query::row(0).excluding(&[5]), 10)?;
/// assert_eq!(ids.len(), 3);
/// assert!(!ids.contains(&5));
/// assert_eq!(Random::new(3).seed(42).select_rows(&Query::row(0).excluding(&[5]), 10)?, ids);
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    wanted: usize,
    source: RandomSource,
}

#[derive(Clone, Debug)]
enum RandomSource {
    /// One generator per row, so that the examples of a row do not depend on other rows.
    Seed(u64),
    /// One generator for all rows, in their order, and its seed.
    Twister(Box<Twister>, u32),
}

impl Random {
    /// `wanted` examples, selected by the seed and the row alone. The seed is 0 by default.
    pub fn new(wanted: usize) -> Random {
        Random {
            wanted,
            source: RandomSource::Seed(0),
        }
    }

    /// Sets the seed. Another one selects other examples.
    ///
    /// ```
    /// use typed_prompt::eval::retrieve::{Random, Retriever};
    ///
    /// assert_eq!(Random::new(3).seed(42).definition(), "3 random, seed 42");
    /// ```
    pub fn seed(self, seed: u64) -> Random {
        Random {
            source: RandomSource::Seed(seed),
            ..self
        }
    }

    /// Sets the selection of AISBench's `RandomRetriever`: numpy's `RandomState(seed).choice(count, wanted, replace=False)`,
    /// called for each row in their order.
    ///
    /// ```
    /// use typed_prompt::eval::retrieve::{Query, Random, Retriever};
    ///
    /// let mut random = Random::new(3).numpy_seed(123);
    /// assert_eq!(random.select_rows(&Query::row(0), 6)?, [1, 3, 4]);
    /// assert_eq!(random.select_rows(&Query::row(1), 6)?, [4, 0, 5]);
    /// # Ok::<(), typed_prompt::eval::DataError>(())
    /// ```
    pub fn numpy_seed(self, seed: u32) -> Random {
        Random {
            source: RandomSource::Twister(Box::new(Twister::new(seed)), seed),
            ..self
        }
    }
}

impl Retriever for Random {
    fn select_rows(&mut self, query: &Query<'_>, count: usize) -> Result<Vec<usize>, DataError> {
        check_count(self.wanted, query, count)?;
        let excluded = &query.excluded[..excluded_below(query, count)];
        let others = count - excluded.len();
        let mut ids = match &mut self.source {
            RandomSource::Seed(seed) => sample_rows(*seed, query.row, self.wanted, others),
            RandomSource::Twister(twister, _) => twister.choose_rows(self.wanted, others),
        };
        // The excluded examples are not counted, so the indices after each of them move up.
        for excluded in excluded {
            ids.iter_mut()
                .filter(|id| **id >= *excluded)
                .for_each(|id| *id += 1);
        }
        Ok(ids)
    }

    fn definition(&self) -> String {
        let wanted = self.wanted;
        match &self.source {
            RandomSource::Seed(seed) => format!("{wanted} random, seed {seed}"),
            RandomSource::Twister(_, seed) => format!("{wanted} random, numpy's seed {seed}"),
        }
    }
}

/// A sample of `0..count` without repetition (Floyd's algorithm), in random order.
fn sample_rows(seed: u64, row: usize, wanted: usize, count: usize) -> Vec<usize> {
    let mut state = SplitMix(seed ^ SplitMix(row as u64).next());
    let mut ids: Vec<usize> = Vec::with_capacity(wanted);
    for last in count - wanted..count {
        let id = state.next_below(last + 1);
        ids.push(if ids.contains(&id) { last } else { id });
    }
    for last in (1..ids.len()).rev() {
        ids.swap(last, state.next_below(last + 1));
    }
    ids
}

/// <https://prng.di.unimi.it/splitmix64.c>
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, uniformly distributed except for a bias of 2^-64.
    fn next_below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}

/// The number of words of the state, as in MT19937; the other numbers of this type are its constants, too.
const SIZE: usize = 624;

/// The Mersenne Twister, seeded and used as by numpy's `RandomState`.
#[derive(Clone, Debug)]
struct Twister {
    state: [u32; SIZE],
    at: usize,
}

impl Twister {
    fn new(seed: u32) -> Twister {
        let mut state = [seed; SIZE];
        for index in 1..SIZE {
            let last = state[index - 1];
            state[index] = 1_812_433_253_u32
                .wrapping_mul(last ^ (last >> 30))
                .wrapping_add(index as u32);
        }
        Twister { state, at: SIZE }
    }

    fn next(&mut self) -> u32 {
        if self.at == SIZE {
            self.twist_state();
        }
        let mut bits = self.state[self.at];
        self.at += 1;
        bits ^= bits >> 11;
        bits ^= (bits << 7) & 0x9d2c_5680;
        bits ^= (bits << 15) & 0xefc6_0000;
        bits ^ (bits >> 18)
    }

    fn twist_state(&mut self) {
        for index in 0..SIZE {
            let joined =
                (self.state[index] & 0x8000_0000) | (self.state[(index + 1) % SIZE] & 0x7fff_ffff);
            let odd = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[index] = self.state[(index + 397) % SIZE] ^ (joined >> 1) ^ odd;
        }
        self.at = 0;
    }

    /// The first `wanted` of `0..count` in random order.
    fn choose_rows(&mut self, wanted: usize, count: usize) -> Vec<usize> {
        let mut ids: Vec<usize> = (0..count).collect();
        // All are shuffled, also those that are not wanted: numpy does so, and the later rows depend on how many numbers were drawn.
        for last in (1..count).rev() {
            let other = self.up_to(last as u32);
            ids.swap(last, other as usize);
        }
        ids.truncate(wanted);
        ids
    }

    /// A number up to `max`, by rejection sampling.
    fn up_to(&mut self, max: u32) -> u32 {
        let mask = u32::MAX >> max.leading_zeros();
        loop {
            let drawn = self.next() & mask;
            if drawn <= max {
                return drawn;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrieve::{Dpp, RetrievalInput, VoteK};

    #[test]
    fn examples_are_drawn_uniformly_and_once() {
        let mut counts = [0; 5];
        for row in 0..5000 {
            let ids = Random::new(2)
                .seed(1)
                .select_rows(&Query::row(row).excluding(&[2]), 6)
                .expect("there are enough");
            assert!(ids[0] != ids[1] && !ids.contains(&2), "{ids:?}");
            ids.iter()
                .for_each(|id| counts[if *id > 2 { id - 1 } else { *id }] += 1);
        }
        assert!(
            counts.iter().all(|count| (1850..2150).contains(count)),
            "{counts:?}"
        );
    }

    /// The retrievers with further numbers take them by name.
    #[test]
    fn numbers_are_named() {
        let random = Random::new(3).seed(42);
        assert_eq!(random.definition(), "3 random, seed 42");
        assert_eq!(Random::new(3).definition(), "3 random, seed 0");
        assert_eq!(
            random.numpy_seed(7).definition(),
            "3 random, numpy's seed 7"
        );
        let vectors = || vec![vec![1.0, 0.0], vec![0.9, 0.1], vec![0.0, 1.0]];
        let input = || RetrievalInput {
            examples: vectors(),
            queries: vectors(),
        };
        let dpp = || Dpp::new(2, input()).unwrap();
        assert_eq!(dpp().definition(), "2, diverse (balance 0.1)");
        let near = dpp().candidates(2).unwrap();
        assert_eq!(
            near.definition(),
            "2 of the 2 nearest, diverse (balance 0.1)"
        );
        assert!(dpp().candidates(1).is_err());
        assert_eq!(dpp().select_rows(&Query::row(0), 3).unwrap().len(), 2);
        for balance in [0.0, -1.0, f64::NAN] {
            let error = dpp()
                .balance(balance)
                .select_rows(&Query::row(0), 3)
                .unwrap_err();
            assert!(
                error.message().ends_with("is not a number above 0"),
                "{error}"
            );
        }
        let mut votes = VoteK::new(1, vectors());
        assert_eq!(votes.definition(), "1 by votes for 3 neighbours");
        assert_eq!(votes.select_rows(&Query::row(0), 3).unwrap().len(), 1);
        let error = votes
            .neighbours(0)
            .select_rows(&Query::row(0), 3)
            .unwrap_err();
        assert!(
            error.message().contains("0 different neighbourhoods"),
            "{error}"
        );
    }

    #[test]
    fn too_few_examples_are_an_error() {
        let error = Random::new(5)
            .seed(1)
            .select_rows(&Query::row(0).excluding(&[0]), 5)
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "5 examples are wanted, and there are 4 besides the row itself and its equals; want fewer, or give the pool more examples"
        );
    }
}
