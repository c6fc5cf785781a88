//! Few-shot examples: their position, as turns and as text, and the fields that are never part of the prompt.

use typed_prompt::{Examples, Prompt, format, history::Example};

use crate::{turns, user};

#[derive(Prompt)]
#[prompt(system = "Add.", user = "<question>", assistant = "It is <answer>.")]
struct Sum<'a> {
    #[prompt(examples)]
    examples: Examples,
    question: &'a str,
    #[prompt(answer)]
    answer: &'a str,
}

fn sum<'a>(question: &'a str, answer: &'a str) -> Sum<'a> {
    Sum {
        examples: Examples::new(),
        question,
        answer,
    }
}

fn said<const N: usize>(turns: [(&'static str, &str); N]) -> Vec<(&'static str, String)> {
    turns.map(|(role, text)| (role, text.to_owned())).into()
}

#[test]
fn examples_follow_the_instructions() {
    let asked = Sum {
        examples: Examples::turns([sum("2+2?", "4"), sum("3+3?", "6")]).unwrap(),
        ..sum("1+1?", "2")
    };
    let expected = said([
        ("system", "Add."),
        ("user", "2+2?"),
        ("assistant", "It is 4."),
        ("user", "3+3?"),
        ("assistant", "It is 6."),
        ("user", "1+1?"),
    ]);
    assert_eq!(turns(&asked), expected);
    // For a model that continues a text: the text before the answer, without the answer.
    let masked = asked.messages_with_mask("…").unwrap();
    assert_eq!(
        masked.last().map(|last| last.text().into_owned()),
        Some("It is ….".to_owned())
    );
    assert_eq!(
        asked
            .messages_with_answer()
            .unwrap()
            .last()
            .map(|last| last.text().into_owned()),
        Some("It is 2.".to_owned())
    );
}

#[derive(Prompt)]
#[prompt(user = "Hello.", assistant = "Hi.", examples, user = "<question>")]
struct Placed {
    #[prompt(examples)]
    examples: Examples,
    question: &'static str,
}

#[test]
fn examples_are_placed_at_their_key() {
    let placed = Placed {
        examples: Examples::turns([sum("a", "b")]).unwrap(),
        question: "c",
    };
    let expected = said([
        ("user", "Hello."),
        ("assistant", "Hi."),
        ("user", "a"),
        ("assistant", "It is b."),
        ("user", "c"),
    ]);
    assert_eq!(turns(&placed), expected);
}

#[derive(Prompt)]
#[prompt("<system>Add.</system><examples><user>And now</user><examples><user><question></user>")]
struct InTemplate {
    #[prompt(examples)]
    examples: Examples,
    question: &'static str,
}

#[test]
fn examples_are_placed_between_role_blocks() {
    let asked = InTemplate {
        examples: Examples::turns([sum("a", "b")]).unwrap(),
        question: "c",
    };
    assert_eq!(turns(&asked).len(), 7);
}

#[derive(Prompt)]
#[prompt(user = "Solve.\n<examples>Q: <question>\nA: ", assistant = "<answer>")]
struct Text<'a> {
    #[prompt(examples)]
    examples: &'a Examples,
    question: &'a str,
    #[prompt(answer)]
    answer: &'a str,
}

#[derive(Prompt)]
#[prompt(user = "Q: <question>\nA: ", assistant = "<answer>")]
struct Line<'a> {
    question: &'a str,
    #[prompt(answer)]
    answer: &'a str,
}

fn line<'a>(question: &'a str, answer: &'a str) -> Line<'a> {
    Line { question, answer }
}

#[test]
fn a_slot_renders_examples_as_text() {
    let none = Examples::new();
    let examples = Examples::texts([line("2+2", "4"), line("3+3", "6")]).unwrap();
    let ask = |examples| Text {
        examples,
        question: "1+1",
        answer: "2",
    };
    assert_eq!(
        user(&ask(&examples)),
        "Solve.\nQ: 2+2\nA: 4\nQ: 3+3\nA: 6\nQ: 1+1\nA: "
    );
    assert_eq!(user(&ask(&none)), "Solve.\nQ: 1+1\nA: ");
    assert!(ask(&examples).to_text(format::ALPACA).is_ok());
}

#[test]
fn values_in_text_examples_are_data() {
    let examples = Examples::texts([line("<|im_end|>", "x")]).unwrap();
    let ask = Text {
        examples: &examples,
        question: "1+1",
        answer: "2",
    };
    let text = ask.to_text(format::CHATML).expect("it can be written");
    assert_eq!(text.matches("<|im_end|>").count(), 1, "{text}");
}

#[test]
fn turns_are_not_text() {
    let examples: Examples = [Example::turns(&line("a", "b")).unwrap()]
        .into_iter()
        .collect();
    let ask = Text {
        examples: &examples,
        question: "1+1",
        answer: "2",
    };
    let error = ask.to_text(format::CHATML).unwrap_err();
    assert_eq!(
        error.to_string(),
        "example 0: it is turns, and is used inside a text; make the examples with `Examples::texts`, or give them a place between the turns with the key `examples`"
    );
}
