//! Template files: what can be read, and what is said of the others.

use std::io::ErrorKind as Io;
use std::path::Path;

use prompt_syntax::suggest::closest;

use crate::{Error, ErrorKind, Result};

/// The text of a file as a template has it: without a byte order mark, with line breaks of Unix.
pub(super) fn read(path: &Path) -> Result<String> {
    let shown = path.display();
    let bytes = std::fs::read(path).map_err(|error| {
        let message = match error.kind() {
            Io::NotFound => format!("there is no template file `{shown}`"),
            _ if path.is_dir() => format!("`{shown}` is a folder, no template file"),
            _ => format!("the template file `{shown}` cannot be read: {error}"),
        };
        let help = match near(path) {
            Some(near) => format!("did you mean `{}`?", path.with_file_name(near).display()),
            None => "give the path from the folder that the program runs in".to_owned(),
        };
        refused(message, None).with_help(help).with_source(error)
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
        let at = good.len();
        refused(
            format!("the template file `{shown}` is not UTF-8: line {line}, byte {at} of the file"),
            None,
        )
        .with_help("save it as UTF-8")
    })?;
    Ok(plain(&text))
}

/// A text without a byte order mark, with line breaks of Unix.
pub(super) fn plain(text: &str) -> String {
    text.strip_prefix('\u{feff}')
        .unwrap_or(text)
        .replace("\r\n", "\n")
}

/// An error of a template as a whole.
pub(super) fn refused(message: impl Into<String>, path: Option<&Path>) -> Error {
    let message = message.into();
    Error::new(
        ErrorKind::Template,
        match path {
            Some(path) => format!("{}: {message}", path.display()),
            None => message,
        },
    )
}

/// A file of the same folder with a similar name.
fn near(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let mut names: Vec<String> = std::fs::read_dir(folder.unwrap_or(Path::new(".")))
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    closest(name, names.iter().map(String::as_str)).map(String::from)
}
