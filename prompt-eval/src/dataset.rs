//! Datasets: typed rows of JSONL, CSV, TSV and Parquet files.

mod columns;
mod csv;
mod jsonl;
#[cfg(feature = "eval-parquet")]
mod parquet;

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use prompt_base::hash::Fnv1a;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_path_to_error::{Deserializer, Track};

use crate::DataError;

/// A row of a dataset.
///
/// ```
/// let row = typed_prompt::eval::Row { number: 1, value: "first" };
/// assert_eq!(row.index(), 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row<R> {
    /// The number of the row, from 1. Records are counted, and not lines: an empty line of a JSONL file is not a row, a row that cannot
    /// be read is one.
    pub number: u64,
    /// The value of the row.
    pub value: R,
}

impl<R> Row<R> {
    /// The index of the row, from 0.
    pub fn index(&self) -> usize {
        (self.number - 1) as usize
    }
}

/// The rows of a dataset. They are read lazily, so that the memory does not depend on the length of the file.
///
/// ```
/// use typed_prompt::eval::Dataset;
///
/// #[derive(Debug, serde::Deserialize)]
/// struct Sum { question: String, answer: i64 }
///
/// let rows = Dataset::<Sum>::from_csv("question,answer\n1+1?,2\n2+2?,four\n".as_bytes(), "sums.csv")?;
/// let rows: Vec<_> = rows.collect();
/// assert_eq!(rows[0].as_ref().unwrap().value.question, "1+1?");
/// assert_eq!(
///     rows[1].as_ref().unwrap_err().to_string(),
///     "sums.csv, row 2, column `answer`: `four` is not an integer"
/// );
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
#[must_use = "a dataset is given to an evaluation"]
pub struct Dataset<R> {
    reader: Reader<R>,
    file: PathBuf,
    /// The file that can be read again.
    path: Option<PathBuf>,
    total: Option<u64>,
    max: MaxRowBytes,
    row_line: RowLine,
    /// The file ended, or has an error that is not confined to one row.
    ended: bool,
    has_rows: bool,
}

/// The line of the last row, for errors, which a dataset shares with its reader; 0 where rows have no lines.
#[derive(Clone, Default)]
struct RowLine(Arc<AtomicU64>);

