//! The report of a run.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use prompt_core::Usage;

use crate::error::count_with_noun;
use crate::metric_summary::{MetricSummary, find_summary};
use crate::{RowResult, RunHead};

/// The report of a run. It displays a table.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// Rows of this run with a result. Those of an earlier run were scored again.
    pub done: u64,
    /// Rows whose answers are all of an earlier run.
    pub resumed: u64,
    /// The answers to these rows: several for each with [`Eval::repeats`](crate::Eval::repeats).
    pub answers: u64,
    /// Rows whose answers have different scores.
    pub disagreeing: u64,
    /// The first of these rows, each with a metric, the mean of its scores and its interval.
    pub disagreements: Vec<String>,
    /// Answers that could not be parsed as the prompt's output. Their scores are 0.
    pub parse_errors: u64,
    /// Answers without text and without a tool call.
    pub empty: u64,
    /// How often answers ended for each reason, if the model reports it: `stop`, `length`, …
    pub finish: BTreeMap<String, u64>,
    /// Answers that had to be repaired in its notation: [`RowResult::repairs`].
    pub answers_repaired: u64,
    /// The first answers that a metric does not read. Their number is that of [`MetricSummary::unscored`].
    pub unscored: Vec<String>,
    /// Answers without a result because the model failed. The next run requests them again.
    pub failed: u64,
    /// The first failures.
    pub failures: Vec<String>,
    /// Rows that render the prompt and the answer of an earlier row. They are evaluated, and so they count twice in each mean. Of a larger
    /// dataset the first 100,000 different rows are compared.
    pub duplicates: u64,
    /// The first of these rows, each with the row that it repeats.
    pub duplicate_rows: Vec<String>,
    /// Rows that could not be parsed or rendered and were skipped.
    pub skipped: u64,
    /// The errors of the first skipped rows.
    pub skips: Vec<String>,
    /// Rows with examples that were left out because of the budget.
    pub shortened: u64,
    /// Examples that were left out because of the budget.
    pub dropped: u64,
    /// The tokens of all rows, if the model reports them. Rows of earlier runs are included.
    pub usage: Usage,
    /// The cost of all rows, by the prices of [`Eval::cost`](crate::Eval::cost).
    pub cost: Option<f64>,
    /// The mean of the seconds from the first request of an answer to its end: its last turn, in a conversation.
    pub mean_seconds: f64,
    /// The models that answered, if they report their names.
    pub models: Vec<String>,
    /// The duration of this run.
    pub elapsed: Duration,
    /// The metrics, in their order.
    pub metrics: Vec<MetricSummary>,
    /// What the figures were made with.
    pub head: Option<RunHead>,
    /// Rows whose answer of an earlier run has other scores now.
    pub rescored: u64,
    /// The version of this library in the last run with this file, if it was another one.
    pub earlier_version: Option<String>,
    /// How the results of an earlier run were repaired.
    pub repaired: Option<String>,
}

impl Report {
    /// Adds the results of a row, one for each of its answers.
    pub(crate) fn add_row(&mut self, results: &[RowResult]) {
        let Some(first) = results.first() else {
            return;
        };
        self.done += 1;
        self.shortened += u64::from(first.dropped > 0);
        self.dropped += first.dropped;
        self.rescored += u64::from(results.iter().any(|result| result.rescored));
        let mut scores: Vec<(&str, Vec<f64>)> = Vec::new();
        for result in results {
            self.add_answer(result);
            for (name, score) in &result.scores {
                match scores.iter_mut().find(|(other, _)| other == name) {
                    Some((_, scores)) => scores.push(*score),
                    None => scores.push((name, vec![*score])),
                }
            }
        }
        let mut different = Vec::new();
        for (name, scores) in scores {
            find_summary(&mut self.metrics, name).add_repeats(&scores);
            if scores.iter().any(|score| *score != scores[0]) {
                let mut row = MetricSummary::new(name);
                scores.iter().for_each(|score| row.add(*score));
                let (low, high) = row.confidence_interval();
                let (mean, count) = (row.mean(), row.count);
                different.push(format!(
                    "{name}: {mean:.4} of {count} answers ({low:.4} – {high:.4})"
                ));
            }
        }
        if !different.is_empty() {
            self.disagreeing += 1;
            let row = format!("row {}, {}", first.row, different.join("; "));
            keep_first(&mut self.disagreements, row);
        }
        for result in results {
            for name in &result.unscored {
                find_summary(&mut self.metrics, name).unscored += 1;
                let answer = result.answers.last().map_or("", String::as_str);
                let answer: String = answer.chars().take(60).collect();
                let row = format!("{}, {name}: {answer:?}", result.title());
                keep_first(&mut self.unscored, row);
            }
        }
    }

