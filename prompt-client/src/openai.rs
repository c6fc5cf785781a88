//! What all answers in OpenAI's protocol have in common: of chats and of texts, whole and in pieces.

pub(crate) use prompt_core::openai::answer::{choice, model, reason, usage};
use serde_json::Value;

use crate::failure::Failure;
use crate::fault;

/// The error that stands in the place of an answer.
pub(crate) fn error(body: &Value) -> Option<Failure> {
    prompt_core::openai::answer::error(body).map(fault::event)
}
