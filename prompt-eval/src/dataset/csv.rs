//! CSV and TSV files.

mod row;

use std::io::{self, BufReader, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use csv::{ErrorKind, ReaderBuilder, StringRecord};
use serde::de::DeserializeOwned;

use super::columns::{check_columns, field_names};
use super::jsonl::{BOM, reject_utf16};
use super::{MaxRowBytes, Row};
use crate::DataError;
use crate::error::count_with_noun;

pub(super) fn read_rows<R: DeserializeOwned>(
    mut reader: impl Read + Send,
    delimiter: u8,
    max: MaxRowBytes,
) -> Result<impl Iterator<Item = Result<Row<R>, DataError>> + Send, DataError> {
    let mut start = Vec::new();
    let read = reader.by_ref().take(BOM.len() as u64 + 1);
    BufReader::new(read)
        .read_to_end(&mut start)
        .map_err(|error| {
            DataError::new(format!("it cannot be read: {error}")).with_source(error)
        })?;
    if start.is_empty() || start == BOM {
        return Err(DataError::new("the file is empty")
            .with_help("write the names of the columns on its first line"));
    }
    reject_utf16(&start)?;
    if start.starts_with(BOM) {
        start.drain(..BOM.len());
    }
    let end = Cursor::new(format!("\n{END}"));
    let row_bytes = RowBytes::default();
    let whole = Limited {
        reader: Cursor::new(start).chain(reader).chain(end),
        row_bytes: row_bytes.clone(),
        max,
    };
    let mut reader = ReaderBuilder::new().delimiter(delimiter).from_reader(whole);
    let header = reader.headers().map_err(|error| match error.kind() {
        ErrorKind::Utf8 { .. } => DataError::new("the header is not UTF-8"),
        _ => record_error(
            error,
            &StringRecord::new(),
            &StringRecord::new(),
            delimiter,
            0,
        ),
    })?;
    let header = header.clone();
    if is_open(&header) {
        return Err(unclosed_quote("the header"));
    }
    let mut names: Vec<&str> = header.iter().collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(["", _]) => {
            return Err(DataError::new("two columns of the header have no name")
                .with_help("name them, or remove them"));
        }
        Some(pair) => {
            return Err(DataError::new("the header has this column twice").at_column(pair[0]));
        }
        None => {}
    }
    check_separator::<R>(&header, delimiter)?;
    check_columns::<R>(header.iter())?;
    let (mut record, mut number) = (StringRecord::new(), 0);
    Ok(std::iter::from_fn(move || {
        number += 1;
        row_bytes.store(0, Relaxed);
        let read = reader.read_record(&mut record);
        if record.len() == 1 && &record[0] == END {
            return None;
        }
        if is_open(&record) {
            return Some(Err(unclosed_quote(&format!("row {number}"))));
        }
        match read {
            Ok(false) => None,
            Ok(true) => Some(parse_row(&record, &header, delimiter, number)),
            Err(error) => Some(Err(record_error(
                error, &header, &record, delimiter, number,
            ))),
        }
    }))
}

/// How many bytes were read since the beginning of the row; the buffer may contain some of them already.
type RowBytes = Arc<AtomicUsize>;

/// A reader that fails if one row has too many bytes: a quote that is never closed makes the whole file one row.
struct Limited<T> {
    reader: T,
    row_bytes: RowBytes,
    max: MaxRowBytes,
}

impl<T: Read> Read for Limited<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.reader.read(buffer)?;
        // What exceeds the limit by less than the buffer may belong to the next row.
        let before = self.row_bytes.fetch_add(length, Relaxed);
        match before > self.max.get() {
            true => Err(io::Error::other(self.max.size_message())),
            false => Ok(length),
        }
    }
}

/// A sentinel after the last row. The reader ends an open quote at the end of the file without an error, so that all rows behind the
/// quote would silently be one value. With the sentinel in that value they are an error. It contains control characters, which no
/// text of a table ends with.
const END: &str = "\u{1}end of the rows\u{1}";

/// Whether the quote of the last value of a record is never closed.
fn is_open(record: &StringRecord) -> bool {
    let last = record.iter().next_back();
    last.is_some_and(|value| value.ends_with(END))
}

