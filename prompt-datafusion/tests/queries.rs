//! Rendering and model calls in queries: accepted types, errors at planning time, and the number of requests.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::error::Result;
use datafusion::functions::core::expr_ext::FieldAccessor;
use datafusion::prelude::*;
use futures_util::{StreamExt, stream};
use prompt_datafusion::{Ask, AskExt, Store, borrowed, render_udf, session};
use typed_prompt::llm::Usage;
use typed_prompt::{
    Error, ErrorKind, Fields, Guard, Label as LabelTrait, Llm, MockLlm, Prompt, Reply, format,
};

#[derive(Prompt, serde::Deserialize)]
#[prompt(
    system = "Sort tickets of priority <priority>.",
    user = "<ticket><if note> (<note>)</if><for tag in tags> #<tag></for>",
    output = Label
)]
struct Classify<'a> {
    ticket: &'a str,
    note: Option<&'a str>,
    priority: u8,
    tags: Vec<String>,
}

borrowed!(ClassifyRow = Classify);

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[allow(dead_code)]
struct Label {
    label: String,
    certainty: Option<f64>,
    reasons: Vec<Reason>,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[allow(dead_code)]
struct Reason {
    word: String,
    kind: Kind,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Tone,
    Topic,
}

#[derive(Prompt, serde::Deserialize)]
#[prompt(user = "<question>")]
struct Question {
    question: String,
}

async fn shown(frame: DataFrame) -> Result<String> {
    Ok(pretty_format_batches(&frame.collect().await?)?.to_string())
}

/// A model that counts its calls, and repeats the last message.
fn echo() -> (Arc<dyn Llm>, Arc<AtomicU64>) {
    let calls = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&calls);
    let llm = MockLlm::from_fn(move |request| {
        counted.fetch_add(1, Ordering::Relaxed);
        let text = request
            .messages
            .last()
            .map(|message| message.text().into_owned())
            .unwrap_or_default();
        Ok(Reply::new(text))
    });
    (Arc::new(llm), calls)
}

#[tokio::test]
async fn prompts_are_rendered_from_columns_names_and_structs() -> Result<()> {
    let ctx = SessionContext::new();
    ctx.register_udf(render_udf::<ClassifyRow>("classify_text", format::PLAIN)?);
    for arguments in [
        "'It crashes.', NULL, 2, ['a', 'b']",
        // The column of a partitioned folder, and other types of text.
        "arrow_cast('It crashes.', 'Dictionary(UInt16, Utf8)'), NULL, 2, ['a', 'b']",
        "arrow_cast('It crashes.', 'LargeUtf8'), NULL, 2, ['a', 'b']",
        "arrow_cast('It crashes.', 'Utf8View'), arrow_cast(NULL, 'Dictionary(UInt16, Utf8)'), 2, ['a', 'b']",
        "priority => 2, tags => ['a', 'b'], ticket => 'It crashes.', note => NULL",
        "named_struct('tags', ['a', 'b'], 'other', 1, 'priority', 2, 'note', NULL, 'ticket', 'It crashes.')",
    ] {
        let found = shown(
            ctx.sql(&format!("SELECT classify_text({arguments}) AS prompt"))
                .await?,
        )
        .await?;
        let expected = "Sort tickets of priority 2.";
        assert!(
            found.contains(expected) && found.contains("It crashes. #a #b"),
            "{arguments}: {found}"
        );
    }
    let rows = "SELECT classify_text(coalesce(t, ''), n, coalesce(p, 0), ['x']) AS prompt \
        FROM (VALUES ('one', 'first', 1), ('two', NULL, 2)) AS v(t, n, p)";
    let found = shown(ctx.sql(rows).await?).await?;
    assert!(
        found.contains("one (first) #x") && found.contains("two #x"),
        "{found}"
    );
    // A null in a required field of a struct.
    let nulls = "SELECT classify_text(named_struct('tags', ['a'], 'priority', 2, 'note', 'x', 'ticket', CAST(NULL AS VARCHAR)))";
    let error = ctx
        .sql(nulls)
        .await?
        .collect()
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("row 1") && error.contains("ticket"),
        "{error}"
    );
    Ok(())
}

