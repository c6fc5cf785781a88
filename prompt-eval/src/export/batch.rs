//! OpenAI's batch files, which vLLM's `run-batch` reads too.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use prompt_core::openai::answer;
use prompt_core::{Options, Prompt, Reply};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{Error, Result, Row};

/// Writes rows as requests that a server works off: one JSON object on each line, each with an id that the answers come
/// back with.
///
/// ```
/// use prompt_core::{Message, Messages};
/// use prompt_eval::{Row, export::BatchWriter};
///
/// let mut file = Vec::new();
/// let mut batch = BatchWriter::to(&mut file, "llama-3");
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
    count: u64,
}

impl BatchWriter<File> {
    /// Writes into a new file.
    ///
    /// # Errors
    /// A file that is there already, or cannot be made.
    pub fn create(path: impl AsRef<Path>, model: impl Into<String>) -> Result<BatchWriter<File>> {
        let path = path.as_ref();
        let file =
            File::create_new(path).map_err(|error| Error::io(path, "it cannot be made", error))?;
        let mut batch = BatchWriter::to(file, model);
        batch.path = path.to_owned();
        Ok(batch)
    }
}

impl<W: Write> BatchWriter<W> {
    /// Writes into anything.
    pub fn to(out: W, model: impl Into<String>) -> BatchWriter<W> {
        BatchWriter {
            out: BufWriter::new(out),
            path: PathBuf::from("the batch"),
            model: model.into(),
            options: Options::default(),
            count: 0,
        }
    }

    /// Sets the options of every request.
    pub fn options(mut self, options: Options) -> BatchWriter<W> {
        self.options = options;
        self
    }

    /// Adds a row. Its answer is not in it.
    ///
    /// # Errors
    /// A prompt that cannot be written, and a disk that is full.
    pub fn add<P: Prompt>(&mut self, row: &Row<P>) -> Result<()> {
        let placed = |error: Error| error.at_row(row.number);
        let messages = row.value.messages();
        messages.check().map_err(|error| placed(error.into()))?;
        let json = |error: serde_json::Error| placed(Error::new(error.to_string()));
        let mut body = serde_json::to_string(&messages.openai()).map_err(json)?;
        let options = &self.options;
        let more = More {
            temperature: options.temperature,
            top_p: options.top_p,
            max_tokens: options.max_tokens,
            seed: options.seed,
            stop: &options.stop,
            response_format: P::output_schema().map(|schema| {
                let name = schema_name(P::INFO.name);
                json!({"type": "json_schema", "json_schema": {"name": name, "schema": schema}})
            }),
        };
        let more = serde_json::to_string(&more).map_err(json)?;
        let model = serde_json::to_string(&self.model).map_err(json)?;
        body.replace_range(..1, &format!("{{\"model\":{model},"));
        if more != "{}" {
            body.replace_range(body.len() - 1.., &format!(",{}", &more[1..]));
        }
        let number = row.number;
        writeln!(
            self.out,
            "{{\"custom_id\":\"row-{number}\",\"method\":\"POST\",\"url\":\"/v1/chat/completions\",\"body\":{body}}}"
        )
        .map_err(|error| placed(self.full(error)))?;
        self.count += 1;
        Ok(())
    }

    fn full(&self, error: std::io::Error) -> Error {
        Error::io(&self.path, "the batch cannot be written", error)
    }

    /// Writes what is left, and says how many rows there are.
    ///
    /// # Errors
    /// A disk that is full.
    pub fn finish(mut self) -> Result<u64> {
        let flushed = self.out.flush();
        flushed.map_err(|error| self.full(error))?;
        Ok(self.count)
    }
}

/// What a request says besides its model and messages.
#[derive(Serialize)]
struct More<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    stop: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Value>,
}

/// A row of a batch that came back.
#[derive(Debug)]
pub struct Answered<O> {
    /// The row, counted from 1.
    pub row: u64,
    /// The answer, or why there is none that can be read.
    pub answer: Result<O>,
}

