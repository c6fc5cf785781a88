//! Rows per second of rendering from Parquet, beside a loop over structs and beside the same text concatenated in SQL, and the memory
//! at few and at many rows, also of asking: `cargo bench --bench render -- 10000000`.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use datafusion::arrow::array::Array;
use datafusion::error::Result;
use datafusion::prelude::*;
use futures_util::TryStreamExt;
use prompt_datafusion::{Ask, AskExt, Store, borrowed, render_udf, session};
use typed_prompt::{MockLlm, Prompt, format};

#[derive(Prompt, serde::Deserialize)]
#[prompt(
    system = "Which label fits the ticket? Answer with bug, praise or question.",
    user = "Ticket <number> of <customer>: <ticket>"
)]
struct Classify<'a> {
    number: i64,
    customer: &'a str,
    ticket: &'a str,
}

borrowed!(ClassifyRow = Classify);

/// The text of the prompt in the format ChatML, in SQL.
const CONCATENATED: &str = "concat('<|im_start|>system\n\
    Which label fits the ticket? Answer with bug, praise or question.<|im_end|>\n<|im_start|>user\nTicket ', number, ' of ', customer, \
    ': ', ticket, '<|im_end|>\n<|im_start|>assistant\n')";

const ROWS_PER_FILE: usize = 100_000;

fn customer(number: usize) -> String {
    format!("customer {}", number % 5000)
}

fn ticket(number: usize) -> String {
    let word = ["crashes", "hangs", "is slow", "forgets my settings"][number % 4];
    format!(
        "Since version {number}.2 the program {word} when I open a large file, and the log shows nothing at all."
    )
}

/// A folder with so many rows: links to one file.
async fn table(folder: &Path, rows: usize) -> Result<String> {
    let first = folder.join("first.parquet");
    if !first.exists() {
        let sql = format!(
            "SELECT coalesce(value, 0) AS number, coalesce(concat('customer ', value % 5000), '') AS customer, \
             coalesce(concat('Since version ', value, '.2 the program ', \
             make_array('crashes', 'hangs', 'is slow', 'forgets my settings')[value % 4 + 1], \
             ' when I open a large file, and the log shows nothing at all.'), '') AS ticket FROM generate_series(0, {})",
            ROWS_PER_FILE - 1
        );
        let rows = SessionContext::new().sql(&sql).await?;
        let options =
            datafusion::dataframe::DataFrameWriteOptions::new().with_single_file_output(true);
        rows.write_parquet(&first.to_string_lossy(), options, None)
            .await?;
    }
    let path = folder.join(format!("{rows}"));
    std::fs::create_dir_all(&path)?;
    for number in 0..rows.div_ceil(ROWS_PER_FILE) {
        std::fs::hard_link(&first, path.join(format!("{number}.parquet")))?;
    }
    Ok(path.to_string_lossy().into_owned())
}

/// The rows and the bytes of a query's only column, and its seconds.
async fn run(ctx: &SessionContext, path: &str, expression: &str) -> Result<(usize, usize, f64)> {
    ctx.deregister_table("tickets")?;
    ctx.register_parquet("tickets", path, ParquetReadOptions::new())
        .await?;
    let sql = format!("SELECT {expression} AS text FROM tickets");
    let start = Instant::now();
    let mut batches = ctx.sql(&sql).await?.execute_stream().await?;
    let (mut rows, mut bytes) = (0, 0);
    while let Some(batch) = batches.try_next().await? {
        rows += batch.num_rows();
        bytes += match batch
            .column(0)
            .as_any()
            .downcast_ref::<datafusion::arrow::array::StringViewArray>()
        {
            Some(texts) => texts.lengths().map(|length| length as usize).sum(),
            None => datafusion::arrow::array::AsArray::as_string::<i32>(batch.column(0))
                .value_data()
                .len(),
        };
    }
    Ok((rows, bytes, start.elapsed().as_secs_f64()))
}

