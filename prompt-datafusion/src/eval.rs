//! Evaluations over tables, with the rows and the metrics of [`typed_prompt::eval`].

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::datatypes::{DataType, FieldRef};
use datafusion::common::{DataFusionError, Result, exec_datafusion_err};
use datafusion::dataframe::DataFrame;
use datafusion::functions::core::expr_ext::FieldAccessor;
use datafusion::prelude::{Expr, cast, col};
use futures_util::TryStreamExt;
use serde::de::DeserializeOwned;
use typed_prompt::Prompt;
use typed_prompt::eval::MetricSummary;
use typed_prompt::eval::metric::Metric;

use crate::columns::Columns;

/// The rows of a table, for [`Eval::new`](typed_prompt::eval::Eval::new) and its rankings by likelihood
/// ([`multiple_choice`](typed_prompt::eval::Eval::multiple_choice)).
///
/// # Errors
/// Fields without a column that fits, before the query runs; the query; the first row that does not fit.
///
/// ```
/// use std::sync::Arc;
///
/// use prompt_datafusion::{eval::collect_rows, session};
/// use typed_prompt::eval::{Eval, metric::ExactMatch};
/// use typed_prompt::{MockLlm, Prompt};
///
/// #[derive(Prompt, serde::Deserialize)]
/// #[prompt(user = "<question>", assistant = "<answer>")]
/// struct Sum {
///     question: String,
///     #[prompt(answer)]
///     answer: String,
/// }
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let table = session().sql("SELECT '1 + 1?' AS question, '2' AS answer").await?;
/// let eval = Eval::new(collect_rows::<Sum>(table).await?).gold(ExactMatch::new(), |row| row.answer.clone());
/// let report = eval.run(&MockLlm::new(["2"])).await?;
/// assert_eq!(report.metrics[0].mean(), 1.0);
/// # Ok(())
/// # }
/// ```
pub async fn collect_rows<P: Prompt + DeserializeOwned + 'static>(
    frame: DataFrame,
) -> Result<Vec<P>> {
    let columns = Columns::from_prompt::<P>()?;
    let fields: Vec<FieldRef> = frame.schema().fields().iter().cloned().collect();
    let found = columns.find_columns(&fields)?;
    let mut batches = frame.execute_stream().await?;
    let mut rows: Vec<P> = Vec::new();
    while let Some(batch) = batches.try_next().await? {
        let mut arrays: Vec<ArrayRef> = found
            .iter()
            .map(|at| Arc::clone(batch.column(*at)))
            .collect();
        let items = columns.bind_rows(&mut arrays)?;
        for at in 0..batch.num_rows() {
            let number = rows.len() + 1;
            let row = items.read_row(at);
            rows.push(row.map_err(|error| exec_datafusion_err!("row {number}: {error}"))?);
        }
    }
    Ok(rows)
}

/// The statistics of a metric over a table with answers of [`ask`](crate::AskExt::ask), as [`Eval`](typed_prompt::eval::Eval)
/// reports them: an answer that is not one of the prompt's type scores 0, one that the metric does not read is
/// [unscored](typed_prompt::eval::MetricSummary::unscored), and a row whose call failed is not counted.
///
/// `answers` is the name of the column, and `answer` and `gold` are the text that is scored and the correct one.
///
/// # Errors
/// The query; a correct answer that is null, or that the metric rejects.
///
/// ```
/// use std::sync::Arc;
///
/// use datafusion::functions::core::expr_ext::FieldAccessor;
/// use datafusion::prelude::*;
/// use prompt_datafusion::{Ask, AskExt, Store, eval::summary, session};
/// use typed_prompt::{MockLlm, Prompt, eval::metric::ExactMatch};
///
/// #[derive(Prompt, serde::Deserialize)]
/// #[prompt(user = "<question>")]
/// struct Sum {
///     question: String,
/// }
///
/// # #[tokio::main]
/// # async fn main() -> datafusion::error::Result<()> {
/// let table = session().sql("SELECT '1 + 1?' AS question, '2' AS gold").await?;
/// let ask = Ask::new(Store::in_memory(), Arc::new(MockLlm::new(["2"])), "mock");
/// let answer = col("answer").field("text");
/// let summary = summary(table.ask::<Sum>(ask)?, &ExactMatch::new(), "answer", answer, col("gold")).await?;
/// assert_eq!((summary.count, summary.mean()), (1, 1.0));
/// # Ok(())
/// # }
/// ```
pub async fn summary(
    frame: DataFrame,
    metric: &dyn Metric,
    answers: &str,
    answer: Expr,
    gold: Expr,
) -> Result<MetricSummary> {
    let text = |expr: Expr, name: &str| cast(expr, DataType::Utf8).alias(name);
    let frame = frame.select(vec![
        text(col(answers).field("text"), "text"),
        text(col(answers).field("error"), "error"),
        text(answer, "answer"),
        text(gold, "gold"),
    ])?;
    let mut batches = frame.execute_stream().await?;
    let (mut summary, mut number) = (MetricSummary::new(metric.name()), 0);
    while let Some(batch) = batches.try_next().await? {
        let columns: Vec<_> = batch
            .columns()
            .iter()
            .map(|column| column.as_string::<i32>())
            .collect();
        for at in 0..batch.num_rows() {
            number += 1;
            let value = |column: usize| {
                columns[column]
                    .is_valid(at)
                    .then(|| columns[column].value(at))
            };
            let gold = value(3)
                .ok_or_else(|| exec_datafusion_err!("row {number}: the correct answer is null"))?;
            let checked = metric.check_gold(gold);
            checked.map_err(|error| DataFusionError::External(Box::new(error)))?;
            match (value(0), value(1), value(2)) {
                (None, ..) => {}
                (Some(_), None, Some(answer)) => match metric.score_readable(answer, gold) {
                    Some(score) => summary.add(score),
                    None => summary.unscored += 1,
                },
                _ => summary.add(0.0),
            }
        }
    }
    Ok(summary)
}
