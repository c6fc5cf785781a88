//! Answers as a plan node: a model is asked for each row.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::FieldRef;
use datafusion::catalog::Session;
use datafusion::common::{DFSchema, DFSchemaRef, DataFusionError, Result, plan_datafusion_err};
use datafusion::dataframe::DataFrame;
use datafusion::execution::context::QueryPlanner;
use datafusion::execution::session_state::{SessionState, SessionStateBuilder};
use datafusion::logical_expr::{
    Expr, Extension, LogicalPlan, UserDefinedLogicalNode, UserDefinedLogicalNodeCore,
};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_planner::{DefaultPhysicalPlanner, ExtensionPlanner, PhysicalPlanner};
use datafusion::prelude::SessionContext;
use serde_json::Value;
use tokio::sync::{AcquireError, Semaphore};
use typed_prompt::llm::Options;
use typed_prompt::output::{self, Schema};
use typed_prompt::{Llm, Prompt, Reply, Request};

use crate::answer::{RowOutcome, answer_field};
use crate::columns::{Columns, RowPrompt};
use crate::exec::AskExec;
use crate::limits::{Progress, QueryBudget, QueryLimits, QuerySpent};
use crate::store::{Claim, Claimed, Key, Store, StoredAnswer};

/// The settings of model calls for the rows of a table: see [`AskExt::ask`].
///
/// Clones share their limits.
#[derive(Clone)]
pub struct Ask {
    store: Store,
    llm: Arc<dyn Llm>,
    pub(crate) model: String,
    pub(crate) options: Options,
    pub(crate) sample: u64,
    pub(crate) column: String,
    pub(crate) budget: QueryBudget,
    is_overloaded: Arc<IsOverloaded>,
    limits: Arc<QueryLimits>,
}

/// Whether an error means that the server receives too many requests.
type IsOverloaded = dyn Fn(&typed_prompt::Error) -> bool + Send + Sync;

impl Ask {
    /// Asks a model, and keeps its answers. The model's name is a part of the key of each answer.
    pub fn new(store: Store, llm: Arc<dyn Llm>, model: impl Into<String>) -> Ask {
        Ask {
            store,
            llm,
            model: model.into(),
            options: Options::default(),
            sample: 0,
            column: "answer".to_owned(),
            budget: QueryBudget::new(u64::MAX, u64::MAX),
            is_overloaded: Arc::new(|_| false),
            limits: Arc::new(QueryLimits::new(16)),
        }
    }

    typed_prompt::llm::option_setters!(|self| self.options);

    /// Sets how many requests wait for an answer at the same time, in all partitions and queries with this `Ask` together. 16 by
    /// default. Call it before clones are made: it also begins the [`Progress`] anew.
    pub fn concurrency(mut self, requests: usize) -> Ask {
        self.limits = Arc::new(QueryLimits::new(requests.clamp(1, Semaphore::MAX_PERMITS)));
        self.budget = QueryBudget::new(self.budget.calls, self.budget.tokens);
        self
    }

    /// Lowers the concurrency when the server asks for it: each error that the function accepts halves it, and as many answers as
    /// there are concurrent requests raise it by one, up to the limit. The row keeps its error and is asked by a later query, so
    /// let the model's own retries come first. With the feature `client` of `typed-prompt`:
    /// `.reduce_concurrency_on(|error| CallError::source_of(error).is_some_and(|call| call.status() == Some(429)))`.
    pub fn reduce_concurrency_on(
        mut self,
        is_overloaded: impl Fn(&typed_prompt::Error) -> bool + Send + Sync + 'static,
    ) -> Ask {
        self.is_overloaded = Arc::new(is_overloaded);
        self
    }

    /// Sets how many requests are sent at most. Rows beyond that have an error, and are asked by a later query. Without limit by
    /// default.
    pub fn max_calls(mut self, calls: u64) -> Ask {
        self.budget.calls = calls;
        self
    }

    /// Sets how many tokens of requests and answers are used at most, as the server counts them. When they are used, no further
    /// request is sent; those that wait for an answer still count. Without limit by default.
    pub fn token_budget(mut self, tokens: u64) -> Ask {
        self.budget.tokens = tokens;
        self
    }