impl RowLine {
    fn set(&self, line: u64) {
        self.0.store(line, Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// The maximum length of a row in bytes, which a dataset shares with its reader.
#[derive(Clone)]
struct MaxRowBytes(Arc<AtomicUsize>);

impl MaxRowBytes {
    /// Enough for a row with several images, and far below the memory of a small machine.
    const DEFAULT: usize = 64 << 20;

    fn get(&self) -> usize {
        self.0.load(Relaxed)
    }

    fn size_message(&self) -> String {
        format!("the row is longer than {} bytes", self.get())
    }

    fn check_length(&self, length: usize, number: u64) -> Result<(), DataError> {
        match length > self.get() {
            // Not confined to one row: the rest of it is not read.
            true => Err(DataError::new(format!(
                "row {number} is longer than {} bytes",
                self.get()
            ))
            .with_help("shorten it, or raise the limit with `Dataset::max_row_bytes`")),
            false => Ok(()),
        }
    }
}

impl Default for MaxRowBytes {
    fn default() -> MaxRowBytes {
        MaxRowBytes(Arc::new(AtomicUsize::new(MaxRowBytes::DEFAULT)))
    }
}

type Reader<R> = Box<dyn Iterator<Item = Result<Row<R>, DataError>> + Send>;

impl<R: DeserializeOwned + 'static> Dataset<R> {
    /// Opens a file by its extension: `.jsonl` or `.ndjson`, `.csv`, `.tsv`, and with the feature `eval-parquet` `.parquet`.
    ///
    /// # Errors
    /// The file cannot be opened, is empty, or has another extension; or a required column is missing.
    ///
    /// ```
    /// let error = typed_prompt::eval::Dataset::<String>::load("rows.xlsx").err().unwrap();
    /// assert_eq!(error.to_string(), "rows.xlsx: rows are read from `.jsonl`, `.csv`, `.tsv` and `.parquet` files");
    /// ```
    pub fn load(path: impl AsRef<Path>) -> Result<Dataset<R>, DataError> {
        let path = path.as_ref();
        let ending = path
            .extension()
            .and_then(|ending| ending.to_str())
            .map(str::to_ascii_lowercase);
        match ending.as_deref() {
            Some("jsonl" | "ndjson") => Dataset::load_jsonl(path),
            Some("csv") => Dataset::load_csv(path),
            Some("tsv") => Dataset::load_tsv(path),
            #[cfg(feature = "eval-parquet")]
            Some("parquet") => Dataset::load_parquet(path),
            #[cfg(not(feature = "eval-parquet"))]
            Some("parquet") => Err(
                DataError::new("Parquet files need the feature `eval-parquet`")
                    .with_help("turn it on in Cargo.toml")
                    .in_file(path),
            ),
            _ => Err(jsonl::other_ending(path).in_file(path)),
        }
    }

    /// Opens a file with a JSON object on each line.
    ///
    /// # Errors
    /// The file cannot be opened, or is empty.
    pub fn load_jsonl(path: impl AsRef<Path>) -> Result<Dataset<R>, DataError> {
        let path = path.as_ref();
        let file = open_file(path)?;
        let total = match is_rereadable(&file) {
            true => Some(
                jsonl::count_rows(open_file(path)?)
                    .map_err(|error| unreadable_file(path, error))?,
            ),
            false => None,
        };
        let mut rows = Dataset::from_jsonl(file, path)?;
        rows.path = total.map(|_| path.to_owned());
        rows.total = total;
        Ok(rows)
    }

    /// Reads a JSON object from each line. The name is used in errors.
    ///
    /// # Errors
    /// The input is empty.
    ///
    /// ```
    /// use typed_prompt::eval::Dataset;
    ///
    /// #[derive(Debug, serde::Deserialize)]
    /// struct Sum { question: String }
    ///
    /// let mut rows = Dataset::<Sum>::from_jsonl("{\"question\": 1}".as_bytes(), "sums.jsonl")?;
    /// assert_eq!(
    ///     rows.next().unwrap().unwrap_err().to_string(),
    ///     "sums.jsonl, row 1, column `question`: invalid type: integer `1`, expected a string"
    /// );
    /// # Ok::<(), typed_prompt::eval::DataError>(())
    /// ```
    pub fn from_jsonl(
        reader: impl std::io::Read + Send + 'static,
        name: impl AsRef<Path>,
    ) -> Result<Dataset<R>, DataError> {
        let max = MaxRowBytes::default();
        let row_line = RowLine::default();
        let reader = jsonl::read_rows(reader, max.clone(), row_line.clone())
            .map_err(|error| error.in_file(&name))?;
        Ok(Dataset {
            row_line,
            ..Dataset::new(reader, name.as_ref(), None, max)
        })
    }

    /// Opens a CSV file with a header.
    ///
    /// # Errors
    /// The file cannot be opened, or has no header.
    pub fn load_csv(path: impl AsRef<Path>) -> Result<Dataset<R>, DataError> {
        Dataset::load_delimited(path.as_ref(), b',')
    }

    /// Opens a TSV file with a header.
    ///
    /// # Errors
    /// As [`csv`](Dataset::load_csv).
    pub fn load_tsv(path: impl AsRef<Path>) -> Result<Dataset<R>, DataError> {
        Dataset::load_delimited(path.as_ref(), b'\t')
    }

    fn load_delimited(path: &Path, delimiter: u8) -> Result<Dataset<R>, DataError> {
        let file = open_file(path)?;
        let is_rereadable = is_rereadable(&file);
        let total = match is_rereadable {
            true => csv::count_rows(open_file(path)?, delimiter, MaxRowBytes::default()),
            false => None,
        };
        let max = MaxRowBytes::default();
        let reader =
            csv::read_rows(file, delimiter, max.clone()).map_err(|error| error.in_file(path))?;
        let mut rows = Dataset::new(reader, path, total, max);
        rows.path = is_rereadable.then(|| path.to_owned());
        Ok(rows)
    }

    /// Reads CSV with a header. The name is used in errors.
    ///
    /// A value is one text, and an empty one is the `None` of an `Option`. A field of the row that is a list or a struct is an error.
    ///
    /// # Errors
    /// The input has no header.
    pub fn from_csv(
        reader: impl std::io::Read + Send + 'static,
        name: impl AsRef<Path>,
    ) -> Result<Dataset<R>, DataError> {
        let max = MaxRowBytes::default();
        let reader =
            csv::read_rows(reader, b',', max.clone()).map_err(|error| error.in_file(&name))?;
        Ok(Dataset::new(reader, name.as_ref(), None, max))
    }

    /// Opens a Parquet file.
    ///
    /// # Errors
    /// The file cannot be opened, or is not a Parquet file.
    #[cfg(feature = "eval-parquet")]
    pub fn load_parquet(path: impl AsRef<Path>) -> Result<Dataset<R>, DataError> {
        let path = path.as_ref();
        let max = MaxRowBytes::default();
        let (reader, total) = parquet::read_rows(open_file(path)?, max.clone())
            .map_err(|error| error.in_file(path))?;
        let mut rows = Dataset::new(reader, path, Some(total), max);
        rows.path = Some(path.to_owned());
        Ok(rows)
    }
}

impl<R> Dataset<R> {
    fn new(
        reader: impl Iterator<Item = Result<Row<R>, DataError>> + Send + 'static,
        file: &Path,
        total: Option<u64>,
        max: MaxRowBytes,
    ) -> Dataset<R> {
        Dataset {
            reader: Box::new(reader),
            file: file.to_owned(),
            path: None,
            total,
            max,
            row_line: RowLine::default(),
            ended: false,
            has_rows: false,
        }
    }

    /// Sets the maximum length of a row in bytes, by default 64 MiB. A longer row is an error, and ends the dataset. For CSV files
    /// the limit has a tolerance of one read buffer; for Parquet files it is the length of the row as JSON.
    ///
    /// ```
    /// use typed_prompt::eval::Dataset;
    ///
    /// #[derive(Debug, serde::Deserialize)]
    /// struct Sum { question: String }
    ///
    /// let rows = Dataset::<Sum>::from_jsonl(r#"{"question": "1+1?"}"#.as_bytes(), "sums.jsonl")?;
    /// let error = rows.max_row_bytes(10).next().unwrap().unwrap_err();
    /// assert!(error.to_string().starts_with("sums.jsonl: row 1 is longer than 10 bytes; "));
    /// # Ok::<(), typed_prompt::eval::DataError>(())
    /// ```
    pub fn max_row_bytes(self, bytes: usize) -> Dataset<R> {
        self.max.0.store(bytes, Relaxed);
        self
    }

    /// Adds the file, the row and its line to an error of the row that was read last.
    pub(crate) fn locate_last_row(&self, error: DataError, row: u64) -> DataError {
        self.locate_error(error.at_row(row).at_line(self.row_line.get()), row)
    }

    /// Adds the file and the row to an error that has none.
    pub(crate) fn locate_error(&self, error: DataError, row: u64) -> DataError {
        let error = error.at_row(row);
        match self.file == Path::new("") {
            true => error,
            false => error.in_file(&self.file),
        }
    }

    /// The name of the file, without its folder: the same data may be in another place.
    pub(crate) fn file_name(&self) -> Option<String> {
        let name = self.file.file_name()?;
        Some(name.to_string_lossy().into_owned())
    }

    /// The hash of the file, if it can be read again.
    pub(crate) fn content_hash(&self) -> Result<Option<String>, DataError> {
        let Some(path) = &self.path else {
            return Ok(None);
        };
        let mut reader = BufReader::with_capacity(1 << 16, open_file(path)?);
        let mut hash = Fnv1a::default();
        loop {
            let bytes = reader
                .fill_buf()
                .map_err(|error| unreadable_file(path, error))?;
            if bytes.is_empty() {
                return Ok(Some(format!("{:016x}", hash.finish())));
            }
            hash.write(bytes);
            let length = bytes.len();
            reader.consume(length);
        }
    }

    /// The number of rows, if it is known.
    pub fn row_count(&self) -> Option<u64> {
        self.total
    }
}

/// Values that the program created.
impl<R: Send + 'static> From<Vec<R>> for Dataset<R> {
    fn from(values: Vec<R>) -> Dataset<R> {
        let total = values.len() as u64;
        let rows = values.into_iter().zip(1..);
        let rows = rows.map(|(value, number)| Ok(Row { number, value }));
        Dataset::new(rows, Path::new(""), Some(total), MaxRowBytes::default())
    }
}

impl<R> Iterator for Dataset<R> {
    type Item = Result<Row<R>, DataError>;

