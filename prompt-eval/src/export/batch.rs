//! Batch files of OpenAI's API, which vLLM's `run-batch` supports too.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use prompt_base::file::owner_only;
use prompt_core::openai::answer;
use prompt_core::openai::{ChatRequest, schema_name};
use prompt_core::output::describe_output;
use prompt_core::{Options, Prompt, Reply, Structured};
use serde::Serialize;
use serde_json::Value;

use crate::results::read_line;
use crate::{DataError, Row};

/// Writes rows as batch requests: one JSON object per line, with an id that the answers contain as well.
///
/// ```
/// use typed_prompt::{Message, Messages, eval::{Row, export::BatchWriter}};
///
/// let mut file = Vec::new();
/// let mut batch = BatchWriter::new(&mut file, "llama-3");
/// batch.add(&Row { number: 7, value: Messages::from([Message::user("Hi")]) })?;
/// batch.finish()?;
/// assert_eq!(
///     String::from_utf8(file)?,
///     "{\"custom_id\":\"row-7\",\"method\":\"POST\",\"url\":\"/v1/chat/completions\",\
///      \"body\":{\"model\":\"llama-3\",\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}}\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BatchWriter<W: Write> {
    out: BufWriter<W>,
    path: PathBuf,
    model: String,
    options: Options,
    /// The numbers of the rows.
    rows: BTreeSet<u64>,
}

impl BatchWriter<File> {
    /// Writes into a new file.
    ///
    /// # Errors
    /// The file exists already, or cannot be created.
    pub fn create(
        path: impl AsRef<Path>,
        model: impl Into<String>,
    ) -> Result<BatchWriter<File>, DataError> {
        let path = path.as_ref();
        let file = owner_only(File::options().write(true).create_new(true))
            .open(path)
            .map_err(|error| DataError::io_error(path, "it cannot be created", error))?;
        let mut batch = BatchWriter::new(file, model);
        batch.path = path.to_owned();
        Ok(batch)
    }
}

impl<W: Write> BatchWriter<W> {
    /// Writes into any writer.
    pub fn new(out: W, model: impl Into<String>) -> BatchWriter<W> {
        BatchWriter {
            out: BufWriter::new(out),
            path: PathBuf::from("the batch"),
            model: model.into(),
            options: Options::default(),
            rows: BTreeSet::new(),
        }
    }

    prompt_core::option_setters!(|self| self.options);

    /// Adds a row, without its answer. The schema of an answer that is not an object is described in the prompt.
    ///
    /// # Errors
    /// A row with this number was added before, the prompt cannot be rendered, or the request cannot be written.
    pub fn add<P: Prompt>(&mut self, row: &Row<P>) -> Result<(), DataError> {
        let locate = |error: DataError| error.at_row(row.number);
        let messages = row.value.messages();
        let mut messages = messages.map_err(|error| locate(error.into()))?;
        if !self.rows.insert(row.number) {
            let message = format!("`row-{}` is in the batch already", row.number);
            return Err(locate(DataError::new(message).with_help(
                "number the rows of several datasets without repetition: the answers are identified by these numbers",
            )));
        }
        let mut schema = P::output_schema();
        // The API accepts schemas of objects only. Any other schema is described in the prompt.
        if let Some(other) = schema.take_if(|schema| schema["type"] != "object") {
            messages = describe_output(&messages, &other, &Structured::Described);
        }
        let name = schema_name(P::INFO.name);
        let mut body = ChatRequest::new(&self.model, &messages).options(&self.options);
        if let Some(schema) = &schema {
            body = body.schema(&name, schema);
        }
        let line = Line {
            custom_id: format!("row-{}", row.number),
            method: "POST",
            url: "/v1/chat/completions",
            body,
        };
        let line = serde_json::to_string(&line)
            .map_err(|error| locate(DataError::new(error.to_string())))?;
        writeln!(self.out, "{line}").map_err(|error| locate(self.write_error(error)))?;
        Ok(())
    }

    fn write_error(&self, error: std::io::Error) -> DataError {
        DataError::io_error(&self.path, "the batch cannot be written", error)
    }

    /// Flushes the writer, and returns the number of rows.
    ///
    /// # Errors
    /// The requests cannot be written.
    pub fn finish(mut self) -> Result<u64, DataError> {
        let flushed = self.out.flush();
        flushed.map_err(|error| self.write_error(error))?;
        Ok(self.rows.len() as u64)
    }
}

