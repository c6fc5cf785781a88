//! Versions of a prompt on the same rows, typed answers as text, and what a row records of its request and its answer.

use prompt_core::{Llm, Message, Messages, MockLlm, Reply};
use prompt_eval::metric::{Choice, ExactMatch, Numeric};
use prompt_eval::{Choices, Conversation, Eval, Report, TurnMode, load_results};
use typed_prompt::{Dynamic, Fields, Label, Prompt};

use crate::path;

#[derive(Clone, Prompt, Fields)]
#[prompt(user = "What is <question>", assistant = "<answer>")]
struct Sum {
    question: String,
    #[prompt(answer)]
    answer: String,
}

fn sums() -> Vec<Sum> {
    let sum = |question: &str, answer: &str| Sum {
        question: question.to_owned(),
        answer: answer.to_owned(),
    };
    vec![sum("1+1?", "2"), sum("2+3?", "5")]
}

fn eval() -> Eval<Sum> {
    Eval::new(sums())
        .gold(ExactMatch::new(), |row| row.answer.clone())
        .concurrency(1)
}

fn run<R: Prompt + Send + 'static>(eval: Eval<R>, llm: &dyn Llm) -> Report {
    pollster::block_on(eval.run(llm)).expect("it runs")
}

#[test]
fn two_templates_have_the_same_rows() {
    let short = Dynamic::<Sum>::parse(
        "<system>Add.</system><user><question></user><assistant><answer></assistant>",
    )
    .unwrap();
    let path = path("results.jsonl");
    let llm = MockLlm::new(["2", "6", "2", "5"]);
    let own = run(eval(), &llm);
    let version = || {
        let short = Dynamic::<Sum>::parse(short.source()).unwrap();
        eval()
            .template("short", move |row| short.messages(row))
            .results(&path)
    };
    let other = run(version(), &llm);
    assert_eq!((own.metrics[0].mean(), other.metrics[0].mean()), (0.5, 1.0));
    let requests = llm.requests();
    assert_eq!(requests[0].messages[0].text(), "What is 1+1?");
    assert_eq!(requests[2].messages[0].text(), "Add.");
    assert_eq!(requests[3].messages[1].text(), "2+3?");
    assert!(other.to_string().contains("\ntemplate short\n"), "{other}");
    // Its answers are not those of the rows' own template.
    let error = pollster::block_on(eval().results(&path).run(&llm)).unwrap_err();
    assert_eq!(
        error.message(),
        "the results have the answers of template `short`, and this run has that of the rows"
    );
    assert_eq!(run(version(), &MockLlm::new([] as [&str; 0])).resumed, 2);
}

#[test]
fn a_template_without_an_effect_is_refused() {
    let messages = |row: &Sum| Ok(Messages::from([Message::user(row.question.clone())]));
    let talk = eval().template("short", messages).conversation(|_| {
        Conversation::from_prompt(&Messages::new(), [] as [Sum; 0], TurnMode::Every)
    });
    // It is an error of the evaluation, and not of a row that can be skipped.
    let error = pollster::block_on(talk.skip_bad().run(&MockLlm::new(["2"]))).unwrap_err();
    assert_eq!(
        error.message(),
        "`template` has no effect in a conversation, which has its own messages"
    );
    let talk = eval().conversation(|_| {
        Conversation::from_prompt(&Messages::new(), [] as [Sum; 0], TurnMode::Every)
    });
    assert_eq!(
        talk.dry_run(1).unwrap_err().to_string(),
        "the metric `exact match` has no effect in a conversation, whose turns have an answer each; add it with `turn_metric`"
    );
    let turns = eval().turn_metric(ExactMatch::new());
    assert_eq!(
        turns.dry_run(1).unwrap_err().to_string(),
        "`turn_metric` has no effect without `conversation`; add the metric with `gold` or `metric`"
    );
    let ranked = eval().template("short", messages).multiple_choice(
        |_| Choices::from_labels(["a"], |_| unreachable!()),
        |row| row.answer.clone(),
    );
    assert_eq!(
        ranked.dry_run(1).unwrap_err().message(),
        "`template` has no effect in an evaluation by multiple choice"
    );
}

#[derive(Clone, Copy, PartialEq, serde::Deserialize, schemars::JsonSchema, Label)]
enum Kind {
    Bug,
    Wish,
}

#[derive(Prompt)]
#[prompt(user = "<text>", output = Kind)]
struct Sort {
    text: String,
    #[prompt(skip)]
    kind: Kind,
}

#[derive(Prompt)]
#[prompt(user = "<text>", output = u8)]
struct Count {
    text: String,
}

#[test]
fn typed_answers_are_compared_as_text() {
    let rows = [Kind::Bug, Kind::Wish].map(|kind| Sort {
        text: "It hurts.".to_owned(),
        kind,
    });
    let eval = Eval::new(Vec::from(rows)).gold(Choice::new(["Bug", "Wish"]), |row| {
        row.kind.label().to_owned()
    });
    let report = run(eval, &MockLlm::new(["\"Bug\"", "bug"]));
    assert_eq!(report.metrics[0].mean(), 0.5);
    let rows = vec![Count {
        text: "How many?".to_owned(),
    }];
    let eval = Eval::new(rows).gold(Numeric::new(), |_| "7.0".to_owned());
    assert_eq!(run(eval, &MockLlm::new(["7"])).metrics[0].mean(), 1.0);
}

#[test]
fn rows_record_their_seed_and_the_repairs() {
    let path = path("results.jsonl");
    let eval = || {
        let rows = ["a", "b"].map(|text| Count {
            text: text.to_owned(),
        });
        Eval::new(Vec::from(rows))
            .gold(Numeric::new(), |_| "7".to_owned())
            .seed(40)
            .concurrency(1)
            .results(&path)
    };
    let first = run(eval(), &MockLlm::new([Reply::new("7"), Reply::new("+7")]));
    let again = run(eval(), &MockLlm::new([] as [&str; 0]));
    for report in [first, again] {
        assert_eq!(report.answers_repaired, 1);
        assert!(
            report
                .to_string()
                .contains("\n1 answer repaired in the notation\n"),
            "{report}"
        );
    }
    let rows: Vec<_> = load_results(&path)
        .and_then(Iterator::collect)
        .expect("results");
    let rows: Vec<_> = rows
        .iter()
        .map(|row| (row.seed, row.repairs.len()))
        .collect();
    assert_eq!(rows, [(Some(40), 0), (Some(40), rows[1].1)]);
    assert!(rows[1].1 > 0);
}