    fn next(&mut self) -> Option<Result<Row<R>, DataError>> {
        if self.ended {
            return None;
        }
        let row = self.reader.next();
        self.ended = row.is_none();
        if self.ended && !self.has_rows && self.file != Path::new("") {
            return Some(Err(DataError::new("there are no rows").in_file(&self.file)));
        }
        self.has_rows = true;
        let row = row?;
        Some(row.map_err(|error| {
            self.ended = error.row().is_none();
            error.in_file(&self.file)
        }))
    }
}

impl<R> fmt::Debug for Dataset<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dataset({})", self.file.display())
    }
}

fn open_file(path: &Path) -> Result<File, DataError> {
    File::open(path).map_err(|error| DataError::io_error(path, "it cannot be opened", error))
}

/// Whether rows can be counted before they are read: a pipe can be read only once.
fn is_rereadable(file: &File) -> bool {
    file.metadata().is_ok_and(|kind| kind.is_file())
}

fn unreadable_file(path: &Path, error: std::io::Error) -> DataError {
    DataError::io_error(path, "it cannot be read", error)
}

/// Parses a row from JSON. The keys of the first one are compared with the fields.
fn parse_row_json<R: DeserializeOwned>(text: &str, number: u64) -> Result<Row<R>, DataError> {
    let value = parse_json(text).and_then(|value| {
        if number == 1
            && let Ok(keys) = serde_json::from_str::<BTreeMap<String, IgnoredAny>>(text)
        {
            columns::check_columns::<R>(keys.keys().map(String::as_str))?;
        }
        Ok(value)
    });
    value
        .map(|value| Row { number, value })
        .map_err(|error| error.at_row(number))
}