#[tokio::test]
async fn columns_that_do_not_fit_are_errors_when_the_query_is_planned() -> Result<()> {
    let ctx = session();
    ctx.register_udf(render_udf::<ClassifyRow>("classify_text", format::PLAIN)?);
    let cases = [
        (
            "'a', NULL, 'high', ['a']",
            "the field `priority` is `u8`, and argument 3 is Utf8",
        ),
        (
            "'a', NULL, 1.5, ['a']",
            "the field `priority` is `u8`, and argument 3 is Float64",
        ),
        (
            "1, NULL, 2, ['a']",
            "the field `ticket` is `String`, and argument 1 is Int64",
        ),
        (
            "'a', NULL, 2, 'tag'",
            "the field `tags` is `Vec<String>`, and argument 4 is Utf8",
        ),
        (
            "'a', NULL, 2",
            "`Classify` has 4 fields (ticket, note, priority, tags), and 3 arguments are given",
        ),
        (
            "'a', NULL, CAST(NULL AS BIGINT), ['a']",
            "the field `priority` is `u8`, and argument 3 may be null",
        ),
    ];
    for (arguments, expected) in cases {
        let planned = ctx.sql(&format!("SELECT classify_text({arguments})")).await;
        let error = planned
            .err()
            .unwrap_or_else(|| panic!("{arguments} was planned"))
            .to_string();
        assert!(error.contains(expected), "{arguments}: {error}");
    }
    let (llm, calls) = echo();
    let table = ctx
        .sql("SELECT 1 AS ticket, 'x' AS \"Priority\", ['a'] AS tags")
        .await?;
    let asked = table.ask::<ClassifyRow>(Ask::new(Store::in_memory(), llm, "mock"));
    let error = asked.unwrap_err().to_string();
    for expected in [
        "the field `ticket` is `String`, and the column `ticket` is Int64",
        "the field `note` (`Option<String>`) has no column",
        "the field `priority` (`u8`) has no column; rename it: `\"Priority\" AS priority`",
    ] {
        assert!(error.contains(expected), "{error}");
    }
    assert_eq!(calls.load(Ordering::Relaxed), 0);
    Ok(())
}

#[derive(Fields, serde::Deserialize)]
struct Place {
    city: String,
}

#[derive(LabelTrait, Clone, Copy, PartialEq, Debug, serde::Deserialize)]
enum Level {
    Low,
    High,
}

#[derive(Prompt, serde::Deserialize)]
#[prompt(
    user = "<flag> <a> <b> <c> <d> <e> <f> <g> <h> <i> <j> <text> <place.city> <level><if maybe> <maybe></if>\
        <for x in list> <x></for><for k, v in map> <k>=<v></for>"
)]
struct EveryType {
    flag: bool,
    a: i8,
    b: i16,
    c: i32,
    d: i64,
    e: u8,
    f: u16,
    g: u32,
    h: u64,
    i: f32,
    j: f64,
    text: String,
    place: Place,
    level: Level,
    maybe: Option<i64>,
    list: Vec<i64>,
    map: BTreeMap<String, i64>,
}

