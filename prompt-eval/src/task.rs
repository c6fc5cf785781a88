//! What an evaluation does with its rows: the dataset, the metrics and the settings of the run.

use std::path::PathBuf;

use prompt_core::{FinishReason, Prompt, Reply, Usage};

use crate::metric::Metric;
use crate::results::numbered_name;
use crate::{DataError, Dataset, Row};

/// A dataset, its metrics, and the settings of the run.
pub(crate) struct Task<R: Prompt> {
    pub(crate) dataset: Dataset<R>,
    pub(crate) settings: RunSettings,
    pub(crate) scorers: Vec<Scorer<R>>,
    pub(crate) turn_metrics: Vec<Box<dyn Metric>>,
    pub(crate) cost: Option<Box<CostOfUsage>>,
}

pub(crate) struct RunSettings {
    pub(crate) results: Option<PathBuf>,
    pub(crate) concurrency: usize,
    pub(crate) limit: Option<u64>,
    pub(crate) repeats: u64,
    pub(crate) skip_bad: bool,
    pub(crate) progress: bool,
    pub(crate) max_failures: u64,
}

impl RunSettings {
    /// Fails for a number with which nothing is evaluated.
    pub(crate) fn check_numbers(&self) -> Result<(), DataError> {
        let numbers = [
            ("concurrency", Some(self.concurrency as u64)),
            ("limit", self.limit),
            ("repeats", Some(self.repeats)),
        ];
        if let Some((name, _)) = numbers.into_iter().find(|(_, number)| *number == Some(0)) {
            let message = format!("`{name}` is 0, so that nothing would be evaluated");
            let help = match name {
                "limit" => "set 1 or more, or leave it out for all rows",
                _ => "set 1 or more",
            };
            return Err(DataError::new(message).with_help(help));
        }
        if self.max_failures == 0 {
            let message = "`give_up_after` is 0, and a run cannot end before its first failure";
            let help = "set 1 or more, or `u64::MAX` to never give up";
            return Err(DataError::new(message).with_help(help));
        }
        Ok(())
    }
}

type CostOfUsage = dyn Fn(&Usage) -> f64 + Send + Sync;
type Check<R> = dyn Fn(&R) -> Result<(), DataError> + Send + Sync;
/// Returns `None` for an answer that the metric does not read.
type ScoreFn<R, O> = dyn Fn(&R, &O, &Reply) -> Result<Option<f64>, DataError> + Send + Sync;

/// A named score of an answer.
pub(crate) struct Scorer<R: Prompt> {
    pub(crate) name: String,
    /// The name, with what the score depends on.
    pub(crate) definition: String,
    pub(crate) check: Box<Check<R>>,
    pub(crate) score: Box<ScoreFn<R, R::Output>>,
}

/// The score of the answer in a reply, if the metric reads it. Fails for a correct answer that nothing could match.
pub(crate) fn score_answer(
    metric: &dyn Metric,
    answer: &str,
    gold: &str,
    reply: &Reply,
) -> Result<Option<f64>, DataError> {
    metric.check_gold(gold)?;
    // A text that was taken out of the reply is complete.
    let is_truncated =
        reply.finish == Some(FinishReason::Length) && answer.trim() == reply.text.trim();
    if is_truncated && !metric.is_readable_truncated(answer) {
        return Ok(None);
    }
    Ok(metric.score_readable(answer, gold))
}

impl<R: Prompt> Task<R> {
    /// Calls `see` for the first valid rows.
    pub(crate) fn visit_first(
        &mut self,
        count: usize,
        mut see: impl FnMut(&mut Row<R>) -> Result<(), DataError>,
    ) -> Result<(), DataError> {
        if count == 0 {
            let message = "a dry run of 0 rows shows nothing";
            return Err(DataError::new(message).with_help("set 1 or more"));
        }
        let mut left = count;
        while left > 0 {
            let Some(row) = self.dataset.next() else {
                break;
            };
            let seen = row.and_then(|mut row| {
                let seen = self.check_row(&row.value).and_then(|()| see(&mut row));
                seen.map_err(|error| self.dataset.locate_last_row(error, row.number))
            });
            match seen {
                Ok(()) => left -= 1,
                Err(error) if self.settings.skip_bad && error.row().is_some() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Fails if a run would have neither figures nor stored answers.
    pub(crate) fn expect_figures(&self) -> Result<(), DataError> {
        let has_metrics = !self.scorers.is_empty() || !self.turn_metrics.is_empty();
        match has_metrics || self.cost.is_some() || self.settings.results.is_some() {
            true => Ok(()),
            false => Err(DataError::new(
                "no metric is set, so that the report would have no figures",
            )
            .with_help(
                "add one with `gold`, `metric` or `score`, and `turn_metric` for a conversation; or store the answers with `results`",
            )),
        }
    }

    /// The metrics, each with what its score depends on.
    pub(crate) fn metric_definitions(&self) -> impl Iterator<Item = String> {
        let scorers = self.scorers.iter().map(|scorer| scorer.definition.clone());
        scorers.chain(self.turn_metrics.iter().map(|metric| metric.definition()))
    }

    /// The names of the metrics in results, in their order.
    pub(crate) fn metric_names(&self) -> Vec<String> {
        let scorers = self.scorers.iter().map(|scorer| &*scorer.name);
        let turns = self.turn_metrics.iter().map(|metric| metric.name());
        let mut names: Vec<String> = Vec::new();
        for name in scorers.chain(turns) {
            let unique = numbered_name(name, |name| names.iter().any(|other| other == name));
            names.push(unique);
        }
        names
    }

    pub(crate) fn cost_of(&self, usage: Option<Usage>) -> Result<Option<f64>, DataError> {
        let (Some(cost), Some(usage)) = (&self.cost, usage) else {
            return Ok(None);
        };
        match cost(&usage) {
            cost if cost.is_finite() => Ok(Some(cost)),
            cost => Err(DataError::new(format!(
                "the cost of an answer is {cost}, which is not a number"
            ))
            .with_help("correct the function of `cost`")
            .can_resume()),
        }
    }

    pub(crate) fn check_row(&self, row: &R) -> Result<(), DataError> {
        let mut scorers = self.scorers.iter();
        scorers.try_for_each(|scorer| (scorer.check)(row))
    }
}
