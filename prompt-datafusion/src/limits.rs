//! The shared state of all queries with one `Ask`: the running requests, the budgets, and the progress.

#[cfg(feature = "cluster")]
use std::collections::HashMap;
#[cfg(feature = "cluster")]
use std::hash::{BuildHasher as _, RandomState};
#[cfg(feature = "cluster")]
use std::sync::Weak;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

use crate::answer::RowOutcome;

/// The progress of the queries with an [`Ask`](crate::Ask).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Progress {
    /// Rows that have an outcome: an answer or an error.
    pub rows: u64,
    /// Rows whose answer was in the store.
    pub kept: u64,
    /// Rows whose outcome is an error.
    pub failed: u64,
    /// Requests that were sent.
    pub calls: u64,
    /// Tokens of the requests that were answered.
    pub input_tokens: u64,
    /// Tokens of the answers.
    pub output_tokens: u64,
    /// Requests that may wait for an answer at the same time, now.
    pub concurrency: usize,
    /// The time since the first row.
    pub elapsed: Duration,
}

impl Progress {
    /// The cost at the given prices of a million input and output tokens, in the unit of the prices.
    ///
    /// ```
    /// let (progress, eta) = (prompt_datafusion::Progress::default(), None);
    /// assert_eq!(progress.cost(0.15, 0.60), 0.0);
    /// assert_eq!(progress.remaining_time(1_000_000), eta);
    /// ```
    pub fn cost(&self, input: f64, output: f64) -> f64 {
        (self.input_tokens as f64 * input + self.output_tokens as f64 * output) / 1e6
    }

    /// The time that the rest of so many rows takes at the speed so far; `None` before the first row.
    pub fn remaining_time(&self, rows: u64) -> Option<Duration> {
        let rest = rows.saturating_sub(self.rows) as f64;
        let seconds = self.elapsed.as_secs_f64() * rest / self.rows as f64;
        (self.rows > 0).then(|| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
    }
}

/// Limits, and the amounts used.
pub(crate) struct QueryLimits {
    permits: Arc<Semaphore>,
    /// Permits to look an answer up. Without a limit, the first requests would wait until all rows of the window are looked up.
    pub(crate) lookups: Semaphore,
    /// Permits to claim a request before it has one of `permits`, so that the next requests are ready when an answer arrives.
    pub(crate) claims: Semaphore,
    max: usize,
    state: Mutex<State>,
}

struct State {
    progress: Progress,
    started: Option<Instant>,
    /// Permits to be withdrawn when their requests end.
    excess: usize,
    /// Answers since the concurrency was changed.
    answers: usize,
    /// How often the concurrency was lowered.
    lowered: u64,
}

/// The largest numbers of calls and tokens. Clones share the amounts used.
#[derive(Clone, Debug)]
pub(crate) struct QueryBudget {
    pub(crate) calls: u64,
    pub(crate) tokens: u64,
    used: Arc<Mutex<UsedBudget>>,
    /// The number of the query on a cluster.
    #[cfg(feature = "cluster")]
    pub(crate) query: u64,
}

#[derive(Default, Debug)]
struct UsedBudget {
    calls: u64,
    tokens: u64,
    /// The calls and tokens of all parts that share this, on a cluster.
    max_calls: u64,
    max_tokens: u64,
    /// An answer came without its tokens.
    is_unmetered: bool,
}

impl QueryBudget {
    /// A budget of which nothing was used.
    pub(crate) fn new(calls: u64, tokens: u64) -> QueryBudget {
        QueryBudget {
            calls,
            tokens,
            used: Arc::default(),
            #[cfg(feature = "cluster")]
            query: RandomState::new().hash_one(()),
        }
    }

    /// The part for a task with some of the partitions, rounded down: all parts together are at most the whole.
    pub(crate) fn part_of_partitions(&self, some: usize, all: usize) -> QueryBudget {
        let part = |whole: u64| match whole {
            u64::MAX => whole,
            _ => (u128::from(whole) * some as u128 / all.max(1) as u128) as u64,
        };
        QueryBudget {
            calls: part(self.calls),
            tokens: part(self.tokens),
            used: Arc::default(),
            #[cfg(feature = "cluster")]
            query: self.query,
        }
    }

    fn lock_used(&self) -> MutexGuard<'_, UsedBudget> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a request, unless the budget is spent.
    pub(crate) fn count_request(&self) -> Result<(), String> {
        let mut used = self.lock_used();
        let calls = self.calls.max(used.max_calls);
        let tokens = self.tokens.max(used.max_tokens);
        if used.calls >= calls {
            return Err(format!("the limit of {calls} requests is reached"));
        }
        if used.tokens >= tokens {
            let used = used.tokens;
            return Err(format!(
                "the budget of {tokens} tokens is spent: {used} were used"
            ));
        }
        if used.is_unmetered && tokens < u64::MAX {
            let error = "the token budget cannot be kept: the model does not report its tokens; use `Ask::max_calls`";
            return Err(error.to_owned());
        }
        used.calls += 1;
        Ok(())
    }

