//! Queries on a cluster: a scheduler, two executors and clients as processes, and a model server that counts every request.
//! `FAULTS=20 cargo test --features cluster --test cluster -- --test-threads 1 --include-ignored --nocapture`
#![cfg(feature = "cluster")]

use std::collections::HashMap;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{FunctionRegistry, TaskContext};
use datafusion::logical_expr::{LogicalPlan, Partitioning};
use datafusion::prelude::*;
use datafusion_proto::logical_plan::AsLogicalPlan;
use datafusion_proto::physical_plan::AsExecutionPlan;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use prompt_datafusion::{Ask, AskExt, Cluster, ExecutorProcessConfig, SchedulerConfig, Store};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use typed_prompt::llm::{BoxFuture, Options, ReasoningEffort, ToolChoice, Usage};
use typed_prompt::{Error, ErrorKind, Llm, MockLlm, Prompt, Reply, Request, format};

#[derive(Prompt, serde::Deserialize)]
#[prompt(user = "<question>")]
struct Question {
    question: String,
}

/// The same prompt in another version of the program.
mod other {
    use super::Prompt;

    #[derive(Prompt, serde::Deserialize)]
    #[prompt(user = "Answer: <question>")]
    pub(super) struct Question {
        question: String,
    }
}

/// A model behind connections that are kept: a line for each request, and a line for each answer.
struct Remote {
    address: String,
    /// It is sent with each request, as a server requires it.
    key: String,
    /// The port of the executor.
    executor: String,
    idle: Mutex<Vec<BufReader<TcpStream>>>,
}

impl Remote {
    async fn ask(&self, question: &str) -> std::io::Result<String> {
        let idle = self.idle.lock().unwrap().pop();
        let mut stream = match idle {
            Some(stream) => stream,
            None => BufReader::new(TcpStream::connect(&self.address).await?),
        };
        let line = format!("{} {} {question}\n", self.key, self.executor);
        stream.write_all(line.as_bytes()).await?;
        let mut answer = String::new();
        if stream.read_line(&mut answer).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        self.idle.lock().unwrap().push(stream);
        Ok(answer.trim_end().to_owned())
    }
}

impl Llm for Remote {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, typed_prompt::Result<Reply>> {
        Box::pin(async move {
            let answer = self.ask(&request.messages[0].text()).await;
            answer
                .map(|text| Reply::new(text).with_usage(Usage::new(9, 1)))
                .map_err(|error| Error::new(ErrorKind::Model, error.to_string()))
        })
    }
}

const KEY: &str = "sk-test-0123456789";

/// The program of each process of the cluster.
fn cluster(model: &str, store: &Path, concurrency: usize) -> Result<(Cluster, Ask)> {
    let remote = Remote {
        address: model.to_owned(),
        key: std::env::var("API_KEY").unwrap_or_else(|_| "none".to_owned()),
        executor: std::env::var("PORT").unwrap_or_else(|_| "none".to_owned()),
        idle: Mutex::default(),
    };
    let ask =
        Ask::new(Store::in_folder(store)?, Arc::new(remote), "remote").concurrency(concurrency);
    let cluster = Cluster::new()
        .ask::<Question>(ask.clone())?
        .function::<Question>("question_text", format::PLAIN)?;
    Ok((cluster, ask))
}

