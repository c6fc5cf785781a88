//! Labels the tickets of a table on a cluster of Apache Ballista. The program is the scheduler, an executor and the client:
//!
//! ```text
//! cargo build --features cluster --example cluster
//! cluster scheduler
//! API_KEY=… cluster executor --scheduler localhost --port 50051
//! API_KEY=… cluster executor --scheduler localhost --port 50061
//! cluster client --scheduler http://localhost:50050 data/
//! ```
//!
//! The environment of each executor has the model: `MODEL_URL`, `MODEL` and `API_KEY`. Without `MODEL_URL` a scripted model answers.
//! `STORE` is the folder of the answers, which all executors share.

use std::sync::Arc;

use datafusion::common::plan_err;
use datafusion::error::{DataFusionError, Result};
use datafusion::prelude::*;
use prompt_datafusion::{Ask, AskExt, Cluster, ExecutorProcessConfig, SchedulerConfig, Store};
use typed_prompt::client::{ApiKey, ChatModel};
use typed_prompt::{Llm, MockLlm, Prompt, Reply};

#[derive(Prompt, serde::Deserialize)]
#[prompt(system = "Which label fits the ticket?", user = "<ticket>", output = Answer)]
struct Classify {
    ticket: String,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[allow(dead_code, reason = "the answers are read by SQL")]
struct Answer {
    label: Label,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
enum Label {
    Bug,
    Praise,
}

/// The model call of this process.
fn ask() -> Result<Ask> {
    let var =
        |name: &str, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_owned());
    let model = var("MODEL", "scripted");
    let llm: Arc<dyn Llm> = match std::env::var("MODEL_URL") {
        Ok(url) => {
            let llm = ChatModel::openai_compatible(&url, &model);
            let llm = llm.map_err(|error| DataFusionError::External(error.into()))?;
            // It is read when a request is sent: the scheduler and the client need none.
            Arc::new(llm.key(ApiKey::env("API_KEY")))
        }
        Err(_) => Arc::new(MockLlm::from_fn(|_| Ok(Reply::new(r#"{"label": "Bug"}"#)))),
    };
    Ok(Ask::new(Store::in_folder(var("STORE", "answers"))?, llm, model).concurrency(32))
}

#[tokio::main]
async fn main() -> Result<()> {
    let ask = ask()?;
    let cluster = Cluster::new().ask::<Classify>(ask.clone())?;
    let mut arguments = std::env::args().skip(1);
    let role = arguments.next().unwrap_or_default();
    let (mut scheduler, mut port, mut bind, mut tables) =
        ("localhost".to_owned(), None, None, Vec::new());
    while let Some(argument) = arguments.next() {
        match (&*argument, arguments.len()) {
            ("--scheduler", 1..) => scheduler = arguments.next().unwrap_or_default(),
            ("--port", 1..) => port = arguments.next().and_then(|port| port.parse::<u16>().ok()),
            ("--bind", 1..) => bind = arguments.next(),
            _ => tables.push(argument),
        }
    }
    match &*role {
        "scheduler" => {
            let port = port.unwrap_or(50050);
            println!("the scheduler listens on port {port}");
            let mut config = SchedulerConfig::default().with_port(port);
            config.bind_host = bind.unwrap_or(config.bind_host);
            cluster.run_scheduler(config).await
        }
        "executor" => {
            let port = port.unwrap_or(50051);
            let mut config = ExecutorProcessConfig {
                port,
                scheduler_host: scheduler,
                scheduler_connect_timeout_seconds: 30,
                // Tasks wait for answers. Two executors run the 16 partitions of a query at the same time.
                vcores: 8,
                ..ExecutorProcessConfig::default()
            };
            config.bind_host = bind.unwrap_or(config.bind_host);
            cluster.run_executor(config).await
        }
        "client" => {
            let ctx = cluster.connect(&scheduler)?;
            let tickets = ctx.read_parquet(tables, ParquetReadOptions::new()).await?;
            let tickets = tickets.filter(col("ticket").is_not_null())?;
            let tickets = tickets.with_column("ticket", coalesce(vec![col("ticket"), lit("")]))?;
            let asked = tickets.ask::<Classify>(ask)?;
            ctx.register_table("labelled", asked.into_view())?;
            let query = "SELECT answer['value']['label'] AS label, count(*) AS tickets FROM labelled GROUP BY label ORDER BY label";
            ctx.sql(query).await?.show().await
        }
        _ => plan_err!(
            "usage: cluster scheduler | executor --scheduler HOST | client --scheduler URL TABLE…"
        ),
    }
}
