//! The results file: one JSON object per row, appended as soon as the row is finished.

use std::collections::{BTreeMap, HashMap};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use fs4::TryLockError;
use prompt_base::file::owner_only;
use prompt_core::{FinishReason, Reply, ToolCall, Usage};
use serde::{Deserialize, Serialize};

use crate::metric_summary::MetricSummary;
use crate::{DataError, RunHead};

/// The result of a row: one line of the results file.
///
/// ```
/// use typed_prompt::eval::RowResult;
///
/// let line = r#"{"row":7,"prompt":"00f1","answers":["4"],"scores":{"exact match":1.0}}"#;
/// let result: RowResult = serde_json::from_str(line)?;
/// assert_eq!((result.row, result.answers[0].as_str()), (7, "4"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RowResult {
    /// The number of the row, from 1.
    pub row: u64,
    /// The number of the answer among the [`repeats`](crate::Eval::repeats) of the row, from 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub repeat: u64,
    /// The fingerprint of the prompt, which shows whether the row has changed.
    pub prompt: String,
    /// The answers of the model, one per turn.
    pub answers: Vec<String>,
    /// Why each answer ended, if the model reports it.
    #[serde(default, skip_serializing_if = "has_no_reason")]
    pub finish: Vec<Option<String>>,
    /// The seed of the requests, if one is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// What was repaired in the notation of the answer, by the schema of the output type, each with its position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<String>,
    /// The tool calls of the answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) calls: Vec<StoredCall>,
    /// The score of each metric.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "pairs")]
    pub scores: Vec<(String, f64)>,
    /// The metrics that do not read the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unscored: Vec<String>,
    /// The likelihood of each choice of a [`MultipleChoice`](crate::MultipleChoice) evaluation.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "pairs")]
    pub likelihoods: Vec<(String, f64)>,
    /// Why the answer could not be parsed as the prompt's output. Its scores are 0.
    #[serde(default, rename = "unread", skip_serializing_if = "Option::is_none")]
    pub parse_error: Option<String>,
    /// How many few-shot examples were left out because of the budget.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dropped: u64,
    /// The tokens of all answers, if the model reports them.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "token_counts"
    )]
    pub usage: Option<Usage>,
    /// The cost of all answers, by the prices of [`Eval::cost`](crate::Eval::cost).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// The seconds from the first request to the last answer, with retries and waits for a rate limit.
    #[serde(default)]
    pub seconds: f64,
    /// The model that answered, if it reports its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Whether this line replaces an earlier one: the answers are the same, and were scored again.
    #[serde(default, skip_serializing_if = "is_false")]
    pub rescored: bool,
}

/// A tool call of an answer: an output may be parsed from it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct StoredCall {
    /// The index of the answer.
    pub(crate) answer: usize,
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    pub(crate) arguments: String,
}

impl RowResult {
    fn answer_key(&self) -> AnswerKey {
        (self.row, self.repeat)
    }

    /// The row, and the answer where there are several.
    pub(crate) fn title(&self) -> String {
        answer_title(self.row, self.repeat)
    }

    /// Adds a score, or the name of a metric that does not read the answer. If another one has the same name, the name is numbered.
    pub(crate) fn add_score(&mut self, name: &str, score: Option<f64>) -> Result<(), DataError> {
        let unique = numbered_name(name, |name| {
            let mut scored = self.scores.iter().map(|(other, _)| other);
            scored.any(|other| other == name) || self.unscored.iter().any(|other| other == name)
        });
        // A mean of numbers that are at most 1 may exceed 1 by rounding.
        let range = 0.0..=1.0 + 1e-9;
        match score {
            Some(score) if range.contains(&score) => self.scores.push((unique, score)),
            Some(score) => {
                let message = format!(
                    "the metric `{unique}` returns {score}, which is not a score from 0 to 1"
                );
                let help = match score > 1.0 {
                    true => {
                        "correct it: 1 is the best score, so that a percentage is divided by 100"
                    }
                    false => "correct it",
                };
                return Err(DataError::new(message).with_help(help).can_resume());
            }
            None => self.unscored.push(unique),
        }
        Ok(())
    }