#[tokio::test]
async fn every_type_of_a_field_is_checked_before_any_request() -> Result<()> {
    // The name, a column that fits, columns that do not, and the type in the error.
    let fields: &[(&str, &str, &[&str], &str)] = &[
        ("flag", "true", &["1", "'true'"], "`bool`"),
        ("a", "1", &["1.5", "'1'", "true"], "`i8`"),
        ("b", "2", &["1.5", "'1'"], "`i16`"),
        ("c", "3", &["1.5", "'1'"], "`i32`"),
        ("d", "4", &["1.5", "'1'", "now()"], "`i64`"),
        ("e", "5", &["1.5", "'1'"], "`u8`"),
        ("f", "6", &["1.5", "'1'"], "`u16`"),
        ("g", "7", &["1.5", "'1'"], "`u32`"),
        ("h", "8", &["1.5", "'1'"], "`u64`"),
        ("i", "1.5", &["'1'", "1", "true"], "`f32`"),
        ("j", "2.5", &["'1'", "1"], "`f64`"),
        (
            "text",
            "'t'",
            &["1", "true", "X'00ff'", "['t']"],
            "`String`",
        ),
        (
            "place",
            "named_struct('city', 'Rome')",
            &[
                "'Rome'",
                "named_struct('town', 'Rome')",
                "named_struct('city', 1)",
            ],
            "a struct",
        ),
        ("level", "'High'", &["1", "true"], "an enum"),
        (
            "maybe",
            "CAST(NULL AS BIGINT)",
            &["'1'", "1.5"],
            "`Option<i64>`",
        ),
        ("list", "[1, 2]", &["1", "['a']", "[1.5]"], "`Vec<i64>`"),
        (
            "map",
            "MAP {'k': 9}",
            &["'k'", "MAP {'k': 'v'}", "['k']"],
            "a map",
        ),
    ];
    let ctx = session();
    let (llm, calls) = echo();
    let ask = Ask::new(Store::in_memory(), llm, "mock");
    let table = async |wrong: Option<(&str, &str)>| {
        let column = |(name, right, ..): &(&str, &str, _, _)| match wrong {
            Some((field, column)) if field == *name => format!("{column} AS {name}"),
            _ => format!("{right} AS {name}"),
        };
        let columns: Vec<String> = fields.iter().map(column).collect();
        ctx.sql(&format!("SELECT {}", columns.join(", "))).await
    };
    for (name, _, wrong, rust_type) in fields {
        for column in wrong.iter().copied().chain(["NULL"]) {
            if (*name, column) == ("maybe", "NULL") {
                continue;
            }
            let rows = table(Some((name, column))).await?;
            let asked = rows.ask::<EveryType>(ask.clone());
            let error = asked
                .err()
                .unwrap_or_else(|| panic!("{column} was planned as {name}"));
            let expected = format!("the field `{name}` is {rust_type}, and the column `{name}`");
            assert!(error.to_string().contains(&expected), "{column}: {error}");
        }
    }
    assert_eq!(calls.load(Ordering::Relaxed), 0);
    let asked = table(None).await?.ask::<EveryType>(ask)?;
    let found = shown(asked.select(vec![
        col("answer").field("text"),
        col("answer").field("error"),
    ])?)
    .await?;
    let expected = "true 1 2 3 4 5 6 7 8 1.5 2.5 t Rome High 1 2 k=9";
    assert!(found.contains(expected), "{found}");
    Ok(())
}

#[tokio::test]
async fn nulls_in_lists_are_errors_of_their_rows() -> Result<()> {
    let rows = "SELECT 'a' AS ticket, CAST(NULL AS VARCHAR) AS note, 1 AS priority, column1 AS tags \
        FROM (VALUES (['x']), (['x', NULL]), (NULL))";
    let (llm, calls) = echo();
    let asked = session().sql(rows).await?;
    let asked = asked.ask::<ClassifyRow>(Ask::new(Store::in_memory(), llm, "mock"))?;
    let failed = asked.filter(col("answer").field("error").is_not_null())?;
    let found = shown(failed).await?;
    assert_eq!(calls.load(Ordering::Relaxed), 1, "{found}");
    assert!(
        found.contains("$.tags.item") && found.contains("`tags` is null"),
        "{found}"
    );
    Ok(())
}

/// Bytes that are not UTF-8 instead of text are an error of the query, or of the row where the engine reads them: nothing is sent.
#[tokio::test]
async fn invalid_utf_8_is_an_error() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    std::fs::write(path("rows.jsonl"), b"{\"question\": \"a\xff\"}\n")?;
    std::fs::write(path("rows.csv"), b"question\n\"a\xff\"\n")?;
    let ctx = session();
    let bytes = ctx.sql("SELECT X'61ff' AS question").await?;
    bytes
        .write_parquet(&path("rows.parquet"), Default::default(), None)
        .await?;
    ctx.sql("SET datafusion.execution.parquet.binary_as_string = true")
        .await?;
    let json = datafusion::datasource::file_format::options::JsonReadOptions::default()
        .file_extension(".jsonl");
    let (llm, calls) = echo();
    for (name, table) in [
        ("jsonl", ctx.read_json(path("rows.jsonl"), json).await),
        (
            "csv",
            ctx.read_csv(path("rows.csv"), CsvReadOptions::new()).await,
        ),
        (
            "parquet",
            ctx.read_parquet(path("rows.parquet"), ParquetReadOptions::new())
                .await,
        ),
    ] {
        let asked = async {
            let table = table?.with_column("question", coalesce(vec![col("question"), lit("")]))?;
            let ask = Ask::new(Store::in_memory(), Arc::clone(&llm), "mock");
            let asked = table.ask::<Question>(ask)?;
            shown(asked.select(vec![col("answer").field("error")])?).await
        };
        let error = asked.await.unwrap_or_else(|error| error.to_string());
        let error = error.to_lowercase();
        assert!(
            error.contains("utf-8") || error.contains("utf8"),
            "{name}: {error}"
        );
    }
    assert_eq!(calls.load(Ordering::Relaxed), 0);
    Ok(())
}

