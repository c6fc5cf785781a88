//! Fixes of what front matter cannot say: known keys, each once, a text in one line.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "tests/ui/prompts/right_front.prompt", output = bool)]
struct Ask {
    question: String,
}

#[test]
fn renders() {
    assert_eq!(Ask::INFO.model, Some("gpt-5"));
    assert_eq!(Ask::from("Why?").messages()[1].text(), "Why?");
}
