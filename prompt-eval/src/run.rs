//! The run: rows are sent concurrently, and each result is written as soon as it is available.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use futures_util::stream::{FuturesUnordered, StreamExt};
use indicatif::{ProgressBar, ProgressStyle};
use prompt_base::file::owner_only;
use prompt_base::hash::Fnv1a;
use prompt_core::{BoxFuture, Llm, Options, Prompt, Reply, Request};
use prompt_output::Schema;
use serde_json::Value;

use crate::fingerprint::hash_record;
use crate::results::{EarlierResults, Results, StoredCall, answer_title, sibling_path};
use crate::task::{RunSettings, Task, score_answer};
use crate::{Conversation, DataError, Report, Row, RowResult, RunHead};

/// A row and its input.
type PreparedRow<R, I> = (Row<R>, PreparedInput<I>);

/// The input of a row, ready to be sent.
pub(crate) struct PreparedInput<I> {
    pub(crate) input: I,
    pub(crate) fingerprint: u64,
    /// How many few-shot examples were left out.
    pub(crate) dropped: usize,
}

impl<I> PreparedInput<I> {
    /// What scoring needs of it.
    fn scored_input(&self) -> ScoredInput {
        ScoredInput {
            fingerprint: format!("{:016x}", self.fingerprint),
            dropped: self.dropped,
        }
    }
}

/// Which of the answers to a row is requested.
#[derive(Clone, Copy)]
pub(crate) struct Repeat {
    /// The number of the answer, from 0.
    number: u64,
    /// The seed of the request, if one is set: another one for each answer.
    seed: Option<u64>,
}

impl Repeat {
    fn new(number: u64, first_seed: Option<u64>) -> Repeat {
        let seed = first_seed.map(|seed| seed.wrapping_add(number));
        Repeat { number, seed }
    }

    fn apply_to(self, mut request: Request) -> Request {
        request.repeat = self.number;
        if self.number > 0 {
            request.options.seed = self.seed.or(request.options.seed);
        }
        request
    }
}

/// What the result of a row contains of its input.
struct ScoredInput {
    fingerprint: String,
    dropped: usize,
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
    fn respond_to<'i>(
        self,
        input: &'i I,
        repeat: Repeat,
    ) -> BoxFuture<'i, prompt_core::Result<Response>>
    where
        'a: 'i;

    /// The response that was stored. `None` if it does not belong to the input.
    fn restore(self, input: &I, stored: &RowResult) -> Option<Response>;
}

