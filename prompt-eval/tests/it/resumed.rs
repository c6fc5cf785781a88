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
    let again = run(
        score(near(), Numeric::within_relative(0.01), &path),
        &nobody(),
    );
    assert_eq!(means(&again), [("number", 1.0)]);
    let both = score(near(), Numeric::within_relative(0.01), &path)
        .gold(ExactMatch::new(), |_| "100".to_owned());
    assert_eq!(
        means(&run(both, &nobody())),
        [("number", 1.0), ("exact match", 1.0)]
    );
    let head = load_results(&path)
        .expect("it opens")
        .head()
        .cloned()
        .expect("it has a head");
    assert_eq!(
        head.metrics,
        ["number (relative tolerance 0.01)", "exact match"]
    );
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
    // The answer is paid for: it is kept without a score.
    let kept: Vec<_> = rows(&path)
        .into_iter()
        .map(|row| (row.row, row.answers, row.scores.len()))
        .collect();
    assert_eq!(
        kept,
        [(1, vec!["1".to_owned()], 1), (2, vec!["2".to_owned()], 0)]
    );
    // With an answer of an earlier run, too: it is not a row that cannot be read.
    let wrong = score(sums(3), ExactMatch::new(), &path);
    let error = wrong.skip_bad().score("nan", |_, _| f64::NAN);
    let error = pollster::block_on(error.run(&Adder)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 1: the metric `nan` returns NaN, which is not a score from 0 to 1; correct it, and run again to resume"
    );
    // The corrected metric scores what is kept, and sends the rest.
    let llm = MockLlm::new(["3"]);
    let report = run(score(sums(3), ExactMatch::new(), &path), &llm);
    assert_eq!((report.done, report.resumed), (3, 2));
    assert_eq!(means(&report), [("exact match", 1.0)]);
}

/// A model that answers all requests at the same time, after some of them have arrived.
struct Together(std::sync::Mutex<Vec<std::task::Waker>>, usize);

impl Llm for Together {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, prompt_core::Result<Reply>> {
        let mut is_waiting = false;
        Box::pin(std::future::poll_fn(move |context| {
            let mut waiting = self.0.lock().expect("no test panics with it");
            if !is_waiting {
                is_waiting = true;
                waiting.push(context.waker().clone());
            }
            if waiting.len() < self.1 {
                return std::task::Poll::Pending;
            }
            waiting.iter().for_each(std::task::Waker::wake_by_ref);
            std::task::Poll::Ready(Ok(Reply::new(crate::sum_of(request))))
        }))
    }
}

#[test]
fn an_error_ends_a_run_without_the_loss_of_answers() {
    let bad_rows = "{\"question\":\"0+1?\",\"answer\":\"1\"}\n{\"question\":\"1+1?\",\"answer\":\"2\"}\n{\"question\":7}\n";
    let path = path("results.jsonl");
    let eval = Eval::new(Dataset::<Sum>::from_jsonl(bad_rows.as_bytes(), "d.jsonl").unwrap())
        .gold(ExactMatch::new(), |row: &Sum| row.answer.clone())
        .concurrency(2)
        .results(&path);
    let llm = Together(Vec::new().into(), 2);
    let error = pollster::block_on(eval.run(&llm)).unwrap_err();
    assert!(error.to_string().starts_with("d.jsonl, row 3"), "{error}");
    // The third row is read when one of the answers is scored; the other one has arrived, too.
    assert_eq!(rows(&path).len(), 2);
    // The metric panics at the first answer that arrives, and five more are on their way.
    let file = crate::path("results.jsonl");
    let eval = Eval::new(sums(9))
        .results(&file)
        .concurrency(6)
        .score("odd", |_, _| panic!("always"));
    let llm = Together(Vec::new().into(), 6);
    pollster::block_on(eval.run(&llm)).unwrap_err();
    assert_eq!(rows(&file).len(), 6);
}