    /// Sets the number of the sample. Another number asks for other answers to the same requests. 0 by default.
    pub fn sample(mut self, sample: u64) -> Ask {
        self.sample = sample;
        self
    }

    /// Sets the name of the new column. `answer` by default.
    pub fn column(mut self, name: impl Into<String>) -> Ask {
        self.column = name.into();
        self
    }

    /// The progress of the queries with this `Ask` and its clones. Another task can display it while they run.
    pub fn progress(&self) -> Progress {
        self.limits.progress()
    }

    /// Sends a request.
    async fn send_request(
        &self,
        request: &Request,
        budget: &QueryBudget,
        claim: &Claim,
    ) -> typed_prompt::Result<Reply> {
        let lowered = self.limits.begin_request();
        let reply = claim.hold_during(self.llm.send(request)).await;
        let usage = reply.as_ref().ok().and_then(|reply| reply.usage);
        let is_overload = |error: &typed_prompt::Error| (self.is_overloaded)(error);
        let spent = QuerySpent {
            tokens: usage.map(|usage| (usage.input, usage.output)),
            failed: reply.is_err(),
            overloaded: reply.as_ref().is_err_and(is_overload),
        };
        budget.add_spent(&spent);
        self.limits.end_request(lowered, &spent);
        reply
    }
}

/// A request for each row, or why the row has none. The prompt's type is known to this function alone.
type Render = dyn Fn(&Columns, &mut [ArrayRef], usize) -> Result<Vec<std::result::Result<Request, String>>>
    + Send
    + Sync;
/// Reads a reply as the prompt's output, or the reason why it is not one.
type Read = dyn Fn(&Reply) -> std::result::Result<(), String> + Send + Sync;

/// The largest number of rows in work, whose requests are in memory.
const MAX_WINDOW: usize = 32 * 1024;

/// An [`Ask`] for the prompt of a node.
pub(crate) struct AskTask {
    pub(crate) ask: Ask,
    pub(crate) columns: Columns,
    /// The JSON Schema of the output, and its reader.
    pub(crate) schema: Option<(Value, Schema)>,
    pub(crate) prompt: &'static str,
    pub(crate) fingerprint: String,
    render: Box<Render>,
    read: Box<Read>,
}

