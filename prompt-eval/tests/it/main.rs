//! Evaluations through the public API: datasets, resumable runs, exports.

mod bad_input;
mod exports;
mod extractions;
mod file_faults;
mod kill;
mod leaks;
#[cfg(target_os = "linux")]
mod memory;
mod multiple_choice;
mod own_answers;
#[cfg(feature = "eval-parquet")]
mod parquet;
mod repeats;
mod resumed;
mod runs;
mod smollm2;
mod values;
mod versions;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use prompt_core::{BoxFuture, Examples, Llm, Reply, Request, Result};
use serde::Deserialize;
use typed_prompt::Prompt;

/// A row of most tests.
#[derive(Clone, Debug, Deserialize, Prompt)]
#[prompt(system = "Add.", user = "What is <question>", assistant = "<answer>")]
struct Sum {
    #[serde(skip)]
    #[prompt(examples)]
    examples: Examples,
    question: String,
    #[prompt(answer)]
    answer: String,
}

impl Sum {
    fn new(question: &str, answer: &str) -> Sum {
        Sum {
            examples: Examples::new(),
            question: question.to_owned(),
            answer: answer.to_owned(),
        }
    }
}

/// A file of this test alone.
fn path(name: &str) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("prompt-eval-it-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    folder.join(format!("{count}-{name}"))
}

fn written(name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let path = path(name);
    std::fs::write(&path, text).expect("a temporary file");
    path
}

/// A model whose answer depends on the question alone. It records nothing.
struct Adder;

impl Llm for Adder {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply>> {
        Box::pin(async move { Ok(Reply::new(sum_of(request))) })
    }
}

/// The sum in the last message.
fn sum_of(request: &Request) -> String {
    let text = request
        .messages
        .last()
        .map(|message| message.text().into_owned());
    let text = text.unwrap_or_default();
    let numbers = text.split(|char: char| !char.is_ascii_digit());
    let numbers = numbers.filter_map(|number| number.parse::<u64>().ok());
    numbers.sum::<u64>().to_string()
}
