//! The statistics of a metric: the mean of its scores and the interval.

/// The statistics of a metric.
///
/// ```
/// use typed_prompt::eval::MetricSummary;
///
/// let mut summary = MetricSummary::new("exact match");
/// (0..100).for_each(|row| summary.add(f64::from(row < 80)));
/// let (low, high) = summary.confidence_interval();
/// assert_eq!(summary.mean(), 0.8);
/// assert!((low - 0.711).abs() < 0.001 && (high - 0.867).abs() < 0.001);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct MetricSummary {
    /// The name of the metric.
    pub name: String,
    /// How many answers have a score: one for each row, unless rows are repeated.
    pub count: u64,
    /// How many answers the metric does not read. The mean leaves them out.
    pub unscored: u64,
    /// How many rows have a score: fewer than scores if rows are repeated.
    rows: u64,
    sum: f64,
    /// The sums over rows: of the squared sums of their scores, of these sums times the numbers of scores, of the squared numbers.
    squares: f64,
    products: f64,
    sizes: f64,
    /// Whether every score is 0 or 1.
    is_binary: bool,
    /// Whether every score is between 0 and 1.
    is_fraction: bool,
}

/// The quantile of the normal distribution that leaves 2.5 % on either side.
const Z: f64 = 1.959_963_984_540_054;

impl MetricSummary {
    /// The statistics of no scores.
    pub fn new(name: impl Into<String>) -> MetricSummary {
        MetricSummary {
            name: name.into(),
            count: 0,
            unscored: 0,
            rows: 0,
            sum: 0.0,
            squares: 0.0,
            products: 0.0,
            sizes: 0.0,
            is_binary: true,
            is_fraction: true,
        }
    }

    /// Adds the score of a row.
    pub fn add(&mut self, score: f64) {
        self.add_repeats(&[score]);
    }

    /// Adds the scores of the answers to one row. They depend on each other, which widens the interval.
    ///
    /// ```
    /// use typed_prompt::eval::MetricSummary;
    ///
    /// let mut summary = MetricSummary::new("exact match");
    /// [[1.0, 1.0], [0.0, 0.0]].iter().for_each(|row| summary.add_repeats(row));
    /// let mut single = MetricSummary::new("exact match");
    /// [1.0, 0.0].iter().for_each(|row| single.add(*row));
    /// assert_eq!((summary.mean(), summary.count), (0.5, 4));
    /// assert_eq!(summary.confidence_interval(), single.confidence_interval());
    /// ```
    pub fn add_repeats(&mut self, scores: &[f64]) {
        if scores.is_empty() {
            return;
        }
        let (sum, size) = (scores.iter().sum::<f64>(), scores.len() as f64);
        self.rows += 1;
        self.count += scores.len() as u64;
        self.sum += sum;
        self.squares += sum * sum;
        self.products += sum * size;
        self.sizes += size * size;
        self.is_binary &= scores.iter().all(|score| [0.0, 1.0].contains(score));
        self.is_fraction &= scores.iter().all(|score| (0.0..=1.0).contains(score));
    }

    /// The mean of the scores.
    ///
    /// ```
    /// assert!(typed_prompt::eval::MetricSummary::new("F1").mean().is_nan());
    /// ```
    pub fn mean(&self) -> f64 {
        self.sum / self.count as f64
    }

    /// The mean with 0 for the rows that are not scored.
    ///
    /// ```
    /// let mut summary = typed_prompt::eval::MetricSummary::new("number");
    /// summary.add(1.0);
    /// summary.unscored = 1;
    /// assert_eq!((summary.mean(), summary.mean_with_unscored()), (1.0, 0.5));
    /// ```
    pub fn mean_with_unscored(&self) -> f64 {
        self.sum / (self.count + self.unscored) as f64
    }

    /// The 95 % confidence interval of the mean: Wilson's interval if every score is 0 or 1, otherwise that of the normal
    /// distribution, cut at 0 and 1 if every score is between them. Rows are independent of each other, the answers to one row are not.
    ///
    /// ```
    /// let mut summary = typed_prompt::eval::MetricSummary::new("F1");
    /// summary.add(1.0);
    /// summary.add(0.5);
    /// let (low, high) = summary.confidence_interval();
    /// assert!(0.0 < low && low < 0.75 && high == 1.0);
    /// ```
    pub fn confidence_interval(&self) -> (f64, f64) {
        // Near 0 and 1 the interval of the normal distribution leaves the range, and is empty if all scores are equal.
        let (rows, mean) = (self.rows as f64, self.mean());
        if self.is_binary {
            let count = self.independent_answers();
            let scale = 1.0 + Z * Z / count;
            let middle = (mean + Z * Z / (2.0 * count)) / scale;
            let spread = mean * (1.0 - mean) / count + Z * Z / (4.0 * count * count);
            let half = Z / scale * spread.sqrt();
            return ((middle - half).max(0.0), (middle + half).min(1.0));
        }
        if rows < 2.0 {
            // One row has no variance.
            return (0.0, 1.0);
        }
        let half = Z * self.variance_of_mean().max(0.0).sqrt();
        match self.is_fraction {
            true => ((mean - half).max(0.0), (mean + half).min(1.0)),
            false => (mean - half, mean + half),
        }
    }

    /// The variance of the mean, from the differences between rows.
    fn variance_of_mean(&self) -> f64 {
        let (rows, count, mean) = (self.rows as f64, self.count as f64, self.mean());
        let spread = self.squares - 2.0 * mean * self.products + mean * mean * self.sizes;
        rows / (rows - 1.0) * spread / (count * count)
    }

    /// How many independent answers of 0 or 1 have the same variance: as many as rows if the answers to a row are equal, and as many as
    /// answers if those to one row differ as much as those to several.
    fn independent_answers(&self) -> f64 {
        let (rows, count, mean) = (self.rows as f64, self.count as f64, self.mean());
        // Rounding may make the difference of equal sums negative.
        let answers = mean * (1.0 - mean) / self.variance_of_mean().max(0.0);
        match answers.is_nan() {
            // There is one row, or all answers are equal.
            true => rows,
            false => answers.clamp(rows, count),
        }
    }
}

/// The statistics of a metric by its name. New ones are added.
pub(crate) fn find_summary<'m>(
    metrics: &'m mut Vec<MetricSummary>,
    name: &str,
) -> &'m mut MetricSummary {
    let index = metrics.iter().position(|metric| metric.name == name);
    let index = index.unwrap_or_else(|| {
        metrics.push(MetricSummary::new(name));
        metrics.len() - 1
    });
    &mut metrics[index]
}
