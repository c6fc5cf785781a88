//! The execution of answers: rows are asked in a sliding window, and leave in their order.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, RecordBatch};
use datafusion::arrow::datatypes::{FieldRef, Schema, SchemaRef};
use datafusion::common::runtime::SpawnedTask;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{Distribution, EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties,
    InputDistributionRequirements, PlanProperties, ReplaceChildrenOptions,
};
use futures_util::{StreamExt, TryStreamExt, stream};
use typed_prompt::Request;

use crate::answer::{RowOutcome, answer_array};
use crate::ask::AskTask;
use crate::limits::QueryBudget;

/// Asks a model for each row of its input.
#[derive(Debug)]
pub(crate) struct AskExec {
    input: Arc<dyn ExecutionPlan>,
    pub(crate) task: Arc<AskTask>,
    /// The positions of the prompt's fields among the input's columns.
    columns: Vec<usize>,
    /// Whether the partitions are asked by different processes.
    on_cluster: bool,
    /// The limits of all partitions.
    pub(crate) budget: QueryBudget,
    properties: Arc<PlanProperties>,
}

impl AskExec {
    pub(crate) fn new(
        input: Arc<dyn ExecutionPlan>,
        task: Arc<AskTask>,
        on_cluster: bool,
    ) -> Result<AskExec> {
        let mut fields: Vec<FieldRef> = input.schema().fields().iter().cloned().collect();
        let columns = task.columns.find_columns(&fields)?;
        fields.push(task.column_field());
        let schema = Schema::new_with_metadata(fields, input.schema().metadata().clone());
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Arc::new(schema)),
            input.output_partitioning().clone(),
            input.pipeline_behavior(),
            input.boundedness(),
        );
        Ok(AskExec {
            input,
            budget: task.ask.budget.clone(),
            task,
            columns,
            on_cluster,
            properties: Arc::new(properties),
        })
    }
}

impl AskExec {
    fn with_inputs(
        &self,
        mut inputs: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let input = inputs.swap_remove(0);
        let count = |input: &Arc<dyn ExecutionPlan>| input.output_partitioning().partition_count();
        let (before, after) = (count(&self.input), count(&input));
        // A task of a cluster is the plan over some of its partitions.
        let is_part = self.on_cluster && self.input.name() == input.name() && after < before;
        let budget = match is_part {
            true => self.budget.part_of_partitions(after, before),
            false => self.budget.clone(),
        };
        let exec = AskExec::new(input, Arc::clone(&self.task), self.on_cluster)?;
        Ok(Arc::new(AskExec { budget, ..exec }))
    }
}

impl DisplayAs for AskExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AskExec: {:?}", self.task)
    }
}

/// A row, and its batch if it is the last row of it.
struct PendingRow {
    request: std::result::Result<Request, String>,
    batch: Option<RecordBatch>,
}

impl ExecutionPlan for AskExec {
    fn name(&self) -> &str {
        "AskExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![self.on_cluster]
    }

    /// On a cluster, rows with equal fields meet in one process, which asks once for them.
    fn input_distribution_requirements(&self) -> InputDistributionRequirements {
        let schema = self.input.schema();
        let column = |at: &usize| -> Arc<dyn PhysicalExpr> {
            Arc::new(Column::new(schema.field(*at).name(), *at))
        };
        let fields: Vec<_> = self.columns.iter().map(column).collect();
        InputDistributionRequirements::new(vec![match self.on_cluster && !fields.is_empty() {
            true => Distribution::KeyPartitioned(fields),
            false => Distribution::UnspecifiedDistribution,
        }])
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.with_inputs(children)
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.with_inputs(children)
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let input = self.input.execute(partition, context)?;
        let schema = self.schema();
        let columns = self.columns.clone();
        let budget = self.budget.clone();
        let on_cluster = self.on_cluster;
        let (task, window) = (Arc::clone(&self.task), self.task.window_rows());
        let rows = input
            .map(move |batch| {
                let batch = batch?;
                let mut arrays: Vec<ArrayRef> = columns
                    .iter()
                    .map(|at| Arc::clone(batch.column(*at)))
                    .collect();
                let requests = task.batch_requests(&mut arrays, batch.num_rows())?;
                let last = requests.len().saturating_sub(1);
                let row = move |(at, request)| {
                    let batch = (at == last).then(|| batch.clone());
                    Ok(PendingRow { request, batch })
                };
                let rows: Vec<Result<PendingRow>> =
                    requests.into_iter().enumerate().map(row).collect();
                Ok::<_, DataFusionError>(stream::iter(rows))
            })
            .try_flatten();
        let task = Arc::clone(&self.task);
        let answers = rows
            .map(move |row| {
                let (task, budget) = (Arc::clone(&task), budget.clone());
                async move {
                    let row = row?;
                    // A task of the runtime: rows are worked on by all its threads, and end with the query.
                    let outcome = SpawnedTask::spawn(async move {
                        task.row_outcome(row.request, &budget, on_cluster).await
                    });
                    let outcome = outcome.join_unwind().await;
                    let outcome = outcome
                        .map_err(|error| DataFusionError::ExecutionJoin(Box::new(error)))??;
                    Ok::<_, DataFusionError>((outcome, row.batch))
                }
            })
            .buffered(window);
        let (field, output) = (self.task.column_field(), Arc::clone(&schema));
        let mut pending = Vec::new();
        let batches = answers.map(move |answer| {
            let (outcome, batch) = answer?;
            pending.push(outcome);
            let Some(batch) = batch else {
                return Ok(None);
            };
            with_answers(&batch, &field, &output, std::mem::take(&mut pending)).map(Some)
        });
        let batches = batches.try_filter_map(async |batch| Ok(batch));
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, batches)))
    }
}

/// A batch with its answers as the last column.
fn with_answers(
    batch: &RecordBatch,
    field: &FieldRef,
    schema: &SchemaRef,
    outcomes: Vec<RowOutcome>,
) -> Result<RecordBatch> {
    let mut columns = batch.columns().to_vec();
    columns.push(answer_array(field, outcomes)?);
    Ok(RecordBatch::try_new(Arc::clone(schema), columns)?)
}
