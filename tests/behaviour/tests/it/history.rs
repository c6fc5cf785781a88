//! Conversation history: both forms, its position, and its errors.

use serde_json::json;
use typed_prompt::{
    Dynamic, ErrorKind, Fields, History, Media, Message, Messages, Prompt, Result, format,
    history::ToHistory,
};

use crate::turns;

#[derive(Prompt)]
#[prompt(system = "Be kind.", user = "<question>")]
struct Chat<H: ToHistory> {
    #[prompt(history)]
    history: H,
    question: &'static str,
}

fn chat<H: ToHistory>(history: H) -> Chat<H> {
    Chat {
        history,
        question: "now",
    }
}

#[test]
fn turns_precede_the_last_user_message() {
    let expected = [
        ("system", "Be kind."),
        ("user", "a"),
        ("assistant", "b"),
        ("user", "now"),
    ];
    let expected = expected.map(|(role, text)| (role, text.to_owned()));
    assert_eq!(turns(&chat([("a", "b")])), expected);
    assert_eq!(
        turns(&chat(vec![("a".to_owned(), "b".to_owned())])),
        expected
    );
    assert_eq!(turns(&chat(History::from([("a", "b")]))), expected);
    assert_eq!(
        turns(&chat(vec![Message::user("a"), Message::assistant("b")])),
        expected
    );
    assert_eq!(turns(&chat(json!([["a", "b"]]))), expected);
    assert_eq!(
        turns(&chat(
            json!([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}])
        )),
        expected
    );
    assert_eq!(turns(&chat(Some(&[("a", "b")][..]))), expected);
}

#[test]
fn an_empty_history_adds_no_messages() {
    for messages in [
        chat(History::new()).messages().unwrap(),
        chat(None::<History>).messages().unwrap(),
        chat(json!([])).messages().unwrap(),
    ] {
        assert_eq!(messages.len(), 2);
    }
}

#[derive(Prompt)]
#[prompt(
    system = "Be kind.",
    user = "Hi",
    assistant = "Hello",
    history,
    user = "<question>"
)]
struct Placed<'a> {
    #[prompt(history)]
    past: &'a History,
    question: &'a str,
}

#[test]
fn history_can_be_placed() {
    let past = History::from([("a", "b")]);
    let roles = ["system", "user", "assistant", "user", "assistant", "user"];
    let prompt = Placed {
        past: &past,
        question: "now",
    };
    assert_eq!(
        turns(&prompt)
            .into_iter()
            .map(|turn| turn.0)
            .collect::<Vec<_>>(),
        roles
    );
}

#[derive(Prompt)]
#[prompt(template = "<user><question></user><past>")]
struct Behind<'a> {
    #[prompt(history)]
    past: &'a History,
    question: &'a str,
}

#[test]
fn a_template_places_the_history_behind_the_question() {
    let past = History::from([("a", "b")]);
    let prompt = Behind {
        past: &past,
        question: "now",
    };
    let texts = turns(&prompt).into_iter().map(|turn| turn.1);
    assert_eq!(texts.collect::<Vec<_>>(), ["now", "a", "b"]);
}

#[test]
fn a_turn_that_cannot_be_read_is_an_error_with_its_index() {
    for (history, place, words) in [
        (
            json!([["a", "b"], ["c"]]),
            "history[1]",
            "the length of this is 1",
        ),
        (
            json!([["a", "b", "c"]]),
            "history[0]",
            "the length of this is 3",
        ),
        (json!([["a", null]]), "history[0]", "two strings"),
        (json!(["a"]), "history[0]", "a pair or a message"),
        (
            json!([{"role": "robot", "content": "x"}]),
            "history[0]",
            "no role `robot`",
        ),
        (json!([{"content": "x"}]), "history[0]", "no `role`"),
        (json!([{"role": "user"}]), "history[0]", "no `content`"),
        (
            json!([{"role": "user", "content": 1}]),
            "history[0]",
            "`content`",
        ),
        (
            json!([{"role": "user", "content": "x", "mood": "sad"}]),
            "history[0]",
            "`mood`",
        ),
        (json!({"role": "user"}), "history", "history is a list"),
        (json!("text"), "history", "history is a list"),
    ] {
        let error = chat(history.clone())
            .messages()
            .expect_err(&history.to_string());
        assert_eq!(error.kind(), ErrorKind::History, "{error}");
        let words = [place, words];
        assert!(
            words.iter().all(|words| error.to_string().contains(words)),
            "{words:?} not in: {error}"
        );
    }
}

#[test]
fn a_format_rejects_an_invalid_order_of_turns() {
    let twice = History::from(vec![Message::user("a"), Message::user("b")]);
    let error = chat(&twice).to_text(format::LLAMA2).unwrap_err();
    assert!(error.to_string().contains("message 2"), "{error}");
    let error = chat([("a", "b")]).to_text(format::ALPACA).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("Alpaca"), "{error}");
}

fn pushed(question: &'static str) -> History {
    let mut history = History::from([("a", "b")]);
    history.push(Message::user(question));
    history
}

/// The error of the writer, wherever a history is written: the model would read the question twice.
#[test]
fn a_history_that_ends_with_the_question_is_an_error() {
    let refused = |messages: Result<Messages>| {
        let error = messages.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::History);
        let text = error.to_string();
        let message = "the history ends with the user message that follows it in the prompt";
        assert!(
            text.contains(message) && text.contains("push_pair(question, answer)"),
            "{text}"
        );
    };
    refused(chat(pushed("now")).messages());
    refused(chat(pushed(" now\n")).messages());
    refused(chat(&pushed("now")).messages());
    refused(chat(Some(pushed("now"))).messages());
    refused(chat(vec![Message::user("now")]).messages());
    refused(chat(json!([{"role": "user", "content": "now"}])).messages());
    refused(chat(Messages::from([Message::user("now")])).messages());
    assert!(chat(pushed("now")).to_text(format::CHATML).is_err());

    #[derive(Prompt, Fields)]
    #[prompt(system = "Be kind.", user = "<question>")]
    struct Live {
        #[prompt(history)]
        history: History,
        question: &'static str,
    }
    let live = Live {
        history: pushed("now"),
        question: "now",
    };
    let template = Dynamic::<Live>::parse("<user><question></user>").unwrap();
    refused(template.messages(&live));

    let layout = typed_prompt::compat::lazyllm::Chat::new().history(pushed("now"));
    refused(layout.to_messages(&chat(History::new())));
}

#[test]
fn other_ends_of_a_history_are_kept() {
    let ends = [
        pushed("Now"),
        pushed("now?"),
        History::from([("now", "b")]),
        History::from([("a", "now")]),
        History::from([Message::user("now").with_name("Ada")]),
        History::from([
            Message::user("now").with_media(Media::image_url("https://example.com/a.png"))
        ]),
        History::from_messages_with_system([Message::user("now"), Message::system("Be brief.")]),
    ];
    for history in ends {
        let count = history.len();
        assert_eq!(chat(history).messages().unwrap().len(), count + 2);
    }

    /// A system message, or an answer, between the history and the question.
    #[derive(Prompt)]
    #[prompt(
        user = "Hi",
        assistant = "Hello",
        history,
        user = "<question>",
        assistant = "<answer>"
    )]
    struct Answered {
        #[prompt(history)]
        history: History,
        question: &'static str,
        #[prompt(answer)]
        answer: &'static str,
    }
    let answered = Answered {
        history: pushed("b"),
        question: "now",
        answer: "b",
    };
    assert_eq!(answered.messages_with_answer().unwrap().len(), 7);
}
