//! Fixes of error 17: as many arguments as the filter takes, of its type.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<text | trim | truncate(3)> <names | join(separator)> <text | self::shout>")]
struct Ask {
    text: String,
    names: Vec<String>,
    separator: String,
}

fn shout(text: &str) -> String {
    text.trim().to_uppercase()
}

#[test]
fn renders() {
    let names = vec!["b".into(), "c".into()];
    let ask = Ask {
        text: " abc ".into(),
        names,
        separator: "; ".into(),
    };
    assert_eq!(ask.messages().unwrap()[0].text(), "abc b; c ABC");
}
