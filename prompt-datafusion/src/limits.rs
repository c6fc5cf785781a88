//! The shared state of all queries with one `Ask`: the running requests, the budgets, and the progress.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::answer::Outcome;

/// How far the queries with an [`Ask`](crate::Ask) are.
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
    /// assert_eq!(progress.remaining(1_000_000), eta);
    /// ```
    pub fn cost(&self, input: f64, output: f64) -> f64 {
        (self.input_tokens as f64 * input + self.output_tokens as f64 * output) / 1e6
    }

    /// The time that the rest of so many rows takes at the speed so far; `None` before the first row.
    pub fn remaining(&self, rows: u64) -> Option<Duration> {
        let rest = rows.saturating_sub(self.rows) as f64;
        let seconds = self.elapsed.as_secs_f64() * rest / self.rows as f64;
        (self.rows > 0).then(|| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
    }
}

/// Limits, and what was used of them.
pub(crate) struct Limits {
    permits: Semaphore,
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
    /// An answer came without its tokens.
    is_unmetered: bool,
}

/// The largest numbers of calls and tokens.
#[derive(Clone, Copy)]
pub(crate) struct Budget {
    pub(crate) calls: u64,
    pub(crate) tokens: u64,
}

/// The result of a request, for the limits.
pub(crate) struct Spent {
    /// The tokens of the request and of the answer, if the model reports them.
    pub(crate) tokens: Option<(u64, u64)>,
    pub(crate) failed: bool,
    /// The server asks for fewer requests.
    pub(crate) overloaded: bool,
}

impl Limits {
    pub(crate) fn new(concurrency: usize) -> Limits {
        let progress = Progress {
            concurrency,
            ..Progress::default()
        };
        Limits {
            permits: Semaphore::new(concurrency),
            max: concurrency,
            state: Mutex::new(State {
                progress,
                started: None,
                excess: 0,
                answers: 0,
                lowered: 0,
                is_unmetered: false,
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn concurrency(&self) -> usize {
        self.max
    }

    pub(crate) fn progress(&self) -> Progress {
        let state = self.state();
        let elapsed = state
            .started
            .map_or(Duration::ZERO, |started| started.elapsed());
        Progress {
            elapsed,
            ..state.progress
        }
    }

    /// Begins the clock with the first row.
    pub(crate) fn start(&self) {
        self.state().started.get_or_insert_with(Instant::now);
    }

    pub(crate) fn row(&self, outcome: &Outcome) {
        let progress = &mut self.state().progress;
        progress.rows += 1;
        progress.kept += u64::from(outcome.kept);
        progress.failed += u64::from(outcome.error.is_some());
    }

    /// Runs a request when there is room for it, unless the budget is spent. There is room for the next one when the permit is dropped.
    pub(crate) async fn run<T>(
        &self,
        budget: Budget,
        request: impl Future<Output = (T, Spent)>,
    ) -> Result<(T, Permit<'_>), String> {
        let permit = self
            .permits
            .acquire()
            .await
            .map_err(|error| error.to_string())?;
        let permit = Permit {
            limits: self,
            permit: Some(permit),
        };
        let lowered = self.state().begin(budget)?;
        let (result, spent) = request.await;
        let mut state = self.state();
        match spent.tokens {
            Some((input, output)) => {
                state.progress.input_tokens += input;
                state.progress.output_tokens += output;
            }
            None => state.is_unmetered |= !spent.failed,
        }
        match spent.overloaded {
            true => state.lower(lowered),
            false => state.raise(self.max, &self.permits),
        }
        drop(state);
        Ok((result, permit))
    }
}

/// The room of a request.
pub(crate) struct Permit<'l> {
    limits: &'l Limits,
    permit: Option<SemaphorePermit<'l>>,
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let mut state = self.limits.state();
        if state.excess > 0 {
            state.excess -= 1;
            if let Some(permit) = self.permit.take() {
                permit.forget();
            }
        }
    }
}

impl State {
    /// Counts a request, unless the budget is spent, and returns how often the concurrency was lowered so far.
    fn begin(&mut self, budget: Budget) -> Result<u64, String> {
        let used = self
            .progress
            .input_tokens
            .saturating_add(self.progress.output_tokens);
        if self.progress.calls >= budget.calls {
            return Err(format!("the limit of {} requests is reached", budget.calls));
        }
        if used >= budget.tokens {
            return Err(format!(
                "the budget of {} tokens is spent: {used} were used",
                budget.tokens
            ));
        }
        if self.is_unmetered && budget.tokens < u64::MAX {
            let error = "the token budget cannot be kept: the model does not report its tokens; use `Ask::max_calls`";
            return Err(error.to_owned());
        }
        self.progress.calls += 1;
        Ok(self.lowered)
    }

    /// Halves the concurrency, once for all requests that were sent before.
    fn lower(&mut self, lowered: u64) {
        let now = self.progress.concurrency;
        if self.lowered == lowered && now > 1 {
            self.progress.concurrency = now / 2;
            self.excess += now - now / 2;
            self.lowered += 1;
        }
        self.answers = 0;
    }

    /// Raises the concurrency by one after as many answers as it is large.
    fn raise(&mut self, max: usize, permits: &Semaphore) {
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