    pub(crate) fn add_spent(&self, spent: &QuerySpent) {
        let mut used = self.lock_used();
        match spent.tokens {
            Some((input, output)) => {
                used.tokens = used.tokens.saturating_add(input.saturating_add(output));
            }
            None => used.is_unmetered |= !spent.failed,
        }
    }
}

/// The budgets of the queries that run in this process of a cluster. Its tasks of a query share their parts.
#[cfg(feature = "cluster")]
#[derive(Clone, Default)]
pub(crate) struct Queries(Arc<Mutex<HashMap<u64, Weak<Mutex<UsedBudget>>>>>);

#[cfg(feature = "cluster")]
impl Queries {
    /// Adds the part of a task to the budget of its query.
    pub(crate) fn join_query(&self, query: u64, calls: u64, tokens: u64) -> QueryBudget {
        let mut queries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        queries.retain(|_, used| used.strong_count() > 0);
        let used = queries.get(&query).and_then(Weak::upgrade);
        let used = used.unwrap_or_default();
        queries.insert(query, Arc::downgrade(&used));
        let budget = QueryBudget {
            calls,
            tokens,
            used,
            query,
        };
        let mut used = budget.lock_used();
        used.max_calls = used.max_calls.saturating_add(calls);
        used.max_tokens = used.max_tokens.saturating_add(tokens);
        drop(used);
        budget
    }
}

/// The result of a request, for the limits.
pub(crate) struct QuerySpent {
    /// The tokens of the request and of the answer, if the model reports them.
    pub(crate) tokens: Option<(u64, u64)>,
    pub(crate) failed: bool,
    /// The server requests a lower rate.
    pub(crate) overloaded: bool,
}

impl QueryLimits {
    pub(crate) fn new(concurrency: usize) -> QueryLimits {
        let progress = Progress {
            concurrency,
            ..Progress::default()
        };
        QueryLimits {
            permits: Arc::new(Semaphore::new(concurrency)),
            lookups: Semaphore::new(concurrency.max(64)),
            claims: Semaphore::new(concurrency),
            max: concurrency,
            state: Mutex::new(State {
                progress,
                started: None,
                excess: 0,
                answers: 0,
                lowered: 0,
            }),
        }
    }

    fn lock_state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn concurrency(&self) -> usize {
        self.max
    }

    pub(crate) fn progress(&self) -> Progress {
        let state = self.lock_state();
        let elapsed = state
            .started
            .map_or(Duration::ZERO, |started| started.elapsed());
        Progress {
            elapsed,
            ..state.progress
        }
    }

    /// Begins the clock with the first row.
    pub(crate) fn start_clock(&self) {
        self.lock_state().started.get_or_insert_with(Instant::now);
    }

    pub(crate) fn count_row(&self, outcome: &RowOutcome) {
        let progress = &mut self.lock_state().progress;
        progress.rows += 1;
        progress.kept += u64::from(outcome.kept);
        progress.failed += u64::from(outcome.error.is_some());
    }

    /// Waits for the permit of a request. The next request gets it when it is dropped.
    pub(crate) async fn acquire_permit(self: &Arc<Self>) -> Result<Permit, AcquireError> {
        let permit = Arc::clone(&self.permits).acquire_owned().await?;
        Ok(Permit {
            limits: Arc::clone(self),
            permit: Some(permit),
        })
    }

    /// Counts a request, and returns how often the concurrency was lowered so far.
    pub(crate) fn begin_request(&self) -> u64 {
        let mut state = self.lock_state();
        state.progress.calls += 1;
        state.lowered
    }

    /// Counts what a request has used, and adapts the concurrency to it.
    pub(crate) fn end_request(&self, lowered: u64, spent: &QuerySpent) {
        let mut state = self.lock_state();
        if let Some((input, output)) = spent.tokens {
            state.progress.input_tokens += input;
            state.progress.output_tokens += output;
        }
        match spent.overloaded {
            true => state.lower_concurrency(lowered),
            false => state.raise_concurrency(self.max, &self.permits),
        }
    }
}

/// The permit of a request.
pub(crate) struct Permit {
    limits: Arc<QueryLimits>,
    permit: Option<OwnedSemaphorePermit>,
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut state = self.limits.lock_state();
        if state.excess > 0 {
            state.excess -= 1;
            if let Some(permit) = self.permit.take() {
                permit.forget();
            }
        }
    }
}

impl State {
    /// Halves the concurrency, once for all requests that were sent before.
    fn lower_concurrency(&mut self, lowered: u64) {
        let now = self.progress.concurrency;
        if self.lowered == lowered && now > 1 {
            self.progress.concurrency = now / 2;
            self.excess += now - now / 2;
            self.lowered += 1;
        }
        self.answers = 0;
    }

    /// Raises the concurrency by one after as many answers as it is large.
    fn raise_concurrency(&mut self, max: usize, permits: &Semaphore) {
        self.answers += 1;
        if self.progress.concurrency < max && self.answers >= self.progress.concurrency {
            self.answers = 0;
            self.progress.concurrency += 1;
            match self.excess {
                0 => permits.add_permits(1),
                _ => self.excess -= 1,
            }
        }
    }
}
