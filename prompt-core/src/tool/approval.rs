//! The approval of consequential calls in a tool loop.

use std::fmt;
use std::future::ready;

use crate::llm::BoxFuture;

/// Decides whether a consequential call of a [`ToolLoop`](crate::ToolLoop) runs. [`NoApproval`] and [`Approval`] implement it.
pub trait Approver<T>: Send {
    /// Whether there is a decision at all.
    const EXISTS: bool;

    /// Returns whether the call runs.
    fn approves(&mut self, call: &T) -> impl Future<Output = bool> + Send;
}

/// The [`Approver`] of a [`ToolLoop`](crate::ToolLoop) without [`approve`](crate::ToolLoop::approve): it has no decision.
#[derive(Debug)]
pub struct NoApproval;

impl<T: Sync> Approver<T> for NoApproval {
    const EXISTS: bool = false;

    async fn approves(&mut self, _: &T) -> bool {
        false
    }
}

/// The [`Approver`] with the function that [`ToolLoop::approve`](crate::ToolLoop::approve) received. `K` is the [`ApprovalFn`]'s kind.
// With the function's own type as a parameter, each method of a loop would repeat the error about a function that cannot decide.
pub struct Approval<'a, T, K> {
    function: Box<dyn ApprovalFn<T, K> + 'a>,
}

impl<'a, T, K> Approval<'a, T, K> {
    pub(super) fn new(function: impl ApprovalFn<T, K> + 'a) -> Approval<'a, T, K> {
        let function = Box::new(function);
        Approval { function }
    }
}

impl<T, K> fmt::Debug for Approval<'_, T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Approval").finish_non_exhaustive()
    }
}

impl<T: Sync, K> Approver<T> for Approval<'_, T, K> {
    const EXISTS: bool = true;

    async fn approves(&mut self, call: &T) -> bool {
        self.function.approves(call).await
    }
}

/// A function that decides about calls: `|call: &Action| -> bool`, or `async |call: &Action| -> bool`.
///
/// `K` is [`PlainApproval`] or [`AsyncApproval`]; the compiler infers it from the function.
#[diagnostic::on_unimplemented(
    message = "this function does not decide about the calls of a tool loop",
    label = "expected `|call: &Action| …` that returns a `bool`, with your enum of tools for `Action`",
    note = "write the type of the argument, which is a reference; an async function, `async |call: &Action| …`, borrows what it captures: leave out `move`"
)]
pub trait ApprovalFn<T, K>: Send {
    /// Returns whether the call runs.
    fn approves<'c>(&'c mut self, call: &'c T) -> BoxFuture<'c, bool>;
}

/// The kind of an [`ApprovalFn`] that returns a `bool`.
#[derive(Debug)]
pub struct PlainApproval;

/// The kind of an [`ApprovalFn`] that is async.
#[derive(Debug)]
pub struct AsyncApproval;

impl<T: Sync, F: FnMut(&T) -> bool + Send> ApprovalFn<T, PlainApproval> for F {
    fn approves<'c>(&'c mut self, call: &'c T) -> BoxFuture<'c, bool> {
        Box::pin(ready(self(call)))
    }
}

impl<T: Sync, F: Send> ApprovalFn<T, AsyncApproval> for F
where
    F: for<'a> BorrowingApproval<'a, T>,
{
    fn approves<'c>(&'c mut self, call: &'c T) -> BoxFuture<'c, bool> {
        Box::pin(self(call))
    }
}

/// An async function whose future borrows its argument. A bound on `FnMut` alone cannot name the type of that future for every lifetime.
pub trait BorrowingApproval<'a, T: 'a>: FnMut(&'a T) -> Self::Future {
    /// The decision.
    type Future: Future<Output = bool> + Send;
}

impl<'a, T: 'a, F, R> BorrowingApproval<'a, T> for F
where
    F: FnMut(&'a T) -> R,
    R: Future<Output = bool> + Send,
{
    type Future = R;
}