impl AskTask {
    pub(crate) fn new<P: RowPrompt>(ask: Ask) -> Result<AskTask> {
        if ask.options.output_retries.is_some() {
            return Err(plan_datafusion_err!(
                "`output_retries` has no effect in a query: each row is asked once, and an answer that does not fit is its error. \
                 Leave the option out"
            ));
        }
        let info = <P::Row<'static> as Prompt>::INFO;
        let schema = <P::Row<'static> as Prompt>::output_schema().map(|json| {
            let schema = Schema::new(&json).map_err(|error| plan_datafusion_err!("{error}"))?;
            Ok::<_, DataFusionError>((json, schema))
        });
        Ok(AskTask {
            columns: Columns::from_prompt::<P>()?,
            schema: schema.transpose()?,
            prompt: info.name,
            fingerprint: info.fingerprint.to_string(),
            ask,
            render: Box::new(|columns, arrays, count| {
                let rows = columns.bind_rows(arrays)?;
                let request = |at: usize| {
                    let prompt: P::Row<'_> = rows.read_row(at)?;
                    Request::from_prompt(&prompt).map_err(|error| format!("{error:#}"))
                };
                Ok((0..count).map(request).collect())
            }),
            read: Box::new(|reply| {
                let read = <P::Row<'static> as Prompt>::parse_reply(reply);
                read.map(drop).map_err(|error| format!("{error:#}"))
            }),
        })
    }

    /// Whether it is for the same prompt and model.
    #[cfg(feature = "cluster")]
    pub(crate) fn is_same_prompt(&self, other: &AskTask) -> bool {
        self.fingerprint == other.fingerprint
            && self.prompt == other.prompt
            && self.ask.model == other.ask.model
    }

    /// How many rows of a partition are in work. More than are asked at the same time: rows after a slow one go on, and the next
    /// requests are ready when an answer arrives.
    pub(crate) fn window_rows(&self) -> usize {
        let concurrency = self.ask.limits.concurrency();
        concurrency
            .saturating_mul(64)
            .min(MAX_WINDOW)
            .max(concurrency)
    }

    /// The new column.
    pub(crate) fn column_field(&self) -> FieldRef {
        Arc::new(answer_field(
            &self.ask.column,
            self.schema.as_ref().map(|(json, _)| json),
        ))
    }

    /// The requests of a batch, by rows.
    pub(crate) fn batch_requests(
        &self,
        arrays: &mut [ArrayRef],
        count: usize,
    ) -> Result<Vec<std::result::Result<Request, String>>> {
        let requests = (self.render)(&self.columns, arrays, count)?.into_iter();
        let options = &self.ask.options;
        Ok(requests
            .map(|request| request.map(|request| request.with_options(options.clone())))
            .collect())
    }

    /// The outcome of a row.
    ///
    /// # Errors
    /// The store cannot be read or written. All other errors are part of the outcome.
    pub(crate) async fn row_outcome(
        self: Arc<AskTask>,
        request: std::result::Result<Request, String>,
        budget: &QueryBudget,
        on_cluster: bool,
    ) -> Result<RowOutcome> {
        let mut outcome = RowOutcome {
            value: None,
            text: None,
            error: None,
            usage: None,
            fingerprint: self.fingerprint.clone(),
            kept: false,
        };
        self.ask.limits.start_clock();
        let ask = async {
            let request = request?;
            let key = Key::from_request(&request, &self.ask.model, self.ask.sample)
                .map_err(|error| format!("{error:#}"))?;
            Ok((request, key))
        };
        let (request, key) = match ask.await {
            Ok(asked) => asked,
            Err(error) => {
                outcome.error = Some(error);
                self.ask.limits.count_row(&outcome);
                return Ok(outcome);
            }
        };
        match self
            .find_or_request(request, key, budget, on_cluster)
            .await?
        {
            Err(error) => outcome.error = Some(error),
            Ok((answer, kept)) => {
                let reply = answer.to_reply();
                outcome.kept = kept;
                outcome.usage = reply.usage;
                outcome.error = answer.error;
                if outcome.error.is_none() {
                    match self.parse_value(&reply) {
                        Ok(value) => outcome.value = Some(value),
                        Err(error) => outcome.error = Some(error),
                    }
                }
                outcome.text = Some(reply.text);
            }
        }
        self.ask.limits.count_row(&outcome);
        Ok(outcome)
    }

    /// The answer to a request, and whether it was in the store; or why the request was not answered. One caller at a time asks for
    /// a key, and on a cluster one process.
    async fn find_or_request(
        self: &Arc<AskTask>,
        request: Request,
        key: Key,
        budget: &QueryBudget,
        on_cluster: bool,
    ) -> Result<std::result::Result<(StoredAnswer, bool), String>> {
        let Ask { store, limits, .. } = &self.ask;
        // No semaphore is ever closed.
        let closed = |error: AcquireError| DataFusionError::External(Box::new(error));
        let lookup = limits.lookups.acquire().await.map_err(closed)?;
        if let Some(kept) = store.find_answer(&key).await? {
            return Ok(Ok((kept, true)));
        }
        drop(lookup);
        let lock = store.lock_of(&key).lock_owned().await;
        let mut seen = None;
        let (prepared, claim) = loop {
            let prepared = limits.claims.acquire().await.map_err(closed)?;
            // The answer to this request may be one that could not be written.
            store.write_rest().await?;
            match store.claim_request(&key, on_cluster).await? {
                Claimed::Granted(claim) => break (prepared, claim),
                Claimed::Answered(kept) => return Ok(Ok((kept, true))),
                Claimed::Taken => drop(prepared),
            }
            store.wait_for_answer(&key, &mut seen).await?;
        };
        let permit = claim
            .hold_during(limits.acquire_permit())
            .await
            .map_err(closed)?;
        drop(prepared);
        // No request is sent while an answer cannot be written.
        store.write_rest().await?;
        if let Err(spent) = budget.count_request() {
            return Ok(Err(spent));
        }
        let (task, budget) = (Arc::clone(self), budget.clone());
        // It ends after the query if that ends first, so that the answer is kept.
        let sent = tokio::spawn(async move {
            // A crash loses at most the answers of the concurrent requests.
            let _until_written = (lock, permit);
            let Ask { store, model, .. } = &task.ask;
            match task.ask.send_request(&request, &budget, &claim).await {
                Ok(reply) => {
                    let error = (task.read)(&reply).err();
                    let kept = StoredAnswer::new(&key, &request, model, &reply, error);
                    Ok(Ok((store.put_answer(key, kept, claim).await?, false)))
                }
                Err(error) => Ok(Err(format!("{error:#}"))),
            }
        });
        sent.await
            .map_err(|error| DataFusionError::ExecutionJoin(Box::new(error)))?
    }

    /// The value of an answer without an error.
    fn parse_value(&self, reply: &Reply) -> std::result::Result<Value, String> {
        match &self.schema {
            None => Ok(Value::String(reply.text.clone())),
            Some((_, schema)) => {
                output::parse_value(reply, schema).map_err(|error| format!("{error:#}"))
            }
        }
    }
}