    /// The replies of the model, as far as their scores depend on them.
    pub(crate) fn replies(&self) -> Vec<Reply> {
        let replies = self.answers.iter().enumerate();
        let replies = replies.map(|(index, answer)| {
            let mut reply = Reply::new(answer);
            let finish = self.finish.get(index).cloned().flatten();
            reply.finish = finish.map(|finish| FinishReason::from_name(&finish));
            for call in self.calls.iter().filter(|call| call.answer == index) {
                reply.tool_calls.push(ToolCall {
                    id: call.id.clone(),
                    name: call.name.clone(),
                    arguments: call.arguments.clone(),
                });
            }
            reply
        });
        replies.collect()
    }

    /// Whether an answer has neither text nor a tool call.
    pub(crate) fn has_empty_answer(&self) -> bool {
        let mut answers = self.answers.iter().enumerate();
        answers.any(|(index, text)| {
            text.trim().is_empty() && self.calls.iter().all(|call| call.answer != index)
        })
    }

    /// Takes over what was measured when the answers arrived.
    pub(crate) fn set_measured(&mut self, stored: &RowResult) {
        self.seed = stored.seed;
        self.usage = stored.usage;
        self.seconds = stored.seconds;
        self.model.clone_from(&stored.model);
    }

    /// Whether the scores, the cost and the repairs are those of an earlier line.
    pub(crate) fn has_figures_of(&self, stored: &RowResult) -> bool {
        // A number may change in its last bit when it is read.
        let is_near =
            |own: f64, theirs: f64| (own - theirs).abs() <= 1e-12 * own.abs().max(theirs.abs());
        let is_same = |(own, theirs): (&(String, f64), &(String, f64))| {
            own.0 == theirs.0 && is_near(own.1, theirs.1)
        };
        let is_same_cost = match (self.cost, stored.cost) {
            (Some(own), Some(theirs)) => is_near(own, theirs),
            (own, theirs) => own == theirs,
        };
        is_same_cost
            && self.parse_error == stored.parse_error
            && self.repairs == stored.repairs
            && self.unscored == stored.unscored
            && self.scores.len() == stored.scores.len()
            && self.scores.iter().zip(&stored.scores).all(is_same)
    }
}

/// The name of an answer: its row, and its number where the row has several.
pub(crate) fn answer_title(row: u64, repeat: u64) -> String {
    match repeat {
        0 => format!("row {row}"),
        repeat => format!("row {row}, repeat {repeat}"),
    }
}

/// A name that is not taken: with a number, if it is.
pub(crate) fn numbered_name(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut unique = name.to_owned();
    let mut number = 2;
    while is_taken(&unique) {
        unique = format!("{name} {number}");
        number += 1;
    }
    unique
}

