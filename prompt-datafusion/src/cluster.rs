//! Queries on [Apache Ballista](https://datafusion.apache.org/ballista/): schedulers and executors with the prompts of a program.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use ballista_core::config::{BALLISTA_SCHEDULER_MAX_PARTITIONS_PER_TASK, TaskSchedulingPolicy};
use ballista_core::extension::{SessionConfigExt, SessionStateExt, ballista_scalar_functions};
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
use ballista_core::utils::default_session_builder;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::common::{
    DataFusionError, Result, TableReference, internal_err, plan_datafusion_err,
};
use datafusion::datasource::file_format::FileFormatFactory;
use datafusion::execution::{FunctionRegistry, SessionStateBuilder, TaskContext};
use datafusion::logical_expr::{Extension, LogicalPlan, ScalarUDF};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use typed_prompt::ChatFormat;
use typed_prompt::llm::{Options, PromptCache, ReasoningEffort, ToolChoice};

use crate::ask::{Ask, AskNode, AskTask, OnCluster, with_planner};
use crate::columns::RowPrompt;
use crate::exec::AskExec;
use crate::limits::{Queries, QueryBudget};
use crate::render::render;

/// The prompts and functions that all processes of a cluster have: clients, the scheduler, and executors.
///
/// A plan contains the name, the fingerprint and the output's schema of a prompt, the name of the model, and the options; a process
/// whose prompt differs refuses it. The model with its API key, the store and the concurrency are those that each executor
/// registers, and are in no plan.
///
/// ```
/// use std::sync::Arc;
///
/// use prompt_datafusion::{Ask, Cluster, Store};
/// use typed_prompt::{MockLlm, Prompt, format};
///
/// #[derive(Prompt, serde::Deserialize)]
/// #[prompt(user = "Which label fits? <ticket>")]
/// struct Classify {
///     ticket: String,
/// }
///
/// # fn main() -> datafusion::error::Result<()> {
/// let ask = Ask::new(Store::in_memory(), Arc::new(MockLlm::new(["bug"])), "mock");
/// let cluster = Cluster::new()
///     .ask::<Classify>(ask)?
///     .function::<Classify>("classify_text", format::PLAIN)?;
/// // In a process each: `cluster.run_scheduler(…)`, `cluster.run_executor(…)`, `cluster.connect("http://scheduler:50050")`.
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Cluster {
    prompts: Vec<Arc<Registered>>,
    functions: Vec<(Arc<ScalarUDF>, String)>,
    queries: Queries,
}

/// Executors pull their tasks: with the other policy, the reason why an executor refuses a plan is lost.
const POLICY: TaskSchedulingPolicy = TaskSchedulingPolicy::PullStaged;

/// A prompt, and the model call of this process for it.
struct Registered {
    task: AskTask,
    with: fn(Ask) -> Result<AskTask>,
}

impl Cluster {
    /// A cluster without prompts.
    pub fn new() -> Cluster {
        Cluster::default()
    }

    /// Registers a prompt for the model of an [`Ask`]. On an executor, this `Ask` has the store, the model with its API key, and the
    /// concurrency of the process; the query has the options, the sample, the column and the limits of calls and tokens.
    ///
    /// # Errors
    /// Fields that serde does not know from the type alone; a prompt that is registered for this model already.
    pub fn ask<P: RowPrompt>(mut self, ask: Ask) -> Result<Cluster> {
        let task = AskTask::new::<P>(ask)?;
        if self
            .prompts
            .iter()
            .any(|other| other.task.is_same_prompt(&task))
        {
            return Err(plan_datafusion_err!("{task:?} is registered twice"));
        }
        let with = AskTask::new::<P>;
        self.prompts.push(Arc::new(Registered { task, with }));
        Ok(self)
    }

    /// Registers a function as [`render_udf`](crate::render_udf) does.
    ///
    /// # Errors
    /// Fields that serde does not know from the type alone.
    pub fn function<P: RowPrompt>(
        mut self,
        name: &str,
        format: impl ChatFormat + 'static,
    ) -> Result<Cluster> {
        let (function, identity) = render::<P>(name, format)?;
        self.functions.push((Arc::new(function), identity));
        Ok(self)
    }