mod other {
    use super::Prompt;

    #[derive(Prompt, serde::Deserialize)]
    #[prompt(user = "Answer: <question>")]
    pub(super) struct Question {
        question: String,
    }
}

#[tokio::test]
async fn versions_of_a_prompt_share_a_store_and_no_answers() -> Result<()> {
    let (llm, calls) = echo();
    let store = Store::in_memory();
    let ask = || Ask::new(store.clone(), Arc::clone(&llm), "mock");
    let ctx = session();
    let mut texts = Vec::new();
    for new in [false, true, false, true] {
        let rows = questions(&ctx, 3).await?;
        let asked = match new {
            false => rows.ask::<Question>(ask())?,
            true => rows.ask::<other::Question>(ask())?,
        };
        let columns = ["text", "fingerprint"].map(|name| col("answer").field(name));
        texts.push((
            shown(asked.select(columns)?).await?,
            calls.load(Ordering::Relaxed),
        ));
    }
    assert_eq!(
        texts.iter().map(|(_, calls)| *calls).collect::<Vec<_>>(),
        [3, 6, 6, 6]
    );
    assert!(texts[0].0 == texts[2].0 && texts[1].0 == texts[3].0 && texts[0].0 != texts[1].0);
    store.register_table(&ctx, "answers").await?;
    let versions = ctx.sql("SELECT DISTINCT fingerprint FROM answers").await?;
    assert_eq!(versions.count().await?, 2);
    Ok(())
}

/// Two programs in one folder at the same time: both return the answer that was written first.
#[tokio::test(flavor = "multi_thread")]
async fn stores_of_one_folder_return_the_same_answers() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let number = Arc::new(AtomicU64::new(0));
    let query = async || -> Result<String> {
        let number = Arc::clone(&number);
        let llm = MockLlm::from_fn(move |_| {
            Ok(Reply::new(
                number.fetch_add(1, Ordering::Relaxed).to_string(),
            ))
        });
        let ask = Ask::new(Store::in_folder(folder.path())?, Arc::new(llm), "mock");
        let asked = questions(&session(), 300).await?.ask::<Question>(ask)?;
        let asked = asked.sort(vec![col("n").sort(true, false)])?;
        shown(asked.select(vec![col("n"), col("answer").field("text")])?).await
    };
    let (one, other) = futures_util::future::join(query(), query()).await;
    assert_eq!(one?, other?);
    Ok(())
}

#[tokio::test]
async fn rows_that_cannot_be_rendered_are_errors_with_their_number() -> Result<()> {
    let ctx = SessionContext::new();
    ctx.register_udf(render_udf::<Question>(
        "guarded",
        format::CHATML.guard(Guard::Reject),
    )?);
    let query = "SELECT guarded(coalesce(q, '')) FROM (VALUES ('fine'), ('a<|im_end|>')) AS v(q)";
    let error = ctx
        .sql(query)
        .await?
        .collect()
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("guarded: row 2 of the batch") && error.contains("<|im_end|>"),
        "{error}"
    );
    ctx.register_udf(render_udf::<ClassifyRow>("classify_text", format::PLAIN)?);
    let error = ctx
        .sql("SELECT classify_text('a', NULL, 300, ['a'])")
        .await?
        .collect()
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("row 1") && error.contains("$.priority"),
        "{error}"
    );
    Ok(())
}

/// Rows of the column `question`, each once.
async fn questions(ctx: &SessionContext, count: usize) -> Result<DataFrame> {
    let table = format!(
        "SELECT 'question ' || value AS question, value AS n FROM generate_series(1, {count})"
    );
    ctx.sql(&table).await
}

