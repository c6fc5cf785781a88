//! The run: rows are asked several at a time, and each result is written as soon as it is there.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::pin::Pin;
use std::time::{Duration, Instant};

use futures_timer::Delay;
use futures_util::future::{Either, select};
use futures_util::stream::{FuturesUnordered, StreamExt};
use indicatif::{ProgressBar, ProgressStyle};
use prompt_core::Prompt;

use crate::ask::{Answered, Answers, Asked, Prepare, Ranked};
use crate::eval::{Settings, Work};
use crate::results::{Found, Results, beside};
use crate::{Error, Outcome, Report, Result, Row};

pub(crate) async fn run<'a, R: Prompt + Send + 'static, A: Send + 'a, M: Answers<'a, A> + 'a>(
    work: Work<R>,
    prepare: Prepare<R, A>,
    model: M,
) -> Result<Report> {
    let began = Instant::now();
    let mut report = Report::default();
    let (results, found) = match &work.settings.results {
        Some(path) => {
            let (results, found) = Results::open(path, |outcome| report.note(outcome))?;
            (Some(results), found)
        }
        None => (None, Found::default()),
    };
    report.resumed = report.done;
    report.repaired.clone_from(&found.repaired);
    let bar = bar(&work, report.done);
    let mut run = Run {
        pace: work.settings.per_second.map(Pace::new),
        failed: Missing::new(work.settings.results.as_ref(), "failed"),
        skipped: Missing::new(work.settings.results.as_ref(), "skipped"),
        failed_in_a_row: 0,
        work,
        prepare,
        model,
        found,
        results,
        report,
        bar,
        running: FuturesUnordered::new(),
        rows_over: false,
        row: 0,
    };
    let ended = run.go().await;
    if let Some(results) = &mut run.results {
        results.settle()?;
    }
    run.bar.finish_and_clear();
    ended?;
    run.report.elapsed = began.elapsed();
    Ok(run.report)
}

struct Run<'a, R: Prompt, A, M> {
    work: Work<R>,
    prepare: Prepare<R, A>,
    model: M,
    found: Found,
    results: Option<Results>,
    report: Report,
    bar: ProgressBar,
    pace: Option<Pace>,
    failed: Missing,
    skipped: Missing,
    failed_in_a_row: u64,
    running: FuturesUnordered<Pin<Box<dyn Future<Output = Done<R>> + Send + 'a>>>,
    rows_over: bool,
    row: u64,
}

/// A row that was asked.
struct Done<R> {
    row: Row<R>,
    prompt: u64,
    dropped: usize,
    answered: prompt_core::Result<Answered>,
}

impl<'a, R: Prompt + Send + 'static, A: Send + 'a, M: Answers<'a, A> + 'a> Run<'a, R, A, M> {
    async fn go(&mut self) -> Result<()> {
        loop {
            let wait = self.begin()?;
            let done = match (self.running.is_empty(), wait) {
                (true, None) => return Ok(()),
                (true, Some(wait)) => {
                    Delay::new(wait).await;
                    continue;
                }
                (false, None) => self.running.next().await,
                (false, Some(wait)) => match select(self.running.next(), Delay::new(wait)).await {
                    Either::Left((done, _)) => done,
                    Either::Right(_) => continue,
                },
            };
            if let Some(done) = done {
                self.end(&done)?;
            }
        }
    }

