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
use prompt_core::{Llm, Prompt, Reply, Request};

use crate::eval::{Ask, Asked, Eval, Score, Settings};
use crate::metric::Metric;
use crate::results::{Found, Results, beside};
use crate::{Error, Outcome, Report, Result, Row};

pub(crate) async fn run<R: Prompt + Send + 'static>(
    eval: Eval<R>,
    llm: &dyn Llm,
) -> Result<Report> {
    let began = Instant::now();
    let mut report = Report::default();
    let (results, found) = match &eval.settings.results {
        Some(path) => {
            let (results, found) = Results::open(path, |outcome| report.note(outcome))?;
            (Some(results), found)
        }
        None => (None, Found::default()),
    };
    report.resumed = report.done;
    report.repaired.clone_from(&found.repaired);
    let bar = bar(&eval, report.done);
    let mut run = Run {
        pace: eval.settings.per_second.map(Pace::new),
        failures: Failures::new(eval.settings.results.as_ref()),
        eval,
        llm,
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

struct Run<'a, R: Prompt> {
    eval: Eval<R>,
    llm: &'a dyn Llm,
    found: Found,
    results: Option<Results>,
    report: Report,
    bar: ProgressBar,
    pace: Option<Pace>,
    failures: Failures,
    running: FuturesUnordered<Pin<Box<dyn Future<Output = Done<R>> + Send + 'a>>>,
    rows_over: bool,
    row: u64,
}

/// A row that was asked.
struct Done<R> {
    row: Row<R>,
    prompt: u64,
    dropped: usize,
    /// The answers, and what was right for each turn of a conversation.
    answers: prompt_core::Result<Vec<(Reply, Option<String>)>>,
}

impl<R: Prompt + Send + 'static> Run<'_, R> {
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
        while self.running.len() < self.eval.settings.concurrency && !self.rows_over {
            if let Some(wait) = self.pace.as_ref().and_then(Pace::wait) {
                return Ok(Some(wait));
            }
            match self.next() {
                Ok(Some((row, asked, prompt))) => {
                    if let Some(pace) = &mut self.pace {
                        pace.begin();
                    }
                    let Asked { ask, dropped } = asked;
                    let llm = self.llm;
                    self.running.push(Box::pin(async move {
                        let answers = answers(llm, ask).await;
                        Done {
                            row,
                            prompt,
                            dropped,
                            answers,
                        }
                    }));
                }
                Ok(None) => self.rows_over = true,
                Err(error) if self.eval.settings.skip_bad && error.row().is_some() => {
                    self.report.skip(error.to_string());
                    self.bar.inc(1);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// The next row that has no result, with what it is asked.
    fn next(&mut self) -> Result<Option<(Row<R>, Asked, u64)>> {
        loop {
            if self
                .eval
                .settings
                .limit
                .is_some_and(|limit| self.row >= limit)
            {
                return Ok(None);
            }
            let Some(row) = self.eval.rows.next() else {
                return Ok(None);
            };
            self.row += 1;
            let mut row = row?;
            let number = row.number;
            let placed = |error: Error| error.at_row(number);
            let asked = self.eval.preparing.asked(&mut row).map_err(placed)?;
            self.eval.checked(&row.value).map_err(placed)?;
            let prompt = fingerprint(&asked.ask);
            match self.found.prompt(number) {
                None => return Ok(Some((row, asked, prompt))),
                Some(before) if before == prompt => {}
                Some(_) => {
                    let path = self.eval.settings.results.clone().unwrap_or_default();
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
        let answers = match &done.answers {
            Ok(answers) => answers,
            Err(error) => {
                self.report.fail(format!("row {number}: {error}"));
                self.failures.add(number, error)?;
                if self.failures.in_a_row >= self.eval.settings.give_up {
                    let message = format!(
                        "{} requests failed one after the other, the last: {error}",
                        self.failures.in_a_row
                    );
                    return Err(Error::new(message)
                        .with_help("see to the model, and run it again: it goes on where it was")
                        .at_row(number));
                }
                return Ok(());
            }
        };
        self.failures.in_a_row = 0;
        let outcome = outcome(done, answers, &self.eval.scores, &self.eval.turn_metrics);
        if let Some((name, score)) = outcome.scores.iter().find(|(_, score)| !score.is_finite()) {
            let message = format!("the metric `{name}` gives {score}, which is no score");
            return Err(Error::new(message).at_row(number));
        }
        if let Some(results) = &mut self.results {
            results.add(&outcome)?;
        }
        self.report.note(&outcome);
        Ok(())
    }
}

/// Asks for one answer, or for each turn of a conversation.
async fn answers(llm: &dyn Llm, ask: Ask) -> prompt_core::Result<Vec<(Reply, Option<String>)>> {
    match ask {
        Ask::Once(request) => Ok(vec![(llm.send(&request).await?, None)]),
        Ask::Turns(mut conversation, options) => {
            let mut answers = Vec::new();
            while let Some(messages) = conversation.request() {
                let request = Request::of(&messages)?.with_options(options.clone());
                let reply = llm.send(&request).await?;
                let gold = conversation.gold();
                conversation.answer(&reply.text);
                answers.push((reply, gold));
            }
            Ok(answers)
        }
    }
}

fn outcome<R: Prompt>(
    done: &Done<R>,
    answers: &[(Reply, Option<String>)],
    scores: &[Score<R>],
    turn_metrics: &[Box<dyn Metric>],
) -> Outcome {
    let row = &done.row.value;
    let mut outcome = Outcome {
        row: done.row.number,
        prompt: format!("{:016x}", done.prompt),
        answers: answers
            .iter()
            .map(|(reply, _)| reply.text.clone())
            .collect(),
        scores: Vec::new(),
        unread: None,
        dropped: done.dropped as u64,
        tokens: None,
    };
    for usage in answers.iter().filter_map(|(reply, _)| reply.usage) {
        let tokens = outcome.tokens.get_or_insert([0, 0]);
        tokens[0] += usage.input;
        tokens[1] += usage.output;
    }
    if let [(reply, None)] = answers {
        match R::read(reply) {
            Ok(answer) => {
                let measured = scores
                    .iter()
                    .map(|score| (score.name.clone(), (score.measure)(row, &answer)));
                outcome.scores.extend(measured);
            }
            Err(error) => {
                let wrong = scores.iter().map(|score| (score.name.clone(), 0.0));
                outcome.scores.extend(wrong);
                outcome.unread = Some(error.to_string());
            }
        }
    }
    for metric in turn_metrics {
        let turns = answers.iter().filter_map(|(reply, gold)| {
            let gold = gold.as_ref()?;
            Some(metric.score(&reply.text, gold))
        });
        let turns: Vec<f64> = turns.collect();
        if !turns.is_empty() {
            let mean = turns.iter().sum::<f64>() / turns.len() as f64;
            outcome.scores.push((metric.name().to_owned(), mean));
        }
    }
    outcome
}

/// A fingerprint of the messages of a request (FNV-1a), never 0.
fn fingerprint(ask: &Ask) -> u64 {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    let messages = match ask {
        Ask::Once(request) => &request.messages,
        Ask::Turns(conversation, _) => conversation.messages(),
    };
    // What cannot be serialized cannot be sent either.
    drop(serde_json::to_writer(&mut hash, messages));
    hash.0.max(1)
}

struct Fnv(u64);

impl Write for Fnv {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
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

/// The rows whose request failed, in a file of this run alone.
struct Failures {
    path: Option<PathBuf>,
    file: Option<File>,
    in_a_row: u64,
}

impl Failures {
    fn new(results: Option<&PathBuf>) -> Failures {
        let path = results.map(|path| beside(path, "failed"));
        // Rows that failed in an earlier run are asked again now.
        path.iter()
            .for_each(|path| drop(std::fs::remove_file(path)));
        Failures {
            path,
            file: None,
            in_a_row: 0,
        }
    }

    fn add(&mut self, row: u64, error: &prompt_core::Error) -> Result<()> {
        self.in_a_row += 1;
        let Some(path) = &self.path else {
            return Ok(());
        };
        let line = serde_json::json!({"row": row, "error": error.to_string()});
        let file = match self.file.take() {
            Some(file) => Ok(file),
            None => File::create(path),
        };
        let written = file.and_then(|mut file| writeln!(file, "{line}").map(|()| file));
        let written =
            written.map_err(|error| Error::io(path, "a failure cannot be written", error))?;
        self.file = Some(written);
        Ok(())
    }
}

fn bar<R: Prompt>(eval: &Eval<R>, done: u64) -> ProgressBar {
    let Settings {
        progress, limit, ..
    } = &eval.settings;
    if !progress {
        return ProgressBar::hidden();
    }
    let total = match (eval.rows.total(), *limit) {
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