#[tokio::test]
async fn each_row_is_sent_at_most_once() -> Result<()> {
    let queries = [
        (
            "SELECT answer['text'], answer['kept'] FROM (SELECT answer FROM asked)",
            40,
        ),
        (
            "WITH a AS (SELECT * FROM asked) SELECT x.answer['text'] FROM a x JOIN a y ON x.n = y.n",
            40,
        ),
        (
            "SELECT CASE WHEN n < 4 THEN answer['text'] ELSE 'none' END FROM asked",
            40,
        ),
        ("SELECT question FROM asked ORDER BY answer['text']", 40),
        (
            "SELECT count(*) FROM asked WHERE answer['error'] IS NULL",
            40,
        ),
    ];
    for (query, expected) in queries {
        let ctx = session();
        let (llm, calls) = echo();
        let asked = questions(&ctx, 40).await?.ask::<Question>(Ask::new(
            Store::in_memory(),
            llm,
            "mock",
        ))?;
        ctx.register_table("asked", asked.into_view())?;
        ctx.sql(query).await?.collect().await?;
        assert_eq!(calls.load(Ordering::Relaxed), expected, "{query}");
    }
    Ok(())
}

#[tokio::test]
async fn filters_duplicates_and_later_runs_save_calls() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let run = async |where_clause: &str, table: &str| -> Result<(u64, Vec<RecordBatch>)> {
        let ctx = session();
        let (llm, calls) = echo();
        let rows = ctx
            .sql(&format!(
                "SELECT coalesce(question, '') AS question FROM ({table}) AS t {where_clause}"
            ))
            .await?;
        let asked =
            rows.ask::<Question>(Ask::new(Store::in_folder(folder.path())?, llm, "mock"))?;
        let batches = asked.collect().await?;
        Ok((calls.load(Ordering::Relaxed), batches))
    };
    let table = "SELECT 'q' || (value % 90) AS question, value AS n FROM generate_series(1, 100)";
    assert_eq!(run("WHERE n <= 10", table).await?.0, 10);
    assert_eq!(
        run("", table).await?.0,
        80,
        "ten are known, ten of the others occur twice"
    );
    let (calls, batches) = run("", table).await?;
    assert_eq!(
        (
            calls,
            batches.iter().map(RecordBatch::num_rows).sum::<usize>()
        ),
        (0, 100)
    );
    Ok(())
}