fn parse_json<R: DeserializeOwned>(text: &str) -> Result<R, DataError> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let parsed = parse_tracked(&mut reader).and_then(|value| match reader.end() {
        Ok(()) => Ok(value),
        Err(error) => Err((error, String::new())),
    });
    let (error, path) = match parsed {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        let message = format!("this is not a JSON object: {}", position_message(&error));
        return Err(DataError::new(message));
    }
    if error.is_data() {
        return Err(field_error(&message_without_position(&error), &path));
    }
    // The text is JSON. For some values that do not fit the type, such as a number for an enum, the error of serde_json's parser is one of
    // the syntax; that of its `Value` is one of the type.
    match serde_json::from_str(text).map(parse_tracked::<R, serde_json::Value>) {
        Ok(Err((error, path))) => Err(field_error(&message_without_position(&error), &path)),
        // A value that the parser cannot represent, such as a number out of range.
        _ => Err(field_error(&position_message(&error), &path)),
    }
}

/// Parses a value; an error has the path of its field, or an empty one.
fn parse_tracked<'de, R: DeserializeOwned, D>(reader: D) -> Result<R, (serde_json::Error, String)>
where
    D: serde::Deserializer<'de, Error = serde_json::Error>,
{
    let mut track = Track::new();
    R::deserialize(Deserializer::new(reader, &mut track)).map_err(|error| {
        let path = track.path().to_string();
        (error, if path == "." { String::new() } else { path })
    })
}

/// The message of an error without its position.
fn message_without_position(error: &serde_json::Error) -> String {
    let mut text = error.to_string();
    // The errors of a value have no position.
    if let (1.., Some(end)) = (error.line(), text.rfind(" at line ")) {
        text.truncate(end);
    }
    text
}

/// The message of an error with its position in the line.
fn position_message(error: &serde_json::Error) -> String {
    format!(
        "{}, at character {}",
        message_without_position(error),
        error.column()
    )
}

/// An error of a field. serde reports the name of a missing field only in its message.
fn field_error(message: &str, path: &str) -> DataError {
    let missing = message
        .strip_prefix("missing field `")
        .and_then(|rest| rest.strip_suffix('`'));
    match missing {
        Some(field) => {
            let column = match path {
                "" => field.to_owned(),
                path => format!("{path}.{field}"),
            };
            DataError::new("it is missing").at_column(column)
        }
        None => DataError::new(message).at_column(path),
    }
}
