//! Resumed runs: answers are kept, scores are computed again, and another model, format or option is another run.

use std::path::Path;

use prompt_core::{
    BoxFuture, FinishReason, Llm, MockLlm, ModelInfo, Options, Reply, Request, Usage,
};
use prompt_eval::metric::{ExactMatch, Metric, Numeric};
use prompt_eval::{Conversation, Dataset, Eval, Report, RowResult, TurnMode, load_results};

use crate::{Adder, Sum, path, written};

fn sums(count: usize) -> Vec<Sum> {
    (0..count)
        .map(|row| Sum::new(&format!("{row}+1?"), &(row + 1).to_string()))
        .collect()
}

fn score(rows: Vec<Sum>, metric: impl Metric + 'static, path: &Path) -> Eval<Sum> {
    Eval::new(rows)
        .gold(metric, |row: &Sum| row.answer.clone())
        .results(path)
}

fn run(eval: Eval<Sum>, llm: &dyn Llm) -> Report {
    pollster::block_on(eval.run(llm)).expect("it runs")
}

fn nobody() -> MockLlm {
    MockLlm::new([] as [&str; 0])
}

fn means(report: &Report) -> Vec<(&str, f64)> {
    report
        .metrics
        .iter()
        .map(|metric| (&*metric.name, metric.mean()))
        .collect()
}

fn rows(path: &Path) -> Vec<RowResult> {
    let results = load_results(path).expect("it opens");
    results.collect::<Result<_, _>>().expect("results")
}

/// A model with a name and options.
struct Named(ModelInfo);

impl Llm for Named {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, prompt_core::Result<Reply>> {
        Adder.send(request)
    }

    fn model_info(&self) -> Option<ModelInfo> {
        Some(self.0.clone())
    }
}

#[test]
fn corrected_answers_are_scored_again() {
    let path = path("results.jsonl");
    let mut wrong = sums(3);
    wrong[1].answer = "7".to_owned();
    let first = run(score(wrong, ExactMatch::new(), &path), &Adder);
    assert_eq!(first.metrics[0].mean(), 2.0 / 3.0);
    let again = run(score(sums(3), ExactMatch::new(), &path), &nobody());
    assert_eq!(
        (again.metrics[0].mean(), again.resumed, again.rescored),
        (1.0, 3, 1)
    );
    let scores: Vec<_> = rows(&path)
        .iter()
        .map(|row| (row.row, row.scores[0].1))
        .collect();
    assert_eq!(scores, [(1, 1.0), (3, 1.0), (2, 1.0)]);
    // Nothing has changed since: no line is added.
    let before = std::fs::read(&path).expect("it is there");
    let third = run(score(sums(3), ExactMatch::new(), &path), &nobody());
    assert_eq!((third.metrics[0].mean(), third.rescored), (1.0, 0));
    assert_eq!(std::fs::read(&path).expect("it is there"), before);
}

#[test]
fn another_tolerance_and_another_metric_are_scored() {
    let path = path("results.jsonl");
    let near = || vec![Sum::new("100+0?", "100.4")];
    let first = run(score(near(), Numeric::new(), &path), &Adder);
    assert_eq!(means(&first), [("number", 0.0)]);
    let again = run(score(near(), Numeric::within(0.01), &path), &nobody());
    assert_eq!(means(&again), [("number", 1.0)]);
    let both =
        score(near(), Numeric::within(0.01), &path).gold(ExactMatch::new(), |_| "100".to_owned());
    assert_eq!(
        means(&run(both, &nobody())),
        [("number", 1.0), ("exact match", 1.0)]
    );
    let head = load_results(&path)
        .expect("it opens")
        .head()
        .cloned()
        .expect("it has a head");
    assert_eq!(head.metrics, ["number (tolerance 0.01)", "exact match"]);
    assert_eq!(rows(&path).len(), 1);
}