#[tokio::test]
async fn a_failed_row_is_a_value_with_its_error() -> Result<()> {
    let ctx = session();
    let llm = MockLlm::from_fn(|request| {
        let text = request
            .messages
            .last()
            .map(|message| message.text().into_owned())
            .unwrap_or_default();
        match text.as_str() {
            "fails #t" => Err(typed_prompt::Error::new(
                ErrorKind::Model,
                "the server is down",
            )),
            "unfit #t" => Ok("I do not know.".into()),
            _ => Ok(r#"{"label": "bug", "reasons": [{"word": "crash", "kind": "topic"}]}"#.into()),
        }
    });
    let rows = "SELECT coalesce(ticket, '') AS ticket, 'x' AS note_, CAST(NULL AS VARCHAR) AS note, 1 AS priority, ['t'] AS tags \
        FROM (VALUES ('good'), ('fails'), ('unfit')) AS v(ticket)";
    let store = Store::in_memory();
    let ask = Ask::new(store.clone(), Arc::new(llm), "mock");
    let asked = ctx.sql(rows).await?.ask::<ClassifyRow>(ask.clone())?;
    ctx.register_table("asked", asked.into_view())?;
    let query = "SELECT ticket, answer['value']['label'] AS label, answer['value']['reasons'][1]['kind'] AS kind, \
        answer['value']['certainty'] AS certainty, answer['error'] AS error, answer['text'] AS text FROM asked ORDER BY ticket";
    let found = shown(ctx.sql(query).await?).await?;
    assert!(
        found.contains("| good   | bug   | topic |           |"),
        "{found}"
    );
    assert!(found.contains("the server is down"), "{found}");
    assert!(
        found.contains("| unfit  |       |       |") && found.contains("I do not know."),
        "{found}"
    );
    // A request that failed in the network is retried; an answer that does not fit is kept.
    shown(ctx.sql(query).await?).await?;
    assert_eq!(ask.progress().calls, 4);
    store.register_table(&ctx, "all_answers").await?;
    let kept = shown(
        ctx.sql(
            "SELECT prompt, count(*) AS n, count(error) AS errors FROM all_answers GROUP BY prompt",
        )
        .await?,
    )
    .await?;
    assert!(kept.contains("| Classify | 2 | 1      |"), "{kept}");
    Ok(())
}

#[tokio::test]
async fn the_limit_of_calls_is_kept() -> Result<()> {
    let ctx = session();
    let (llm, calls) = echo();
    let store = Store::in_memory();
    let limited = Ask::new(store.clone(), Arc::clone(&llm), "mock")
        .max_calls(7)
        .concurrency(4);
    let asked = questions(&ctx, 20).await?.ask::<Question>(limited)?;
    ctx.register_table("asked", asked.into_view())?;
    let found = shown(
        ctx.sql("SELECT answer['error'] AS e, count(*) AS n FROM asked GROUP BY e ORDER BY n")
            .await?,
    )
    .await?;
    assert!(
        found.contains("the limit of 7 requests is reached | 13"),
        "{found}"
    );
    assert_eq!(calls.load(Ordering::Relaxed), 7);
    let rest = questions(&ctx, 20)
        .await?
        .ask::<Question>(Ask::new(store, llm, "mock").column("a"))?;
    let rest = rest.filter(col("a").field("error").is_null())?;
    assert_eq!(
        (rest.count().await?, calls.load(Ordering::Relaxed)),
        (20, 20)
    );
    Ok(())
}

#[tokio::test]
async fn the_token_budget_is_kept_and_progress_is_counted() -> Result<()> {
    let ctx = session();
    let llm = Arc::new(MockLlm::from_fn(|_| {
        Ok(Reply::new("yes").with_usage(Usage::new(90, 10)))
    }));
    let store = Store::in_memory();
    let ask = Ask::new(store.clone(), llm, "mock")
        .concurrency(1)
        .token_budget(500);
    let rows = || questions(&ctx, 8);
    let asked = rows().await?.ask::<Question>(ask.clone())?;
    let answers = shown(asked.select(vec![col("answer").field("error").alias("e")])?).await?;
    let spent = "the budget of 500 tokens is spent: 500 were used";
    assert_eq!(answers.matches(spent).count(), 3, "{answers}");
    let progress = ask.progress();
    assert_eq!((progress.rows, progress.failed, progress.calls), (8, 3, 5));
    assert_eq!((progress.input_tokens, progress.output_tokens), (450, 50));
    assert_eq!(progress.cost(2.0, 10.0), 0.0014);
    assert!(progress.remaining_time(16).unwrap() >= progress.elapsed);

    let later = Ask::new(store, Arc::new(MockLlm::new(["a", "b", "c"])), "mock");
    rows()
        .await?
        .ask::<Question>(later.clone())?
        .collect()
        .await?;
    assert_eq!((later.progress().kept, later.progress().calls), (5, 3));
    Ok(())
}

/// A server that accepts four requests at a time, and refuses the others.
struct Narrow {
    waiting: AtomicU64,
    refused: AtomicU64,
}

impl Llm for Narrow {
    fn send<'a>(
        &'a self,
        request: &'a typed_prompt::Request,
    ) -> typed_prompt::llm::BoxFuture<'a, typed_prompt::Result<Reply>> {
        Box::pin(async move {
            let waiting = self.waiting.fetch_add(1, Ordering::SeqCst);
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
            self.waiting.fetch_sub(1, Ordering::SeqCst);
            if waiting >= 4 {
                self.refused.fetch_add(1, Ordering::SeqCst);
                return Err(Error::new(ErrorKind::Model, "too many requests"));
            }
            Ok(Reply::new(request.messages[0].text()))
        })
    }
}

#[tokio::test]
async fn an_overloaded_server_receives_fewer_requests() -> Result<()> {
    let ctx = session();
    let mut refused = Vec::new();
    for slows_down in [false, true] {
        let server = Arc::new(Narrow {
            waiting: AtomicU64::new(0),
            refused: AtomicU64::new(0),
        });
        let llm: Arc<dyn Llm> = Arc::clone(&server) as _;
        let ask = Ask::new(Store::in_memory(), llm, "narrow")
            .concurrency(64)
            .reduce_concurrency_on(move |error| slows_down && error.kind() == ErrorKind::Model);
        let asked = questions(&ctx, 1000).await?.ask::<Question>(ask.clone())?;
        asked.collect().await?;
        let progress = ask.progress();
        let count = server.refused.load(Ordering::SeqCst);
        assert_eq!((progress.rows, progress.failed), (1000, count));
        assert!(!slows_down || progress.concurrency <= 8, "{progress:?}");
        refused.push(count);
    }
    assert!(refused[1] * 3 < refused[0], "{refused:?}");
    Ok(())
}

