//! Calls of tools that run at the same time, without a runtime.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use super::timer::Deadline;

/// Calls of tools that run at the same time, each with its index.
pub(super) struct RunningCalls<F>(Vec<RunningCall<F>>);

struct RunningCall<F> {
    index: usize,
    /// `None` if the tool panicked before it returned a future.
    future: Result<Pin<Box<F>>, Option<String>>,
    deadline: Option<Deadline>,
}

/// How a call ended.
pub(super) enum CallEnd<R> {
    Returned(R),
    /// The time of the call is over.
    TimedOut,
    /// The tool panicked, with this message.
    Panicked(String),
}

impl<F: Future> RunningCalls<F> {
    pub(super) fn new() -> RunningCalls<F> {
        RunningCalls(Vec::new())
    }

    /// Begins a call. `begin` is the function of the program, which may panic.
    pub(super) fn push(
        &mut self,
        index: usize,
        timeout: Option<Duration>,
        begin: impl FnOnce() -> F,
    ) {
        let begun = catch_unwind(AssertUnwindSafe(begin));
        self.0.push(RunningCall {
            index,
            future: begun
                .map(Box::pin)
                .map_err(|panic| Some(panic_message(&*panic))),
            deadline: timeout.and_then(Deadline::after),
        });
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Waits for the next call that ends. `None` if none runs.
    pub(super) async fn next(&mut self) -> Option<(usize, CallEnd<F::Output>)> {
        if self.0.is_empty() {
            return None;
        }
        Some(std::future::poll_fn(|context| self.poll_next(context)).await)
    }

    /// Waits for another future while the calls run. `Err` for each call that ends before it.
    pub(super) async fn next_or<T>(
        &mut self,
        mut other: Pin<&mut impl Future<Output = T>>,
    ) -> Result<T, (usize, CallEnd<F::Output>)> {
        std::future::poll_fn(|context| match other.as_mut().poll(context) {
            Poll::Ready(output) => Poll::Ready(Ok(output)),
            Poll::Pending => self.poll_next(context).map(Err),
        })
        .await
    }

    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<(usize, CallEnd<F::Output>)> {
        let running = self.0.iter_mut().enumerate();
        let mut ended = running.filter_map(|(position, call)| match call.poll(context) {
            Poll::Ready(end) => Some((position, end)),
            Poll::Pending => None,
        });
        match ended.next() {
            Some((position, end)) => {
                let call = self.0.swap_remove(position);
                Poll::Ready((call.index, end))
            }
            None => Poll::Pending,
        }
    }
}

impl<F: Future> RunningCall<F> {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<CallEnd<F::Output>> {
        let future = match &mut self.future {
            Ok(future) => future,
            Err(panic) => {
                let message = panic.take().unwrap_or_default();
                return Poll::Ready(CallEnd::Panicked(message));
            }
        };
        // The future is not polled again after a panic.
        match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
            Ok(Poll::Ready(result)) => Poll::Ready(CallEnd::Returned(result)),
            Err(panic) => Poll::Ready(CallEnd::Panicked(panic_message(&*panic))),
            Ok(Poll::Pending) => match &self.deadline {
                Some(deadline) if deadline.is_over(context) => Poll::Ready(CallEnd::TimedOut),
                _ => Poll::Pending,
            },
        }
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(|text| &**text));
    text.unwrap_or("without a message").to_owned()
}