    fn add_answer(&mut self, result: &RowResult) {
        self.answers += 1;
        self.parse_errors += u64::from(result.parse_error.is_some());
        self.empty += u64::from(result.has_empty_answer());
        self.answers_repaired += u64::from(!result.repairs.is_empty());
        for reason in result.finish.iter().flatten() {
            *self.finish.entry(reason.clone()).or_default() += 1;
        }
        if let Some(usage) = &result.usage {
            self.usage += *usage;
        }
        if let Some(cost) = result.cost {
            *self.cost.get_or_insert_default() += cost;
        }
        self.mean_seconds += (result.seconds - self.mean_seconds) / self.answers as f64;
        if let Some(model) = result
            .model
            .as_ref()
            .filter(|model| !self.models.contains(model))
        {
            self.models.push(model.clone());
        }
    }

    pub(crate) fn add_failure(&mut self, failure: String) {
        self.failed += 1;
        keep_first(&mut self.failures, failure);
    }

    pub(crate) fn add_duplicate(&mut self, duplicate: String) {
        self.duplicates += 1;
        keep_first(&mut self.duplicate_rows, duplicate);
    }

    pub(crate) fn add_skipped(&mut self, skip: String) {
        self.skipped += 1;
        keep_first(&mut self.skips, skip);
    }
}

/// How many errors of rows are kept in memory and displayed: one screen. The files beside the results list all.
const MAX_ERRORS: usize = 20;

