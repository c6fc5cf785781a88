//! Fixes of mistakes in front matter: known keys, each once, a value on one line.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "tests/ui/prompts/right_front.prompt", output = bool, from)]
struct Ask {
    question: String,
}

/// A text without blocks, said by the system.
#[derive(Prompt)]
#[prompt(file = "tests/ui/prompts/right_front_role.prompt", output = bool)]
struct Rules {
    #[prompt(trusted)]
    language: &'static str,
}

#[test]
fn renders() {
    let rules = Rules { language: "Czech" }.messages().unwrap();
    assert_eq!(
        (rules.len(), rules[0].role),
        (1, typed_prompt::Role::System)
    );
    assert_eq!(rules[0].text(), "Answer in Czech.");
    assert_eq!(Ask::INFO.doc, "Answers.");
    assert_eq!(Ask::from("Why?").messages().unwrap()[1].text(), "Why?");
}
