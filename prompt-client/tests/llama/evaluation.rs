//! Evaluations against the real server: they resume after they were dropped, and every row has one result.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::pin::pin;
use std::time::Duration;

use prompt_client::{ChatModel, CompletionModel, LogProbMethod};
use prompt_core::{Likelihood, Options, format};
use prompt_eval::metric::ExactMatch;
use prompt_eval::{Choices, Completion, Eval, Normalization, RowResult, load_results};
use serde_json::json;
use typed_prompt::Prompt;

use super::url;

const ROWS: u64 = 16;

#[derive(Clone, Prompt)]
#[prompt(system = "Add.", user = "What is <a>+<b>?", assistant = "<answer>")]
struct Sum {
    a: u64,
    b: u64,
    #[prompt(answer)]
    answer: String,
}

fn sums() -> Vec<Sum> {
    let sum = |a| Sum {
        a,
        b: 2 * a,
        answer: (3 * a).to_string(),
    };
    (0..ROWS).map(sum).collect()
}

/// A file of results of this test alone.
fn file(name: &str) -> PathBuf {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("llama-{}-{name}.jsonl", std::process::id()));
    drop(std::fs::remove_file(&path));
    path
}

fn results(path: &PathBuf) -> Vec<RowResult> {
    let mut all: Vec<RowResult> = load_results(path).unwrap().map(Result::unwrap).collect();
    for outcome in &mut all {
        // The same rows take another time in another run, and the server's cache contains other requests.
        outcome.seconds = 0.0;
        if let Some(usage) = &mut outcome.usage {
            usage.cached_input = 0;
        }
    }
    all.sort_by_key(|outcome| outcome.row);
    let rows: BTreeSet<u64> = all.iter().map(|outcome| outcome.row).collect();
    assert_eq!(rows.len(), all.len(), "a row has two results");
    all
}

/// Runs until some rows are done, and drops the run.
async fn dropped(run: impl Future, path: &PathBuf, rows: usize) -> usize {
    // The first line is the head of the results.
    let enough = async {
        while std::fs::read(path)
            .unwrap_or_default()
            .split(|byte| *byte == b'\n')
            .count()
            <= rows + 1
        {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::select! {
        biased;
        () = enough => {}
        _ = pin!(run) => {}
    }
    results(path).len()
}

#[tokio::test]
#[ignore = "needs the server of tests/llama/test"]
async fn dropped_runs_resume() {
    let url = url();
    let llm = ChatModel::openai_compatible(&url, "tiny").unwrap();
    let path = file("run");
    let eval = || {
        let options = Options::new().seed(7).temperature(0.0).max_tokens(24);
        Eval::new(sums())
            .gold(ExactMatch::new(), |row| row.answer.clone())
            .options(options)
            .concurrency(2)
            .results(&path)
    };
    let before = dropped(eval().run(&llm), &path, 5).await;
    assert!(
        (5..ROWS as usize).contains(&before),
        "{before} rows are done"
    );
    let report = eval().run(&llm).await.unwrap();
    assert_eq!((report.done, report.resumed), (ROWS, before as u64));
    assert_eq!(report.failed, 0);
    let all = results(&path);
    assert_eq!(all.len() as u64, ROWS);
    assert!(
        all.iter()
            .all(|outcome| outcome.usage.is_some_and(|usage| usage.input > 0))
    );

    // Every row gets the same answer as in a run without interruption.
    let whole = file("whole");
    eval().results(&whole).run(&llm).await.unwrap();
    assert_eq!(results(&whole), all);
    for path in [path, whole] {
        std::fs::remove_file(path).unwrap();
    }
}

#[tokio::test]
#[ignore = "needs the server of tests/llama/test"]
async fn dropped_rankings_resume() {
    let url = url();
    let llm = CompletionModel::new(&url, "tiny", format::PLAIN)
        .unwrap()
        .log_prob_method(LogProbMethod::ForcedTokens);
    let path = file("ranking");
    let ranking = || {
        Eval::new(sums())
            .concurrency(2)
            .results(&path)
            .multiple_choice(
                |row| {
                    let labels = [
                        row.answer.clone(),
                        (row.a + 7).to_string(),
                        "many".to_owned(),
                    ];
                    let labels: BTreeSet<String> = labels.into();
                    Choices::from_labels(labels, |label| {
                        let answered = Sum {
                            answer: label.to_owned(),
                            ..row.clone()
                        };
                        Completion::in_format(&answered, format::CHATML)
                    })
                },
                |row| row.answer.clone(),
            )
    };
    let before = dropped(ranking().run(&llm), &path, 5).await;
    assert!(
        (5..ROWS as usize).contains(&before),
        "{before} rows are done"
    );
    let report = ranking().run(&llm).await.unwrap();
    assert_eq!((report.done, report.resumed), (ROWS, before as u64));
    assert_eq!(report.metrics[0].name, "accuracy");
    let all = results(&path);
    assert_eq!(all.len() as u64, ROWS);
    for outcome in &all {
        let best = outcome
            .likelihoods
            .iter()
            .map(|(_, value)| *value)
            .fold(f64::MIN, f64::max);
        let chosen = outcome
            .likelihoods
            .iter()
            .find(|(label, _)| *label == outcome.answers[0]);
        assert_eq!(chosen.unwrap().1, best);
        assert!(outcome.likelihoods.iter().all(|(_, value)| *value < 0.0));
    }
    std::fs::remove_file(path).unwrap();
}

/// The values against the server's own distribution over the whole vocabulary.
#[tokio::test]
#[ignore = "needs the server of tests/llama/test"]
async fn log_probs_match_generated_tokens() {
    let url = url();
    let llm = CompletionModel::new(&url, "tiny", format::PLAIN)
        .unwrap()
        .log_prob_method(LogProbMethod::ForcedTokens);
    let (context, answer) = ("<|im_start|>user\nHi<|im_end|>\n", "42 e");
    let values = llm.score_tokens(context, answer).await.unwrap();
    // A token for each letter.
    assert_eq!(values.len(), 4);
    let body = json!({
        "prompt": context, "max_tokens": 1, "temperature": 0, "logprobs": 1000,
    });
    let http = prompt_client::http_client_builder().build().unwrap();
    let asked = http
        .post(format!("{url}/completions"))
        .body(body.to_string());
    let told: serde_json::Value =
        serde_json::from_str(&asked.send().await.unwrap().text().await.unwrap()).unwrap();
    let tops = told["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
        .as_array()
        .unwrap();
    let four = tops.iter().find(|top| top["token"] == "4").unwrap();
    let own = four["logprob"].as_f64().unwrap();
    assert!((values[0] - own).abs() < 1e-3, "{} and {own}", values[0]);
    assert_eq!(
        Normalization::Mean.combine_log_probs(&values, answer),
        values.iter().sum::<f64>() / 4.0
    );

    // A letter that consists of two tokens: this server returns no log-probability of the first.
    let error = llm.score_tokens(context, "é").await.unwrap_err();
    assert_eq!(
        error.message(),
        "the server returns no log-probability of a token that is a part of a character"
    );

    // This server does not echo text. The client detects this and does not use the text as an answer.
    let echo = llm.log_prob_method(LogProbMethod::Echo);
    let error = echo.score_tokens(context, answer).await.unwrap_err();
    assert!(
        error
            .message()
            .contains("the server returns no log-probabilities"),
        "{error:#}"
    );
}
