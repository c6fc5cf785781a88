//! The dataset of an evaluation: arithmetic exercises, preceded by five few-shot examples.

use prompt_eval::ExamplePool;
use prompt_eval::retrieve::FixK;
use serde_json::{Value, json};
use typed_prompt::compat::aisbench::MetaTemplate;
use typed_prompt::{Examples, Prompt, message::Json};

#[derive(Prompt, serde::Serialize, Clone)]
#[prompt(
    system = "You are a careful calculator. Answer each question with one number.",
    user = "Question: <question>",
    assistant = "Answer: <answer>"
)]
pub(crate) struct Sum {
    #[serde(skip)]
    #[prompt(examples)]
    pub(crate) examples: Examples,
    question: String,
    #[prompt(answer)]
    answer: String,
}

/// The sum of a row.
pub(crate) fn sum(row: usize) -> Sum {
    let (baskets, apples, given) = (3 + row % 17, 5 + row % 23, 2 + row % 7);
    Sum {
        examples: Examples::new(),
        question: format!(
            "A farmer has {baskets} baskets with {apples} apples in each of them, and gives {given} apples away to \
             the neighbours. How many apples are left for the market on Saturday?"
        ),
        answer: (baskets * apples - given).to_string(),
    }
}

/// The five that are worked out.
pub(crate) fn worked() -> Vec<Sum> {
    (0..5).map(|row| sum(row * 37 + 1)).collect()
}

/// The same, chosen for each row anew.
pub(crate) fn examples() -> ExamplePool {
    ExamplePool::from_turns(worked())
        .unwrap()
        .retriever(FixK::new(0..5))
}

/// The delimiters of each role, as in AISBench's configurations.
pub(crate) fn meta() -> Value {
    json!({
        "round": [
            {"role": "HUMAN", "begin": "<|im_start|>user\n", "end": "<|im_end|>\n"},
            {"role": "BOT", "begin": "<|im_start|>assistant\n", "end": "<|im_end|>\n", "generate": true},
        ],
        "reserved_roles": [{"role": "SYSTEM", "begin": "<|im_start|>system\n", "end": "<|im_end|>\n"}],
    })
}

/// The same, read.
pub(crate) fn template() -> MetaTemplate {
    let meta = Json::parse(&meta().to_string()).expect("it is JSON");
    MetaTemplate::from_json(&meta).expect("it is a meta template")
}