#[test]
fn answers_after_a_failure_are_kept() {
    let path = path("results.jsonl");
    let busy = || prompt_core::Error::new(prompt_core::ErrorKind::Model, "busy");
    let eval = |repeats| {
        Eval::new(sums(1))
            .gold(ExactMatch::new(), |row: &Sum| row.answer.clone())
            .repeats(repeats)
            .give_up_after(3)
            .concurrency(1)
            .results(&path)
    };
    // The third failure in a row is in an answer before the last.
    let llm = MockLlm::from_fn(move |request| match request.repeat {
        0 => Ok(Reply::new("1")),
        1 | 2 => Err(busy()),
        _ => Ok(Reply::new("2")),
    });
    let report = run(eval(4), &llm);
    assert_eq!((report.failed, report.answers), (2, 2));
    // No request follows the last failure that is allowed.
    let llm = MockLlm::from_fn(move |_| {
        Err(prompt_core::Error::new(
            prompt_core::ErrorKind::Model,
            "down",
        ))
    });
    let error = pollster::block_on(eval(20).run(&llm)).unwrap_err();
    assert_eq!(
        error.message(),
        "3 consecutive requests failed, the last with: down"
    );
    assert_eq!((llm.requests().len(), rows(&path).len()), (3, 2));
}

#[test]
fn empty_answers_are_unscored_and_counted() {
    let path = path("results.jsonl");
    let mut sums = sums(3);
    sums[2].answer = String::new();
    let eval = || {
        score(sums.clone(), ExactMatch::new(), &path)
            .gold(ExactMatch::squad(), |row: &Sum| row.answer.clone())
            .concurrency(1)
    };
    for llm in [MockLlm::new(["1", " \n", ""]), nobody()] {
        let report = run(eval(), &llm);
        let figures: Vec<_> = report
            .metrics
            .iter()
            .map(|metric| (metric.mean(), metric.count, metric.unscored))
            .collect();
        // SQuAD's script scores them; where the correct answer is empty, an empty one is right.
        assert_eq!(figures, [(1.0, 2, 1), (2.0 / 3.0, 3, 0)]);
        assert_eq!(report.empty, 2);
        let shown = report.to_string();
        assert!(shown.contains("\n2 answers without text\n"), "{shown}");
        assert!(
            shown.contains("  row 2, exact match: \" \\n\"\n"),
            "{shown}"
        );
    }
}

#[test]
fn invalid_scores_and_costs_end_the_run() {
    for (value, shown) in [
        (f64::NAN, "NaN"),
        (f64::INFINITY, "inf"),
        (-0.5, "-0.5"),
        (80.0, "80"),
    ] {
        let eval = Eval::new(sums(1)).score("odd", move |_, _| value);
        let error = pollster::block_on(eval.run(&Adder)).unwrap_err();
        assert_eq!(
            error.message(),
            format!("the metric `odd` returns {shown}, which is not a score from 0 to 1")
        );
    }
    let file = path("results.jsonl");
    let answer = || MockLlm::new([Reply::new("1").with_usage(Usage::new(1, 1))]);
    let eval = |cost: f64| score(sums(1), ExactMatch::new(), &file).cost(move |_| cost);
    let error = pollster::block_on(eval(f64::NAN).run(&answer())).unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 1: the cost of an answer is NaN, which is not a number; correct the function of `cost`, and run again to resume"
    );
    assert_eq!(run(eval(2.0), &nobody()).cost, Some(2.0));
    assert_eq!(rows(&file)[0].cost, Some(2.0));
    // Without a metric, the cost is the only difference.
    let file = path("costs.jsonl");
    let eval = |cost: f64| Eval::new(sums(1)).results(&file).cost(move |_| cost);
    pollster::block_on(eval(f64::NAN).run(&answer())).unwrap_err();
    assert_eq!(rows(&file)[0].cost, None);
    for (cost, rescored) in [(2e-13, 1), (2e-13, 0), (3e-13, 1)] {
        assert_eq!(run(eval(cost), &nobody()).rescored, rescored);
        assert_eq!(rows(&file)[0].cost, Some(cost));
    }
}

