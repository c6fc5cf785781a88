//! Templates that `generate.py` has written, rendered here and by Jinja2: `run` does all of it.

pub use std::collections::BTreeMap;

pub use typed_prompt::Prompt;

/// An item of a list, of a type that is not a value of the template language.
pub struct Person {
    pub name: String,
    pub age: u8,
    pub tall: bool,
}

/// Whether a prompt has the same output as Jinja2, or fails as it does.
#[track_caller]
pub fn check(template: &str, prompt: &impl Prompt, expected: Option<&str>) {
    match (prompt.messages(), expected) {
        (Ok(messages), Some(expected)) => {
            let text = messages.iter().next().map_or(String::new(), |message| message.text().to_string());
            assert_eq!(text, expected, "\n{template}");
        }
        (Ok(messages), None) => panic!("Jinja2 refuses this, and here it gives {:?}\n{template}", messages[0].text()),
        (Err(error), Some(expected)) => panic!("Jinja2 gives {expected:?}, and here it is refused: {error:#}\n{template}"),
        (Err(_), None) => {}
    }
}