/// A process of the cluster.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "other tests start it as a process"]
async fn process() -> Result<()> {
    let var = |name: &str| std::env::var(name).expect("a test starts it");
    let role = var("ROLE");
    let port = |name: &str| var(name).parse::<u16>().unwrap();
    let (cluster, mut ask) = cluster(&var("MODEL"), Path::new(&var("STORE")), 32)?;
    for (name, limit) in [
        ("CALLS", Ask::max_calls as fn(Ask, u64) -> Ask),
        ("TOKENS", Ask::token_budget),
    ] {
        if let Ok(most) = std::env::var(name) {
            ask = limit(ask, most.parse().unwrap());
        }
    }
    match &*role {
        "scheduler" => {
            let config = SchedulerConfig {
                bind_port: port("PORT"),
                executor_timeout_seconds: 8,
                expire_dead_executor_interval_seconds: 1,
                ..SchedulerConfig::default()
            };
            cluster.run_scheduler(config).await
        }
        "executor" => {
            let config = ExecutorProcessConfig {
                port: port("PORT"),

                scheduler_port: port("SCHEDULER"),
                scheduler_connect_timeout_seconds: 20,
                vcores: 8,
                work_dir: Some(var("WORK_DIR")),
                ..ExecutorProcessConfig::default()
            };
            cluster.run_executor(config).await
        }
        "client" => {
            let ctx = cluster.connect(&format!("http://localhost:{}", port("SCHEDULER")))?;
            let rows = ctx.read_parquet(var("TABLE"), ParquetReadOptions::new());
            let rows = rows
                .await?
                .with_column("question", coalesce(vec![col("question"), lit("")]))?;
            let few = rows
                .clone()
                .filter(ctx.parse_sql_expr(&var("FEW"), rows.schema())?)?;
            let start = Instant::now();
            for (name, rows) in [("asked", rows), ("few", few)] {
                let asked = rows.ask::<Question>(ask.clone())?;
                ctx.register_table(name, asked.into_view())?;
            }
            let batches = ctx.sql(&var("SQL")).await?.collect().await?;
            let seconds = start.elapsed().as_secs_f64();
            let shown = datafusion::arrow::util::pretty::pretty_format_batches(&batches)?;
            std::fs::write(var("OUTPUT"), format!("{seconds}\n{shown}"))?;
            Ok(())
        }
        other => panic!("{other} is not a role"),
    }
}

/// How often each text occurred.
type Counts = Mutex<HashMap<String, usize>>;

fn count(counts: &Counts, text: &str) {
    let mut counts = counts.lock().unwrap();
    *counts.entry(text.to_owned()).or_default() += 1;
}

/// The model's server.
#[derive(Clone)]
struct Server {
    address: SocketAddr,
    received: Arc<Counts>,
    /// The requests of each executor.
    executors: Arc<Counts>,
    /// Whether connections are closed without an answer.
    is_cut: Arc<AtomicBool>,
    latency: Duration,
    /// The microseconds between the requests and their answers, in all.
    waited: Arc<AtomicU64>,
}

impl Server {
    async fn start(latency: Duration) -> Server {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Server {
            address: listener.local_addr().unwrap(),
            received: Arc::default(),
            executors: Arc::default(),
            is_cut: Arc::default(),
            latency,
            waited: Arc::default(),
        };
        let serving = server.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let server = serving.clone();
                tokio::spawn(async move { server.answer(stream).await });
            }
        });
        server
    }

    async fn answer(&self, stream: TcpStream) -> std::io::Result<()> {
        let mut stream = BufReader::new(stream);
        loop {
            let mut line = String::new();
            stream.read_line(&mut line).await?;
            let Some(line) = line.strip_suffix('\n') else {
                return Ok(());
            };
            let parts: Vec<&str> = line.splitn(3, ' ').collect();
            let [key, executor, question] = parts[..] else {
                return Ok(());
            };
            count(&self.executors, executor);
            count(&self.received, question);
            let start = Instant::now();
            tokio::time::sleep(self.latency).await;
            let waited = start.elapsed().as_micros() as u64;
            self.waited.fetch_add(waited, Ordering::Relaxed);
            if self.is_cut.load(Ordering::Relaxed) {
                return Ok(());
            }
            let answer = match key {
                KEY => format!("answer to {question}\n"),
                _ => "the key is wrong\n".to_owned(),
            };
            stream.write_all(answer.as_bytes()).await?;
        }
    }

    fn total(&self) -> usize {
        self.received.lock().unwrap().values().sum()
    }

    fn distinct(&self) -> usize {
        self.received.lock().unwrap().len()
    }
}

/// The processes of a cluster. They are killed with it.
struct Processes {
    folder: tempfile::TempDir,
    model: SocketAddr,
    scheduler: (u16, Option<Child>),
    executors: Vec<Child>,
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

impl Processes {
    /// A cluster for a table of so many rows in four files, of which some are equal.
    async fn start(server: &Server, rows: usize, distinct: usize) -> Result<Processes> {
        let folder = tempfile::tempdir()?;
        std::fs::create_dir(folder.path().join("store"))?;
        let ctx = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(4));
        let sql = format!(
            "SELECT value AS n, coalesce('question ' || (value % {distinct}), '') AS question FROM generate_series(1, {rows})"
        );
        let table = ctx
            .sql(&sql)
            .await?
            .repartition(Partitioning::RoundRobinBatch(4))?;
        let path = folder.path().join("table");
        table
            .write_parquet(&path.to_string_lossy(), Default::default(), None)
            .await?;
        let mut processes = Processes {
            scheduler: (free_port(), None),
            folder,
            model: server.address,
            executors: Vec::new(),
        };
        processes.restart_scheduler();
        processes.add_executor();
        processes.add_executor();
        Ok(processes)
    }