    /// A session whose queries run on the cluster of a scheduler, for example `http://scheduler:50050`. The connection is opened by
    /// each query.
    ///
    /// [`AskExt::ask`](crate::AskExt::ask) works as in one process. Tables must be readable by the executors under the same URLs.
    ///
    /// # Errors
    /// The session cannot be built.
    pub fn connect(&self, scheduler: &str) -> Result<SessionContext> {
        let config = SessionConfig::new_with_ballista()
            // It would run a stage with requests anew when it changes its mind, and merge the partitions of a small table.
            .with_ballista_adaptive_query_planner(false)
            // Its columns have other names when the scheduler reads the plan.
            .set_bool(
                "datafusion.optimizer.enable_leaf_expression_pushdown",
                false,
            )
            // An executor counts a task of several partitions as one, and would take more of them than it has `vcores`.
            .set_usize(BALLISTA_SCHEDULER_MAX_PARTITIONS_PER_TASK, 1)
            .with_ballista_logical_extension_codec(Arc::new(self.logical_codec()))
            .with_extension(Arc::new(OnCluster));
        let state = SessionStateBuilder::new()
            .with_default_features()
            .with_config(config)
            .build()
            .upgrade_for_ballista(scheduler.to_owned())?;
        let ctx = SessionContext::new_with_state(state);
        // Ballista replaces the functions of the state.
        for (function, _) in &self.functions {
            ctx.register_udf(function.as_ref().clone());
        }
        Ok(ctx)
    }

    /// Runs a scheduler until the process ends.
    ///
    /// # Errors
    /// The address cannot be bound.
    pub async fn run_scheduler(&self, mut config: SchedulerConfig) -> Result<()> {
        let functions = self.functions.clone();
        config.override_session_builder = Some(Arc::new(move |config| {
            let config = config.with_extension(Arc::new(OnCluster));
            let state = SessionStateBuilder::new_from_existing(default_session_builder(config)?);
            let mut state = with_planner(state).build();
            for (function, _) in &functions {
                state.register_udf(Arc::clone(function))?;
            }
            Ok(state)
        }));
        config.override_logical_codec = Some(Arc::new(self.logical_codec()));
        config.override_physical_codec = Some(Arc::new(self.physical_codec()));
        config.scheduling_policy = POLICY;
        let address = format!("{}:{}", config.bind_host, config.bind_port)
            .parse::<SocketAddr>()
            .map_err(|error| DataFusionError::External(Box::new(error)))?;
        let cluster = BallistaCluster::new_from_config(&config).await;
        let cluster = cluster.map_err(external_error)?;
        start_server(cluster, address, Arc::new(config))
            .await
            .map_err(external_error)
    }

    /// Runs an executor until the process receives a signal to end. Its tasks wait for answers: give it as many `vcores` as the partitions of a
    /// query divided by the executors, so that all run at the same time.
    ///
    /// # Errors
    /// The scheduler cannot be reached, or an address cannot be bound.
    pub async fn run_executor(&self, mut config: ExecutorProcessConfig) -> Result<()> {
        let own = self.functions.iter().map(|(function, _)| function);
        let functions = ballista_scalar_functions();
        let functions = functions.iter().chain(own);
        config.override_function_registry = Some(Arc::new(BallistaFunctionRegistry {
            scalar_functions: functions
                .map(|function| (function.name().to_owned(), Arc::clone(function)))
                .collect(),
            ..BallistaFunctionRegistry::default()
        }));
        config.override_logical_codec = Some(Arc::new(self.logical_codec()));
        config.override_physical_codec = Some(Arc::new(self.physical_codec()));
        config.task_scheduling_policy = POLICY;
        start_executor_process(Arc::new(config))
            .await
            .map_err(external_error)
    }

    /// The form of logical plans between the processes.
    pub fn logical_codec(&self) -> impl LogicalExtensionCodec + use<> {
        Codec {
            cluster: self.clone(),
            inner: BallistaLogicalExtensionCodec::default(),
        }
    }

