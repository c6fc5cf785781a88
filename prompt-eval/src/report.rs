use std::fmt;
use std::time::Duration;

use crate::Outcome;
use crate::error::many;

/// What came of a run: a table for people, and the numbers in it.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// Rows with a result, of this run and of those before.
    pub done: u64,
    /// Rows whose result was there before this run.
    pub resumed: u64,
    /// Rows whose answer could not be read as the prompt's output; they count as wrong.
    pub unread: u64,
    /// Rows without a result, because the model failed: run it again to ask for them.
    pub failed: u64,
    /// The first failures.
    pub failures: Vec<String>,
    /// Rows that could not be read and were passed over.
    pub skipped: u64,
    /// The first of them, each with its place and what is wrong.
    pub skips: Vec<String>,
    /// Rows that lost examples to the budget.
    pub shortened: u64,
    /// Examples that were left out for the budget.
    pub dropped: u64,
    /// Tokens that the model read and wrote, where it says so.
    pub tokens: [u64; 2],
    /// How long this run took.
    pub elapsed: Duration,
    /// The metrics in their order.
    pub metrics: Vec<Tally>,
    /// What had to be repaired in the results of an earlier run.
    pub repaired: Option<String>,
}

/// The scores of a metric.
///
/// ```
/// use prompt_eval::Tally;
///
/// let mut tally = Tally::new("exact match");
/// (0..100).for_each(|row| tally.add(f64::from(row < 80)));
/// let (low, high) = tally.interval();
/// assert_eq!(tally.mean(), 0.8);
/// assert!((low - 0.711).abs() < 0.001 && (high - 0.867).abs() < 0.001);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Tally {
    /// The metric.
    pub name: String,
    /// How many rows have a score.
    pub count: u64,
    sum: f64,
    squares: f64,
    /// Whether every score is 0 or 1.
    is_yes_or_no: bool,
}

/// The quantile of the normal distribution that leaves 2.5 % on either side.
const Z: f64 = 1.959_963_984_540_054;

impl Tally {
    /// No scores yet.
    pub fn new(name: impl Into<String>) -> Tally {
        Tally {
            name: name.into(),
            count: 0,
            sum: 0.0,
            squares: 0.0,
            is_yes_or_no: true,
        }
    }

    /// Adds a score.
    pub fn add(&mut self, score: f64) {
        self.count += 1;
        self.sum += score;
        self.squares += score * score;
        self.is_yes_or_no &= score == 0.0 || score == 1.0;
    }

    /// The mean of the scores.
    ///
    /// ```
    /// assert!(prompt_eval::Tally::new("F1").mean().is_nan());
    /// ```
    pub fn mean(&self) -> f64 {
        self.sum / self.count as f64
    }

    /// Where the mean of endless rows of this kind lies with a probability of 95 %: Wilson's interval where every score is
    /// 0 or 1, else that of the normal distribution.
    pub fn interval(&self) -> (f64, f64) {
        let (count, mean) = (self.count as f64, self.mean());
        if self.is_yes_or_no {
            let scale = 1.0 + Z * Z / count;
            let middle = (mean + Z * Z / (2.0 * count)) / scale;
            let spread = mean * (1.0 - mean) / count + Z * Z / (4.0 * count * count);
            let half = Z / scale * spread.sqrt();
            return ((middle - half).max(0.0), (middle + half).min(1.0));
        }
        if self.count < 2 {
            // One row says nothing about others.
            return (0.0, 1.0);
        }
        let variance = (self.squares - self.sum * mean) / (count - 1.0);
        let half = Z * (variance.max(0.0) / count).sqrt();
        (mean - half, mean + half)
    }
}

impl Report {
    /// Adds a result to the numbers.
    pub(crate) fn note(&mut self, outcome: &Outcome) {
        self.done += 1;
        self.unread += u64::from(outcome.unread.is_some());
        self.shortened += u64::from(outcome.dropped > 0);
        self.dropped += outcome.dropped;
        if let Some([read, written]) = outcome.tokens {
            self.tokens[0] += read;
            self.tokens[1] += written;
        }
        for (name, score) in &outcome.scores {
            let tally = self.metrics.iter_mut().find(|tally| tally.name == *name);
            match tally {
                Some(tally) => tally.add(*score),
                None => {
                    let mut tally = Tally::new(name);
                    tally.add(*score);
                    self.metrics.push(tally);
                }
            }
        }
    }

    pub(crate) fn fail(&mut self, failure: String) {
        self.failed += 1;
        keep(&mut self.failures, failure);
    }

    pub(crate) fn skip(&mut self, skip: String) {
        self.skipped += 1;
        keep(&mut self.skips, skip);
    }
}

/// How many failures are kept in memory and shown.
const KEPT: usize = 20;

fn keep(list: &mut Vec<String>, text: String) {
    if list.len() < KEPT {
        list.push(text);
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&many(self.done, "row"))?;
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
        if self.tokens != [0, 0] {
            let [read, written] = self.tokens;
            writeln!(f, "{read} tokens read, {written} written")?;
        }
        let width = self.metrics.iter().map(|tally| tally.name.chars().count());
        let width = width.max().unwrap_or(0).max("metric".len());
        if !self.metrics.is_empty() {
            writeln!(f, "\n{:width$}    mean   95 % interval     rows", "metric")?;
        }
        for tally in &self.metrics {
            let (name, mean, count) = (&tally.name, tally.mean(), tally.count);
            let (low, high) = tally.interval();
            writeln!(
                f,
                "{name:width$}  {mean:.4}   {low:.4} – {high:.4}  {count:>6}"
            )?;
        }
        if self.unread > 0 {
            writeln!(
                f,
                "\n{} could not be read; the score is 0 there",
                many(self.unread, "answer")
            )?;
        }
        if self.shortened > 0 {
            let dropped = many(self.dropped, "example");
            let rows = many(self.shortened, "row");
            writeln!(f, "\n{dropped} of {rows} left out for the budget")?;
        }
        list(
            f,
            self.skipped,
            &self.skips,
            "passed over, which could not be read or asked",
        )?;
        list(
            f,
            self.failed,
            &self.failures,
            "failed; another run asks for them",
        )?;
        match &self.repaired {
            Some(repaired) => writeln!(f, "\n{repaired}"),
            None => Ok(()),
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, count: u64, first: &[String], what: &str) -> fmt::Result {
    if count == 0 {
        return Ok(());
    }
    writeln!(f, "\n{} {what}:", many(count, "row"))?;
    for item in first {
        writeln!(f, "  {item}")?;
    }
    let rest = count - first.len() as u64;
    if rest > 0 {
        writeln!(f, "  and {rest} more")?;
    }
    Ok(())
}
