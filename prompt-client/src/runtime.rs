//! The parts of a call that need a Tokio runtime.

use std::time::Duration;

use crate::error::{CallError, CallErrorKind};

/// Fails outside of a Tokio runtime, which connections and timeouts need.
pub(crate) fn check_runtime() -> Result<(), CallError> {
    if tokio::runtime::Handle::try_current().is_ok() {
        return Ok(());
    }
    let message = "the model is called outside of a Tokio runtime";
    let error = CallError::new(CallErrorKind::Setup, message);
    Err(error.with_help(
        "call it from a function with `#[tokio::main]`, or use `Blocking::new(llm)?.call(&prompt)` of `typed_prompt::client`",
    ))
}

/// Runs an attempt within its timeout.
pub(crate) async fn run_within<T>(
    timeout: Option<Duration>,
    attempt: impl Future<Output = Result<T, CallError>>,
) -> Result<T, CallError> {
    match timeout {
        Some(timeout) => tokio::time::timeout(timeout, attempt)
            .await
            .unwrap_or_else(|_| Err(CallError::timed_out(timeout))),
        None => attempt.await,
    }
}
