//! Tests of typed-prompt's public API: one module per feature.

mod angle;
mod blocks;
mod bounds;
mod brace;
mod dynamic;
mod dynamic_errors;
mod dynamic_faults;
mod dynamic_files;
mod dynamic_random;
mod examples;
mod examples_file;
mod extras;
mod files;
mod filters;
mod formats;
mod history;
mod hostile;
mod info;
mod inline;
mod jinja;
mod literal_text;
mod media;
mod messages;
mod nested;
mod partials;
mod pasted;
mod plain;
mod system;
mod template_tokens;
mod templates;
mod tools;
mod turns;
mod values;
mod verbatim;
mod whitespace;

use typed_prompt::{Message, Prompt};

/// The text of a prompt that is one user message.
fn user(prompt: &impl Prompt) -> String {
    match prompt.messages().unwrap().as_slice() {
        [message] if message.role.name() == "user" => message.text().into_owned(),
        other => panic!("one user message expected, got {other:?}"),
    }
}

/// Role and text of each message.
fn turns(prompt: &impl Prompt) -> Vec<(&'static str, String)> {
    let turn = |message: &Message| (message.role.name(), message.text().into_owned());
    prompt.messages().unwrap().iter().map(turn).collect()
}

/// Each prompt is one user message with the text beside it.
fn check(
    cases: impl IntoIterator<Item = (typed_prompt::Result<typed_prompt::Messages>, &'static str)>,
) {
    for (prompt, expected) in cases {
        assert_eq!(user(&prompt.unwrap()), expected);
    }
}