fn keep_first(list: &mut Vec<String>, text: String) {
    if list.len() < MAX_ERRORS {
        list.push(text);
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&count_with_noun(self.done, "row"))?;
        if self.answers > self.done {
            write!(f, " with {} answers", self.answers)?;
        }
        let asked = self.done - self.resumed;
        if self.resumed > 0 {
            write!(f, ", {asked} of them now")?;
        }
        let seconds = self.elapsed.as_secs_f64();
        writeln!(
            f,
            ", {seconds:.1} s, {:.1} rows/s",
            asked as f64 / seconds.max(1e-9)
        )?;
        if self.done > 0 {
            match self.answers == self.done {
                true => writeln!(f, "{:.2} s per row", self.mean_seconds)?,
                false => writeln!(f, "{:.2} s per answer", self.mean_seconds)?,
            }
        }
        if self.usage != Usage::default() {
            let Usage {
                input,
                output,
                cached_input,
                ..
            } = self.usage;
            write!(f, "{input} input tokens")?;
            if cached_input > 0 {
                write!(f, " ({cached_input} from a cache)")?;
            }
            write!(f, ", {output} output tokens")?;
            match self.cost {
                Some(cost) => writeln!(f, ", cost {cost:.4}")?,
                None => writeln!(f)?,
            }
        }
        if !self.finish.is_empty() {
            let reasons = self.finish.iter();
            let reasons: Vec<String> = reasons
                .map(|(reason, count)| format!("{reason} {count}"))
                .collect();
            writeln!(f, "finish reasons {}", reasons.join(", "))?;
        }
        if let Some(head) = &self.head {
            write!(f, "\n{head}")?;
        }
        if !self.models.is_empty() {
            writeln!(f, "answered by {}", self.models.join(", "))?;
        }
        let width = self
            .metrics
            .iter()
            .map(|metric| metric.name.chars().count());
        let width = width.max().unwrap_or(0).max("metric".len());
        if !self.metrics.is_empty() {
            // A mean is over answers: one for each row, unless rows are repeated.
            let unit = match self.answers > self.done {
                true => "answers",
                false => "rows",
            };
            writeln!(f, "\n{:width$}    mean   95 % interval{unit:>10}", "metric")?;
        }
        for metric in &self.metrics {
            let (name, mean, count) = (&metric.name, metric.mean(), metric.count);
            let (low, high) = metric.confidence_interval();
            match count {
                // There is no mean of no scores.
                0 => write!(f, "{name:width$}  {:>6}   {:>15}  {count:>6}", "–", "–")?,
                _ => write!(
                    f,
                    "{name:width$}  {mean:.4}   {low:.4} – {high:.4}  {count:>6}"
                )?,
            }
            match metric.unscored {
                0 => writeln!(f)?,
                unscored => writeln!(
                    f,
                    ", {unscored} unscored (mean {:.4} with 0 for them)",
                    metric.mean_with_unscored()
                )?,
            }
        }
        let unscored = self.metrics.iter().map(|metric| metric.unscored).sum();
        let what = "not scored, because the metric does not read the answer";
        let unit = match self.answers > self.done {
            true => "answer",
            false => "row",
        };
        write_list(f, (unscored, unit), &self.unscored, what)?;
        let what = "with answers of different scores";
        write_list(f, (self.disagreeing, "row"), &self.disagreements, what)?;
        if self.empty > 0 {
            let answers = count_with_noun(self.empty, "answer");
            writeln!(f, "\n{answers} without text")?;
        }
        if self.parse_errors > 0 {
            writeln!(
                f,
                "\n{} could not be parsed; the score is 0",
                count_with_noun(self.parse_errors, "answer")
            )?;
        }
        if self.answers_repaired > 0 {
            let answers = count_with_noun(self.answers_repaired, "answer");
            writeln!(f, "\n{answers} repaired in the notation")?;
        }
        if self.shortened > 0 {
            let dropped = count_with_noun(self.dropped, "example");
            let rows = count_with_noun(self.shortened, "row");
            writeln!(f, "\n{dropped} of {rows} left out because of the budget")?;
        }
        let what = "with the prompt and the answer of an earlier row, so that they count twice";
        write_list(f, (self.duplicates, "row"), &self.duplicate_rows, what)?;
        write_list(
            f,
            (self.skipped, "row"),
            &self.skips,
            "skipped, which could not be parsed or rendered",
        )?;
        write_list(
            f,
            (self.failed, unit),
            &self.failures,
            "failed; the next run sends them again",
        )?;
        if self.rescored > 0 {
            let rows = count_with_noun(self.rescored, "row");
            writeln!(
                f,
                "\nthe answers of {rows} have other scores than in the earlier run"
            )?;
        }
        if let Some(version) = &self.earlier_version {
            writeln!(
                f,
                "\nthe earlier run was one of typed-prompt {version}; its answers are scored by this version"
            )?;
        }
        match &self.repaired {
            Some(repaired) => writeln!(f, "\n{repaired}"),
            None => Ok(()),
        }
    }
}

fn write_list(
    f: &mut fmt::Formatter<'_>,
    (count, unit): (u64, &str),
    first: &[String],
    what: &str,
) -> fmt::Result {
    if count == 0 {
        return Ok(());
    }
    writeln!(f, "\n{} {what}:", count_with_noun(count, unit))?;
    for item in first {
        writeln!(f, "  {item}")?;
    }
    let rest = count - first.len() as u64;
    if rest > 0 {
        writeln!(f, "  and {rest} more")?;
    }
    Ok(())
}
