//! Few-shot examples from a file, parsed and checked at compile time.

use typed_prompt::{Prompt, format};

use crate::turns;

#[derive(Prompt)]
#[prompt(
    system = "You work for <product>.",
    examples = "tests/it/prompts/examples.jsonl",
    user = "Ticket: <ticket>",
    assistant = "It is: <label>"
)]
struct Triage<'a> {
    #[prompt(trusted)]
    product: &'a str,
    ticket: String,
    #[prompt(answer)]
    label: &'a str,
}

fn said<const N: usize>(expected: [(&'static str, &str); N]) -> Vec<(&'static str, String)> {
    expected.map(|(role, text)| (role, text.to_owned())).into()
}

#[test]
fn rows_are_turns_before_the_question() {
    let triage = Triage {
        product: "Acme",
        ticket: "Hm.".into(),
        label: "Wish",
    };
    let expected = said([
        ("system", "You work for Acme."),
        ("user", "Ticket: It crashes <b>"),
        ("assistant", "It is: Bug"),
        ("user", "Ticket: Žižkov \"works\""),
        ("assistant", "It is: Praise"),
        ("user", "Ticket: Hm."),
    ]);
    assert_eq!(turns(&triage), expected);
    let training = triage.messages_with_answer().unwrap();
    assert_eq!(training.last().unwrap().text(), "It is: Wish");
    // The answer of a row is not the answer of this prompt, and is not masked.
    assert_eq!(
        triage.messages_with_mask("?").unwrap()[2].text(),
        "It is: Bug"
    );
}

/// With a template file, examples follow the instructions; their values are data.
#[typed_prompt::template(
    "<system>Sum up.</system><user>Text: <ticket></user><assistant>Sum: <label></assistant>",
    examples = "tests/it/prompts/examples.jsonl",
    fields(#[prompt(answer)] label: String),
    format = chatml
)]
struct Sum;

#[test]
fn rows_are_added_to_a_complete_template() {
    let sum = Sum {
        ticket: "x".into(),
        label: String::new(),
    };
    let text = sum.to_text(format::CHATML).unwrap();
    assert!(
        text.contains("user\nText: It crashes <b><|im_end|>"),
        "{text}"
    );
    assert_eq!(turns(&sum).len(), 6);
    let asked = sum.messages().unwrap();
    let slots = asked[1].texts().flat_map(typed_prompt::message::Text::data);
    let from_data: Vec<_> = slots.filter_map(|data| data.slot).collect();
    assert_eq!(from_data, ["ticket"]);
}

#[derive(Prompt)]
enum Step {
    #[prompt(
        user = "<ticket>",
        assistant = "<label>",
        examples = "tests/it/prompts/examples.jsonl"
    )]
    Sort {
        ticket: String,
        #[prompt(answer)]
        label: String,
    },
    #[prompt(user = "Go on.")]
    Go,
}

#[test]
fn a_variant_has_its_own_rows() {
    let sort = Step::Sort {
        ticket: "x".into(),
        label: String::new(),
    };
    assert_eq!(turns(&sort).len(), 5);
    assert_eq!(turns(&Step::Go).len(), 1);
}

/// In the Jinja dialect too.
#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    examples = "tests/it/prompts/examples.jsonl",
    user = "{% if ticket is string %}{{ ticket | upper }}{% endif %}",
    assistant = "{{ label }}"
)]
struct Jinja {
    ticket: String,
    #[prompt(answer)]
    label: String,
}

#[test]
fn rows_fill_a_jinja_template() {
    let jinja = Jinja {
        ticket: "x".into(),
        label: String::new(),
    };
    let expected = said([
        ("user", "IT CRASHES <B>"),
        ("assistant", "Bug"),
        ("user", "ŽIŽKOV \"WORKS\""),
        ("assistant", "Praise"),
        ("user", "X"),
    ]);
    assert_eq!(turns(&jinja), expected);
}
