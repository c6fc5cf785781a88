//! Rows of a file as typed values, one after the other.

mod csv;
mod jsonl;
#[cfg(feature = "parquet")]
mod parquet;
mod typed;

use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::{Error, Result};

/// A row of a data set.
///
/// ```
/// let row = prompt_eval::Row { number: 1, value: "first" };
/// assert_eq!(row.index(), 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row<R> {
    /// Its place, counted from 1: the line of a JSONL file, the record of a CSV or Parquet file behind its header.
    pub number: u64,
    /// What it holds.
    pub value: R,
}

impl<R> Row<R> {
    /// Its place, counted from 0.
    pub fn index(&self) -> usize {
        (self.number - 1) as usize
    }
}

/// The rows of a data set, read while they are needed: a file of any length takes the same memory.
///
/// ```
/// use prompt_eval::Rows;
///
/// #[derive(Debug, serde::Deserialize)]
/// struct Sum { question: String, answer: i64 }
///
/// let rows = Rows::<Sum>::csv_from("question,answer\n1+1?,2\n2+2?,four\n".as_bytes(), "sums.csv")?;
/// let rows: Vec<_> = rows.collect();
/// assert_eq!(rows[0].as_ref().unwrap().value.question, "1+1?");
/// assert_eq!(
///     rows[1].as_ref().unwrap_err().to_string(),
///     "sums.csv, row 2, column `answer`: `four` is no whole number"
/// );
/// # Ok::<(), prompt_eval::Error>(())
/// ```
pub struct Rows<R> {
    reader: Reader<R>,
    file: PathBuf,
    total: Option<u64>,
    /// Nothing follows an error that is not about one row.
    over: bool,
    any: bool,
}

type Reader<R> = Box<dyn Iterator<Item = Result<Row<R>>> + Send>;

impl<R: DeserializeOwned + 'static> Rows<R> {
    /// Opens a file by the end of its name: `.jsonl` or `.ndjson`, `.csv`, `.tsv`, and with the feature `parquet` `.parquet`.
    ///
    /// # Errors
    /// A file that cannot be opened, is empty, or of another kind; columns that a row must have and the file has not.
    ///
    /// ```
    /// let error = prompt_eval::Rows::<String>::open("rows.xlsx").err().unwrap();
    /// assert_eq!(error.to_string(), "rows.xlsx: rows are read from `.jsonl`, `.csv`, `.tsv` and `.parquet` files");
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Rows<R>> {
        let path = path.as_ref();
        let ending = path
            .extension()
            .and_then(|ending| ending.to_str())
            .map(str::to_ascii_lowercase);
        match ending.as_deref() {
            Some("jsonl" | "ndjson") => Rows::jsonl(path),
            Some("csv") => Rows::csv(path),
            Some("tsv") => Rows::tsv(path),
            #[cfg(feature = "parquet")]
            Some("parquet") => Rows::parquet(path),
            #[cfg(not(feature = "parquet"))]
            Some("parquet") => Err(Error::new("Parquet files need the feature `parquet`")
                .with_help("turn it on in Cargo.toml")
                .in_file(path)),
            _ => Err(Error::new(
                "rows are read from `.jsonl`, `.csv`, `.tsv` and `.parquet` files",
            )
            .in_file(path)),
        }
    }

    /// Opens a file with a JSON object on each line.
    ///
    /// # Errors
    /// A file that cannot be opened, or is empty.
    pub fn jsonl(path: impl AsRef<Path>) -> Result<Rows<R>> {
        let path = path.as_ref();
        let file = open(path)?;
        let total = match is_read_twice(&file) {
            true => Some(jsonl::count(open(path)?).map_err(|error| unreadable(path, error))?),
            false => None,
        };
        Ok(Rows {
            total,
            ..Rows::jsonl_from(file, path)?
        })
    }

    /// Reads a JSON object from each line; the name is for errors.
    ///
    /// # Errors
    /// Text that is empty.
    ///
    /// ```
    /// use prompt_eval::Rows;
    ///
    /// #[derive(Debug, serde::Deserialize)]
    /// struct Sum { question: String }
    ///
    /// let mut rows = Rows::<Sum>::jsonl_from("{\"question\": 1}".as_bytes(), "sums.jsonl")?;
    /// assert_eq!(
    ///     rows.next().unwrap().unwrap_err().to_string(),
    ///     "sums.jsonl, row 1, column `question`: invalid type: integer `1`, expected a string"
    /// );
    /// # Ok::<(), prompt_eval::Error>(())
    /// ```
    pub fn jsonl_from(
        reader: impl std::io::Read + Send + 'static,
        name: impl AsRef<Path>,
    ) -> Result<Rows<R>> {
        let reader = jsonl::rows(reader).map_err(|error| error.in_file(&name))?;
        Ok(Rows::new(Box::new(reader), name.as_ref()))
    }

    /// Opens a file with a header, values parted by commas, and quotes around values that hold any.
    ///
    /// # Errors
    /// A file that cannot be opened, or has no header.
    pub fn csv(path: impl AsRef<Path>) -> Result<Rows<R>> {
        Rows::parted(path.as_ref(), b',')
    }

    /// Opens a file like [`csv`](Rows::csv), with tabs for commas.
    ///
    /// # Errors
    /// As there.
    pub fn tsv(path: impl AsRef<Path>) -> Result<Rows<R>> {
        Rows::parted(path.as_ref(), b'\t')
    }

    fn parted(path: &Path, mark: u8) -> Result<Rows<R>> {
        let file = open(path)?;
        let total = match is_read_twice(&file) {
            true => csv::count(open(path)?, mark),
            false => None,
        };
        let reader = csv::rows(file, mark).map_err(|error| error.in_file(path))?;
        Ok(Rows {
            total,
            ..Rows::new(Box::new(reader), path)
        })
    }

    /// Reads text like that of [`csv`](Rows::csv); the name is for errors.
    ///
    /// # Errors
    /// Text without a header.
    pub fn csv_from(
        reader: impl std::io::Read + Send + 'static,
        name: impl AsRef<Path>,
    ) -> Result<Rows<R>> {
        let reader = csv::rows(reader, b',').map_err(|error| error.in_file(&name))?;
        Ok(Rows::new(Box::new(reader), name.as_ref()))
    }

    /// Opens a Parquet file.
    ///
    /// # Errors
    /// A file that cannot be opened, or is none.
    #[cfg(feature = "parquet")]
    pub fn parquet(path: impl AsRef<Path>) -> Result<Rows<R>> {
        let path = path.as_ref();
        let (reader, total) = parquet::rows(open(path)?).map_err(|error| error.in_file(path))?;
        Ok(Rows {
            total: Some(total),
            ..Rows::new(Box::new(reader), path)
        })
    }
}

