//! JSONL files.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use serde::de::DeserializeOwned;

use super::{MaxRowBytes, Row, RowLine, parse_row_json};
use crate::DataError;

/// The byte order mark in UTF-8.
pub(super) const BOM: &[u8] = b"\xef\xbb\xbf";

/// Rejects UTF-16 by its byte order mark.
pub(super) fn reject_utf16(start: &[u8]) -> Result<(), DataError> {
    match start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        true => Err(DataError::new("the file is UTF-16").with_help("save it as UTF-8")),
        false => Ok(()),
    }
}

pub(super) fn read_rows<R: DeserializeOwned>(
    reader: impl Read + Send,
    max: MaxRowBytes,
    row_line: RowLine,
) -> Result<impl Iterator<Item = Result<Row<R>, DataError>> + Send, DataError> {
    let mut reader = BufReader::with_capacity(1 << 16, reader);
    let start = reader.fill_buf().map_err(|error| {
        DataError::new(format!("it cannot be read: {error}")).with_source(error)
    })?;
    if start.is_empty() || start == BOM {
        return Err(
            DataError::new("the file is empty").with_help("write one JSON object on each line")
        );
    }
    reject_utf16(start)?;
    if start.starts_with(BOM) {
        reader.consume(BOM.len());
    }
    let (mut line, mut lines, mut number) = (Vec::new(), 0, 0);
    Ok(std::iter::from_fn(move || {
        loop {
            line.clear();
            lines += 1;
            let most = max.get() as u64;
            let read = (&mut reader)
                .take(most.saturating_add(1))
                .read_until(b'\n', &mut line);
            match read {
                Ok(0) => return None,
                Ok(length) => {
                    if let Err(error) = max.check_length(length, number + 1) {
                        return Some(Err(error));
                    }
                }
                Err(error) => {
                    let message = format!("it cannot be read after row {number}: {error}");
                    return Some(Err(DataError::new(message).with_source(error)));
                }
            }
            let text = line.trim_ascii();
            if !text.is_empty() {
                number += 1;
                row_line.set(lines);
                return Some(parse_row(text, number).map_err(|error| error.at_line(lines)));
            }
        }
    }))
}

fn parse_row<R: DeserializeOwned>(line: &[u8], number: u64) -> Result<Row<R>, DataError> {
    let text = std::str::from_utf8(line).map_err(|error| {
        let message = format!("byte {} of the line is not UTF-8", error.valid_up_to() + 1);
        DataError::new(message).at_row(number)
    })?;
    let is_array = |start: &str| start.starts_with('{') || number == 1 && start.is_empty();
    if array_start(text).is_some_and(is_array) {
        return Err(array_error().at_row(number));
    }
    parse_row_json(text, number)
}

/// The text after the bracket of an array.
fn array_start(text: &str) -> Option<&str> {
    text.strip_prefix('[').map(str::trim_start)
}

fn array_error() -> DataError {
    DataError::new("the file is a JSON array, not one row per line").with_help(
        "write one object per line, without brackets around all objects, or parse the file with `serde_json` and give the rows to `Eval::new`",
    )
}

/// The error of a file with another ending, which may be JSON.
pub(super) fn other_ending(path: &Path) -> DataError {
    let error = DataError::new("rows are read from `.jsonl`, `.csv`, `.tsv` and `.parquet` files");
    // To open a pipe waits for its writer.
    if !path.metadata().is_ok_and(|kind| kind.is_file()) {
        return error;
    }
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(1 << 16).read_to_end(&mut start));
    if read.is_err() {
        return error;
    }
    let text = String::from_utf8_lossy(start.strip_prefix(BOM).unwrap_or(&start));
    let text = text.trim_start();
    match array_start(text) {
        Some(rest) if rest.is_empty() || rest.starts_with('{') => array_error(),
        None if text.starts_with('{') => {
            error.with_help("if each line is a JSON object, read it with `Dataset::load_jsonl`")
        }
        _ => error,
    }
}

/// The number of lines that are not empty.
pub(super) fn count_rows(mut reader: impl Read) -> io::Result<u64> {
    let mut buffer = vec![0; 1 << 16];
    let (mut rows, mut has_text) = (0, false);
    loop {
        let length = match reader.read(&mut buffer) {
            Ok(0) => return Ok(rows + u64::from(has_text)),
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        for byte in &buffer[..length] {
            if *byte == b'\n' {
                rows += u64::from(std::mem::take(&mut has_text));
            } else if !byte.is_ascii_whitespace() {
                has_text = true;
            }
        }
    }
}
