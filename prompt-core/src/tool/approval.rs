//! The approval of consequential calls in a tool loop.

use std::fmt;

/// Decides whether a consequential call of a [`ToolLoop`](crate::ToolLoop) runs. [`NoApproval`] and [`Approval`] implement it.
pub trait Approver<T> {
    /// Whether there is a decision at all.
    const EXISTS: bool;

    /// Returns whether the call runs.
    fn approves(&mut self, call: &T) -> impl Future<Output = bool>;
}

/// The [`Approver`] of a [`ToolLoop`](crate::ToolLoop) without [`approve`](crate::ToolLoop::approve): it has no decision.
#[derive(Debug)]
pub struct NoApproval;

impl<T> Approver<T> for NoApproval {
    const EXISTS: bool = false;

    async fn approves(&mut self, _: &T) -> bool {
        false
    }
}

/// The [`Approver`] with the function that [`ToolLoop::approve`](crate::ToolLoop::approve) received.
pub struct Approval<F>(pub(super) F);

impl<F> fmt::Debug for Approval<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Approval").finish_non_exhaustive()
    }
}

impl<T, F: AsyncFnMut(&T) -> bool> Approver<T> for Approval<F> {
    const EXISTS: bool = true;

    async fn approves(&mut self, call: &T) -> bool {
        (self.0)(call).await
    }
}
