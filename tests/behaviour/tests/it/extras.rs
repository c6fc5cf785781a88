//! Extra fields: sections of their own, under their names or titles.

use typed_prompt::{Prompt, compat::lazyllm, write::Draft};

use crate::turns;

#[derive(Prompt)]
#[prompt(system = "Answer.", user = "<question>")]
struct Ask<'a> {
    question: &'a str,
    #[prompt(extra)]
    knowledge: &'a str,
    #[prompt(extra = "what was said before")]
    before: Option<&'a str>,
}

const ASK: Ask<'_> = Ask {
    question: "Why?",
    knowledge: "<question> {question}",
    before: None,
};

#[test]
fn sections_stand_after_the_question() {
    let knowledge = "Why?\n\n### knowledge:\n<question> {question}";
    for (before, expected) in [
        (None, knowledge.to_owned()),
        (
            Some("Hi"),
            format!("{knowledge}\n\n### what was said before:\nHi"),
        ),
    ] {
        let expected = [("system", "Answer.".to_owned()), ("user", expected)];
        assert_eq!(turns(&Ask { before, ..ASK }), expected);
    }
}

#[test]
fn a_layout_may_put_them_elsewhere() {
    let text = ASK.to_text(lazyllm::Chat::new()).unwrap();
    let section = "Answer.\nHere are some extra messages you can referred to:\n\n### knowledge:\n<question> {question}\n\n";
    assert!(text.contains(section), "{text}");
    let names: Vec<_> = Draft::of(&Ask {
        before: Some("Hi"),
        ..ASK
    })
    .unwrap()
    .extras
    .into_iter()
    .map(|extra| extra.name)
    .collect();
    assert_eq!(names, ["knowledge", "what was said before"]);
}
