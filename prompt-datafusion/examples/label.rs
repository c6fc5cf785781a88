//! Labels the tickets of a file, and counts the labels with SQL: `cargo run --example label -- data/*.parquet`.
//!
//! The files are JSONL, CSV or Parquet with a column `ticket`; without an argument three tickets are labelled. Answers are kept in the
//! folder `answers`: a second run sends no requests.
//!
//! The labels are those of a scripted model, or of a real one behind OpenAI's protocol:
//! `cargo run --example label -- --model http://localhost:8000/v1 qwen3 data/*.parquet`. A key is read from `API_KEY`.

use std::sync::Arc;

use datafusion::common::plan_err;
use datafusion::datasource::file_format::options::JsonReadOptions;
use datafusion::error::{DataFusionError, Result};
use datafusion::prelude::*;
use prompt_datafusion::{Ask, AskExt, Store, session};
use typed_prompt::client::{ApiKey, CallError, ChatModel};
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

fn scripted() -> MockLlm {
    MockLlm::from_fn(|request| {
        let text = request
            .messages
            .last()
            .map(|message| message.text().to_lowercase());
        let label = match text.is_some_and(|text| text.contains("love")) {
            true => "Praise",
            false => "Bug",
        };
        Ok(Reply::new(format!(r#"{{"label": "{label}"}}"#)))
    })
}

#[tokio::main]
async fn main() -> Result<()> {
    let ctx = session();
    let mut arguments = std::env::args().skip(1).peekable();
    let (llm, model): (Arc<dyn Llm>, String) = match arguments.next_if_eq("--model") {
        None => (Arc::new(scripted()), "scripted".to_owned()),
        Some(_) => {
            let (Some(url), Some(name)) = (arguments.next(), arguments.next()) else {
                return plan_err!(
                    "`--model` is followed by the URL of a server and the name of a model"
                );
            };
            let llm = ChatModel::openai_compatible(&url, &name)
                .map_err(|error| DataFusionError::External(error.into()))?;
            let llm = match std::env::var_os("API_KEY") {
                Some(_) => llm.key(ApiKey::env("API_KEY")),
                None => llm,
            };
            (Arc::new(llm), name)
        }
    };
    let files: Vec<String> = arguments.collect();
    let tickets = match files.first() {
        None => {
            let table = "SELECT * FROM (VALUES ('It crashes.'), ('I love it.'), ('It hangs.')) AS t(ticket)";
            ctx.sql(table).await?
        }
        Some(first) if first.ends_with(".parquet") => {
            ctx.read_parquet(files, ParquetReadOptions::new()).await?
        }
        Some(first) if first.ends_with(".csv") => {
            ctx.read_csv(files, CsvReadOptions::new()).await?
        }
        Some(_) => {
            let any_name = JsonReadOptions::default().file_extension("");
            ctx.read_json(files, any_name).await?
        }
    };
    // Rows without a ticket are left out. For the planner, the column is still nullable; `coalesce` makes it non-nullable.
    let tickets = tickets.filter(col("ticket").is_not_null())?;
    let tickets = tickets.with_column("ticket", coalesce(vec![col("ticket"), lit("")]))?;
    let ask = Ask::new(Store::in_folder("answers")?, llm, model)
        .concurrency(64)
        .reduce_concurrency_on(|error| {
            CallError::source_of(error).is_some_and(|error| error.status() == Some(429))
        });
    let asked = tickets.ask::<Classify>(ask.clone())?;
    ctx.register_table("labelled", asked.into_view())?;
    let query = "SELECT answer['value']['label'] AS label, count(*) AS tickets FROM labelled GROUP BY label ORDER BY label";
    ctx.sql(query).await?.show().await?;
    let progress = ask.progress();
    println!(
        "{} requests were sent, {} rows failed",
        progress.calls, progress.failed
    );
    Ok(())
}
