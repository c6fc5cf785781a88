//! The run: rows are sent concurrently, and each result is written as soon as it is available.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::pin::Pin;
use std::time::{Duration, Instant};

use futures_util::stream::{FuturesUnordered, StreamExt};
use indicatif::{ProgressBar, ProgressStyle};
use prompt_base::file::owner_only;
use prompt_core::{BoxFuture, Llm, Options, Prompt, Reply, Request};

use crate::eval::{RunSettings, Task};
use crate::fingerprint::hash_text;
use crate::results::{EarlierResults, Results, sibling_path};
use crate::{Conversation, DataError, Report, Row, RowResult};

/// A row and its input.
type PreparedRow<R, I> = (Row<R>, PreparedInput<I>);

/// The input of a row, ready to be sent.
pub(crate) struct PreparedInput<I> {
    pub(crate) input: I,
    pub(crate) fingerprint: u64,
    /// How many few-shot examples were left out.
    pub(crate) dropped: usize,
}

/// Prepares a row.
pub(crate) type Prepare<R, I> =
    Box<dyn FnMut(&mut Row<R>) -> Result<PreparedInput<I>, DataError> + Send>;

/// A prompt, or a conversation that is sent turn by turn.
pub(crate) enum RowInput {
    Prompt(Request),
    Conversation(Conversation, Options),
}

/// The response to a row.
#[derive(Default)]
pub(crate) struct Response {
    /// The replies, each with the correct answer of its turn in a conversation.
    pub(crate) replies: Vec<(Reply, Option<String>)>,
    pub(crate) choices: Option<ChoiceScores>,
}

/// The likelihood of each choice, and the correct one.
pub(crate) struct ChoiceScores {
    pub(crate) likelihoods: Vec<(String, f64)>,
    pub(crate) gold: String,
}

/// A model that responds to inputs of a kind.
pub(crate) trait Responder<'a, I>: Copy + Send {
    fn respond_to(self, input: I) -> BoxFuture<'a, prompt_core::Result<Response>>;
}

impl<'a> Responder<'a, RowInput> for &'a dyn Llm {
    fn respond_to(self, input: RowInput) -> BoxFuture<'a, prompt_core::Result<Response>> {
        Box::pin(async move {
            let mut response = Response::default();
            match input {
                RowInput::Prompt(request) => {
                    response.replies.push((self.send(&request).await?, None));
                }
                RowInput::Conversation(mut conversation, options) => {
                    while let Some(messages) = conversation.next_request() {
                        let request =
                            Request::from_prompt(&messages)?.with_options(options.clone());
                        let reply = self.send(&request).await?;
                        let gold = conversation.gold();
                        conversation.push_answer(&reply.text);
                        response.replies.push((reply, gold));
                    }
                }
            }
            Ok(response)
        })
    }
}

/// The hash of an input, by which a changed one is found.
pub(crate) fn input_fingerprint(input: &impl serde::Serialize) -> u64 {
    // An input that cannot be serialized cannot be sent either.
    hash_text(&serde_json::to_string(input).unwrap_or_default())
}

pub(crate) async fn run_evaluation<'a, R, I, M>(
    task: Task<R>,
    prepare: Prepare<R, I>,
    model: M,
) -> Result<Report, DataError>
where
    R: Prompt + Send + 'static,
    I: Send + 'a,
    M: Responder<'a, I> + 'a,
{
    let start = Instant::now();
    let mut report = Report::default();
    let path = task.settings.results.clone();
    let (results, earlier) = match &path {
        Some(path) => {
            let (results, earlier) = Results::open(path, |result| report.add(result))?;
            (Some(results), earlier)
        }
        None => (None, EarlierResults::default()),
    };
    report.resumed = report.done;
    report.repaired.clone_from(&earlier.repaired);
    let mut run = EvalRun {
        progress: progress_bar(&task, report.done),
        failed: RowErrorLog::new(path.as_ref(), "failed"),
        skipped: RowErrorLog::new(path.as_ref(), "skipped"),
        consecutive_failures: 0,
        task,
        prepare,
        model,
        earlier,
        results,
        report,
        running: FuturesUnordered::new(),
        is_exhausted: false,
        rows: 0,
    };
    let ended = run.run_rows().await;
    if let Some(results) = &mut run.results {
        results.sync_results()?;
    }
    run.progress.finish_and_clear();
    ended?;
    run.report.elapsed = start.elapsed();
    Ok(run.report)
}

