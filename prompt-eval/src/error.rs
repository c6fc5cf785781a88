use std::error::Error as StdError;
use std::fmt;
use std::path::{Path, PathBuf};

/// `Result` with this crate's error.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, and in which file, row and column.
///
/// ```
/// use prompt_eval::Error;
///
/// let error = Error::new("this is no number").in_file("sums.csv").at_row(731).at_column("answer");
/// assert_eq!(error.to_string(), "sums.csv, row 731, column `answer`: this is no number");
/// ```
///
/// A `main` that returns it shows the same text, since that is its `Debug` too.
pub struct Error(Box<Inner>);

#[derive(Default)]
struct Inner {
    message: String,
    help: Option<String>,
    file: Option<PathBuf>,
    row: Option<u64>,
    column: Option<String>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl Error {
    /// An error with these words, in lower case and without a full stop.
    pub fn new(message: impl Into<String>) -> Error {
        Error(Box::new(Inner {
            message: message.into(),
            ..Inner::default()
        }))
    }

    /// Says what to do about it.
    pub fn with_help(mut self, help: impl Into<String>) -> Error {
        self.0.help = Some(help.into());
        self
    }

    /// Keeps what it came from.
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
        self.0.source = Some(source.into());
        self
    }

    /// Says in which file it is, where that is not known yet.
    pub fn in_file(mut self, file: impl AsRef<Path>) -> Error {
        self.0.file.get_or_insert(file.as_ref().to_owned());
        self
    }

    /// Says in which row it is, counted from 1, where that is not known yet.
    pub fn at_row(mut self, row: u64) -> Error {
        self.0.row.get_or_insert(row);
        self
    }

    /// Says in which column it is, where that is not known yet.
    pub fn at_column(mut self, column: impl Into<String>) -> Error {
        let column = column.into();
        if !column.is_empty() {
            self.0.column.get_or_insert(column);
        }
        self
    }

    /// What is wrong, without the place and the help.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What to do about it.
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// The file.
    pub fn file(&self) -> Option<&Path> {
        self.0.file.as_deref()
    }

    /// The row, counted from 1.
    pub fn row(&self) -> Option<u64> {
        self.0.row
    }

    /// The column, or the path of a field.
    pub fn column(&self) -> Option<&str> {
        self.0.column.as_deref()
    }

    /// An error of the operating system.
    pub(crate) fn io(file: &Path, action: &str, error: std::io::Error) -> Error {
        Error::new(format!("{action}: {error}"))
            .in_file(file)
            .with_source(error)
    }
}

/// So many of a thing.
#[cfg(feature = "run")]
pub(crate) fn many(count: u64, thing: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{ending}")
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.0;
        let places = [
            inner.file.as_ref().map(|file| file.display().to_string()),
            inner.row.map(|row| format!("row {row}")),
            inner
                .column
                .as_ref()
                .map(|column| format!("column `{column}`")),
        ];
        let places: Vec<String> = places.into_iter().flatten().collect();
        if !places.is_empty() {
            write!(f, "{}: ", places.join(", "))?;
        }
        f.write_str(&inner.message)?;
        match &inner.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        let source = self.0.source.as_ref()?;
        Some(&**source as &(dyn StdError + 'static))
    }
}

/// A prompt that cannot be written or sent, or an answer that cannot be read.
impl From<prompt_core::Error> for Error {
    fn from(error: prompt_core::Error) -> Error {
        let mut own = Error::new(error.message());
        own.0.help = error.help().map(str::to_owned);
        own.with_source(error)
    }
}