#[test]
fn fewer_rows_report_fewer_rows() {
    let path = path("results.jsonl");
    run(score(sums(3), ExactMatch::new(), &path), &Adder);
    let limited = run(score(sums(3), ExactMatch::new(), &path).limit(1), &nobody());
    assert_eq!(
        (limited.done, limited.resumed, limited.metrics[0].count),
        (1, 1, 1)
    );
    let shorter = run(score(sums(2), ExactMatch::new(), &path), &nobody());
    assert_eq!(
        (shorter.done, shorter.resumed, shorter.metrics[0].count),
        (2, 2, 2)
    );
    assert_eq!(
        run(score(sums(3), ExactMatch::new(), &path), &nobody()).done,
        3
    );
}

#[test]
fn another_model_format_or_option_is_an_error() {
    let info = || {
        ModelInfo::new("a")
            .format("chatml", "x")
            .options(Options::new().temperature(0.0))
    };
    let another_format = ModelInfo::new("a")
        .format("llama3", "y")
        .options(Options::new().temperature(0.0));
    for (second, message) in [
        (
            Some(renamed(info(), "b")),
            "the results have the answers of model `a`, and this run has `b`",
        ),
        (
            Some(another_format),
            "the results have the answers of format `chatml af63f54c86021707`, and this run has `llama3 af63f44c86021554`",
        ),
        (
            Some(info().options(Options::new().temperature(0.5))),
            "the results have the answers of option `temperature` 0.0, and this run has 0.5",
        ),
        (
            None,
            "the results have the answers of model `a`, and this run has one without a name",
        ),
    ] {
        let path = path("results.jsonl");
        run(score(sums(2), ExactMatch::new(), &path), &Named(info()));
        let before = std::fs::read(&path).expect("it is there");
        let eval = score(sums(2), ExactMatch::new(), &path);
        let error = match second {
            Some(second) => pollster::block_on(eval.run(&Named(second))),
            None => pollster::block_on(eval.run(&Adder)),
        };
        let error = error.unwrap_err();
        assert_eq!(error.message(), message);
        assert_eq!(error.file(), Some(&*path));
        assert_eq!(std::fs::read(&path).expect("it is there"), before);
    }
    // An option of the evaluation, with a model that tells nothing.
    let path = path("results.jsonl");
    run(score(sums(2), ExactMatch::new(), &path).seed(1), &Adder);
    let error = pollster::block_on(score(sums(2), ExactMatch::new(), &path).seed(2).run(&Adder))
        .unwrap_err();
    assert_eq!(
        error.message(),
        "the results have the answers of option `seed` 1, and this run has 2"
    );
}

fn renamed(mut info: ModelInfo, name: &str) -> ModelInfo {
    info.name = name.to_owned();
    info
}

