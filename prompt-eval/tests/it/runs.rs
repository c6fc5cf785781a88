//! Runs: requests, their rate and concurrency, and results.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Waker};
use std::time::Duration;

use prompt_core::{
    BoxFuture, Error, ErrorKind, Example, Llm, Message, Messages, MockLlm, Reply, Request,
};
use prompt_eval::metric::{ExactMatch, Numeric};
use prompt_eval::retrieve::{Bm25, FixK};
use prompt_eval::{
    Conversation, Eval, ExamplePool, PromptBudget, RowResult, TurnMode, load_results, split_rounds,
};
use typed_prompt::Prompt;

use crate::{Adder, Sum, path, sum_of};

fn sums(count: usize) -> Vec<Sum> {
    (0..count)
        .map(|row| Sum::new(&format!("{row}+1?"), &(row + 1).to_string()))
        .collect()
}

fn eval(rows: Vec<Sum>) -> Eval<Sum> {
    Eval::new(rows).gold(ExactMatch::new(), |row: &Sum| row.answer.clone())
}

fn results(path: &std::path::Path) -> Vec<RowResult> {
    let mut all: Vec<RowResult> = load_results(path)
        .and_then(Iterator::collect)
        .expect("whole results");
    all.sort_by_key(|outcome| outcome.row);
    all
}

#[test]
fn finished_runs_send_no_requests() {
    let path = path("results.jsonl");
    let first = pollster::block_on(eval(sums(20)).results(&path).run(&Adder)).expect("it runs");
    assert_eq!(
        (first.done, first.resumed, first.metrics[0].mean()),
        (20, 0, 1.0)
    );
    let nobody = MockLlm::new([] as [&str; 0]);
    let again = pollster::block_on(eval(sums(20)).results(&path).run(&nobody)).expect("it runs");
    assert_eq!(
        (again.done, again.resumed, again.metrics),
        (20, 20, first.metrics)
    );
    assert_eq!(results(&path).len(), 20);
}

#[test]
fn metrics_of_equal_names_are_numbered() {
    let path = path("results.jsonl");
    let eval = || {
        eval(sums(4))
            .gold(ExactMatch::lenient(), |row| format!("the {}", row.answer))
            .gold(ExactMatch::new(), |_| "5".to_owned())
            .results(&path)
    };
    for report in [
        pollster::block_on(eval().run(&Adder)),
        pollster::block_on(eval().run(&MockLlm::new([] as [&str; 0]))),
    ] {
        let metrics = report.expect("it runs").metrics;
        let told = metrics
            .iter()
            .map(|tally| (&*tally.name, tally.count, tally.mean()));
        let expected = [
            ("exact match", 4, 1.0),
            ("exact match 2", 4, 1.0),
            ("exact match 3", 4, 0.0),
        ];
        assert_eq!(told.collect::<Vec<_>>(), expected);
    }
}

#[test]
fn runs_resume_beyond_their_limit() {
    let path = path("results.jsonl");
    for (limit, resumed) in [(5, 0), (12, 5), (20, 12)] {
        let eval = eval(sums(20)).results(&path).limit(limit);
        let report = pollster::block_on(eval.run(&Adder)).expect("it runs");
        assert_eq!((report.done, report.resumed), (limit, resumed));
    }
}

#[test]
fn results_of_another_prompt_are_errors() {
    let path = path("results.jsonl");
    pollster::block_on(eval(sums(3)).results(&path).run(&Adder)).expect("it runs");
    let written = std::fs::read(&path).expect("it is written");
    let mut others = sums(3);
    others[1].question = "7+7?".to_owned();
    let error = pollster::block_on(eval(others).results(&path).run(&Adder)).unwrap_err();
    assert_eq!(
        error.message(),
        "the result of row 2 belongs to another prompt"
    );
    // With another metric, the run has another head.
    let mut first = sums(3);
    first[0].question = "7+7?".to_owned();
    let other = eval(first).score("length", |_, _| 1.0);
    let error = pollster::block_on(other.results(&path).run(&Adder)).unwrap_err();
    assert_eq!(
        error.message(),
        "the result of row 1 belongs to another prompt"
    );
    let after = std::fs::read(&path).expect("it is written");
    assert_eq!(after, written, "a refused run leaves the file unchanged");
}

