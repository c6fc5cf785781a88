//! Fixes of error 8: without the token, as text, or in a prompt that is the whole text for a completion model.

use typed_prompt::{Prompt, format};

#[derive(Prompt)]
#[prompt(user = "Answer this: <context>", format = llama3)]
struct Ask {
    context: String,
}

#[derive(Prompt)]
#[prompt(user = "What does <raw><|eot_id|></raw> mean in <context>?")]
struct Explain {
    context: String,
}

#[derive(Prompt)]
#[prompt(user = "[INST] <context> [/INST]", format = plain)]
struct Whole {
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
        Explain {
            context: context.clone()
        }
        .messages()
        .unwrap()[0]
            .text(),
        "What does <|eot_id|> mean in a?"
    );
    assert_eq!(
        Whole { context }.messages().unwrap()[0].text(),
        "[INST] a [/INST]"
    );
}