fn has_no_reason(finish: &[Option<String>]) -> bool {
    finish.iter().all(Option::is_none)
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Serialization of token counts, by the names of [`Usage`].
mod token_counts {
    use prompt_core::Usage;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct TokenCounts {
        input: u64,
        output: u64,
        #[serde(default, skip_serializing_if = "super::is_zero")]
        cached_input: u64,
        #[serde(default, skip_serializing_if = "super::is_zero")]
        cache_writes: u64,
        #[serde(default, skip_serializing_if = "super::is_zero")]
        reasoning: u64,
    }

    pub(super) fn serialize<S: Serializer>(
        usage: &Option<Usage>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let counts = usage.map(|usage| TokenCounts {
            input: usage.input,
            output: usage.output,
            cached_input: usage.cached_input,
            cache_writes: usage.cache_writes,
            reasoning: usage.reasoning,
        });
        counts.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Usage>, D::Error> {
        let counts = Option::<TokenCounts>::deserialize(deserializer)?;
        Ok(counts.map(|counts| {
            let mut usage = Usage::new(counts.input, counts.output);
            usage.cached_input = counts.cached_input;
            usage.cache_writes = counts.cache_writes;
            usage.reasoning = counts.reasoning;
            usage
        }))
    }
}

/// Serialization of name-value pairs as an object that keeps their order.
mod pairs {
    use std::fmt;

    use serde::de::{MapAccess, Visitor};
    use serde::{Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        pairs: &[(String, f64)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(pairs.iter().map(|(name, score)| (name, score)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(String, f64)>, D::Error> {
        deserializer.deserialize_map(Pairs)
    }

    struct Pairs;

    impl<'de> Visitor<'de> for Pairs {
        type Value = Vec<(String, f64)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object of numbers")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut pairs = Vec::new();
            while let Some(pair) = map.next_entry()? {
                pairs.push(pair);
            }
            Ok(pairs)
        }
    }
}

/// The numbers of a row and of one of its answers.
type AnswerKey = (u64, u64);

/// A position in a file for each answer. It has pages of rows, because a map of answers would take several times as much memory.
#[derive(Debug, Default)]
struct AnswerPositions {
    pages: HashMap<AnswerKey, Box<[u64; PAGE_ROWS as usize]>>,
    count: u64,
}

const PAGE_ROWS: u64 = 64;

impl AnswerPositions {
    /// What a page has for an answer without a position.
    const NONE: u64 = u64::MAX;

    fn get(&self, (row, repeat): AnswerKey) -> Option<u64> {
        let page = self.pages.get(&(row / PAGE_ROWS, repeat))?;
        let position = page[(row % PAGE_ROWS) as usize];
        (position != AnswerPositions::NONE).then_some(position)
    }

    /// Returns whether the answer had another position.
    fn insert(&mut self, (row, repeat): AnswerKey, position: u64) -> bool {
        let page = self.pages.entry((row / PAGE_ROWS, repeat));
        let page = page.or_insert_with(|| Box::new([AnswerPositions::NONE; PAGE_ROWS as usize]));
        let earlier = std::mem::replace(&mut page[(row % PAGE_ROWS) as usize], position);
        let is_new = earlier == AnswerPositions::NONE;
        self.count += u64::from(is_new);
        !is_new
    }
}

/// The results in a file, each answer once.
///
/// ```no_run
/// let results = typed_prompt::eval::load_results("results.jsonl")?;
/// if let Some(head) = results.head() {
///     println!("{head}");
/// }
/// for result in results {
///     println!("{:?}", result?.answers);
/// }
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
#[derive(Debug)]
pub struct LoadedResults {
    reader: ResultReader<File>,
    head: Option<RunHead>,
    /// The lines of rows that were scored again; earlier lines of these rows are left out.
    rescored: AnswerPositions,
}

impl LoadedResults {
    /// What the last run was made with.
    pub fn head(&self) -> Option<&RunHead> {
        self.head.as_ref()
    }

    /// The statistics of the metrics of each row by their names, over its [`repeats`](crate::Eval::repeats): the pass rate of the row and its interval.
    ///
    /// # Errors
    /// A line that is not a result.
    ///
    /// ```no_run
    /// for (row, metrics) in typed_prompt::eval::load_results("results.jsonl")?.row_summaries()? {
    ///     println!("row {row}: {:.2} {:?}", metrics["exact match"].mean(), metrics["exact match"].confidence_interval());
    /// }
    /// # Ok::<(), typed_prompt::eval::DataError>(())
    /// ```
    pub fn row_summaries(
        self,
    ) -> Result<BTreeMap<u64, BTreeMap<String, MetricSummary>>, DataError> {
        let mut rows: BTreeMap<u64, BTreeMap<String, MetricSummary>> = BTreeMap::new();
        for result in self {
            let result = result?;
            let metrics = rows.entry(result.row).or_default();
            let scored = result
                .scores
                .iter()
                .map(|(name, score)| (name, Some(*score)));
            let unscored = result.unscored.iter().map(|name| (name, None));
            for (name, score) in scored.chain(unscored) {
                let summary = metrics.entry(name.clone());
                let summary = summary.or_insert_with(|| MetricSummary::new(name));
                match score {
                    Some(score) => summary.add(score),
                    None => summary.unscored += 1,
                }
            }
        }
        Ok(rows)
    }
}

impl Iterator for LoadedResults {
    type Item = Result<RowResult, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.reader.next()? {
                Ok(ResultLine::Head(head)) => self.head = Some(*head),
                Ok(ResultLine::Row(row)) => {
                    let last = self.rescored.get(row.answer_key());
                    if last.is_none_or(|line| line == self.reader.line) {
                        return Some(Ok(*row));
                    }
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// Reads a results file. A row that was scored again has its last scores.
///
/// # Errors
/// The file cannot be opened. A line that is not a result is an item with an error.
///
/// ```no_run
/// for result in typed_prompt::eval::load_results("results.jsonl")? {
///     println!("{:?}", result?.answers);
/// }
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
pub fn load_results(path: impl AsRef<Path>) -> Result<LoadedResults, DataError> {
    let path = path.as_ref().to_owned();
    let open = || {
        let file = File::open(&path);
        file.map_err(|error| DataError::io_error(&path, "it cannot be opened", error))
    };
    let file = open()?;
    let (mut head, mut rescored) = (None, AnswerPositions::default());
    // A pipe can be read only once.
    if file.metadata().is_ok_and(|kind| kind.is_file()) {
        let mut reader = ResultReader::new(open()?, path.clone());
        while let Some(Ok(line)) = reader.next() {
            match line {
                ResultLine::Head(line) => head = Some(*line),
                ResultLine::Row(row) if row.rescored => {
                    rescored.insert(row.answer_key(), reader.line);
                }
                ResultLine::Row(_) => {}
            }
        }
    }
    Ok(LoadedResults {
        reader: ResultReader::new(file, path),
        head,
        rescored,
    })
}

/// The length of a line in a file of results or of batch answers, at most: a device may not end.
const MAX_LINE: u64 = 256 << 20;

/// Reads a line with its line break. At the end of the file it is empty.
pub(crate) fn read_line(reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    reader.take(MAX_LINE + 1).read_until(b'\n', &mut line)?;
    check_line(&line)?;
    Ok(line)
}

fn check_line(line: &[u8]) -> io::Result<()> {
    match line.len() as u64 > MAX_LINE {
        true => Err(io::Error::other("the line is longer than 256 MiB")),
        false => Ok(()),
    }
}

/// A line of a results file.
enum ResultLine {
    Head(Box<RunHead>),
    Row(Box<RowResult>),
}

impl ResultLine {
    fn parse(line: &[u8]) -> serde_json::Result<ResultLine> {
        match line.starts_with(b"{\"typed_prompt\":") {
            true => serde_json::from_slice(line).map(ResultLine::Head),
            false => serde_json::from_slice(line).map(ResultLine::Row),
        }
    }
}

/// Reads results until the first line that is incomplete or invalid.
#[derive(Debug)]
struct ResultReader<F> {
    reader: BufReader<F>,
    path: PathBuf,
    /// The number of the last line.
    line: u64,
    /// The length of all valid lines in bytes.
    valid_bytes: u64,
    ended: bool,
    /// Whether the line that ended the reading is complete, so that it is one of another version or program.
    is_whole: bool,
}

impl<F: Read> ResultReader<F> {
    fn new(file: F, path: PathBuf) -> ResultReader<F> {
        ResultReader {
            reader: BufReader::with_capacity(1 << 16, file),
            path,
            line: 0,
            valid_bytes: 0,
            ended: false,
            is_whole: false,
        }
    }

    /// The error of a line that is not a result.
    fn describe_line(&mut self, line: &[u8], error: &serde_json::Error) -> DataError {
        let number = self.line;
        let value: Option<serde_json::Value> = serde_json::from_slice(line).ok();
        let object = value.filter(|value| value.is_object() && line.ends_with(b"\n"));
        self.is_whole = object.is_some();
        let message = match object {
            None => format!("line {number} is not a result"),
            Some(object) => {
                let what = match object["typed_prompt"].as_str() {
                    Some(version) => format!("the head of results of version {version}"),
                    None => "a result".to_owned(),
                };
                let reason = error.to_string();
                let reason = reason
                    .rsplit_once(" at line ")
                    .map_or(&*reason, |(reason, _)| reason);
                let own = env!("CARGO_PKG_VERSION");
                format!("line {number} is not {what} that version {own} can read: {reason}")
            }
        };
        DataError::new(message).in_file(&self.path)
    }
}

impl<F: Read> Iterator for ResultReader<F> {
    type Item = Result<ResultLine, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        self.line += 1;
        let error = match read_line(&mut self.reader) {
            Ok(line) if line.is_empty() => return None,
            Ok(line) => match ResultLine::parse(&line) {
                Ok(result) if line.ends_with(b"\n") => {
                    self.valid_bytes += line.len() as u64;
                    return Some(Ok(result));
                }
                Ok(_) => DataError::new(format!("line {} is not a result", self.line))
                    .in_file(&self.path),
                Err(error) => self.describe_line(&line, &error),
            },
            Err(error) => DataError::io_error(&self.path, "it cannot be read", error),
        };
        self.ended = true;
        Some(Err(error))
    }
}

/// The file that results are appended to. Tests replace it.
pub(crate) trait ResultsStore: Write {
    fn truncate_file(&mut self, length: u64) -> io::Result<()>;

    /// Waits until all data is on the disk.
    fn sync_file(&mut self) -> io::Result<()>;

    fn unlock_file(&self) {}
}

impl ResultsStore for File {
    fn truncate_file(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn sync_file(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn unlock_file(&self) {
        drop(fs4::FileExt::unlock(self));
    }
}

/// How often locking a file is retried, and after which delay: the lock of a killed process remains for a moment.
const LOCK_RETRIES: u32 = 20;
const LOCK_DELAY: Duration = Duration::from_millis(10);

/// Locks a file against other runs. The system releases the lock when the process ends.
fn lock_file(file: &File, path: &Path) -> Result<(), DataError> {
    let mut retries = 0;
    loop {
        match fs4::FileExt::try_lock(file) {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if retries < LOCK_RETRIES => {
                retries += 1;
                std::thread::sleep(LOCK_DELAY);
            }
            Err(TryLockError::WouldBlock) => {
                return Err(
                    DataError::new("another run writes its results into this file")
                        .with_help("wait for it, or use another file")
                        .in_file(path),
                );
            }
            // The file system does not support locks.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                return Ok(());
            }
            Err(TryLockError::Error(error)) => {
                return Err(DataError::io_error(path, "it cannot be locked", error));
            }
        }
    }
}

/// A results file that is open for appending.
pub(crate) struct Results<S: ResultsStore = File> {
    store: S,
    path: PathBuf,
    length: u64,
    /// How many results are written.
    count: u64,
    /// What the run is made with, until it is written: before the first result.
    head: Option<RunHead>,
    /// Whether every line could be written.
    is_writable: bool,
}

/// The results of earlier runs. They stay in the file: memory would grow with the length of the answers.
#[derive(Default)]
pub(crate) struct EarlierResults {
    /// The byte at which the last line of an answer begins.
    offsets: AnswerPositions,
    /// The file with its path. It is the one that is locked: where locks are mandatory, another opening of it could not be read.
    reader: Option<(BufReader<File>, PathBuf)>,
    /// What the last run was made with.
    pub(crate) head: Option<RunHead>,
    /// How the file was repaired.
    pub(crate) repaired: Option<String>,
}

impl EarlierResults {
    /// The number of answers with a result.
    pub(crate) fn count(&self) -> u64 {
        self.offsets.count
    }

    /// Reads the result of an answer of a row.
    pub(crate) fn load_answer(
        &mut self,
        row: u64,
        repeat: u64,
    ) -> Result<Option<RowResult>, DataError> {
        let key = (row, repeat);
        let (Some(offset), Some((reader, path))) = (self.offsets.get(key), &mut self.reader) else {
            return Ok(None);
        };
        // From the start: lines that are appended move the position of the file, which the reader shares.
        let line = reader
            .seek(SeekFrom::Start(offset))
            .and_then(|_| read_line(reader));
        let line = line.map_err(|error| DataError::io_error(path, "it cannot be read", error))?;
        match ResultLine::parse(&line) {
            Ok(ResultLine::Row(result)) if result.answer_key() == key => Ok(Some(*result)),
            _ => Err(DataError::new(format!(
                "the result of {} has changed while it was read",
                answer_title(row, repeat)
            ))
            .in_file(&*path)),
        }
    }
}

impl Results {
    /// Opens or creates the file, and locks it. A last line that was cut off is moved to another file.
    pub(crate) fn open(path: &Path) -> Result<(Results, EarlierResults), DataError> {
        let mut options = OpenOptions::new();
        options.create(true).read(true).append(true);
        let mut file = owner_only(&mut options)
            .open(path)
            .map_err(|error| DataError::io_error(path, "it cannot be opened for results", error))?;
        let io = |error| DataError::io_error(path, "the results cannot be read", error);
        if !file.metadata().map_err(io)?.is_file() {
            return Err(DataError::new("results require a regular file").in_file(path));
        }
        lock_file(&file, path)?;
        let mut earlier = EarlierResults::default();
        let mut reader = ResultReader::new(&file, path.to_owned());
        let mut broken = None;
        loop {
            let offset = reader.valid_bytes;
            let result = match reader.next() {
                None => break,
                Some(Ok(ResultLine::Head(head))) => {
                    earlier.head = Some(*head);
                    continue;
                }
                Some(Ok(ResultLine::Row(result))) => result,
                Some(Err(error)) => {
                    broken = Some(error);
                    break;
                }
            };
            let is_second = earlier.offsets.insert(result.answer_key(), offset);
            if is_second && !result.rescored {
                let message = format!(
                    "line {} is a second result of {}",
                    reader.line,
                    result.title()
                );
                return Err(DataError::new(message)
                    .with_help("remove one of them")
                    .in_file(path));
            }
        }
        let (length, line, is_whole) = (reader.valid_bytes, reader.line, reader.is_whole);
        if let Some(error) = broken {
            if is_whole {
                return Err(error.with_help("use another results file"));
            }
            file.seek(SeekFrom::Start(length)).map_err(io)?;
            let mut reader = BufReader::new(&file);
            let rest = read_line(&mut reader).map_err(io)?;
            if !reader.fill_buf().map_err(io)?.is_empty() {
                return Err(error.with_help("repair or remove that line: it is not the last one"));
            }
            let aside = sibling_path(path, "broken");
            owner_only(OpenOptions::new().create(true).append(true))
                .open(&aside)
                .and_then(|mut file| file.write_all(&rest))
                .map_err(|error| {
                    DataError::io_error(&aside, "the broken line cannot be moved", error)
                })?;
            file.set_len(length).map_err(io)?;
            earlier.repaired = Some(format!(
                "line {line} of {} was cut off, so its row is evaluated again; its {} bytes are in {}",
                path.display(),
                rest.len(),
                aside.display()
            ));
        }
        let results = Results {
            store: file,
            path: path.to_owned(),
            length,
            count: earlier.count(),
            head: None,
            is_writable: true,
        };
        let reader = results.store.try_clone().map_err(io)?;
        earlier.reader = Some((BufReader::with_capacity(1 << 12, reader), path.to_owned()));
        Ok((results, earlier))
    }
}

impl<S: ResultsStore> Results<S> {
    /// Whether every line could be written so far.
    pub(crate) fn is_writable(&self) -> bool {
        self.is_writable
    }

    /// Sets what the run is made with. It is appended before the first result, so that a run that is refused leaves the file unchanged.
    pub(crate) fn set_head(&mut self, head: RunHead) {
        self.head = Some(head);
    }

    /// Appends what the run is made with, if it is set and not appended yet.
    pub(crate) fn add_head(&mut self) -> Result<(), DataError> {
        match self.head.take() {
            Some(head) => self.add_line(&head, "head of the results"),
            None => Ok(()),
        }
    }

    /// Appends the result of a row.
    pub(crate) fn add(&mut self, result: &RowResult) -> Result<(), DataError> {
        self.add_head()?;
        self.add_line(result, &format!("result of {}", result.title()))?;
        self.count += u64::from(!result.rescored);
        Ok(())
    }

    /// Appends a line. If it cannot be written completely, its beginning is removed again.
    fn add_line(&mut self, value: &impl Serialize, name: &str) -> Result<(), DataError> {
        let mut line = serde_json::to_vec(value).map_err(|error| {
            DataError::new(format!("the {name} cannot be written: {error}")).in_file(&self.path)
        })?;
        line.push(b'\n');
        let written = check_line(&line).and_then(|()| self.store.write_all(&line));
        if let Err(error) = written.and_then(|()| self.store.flush()) {
            drop(self.store.truncate_file(self.length));
            self.is_writable = false;
            let count = self.count;
            let message = format!("the {name} cannot be written: {error}");
            let help =
                format!("the results of {count} rows are safe: free disk space, and run again");
            return Err(DataError::new(message)
                .with_help(help)
                .with_source(error)
                .in_file(&self.path));
        }
        self.length += line.len() as u64;
        Ok(())
    }

    /// Waits until all results are on the disk.
    pub(crate) fn sync_results(&mut self) -> Result<(), DataError> {
        let synced = self.store.sync_file();
        synced.map_err(|error| {
            DataError::io_error(&self.path, "the results cannot be written", error)
        })
    }
}

/// Unlocked at once: a child process that is being started has the file open as well until it executes its program.
impl<S: ResultsStore> Drop for Results<S> {
    fn drop(&mut self) {
        self.store.unlock_file();
    }
}

/// The path with another extension appended.
pub(crate) fn sibling_path(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk with a capacity.
    struct Disk {
        bytes: Vec<u8>,
        capacity: usize,
    }

    impl Write for Disk {
        fn write(&mut self, data: &[u8]) -> io::Result<usize> {
            let fits = data.len().min(self.capacity - self.bytes.len());
            if fits == 0 {
                return Err(io::Error::from(io::ErrorKind::StorageFull));
            }
            self.bytes.extend_from_slice(&data[..fits]);
            Ok(fits)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl ResultsStore for Disk {
        fn truncate_file(&mut self, length: u64) -> io::Result<()> {
            self.bytes.truncate(length as usize);
            Ok(())
        }

        fn sync_file(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn result(row: u64) -> RowResult {
        RowResult {
            row,
            prompt: "1f".to_owned(),
            answers: vec!["4".to_owned()],
            scores: vec![("exact match".to_owned(), 1.0)],
            ..RowResult::default()
        }
    }

    #[test]
    fn a_full_disk_loses_no_written_results() {
        let line = serde_json::to_vec(&result(1)).expect("it is JSON").len() + 1;
        let mut results = Results {
            store: Disk {
                bytes: Vec::new(),
                capacity: 2 * line + line / 2,
            },
            path: PathBuf::from("results.jsonl"),
            length: 0,
            count: 0,
            head: None,
            is_writable: true,
        };
        results
            .add(&result(1))
            .expect("the size is within the limit");
        results
            .add(&result(2))
            .expect("the size is within the limit");
        let error = results
            .add(&result(3))
            .expect_err("the size exceeds the limit");
        let text = error.to_string();
        assert!(
            text.starts_with("results.jsonl: the result of row 3 cannot be written: "),
            "{text}"
        );
        assert!(
            text.ends_with("; the results of 2 rows are safe: free disk space, and run again"),
            "{text}"
        );
        // Half a line was written, and removed again.
        assert_eq!(results.store.bytes.len(), 2 * line);
        assert!(results.store.bytes.ends_with(b"}\n"));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_device_is_an_error() {
        let path = PathBuf::from("/dev/full");
        let store = OpenOptions::new().append(true).open(&path);
        let mut results = Results {
            store: store.expect("it can be opened"),
            path,
            length: 0,
            count: 0,
            head: None,
            is_writable: true,
        };
        let error = results.add(&result(1)).expect_err("it is full").to_string();
        assert!(error.contains("No space left on device"), "{error}");
    }

    fn file(name: &str, text: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("prompt-eval-{}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("the file can be written");
        drop(std::fs::remove_file(sibling_path(&path, "broken")));
        path
    }

    #[test]
    fn cut_off_lines_are_moved() {
        let whole = serde_json::to_string(&result(1)).expect("it is JSON");
        for rest in [
            "{\"row\":2,\"pro",
            "\0\0\0\n",
            "{\"row\":2,\"prompt\":\"1\",\"answers\":[]}",
        ] {
            let path = file("cut", &format!("{whole}\n{rest}"));
            let (_, mut found) = Results::open(&path).expect("it can be repaired");
            assert_eq!(found.count(), 1);
            assert_eq!(
                found.load_answer(1, 0).expect("it can be read"),
                Some(result(1))
            );
            assert!(
                found
                    .repaired
                    .is_some_and(|text| text.starts_with("line 2 of "))
            );
            let kept = std::fs::read_to_string(&path).expect("it is there");
            assert_eq!(kept, format!("{whole}\n"));
            let aside =
                std::fs::read_to_string(sibling_path(&path, "broken")).expect("it is there");
            assert_eq!(aside, rest);
        }
    }

    #[test]
    fn broken_lines_before_others_are_errors() {
        let whole = serde_json::to_string(&result(1)).expect("it is JSON");
        let path = file("middle", &format!("{{\"row\"\n{whole}\n"));
        let error = Results::open(&path).err().expect("it is broken");
        assert!(error.to_string().ends_with(
            ": line 1 is not a result; repair or remove that line: it is not the last one"
        ));
        let kept = std::fs::read_to_string(&path).expect("it is there");
        assert!(kept.starts_with("{\"row\"\n"));
    }

    #[test]
    fn distant_row_numbers_take_no_memory() {
        let line = |row| serde_json::to_string(&result(row)).expect("it is JSON");
        let path = file("far", &format!("{}\n{}\n", line(u64::MAX), line(1 << 40)));
        let (_, mut found) = Results::open(&path).expect("it is right");
        for row in [u64::MAX, 1 << 40, u64::MAX] {
            assert_eq!(
                found.load_answer(row, 0).expect("it can be read"),
                Some(result(row))
            );
        }
        assert_eq!(found.load_answer(1, 0).expect("it can be read"), None);
    }

    #[test]
    fn two_results_of_a_row_are_an_error() {
        let whole = serde_json::to_string(&result(1)).expect("it is JSON");
        let path = file("twice", &format!("{whole}\n{whole}\n"));
        let error = Results::open(&path).err().expect("it has a row twice");
        assert!(
            error
                .to_string()
                .contains("line 2 is a second result of row 1")
        );
    }
}