#[test]
fn failed_rows_are_sent_again() {
    let path = path("results.jsonl");
    let odd = MockLlm::from_fn(|request| {
        let sum = sum_of(request);
        match sum.ends_with(['1', '3', '5', '7', '9']) {
            true => Ok(Reply::new(sum)),
            false => Err(Error::new(ErrorKind::Model, "busy")),
        }
    });
    let report = pollster::block_on(eval(sums(10)).results(&path).run(&odd)).expect("it runs");
    assert_eq!((report.done, report.failed), (5, 5));
    assert_eq!(report.failures[0], "row 2: busy");
    let failed = path.with_extension("jsonl.failed");
    #[cfg(unix)]
    for file in [&path, &failed] {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(file)
            .expect("it is there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{}", file.display());
    }
    assert_eq!(
        std::fs::read_to_string(&failed)
            .expect("it is there")
            .lines()
            .count(),
        5
    );
    let report = pollster::block_on(eval(sums(10)).results(&path).run(&Adder)).expect("it runs");
    assert_eq!((report.done, report.resumed, report.failed), (10, 5, 0));
    assert!(!failed.exists());
}

#[test]
fn results_files_are_locked() {
    let path = path("results.jsonl");
    let slow = Slow::default();
    {
        let mut first = Box::pin(eval(sums(20)).results(&path).run(&slow));
        let mut context = Context::from_waker(Waker::noop());
        assert!(first.as_mut().poll(&mut context).is_pending());
        let second = pollster::block_on(eval(sums(20)).results(&path).run(&Adder));
        assert_eq!(
            second.unwrap_err().to_string(),
            format!(
                "{}: another run writes its results into this file; wait for it, or use another file",
                path.display()
            )
        );
        // The first run is dropped here, in the middle.
    }
    let report = pollster::block_on(eval(sums(20)).results(&path).run(&Adder)).expect("it is free");
    assert_eq!(report.done, 20);
    assert_eq!(results(&path).len(), 20);
}

#[test]
#[cfg(target_os = "linux")]
fn devices_are_not_results_files() {
    let error = pollster::block_on(eval(sums(2)).results("/dev/full").run(&Adder)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "/dev/full: results require a regular file"
    );
}

#[test]
fn consecutive_failures_end_the_run() {
    let down = MockLlm::from_fn(|_| Err(Error::new(ErrorKind::Model, "no such host")));
    let error = pollster::block_on(eval(sums(1000)).give_up_after(3).run(&down)).unwrap_err();
    assert_eq!(
        error.message(),
        "3 consecutive requests failed, the last with: no such host"
    );
}

