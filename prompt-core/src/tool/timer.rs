//! A timer without a runtime: one thread wakes the futures whose time is over.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, Once, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

/// A moment at which a future is polled again.
pub(super) struct Deadline {
    at: Instant,
    id: u64,
}

static WAKERS: Mutex<BTreeMap<(Instant, u64), Waker>> = Mutex::new(BTreeMap::new());
static CHANGED: Condvar = Condvar::new();

fn wakers() -> MutexGuard<'static, BTreeMap<(Instant, u64), Waker>> {
    WAKERS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Deadline {
    pub(super) fn after(time: Duration) -> Option<Deadline> {
        static IDS: AtomicU64 = AtomicU64::new(0);
        // A time that cannot be expressed is never over.
        let at = Instant::now().checked_add(time)?;
        let id = IDS.fetch_add(1, Ordering::Relaxed);
        Some(Deadline { at, id })
    }

    /// Whether the time is over. If it is not, the task of the context is woken then.
    pub(super) fn is_over(&self, context: &Context<'_>) -> bool {
        if Instant::now() >= self.at {
            return true;
        }
        static STARTED: Once = Once::new();
        STARTED.call_once(|| drop(thread::spawn(wake_in_time)));
        let mut wakers = wakers();
        let is_first = wakers
            .first_key_value()
            .is_none_or(|(first, _)| self.at < first.0);
        let old = wakers.insert((self.at, self.id), context.waker().clone());
        if is_first {
            CHANGED.notify_one();
        }
        // Dropping a waker may drop a task, with a deadline of its own.
        drop(wakers);
        drop(old);
        false
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        let old = wakers().remove(&(self.at, self.id));
        drop(old);
    }
}

fn wake_in_time() {
    let mut wakers = wakers();
    loop {
        let now = Instant::now();
        let next = wakers.first_key_value().map(|(first, _)| first.0);
        wakers = match next {
            Some(at) if at <= now => {
                let first = wakers.pop_first();
                // A waker may take any lock, also that of another deadline.
                drop(wakers);
                if let Some((_, waker)) = first {
                    waker.wake();
                }
                self::wakers()
            }
            Some(at) => {
                let waited = CHANGED.wait_timeout(wakers, at - now);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
            None => CHANGED.wait(wakers).unwrap_or_else(PoisonError::into_inner),
        };
    }
}

/// Runs a future until its end, or until the time is over.
pub(super) async fn run_within<F: Future>(time: Option<Duration>, future: F) -> Option<F::Output> {
    let deadline = time.and_then(Deadline::after);
    let mut future = pin!(future);
    std::future::poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending => match &deadline {
            Some(deadline) if deadline.is_over(context) => Poll::Ready(None),
            _ => Poll::Pending,
        },
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_future_that_never_ends_is_stopped() {
        let times = [30, 10, 20].map(Duration::from_millis);
        let threads = times.map(|time| {
            thread::spawn(move || {
                let begin = Instant::now();
                let ended = run_within(Some(time), std::future::pending::<()>());
                assert!(pollster::block_on(ended).is_none());
                assert!(begin.elapsed() >= time);
            })
        });
        for thread in threads {
            thread.join().unwrap();
        }
        let ends = run_within(Some(Duration::MAX), async { 1 });
        assert_eq!(pollster::block_on(ends), Some(1));
    }
}
