//! Training rows, from the same prompts that are evaluated.

use prompt_core::{Message, Prompt, Role};
use serde::Serialize;

use crate::DataError;

/// A training row for chat models in OpenAI's fine-tuning format: `{"messages": […]}`, with the answer as the last
/// message.
///
/// # Errors
/// The prompt has no answer, or cannot be rendered.
///
/// ```
/// use typed_prompt::Prompt;
///
/// #[derive(Prompt)]
/// #[prompt(user = "<question>", assistant = "<answer>")]
/// struct Sum { question: &'static str, #[prompt(answer)] answer: &'static str }
///
/// let row = typed_prompt::eval::export::chat_row(&Sum { question: "1+1?", answer: "2" })?;
/// assert_eq!(row, r#"{"messages":[{"role":"user","content":"1+1?"},{"role":"assistant","content":"2"}]}"#);
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
pub fn chat_row(prompt: &(impl Prompt + ?Sized)) -> Result<String, DataError> {
    let messages = prompt.messages_with_answer()?;
    if messages
        .last()
        .is_none_or(|last| last.role != Role::Assistant)
    {
        return Err(no_answer());
    }
    to_json_line(&messages.openai())
}

/// A training row in Alpaca's format: `instruction`, `input` and `output`. The system message is the instruction, and the
/// user message the input; without a system message, the user message is the instruction. Earlier turns are pairs in
/// `history`.
///
/// # Errors
/// The prompt has no answer, its turns are not pairs, or it contains media.
///
/// ```
/// use typed_prompt::Prompt;
///
/// #[derive(Prompt)]
/// #[prompt(system = "Add.", user = "<question>", assistant = "<answer>")]
/// struct Sum { question: &'static str, #[prompt(answer)] answer: &'static str }
///
/// let row = typed_prompt::eval::export::alpaca_row(&Sum { question: "1+1?", answer: "2" })?;
/// assert_eq!(row, r#"{"instruction":"Add.","input":"1+1?","output":"2"}"#);
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
pub fn alpaca_row(prompt: &(impl Prompt + ?Sized)) -> Result<String, DataError> {
    let messages = prompt.messages_with_answer()?;
    if messages.iter().any(|message| !message.is_text()) {
        return Err(DataError::new(
            "an Alpaca row cannot contain images, audio, video or files",
        ));
    }
    let (system, turns) = match messages.as_slice() {
        [system, turns @ ..] if system.role == Role::System => (Some(system), turns),
        turns => (None, turns),
    };
    let [earlier @ .., question, answer] = turns else {
        return Err(no_answer());
    };
    if question.role != Role::User || answer.role != Role::Assistant {
        return Err(no_answer());
    }
    let (instruction, input) = match system {
        Some(system) => (system.text(), question.text()),
        None => (question.text(), "".into()),
    };
    to_json_line(&TrainingRow {
        instruction: &instruction,
        input: &input,
        output: &answer.text(),
        history: turn_pairs(earlier)?,
    })
}

#[derive(Serialize)]
struct TrainingRow<'a> {
    instruction: &'a str,
    input: &'a str,
    output: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    history: Vec<[String; 2]>,
}

fn to_json_line(row: &impl Serialize) -> Result<String, DataError> {
    serde_json::to_string(row).map_err(|error| DataError::new(error.to_string()).with_source(error))
}

fn turn_pairs(turns: &[Message]) -> Result<Vec<[String; 2]>, DataError> {
    let pairs = turns.chunks(2).map(|pair| match pair {
        [question, answer] if question.role == Role::User && answer.role == Role::Assistant => {
            Ok([question.text().into_owned(), answer.text().into_owned()])
        }
        _ => Err(DataError::new(
            "the turns before the question are not pairs of question and answer",
        )
        .with_help("use `chat_row`, which accepts any turns")),
    });
    pairs.collect()
}

fn no_answer() -> DataError {
    DataError::new("the prompt does not end with a question and its answer")
        .with_help("mark the answer field `#[prompt(answer)]`, and end with an `assistant` text that contains it")
}
