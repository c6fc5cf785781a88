//! The functions that run the calls of a tool loop.

use crate::error::{Error, Result};

/// A function that runs the calls of a [`ToolLoop`](crate::ToolLoop): `async |call: Action| -> Result<R, E>`. All functions with this signature implement it.
///
/// It exists for its error: for a bound on `FnMut`, the compiler names neither what a tool loop expects nor what to write.
#[diagnostic::on_unimplemented(
    message = "this function cannot run the calls of a tool loop",
    label = "expected `async |call: {T}| …` that returns a `typed_prompt::Result`",
    note = "an async closure borrows what it captures: leave out `move`, and put a variable that it changes into a `Mutex`",
    note = "a function with an error of its own, such as `std::io::Error`: `try_answer`"
)]
pub trait ToolFn<T, R, E = Error>: FnMut(T) -> Self::Future {
    /// The result of the call.
    type Future: Future<Output = Result<R, E>>;
}

// Without the attribute, the compiler reports a bound of the implementation.
#[diagnostic::do_not_recommend]
impl<T, R, E, F, Fut> ToolFn<T, R, E> for F
where
    F: FnMut(T) -> Fut,
    Fut: Future<Output = Result<R, E>>,
{
    type Future = Fut;
}