/// A slow model that counts the concurrent requests.
#[derive(Default)]
struct Slow {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Llm for Slow {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, prompt_core::Result<Reply>> {
        Box::pin(async move {
            let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
            self.most.fetch_max(now, Ordering::SeqCst);
            futures_timer::Delay::new(Duration::from_millis(20)).await;
            self.now.fetch_sub(1, Ordering::SeqCst);
            Ok(Reply::new(sum_of(request)))
        })
    }
}

#[test]
fn concurrency_is_limited() {
    let slow = Slow::default();
    pollster::block_on(eval(sums(40)).concurrency(8).run(&slow)).expect("it runs");
    assert_eq!(slow.most.load(Ordering::SeqCst), 8);
}

#[test]
fn options_without_an_effect_are_refused() {
    let run = eval(sums(1)).output_retries(1).run(&Adder);
    let error = pollster::block_on(run).unwrap_err().to_string();
    let expected = "the option `output_retries` has no effect in this evaluation; unset it: each row is asked once, and an answer that does not fit its type is an error of its row";
    assert_eq!(error, expected);
}

#[test]
fn examples_are_selected_for_each_row() {
    let pool = sums(10);
    let questions: Vec<String> = pool.iter().map(|row| row.question.clone()).collect();
    let examples = ExamplePool::from_turns(pool.clone())
        .unwrap()
        .retriever(Bm25::new(2, questions))
        .leave_one_out();
    let scripted = MockLlm::from_fn(|request| Ok(Reply::new(sum_of(request))));
    let eval = eval(pool)
        .few_shot(examples, |row, examples| row.examples = examples)
        .query_text(|row| row.question.clone());
    pollster::block_on(eval.run(&scripted)).expect("it runs");
    for request in scripted.requests() {
        let own = request
            .messages
            .last()
            .expect("a question")
            .text()
            .into_owned();
        // Instructions, two examples, and the question, which is not one of the examples.
        assert_eq!(request.messages.len(), 6);
        let same = request
            .messages
            .iter()
            .filter(|message| message.text() == own);
        assert_eq!(same.count(), 1, "{own}");
    }
}

/// The nearest example of a row is the row itself.
#[test]
fn a_row_does_not_see_its_own_answer_by_default() {
    let messages = |pool: ExamplePool| {
        let scripted = MockLlm::from_fn(|request| Ok(Reply::new(sum_of(request))));
        let eval = eval(sums(3)).few_shot(pool, |row, examples| row.examples = examples);
        pollster::block_on(eval.run(&scripted)).expect("it runs");
        let requests = scripted.requests();
        requests
            .iter()
            .map(|request| request.messages.len())
            .collect::<Vec<_>>()
    };
    let pool = || ExamplePool::from_turns(sums(3)).unwrap();
    // Instructions, two messages for each example, and the question.
    assert_eq!(messages(pool()), [6, 6, 6]);
    assert_eq!(messages(pool().keep_equal_rows()), [8, 8, 8]);
    let collected = sums(3).into_iter().map(|row| Example::turns(&row).unwrap());
    assert_eq!(messages(collected.collect()), [8, 8, 8]);
}

#[test]
fn examples_that_are_not_in_the_prompt_are_an_error() {
    let pool = || ExamplePool::from_turns(sums(3)).unwrap();
    let forgotten = eval(sums(1)).few_shot(pool(), |_, _| ());
    let error = pollster::block_on(forgotten.run(&Adder)).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("row 1: the few-shot examples are not in the prompt; assign them"),
        "{error}"
    );
    let pool = pool().retriever(Bm25::new(1, sums(3).iter().map(|row| &row.question)));
    let unasked = eval(sums(1)).few_shot(pool, |row, examples| row.examples = examples);
    let error = pollster::block_on(unasked.run(&Adder)).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("row 1: BM25 compares texts, and this row has none; set it with"),
        "{error}"
    );
}

#[test]
fn examples_beyond_the_budget_are_left_out_and_counted() {
    let examples = ExamplePool::from_turns(sums(5))
        .unwrap()
        .retriever(FixK::new([0, 1, 2]))
        .keep_equal_rows();
    let eval = eval(sums(4))
        .few_shot(examples, |row, examples| row.examples = examples)
        .budget(PromptBudget::max_words(12));
    let report = pollster::block_on(eval.run(&Adder)).expect("it runs");
    assert_eq!((report.shortened, report.dropped), (4, 4));
    assert!(
        report
            .to_string()
            .contains("4 examples of 4 rows left out because of the budget")
    );
}

#[derive(Clone, Prompt)]
#[prompt(user = "<question>", assistant = "<answer>")]
struct Round {
    question: &'static str,
    #[prompt(answer)]
    answer: &'static str,
}

#[derive(Clone, Prompt)]
#[prompt(system = "Add.", user = "<id>")]
struct Talk {
    id: u32,
}

#[test]
fn conversations_are_sent_turn_by_turn() {
    for (mode, requests, score) in [
        (TurnMode::Every, 3, 2.0 / 3.0),
        (TurnMode::EveryWithGold, 3, 2.0 / 3.0),
        (TurnMode::Last, 1, 0.0),
    ] {
        let scripted = MockLlm::from_fn(|request| Ok(Reply::new(sum_of(request))));
        let eval = Eval::new(vec![Talk { id: 1 }])
            .conversation(move |_| {
                let rounds = split_rounds(["1+1?", "2+2?", "3+3?"], ["2", "4", "7"])?;
                let rounds = rounds
                    .into_iter()
                    .map(|(question, answer)| Round { question, answer });
                Conversation::from_prompt(&Messages::from([Message::system("Add.")]), rounds, mode)
            })
            .turn_metric(Numeric::new());
        let report = pollster::block_on(eval.run(&scripted)).expect("it runs");
        assert_eq!(scripted.requests().len(), requests, "{mode:?}");
        assert!((report.metrics[0].mean() - score).abs() < 1e-12, "{mode:?}");
    }
}