/// A type that is only a string is read from JSON in SQL as in Rust, also when it is read from the store.
#[tokio::test]
async fn the_column_has_the_value_that_rust_reads() -> Result<()> {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct City(String);

    #[derive(Prompt, serde::Deserialize)]
    #[prompt(user = "<question>", output = City)]
    struct Capital {
        question: String,
    }

    let ctx = session();
    let store = Store::in_memory();
    for text in ["\"Munich\"", "Munich"] {
        let City(expected) = Capital::parse_reply(&Reply::new(text)).unwrap();
        assert_eq!(expected, "Munich");
        for _ in 0..2 {
            let llm = Arc::new(MockLlm::from_fn(move |_| Ok(Reply::new(text))));
            let ask = Ask::new(store.clone(), llm, text);
            let asked = questions(&ctx, 1).await?.ask::<Capital>(ask)?;
            let value = col("answer").field("value").alias("value");
            let table = shown(asked.select(vec![value])?).await?;
            assert!(table.contains(&format!("| {expected} ")), "{table}");
            assert!(!table.contains('"'), "{table}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn models_options_and_repeats_have_separate_answers() -> Result<()> {
    let ctx = session();
    let (llm, calls) = echo();
    let store = Store::in_memory();
    let ask = |model: &str| Ask::new(store.clone(), Arc::clone(&llm), model);
    let options = typed_prompt::llm::Options {
        seed: Some(1),
        ..Default::default()
    };
    let different = [
        ask("a"),
        ask("b"),
        ask("a").sample(1),
        ask("a").options(options),
        ask("a"),
    ];
    for ask in different {
        questions(&ctx, 3)
            .await?
            .ask::<Question>(ask)?
            .collect()
            .await?;
    }
    assert_eq!(calls.load(Ordering::Relaxed), 12);
    Ok(())
}

const LATENCY: std::time::Duration = std::time::Duration::from_millis(20);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_keep_their_order_and_the_window_slides() -> Result<()> {
    struct Slow;
    impl Llm for Slow {
        fn send<'a>(
            &'a self,
            request: &'a typed_prompt::Request,
        ) -> typed_prompt::llm::BoxFuture<'a, typed_prompt::Result<Reply>> {
            Box::pin(async move {
                tokio::time::sleep(LATENCY).await;
                Ok(Reply::new(request.messages[0].text()))
            })
        }
    }
    let ctx = session();
    let ask = Ask::new(Store::in_memory(), Arc::new(Slow), "slow").concurrency(64);
    let count = std::env::var("ROWS").map_or(1280, |rows| rows.parse().unwrap());
    let rows = questions(&ctx, count)
        .await?
        .sort(vec![col("n").sort(true, false)])?;
    let asked = rows.ask::<Question>(ask)?;
    let start = std::time::Instant::now();
    let batches = asked
        .select(vec![
            col("question"),
            col("answer").field("text").alias("text"),
        ])?
        .collect()
        .await?;
    let seconds = start.elapsed().as_secs_f64();
    let ideal = count.div_ceil(64) as f64 * 0.02;
    let start = std::time::Instant::now();
    let sleeps = stream::iter(0..count).map(|_| tokio::spawn(tokio::time::sleep(LATENCY)));
    sleeps.buffer_unordered(64).for_each(async |_| ()).await;
    let timer = start.elapsed().as_secs_f64();
    println!(
        "{count} rows at 20 ms with 64 requests at a time: {seconds:.2} s; the latency alone {ideal:.2} s, with the runtime's timer {timer:.2} s"
    );
    let table = pretty_format_batches(&batches)?.to_string();
    let rows: Vec<Vec<&str>> = table
        .lines()
        .filter(|line| line.contains("question "))
        .map(|line| {
            line.split('|')
                .map(str::trim)
                .filter(|cell| cell.starts_with("question "))
                .collect()
        })
        .collect();
    let expected: Vec<String> = (1..=count).map(|n| format!("question {n}")).collect();
    let found: Vec<&str> = rows.iter().flatten().copied().collect();
    let expected: Vec<&str> = expected
        .iter()
        .flat_map(|text| [text.as_str(); 2])
        .collect();
    assert!(found == expected, "the rows are not in order");
    assert!(seconds < 10.0 * ideal, "{seconds}");
    Ok(())
}

/// A query that is cancelled at any moment, 20 times: answered requests are not sent again.
#[tokio::test(flavor = "multi_thread")]
async fn cancelled_queries_lose_no_answer() -> Result<()> {
    struct Counted(AtomicU64);
    impl Llm for Counted {
        fn send<'a>(
            &'a self,
            request: &'a typed_prompt::Request,
        ) -> typed_prompt::llm::BoxFuture<'a, typed_prompt::Result<Reply>> {
            Box::pin(async move {
                self.0.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(std::time::Duration::from_millis(3)).await;
                Ok(Reply::new(request.messages[0].text()))
            })
        }
    }
    let folder = tempfile::tempdir()?;
    let llm = Arc::new(Counted(AtomicU64::new(0)));
    let asked = async |ctx: &SessionContext| -> Result<DataFrame> {
        let ask = Ask::new(
            Store::in_folder(folder.path())?,
            Arc::clone(&llm) as Arc<dyn Llm>,
            "mock",
        );
        questions(ctx, 2000)
            .await?
            .ask::<Question>(ask.concurrency(8))
    };
    for fault in 0..20_u64 {
        let frame = asked(&session()).await?;
        let query = tokio::spawn(frame.collect());
        tokio::time::sleep(std::time::Duration::from_millis(1 + fault * 37 % 40)).await;
        query.abort();
        drop(query.await);
    }
    let frame = asked(&session())
        .await?
        .filter(col("answer").field("text").eq(col("question")))?;
    assert_eq!(frame.count().await?, 2000);
    let calls = llm.0.load(Ordering::Relaxed);
    assert!((2000..=2000 + 20 * 8).contains(&calls), "{calls} calls");
    assert_eq!(asked(&session()).await?.count().await?, 2000);
    assert_eq!(
        llm.0.load(Ordering::Relaxed),
        calls,
        "a later query asks nothing"
    );
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn two_queries_at_once_share_their_answers() -> Result<()> {
    let (llm, calls) = echo();
    let store = Store::in_memory();
    let query = async || -> Result<usize> {
        let ask = Ask::new(store.clone(), Arc::clone(&llm), "mock");
        questions(&session(), 500)
            .await?
            .ask::<Question>(ask)?
            .count()
            .await
    };
    let (one, other) = futures_util::future::join(query(), query()).await;
    assert_eq!(
        (one?, other?, calls.load(Ordering::Relaxed)),
        (500, 500, 500)
    );
    Ok(())
}

