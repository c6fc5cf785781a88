//! Fixes of error 13: a file in the package, of UTF-8, also with a byte order mark and the line ends of Windows.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "tests/ui/../ui/prompts/right.prompt")]
struct Ask {
    question: String,
}

#[derive(Prompt)]
#[prompt(file = "tests/ui/prompts/crlf.prompt")]
struct Windows {
    contxt: String,
}

#[test]
fn renders() {
    assert_eq!(
        Ask {
            question: "Why?".into()
        }
        .messages()
        .unwrap()[0]
            .text(),
        "Why?"
    );
    assert_eq!(
        Windows { contxt: "a".into() }.messages().unwrap()[0].text(),
        "Use this:\n\ta"
    );
}
