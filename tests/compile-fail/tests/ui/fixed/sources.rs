//! Fixes of error 5: one source, not empty, and each key once.

use typed_prompt::{History, Prompt, prompt};

/// Answer <question>.
#[derive(Prompt)]
#[prompt(doc)]
struct Doc {
    question: String,
}

#[derive(Prompt)]
#[prompt(file = "tests/ui/prompts/right.prompt")]
struct File {
    question: String,
}

#[derive(Prompt)]
#[prompt(system = "Be brief.", history, user = "<question>")]
struct Chat {
    #[prompt(history)]
    history: History,
    question: String,
}

#[derive(Prompt)]
#[prompt(fragment = "<name>")]
struct Part {
    name: String,
}

#[derive(Prompt)]
#[prompt(user = "See <part>", output = bool)]
struct Whole {
    part: Part,
}

#[test]
fn renders() {
    let question = "Why?".to_owned();
    assert_eq!(
        Doc {
            question: question.clone()
        }
        .messages()
        .unwrap()[0]
            .text(),
        "Answer Why?."
    );
    assert_eq!(
        File {
            question: question.clone()
        }
        .messages()
        .unwrap()[0]
            .text(),
        "Why?"
    );
    assert_eq!(
        Chat {
            history: History::new(),
            question
        }
        .messages()
        .unwrap()
        .len(),
        2
    );
    let whole = Whole {
        part: Part { name: "a".into() },
    };
    assert_eq!(whole.messages().unwrap()[0].text(), "See a");
    assert_eq!(prompt!(user = "Hello").unwrap()[0].text(), "Hello");
}

#[derive(Prompt)]
#[prompt(
    system = "
              You review code.
              - Name the line.
              ",
    user = "Items:
  - <diff>"
)]
struct Review {
    diff: &'static str,
}

#[test]
fn a_text_in_several_lines() {
    let messages = Review { diff: "a" }.messages().unwrap();
    assert_eq!(messages[0].text(), "You review code.\n- Name the line.");
    assert_eq!(messages[1].text(), "Items:\n  - a");
}
