//! Fixes of error 23: rows that fit the struct.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    examples = "tests/ui/prompts/right_examples.jsonl",
    user = "<ticket> (<urgency>)",
    assistant = "<label>"
)]
struct Triage {
    ticket: String,
    urgency: u8,
    #[prompt(answer)]
    label: String,
}

#[test]
fn renders() {
    let triage = Triage {
        ticket: "Hm".into(),
        urgency: 1,
        label: "Wish".into(),
    };
    let messages = triage.messages().unwrap();
    assert_eq!(messages[0].text(), "It crashes (5)");
    assert_eq!(messages[1].text(), "Bug");
    assert_eq!(messages[2].text(), "Hm (1)");
}