    /// The form of physical plans between the processes.
    pub fn physical_codec(&self) -> impl PhysicalExtensionCodec + use<> {
        Codec {
            cluster: self.clone(),
            inner: BallistaPhysicalExtensionCodec::default(),
        }
    }

    /// The task of a plan, with the model, store and limits of this process.
    fn find_task(&self, bytes: &[u8]) -> Result<Arc<AskTask>> {
        let sent: Sent = serde_json::from_slice(bytes).map_err(|error| {
            plan_datafusion_err!("the plan of an `ask` cannot be read: {error}")
        })?;
        let named = |known: &&Arc<Registered>| {
            known.task.prompt == sent.prompt && known.task.ask.model == sent.model
        };
        let mut known = self.prompts.iter().filter(named).peekable();
        let Some(first) = known.peek().copied() else {
            let known: Vec<String> = self
                .prompts
                .iter()
                .map(|known| format!("{:?}", known.task))
                .collect();
            return Err(plan_datafusion_err!(
                "the prompt `{}` is not registered for the model `{}` in this process, which has [{}]; add it with `Cluster::ask`",
                sent.prompt,
                sent.model,
                known.join(", ")
            ));
        };
        let same = |known: &&Arc<Registered>| {
            known.task.fingerprint == sent.fingerprint && task_schema(&known.task) == sent.schema
        };
        let Some(known) = known.find(same) else {
            return Err(plan_datafusion_err!(
                "the prompt `{}` of the query differs from the one of this process: its fingerprint is {} and not {}, its output {} and not {}; \
                 run the same build of the program in all processes",
                sent.prompt,
                sent.fingerprint,
                first.task.fingerprint,
                sent.schema,
                task_schema(&first.task)
            ));
        };
        let mut ask = known.task.ask.clone();
        ask.options = sent.options.into_options()?;
        ask.sample = sent.sample;
        ask.column = sent.column;
        ask.budget = match sent.query {
            None => QueryBudget::new(sent.calls, sent.tokens),
            Some(query) => self.queries.join_query(query, sent.calls, sent.tokens),
        };
        Ok(Arc::new((known.with)(ask)?))
    }

    fn encode_function(&self, function: &ScalarUDF, buf: &mut Vec<u8>) {
        let mut known = self.functions.iter();
        if let Some((_, identity)) = known.find(|(known, _)| **known == *function) {
            buf.extend_from_slice(identity.as_bytes());
        }
    }

    fn decode_function(&self, name: &str, buf: &[u8]) -> Result<Arc<ScalarUDF>> {
        let known = self.functions.iter();
        let Some((function, identity)) = known.clone().find(|(known, _)| known.name() == name)
        else {
            return Err(plan_datafusion_err!(
                "the function `{name}` is not registered in this process; add it with `Cluster::function`"
            ));
        };
        match identity.as_bytes() == buf {
            true => Ok(Arc::clone(function)),
            false => Err(plan_datafusion_err!(
                "the function `{name}` of the query differs from the one of this process: it is {} and not {identity}; run the same \
                 build of the program in all processes",
                String::from_utf8_lossy(buf)
            )),
        }
    }
}

fn external_error(error: ballista_core::error::BallistaError) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}

impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.prompts.iter().map(|known| &known.task))
            .entries(self.functions.iter().map(|(_, identity)| identity))
            .finish()
    }
}

/// A hash of the schema of the output, which decides about the type of the answer.
fn task_schema(task: &AskTask) -> String {
    let json = task.schema.as_ref().map(|(json, _)| json.to_string());
    match json {
        Some(json) => blake3::hash(json.as_bytes()).to_hex()[..16].to_owned(),
        None => "text".to_owned(),
    }
}

/// The part of an [`Ask`] that a plan contains.
#[derive(Serialize, Deserialize)]
struct Sent {
    prompt: String,
    fingerprint: String,
    schema: String,
    model: String,
    sample: u64,
    column: String,
    calls: u64,
    tokens: u64,
    /// The number of the query, in a physical plan.
    query: Option<u64>,
    options: SentOptions,
}

