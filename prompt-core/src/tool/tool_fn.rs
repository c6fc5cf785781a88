//! The functions that run the calls of a tool loop.

use crate::error::{Error, Result};

/// A function that runs the calls of a [`ToolLoop`](crate::ToolLoop): `async |call: Action| -> Result<R, E>`. All functions with this signature implement it.
///
/// The compiler's error for this trait names what a tool loop expects and what to write, which it does not for a bound on `FnMut`.
///
/// ```
/// use typed_prompt::{Llm, Message, Messages, MockLlm, Result, Tool, ToolCall, tool::ToolFn};
///
/// async fn ask<F>(messages: &Messages, tool: F) -> Result<String>
/// where
///     F: ToolFn<ToolCall, String> + Send,
///     F::Future: Send,
/// {
///     MockLlm::new(["It is 81 m deep."]).with_own_tools(messages).answer(tool).await
/// }
///
/// let messages = Messages::from([Message::user("How deep is it?")]).with_tool(Tool::new("depth"));
/// let answer = ask(&messages, async |call: ToolCall| Ok(format!("{}: 81 m", call.name)));
/// assert_eq!(pollster::block_on(answer)?, "It is 81 m deep.");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
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