/// The largest memory of this process so far, in MB.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<usize>().ok());
    kilobytes.unwrap_or_default() / 1000
}

#[tokio::main]
async fn main() -> Result<()> {
    let many = std::env::args()
        .filter_map(|argument| argument.parse().ok())
        .next();
    let folder = tempfile::tempdir()?;
    // Ten files, so that planning the query takes no part of its time.
    let path = table(folder.path(), 10 * ROWS_PER_FILE).await?;
    // One partition, as the loop has one thread.
    let ctx = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(1));
    let few = table(folder.path(), ROWS_PER_FILE).await?;
    ctx.register_udf(render_udf::<ClassifyRow>("classify_text", format::CHATML)?);
    let rendered = "classify_text(number, customer, ticket)";

    run(&ctx, &few, rendered).await?;
    println!("memory at {ROWS_PER_FILE} rows: {} MB at most", peak());
    let texts: Vec<_> = (0..ROWS_PER_FILE)
        .map(|number| (customer(number), ticket(number)))
        .collect();
    let prompts: Vec<Classify> = texts
        .iter()
        .enumerate()
        .map(|(number, (customer, ticket))| Classify {
            number: number as i64,
            customer,
            ticket,
        })
        .collect();
    let mut speeds = [0.0_f64; 4];
    let mut lengths = [0; 4];
    for _ in 0..5 {
        let start = Instant::now();
        lengths[0] = 0;
        for prompt in &prompts {
            lengths[0] += prompt
                .to_text(format::CHATML)
                .map_err(|error| datafusion::error::DataFusionError::External(error.into()))?
                .len();
        }
        let seconds = start.elapsed().as_secs_f64();
        speeds[0] = speeds[0].max(ROWS_PER_FILE as f64 / seconds);
        for (at, expression) in [rendered, CONCATENATED, "number || customer || ticket"]
            .into_iter()
            .enumerate()
        {
            let (rows, bytes, seconds) = run(&ctx, &path, expression).await?;
            lengths[at + 1] = bytes / 10;
            speeds[at + 1] = speeds[at + 1].max(rows as f64 / seconds);
        }
    }
    assert_eq!(
        (lengths[0], lengths[0]),
        (lengths[1], lengths[2]),
        "the texts differ"
    );
    for (name, speed) in [
        "loop over structs",
        "rendered from Parquet",
        "concatenated in SQL",
        "columns alone",
    ]
    .iter()
    .zip(speeds)
    {
        println!(
            "{name}: {speed:.0} rows/s, {:.2} × the loop",
            speed / speeds[0]
        );
    }
    println!("memory at 1000000 rows: {} MB at most", peak());
    if let Some(many) = many {
        let many = table(folder.path(), many).await?;
        let (rows, _, seconds) = run(&ctx, &many, rendered).await?;
        println!(
            "memory at {rows} rows: {} MB at most, {:.0} rows/s",
            peak(),
            rows as f64 / seconds
        );
        // The peak begins anew. All answers of the second table are kept.
        std::fs::write("/proc/self/clear_refs", "5")?;
        for path in [few, path] {
            let llm = Arc::new(MockLlm::from_fn(|_| Ok("bug".into())));
            let ask = Ask::new(Store::in_folder(folder.path())?, llm, "mock").concurrency(64);
            let ctx = session();
            let rows = ctx.read_parquet(path, ParquetReadOptions::new()).await?;
            let asked = rows.ask::<ClassifyRow>(ask.clone())?;
            let mut batches = asked.execute_stream().await?;
            while batches.try_next().await?.is_some() {}
            let progress = ask.progress();
            println!(
                "memory at {} rows that are asked, {} of them kept: {} MB at most, {:.0} rows/s",
                progress.rows,
                progress.kept,
                peak(),
                progress.rows as f64 / progress.elapsed.as_secs_f64()
            );
        }
    }
    Ok(())
}