#[tokio::test]
async fn large_cells_are_sent_unchanged() -> Result<()> {
    let ctx = session();
    let (llm, _) = echo();
    let rows = ctx
        .sql("SELECT coalesce(repeat('0123456789', 1000000), '') AS question")
        .await?;
    let asked = rows.ask::<Question>(Ask::new(Store::in_memory(), llm, "mock"))?;
    let same = asked.filter(col("answer").field("text").eq(col("question")))?;
    assert_eq!(same.count().await?, 1);
    Ok(())
}

#[tokio::test]
async fn a_damaged_answer_is_an_error_that_names_it() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let query = async || -> Result<usize> {
        let (llm, _) = echo();
        let ask = Ask::new(Store::in_folder(folder.path())?, llm, "mock");
        questions(&session(), 1)
            .await?
            .ask::<Question>(ask)?
            .count()
            .await
    };
    assert_eq!(query().await?, 1);
    let inside = |folder: &std::path::Path| -> Result<std::path::PathBuf> {
        let entries: Vec<_> = std::fs::read_dir(folder)?.collect::<std::io::Result<_>>()?;
        assert_eq!(entries.len(), 1);
        Ok(entries[0].path())
    };
    let answer = inside(&inside(&folder.path().join("answers"))?)?;
    // Cut, empty, and of another format.
    for damaged in ["{\"key\": ", "", "{}\n", "null"] {
        std::fs::write(&answer, damaged)?;
        let error = query().await.unwrap_err().to_string();
        assert!(
            error.contains("cannot be read") && error.contains("delete it to ask again"),
            "{damaged}: {error}"
        );
    }
    Ok(())
}

#[tokio::test]
async fn an_option_without_effect_is_an_error() -> Result<()> {
    let ctx = session();
    let (llm, calls) = echo();
    let ask = Ask::new(Store::in_memory(), llm, "echo").output_retries(1);
    let error = questions(&ctx, 3).await?.ask::<Question>(ask).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("`output_retries` has no effect in a query"),
        "{error}"
    );
    assert_eq!(calls.load(Ordering::Relaxed), 0);
    Ok(())
}