impl Sent {
    fn write_node(
        task: &AskTask,
        budget: &QueryBudget,
        query: Option<u64>,
        buf: &mut Vec<u8>,
    ) -> Result<()> {
        let ask = &task.ask;
        let sent = Sent {
            prompt: task.prompt.to_owned(),
            fingerprint: task.fingerprint.clone(),
            schema: task_schema(task),
            model: ask.model.clone(),
            sample: ask.sample,
            column: ask.column.clone(),
            calls: budget.calls,
            tokens: budget.tokens,
            query,
            options: SentOptions::from_options(&ask.options)?,
        };
        buf.extend_from_slice(ASK);
        serde_json::to_writer(buf, &sent).map_err(|error| DataFusionError::External(error.into()))
    }
}

/// [`Options`] in a plan. Floats are their bits, so that the key of a request is the same in all processes.
#[derive(Serialize, Deserialize)]
struct SentOptions {
    temperature: Option<u64>,
    top_p: Option<u64>,
    max_tokens: Option<u64>,
    seed: Option<u64>,
    stop: Vec<String>,
    tool_choice: Option<RegisteredName>,
    parallel_tool_calls: Option<bool>,
    reasoning_effort: Option<String>,
    log_probs: Option<u8>,
    prompt_cache: Option<RegisteredName>,
    fields: Map<String, Value>,
    timeout: Option<Duration>,
    output_retries: Option<u32>,
}

/// A variant, and its text.
type RegisteredName = (String, String);

impl SentOptions {
    fn from_options(options: &Options) -> Result<SentOptions> {
        let named = |name: &str, text: &str| Ok((name.to_owned(), text.to_owned()));
        let tool_choice = options.tool_choice.as_ref().map(|choice| match choice {
            ToolChoice::Auto => named("auto", ""),
            ToolChoice::None => named("none", ""),
            ToolChoice::Required => named("required", ""),
            ToolChoice::Tool(name) => named("tool", name),
            other => unknown_option(&format!("{other:?}")),
        });
        let prompt_cache = options.prompt_cache.as_ref().map(|cache| match cache {
            PromptCache::Instructions => named("instructions", ""),
            PromptCache::Conversation => named("conversation", ""),
            PromptCache::Key(key) => named("key", key),
            other => unknown_option(&format!("{other:?}")),
        });
        Ok(SentOptions {
            temperature: options.temperature.map(f64::to_bits),
            top_p: options.top_p.map(f64::to_bits),
            max_tokens: options.max_tokens,
            seed: options.seed,
            stop: options.stop.clone(),
            tool_choice: tool_choice.transpose()?,
            parallel_tool_calls: options.parallel_tool_calls,
            reasoning_effort: options
                .reasoning_effort
                .map(|effort| effort.name().to_owned()),
            log_probs: options.log_probs,
            prompt_cache: prompt_cache.transpose()?,
            fields: options.fields.clone(),
            timeout: options.timeout,
            output_retries: options.output_retries,
        })
    }

    fn into_options(self) -> Result<Options> {
        let tool_choice = self.tool_choice.map(|(name, text)| match &*name {
            "auto" => Ok(ToolChoice::Auto),
            "none" => Ok(ToolChoice::None),
            "required" => Ok(ToolChoice::Required),
            "tool" => Ok(ToolChoice::Tool(text)),
            other => unknown_option(other),
        });
        let prompt_cache = self.prompt_cache.map(|(name, text)| match &*name {
            "instructions" => Ok(PromptCache::Instructions),
            "conversation" => Ok(PromptCache::Conversation),
            "key" => Ok(PromptCache::Key(text)),
            other => unknown_option(other),
        });
        let effort = self.reasoning_effort.map(|name| {
            let mut efforts = ReasoningEffort::ALL.iter().copied();
            let found = efforts.find(|effort| effort.name() == name);
            found.map_or_else(|| unknown_option(&name), Ok)
        });
        Ok(Options {
            temperature: self.temperature.map(f64::from_bits),
            top_p: self.top_p.map(f64::from_bits),
            max_tokens: self.max_tokens,
            seed: self.seed,
            stop: self.stop,
            tool_choice: tool_choice.transpose()?,
            parallel_tool_calls: self.parallel_tool_calls,
            reasoning_effort: effort.transpose()?,
            log_probs: self.log_probs,
            prompt_cache: prompt_cache.transpose()?,
            fields: self.fields,
            timeout: self.timeout,
            output_retries: self.output_retries,
        })
    }
}