fn unclosed_quote(location: &str) -> DataError {
    // The error is not confined to one row: it is not known how many rows the value contains.
    let message = format!(
        "{location} has a quote that is not closed, so that everything after it is one value"
    );
    DataError::new(message).with_help("close it, or double a quote that is part of a value")
}

fn parse_row<R: DeserializeOwned>(
    record: &StringRecord,
    header: &StringRecord,
    delimiter: u8,
    number: u64,
) -> Result<Row<R>, DataError> {
    row::parse(record, header)
        .map(|value| Row { number, value })
        .map_err(|error| {
            let is_missing = error.is_missing;
            let error = error.error.at_row(number);
            match is_missing {
                true => error.with_help(missing_help(header, delimiter)),
                false => error,
            }
        })
}

/// The help of a field without a column.
fn missing_help(header: &StringRecord, delimiter: u8) -> String {
    let columns: Vec<String> = header.iter().map(|name| format!("`{name}`")).collect();
    match other_separator(header, delimiter) {
        Some((_, help)) => format!("the only column is {}: {help}", columns[0]),
        None => format!("the columns are {}", columns.join(", ")),
    }
}

/// The separator of a header of one column that contains another separator than that of the file, and what to do about it.
fn other_separator(header: &StringRecord, delimiter: u8) -> Option<(char, &'static str)> {
    let only = header.get(0).filter(|_| header.len() == 1)?;
    let separators = match delimiter {
        b',' => ['\t', ';', '|'],
        _ => [',', ';', '|'],
    };
    let separator = separators.into_iter().find(|other| only.contains(*other))?;
    let help = match separator {
        '\t' => "read it with `Dataset::load_tsv`, or end its name with `.tsv`",
        ',' => "read it with `Dataset::load_csv`, or end its name with `.csv`",
        _ => "save it with commas for `Dataset::load_csv`, or with tabs for `Dataset::load_tsv`",
    };
    Some((separator, help))
}

/// Fails for a header of one column that contains names of fields, with another separator than that of the file.
fn check_separator<R: DeserializeOwned>(
    header: &StringRecord,
    delimiter: u8,
) -> Result<(), DataError> {
    let (Some((separator, help)), Some(fields)) =
        (other_separator(header, delimiter), field_names::<R>())
    else {
        return Ok(());
    };
    let is_field = |name: &str| fields.contains(&name.trim().trim_matches('"'));
    if is_field(&header[0]) || !header[0].split(separator).any(is_field) {
        return Ok(());
    }
    let shown = separator.escape_default();
    let message = format!("the columns of the header are separated by `{shown}`");
    Err(DataError::new(message).with_help(help))
}

fn record_error(
    error: csv::Error,
    header: &StringRecord,
    record: &StringRecord,
    delimiter: u8,
    number: u64,
) -> DataError {
    match error.kind() {
        ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => {
            let (values, columns) = (
                count_with_noun(*len, "value"),
                count_with_noun(*expected_len, "column"),
            );
            let message = format!("it has {values}, and the header {columns}");
            let error = DataError::new(message).at_row(number);
            let has_lines = record.iter().any(|value| value.contains('\n'));
            match len > expected_len {
                true if delimiter == b'\t' => error.with_help("quote a value that contains a tab"),
                true => error.with_help("quote a value that contains a comma, as in `\"1,200\"`"),
                false if has_lines => {
                    error.with_help("one of them has several lines: is its quote closed?")
                }
                false => error,
            }
        }
        ErrorKind::Utf8 { err, .. } => {
            let name = header.get(err.field()).unwrap_or_default();
            let message = format!("byte {} of the value is not UTF-8", err.valid_up_to() + 1);
            DataError::new(message).at_row(number).at_column(name)
        }
        _ => {
            let message = format!("it cannot be read after row {}: {error}", number.max(1) - 1);
            DataError::new(message).with_source(error)
        }
    }
}

/// The number of records after the header.
pub(super) fn count_rows(reader: impl Read, delimiter: u8, max: MaxRowBytes) -> Option<u64> {
    let row_bytes = RowBytes::default();
    let reader = Limited {
        reader,
        row_bytes: row_bytes.clone(),
        max,
    };
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .from_reader(reader);
    let mut record = csv::ByteRecord::new();
    let mut count = 0;
    while reader.read_byte_record(&mut record).ok()? {
        row_bytes.store(0, Relaxed);
        count += 1;
    }
    Some(count)
}
