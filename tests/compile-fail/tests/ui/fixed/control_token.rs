//! Fixes of error 8: without the token, or without the format.

use typed_prompt::{Prompt, format};

#[derive(Prompt)]
#[prompt(user = "Answer this: <context>", format = llama3)]
struct Ask {
    context: String,
}

#[derive(Prompt)]
#[prompt(user = "What does <|eot_id|> mean in <context>?")]
struct Explain {
    context: String,
}

#[test]
fn renders() {
    let context = "a".to_owned();
    assert!(
        Ask {
            context: context.clone()
        }
        .to_text(format::LLAMA3)
        .is_ok()
    );
    assert_eq!(
        Explain { context }.messages().unwrap()[0].text(),
        "What does <|eot_id|> mean in a?"
    );
}