impl<R> Rows<R> {
    fn new(reader: Reader<R>, file: &Path) -> Rows<R> {
        Rows {
            reader,
            file: file.to_owned(),
            total: None,
            over: false,
            any: false,
        }
    }

    /// Says in which row of this file an error is, where that is not known yet.
    pub(crate) fn placed(&self, error: Error, row: u64) -> Error {
        let error = error.at_row(row);
        match self.file == Path::new("") {
            true => error,
            false => error.in_file(&self.file),
        }
    }

    /// How many rows there are, where that is known; empty lines count.
    pub fn total(&self) -> Option<u64> {
        self.total
    }
}

/// Values that the program made itself.
impl<R: Send + 'static> From<Vec<R>> for Rows<R> {
    fn from(values: Vec<R>) -> Rows<R> {
        let total = values.len() as u64;
        let rows = values.into_iter().zip(1..);
        let rows = rows.map(|(value, number)| Ok(Row { number, value }));
        Rows {
            total: Some(total),
            ..Rows::new(Box::new(rows), Path::new(""))
        }
    }
}

impl<R> Iterator for Rows<R> {
    type Item = Result<Row<R>>;

    fn next(&mut self) -> Option<Result<Row<R>>> {
        if self.over {
            return None;
        }
        let row = self.reader.next();
        self.over = row.is_none();
        if self.over && !self.any && self.file != Path::new("") {
            return Some(Err(Error::new("there are no rows").in_file(&self.file)));
        }
        self.any = true;
        let row = row?;
        Some(row.map_err(|error| {
            self.over = error.row().is_none();
            error.in_file(&self.file)
        }))
    }
}

impl<R> fmt::Debug for Rows<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rows({})", self.file.display())
    }
}

fn open(path: &Path) -> Result<File> {
    File::open(path).map_err(|error| Error::io(path, "it cannot be opened", error))
}

/// Whether rows can be counted before they are read: what comes through a pipe is gone then.
fn is_read_twice(file: &File) -> bool {
    file.metadata().is_ok_and(|kind| kind.is_file())
}

fn unreadable(path: &Path, error: std::io::Error) -> Error {
    Error::io(path, "it cannot be read", error)
}
