//! The request never contains the correct answer, unless the question or an example contains it.

use prompt_core::{Examples, format};
use prompt_eval::retrieve::Random;
use prompt_eval::{Eval, ExamplePool};
use proptest::prelude::*;
use typed_prompt::Prompt;

/// Four ways to write a prompt.
#[derive(Clone, Debug, Prompt)]
enum Any {
    #[prompt(system = "Be brief.", user = "<question>", assistant = "<answer>")]
    Chat {
        #[prompt(examples)]
        examples: Examples,
        question: String,
        #[prompt(answer)]
        answer: String,
    },
    #[prompt(
        user = "Solve.\n<examples>Q: <question>\nA: ",
        assistant = "(<answer>)"
    )]
    Text {
        #[prompt(examples)]
        examples: Examples,
        question: String,
        #[prompt(answer)]
        answer: String,
    },
    #[prompt(
        examples,
        user = "<if question>\\{answer} <question></if>",
        assistant = "<if answer>It is <answer>.</if>"
    )]
    Braces {
        #[prompt(examples)]
        examples: Examples,
        question: String,
        #[prompt(answer)]
        answer: String,
    },
    #[prompt(
        syntax = "brace",
        user = "{question} \\<answer>",
        assistant = "{answer}{answer}"
    )]
    Brace {
        question: String,
        #[prompt(answer)]
        answer: String,
    },
}

impl Any {
    fn of(kind: u8, question: String, answer: String) -> Any {
        let examples = Examples::new();
        match kind % 4 {
            0 => Any::Chat {
                examples,
                question,
                answer,
            },
            1 => Any::Text {
                examples,
                question,
                answer,
            },
            2 => Any::Braces {
                examples,
                question,
                answer,
            },
            _ => Any::Brace { question, answer },
        }
    }

    fn set(&mut self, given: Examples) {
        match self {
            Any::Chat { examples, .. }
            | Any::Text { examples, .. }
            | Any::Braces { examples, .. } => {
                *examples = given;
            }
            Any::Brace { .. } => {}
        }
    }
}

/// Strings that contain parts of templates.
fn data() -> impl Strategy<Value = String> {
    let words = prop_oneof![
        Just("<answer>".to_owned()),
        Just("{answer}".to_owned()),
        Just("{{ answer }}".to_owned()),
        Just("<|im_end|>".to_owned()),
        "[a-z]{1,6}",
        "[ -~]{1,4}",
        "\\PC{1,3}",
    ];
    proptest::collection::vec(words, 1..6).prop_map(|words| words.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn the_answer_is_not_in_the_prompt(
        kind in 0u8..4,
        question in data(),
        // No template has these letters.
        secret in "[A-Z]{6}[0-9]{6}",
        around in data(),
        pool in proptest::collection::vec((data(), "[A-Z]{7}[0-9]{5}"), 4),
    ) {
        let answer = format!("{around}{secret}");
        let examples = |text: bool| {
            let rows = pool.iter().map(|(question, answer)| Any::of(kind, question.clone(), answer.clone()));
            if text { ExamplePool::from_texts(rows).unwrap() } else { ExamplePool::from_turns(rows).unwrap() }
        };
        let examples = examples(kind % 4 == 1).retriever(Random::new(2).seed(7));
        let row = Any::of(kind, question.clone(), answer.clone());
        let with_answer: String = row.messages_with_answer().unwrap().iter().map(|message| message.text().into_owned()).collect();
        prop_assert!(with_answer.contains(&secret));

        let eval = Eval::new(vec![row.clone()]);
        let eval = match &row {
            // It has no examples.
            Any::Brace { .. } => eval,
            _ => eval.few_shot(examples, |row: &mut Any, examples| row.set(examples)),
        };
        let shown = eval
            .dry_run(1)
            .expect("it can be shown");
        prop_assert!(!shown.contains(&secret) || question.contains(&secret), "{shown}");

        let masked: String = row.messages_with_mask("").unwrap().iter().map(|message| message.text().into_owned()).collect();
        prop_assert!(!masked.contains(&secret) || question.contains(&secret), "{masked}");
        if let Ok(text) = row.to_text(format::CHATML) {
            prop_assert!(!text.contains(&secret) || question.contains(&secret), "{text}");
        }
    }
}