impl<'a> Responder<'a, RowInput> for &'a dyn Llm {
    fn respond_to<'i>(
        self,
        input: &'i RowInput,
        repeat: Repeat,
    ) -> BoxFuture<'i, prompt_core::Result<Response>>
    where
        'a: 'i,
    {
        Box::pin(async move {
            let mut response = Response::default();
            match input {
                RowInput::Prompt(request) => {
                    let other = (repeat.number > 0).then(|| repeat.apply_to(request.clone()));
                    let sent = other.as_ref().unwrap_or(request);
                    response.replies.push((self.send(sent).await?, None));
                }
                RowInput::Conversation(conversation, options) => {
                    let mut conversation = conversation.clone();
                    while let Some(messages) = conversation.next_request() {
                        let request =
                            Request::from_messages(messages).with_options(options.clone());
                        let request = repeat.apply_to(request);
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

    fn restore(self, input: &RowInput, stored: &RowResult) -> Option<Response> {
        let mut response = Response::default();
        let mut replies = stored.replies().into_iter();
        match input {
            RowInput::Prompt(_) => response.replies.push((replies.next()?, None)),
            RowInput::Conversation(conversation, _) => {
                let mut conversation = conversation.clone();
                while conversation.next_request().is_some() {
                    let (reply, gold) = (replies.next()?, conversation.gold());
                    conversation.push_answer(&reply.text);
                    response.replies.push((reply, gold));
                }
            }
        }
        replies.next().is_none().then_some(response)
    }
}

/// The hash of an input, by which a changed one is found. A collision could only keep the result of a row whose input has changed.
pub(crate) fn input_fingerprint(input: &impl serde::Serialize) -> u64 {
    // An input that cannot be serialized cannot be sent either.
    Fnv1a::hash(&serde_json::to_string(input).unwrap_or_default())
}

pub(crate) async fn run_evaluation<'a, R, I, M>(
    task: Task<R>,
    prepare: Prepare<R, I>,
    model: M,
    mut head: RunHead,
) -> Result<Report, DataError>
where
    R: Prompt + Send + 'static,
    I: Send + Sync + 'a,
    M: Responder<'a, I> + 'a,
{
    let start = Instant::now();
    let path = task.settings.results.clone();
    head.metrics.extend(task.metric_definitions());
    head.dataset = task.dataset.file_name();
    let (mut results, mut earlier) = (None, EarlierResults::default());
    if let Some(path) = &path {
        // Only for results that are kept: the whole file is read for it.
        head.dataset_hash = task.dataset.content_hash()?;
        let (mut opened, found) = Results::open(path)?;
        head.check_answers_of(found.head.as_ref(), found.count())
            .map_err(|error| error.in_file(path))?;
        if found.head.as_ref() != Some(&head) {
            opened.set_head(head.clone());
        }
        (results, earlier) = (Some(opened), found);
    }
    let seed = head.options.get("seed").and_then(Value::as_u64);
    let version = earlier.head.as_ref().map(|head| head.typed_prompt.clone());
    let report = Report {
        repaired: earlier.repaired.clone(),
        earlier_version: version.filter(|version| *version != head.typed_prompt),
        head: Some(head),
        ..Report::default()
    };
    let mut run = EvalRun {
        progress: progress_bar(&task),
        failed: RowErrorLog::new(path.as_ref(), "failed"),
        skipped: RowErrorLog::new(path.as_ref(), "skipped"),
        consecutive_failures: 0,
        task,
        prepare,
        model,
        earlier,
        results,
        // Compiled once: a type that has no schema has no repairs.
        schema: R::output_schema().and_then(|schema| Schema::new(&schema).ok()),
        seed,
        report,
        running: FuturesUnordered::new(),
        is_exhausted: false,
        is_ending: Arc::default(),
        rows: 0,
        compared: HashMap::with_capacity(COMPARED_ROWS),
    };
    let ended = run.run_rows().await;
    if let Some(results) = &mut run.results {
        if ended.is_ok() {
            results.add_head()?;
        }
        results.sync_results()?;
    }
    run.progress.finish_and_clear();
    ended?;
    run.report.elapsed = start.elapsed();
    // Restores the order in which the metrics were added.
    let names = run.task.metric_names();
    let place = |name: &String| names.iter().position(|other| other == name);
    run.report.metrics.sort_by_key(|metric| place(&metric.name));
    Ok(run.report)
}

struct EvalRun<'a, R: Prompt, I, M> {
    task: Task<R>,
    prepare: Prepare<R, I>,
    model: M,
    earlier: EarlierResults,
    results: Option<Results>,
    schema: Option<Schema>,
    seed: Option<u64>,
    report: Report,
    progress: ProgressBar,
    failed: RowErrorLog,
    skipped: RowErrorLog,
    consecutive_failures: u64,
    running: FuturesUnordered<Pin<Box<dyn Future<Output = Finished<R>> + Send + 'a>>>,
    is_exhausted: bool,
    /// Whether an error ends the run: no further row and no further repeat is started. The turns of a conversation and the choices of a row
    /// in progress are still requested.
    is_ending: Arc<AtomicBool>,
    /// How many rows were read.
    rows: u64,
    /// The first rows by the hashes of their content.
    compared: HashMap<u64, u64>,
}

/// How many rows are compared with each other: the memory of a run must not grow with its rows, so that they are reserved at its start.
const COMPARED_ROWS: usize = 100_000;

/// A row with the responses that were requested now, and the results of earlier runs.
struct Finished<R> {
    row: Row<R>,
    input: ScoredInput,
    earlier: Vec<RowResult>,
    received: Vec<Received>,
}

/// A response to one of the requests of a row.
struct Received {
    repeat: Repeat,
    response: prompt_core::Result<Response>,
    /// From the first request to the last answer.
    seconds: f64,
}

impl<'a, R, I, M> EvalRun<'a, R, I, M>
where
    R: Prompt + Send + 'static,
    I: Send + Sync + 'a,
    M: Responder<'a, I> + 'a,
{
    async fn run_rows(&mut self) -> Result<(), DataError> {
        let ended = self.run_until_error().await;
        // The answers to requests that were sent are paid for. Without a file that can be written, none is kept.
        let is_kept = self.results.as_ref().is_some_and(Results::is_writable);
        if ended.is_err() && is_kept {
            self.is_ending.store(true, Relaxed);
            while let Some(finished) = self.running.next().await {
                // The first error is returned: it is the cause.
                drop(self.finish_row(finished));
            }
        }
        match is_kept {
            true => ended.map_err(DataError::with_kept_results),
            false => ended,
        }
    }

    async fn run_until_error(&mut self) -> Result<(), DataError> {
        loop {
            self.start_rows()?;
            match self.running.next().await {
                Some(finished) => self.finish_row(finished)?,
                None => return Ok(()),
            }
        }
    }

    /// Starts as many rows as may run.
    fn start_rows(&mut self) -> Result<(), DataError> {
        while self.running.len() < self.task.settings.concurrency && !self.is_exhausted {
            match self.next() {
                Ok(Some((row, prepared))) => {
                    let (mut earlier, mut missing) = (Vec::new(), Vec::new());
                    for number in 0..self.task.settings.repeats {
                        // An error of its scores is not one of the row, and ends the run.
                        match self.earlier.load_answer(row.number, number)? {
                            Some(stored) => {
                                earlier.push(self.resume_answer(&row, &prepared, &stored)?);
                            }
                            None => missing.push(Repeat::new(number, self.seed)),
                        }
                    }
                    if missing.is_empty() {
                        self.progress.inc(1);
                        self.report.resumed += 1;
                        self.report.add_row(&earlier);
                        continue;
                    }
                    let (model, input) = (self.model, prepared.scored_input());
                    let max_failures = self.task.settings.max_failures;
                    let is_ending = Arc::clone(&self.is_ending);
                    self.running.push(Box::pin(async move {
                        let (mut received, mut failures) = (Vec::new(), 0);
                        for repeat in missing {
                            if failures == max_failures || is_ending.load(Relaxed) {
                                break;
                            }
                            let start = Instant::now();
                            let response = model.respond_to(&prepared.input, repeat).await;
                            let seconds = start.elapsed().as_secs_f64();
                            failures = if response.is_ok() { 0 } else { failures + 1 };
                            received.push(Received {
                                repeat,
                                response,
                                seconds,
                            });
                        }
                        Finished {
                            row,
                            input,
                            earlier,
                            received,
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

    /// The next row and its input.
    fn next(&mut self) -> Result<Option<PreparedRow<R, I>>, DataError> {
        if self.rows >= self.task.settings.limit.unwrap_or(u64::MAX) {
            return Ok(None);
        }
        let Some(row) = self.task.dataset.next() else {
            return Ok(None);
        };
        self.rows += 1;
        let mut row = row?;
        let number = row.number;
        self.find_duplicate(&row);
        let prepared = (self.prepare)(&mut row)
            .and_then(|prepared| self.task.check_row(&row.value).map(|()| prepared))
            .map_err(|error| self.task.dataset.locate_last_row(error, number))?;
        Ok(Some((row, prepared)))
    }

    /// Reports a row that equals an earlier one. A row that cannot be rendered is an error elsewhere.
    fn find_duplicate(&mut self, row: &Row<R>) {
        if self.compared.len() == COMPARED_ROWS {
            return;
        }
        let Ok(record) = hash_record(&row.value) else {
            return;
        };
        match self.compared.entry(record) {
            Entry::Occupied(first) => {
                let (number, first) = (row.number, first.get());
                self.report
                    .add_duplicate(format!("row {number} repeats row {first}"));
            }
            Entry::Vacant(vacant) => {
                vacant.insert(row.number);
            }
        }
    }

    /// Takes an answer of an earlier run, and scores the answer: a score depends on the answer, the row and the metrics, and
    /// all but the answer may have changed since. A line with the new scores, cost and repairs is added if they differ.
    fn resume_answer(
        &mut self,
        row: &Row<R>,
        prepared: &PreparedInput<I>,
        stored: &RowResult,
    ) -> Result<RowResult, DataError> {
        let input = prepared.scored_input();
        let response = match input.fingerprint == stored.prompt {
            true => self.model.restore(&prepared.input, stored),
            false => None,
        };
        let Some(response) = response else {
            let path = self.task.settings.results.clone().unwrap_or_default();
            let message = format!("the result of {} belongs to another prompt", stored.title());
            return Err(DataError::new(message)
                .with_help("use one results file for each prompt and dataset")
                .in_file(path));
        };
        let mut result = unscored_result(row, &input, &response);
        result.repeat = stored.repeat;
        result.set_measured(stored);
        self.add_figures(&mut result, row, &response)?;
        result.rescored = !result.has_figures_of(stored);
        if let (true, Some(results)) = (result.rescored, &mut self.results) {
            results.add(&result)?;
        }
        Ok(result)
    }

    /// Adds the cost, the scores and the repairs of an answer.
    fn add_figures(
        &self,
        result: &mut RowResult,
        row: &Row<R>,
        response: &Response,
    ) -> Result<(), DataError> {
        let located = |error| self.task.dataset.locate_error(error, row.number);
        result.cost = self.task.cost_of(result.usage).map_err(located)?;
        self.task
            .add_scores(result, row, response)
            .map_err(located)?;
        if let (Some(schema), [(reply, None)], None) =
            (&self.schema, &response.replies[..], &result.parse_error)
        {
            let repairs = schema.parse_json(&reply.text).map(|parsed| parsed.repairs);
            let repairs = repairs.unwrap_or_default();
            result.repairs = repairs.iter().map(ToString::to_string).collect();
        }
        Ok(())
    }

    /// Scores the answers to a finished row, and writes their results. All answers are kept, whatever error ends the run.
    fn finish_row(&mut self, finished: Finished<R>) -> Result<(), DataError> {
        self.progress.inc(1);
        let mut results = finished.earlier;
        let mut ended = Ok(());
        for received in finished.received {
            let repeat = received.repeat;
            let response = match received.response {
                Ok(response) => response,
                Err(error) => {
                    ended = ended.and(self.add_failure(finished.row.number, repeat, &error));
                    continue;
                }
            };
            self.consecutive_failures = 0;
            let mut result = unscored_result(&finished.row, &finished.input, &response);
            (result.repeat, result.seed) = (repeat.number, repeat.seed);
            result.seconds = received.seconds;
            let unscored = result.clone();
            let scored = self.add_figures(&mut result, &finished.row, &response);
            if let Some(results) = &mut self.results {
                // The next run scores an answer that is kept without scores.
                results.add(if scored.is_ok() { &result } else { &unscored })?;
            }
            results.push(result);
            ended = ended.and(scored);
        }
        ended?;
        results.sort_by_key(|result| result.repeat);
        self.report.add_row(&results);
        Ok(())
    }

    /// Counts a request without an answer. Fails after too many in a row.
    fn add_failure(
        &mut self,
        row: u64,
        repeat: Repeat,
        error: &prompt_core::Error,
    ) -> Result<(), DataError> {
        let title = answer_title(row, repeat.number);
        self.report.add_failure(format!("{title}: {error}"));
        self.failed.add(row, error)?;
        self.consecutive_failures += 1;
        let failures = self.consecutive_failures;
        if failures < self.task.settings.max_failures {
            return Ok(());
        }
        let message = format!("{failures} consecutive requests failed, the last with: {error}");
        Err(DataError::new(message)
            .with_help("check the model")
            .can_resume()
            .at_row(row))
    }
}

/// The result of a row without what depends on the metrics.
fn unscored_result<R>(row: &Row<R>, input: &ScoredInput, response: &Response) -> RowResult {
    let mut result = RowResult {
        row: row.number,
        prompt: input.fingerprint.clone(),
        dropped: input.dropped as u64,
        ..RowResult::default()
    };
    for (answer, (reply, _)) in response.replies.iter().enumerate() {
        result.answers.push(reply.text.clone());
        let finish = reply.finish.as_ref();
        result
            .finish
            .push(finish.map(|finish| finish.name().to_owned()));
        result
            .calls
            .extend(reply.tool_calls.iter().map(|call| StoredCall {
                answer,
                id: call.id.clone(),
                name: call.name.clone(),
                arguments: call.arguments.clone(),
            }));
        if let Some(usage) = &reply.usage {
            *result.usage.get_or_insert_default() += *usage;
        }
        result.model = reply.model.clone().or(result.model.take());
    }
    if let Some(ChoiceScores { likelihoods, .. }) = &response.choices {
        result.likelihoods.clone_from(likelihoods);
    }
    result
}

impl<R: Prompt> Task<R> {
    /// Adds the scores of an answer.
    fn add_scores(
        &self,
        result: &mut RowResult,
        row: &Row<R>,
        response: &Response,
    ) -> Result<(), DataError> {
        if let Some(ChoiceScores { gold, .. }) = &response.choices {
            let is_correct = result.answers.first() == Some(gold);
            result.add_score("accuracy", Some(f64::from(is_correct)))?;
        }
        let replies = &response.replies;
        // The label of a choice is not written by the model: it is parsed only for the scorers.
        let is_parsed = response.choices.is_none() || !self.scorers.is_empty();
        if let ([(reply, None)], true) = (&replies[..], is_parsed) {
            let output = R::parse_reply(reply);
            for scorer in &self.scorers {
                let score = match &output {
                    Ok(output) => {
                        catch_panic(&scorer.name, || (scorer.score)(&row.value, output, reply))?
                    }
                    Err(_) => Some(0.0),
                };
                result.add_score(&scorer.name, score)?;
            }
            result.parse_error = output.err().map(|error| error.to_string());
        }
        for metric in &self.turn_metrics {
            let turns = replies.iter().filter_map(|(reply, gold)| {
                let gold = gold.as_ref()?;
                Some(score_answer(&**metric, &reply.text, gold, reply))
            });
            let turns: Vec<Option<f64>> = catch_panic(metric.name(), || turns.collect())?;
            if !turns.is_empty() {
                // A row with a turn that is not read has no mean.
                let sum: Option<f64> = turns.iter().copied().sum();
                let mean = sum.map(|sum| sum / turns.len() as f64);
                result.add_score(metric.name(), mean)?;
            }
        }
        Ok(())
    }
}

/// Calls a metric. A panic of its code ends the run with an error that names it.
fn catch_panic<T>(
    metric: &str,
    score: impl FnOnce() -> Result<T, DataError>,
) -> Result<T, DataError> {
    // Nothing of a metric is used after its panic: the run ends.
    catch_unwind(AssertUnwindSafe(score)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        let text = text.unwrap_or_else(|| "without a text".to_owned());
        Err(
            DataError::new(format!("the metric `{metric}` panicked: {text}"))
                .with_help("correct it")
                .can_resume(),
        )
    })
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
        let error = Value::String(error.to_string());
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

fn progress_bar<R: Prompt>(task: &Task<R>) -> ProgressBar {
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
    bar
}
