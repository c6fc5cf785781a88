//! Errors of evaluations, with the file, row and column.

use std::error::Error as StdError;
use std::fmt;
use std::path::{Path, PathBuf};

/// An error, with its file, row and column.
///
/// ```
/// use typed_prompt::eval::DataError;
///
/// let error = DataError::new("this is not a number").in_file("sums.csv").at_row(731).at_column("answer");
/// assert_eq!(error.to_string(), "sums.csv, row 731, column `answer`: this is not a number");
/// ```
///
/// Its `Debug` output is the same text, so that a `main` that returns it is readable.
pub struct DataError(Box<DataErrorDetails>);

#[derive(Default)]
struct DataErrorDetails {
    message: String,
    help: Option<String>,
    file: Option<PathBuf>,
    row: Option<u64>,
    /// The line of the row, where it is not the number of the row.
    line: Option<u64>,
    column: Option<String>,
    source: Option<Box<dyn StdError + Send + Sync>>,
    /// Whether the same run can go on once the error is corrected, if it has a file of results.
    #[cfg(feature = "run")]
    can_resume: bool,
}

impl DataError {
    /// An error with a message, in lowercase and without a full stop.
    pub fn new(message: impl Into<String>) -> DataError {
        DataError(Box::new(DataErrorDetails {
            message: message.into(),
            ..DataErrorDetails::default()
        }))
    }

    /// Adds what to do about it.
    pub fn with_help(mut self, help: impl Into<String>) -> DataError {
        self.0.help = Some(help.into());
        self
    }

    /// Marks an error that ends a run which can be resumed once the error is corrected. It has a help.
    #[cfg(feature = "run")]
    pub(crate) fn can_resume(mut self) -> DataError {
        self.0.can_resume = true;
        self
    }

    /// Adds to the help of such an error that the run, whose results are kept, resumes.
    #[cfg(feature = "run")]
    pub(crate) fn with_kept_results(mut self) -> DataError {
        if let (true, Some(help)) = (self.0.can_resume, &mut self.0.help) {
            help.push_str(", and run again to resume");
        }
        self
    }

    /// Sets the source of the error.
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> DataError {
        self.0.source = Some(source.into());
        self
    }

    /// Sets the file, if none is set.
    pub fn in_file(mut self, file: impl AsRef<Path>) -> DataError {
        self.0.file.get_or_insert(file.as_ref().to_owned());
        self
    }

    /// Sets the number of the row, from 1, if none is set.
    pub fn at_row(mut self, row: u64) -> DataError {
        self.0.row.get_or_insert(row);
        self
    }

    /// Sets the line of the row. Rows that have none are on line 0.
    #[cfg(feature = "run")]
    pub(crate) fn at_line(mut self, line: u64) -> DataError {
        if line > 0 && self.0.row != Some(line) {
            self.0.line = Some(line);
        }
        self
    }

    /// Sets the column, if none is set.
    pub fn at_column(mut self, column: impl Into<String>) -> DataError {
        let column = column.into();
        if !column.is_empty() {
            self.0.column.get_or_insert(column);
        }
        self
    }

    /// The message, without the location and the help.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The action that corrects the error.
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// The file.
    pub fn file(&self) -> Option<&Path> {
        self.0.file.as_deref()
    }

    /// The number of the row, from 1.
    pub fn row(&self) -> Option<u64> {
        self.0.row
    }

    /// The column, or the path of a field.
    pub fn column(&self) -> Option<&str> {
        self.0.column.as_deref()
    }

    /// An error of the operating system.
    pub(crate) fn io_error(file: &Path, action: &str, error: std::io::Error) -> DataError {
        DataError::new(format!("{action}: {error}"))
            .in_file(file)
            .with_source(error)
    }
}

/// A count with its noun.
#[cfg(feature = "run")]
pub(crate) fn count_with_noun(count: u64, thing: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{ending}")
}

/// Fails if `label` is not one of the labels; `gold` is the text of the correct answer for the message.
pub(crate) fn check_choice<'a>(
    label: &str,
    gold: &str,
    labels: impl Iterator<Item = &'a str> + Clone,
) -> Result<(), DataError> {
    if labels.clone().any(|other| other == label) {
        return Ok(());
    }
    let labels: Vec<String> = labels.map(|label| format!("`{label}`")).collect();
    Err(DataError::new(format!(
        "the right answer `{gold}` is none of the choices {}",
        labels.join(", ")
    )))
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.0;
        let location = [
            inner.file.as_ref().map(|file| file.display().to_string()),
            inner.row.map(|row| format!("row {row}")),
            inner.line.map(|line| format!("line {line}")),
            inner
                .column
                .as_ref()
                .map(|column| format!("column `{column}`")),
        ];
        let location: Vec<String> = location.into_iter().flatten().collect();
        if !location.is_empty() {
            write!(f, "{}: ", location.join(", "))?;
        }
        f.write_str(&inner.message)?;
        match &inner.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl StdError for DataError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        let source = self.0.source.as_ref()?;
        Some(&**source as &(dyn StdError + 'static))
    }
}

/// An error of a prompt or a model.
impl From<prompt_core::Error> for DataError {
    fn from(error: prompt_core::Error) -> DataError {
        let mut own = DataError::new(error.message());
        own.0.help = error.help().map(str::to_owned);
        own.with_source(error)
    }
}
