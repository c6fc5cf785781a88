//! Fixes of mistakes in prompt functions: names and types, no body, a return type.

use typed_prompt::Prompt;

#[typed_prompt::function(system = "For <product>.", user = "Classify <ticket>.")]
fn triage<T: std::fmt::Display + typed_prompt::ToPrompt>(
    #[prompt(trusted)] product: &str,
    ticket: T,
) -> bool;

#[test]
fn renders() {
    let messages = triage("Acme", "It crashes").messages().unwrap();
    assert_eq!(messages[0].text(), "For Acme.");
    assert_eq!(messages[1].text(), "Classify It crashes.");
}