#[derive(Serialize)]
struct Line<'a> {
    custom_id: String,
    method: &'static str,
    url: &'static str,
    body: ChatRequest<'a>,
}

/// The answer to a row of a batch.
#[derive(Debug)]
pub struct BatchAnswer<O> {
    /// The number of the row, from 1.
    pub row: u64,
    /// The answer, or why there is none.
    pub answer: Result<O, DataError>,
}

/// Reads the answers of a batch in the order of the file. Their ids contain the numbers of their rows.
///
/// The answer of a row is an error if its request failed, or if its reply does not match the output type.
///
/// # Errors
/// A line that is not an answer, or a second answer to a row, is an item with an error.
///
/// ```
/// use typed_prompt::{Messages, eval::export::parse_batch};
///
/// let file = r#"{"custom_id":"row-7","response":{"status_code":200,"body":{"choices":[{"message":{"content":"Hello"}}]}}}"#;
/// let all: Vec<_> = parse_batch::<Messages>(file.as_bytes(), "out.jsonl").collect::<Result<_, _>>()?;
/// assert_eq!((all[0].row, all[0].answer.as_deref().unwrap()), (7, "Hello"));
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
pub fn parse_batch<P: Prompt>(
    file: impl Read,
    name: impl AsRef<Path>,
) -> impl Iterator<Item = Result<BatchAnswer<P::Output>, DataError>> {
    let name = name.as_ref().to_owned();
    let (mut reader, mut number) = (BufReader::new(file), 0);
    let (mut seen, mut ended) = (BTreeSet::new(), false);
    std::iter::from_fn(move || {
        while !ended {
            number += 1;
            let line = match read_line(&mut reader) {
                Ok(line) if line.is_empty() => break,
                Ok(line) if line.trim_ascii().is_empty() => continue,
                Ok(line) => line,
                Err(error) => {
                    ended = true;
                    return Some(Err(DataError::io_error(&name, "it cannot be read", error)));
                }
            };
            let read = parse_line::<P>(&line).and_then(|answer| {
                if seen.insert(answer.row) {
                    return Ok(answer);
                }
                let message = format!("`row-{}` has a second answer", answer.row);
                Err(DataError::new(message))
            });
            return Some(read.map_err(|error| error.in_file(&name).at_row(number)));
        }
        None
    })
}

fn parse_line<P: Prompt>(line: &[u8]) -> Result<BatchAnswer<P::Output>, DataError> {
    let line = std::str::from_utf8(line).map_err(|_| DataError::new("the line is not UTF-8"))?;
    let value: Value = serde_json::from_str(line.trim_start_matches('\u{feff}'))
        .map_err(|error| DataError::new(format!("this is not JSON: {error}")))?;
    let id = value["custom_id"].as_str().unwrap_or_default();
    let row = id.strip_prefix("row-").and_then(|row| row.parse().ok());
    let Some(row) = row.filter(|row: &u64| *row > 0 && id == format!("row-{row}")) else {
        return Err(
            DataError::new(format!("the id `{id}` does not belong to a row"))
                .at_column("custom_id"),
        );
    };
    let response = &value["response"];
    let body = &response["body"];
    let error = value.get("error").filter(|error| !error.is_null());
    let answer = if let Some(error) = error.or_else(|| answer::error(body)) {
        let reason = error["message"].as_str().or_else(|| error.as_str());
        let reason = reason.map_or_else(|| error.to_string(), str::to_owned);
        let status = match response["status_code"].as_u64() {
            None | Some(200) => String::new(),
            Some(status) => format!(" (status {status})"),
        };
        Err(DataError::new(format!(
            "the request failed{status}: {reason}"
        )))
    } else if answer::message(body).is_none_or(is_empty) {
        let status = response["status_code"].as_u64().unwrap_or(0);
        let reason = body["message"].as_str().map(|reason| format!(": {reason}"));
        let reason = reason.unwrap_or_default();
        Err(DataError::new(format!(
            "the request has no answer (status {status}){reason}"
        )))
    } else {
        let reply = Reply::from_openai(body);
        reply
            .and_then(|reply| P::parse_reply(&reply))
            .map_err(DataError::from)
    };
    Ok(BatchAnswer { row, answer })
}

/// Whether a message has no content at all, which is different from an empty text.
fn is_empty(message: &Value) -> bool {
    let is_set = |key: &str| match &message[key] {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        _ => true,
    };
    !["content", "refusal", "tool_calls", "function_call"]
        .into_iter()
        .any(is_set)
}
