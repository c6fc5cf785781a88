//! Fixes of error 7: the slot is moved to the user message, or the field is trusted, or has a type that cannot contain instructions.

use typed_prompt::{Prompt, Trusted, prompt};

#[derive(Prompt)]
#[prompt(
    system = "You know <product>, <rules | join(\", \")>, <tone> and <count>.",
    user = "<context>"
)]
struct Ask {
    #[prompt(trusted)]
    product: String,
    #[prompt(trusted)]
    rules: Vec<String>,
    tone: Trusted<String>,
    count: u32,
    context: String,
}

fn name_of(id: &u64) -> String {
    format!("user {id}")
}

fn known_name_of(id: &u64) -> Trusted<String> {
    Trusted(name_of(id))
}

#[derive(Prompt)]
#[prompt(
    system = "You help <id | self::name_of> and <other | self::known_name_of>.",
    user = "Write to <other | self::name_of>."
)]
struct Help {
    #[prompt(trusted)]
    id: u64,
    other: u64,
}

#[derive(Prompt)]
#[prompt(
    system = "You help {{ id | self::name_of }}{{ ', %d%%, %s' | format(count, tone) }}.",
    user = "Go.",
    syntax = "jinja"
)]
struct InJinja {
    #[prompt(trusted)]
    id: u64,
    count: u32,
    tone: Trusted<char>,
}

#[test]
fn functions() {
    let messages = Help { id: 7, other: 8 }.messages().unwrap();
    assert_eq!(messages[0].text(), "You help user 7 and user 8.");
    let jinja = InJinja {
        id: 7,
        count: 5,
        tone: Trusted('!'),
    };
    let messages = jinja.messages().unwrap();
    assert_eq!(messages[0].text(), "You help user 7, 5%, !.");
}

#[test]
fn renders() {
    let ask = Ask {
        product: "a".into(),
        rules: vec!["b".into(), "c".into()],
        tone: Trusted("d".into()),
        count: 5,
        context: "e".into(),
    };
    assert_eq!(
        ask.messages().unwrap()[0].text(),
        "You know a, b, c, d and 5."
    );
    let tone = "kind";
    let messages = prompt!(system = "Be <tone>.", user = "Go.", tone = Trusted(tone)).unwrap();
    assert_eq!(messages[0].text(), "Be kind.");
}