impl fmt::Debug for AskTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Ask({} {} of {})",
            self.prompt, self.fingerprint, self.ask.model
        )
    }
}

/// [`ask`](AskExt::ask) for data frames.
pub trait AskExt: Sized {
    /// Adds the column `answer`: a model's answer for each row, as a struct of
    ///
    /// | field | content |
    /// | --- | --- |
    /// | `value` | the value of the prompt's output, with Arrow types from its JSON Schema; unions and recursive types are JSON as text |
    /// | `text` | what the model wrote |
    /// | `error` | why there is no value: the row cannot be rendered, the call failed, the answer does not fit |
    /// | `usage` | the tokens `input` and `output` |
    /// | `fingerprint` | the prompt's fingerprint |
    /// | `kept` | whether the answer was in the store before |
    ///
    /// The fields of the prompt are filled from the columns with their names. Each request is sent once: equal rows, and queries that run
    /// again, find its answer in the store. Rows are asked in a sliding window, and keep their order in each partition. The optimizer
    /// neither moves nor duplicates the node; filter before it to ask for fewer rows. When a query fails or is cancelled, no further
    /// request is sent, and the answers to those that were sent are kept in the store as long as the runtime runs.
    ///
    /// # Errors
    /// Fields without a column that fits, all of them, before any request is sent. When the plan runs: the store cannot be read or
    /// written. The error of a row is its value.
    fn ask<P: RowPrompt>(self, ask: Ask) -> Result<DataFrame>;
}

impl AskExt for DataFrame {
    fn ask<P: RowPrompt>(self, ask: Ask) -> Result<DataFrame> {
        let (state, plan) = self.into_parts();
        let state = match plans_asks(&state) {
            true => state,
            false => with_planner(SessionStateBuilder::new_from_existing(state)).build(),
        };
        let node = AskNode::new(plan, Arc::new(AskTask::new::<P>(ask)?))?;
        let plan = LogicalPlan::Extension(Extension {
            node: Arc::new(node),
        });
        Ok(DataFrame::new(state, plan))
    }
}

/// Marks the configuration of a session whose queries run on a cluster.
pub(crate) struct OnCluster;

/// Whether the planner of a session plans these nodes, or sends them to a cluster.
fn plans_asks(state: &SessionState) -> bool {
    let planner: &dyn std::any::Any = &**state.query_planner();
    planner.is::<AskPlanner>() || state.config().get_extension::<OnCluster>().is_some()
}

/// A session whose queries can contain [`ask`](AskExt::ask), with the defaults of DataFusion.
pub fn session() -> SessionContext {
    SessionContext::new_with_state(
        with_planner(SessionStateBuilder::new().with_default_features()).build(),
    )
}

