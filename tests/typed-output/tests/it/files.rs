//! Template files whose front matter defines the output.

use typed_prompt::Prompt;

use crate::turns;

fn owned(turns: &[(&'static str, &str)]) -> Vec<(&'static str, String)> {
    turns
        .iter()
        .map(|(role, text)| (*role, (*text).to_owned()))
        .collect()
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Answer {
    text: String,
}

#[derive(Prompt)]
#[prompt(file = "tests/it/prompts/front.prompt", from)]
struct Front {
    question: String,
}

/// Documented.
#[derive(Prompt)]
#[prompt(file = "tests/it/prompts/talk.prompt")]
struct Documented {
    #[prompt(trusted)]
    tone: String,
    #[prompt(history)]
    turns: typed_prompt::History,
    question: String,
}

#[typed_prompt::template(file = "tests/it/prompts/front.prompt", from)]
struct Made;

#[test]
fn front_matter_equals_attributes() {
    let front = Front::from("Why?");
    // Only the first pair of dashed lines is front matter.
    let expected = [("user", "Question: Why?\n\n---\nAnswer:")];
    assert_eq!(turns(&front), owned(&expected));
    assert_eq!(turns(&Made::from("Why?")), owned(&expected));
    assert_eq!(Front::INFO.doc, "Answers a customer's question.");
    assert_eq!(
        (
            Front::INFO.line,
            Front::INFO.slots.iter().next().unwrap().line
        ),
        (8, 8)
    );
    let answer: Answer =
        Front::parse_reply(&typed_prompt::Reply::new(r#"{"text": "So."}"#)).unwrap();
    assert_eq!(answer.text, "So.");
    assert_eq!(Documented::INFO.doc, "Documented.");
    assert_eq!(Made::INFO.doc, Front::INFO.doc);
}
