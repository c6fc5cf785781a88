//! Rows for training, from the same prompts that are asked.

use prompt_core::{Message, Prompt, Role};
use serde::Serialize;

use crate::{Error, Result};

/// A row for training chat models: `{"messages": […]}` with the answer as the last turn, in the shape of OpenAI's
/// fine-tuning files.
///
/// # Errors
/// A prompt without an answer, and what cannot be written.
///
/// ```
/// use typed_prompt::Prompt;
///
/// #[derive(Prompt)]
/// #[prompt(user = "<question>", assistant = "<answer>")]
/// struct Sum { question: &'static str, #[prompt(answer)] answer: &'static str }
///
/// let row = prompt_eval::export::chat_row(&Sum { question: "1+1?", answer: "2" })?;
/// assert_eq!(row, r#"{"messages":[{"role":"user","content":"1+1?"},{"role":"assistant","content":"2"}]}"#);
/// # Ok::<(), prompt_eval::Error>(())
/// ```
pub fn chat_row(prompt: &(impl Prompt + ?Sized)) -> Result<String> {
    let messages = prompt.with_answer();
    messages.check()?;
    if messages
        .last()
        .is_none_or(|last| last.role != Role::Assistant)
    {
        return Err(no_answer());
    }
    json(&messages.openai())
}

/// A row for training in Alpaca's shape: `instruction`, `input` and `output`. The system message is the instruction and the
/// user's the input; without a system message the user's is the instruction. Earlier turns stand in `history`, as pairs.
///
/// # Errors
/// A prompt without an answer, turns that are no pairs, and what is no text.
///
/// ```
/// use typed_prompt::Prompt;
///
/// #[derive(Prompt)]
/// #[prompt(system = "Add.", user = "<question>", assistant = "<answer>")]
/// struct Sum { question: &'static str, #[prompt(answer)] answer: &'static str }
///
/// let row = prompt_eval::export::alpaca_row(&Sum { question: "1+1?", answer: "2" })?;
/// assert_eq!(row, r#"{"instruction":"Add.","input":"1+1?","output":"2"}"#);
/// # Ok::<(), prompt_eval::Error>(())
/// ```
pub fn alpaca_row(prompt: &(impl Prompt + ?Sized)) -> Result<String> {
    let messages = prompt.with_answer();
    messages.check()?;
    if messages.iter().any(|message| !message.is_text()) {
        return Err(Error::new(
            "an image, sound, film or file has no place in a row of text",
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
    json(&Row {
        instruction: &instruction,
        input: &input,
        output: &answer.text(),
        history: pairs(earlier)?,
    })
}

#[derive(Serialize)]
struct Row<'a> {
    instruction: &'a str,
    input: &'a str,
    output: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    history: Vec<[String; 2]>,
}

fn json(row: &impl Serialize) -> Result<String> {
    serde_json::to_string(row).map_err(|error| Error::new(error.to_string()).with_source(error))
}

fn pairs(turns: &[Message]) -> Result<Vec<[String; 2]>> {
    let pairs = turns.chunks(2).map(|pair| match pair {
        [question, answer] if question.role == Role::User && answer.role == Role::Assistant => {
            Ok([question.text().into_owned(), answer.text().into_owned()])
        }
        _ => Err(
            Error::new("the turns before the question are no pairs of question and answer")
                .with_help("use `chat_row`, which takes any turns"),
        ),
    });
    pairs.collect()
}

fn no_answer() -> Error {
    Error::new("the prompt does not end with a question and its answer")
        .with_help("mark the answer's field `#[prompt(answer)]`, and end with an `assistant` text that holds it")
}
