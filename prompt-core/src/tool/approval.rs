//! The approval of consequential calls in a tool loop.

use std::fmt;
use std::marker::PhantomData;

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
pub struct Approval<F, K> {
    function: F,
    kind: PhantomData<fn() -> K>,
}

impl<F, K> Approval<F, K> {
    pub(super) fn new(function: F) -> Approval<F, K> {
        let kind = PhantomData;
        Approval { function, kind }
    }
}

impl<F, K> fmt::Debug for Approval<F, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Approval").finish_non_exhaustive()
    }
}

impl<T: Sync, K, F: ApprovalFn<T, K>> Approver<T> for Approval<F, K> {
    const EXISTS: bool = true;

    fn approves(&mut self, call: &T) -> impl Future<Output = bool> + Send {
        self.function.approves(call)
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
    fn approves(&mut self, call: &T) -> impl Future<Output = bool> + Send;
}

/// The kind of an [`ApprovalFn`] that returns a `bool`.
#[derive(Debug)]
pub struct PlainApproval;

/// The kind of an [`ApprovalFn`] that is async.
#[derive(Debug)]
pub struct AsyncApproval;

impl<T: Sync, F: FnMut(&T) -> bool + Send> ApprovalFn<T, PlainApproval> for F {
    async fn approves(&mut self, call: &T) -> bool {
        self(call)
    }
}

impl<T: Sync, F: Send> ApprovalFn<T, AsyncApproval> for F
where
    F: for<'a> BorrowingApproval<'a, T>,
{
    fn approves(&mut self, call: &T) -> impl Future<Output = bool> + Send {
        self(call)
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