fn unknown_option<T>(option: &str) -> Result<T> {
    internal_err!("the option `{option}` cannot be sent to a cluster")
}

/// The prefix of encoded nodes of this crate.
const ASK: &[u8] = b"typed-prompt ask ";

/// The codec of Ballista, and of the node and the functions of this crate.
#[derive(Debug)]
struct Codec<C> {
    cluster: Cluster,
    inner: C,
}

impl LogicalExtensionCodec for Codec<BallistaLogicalExtensionCodec> {
    fn try_decode(
        &self,
        buf: &[u8],
        inputs: &[LogicalPlan],
        ctx: &TaskContext,
    ) -> Result<Extension> {
        match (buf.strip_prefix(ASK), inputs) {
            (None, _) => self.inner.try_decode(buf, inputs, ctx),
            (Some(sent), [input]) => {
                let node = AskNode::new(input.clone(), self.cluster.find_task(sent)?)?;
                Ok(Extension {
                    node: Arc::new(node),
                })
            }
            (Some(_), _) => internal_err!("an `ask` has one input"),
        }
    }

    fn try_encode(&self, node: &Extension, buf: &mut Vec<u8>) -> Result<()> {
        match node.node.as_any().downcast_ref::<AskNode>() {
            Some(node) => Sent::write_node(&node.task, &node.task.ask.budget, None, buf),
            None => self.inner.try_encode(node, buf),
        }
    }

    fn try_decode_table_provider(
        &self,
        buf: &[u8],
        table: &TableReference,
        schema: SchemaRef,
        ctx: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>> {
        self.inner
            .try_decode_table_provider(buf, table, schema, ctx)
    }

    fn try_encode_table_provider(
        &self,
        table: &TableReference,
        provider: Arc<dyn TableProvider>,
        buf: &mut Vec<u8>,
    ) -> Result<()> {
        self.inner.try_encode_table_provider(table, provider, buf)
    }

    fn try_decode_file_format(
        &self,
        buf: &[u8],
        ctx: &TaskContext,
    ) -> Result<Arc<dyn FileFormatFactory>> {
        self.inner.try_decode_file_format(buf, ctx)
    }

    fn try_encode_file_format(
        &self,
        buf: &mut Vec<u8>,
        format: Arc<dyn FileFormatFactory>,
    ) -> Result<()> {
        self.inner.try_encode_file_format(buf, format)
    }

    fn try_decode_udf(&self, name: &str, buf: &[u8]) -> Result<Arc<ScalarUDF>> {
        self.cluster.decode_function(name, buf)
    }

    fn try_encode_udf(&self, function: &ScalarUDF, buf: &mut Vec<u8>) -> Result<()> {
        self.cluster.encode_function(function, buf);
        Ok(())
    }
}

impl PhysicalExtensionCodec for Codec<BallistaPhysicalExtensionCodec> {
    fn try_decode(
        &self,
        buf: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        ctx: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match (buf.strip_prefix(ASK), inputs) {
            (None, _) => self.inner.try_decode(buf, inputs, ctx, converter),
            (Some(sent), [input]) => {
                let task = self.cluster.find_task(sent)?;
                Ok(Arc::new(AskExec::new(Arc::clone(input), task, true)?))
            }
            (Some(_), _) => internal_err!("an `ask` has one input"),
        }
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        buf: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        match node.downcast_ref::<AskExec>() {
            Some(node) => Sent::write_node(&node.task, &node.budget, Some(node.budget.query), buf),
            None => self.inner.try_encode(node, buf, converter),
        }
    }

    fn try_decode_udf(&self, name: &str, buf: &[u8]) -> Result<Arc<ScalarUDF>> {
        self.cluster.decode_function(name, buf)
    }

    fn try_encode_udf(&self, function: &ScalarUDF, buf: &mut Vec<u8>) -> Result<()> {
        self.cluster.encode_function(function, buf);
        Ok(())
    }
}
