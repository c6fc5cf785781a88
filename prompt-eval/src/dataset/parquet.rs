//! Parquet files.

use std::fs::File;

use parquet::file::reader::{FileReader, SerializedFileReader};
use serde::de::DeserializeOwned;

use super::{Row, parse_json};
use crate::{Error, Result};

/// The rows and their number.
pub(super) fn rows<R: DeserializeOwned>(
    file: File,
) -> Result<(impl Iterator<Item = Result<Row<R>>> + Send, u64)> {
    let unreadable = |error| Error::new(format!("the file cannot be read as Parquet: {error}"));
    let reader = SerializedFileReader::new(file).map_err(unreadable)?;
    let total = reader.metadata().file_metadata().num_rows().max(0) as u64;
    let rows = reader.into_iter().zip(1..).map(|(row, number)| {
        let row = row.map_err(|error| {
            Error::new(format!(
                "it cannot be read after row {}: {error}",
                number - 1
            ))
        })?;
        parse_json(&row.to_json_value().to_string())
            .map(|value| Row { number, value })
            .map_err(|error| error.at_row(number))
    });
    Ok((rows, total))
}
