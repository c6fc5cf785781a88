//! Training rows, from the same prompts that are evaluated.

#[cfg(feature = "tokens")]
use prompt_core::tokens::Tokenizer;
use prompt_core::{ChatFormat, Message, Messages, Prompt, Role};
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
    to_json_line(&answered_messages(prompt)?.openai())
}

/// A training row with the text of a chat format and its loss mask: `{"text": …, "generated": [[start, end], …]}`. `generated` are the
/// ranges of the text's UTF-8 bytes that the model generates, as
/// [`AnnotatedText::generated`](prompt_core::AnnotatedText::generated) defines them: the answer, and all earlier turns of the assistant.
///
/// # Errors
/// The prompt has no answer, the format does not support it, or it marks no text that the model generates or cannot determine it.
///
/// ```
/// use typed_prompt::{Prompt, format};
///
/// #[derive(Prompt)]
/// #[prompt(user = "<question>", assistant = "<answer>")]
/// struct Sum { question: &'static str, #[prompt(answer)] answer: &'static str }
///
/// let row = typed_prompt::eval::export::text_row(&Sum { question: "1+1?", answer: "2" }, format::ZEPHYR)?;
/// assert_eq!(row, r#"{"text":"<|user|>\n1+1?</s>\n<|assistant|>\n2</s>\n","generated":[[32,38]]}"#);
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
pub fn text_row(
    prompt: &(impl Prompt + ?Sized),
    format: impl ChatFormat,
) -> Result<String, DataError> {
    let messages = answered_messages(prompt)?;
    let text = messages.to_annotated_text((&format).generation_prompt(false))?;
    let ranges = text.generated()?.iter();
    let row = TextRow {
        text: text.as_str(),
        generated: ranges.map(|range| [range.start, range.end]).collect(),
    };
    match row.generated.is_empty() {
        true => Err(nothing_generated(&format)),
        false => to_json_line(&row),
    }
}

/// A training row with the token ids of a chat format and their loss mask: `{"input_ids": […], "assistant_masks": […]}`, the columns
/// that the trainers of Hugging Face's trl read. The mask is 1 for each token that the model generates, as
/// [`Tokens::generated_mask`](prompt_core::tokens::Tokens::generated_mask) defines it.
///
/// # Errors
/// As [`text_row`]; the tokenizer fails, or is that of another model.
///
/// ```
/// use typed_prompt::{Prompt, format, tokens::Tiktoken};
///
/// #[derive(Prompt)]
/// #[prompt(user = "<question>", assistant = "<answer>")]
/// struct Sum { question: &'static str, #[prompt(answer)] answer: &'static str }
///
/// let sum = Sum { question: "1+1?", answer: "2" };
/// let row = typed_prompt::eval::export::token_row(&sum, format::FALCON, &Tiktoken::from_model("gpt-4o")?)?;
/// assert!(row.starts_with(r#"{"input_ids":["#) && row.ends_with("0,1,1]}"), "{row}");
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
#[cfg(feature = "tokens")]
#[cfg_attr(docsrs, doc(cfg(feature = "tokens")))]
pub fn token_row(
    prompt: &(impl Prompt + ?Sized),
    format: impl ChatFormat,
    tokenizer: &(impl Tokenizer + ?Sized),
) -> Result<String, DataError> {
    let messages = answered_messages(prompt)?;
    let tokens = messages.to_tokens((&format).generation_prompt(false), tokenizer)?;
    let mask = tokens.generated_mask()?;
    if !mask.contains(&true) {
        return Err(nothing_generated(&format));
    }
    to_json_line(&TokenRow {
        input_ids: tokens.ids(),
        assistant_masks: mask.into_iter().map(u8::from).collect(),
    })
}

/// The messages of a prompt, of which the last is the answer.
fn answered_messages(prompt: &(impl Prompt + ?Sized)) -> Result<Messages, DataError> {
    let messages = prompt.messages_with_answer()?;
    let last = messages.last().map(|last| last.role);
    match last == Some(Role::Assistant) {
        true => Ok(messages),
        false => Err(no_answer()),
    }
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
struct TextRow<'a> {
    text: &'a str,
    generated: Vec<[usize; 2]>,
}

#[cfg(feature = "tokens")]
#[derive(Serialize)]
struct TokenRow {
    input_ids: Vec<u32>,
    assistant_masks: Vec<u8>,
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

fn nothing_generated(format: &impl ChatFormat) -> DataError {
    let title = format.family().title;
    DataError::new(format!(
        "{title} marks no text that the model generates, so that there is nothing to train on"
    ))
    .with_help("call `AnnotatedText::begin_generated` and `end_generated` around each answer in the format's `write_messages`")
}

fn no_answer() -> DataError {
    DataError::new("the prompt does not end with a question and its answer")
        .with_help("mark the answer field `#[prompt(answer)]`, and end with an `assistant` text that contains it")
}