#[test]
fn assistant_messages_of_an_opening_are_not_turns() {
    let opening = Messages::from([Message::user("Add."), Message::assistant("Ready.")]);
    for (mode, requests) in [
        (TurnMode::Every, 2),
        (TurnMode::EveryWithGold, 2),
        (TurnMode::Last, 1),
    ] {
        let opening = opening.clone();
        let scripted = MockLlm::from_fn(|request| Ok(Reply::new(sum_of(request))));
        let eval = Eval::new(vec![Talk { id: 1 }])
            .conversation(move |_| {
                let rounds = [("1+1?", "2"), ("2+2?", "4")];
                let rounds = rounds.map(|(question, answer)| Round { question, answer });
                Conversation::from_prompt(&opening, rounds, mode)
            })
            .turn_metric(Numeric::new());
        let report = pollster::block_on(eval.run(&scripted)).expect("it runs");
        assert_eq!(report.metrics[0].mean(), 1.0, "{mode:?}");
        assert_eq!(scripted.requests().len(), requests, "{mode:?}");
        assert_eq!(scripted.requests()[0].messages[1].text(), "Ready.");
    }
}

#[test]
fn runs_without_a_result_are_errors() {
    let scored = || Eval::new(sums(1)).gold(Numeric::new(), |row| row.answer.clone());
    for (eval, message) in [
        (
            Eval::new(sums(1)),
            "no metric is set, so that the report would have no figures",
        ),
        (
            scored().concurrency(0),
            "`concurrency` is 0, so that nothing would be evaluated",
        ),
        (
            scored().repeats(0),
            "`repeats` is 0, so that nothing would be evaluated",
        ),
        (
            scored().limit(0),
            "`limit` is 0, so that nothing would be evaluated",
        ),
    ] {
        let llm = MockLlm::new([Reply::new("1")]);
        let error = pollster::block_on(eval.run(&llm)).unwrap_err();
        assert!(error.to_string().starts_with(message), "{error}");
        assert!(llm.requests().is_empty(), "{message}");
    }
}

#[test]
fn an_index_of_another_pool_is_an_error() {
    let pool = ExamplePool::from_turns(sums(10)).unwrap();
    let pool = pool.retriever(Bm25::new(1, ["1+1?"]));
    let eval = Eval::new(sums(1)).gold(Numeric::new(), |row| row.answer.clone());
    let eval = eval
        .few_shot(pool, |row, examples| row.examples = examples)
        .query_text(|row| row.question.clone());
    let error = pollster::block_on(eval.run(&MockLlm::new(["1"]))).unwrap_err();
    let message = "the pool has 10 examples, and `Bm25::new` was given the texts of 1";
    assert!(error.to_string().contains(message), "{error}");
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Verdict {
    urgency: u8,
}

#[derive(Clone, Prompt)]
#[prompt(
    user = "How urgent is <ticket>?",
    assistant = "{\"urgency\": <urgency>}",
    output = Verdict
)]
struct Ticket {
    ticket: &'static str,
    #[prompt(answer)]
    urgency: u8,
}

#[test]
fn typed_answers_are_parsed_or_score_zero() {
    let ticket = |ticket, urgency| Ticket { ticket, urgency };
    let rows = vec![ticket("fire", 5), ticket("dust", 1), ticket("rain", 2)];
    let llm = MockLlm::new([
        "Sure: ```json\n{\"urgency\": 5}\n```",
        "no idea",
        r#"{"urgency": 3}"#,
    ]);
    let path = path("results.jsonl");
    let eval = Eval::new(rows)
        .score("right", |row: &Ticket, answer: &Verdict| {
            f64::from(row.urgency == answer.urgency)
        })
        .metric(Numeric::new(), |row, answer: &Verdict| {
            (answer.urgency.to_string(), row.urgency.to_string())
        })
        .concurrency(1)
        .results(&path);
    let report = pollster::block_on(eval.run(&llm)).expect("it runs");
    assert_eq!((report.done, report.parse_errors), (3, 1));
    for tally in &report.metrics {
        assert!((tally.mean() - 1.0 / 3.0).abs() < 1e-12, "{tally:?}");
    }
    let unread = results(&path)[1].parse_error.clone().expect("an error");
    assert!(!unread.is_empty());
    assert!(
        report
            .to_string()
            .contains("1 answer could not be parsed; the score is 0")
    );
}

#[test]
fn scores_that_are_not_finite_are_errors() {
    let eval = eval(sums(1)).score("odd", |_, _| f64::NAN);
    let error = pollster::block_on(eval.run(&Adder)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 1: the metric `odd` returns NaN, which is not a score from 0 to 1; correct it"
    );
}