#[test]
fn correct_answers_that_nothing_matches_are_errors_in_every_metric() {
    let eval = Eval::new(sums(1)).metric(Numeric::new(), |_, answer: &String| {
        (answer.clone(), "unknown".to_owned())
    });
    let error = pollster::block_on(eval.run(&Adder)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 1: the right answer `unknown` is not a number; return the number alone, such as `1,234.5`"
    );
    let talk = Eval::new(sums(1)).conversation(|row| {
        let rounds = [Sum::new(&row.question, "unknown")];
        Conversation::from_prompt(&prompt_core::Messages::new(), rounds, TurnMode::Every)
    });
    let error = pollster::block_on(talk.turn_metric(Numeric::new()).run(&Adder)).unwrap_err();
    assert_eq!(
        error.message(),
        "the right answer `unknown` is not a number"
    );
}

#[test]
fn results_of_another_version_are_named() {
    let path = path("results.jsonl");
    run(score(sums(2), ExactMatch::new(), &path), &Adder);
    let text = std::fs::read_to_string(&path).expect("it is there");
    let own = env!("CARGO_PKG_VERSION");
    // A head that can be read: the answers are kept, and scored by this version.
    let older = text.replacen(own, "0.0.9", 1);
    std::fs::write(&path, &older).expect("a temporary file");
    let report = run(score(sums(2), ExactMatch::new(), &path), &nobody());
    assert_eq!(report.earlier_version.as_deref(), Some("0.0.9"));
    assert!(report.to_string().contains(
        "\nthe earlier run was one of typed-prompt 0.0.9; its answers are scored by this version\n"
    ));
    let report = run(score(sums(2), ExactMatch::new(), &path), &nobody());
    assert_eq!(report.earlier_version, None);
    // Lines that cannot be read are not moved away as if they were cut off.
    let head = "{\"typed_prompt\":\"9.0.0\",\"prompts\":[]}\n";
    let row = "{\"row\":1,\"answer\":\"1\"}\n";
    for (text, message) in [
        (
            head.to_owned(),
            format!(
                "line 1 is not the head of results of version 9.0.0 that version {own} can read: missing field `prompt`"
            ),
        ),
        (
            format!("{text}{row}"),
            format!("line 4 is not a result that version {own} can read: missing field `prompt`"),
        ),
    ] {
        std::fs::write(&path, &text).expect("a temporary file");
        let error = pollster::block_on(score(sums(2), ExactMatch::new(), &path).run(&nobody()));
        let error = error.unwrap_err();
        assert_eq!(error.message(), message);
        assert_eq!(error.help(), Some("use another results file"));
        assert_eq!(std::fs::read_to_string(&path).expect("it is there"), text);
    }
    // Answers of which nobody knows the model.
    let (_, headless) = text.split_once('\n').expect("lines");
    std::fs::write(&path, headless).expect("a temporary file");
    let error = pollster::block_on(score(sums(2), ExactMatch::new(), &path).run(&nobody()));
    assert_eq!(
        error.unwrap_err().message(),
        "the results have no head, so that the model of their answers is unknown"
    );
}

#[test]
fn truncated_answers_are_scored_if_nothing_can_change_them() {
    let path = path("results.jsonl");
    let cut = |text: &str| Reply::new(text).with_finish(FinishReason::Length);
    let llm = MockLlm::new([cut("The answer is 1"), cut("2"), Reply::new("3")]);
    let eval = || {
        score(sums(3), Numeric::new(), &path)
            .gold(ExactMatch::new(), |row: &Sum| row.answer.clone())
            .concurrency(1)
    };
    for report in [run(eval(), &llm), run(eval(), &nobody())] {
        let number = &report.metrics[0];
        assert_eq!(number.unscored, 2, "{report}");
        assert_eq!((number.mean(), number.count), (1.0, 1));
        // An exact text is compared as it is.
        assert_eq!(report.metrics[1].count, 3);
        let shown = report.to_string();
        assert!(shown.contains("\nfinish reasons length 2\n"), "{shown}");
    }
}
