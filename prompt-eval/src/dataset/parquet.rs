//! Parquet files.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};

use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use serde::de::DeserializeOwned;

use super::{MaxRowBytes, Row, parse_row_json};
use crate::DataError;

/// The rows and their number.
pub(super) fn read_rows<R: DeserializeOwned>(
    file: File,
    max: MaxRowBytes,
) -> Result<(impl Iterator<Item = Result<Row<R>, DataError>> + Send, u64), DataError> {
    let unreadable = |error: ParquetError| {
        DataError::new(format!("the file cannot be read as Parquet: {error}"))
    };
    let opened = catch_panic(|| {
        let reader = SerializedFileReader::new(file)?;
        let total = reader.metadata().file_metadata().num_rows().max(0) as u64;
        Ok((reader.into_iter(), total))
    });
    let (mut reader, total) = opened?.map_err(unreadable)?;
    let mut number = 0;
    let rows = std::iter::from_fn(move || {
        let after = |error: &dyn std::fmt::Display| {
            DataError::new(format!("it cannot be read after row {number}: {error}"))
        };
        let read = catch_panic(|| {
            reader
                .next()
                .map(|row| row.map(|row| row.to_json_value().to_string()))
        });
        let json = match read {
            Ok(row) => row?.map_err(|error| after(&error)),
            Err(error) => Err(after(&error.message())),
        };
        number += 1;
        Some(json.and_then(|json| {
            max.check_length(json.len(), number)?;
            parse_row_json(&json, number)
        }))
    });
    Ok((rows, total))
}

/// Calls the parquet crate, which panics for some malformed files: about 50 of 29,000 mutated ones. Its checks of lengths are inside its
/// decoders, so that a file cannot be validated before. The panic hook of the program still prints its message.
fn catch_panic<T>(read: impl FnOnce() -> T) -> Result<T, DataError> {
    // The reader is not used again after a panic: the error has no row, and ends the dataset.
    catch_unwind(AssertUnwindSafe(read)).map_err(|_| DataError::new("the file is malformed"))
}