/// A run that kept its answers resumes.
#[test]
fn only_a_run_with_results_is_resumed() {
    let eval = eval(sums(1)).score("percent", |_, _| 100.0);
    let error = pollster::block_on(eval.run(&Adder)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 1: the metric `percent` returns 100, which is not a score from 0 to 1; correct it: 1 is the best score, so that a percentage is divided by 100"
    );
    let eval = || self::eval(sums(1)).score("odd", |_, _| f64::NAN);
    let kept = eval().results(path("resumed.jsonl"));
    let error = pollster::block_on(kept.run(&Adder)).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("; correct it, and run again to resume"),
        "{error}"
    );
    let failing = MockLlm::from_fn(|_| Err(Error::new(ErrorKind::Model, "down")));
    let error = pollster::block_on(eval().give_up_after(1).run(&failing)).unwrap_err();
    assert!(error.to_string().ends_with("; check the model"), "{error}");
}

#[test]
fn a_run_never_gives_up_if_it_is_told_so() {
    let error = pollster::block_on(eval(sums(1)).give_up_after(0).run(&Adder)).unwrap_err();
    assert!(
        error.to_string().contains("`u64::MAX` to never give up"),
        "{error}"
    );
    let never = eval(sums(30)).give_up_after(u64::MAX);
    let failing = MockLlm::from_fn(|_| Err(Error::new(ErrorKind::Model, "down")));
    assert_eq!(pollster::block_on(never.run(&failing)).unwrap().failed, 30);
}

#[test]
fn retrieved_examples_must_exist() {
    struct Wrong;
    impl prompt_eval::retrieve::Retriever for Wrong {
        fn select_rows(
            &mut self,
            _: &prompt_eval::retrieve::Query<'_>,
            count: usize,
        ) -> Result<Vec<usize>, prompt_eval::DataError> {
            Ok(vec![count])
        }
    }
    let examples = ExamplePool::from_turns(sums(2)).unwrap().retriever(Wrong);
    let eval = eval(sums(1)).few_shot(examples, |row, examples| row.examples = examples);
    let error = pollster::block_on(eval.run(&Adder)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 1: the retriever returned example 2 of 2, counted from 0"
    );
}

#[test]
fn dry_runs_show_the_prompts() {
    let examples = ExamplePool::from_turns([Sum::new("2+2?", "4")]).unwrap();
    let eval = eval(sums(9)).few_shot(examples, |row, examples| row.examples = examples);
    assert_eq!(
        eval.dry_run(1).expect("it can be shown"),
        "row 1\n[system]\nAdd.\n[user]\nWhat is 2+2?\n[assistant]\n4\n[user]\nWhat is 0+1?\n"
    );
}

#[test]
fn rows_are_prompts() {
    assert_eq!(sums(1)[0].messages().unwrap().len(), 2);
}

/// Equal rows count twice in a mean, so a report names them. Another answer to the same question is another row.
#[test]
fn equal_rows_are_reported() {
    let rows = [("1+1?", "2"), ("2+2?", "4"), ("1+1?", "2"), ("1+1?", "3")];
    let rows: Vec<Sum> = rows
        .into_iter()
        .map(|(question, answer)| Sum::new(question, answer))
        .collect();
    let eval = Eval::new(rows).gold(Numeric::new(), |row| row.answer.clone());
    let report =
        pollster::block_on(eval.run(&MockLlm::new(["2", "4", "2", "2"]))).expect("it runs");
    assert_eq!((report.duplicates, report.metrics[0].count), (1, 4));
    assert_eq!(report.duplicate_rows, ["row 3 repeats row 1"]);
    let shown = report.to_string();
    assert!(
        shown.contains("1 row with the prompt and the answer of an earlier row, so that they count twice:\n  row 3 repeats row 1\n"),
        "{shown}"
    );
}

/// No score is not a score of NaN.
#[test]
fn a_metric_without_scores_has_no_mean_in_the_report() {
    let eval =
        Eval::new(vec![Sum::new("1+1?", "2")]).gold(Numeric::new(), |row| row.answer.clone());
    let report = pollster::block_on(eval.run(&MockLlm::new(["I do not know."]))).expect("it runs");
    let shown = report.to_string();
    assert!(shown.contains("–") && !shown.contains("NaN"), "{shown}");
    assert_eq!(
        (report.metrics[0].count, report.metrics[0].unscored),
        (0, 1)
    );
}