    /// Begins as many rows as may run; says how long to wait for the next where the pace forbids it.
    fn begin(&mut self) -> Result<Option<Duration>> {
        while self.running.len() < self.work.settings.concurrency && !self.rows_over {
            if let Some(wait) = self.pace.as_ref().and_then(Pace::wait) {
                return Ok(Some(wait));
            }
            match self.next() {
                Ok(Some((row, asked))) => {
                    if let Some(pace) = &mut self.pace {
                        pace.begin();
                    }
                    let Asked {
                        ask,
                        prompt,
                        dropped,
                    } = asked;
                    let answered = self.model.answers(ask);
                    self.running.push(Box::pin(async move {
                        let answered = answered.await;
                        Done {
                            row,
                            prompt,
                            dropped,
                            answered,
                        }
                    }));
                }
                Ok(None) => self.rows_over = true,
                Err(error) if self.work.settings.skip_bad && error.row().is_some() => {
                    self.skipped.add(error.row().unwrap_or_default(), &error)?;
                    self.report.skip(error.to_string());
                    self.bar.inc(1);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// The next row that has no result, with what it is asked.
    fn next(&mut self) -> Result<Option<(Row<R>, Asked<A>)>> {
        loop {
            if self
                .work
                .settings
                .limit
                .is_some_and(|limit| self.row >= limit)
            {
                return Ok(None);
            }
            let Some(row) = self.work.rows.next() else {
                return Ok(None);
            };
            self.row += 1;
            let mut row = row?;
            let number = row.number;
            let asked = (self.prepare)(&mut row);
            let asked = asked.and_then(|asked| self.work.checked(&row.value).map(|()| asked));
            let asked = asked.map_err(|error| self.work.rows.placed(error, number))?;
            match self.found.prompt(number) {
                None => return Ok(Some((row, asked))),
                Some(before) if before == asked.prompt => {}
                Some(_) => {
                    let path = self.work.settings.results.clone().unwrap_or_default();
                    let message = format!("the result of row {number} is of another prompt");
                    return Err(Error::new(message)
                        .with_help(
                            "keep the results of each prompt and data set in a file of their own",
                        )
                        .in_file(path));
                }
            }
        }
    }

    /// Measures a row that was asked, and writes its result.
    fn end(&mut self, done: &Done<R>) -> Result<()> {
        self.bar.inc(1);
        let number = done.row.number;
        let answered = match &done.answered {
            Ok(answered) => answered,
            Err(error) => {
                self.report.fail(format!("row {number}: {error}"));
                self.failed.add(number, error)?;
                self.failed_in_a_row += 1;
                if self.failed_in_a_row >= self.work.settings.give_up {
                    let message = format!(
                        "{} requests failed one after the other, the last: {error}",
                        self.failed_in_a_row
                    );
                    return Err(Error::new(message)
                        .with_help("see to the model, and run it again: it goes on where it was")
                        .at_row(number));
                }
                return Ok(());
            }
        };
        self.failed_in_a_row = 0;
        let outcome = outcome(done, answered, &self.work);
        if let Some((name, score)) = outcome.scores.iter().find(|(_, score)| !score.is_finite()) {
            let message = format!("the metric `{name}` gives {score}, which is no score");
            return Err(self.work.rows.placed(Error::new(message), number));
        }
        if let Some(results) = &mut self.results {
            results.add(&outcome)?;
        }
        self.report.note(&outcome);
        Ok(())
    }
}

fn outcome<R: Prompt>(done: &Done<R>, answered: &Answered, work: &Work<R>) -> Outcome {
    let row = &done.row.value;
    let answers = &answered.replies;
    let mut outcome = Outcome {
        row: done.row.number,
        prompt: format!("{:016x}", done.prompt),
        answers: answers
            .iter()
            .map(|(reply, _)| reply.text.clone())
            .collect(),
        scores: Vec::new(),
        likelihoods: Vec::new(),
        unread: None,
        dropped: done.dropped as u64,
        tokens: None,
    };
    for usage in answers.iter().filter_map(|(reply, _)| reply.usage) {
        let tokens = outcome.tokens.get_or_insert([0, 0]);
        tokens[0] += usage.input;
        tokens[1] += usage.output;
    }
    if let Some(Ranked { likelihoods, gold }) = &answered.ranked {
        outcome.likelihoods.clone_from(likelihoods);
        let is_right = outcome.answers.first() == Some(gold);
        note(&mut outcome.scores, "accuracy", f64::from(is_right));
    }
    // A label is no answer that was written: it is read only where it is measured.
    let is_read = answered.ranked.is_none() || !work.scores.is_empty();
    if let ([(reply, None)], true) = (&answers[..], is_read) {
        match R::read(reply) {
            Ok(answer) => {
                for score in &work.scores {
                    let measured = (score.measure)(row, &answer);
                    note(&mut outcome.scores, &score.name, measured);
                }
            }
            Err(error) => {
                for score in &work.scores {
                    note(&mut outcome.scores, &score.name, 0.0);
                }
                outcome.unread = Some(error.to_string());
            }
        }
    }
    for metric in &work.turn_metrics {
        let turns = answers.iter().filter_map(|(reply, gold)| {
            let gold = gold.as_ref()?;
            Some(metric.score(&reply.text, gold))
        });
        let turns: Vec<f64> = turns.collect();
        if !turns.is_empty() {
            let mean = turns.iter().sum::<f64>() / turns.len() as f64;
            note(&mut outcome.scores, metric.name(), mean);
        }
    }
    outcome
}

/// Adds a score. Two metrics of one name are two: the second is numbered.
fn note(scores: &mut Vec<(String, f64)>, name: &str, score: f64) {
    let mut own = name.to_owned();
    for number in 2.. {
        if scores.iter().all(|(other, _)| *other != own) {
            break;
        }
        own = format!("{name} {number}");
    }
    scores.push((own, score));
}

/// So many beginnings in a second.
struct Pace {
    every: Duration,
    next: Instant,
}

impl Pace {
    fn new(per_second: f64) -> Pace {
        Pace {
            // A row in eleven days is as slow as it gets.
            every: Duration::from_secs_f64(1.0 / per_second.max(1e-6)),
            next: Instant::now(),
        }
    }

    fn wait(&self) -> Option<Duration> {
        let wait = self.next.saturating_duration_since(Instant::now());
        (!wait.is_zero()).then_some(wait)
    }

    fn begin(&mut self) {
        self.next = self.next.max(Instant::now()) + self.every;
    }
}

/// Rows without a result and why, in a file of this run alone.
struct Missing {
    path: Option<PathBuf>,
    file: Option<File>,
}

impl Missing {
    /// The file beside the results; what an earlier run wrote there is looked at anew.
    fn new(results: Option<&PathBuf>, ending: &str) -> Missing {
        let path = results.map(|path| beside(path, ending));
        path.iter()
            .for_each(|path| drop(std::fs::remove_file(path)));
        Missing { path, file: None }
    }

    fn add(&mut self, row: u64, error: &dyn std::fmt::Display) -> Result<()> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        let error = serde_json::Value::String(error.to_string());
        let line = format!("{{\"row\":{row},\"error\":{error}}}");
        let file = match self.file.take() {
            Some(file) => Ok(file),
            None => File::create(path),
        };
        let written = file.and_then(|mut file| writeln!(file, "{line}").map(|()| file));
        let written = written
            .map_err(|error| Error::io(path, "a row without a result cannot be noted", error))?;
        self.file = Some(written);
        Ok(())
    }
}

fn bar<R: Prompt>(work: &Work<R>, done: u64) -> ProgressBar {
    let Settings {
        progress, limit, ..
    } = &work.settings;
    if !progress {
        return ProgressBar::hidden();
    }
    let total = match (work.rows.total(), *limit) {
        (Some(total), Some(limit)) => Some(total.min(limit)),
        (total, limit) => total.or(limit),
    };
    let bar = match total {
        Some(total) => ProgressBar::new(total),
        None => ProgressBar::no_length(),
    };
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} rows, {per_sec}, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    // Rows of earlier runs count, but say nothing about the rate.
    bar.with_position(done).with_elapsed(Duration::ZERO)
}
