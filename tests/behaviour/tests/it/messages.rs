//! Messages as data: ranges of data, the APIs' JSON.

use serde_json::json;
use typed_prompt::{
    Message, Messages, Prompt, Tool,
    message::{Origin, Part},
};

#[derive(Prompt)]
#[prompt(
    system = "You serve <shop>.",
    user = "Q: <question>\nAgain: <question>"
)]
struct Ask<'a> {
    #[prompt(trusted)]
    shop: &'a str,
    question: &'a str,
}

const ASK: Ask<'_> = Ask {
    shop: "Acme",
    question: "Why?",
};

#[test]
fn text_records_data_spans() {
    let messages = ASK.messages().unwrap();
    let pieces = |index: usize| match &messages[index].parts[..] {
        [Part::Text(text)] => text
            .pieces()
            .map(|(piece, source)| (piece.to_owned(), source))
            .collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    let piece = |text: &str, source| (text.to_owned(), source);
    assert_eq!(
        pieces(0),
        [
            piece("You serve ", Origin::Template),
            piece("Acme", Origin::Data(Some("shop"))),
            piece(".", Origin::Template)
        ]
    );
    assert_eq!(
        pieces(1),
        [
            piece("Q: ", Origin::Template),
            piece("Why?", Origin::Data(Some("question"))),
            piece("\nAgain: ", Origin::Template),
            piece("Why?", Origin::Data(Some("question")))
        ]
    );
}

#[test]
fn messages_serialize_in_the_form_of_the_apis() {
    let messages = ASK.messages().unwrap();
    let system = "You serve Acme.";
    let user = json!({"role": "user", "content": "Q: Why?\nAgain: Why?"});
    let list = json!([{"role": "system", "content": system}, user]);
    for (got, expected) in [
        (serde_json::to_value(&messages), list.clone()),
        (
            serde_json::to_value(messages.openai()),
            json!({"messages": list}),
        ),
    ] {
        assert_eq!(got.unwrap(), expected);
    }
    let anthropic = serde_json::to_value(messages.anthropic()).unwrap();
    assert_eq!(anthropic["system"], system);
    assert_eq!(anthropic["messages"], json!([user]));
}

#[test]
fn tools_are_separate_from_messages() {
    let messages = Messages::from([Message::user("Hi")]).with_tool(Tool::new("add"));
    let body = serde_json::to_value(messages.openai()).unwrap();
    assert_eq!(
        body["tools"],
        json!([{"type": "function", "function": {"name": "add"}}])
    );
}

#[test]
fn a_prompt_can_be_read_by_people() {
    let preview = ASK.messages().unwrap().preview().color(false).to_string();
    for words in ["system", "You serve «Acme».", "user", "Q: «Why?»"] {
        assert!(preview.contains(words), "{words:?} is not in\n{preview}");
    }
    assert!(
        ASK.messages()
            .unwrap()
            .preview()
            .color(true)
            .to_string()
            .contains('\u{1b}')
    );
    assert!(!preview.contains('\u{1b}'));
}
