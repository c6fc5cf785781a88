//! The turns of limited requests, and the limits that the retries of a call wait for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use prompt_core::{Error, Result};
use tokio::time::{Instant, sleep_until};

use crate::error::CallError;
use crate::runtime::check_runtime;

#[derive(Clone, Debug)]
pub(super) struct Limit {
    interval: Duration,
    /// How much earlier than at equal intervals a request may be sent.
    tolerance: Duration,
    /// When the next request is due at equal intervals.
    next: Arc<Mutex<Instant>>,
}

tokio::task_local! {
    /// The limits of the call that this task runs, and whether its first attempt was sent, for which the call has waited.
    static LIMITS: Vec<(Limit, Arc<AtomicBool>)>;
}

/// Waits until an attempt may be sent, if it belongs to a limited call.
pub(crate) async fn wait_for_attempt() -> Result<(), CallError> {
    for (limit, is_begun) in LIMITS.try_with(Clone::clone).unwrap_or_default() {
        if is_begun.swap(true, Ordering::Relaxed) {
            limit.wait_for_turn().await?;
        }
    }
    Ok(())
}

/// Longer times are as good as endless, and cannot be added to each instant.
const CENTURY: Duration = Duration::from_secs(100 * 365 * 86_400);

impl Limit {
    pub(super) fn new(interval: Duration) -> Limit {
        Limit {
            interval: interval.min(CENTURY),
            tolerance: Duration::ZERO,
            next: Arc::new(Mutex::new(Instant::now())),
        }
    }

    /// Sets how many requests may be sent at once after a pause.
    pub(super) fn allow_burst(&mut self, requests: u32) {
        let requests = requests.saturating_sub(1);
        self.tolerance = self.interval.saturating_mul(requests).min(CENTURY);
    }

    /// Runs a call that has waited. Its retries wait, too.
    pub(super) async fn run_with_limited_retries<T>(
        &self,
        call: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let mut limits = LIMITS.try_with(Clone::clone).unwrap_or_default();
        limits.push((self.clone(), Arc::default()));
        self.delay_if_requested(LIMITS.scope(limits, call).await)
    }

    /// Waits until a request may be sent.
    pub(super) async fn wait_for_turn(&self) -> Result<(), CallError> {
        let now = Instant::now();
        let at = {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            let due = (*next).max(now);
            *next = due + self.interval;
            due.checked_sub(self.tolerance)
        };
        if let Some(at) = at.filter(|at| *at > now) {
            check_runtime()?;
            sleep_until(at).await;
        }
        Ok(())
    }

    /// Delays the next requests if the server asks for it.
    fn delay_if_requested<T>(&self, result: Result<T>) -> Result<T> {
        let requested = |error: &Error| CallError::source_of(error)?.retry_after();
        if let Some(delay) = result.as_ref().err().and_then(requested) {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            let due = Instant::now() + delay.min(CENTURY);
            *next = (*next).max(due + self.tolerance);
        }
        result
    }
}