#[test]
fn the_head_says_what_the_figures_were_made_with() {
    let data = written("sums.jsonl", "{\"question\":\"1+1?\",\"answer\":\"2\"}\n");
    let path = path("results.jsonl");
    let model = MockLlm::from_fn(|_| {
        let mut usage = Usage::new(10, 2);
        usage.cached_input = 8;
        Ok(Reply::new("2")
            .with_usage(usage)
            .with_finish(FinishReason::Stop)
            .with_model("m-2024"))
    });
    let eval = Eval::new(Dataset::<Sum>::load(&data).expect("it opens"))
        .gold(ExactMatch::new(), |row: &Sum| row.answer.clone())
        .results(&path)
        .temperature(0.0)
        .seed(7)
        .cost(|usage| usage.input as f64);
    let report = run(eval, &model);
    let results = load_results(&path).expect("it opens");
    let head = results.head().cloned().expect("it has a head");
    assert_eq!(Some(&head), report.head.as_ref());
    assert_eq!(
        (&*head.prompt, head.fingerprint.len(), head.model.as_deref()),
        ("Sum", 16, None)
    );
    assert_eq!(
        serde_json::Value::Object(head.options.clone()).to_string(),
        r#"{"temperature":0.0,"seed":7}"#
    );
    assert_eq!(head.dataset_hash.as_ref().map(String::len), Some(16));
    assert!(
        head.dataset
            .as_ref()
            .is_some_and(|name| name.ends_with("sums.jsonl"))
    );
    assert_eq!(
        (head.metrics, &*head.typed_prompt),
        (vec!["exact match".to_owned()], env!("CARGO_PKG_VERSION"))
    );
    let row = results
        .map(|row| row.expect("a result"))
        .next()
        .expect("there is one");
    let usage = row.usage.expect("it is reported");
    assert_eq!((usage.input, usage.output, usage.cached_input), (10, 2, 8));
    assert_eq!(
        (row.cost, row.model.as_deref()),
        (Some(10.0), Some("m-2024"))
    );
    assert_eq!(row.finish, [Some("stop".to_owned())]);
    let shown = report.to_string();
    for part in [
        "10 input tokens (8 from a cache), 2 output tokens, cost 10.0000\n",
        "options temperature 0.0, seed 7\n",
        "metrics exact match\n",
        "answered by m-2024\n",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
}

#[test]
fn conversations_and_truncated_answers_are_scored_again() {
    let file = path("results.jsonl");
    let conversation = |last: &'static str| {
        let eval = Eval::new(sums(1)).conversation(move |row: &Sum| {
            let rounds = [Sum::new(&row.question, "1"), Sum::new("2+2?", last)];
            Conversation::from_prompt(&prompt_core::Messages::new(), rounds, TurnMode::Every)
        });
        eval.turn_metric(ExactMatch::new()).results(&file)
    };
    let turns = MockLlm::new(["1", "4"]);
    assert_eq!(run(conversation("4"), &turns).metrics[0].mean(), 1.0);
    let again = run(conversation("4"), &nobody());
    assert_eq!(
        (again.metrics[0].mean(), again.resumed, again.rescored),
        (1.0, 1, 0)
    );
    assert_eq!(again.metrics[0].count, 1);
}

#[test]
fn answers_that_a_metric_does_not_read_are_unscored() {
    let path = path("results.jsonl");
    let llm = || MockLlm::new(["1", "I do not know.", "2"]);
    let eval = || {
        let eval = score(sums(3), Numeric::new(), &path);
        eval.concurrency(1)
    };
    for llm in [llm(), nobody()] {
        let report = run(eval(), &llm);
        let summary = &report.metrics[0];
        assert_eq!((summary.count, summary.unscored), (2, 1));
        assert_eq!(
            (summary.mean(), summary.mean_with_unscored()),
            (0.5, 1.0 / 3.0)
        );
        assert_eq!(report.unscored, ["row 2, number: \"I do not know.\""]);
        let shown = report.to_string();
        assert!(
            shown.contains("2, 1 unscored (mean 0.3333 with 0 for them)"),
            "{shown}"
        );
        assert_eq!(report.rescored, 0);
    }
    assert_eq!(rows(&path)[1].unscored, ["number"]);
}

#[test]
fn a_metric_that_panics_ends_the_run() {
    let path = path("results.jsonl");
    let eval = Eval::new(sums(3))
        .results(&path)
        .concurrency(1)
        .score("odd", |row, _| {
            assert!(row.question != "1+1?", "no score for {}", row.question);
            1.0
        });
    let error = pollster::block_on(eval.run(&Adder)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 2: the metric `odd` panicked: no score for 1+1?; correct it, and run again to resume"
    );
    assert_eq!(rows(&path).len(), 1);
    // With an answer of an earlier run, too: it is not a row that cannot be read.
    let wrong = score(sums(3), ExactMatch::new(), &path);
    let error = wrong.skip_bad().score("nan", |_, _| f64::NAN);
    let error = pollster::block_on(error.run(&Adder)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 1: the metric `nan` returns NaN, which is not a score"
    );
}