/// Lets the queries of a session contain [`ask`](AskExt::ask). It replaces the session's query planner.
pub fn with_planner(builder: SessionStateBuilder) -> SessionStateBuilder {
    builder.with_query_planner(Arc::new(AskPlanner))
}

/// The node of a logical plan.
#[derive(Clone)]
pub(crate) struct AskNode {
    input: LogicalPlan,
    pub(crate) task: Arc<AskTask>,
    schema: DFSchemaRef,
}

impl AskNode {
    pub(crate) fn new(input: LogicalPlan, task: Arc<AskTask>) -> Result<AskNode> {
        let columns: Vec<FieldRef> = input.schema().fields().iter().cloned().collect();
        task.columns.find_columns(&columns)?;
        let field = task.column_field();
        if let Some(other) = columns.iter().find(|column| column.name() == field.name()) {
            return Err(plan_datafusion_err!(
                "there is a column `{}` already; name the new one with `Ask::column`",
                other.name()
            ));
        }
        let mut fields: Vec<_> = input
            .schema()
            .iter()
            .map(|(table, field)| (table.cloned(), Arc::clone(field)))
            .collect();
        fields.push((None, field));
        let schema = DFSchema::new_with_metadata(fields, input.schema().metadata().clone())?;
        Ok(AskNode {
            input,
            task,
            schema: Arc::new(schema),
        })
    }

    fn node_identity(&self) -> (&LogicalPlan, *const AskTask) {
        (&self.input, Arc::as_ptr(&self.task))
    }
}

impl PartialEq for AskNode {
    fn eq(&self, other: &AskNode) -> bool {
        self.node_identity() == other.node_identity()
    }
}

impl Eq for AskNode {}

impl PartialOrd for AskNode {
    fn partial_cmp(&self, other: &AskNode) -> Option<Ordering> {
        let (input, task) = self.node_identity();
        let (other_input, other_task) = other.node_identity();
        match task.cmp(&other_task) {
            Ordering::Equal => input.partial_cmp(other_input),
            different => Some(different),
        }
    }
}

impl Hash for AskNode {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.node_identity().hash(state);
    }
}

impl fmt::Debug for AskNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.task)
    }
}

impl UserDefinedLogicalNodeCore for AskNode {
    fn name(&self) -> &str {
        "Ask"
    }

    fn inputs(&self) -> Vec<&LogicalPlan> {
        vec![&self.input]
    }

    fn schema(&self) -> &DFSchemaRef {
        &self.schema
    }

    fn expressions(&self) -> Vec<Expr> {
        Vec::new()
    }

    fn fmt_for_explain(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.task)
    }

    fn with_exprs_and_inputs(&self, _: Vec<Expr>, mut inputs: Vec<LogicalPlan>) -> Result<AskNode> {
        AskNode::new(inputs.swap_remove(0), Arc::clone(&self.task))
    }
}

/// Plans [`AskNode`]s.
#[derive(Debug)]
struct AskPlanner;

#[async_trait]
impl QueryPlanner for AskPlanner {
    async fn create_physical_plan(
        &self,
        plan: &LogicalPlan,
        session: &dyn Session,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let planner = DefaultPhysicalPlanner::with_extension_planners(vec![Arc::new(AskPlanner)]);
        planner.create_physical_plan(plan, session).await
    }
}

#[async_trait]
impl ExtensionPlanner for AskPlanner {
    async fn plan_extension(
        &self,
        _: &dyn PhysicalPlanner,
        node: &dyn UserDefinedLogicalNode,
        _: &[&LogicalPlan],
        inputs: &[Arc<dyn ExecutionPlan>],
        session: &dyn Session,
        _: &datafusion::logical_expr::physical_planning_context::PhysicalPlanningContext,
    ) -> Result<Option<Arc<dyn ExecutionPlan>>> {
        let Some(node) = node.as_any().downcast_ref::<AskNode>() else {
            return Ok(None);
        };
        let on_cluster = session.config().get_extension::<OnCluster>().is_some();
        let (input, task) = (Arc::clone(&inputs[0]), Arc::clone(&node.task));
        let exec = AskExec::new(input, task, on_cluster)?;
        Ok(Some(Arc::new(exec)))
    }
}