/// Reads the answers of a batch, matched to their rows by their ids, in the order of the file.
///
/// A row whose request failed, or whose answer does not fit the prompt's output, is there with its error.
///
/// # Errors
/// A file that cannot be opened. A line that is no answer of a batch, and a row that is answered twice, are items.
///
/// ```
/// use prompt_core::Messages;
/// use prompt_eval::export::answers;
///
/// let file = r#"{"custom_id":"row-7","response":{"status_code":200,"body":{"choices":[{"message":{"content":"Hello"}}]}}}"#;
/// let all: Vec<_> = answers::<Messages>(file.as_bytes(), "out.jsonl").collect::<Result<_, _>>()?;
/// assert_eq!((all[0].row, all[0].answer.as_deref().unwrap()), (7, "Hello"));
/// # Ok::<(), prompt_eval::Error>(())
/// ```
pub fn answers<P: Prompt>(
    file: impl Read,
    name: impl AsRef<Path>,
) -> impl Iterator<Item = Result<Answered<P::Output>>> {
    let name = name.as_ref().to_owned();
    let mut lines = BufReader::new(file).lines().zip(1_u64..);
    let (mut seen, mut over) = (BTreeSet::new(), false);
    std::iter::from_fn(move || {
        while !over {
            let (line, number) = lines.next()?;
            let line = match line {
                Ok(line) if line.trim().is_empty() => continue,
                Ok(line) => line,
                Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                    return Some(Err(Error::new("the line is not UTF-8")
                        .in_file(&name)
                        .at_row(number)));
                }
                Err(error) => {
                    over = true;
                    return Some(Err(Error::io(&name, "it cannot be read", error)));
                }
            };
            let read = answered::<P>(&line).and_then(|answered| {
                if seen.insert(answered.row) {
                    return Ok(answered);
                }
                let message = format!("`row-{}` is answered a second time", answered.row);
                Err(Error::new(message))
            });
            return Some(read.map_err(|error| error.in_file(&name).at_row(number)));
        }
        None
    })
}

fn answered<P: Prompt>(line: &str) -> Result<Answered<P::Output>> {
    let value: Value = serde_json::from_str(line.trim_start_matches('\u{feff}'))
        .map_err(|error| Error::new(format!("this is no JSON: {error}")))?;
    let id = value["custom_id"].as_str().unwrap_or_default();
    let row = id.strip_prefix("row-").and_then(|row| row.parse().ok());
    let Some(row) = row.filter(|row: &u64| *row > 0 && id == format!("row-{row}")) else {
        return Err(Error::new(format!("the id `{id}` is of no row")).at_column("custom_id"));
    };
    let response = &value["response"];
    let body = &response["body"];
    let error = value.get("error").filter(|error| !error.is_null());
    let answer = if let Some(error) = error.or_else(|| answer::error(body)) {
        let said = error["message"].as_str().or_else(|| error.as_str());
        let said = said.map_or_else(|| error.to_string(), str::to_owned);
        let status = match response["status_code"].as_u64() {
            None | Some(200) => String::new(),
            Some(status) => format!(" (status {status})"),
        };
        Err(Error::new(format!("the request failed{status}: {said}")))
    } else if answer::message(body).is_none_or(is_empty) {
        let status = response["status_code"].as_u64().unwrap_or(0);
        let said = body["message"].as_str().map(|said| format!(": {said}"));
        let said = said.unwrap_or_default();
        Err(Error::new(format!(
            "the request has no answer (status {status}){said}"
        )))
    } else {
        let reply = Reply::from_openai(body);
        reply.and_then(|reply| P::read(&reply)).map_err(Error::from)
    };
    Ok(Answered { row, answer })
}

/// Whether a message says nothing at all, which is not the same as an answer without words.
fn is_empty(message: &Value) -> bool {
    let holds = |key: &str| match &message[key] {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        _ => true,
    };
    !["content", "refusal", "tool_calls", "function_call"]
        .into_iter()
        .any(holds)
}

/// A name that OpenAI takes for a schema: letters, digits and `_`, at most 64.
fn schema_name(prompt: &str) -> String {
    let is_plain = |char: &char| char.is_ascii_alphanumeric() || *char == '_';
    let name: String = prompt.chars().filter(is_plain).take(64).collect();
    match name.is_empty() {
        true => "answer".to_owned(),
        false => name,
    }
}