    fn spawn(&self, role: &str, vars: &[(&str, &str)]) -> Child {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let folder = self.folder.path();
        command
            .args(["--ignored", "--exact", "process", "--nocapture"])
            .env("ROLE", role)
            .env("MODEL", self.model.to_string())
            .env("STORE", folder.join("store"))
            .env("TABLE", folder.join("table"))
            .env("OUTPUT", folder.join("output"))
            .env("SCHEDULER", self.scheduler.0.to_string())
            .env_remove("API_KEY")
            .envs(vars.iter().copied())
            .stdout(Stdio::null());
        if std::env::var_os("SHOW").is_none() {
            command.stderr(Stdio::null());
        }
        command.spawn().unwrap()
    }

    fn add_executor(&mut self) {
        let port = free_port().to_string();
        let work = self.folder.path().join(format!("work-{port}"));
        std::fs::create_dir_all(&work).unwrap();
        // A key is in the environment of executors alone.
        let vars = [
            ("API_KEY", KEY),
            ("PORT", &port),
            ("WORK_DIR", &work.to_string_lossy()),
        ];
        self.executors.push(self.spawn("executor", &vars));
    }

    fn restart_scheduler(&mut self) {
        self.scheduler.1.iter_mut().for_each(end);
        let port = self.scheduler.0.to_string();
        self.scheduler.1 = Some(self.spawn("scheduler", &[("PORT", &port)]));
    }

    /// Runs a query in another process. Its tables are `asked`, and `few` with the given rows.
    fn client(&self, sql: &str, few: &str, vars: &[(&str, &str)]) -> Child {
        let _ = std::fs::remove_file(self.folder.path().join("output"));
        self.spawn("client", &[&[("SQL", sql), ("FEW", few)], vars].concat())
    }

    /// The seconds and the table of a query that has ended.
    fn output(&self, client: &mut Child) -> Option<(f64, String)> {
        let is_done = client.wait().unwrap().success();
        let output = std::fs::read_to_string(self.folder.path().join("output"));
        let output = output.ok().filter(|_| is_done)?;
        let (seconds, table) = output.split_once('\n').unwrap();
        Some((seconds.parse().unwrap(), table.to_owned()))
    }

    /// Runs a query until the cluster answers it.
    fn query(&self, sql: &str, few: &str) -> (f64, String) {
        for _ in 0..40 {
            if let Some(done) = self.output(&mut self.client(sql, few, &[])) {
                return done;
            }
            std::thread::sleep(Duration::from_millis(500));
        }
        panic!("the query fails: {sql}")
    }
}

fn end(process: &mut Child) {
    let _ = process.kill();
    let _ = process.wait();
}

impl Drop for Processes {
    fn drop(&mut self) {
        self.scheduler.1.iter_mut().for_each(end);
        self.executors.iter_mut().for_each(end);
    }
}

const COUNT: &str = "SELECT count(*) AS rows, count(answer['text']) AS answers, count(answer['error']) AS errors FROM few";

