//! The approval of consequential calls in a tool loop.

use std::fmt;

/// Decides whether a consequential call runs. The types that implement it are those of a [`ToolLoop`](crate::ToolLoop) without and with
/// [`approve`](crate::ToolLoop::approve).
pub trait Approver<T> {
    /// Whether there is a decision at all.
    const EXISTS: bool;

    /// Returns whether the call runs.
    fn approves(&mut self, call: &T) -> impl Future<Output = bool>;
}

/// No function was given.
#[derive(Debug)]
pub struct NoApproval;

impl<T> Approver<T> for NoApproval {
    const EXISTS: bool = false;

    async fn approves(&mut self, _: &T) -> bool {
        false
    }
}

/// The function that was given.
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
