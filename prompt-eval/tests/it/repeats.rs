//! Several answers to each row: their numbers and seeds, the interval of the mean, rows that disagree with themselves, and resumed runs.

use std::collections::BTreeSet;

use prompt_core::{Llm, MockLlm, Reply};
use prompt_eval::metric::{ExactMatch, Numeric};
use prompt_eval::{Choices, Eval, MetricSummary, Report, load_results};

use crate::{Adder, Sum, path};

fn eval(answers: u64) -> Eval<Sum> {
    let rows = ["1+1?", "2+2?", "3+3?"];
    let rows: Vec<Sum> = rows
        .into_iter()
        .zip(["2", "4", "6"])
        .map(|(question, answer)| Sum::new(question, answer))
        .collect();
    Eval::new(rows)
        .gold(ExactMatch::new(), |row| row.answer.clone())
        .concurrency(1)
        .repeats(answers)
}

fn run(eval: Eval<Sum>, llm: &dyn Llm) -> Report {
    pollster::block_on(eval.run(llm)).expect("it runs")
}

#[test]
fn each_answer_has_a_number_and_a_seed() {
    let llm = MockLlm::from_fn(|_| Ok(Reply::new("2")));
    run(eval(3).seed(40), &llm);
    let requests = llm.requests();
    let numbers: Vec<_> = requests
        .iter()
        .map(|request| (request.repeat, request.options.seed))
        .collect();
    let row = [(0, Some(40)), (1, Some(41)), (2, Some(42))];
    assert_eq!(numbers, [row, row, row].concat());
    // Without a seed as well, a cache distinguishes them.
    let llm = MockLlm::from_fn(|_| Ok(Reply::new("2")));
    run(eval(3), &llm);
    let requests = llm.requests();
    let identities: BTreeSet<String> = requests
        .iter()
        .map(|request| request.identity().unwrap())
        .collect();
    assert_eq!((requests.len(), identities.len()), (9, 9));
}

#[test]
fn rows_that_disagree_with_themselves_are_listed() {
    let path = path("results.jsonl");
    let llm = MockLlm::new(["2", "2", "2", "4", "5", "4", "7", "7", "7"]);
    let report = run(eval(3).results(&path), &llm);
    assert_eq!((report.done, report.answers, report.disagreeing), (3, 9, 1));
    assert_eq!(
        report.disagreements,
        ["row 2, exact match: 0.6667 of 3 answers (0.2077 – 0.9385)"]
    );
    let metric = &report.metrics[0];
    assert_eq!((metric.count, metric.mean()), (9, 5.0 / 9.0));
    // Answers to one row depend on each other: the interval is that of fewer answers.
    let mut independent = MetricSummary::new("independent");
    (0..9).for_each(|answer| independent.add(f64::from(answer < 5)));
    let width = |(low, high): (f64, f64)| high - low;
    assert!(width(metric.confidence_interval()) > 1.3 * width(independent.confidence_interval()));
    let shown = report.to_string();
    assert!(shown.starts_with("3 rows with 9 answers, "), "{shown}");
    assert!(
        shown.contains("\n1 row with answers of different scores:\n  row 2, exact match: "),
        "{shown}"
    );
    let rows = load_results(&path)
        .and_then(prompt_eval::LoadedResults::row_summaries)
        .expect("results");
    let rates: Vec<_> = rows
        .iter()
        .map(|(row, metrics)| (*row, &metrics["exact match"]))
        .map(|(row, metric)| (row, metric.count, metric.mean()))
        .collect();
    assert_eq!(rates, [(1, 3, 1.0), (2, 3, 2.0 / 3.0), (3, 3, 0.0)]);
}

/// Scores on another scale have an interval that contains their mean.
#[test]
fn the_interval_of_other_scales() {
    let mut summary = MetricSummary::new("1 to 5");
    [3.0, 4.0, 5.0].iter().for_each(|score| summary.add(*score));
    let (low, high) = summary.confidence_interval();
    assert!(low < 4.0 && high > 4.0, "{low} – {high}");
}

#[test]
fn missing_answers_alone_are_requested() {
    let path = path("results.jsonl");
    run(eval(2).results(&path), &Adder);
    // The second answer to row 2 is lost.
    let text = std::fs::read_to_string(&path).expect("it is there");
    let kept: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with("{\"row\":2,\"repeat\":1"))
        .collect();
    assert_eq!(kept.len() + 1, text.lines().count());
    std::fs::write(&path, kept.join("\n") + "\n").expect("a temporary file");
    let llm = MockLlm::from_fn(|_| Ok(Reply::new("4")));
    let report = run(eval(2).results(&path), &llm);
    assert_eq!((report.done, report.resumed, report.answers), (3, 2, 6));
    assert_eq!(report.metrics[0].mean(), 1.0);
    let asked: Vec<u64> = llm
        .requests()
        .iter()
        .map(|request| request.repeat)
        .collect();
    assert_eq!(asked, [1]);
    // More repeats request the further ones, fewer report fewer.
    let llm = MockLlm::from_fn(|_| Ok(Reply::new("0")));
    let report = run(eval(3).results(&path), &llm);
    assert_eq!((report.answers, llm.requests().len()), (9, 3));
    assert_eq!(report.metrics[0].mean(), 6.0 / 9.0);
    let report = run(eval(1).results(&path), &MockLlm::new([] as [&str; 0]));
    assert_eq!((report.answers, report.metrics[0].mean()), (3, 1.0));
}

#[test]
fn failed_and_unscored_answers_are_counted() {
    let path = path("results.jsonl");
    let llm = MockLlm::from_fn(|request| match request.repeat {
        0 => Ok(Reply::new("2")),
        1 => Ok(Reply::new("I do not know.")),
        _ => Err(prompt_core::Error::new(
            prompt_core::ErrorKind::Model,
            "busy",
        )),
    });
    let rows = vec![Sum::new("1+1?", "2")];
    let eval = Eval::new(rows)
        .gold(Numeric::new(), |row| row.answer.clone())
        .repeats(3)
        .results(&path);
    let report = run(eval, &llm);
    assert_eq!((report.done, report.answers, report.failed), (1, 2, 1));
    assert_eq!(report.failures, ["row 1, repeat 2: busy"]);
    assert_eq!(
        (report.metrics[0].count, report.metrics[0].unscored),
        (1, 1)
    );
    assert_eq!(
        report.unscored,
        ["row 1, repeat 1, number: \"I do not know.\""]
    );
}

#[test]
fn multiple_choice_does_not_repeat() {
    let ranked = eval(2).multiple_choice(
        |_| Choices::from_labels(["a"], |_| unreachable!()),
        |row| row.answer.clone(),
    );
    assert_eq!(
        ranked.dry_run(1).unwrap_err().message(),
        "`repeats` has no effect in an evaluation by multiple choice, whose likelihoods do not vary"
    );
}