/// The rows, answers and errors of [`COUNT`].
fn counts(table: &str) -> Vec<usize> {
    let cells = table.split('|').filter_map(|cell| cell.trim().parse().ok());
    cells.collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_query_sends_each_request_once() -> Result<()> {
    let server = Server::start(Duration::from_millis(5)).await;
    let processes = Processes::start(&server, 2000, 1800).await?;
    // A tenth of the rows are equal to others.
    let (rows, requests) = (2000, 1800);
    let queries = [
        "SELECT count(a), count(b) FROM (SELECT answer['text'] AS a, answer['error'] AS b FROM asked)",
        "WITH c AS (SELECT n, answer['text'] AS t FROM asked) SELECT count(*) FROM c AS x JOIN c AS y ON x.n = y.n WHERE x.t = y.t",
        "SELECT count(CASE WHEN n <= 3 THEN answer['text'] END) FROM asked",
        "SELECT n, answer['text'] FROM asked ORDER BY answer['text'] LIMIT 3",
    ];
    processes.query(
        "SELECT answer['text'] FROM few ORDER BY n LIMIT 1",
        "n <= 100",
    );
    assert_eq!(
        server.total(),
        100,
        "a filter before asks for the rest alone"
    );
    for query in queries {
        // Each query finds an empty store.
        let store = processes.folder.path().join("store/answers");
        std::fs::remove_dir_all(store)?;
        server.received.lock().unwrap().clear();
        let (_, table) = processes.query(query, "n <= 100");
        println!(
            "{query}: {} requests for {rows} rows\n{table}",
            server.total()
        );
        assert_eq!(
            (server.distinct(), server.total()),
            (requests, requests),
            "{query}"
        );
    }
    processes.query(queries[0], "n <= 100");
    assert_eq!(
        server.total(),
        requests,
        "a query that runs again asks nothing"
    );
    let (_, table) = processes.query(
        "SELECT count(*) FROM asked WHERE answer['text'] = 'answer to ' || question",
        "n <= 1",
    );
    assert_eq!(counts(&table), [rows], "{table}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_limits_are_those_of_the_whole_query() -> Result<()> {
    let server = Server::start(Duration::from_millis(5)).await;
    let processes = Processes::start(&server, 1000, 1000).await?;
    processes.query(COUNT, "n <= 1");
    let limited = |limit: (&str, &str)| {
        let before = server.total();
        let mut client = processes.client(COUNT, "n > 0", &[limit]);
        let (_, table) = processes.output(&mut client).unwrap();
        let sent = server.total() - before;
        let [rows, answers, errors] = counts(&table)[..] else {
            panic!("{table}")
        };
        assert_eq!((rows, answers + errors), (1000, 1000), "{table}");
        (sent, answers)
    };
    let (sent, answers) = limited(("CALLS", "100"));
    // Each of up to 16 tasks rounds its part down. One row was asked before.
    assert!((85..=100).contains(&sent) && answers == sent + 1, "{sent}");
    // Ten tokens for each answer: 20 requests, one less for each of 16 tasks, and those in flight.
    let (sent, _) = limited(("TOKENS", "200"));
    println!("{sent} requests with a budget of 200 tokens, 10 each");
    assert!((4..=20 + 64).contains(&sent), "{sent}");
    // The next query has a budget of its own, and what is left is asked.
    let (_, answers) = limited(("CALLS", "1000"));
    assert_eq!((answers, server.total()), (1000, 1000));
    Ok(())
}

/// `ROWS=20000 cargo test --features cluster --test cluster the_time -- --nocapture`
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_time_of_a_query_is_that_of_its_answers() -> Result<()> {
    let rows = std::env::var("ROWS").map_or(2560, |rows| rows.parse().unwrap());
    let server = Server::start(Duration::from_millis(20)).await;
    let processes = Processes::start(&server, rows, rows).await?;
    processes.query(COUNT, "n <= 64");
    let before = server.total();
    server.waited.store(0, Ordering::Relaxed);
    server.executors.lock().unwrap().clear();
    let (seconds, table) = processes.query(COUNT, "n > 0");
    let requests = server.total() - before;
    let ideal = requests as f64 * 0.02 / 64.0;
    let waited = server.waited.load(Ordering::Relaxed) as f64 / 64.0e6;
    println!(
        "{requests} requests at 20 ms, 32 at a time in each of two executors: {seconds:.2} s; the latency alone {ideal:.2} s, as the server's timer kept it {waited:.2} s"
    );
    assert_eq!(counts(&table), [rows, rows, 0]);
    let executors = server.executors.lock().unwrap().clone();
    println!("requests of each executor: {executors:?}");
    assert!(
        executors.len() == 2 && executors.values().all(|count| count * 3 > requests),
        "{executors:?}"
    );
    assert!(seconds < 10.0 * ideal + 5.0, "{seconds}");
    Ok(())
}

/// The fault that occurs during a query.
enum Fault {
    Executor,
    Client,
    Scheduler,
    Model,
    Disk,
}

/// After each fault the query runs again until it is done: each row has one answer, and only requests in flight were repeated.
async fn is_resumed_after(fault: Fault) -> Result<()> {
    let faults = std::env::var("FAULTS").map_or(2, |faults| faults.parse().unwrap());
    let rows = 600;
    let server = Server::start(Duration::from_millis(20)).await;
    let mut processes = Processes::start(&server, rows * faults, rows * faults).await?;
    let store = processes.folder.path().join("store");
    let disk = matches!(fault, Fault::Disk).then(|| Disk::mount(store));
    processes.query(COUNT, "n <= 1");
    let mut repeated = Vec::new();
    for number in 0..faults {
        server.received.lock().unwrap().clear();
        let few = format!("n > {} AND n <= {}", rows * number, rows * (number + 1));
        disk.iter().for_each(Disk::fill);
        let mut client = processes.client(COUNT, &few, &[]);
        while server.total() == 0 && client.try_wait()?.is_none() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        tokio::time::sleep(Duration::from_millis(5 + number as u64 * 37 % 120)).await;
        match fault {
            Fault::Executor => {
                end(&mut processes.executors.swap_remove(number % 2));
                processes.add_executor();
            }
            Fault::Client => end(&mut client),
            Fault::Scheduler => processes.restart_scheduler(),
            Fault::Model => {
                server.is_cut.store(true, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(10)).await;
                server.is_cut.store(false, Ordering::Relaxed);
            }
            Fault::Disk => {}
        }
        let first = processes.output(&mut client);
        disk.iter().for_each(Disk::free);
        if matches!(fault, Fault::Disk) {
            assert!(first.is_none(), "the disk is full");
        }
        let (_, table) = processes.query(COUNT, &few);
        // One request was sent before.
        let expected = rows - usize::from(number == 0);
        assert_eq!(counts(&table), [rows, rows, 0], "fault {number}: {table}");
        assert_eq!(server.distinct(), expected, "fault {number}");
        repeated.push(server.total() - expected);
    }
    println!("{faults} faults: repeated requests {repeated:?}, 64 at most in flight");
    assert!(
        repeated.iter().all(|repeated| *repeated <= 64),
        "{repeated:?}"
    );
    let answers = files(&processes.folder.path().join("store/answers"));
    let answers = answers.filter(|file| file.extension().is_some_and(|ending| ending == "json"));
    assert_eq!(answers.count(), rows * faults);
    Ok(())
}

/// The files of a store, in its folders.
fn files(store: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries(store).flat_map(move |folder| entries(&folder.path()).map(|file| file.path()))
}

/// A separate disk for the store. Mounting it requires root.
struct Disk(PathBuf);

impl Disk {
    fn mount(store: PathBuf) -> Disk {
        Disk::run("mount", &["-t", "tmpfs", "-o", "size=100m", "none"], &store);
        Disk(store)
    }

    /// Leaves room for a part of the answers to a query.
    fn fill(&self) {
        let used = files(&self.0.join("answers")).count();
        self.resize(&format!("{}k", (used + 150) * 4));
    }

    fn free(&self) {
        self.resize("100m");
    }

    fn resize(&self, size: &str) {
        Disk::run("mount", &["-o", &format!("remount,size={size}")], &self.0);
    }

    fn run(program: &str, arguments: &[&str], store: &Path) {
        let done = Command::new(program).args(arguments).arg(store).status();
        assert!(done.unwrap().success(), "{program} fails");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        Disk::run("umount", &["-l"], &self.0);
    }
}

macro_rules! faults {
    ($($name:ident: $fault:ident,)*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() -> Result<()> {
                is_resumed_after(Fault::$fault).await
            }
        )*
    };
}

faults! {
    a_killed_executor: Executor,
    a_killed_client: Client,
    a_killed_scheduler: Scheduler,
    a_cut_model_server: Model,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it mounts a small disk, which requires root"]
async fn a_full_disk() -> Result<()> {
    is_resumed_after(Fault::Disk).await
}

fn mock(model: &str) -> Ask {
    Ask::new(Store::in_memory(), Arc::new(MockLlm::new(["yes"])), model)
}

/// The plan of a query in the form in which a client sends it.
async fn sent(cluster: &Cluster, ask: Ask) -> Result<LogicalPlanNode> {
    let ctx = cluster.connect("http://localhost:1")?;
    let rows = ctx
        .sql("SELECT coalesce(q, '') AS question FROM (VALUES ('a'), ('b')) AS t(q)")
        .await?;
    let asked = rows.ask::<Question>(ask)?;
    let text = ctx.udf("question_text")?.call(vec![col("question")]);
    let plan = asked.with_column("prompt", text)?.into_optimized_plan()?;
    LogicalPlanNode::try_from_logical_plan(&plan, &cluster.logical_codec())
}

fn received(cluster: &Cluster, plan: &LogicalPlanNode) -> Result<LogicalPlan> {
    let ctx = SessionContext::new();
    plan.try_into_logical_plan(&TaskContext::from(&ctx), &cluster.logical_codec())
}

#[tokio::test]
async fn a_plan_has_the_options_and_no_key() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let remote = Remote {
        address: String::new(),
        key: KEY.to_owned(),
        executor: String::new(),
        idle: Mutex::default(),
    };
    let options = Options::new()
        .temperature(0.1)
        .seed(7)
        .stop(["END"])
        .tool_choice(ToolChoice::Tool("search".to_owned()))
        .reasoning_effort(ReasoningEffort::Low)
        .timeout(Duration::from_millis(1500));
    let ask = Ask::new(Store::in_folder(folder.path())?, Arc::new(remote), "remote");
    let ask = ask
        .options(options)
        .sample(3)
        .max_calls(100)
        .column("reply");
    let cluster = Cluster::new()
        .ask::<Question>(ask.clone())?
        .function::<Question>("question_text", format::PLAIN)?;
    let logical = sent(&cluster, ask).await?;
    let mut bytes = Vec::new();
    logical.try_encode(&mut bytes)?;
    let plan = received(&cluster, &LogicalPlanNode::try_decode(&bytes)?)?;
    let again = LogicalPlanNode::try_from_logical_plan(&plan, &cluster.logical_codec())?;
    assert!(logical == again, "{logical:?}\n{again:?}");

    let ctx = prompt_datafusion::session();
    let physical = ctx.state().create_physical_plan(&plan).await?;
    let node = PhysicalPlanNode::try_from_physical_plan(physical, &cluster.physical_codec())?;
    node.try_encode(&mut bytes)?;
    let physical =
        node.try_into_physical_plan(&TaskContext::from(&ctx), &cluster.physical_codec())?;
    let shown = datafusion::physical_plan::displayable(physical.as_ref())
        .indent(true)
        .to_string();
    let text = format!(
        "{}{shown}{}{plan:?}{cluster:?}",
        String::from_utf8_lossy(&bytes),
        plan.display_indent()
    );
    assert!(text.contains("Question") && text.contains("remote") && text.contains("search"));
    assert!(!text.contains("sk-test"), "{text}");
    Ok(())
}

#[tokio::test]
async fn a_process_with_another_prompt_refuses_a_plan() -> Result<()> {
    let error = |error: DataFusionError| error.to_string();
    let client = Cluster::new()
        .ask::<Question>(mock("a"))?
        .function::<Question>("question_text", format::PLAIN)?;
    let plan = sent(&client, mock("a")).await?;
    assert!(received(&client, &plan).is_ok());

    let cluster = Cluster::new()
        .ask::<other::Question>(mock("a"))?
        .function::<Question>("question_text", format::PLAIN)?;
    let refused = received(&cluster, &plan).map_err(error).unwrap_err();
    assert!(refused.contains("the prompt `Question` of the query differs from the one of this process: its fingerprint is"), "{refused}");

    let cluster = Cluster::new()
        .ask::<Question>(mock("b"))?
        .function::<Question>("question_text", format::PLAIN)?;
    let refused = received(&cluster, &plan).map_err(error).unwrap_err();
    assert!(
        refused
            .contains("the prompt `Question` is not registered for the model `a` in this process"),
        "{refused}"
    );

    let cluster = Cluster::new().ask::<Question>(mock("a"))?;
    let refused = received(&cluster, &plan).map_err(error).unwrap_err();
    assert!(
        refused.contains("the function `question_text` is not registered in this process"),
        "{refused}"
    );

    let cluster = cluster.function::<Question>("question_text", format::CHATML)?;
    let refused = received(&cluster, &plan).map_err(error).unwrap_err();
    assert!(
        refused.contains("the function `question_text` of the query differs"),
        "{refused}"
    );

    let twice = client
        .ask::<Question>(mock("a"))
        .map_err(error)
        .unwrap_err();
    assert!(twice.contains("registered twice"), "{twice}");
    Ok(())
}
