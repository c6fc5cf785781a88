//! Fixes of error 11: fields with names, in a struct or an enum.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Hello <name>")]
struct Greet {
    name: String,
}

#[derive(Prompt)]
#[prompt(user = "Go.")]
struct Unit;

#[derive(Prompt)]
enum Step {
    #[prompt(user = "Plan <goal>.")]
    Plan { goal: String },
    #[prompt(user = "Act.")]
    Act,
}

#[test]
fn renders() {
    assert_eq!(
        Greet { name: "a".into() }.messages().unwrap()[0].text(),
        "Hello a"
    );
    assert_eq!(Unit.messages().unwrap()[0].text(), "Go.");
    assert_eq!(
        Step::Plan { goal: "b".into() }.messages().unwrap()[0].text(),
        "Plan b."
    );
    assert_eq!(Step::Act.messages().unwrap()[0].text(), "Act.");
}