struct EvalRun<'a, R: Prompt, I, M> {
    task: Task<R>,
    prepare: Prepare<R, I>,
    model: M,
    earlier: EarlierResults,
    results: Option<Results>,
    report: Report,
    progress: ProgressBar,
    failed: RowErrorLog,
    skipped: RowErrorLog,
    consecutive_failures: u64,
    running: FuturesUnordered<Pin<Box<dyn Future<Output = Finished<R>> + Send + 'a>>>,
    is_exhausted: bool,
    /// How many rows were read.
    rows: u64,
}

/// A row with its response.
struct Finished<R> {
    row: Row<R>,
    fingerprint: u64,
    dropped: usize,
    response: prompt_core::Result<Response>,
}

impl<'a, R: Prompt + Send + 'static, I: Send + 'a, M: Responder<'a, I> + 'a> EvalRun<'a, R, I, M> {
    async fn run_rows(&mut self) -> Result<(), DataError> {
        loop {
            self.start_rows()?;
            match self.running.next().await {
                Some(finished) => self.finish_row(&finished)?,
                None => return Ok(()),
            }
        }
    }

    /// Starts as many rows as may run.
    fn start_rows(&mut self) -> Result<(), DataError> {
        while self.running.len() < self.task.settings.concurrency && !self.is_exhausted {
            match self.next() {
                Ok(Some((row, prepared))) => {
                    let (fingerprint, dropped) = (prepared.fingerprint, prepared.dropped);
                    let response = self.model.respond_to(prepared.input);
                    self.running.push(Box::pin(async move {
                        Finished {
                            row,
                            fingerprint,
                            dropped,
                            response: response.await,
                        }
                    }));
                }
                Ok(None) => self.is_exhausted = true,
                Err(error) if self.task.settings.skip_bad && error.row().is_some() => {
                    self.skipped.add(error.row().unwrap_or_default(), &error)?;
                    self.report.add_skipped(error.to_string());
                    self.progress.inc(1);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The next row without a result, and its input.
    fn next(&mut self) -> Result<Option<PreparedRow<R, I>>, DataError> {
        while self.rows < self.task.settings.limit.unwrap_or(u64::MAX) {
            let Some(row) = self.task.dataset.next() else {
                break;
            };
            self.rows += 1;
            let mut row = row?;
            let number = row.number;
            let prepared = (self.prepare)(&mut row)
                .and_then(|prepared| self.task.check_row(&row.value).map(|()| prepared))
                .map_err(|error| self.task.dataset.locate_last_row(error, number))?;
            match self.earlier.row_fingerprint(number) {
                None => return Ok(Some((row, prepared))),
                Some(fingerprint) if fingerprint == prepared.fingerprint => {}
                Some(_) => {
                    let path = self.task.settings.results.clone().unwrap_or_default();
                    let message = format!("the result of row {number} belongs to another prompt");
                    return Err(DataError::new(message)
                        .with_help("use one results file for each prompt and dataset")
                        .in_file(path));
                }
            }
        }
        Ok(None)
    }

    /// Scores a finished row, and writes its result.
    fn finish_row(&mut self, finished: &Finished<R>) -> Result<(), DataError> {
        self.progress.inc(1);
        let number = finished.row.number;
        let response = match &finished.response {
            Ok(response) => response,
            Err(error) => {
                self.report.add_failure(format!("row {number}: {error}"));
                self.failed.add(number, error)?;
                self.consecutive_failures += 1;
                let failures = self.consecutive_failures;
                if failures < self.task.settings.max_failures {
                    return Ok(());
                }
                let message =
                    format!("{failures} consecutive requests failed, the last with: {error}");
                return Err(DataError::new(message)
                    .with_help("check the model, and run again to resume")
                    .at_row(number));
            }
        };
        self.consecutive_failures = 0;
        let result = score_row(finished, response, &self.task);
        if let Some((name, score)) = result.scores.iter().find(|(_, score)| !score.is_finite()) {
            let message = format!("the metric `{name}` returns {score}, which is not a score");
            return Err(self
                .task
                .dataset
                .locate_error(DataError::new(message), number));
        }
        if let Some(results) = &mut self.results {
            results.add(&result)?;
        }
        self.report.add(&result);
        Ok(())
    }
}

fn score_row<R: Prompt>(finished: &Finished<R>, response: &Response, task: &Task<R>) -> RowResult {
    let replies = &response.replies;
    let answers = replies.iter().map(|(reply, _)| reply.text.clone());
    let mut result = RowResult {
        row: finished.row.number,
        prompt: format!("{:016x}", finished.fingerprint),
        answers: answers.collect(),
        dropped: finished.dropped as u64,
        ..RowResult::default()
    };
    for usage in replies.iter().filter_map(|(reply, _)| reply.usage) {
        let tokens = result.tokens.get_or_insert([0, 0]);
        tokens[0] += usage.input;
        tokens[1] += usage.output;
    }
    if let Some(ChoiceScores { likelihoods, gold }) = &response.choices {
        result.likelihoods.clone_from(likelihoods);
        let is_correct = result.answers.first() == Some(gold);
        add_score(&mut result.scores, "accuracy", f64::from(is_correct));
    }
    // The label of a choice is not written by the model: it is parsed only for the scorers.
    let is_parsed = response.choices.is_none() || !task.scorers.is_empty();
    if let ([(reply, None)], true) = (&replies[..], is_parsed) {
        let output = R::parse_reply(reply);
        for scorer in &task.scorers {
            let score = match &output {
                Ok(output) => (scorer.score)(&finished.row.value, output),
                Err(_) => 0.0,
            };
            add_score(&mut result.scores, &scorer.name, score);
        }
        result.parse_error = output.err().map(|error| error.to_string());
    }
    for metric in &task.turn_metrics {
        let turns = replies.iter().filter_map(|(reply, gold)| {
            let gold = gold.as_ref()?;
            Some(metric.score(&reply.text, gold))
        });
        let turns: Vec<f64> = turns.collect();
        if !turns.is_empty() {
            let mean = turns.iter().sum::<f64>() / turns.len() as f64;
            add_score(&mut result.scores, metric.name(), mean);
        }
    }
    result
}

/// Adds a score. If another one has the same name, the name is numbered.
fn add_score(scores: &mut Vec<(String, f64)>, name: &str, score: f64) {
    let mut unique = name.to_owned();
    let mut number = 2;
    while scores.iter().any(|(other, _)| *other == unique) {
        unique = format!("{name} {number}");
        number += 1;
    }
    scores.push((unique, score));
}

/// A file of rows without a result, with their errors. Each run starts a new one.
struct RowErrorLog {
    path: Option<PathBuf>,
    file: Option<File>,
}

impl RowErrorLog {
    fn new(results: Option<&PathBuf>, extension: &str) -> RowErrorLog {
        let path = results.map(|path| sibling_path(path, extension));
        path.iter()
            .for_each(|path| drop(std::fs::remove_file(path)));
        RowErrorLog { path, file: None }
    }

    fn add(&mut self, row: u64, error: &dyn std::fmt::Display) -> Result<(), DataError> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        let error = serde_json::Value::String(error.to_string());
        let line = format!("{{\"row\":{row},\"error\":{error}}}");
        let file = match self.file.take() {
            Some(file) => Ok(file),
            None => owner_only(File::options().write(true).create(true).truncate(true)).open(path),
        };
        let written = file.and_then(|mut file| writeln!(file, "{line}").map(|()| file));
        let written = written.map_err(|error| {
            DataError::io_error(path, "the error of a row cannot be written", error)
        })?;
        self.file = Some(written);
        Ok(())
    }
}

fn progress_bar<R: Prompt>(task: &Task<R>, done: u64) -> ProgressBar {
    let RunSettings {
        progress, limit, ..
    } = &task.settings;
    if !progress {
        return ProgressBar::hidden();
    }
    let total = match (task.dataset.row_count(), *limit) {
        (Some(total), Some(limit)) => Some(total.min(limit)),
        (total, limit) => total.or(limit),
    };
    let bar = match total {
        Some(total) => ProgressBar::new(total),
        None => ProgressBar::no_length(),
    };
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} rows, {per_sec}, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    // Rows of earlier runs count as progress, but not for the rate.
    bar.with_position(done).with_elapsed(Duration::ZERO)
}
