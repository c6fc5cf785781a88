//! Parquet files, row by row.

use std::fs::File;

use parquet::file::reader::{FileReader, SerializedFileReader};
use serde::de::DeserializeOwned;

use super::{Row, typed};
use crate::{Error, Result};

/// The rows, and how many there are.
pub(super) fn rows<R: DeserializeOwned>(
    file: File,
) -> Result<(impl Iterator<Item = Result<Row<R>>> + Send, u64)> {
    let unreadable =
        |error| Error::new(format!("this is no Parquet file that can be read: {error}"));
    let reader = SerializedFileReader::new(file).map_err(unreadable)?;
    let total = reader.metadata().file_metadata().num_rows().max(0) as u64;
    let rows = reader.into_iter().zip(1..).map(|(row, number)| {
        let row = row.map_err(|error| {
            Error::new(format!(
                "it cannot be read behind row {}: {error}",
                number - 1
            ))
        })?;
        typed::json(&row.to_json_value().to_string())
            .map(|value| Row { number, value })
            .map_err(|error| error.at_row(number))
    });
    Ok((rows, total))
}
