//! Futures that run at the same time, without a runtime.

use std::pin::Pin;
use std::task::Poll;

/// Calls of tools that run at the same time, each with its index.
pub(super) struct RunningCalls<F>(Vec<(usize, Pin<Box<F>>)>);

impl<F: Future> RunningCalls<F> {
    pub(super) fn new() -> RunningCalls<F> {
        RunningCalls(Vec::new())
    }

    pub(super) fn push(&mut self, index: usize, call: F) {
        self.0.push((index, Box::pin(call)));
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Waits for the next call that ends. `None` if none runs.
    pub(super) async fn next(&mut self) -> Option<(usize, F::Output)> {
        if self.0.is_empty() {
            return None;
        }
        std::future::poll_fn(|context| {
            let running = self.0.iter_mut().enumerate();
            let mut ended =
                running.filter_map(|(position, (_, call))| match call.as_mut().poll(context) {
                    Poll::Ready(result) => Some((position, result)),
                    Poll::Pending => None,
                });
            match ended.next() {
                Some((position, result)) => {
                    let (index, _) = self.0.swap_remove(position);
                    Poll::Ready(Some((index, result)))
                }
                None => Poll::Pending,
            }
        })
        .await
    }
}
