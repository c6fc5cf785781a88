//! Template files and the errors for files that cannot be used.

use std::io::{self, ErrorKind as Io};
use std::path::Path;

use prompt_base::suggest::closest;
use prompt_syntax::problem::Problem;
use prompt_syntax::problem::file::at_run_time::{self as problem, NamedIn};

use prompt_base::file::read_file;
use prompt_core::{Error, ErrorKind, Result};

/// The text of a file as a template has it: without a byte order mark, with line breaks of Unix.
pub(super) fn read_template(path: &Path) -> Result<String> {
    read_text(path, NamedIn::InCode).map_err(|(problem, source)| {
        let error = template_error(&problem, None);
        match source {
            Some(source) => error.with_source(source),
            None => error,
        }
    })
}

/// The same of a file that another template names.
pub(super) fn read_included(path: &Path) -> std::result::Result<String, Problem> {
    read_text(path, NamedIn::InTemplate).map_err(|(problem, _)| problem)
}

fn read_text(
    path: &Path,
    named: NamedIn,
) -> std::result::Result<String, (Problem, Option<io::Error>)> {
    let shown = path.display().to_string();
    let bytes = read_file(path, 16).map_err(|error| {
        let near =
            similar_file_name(path).map(|near| path.with_file_name(near).display().to_string());
        let near = near.as_deref();
        let problem = match error.kind() {
            Io::NotFound => problem::missing_file(&shown, near, named),
            _ if path.is_dir() => problem::path_is_folder(&shown, near, named),
            _ => problem::unreadable_file(&shown, &error.to_string(), near, named),
        };
        (problem, Some(error))
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
        (problem::not_utf8(&shown, line, good.len()), None)
    })?;
    Ok(normalize_text(&text))
}

/// A string without a byte order mark, with line breaks of Unix.
pub(super) fn normalize_text(text: &str) -> String {
    text.strip_prefix('\u{feff}')
        .unwrap_or(text)
        .replace("\r\n", "\n")
        .replace('\r', "\n")
}

/// An error of a template as a whole.
pub(super) fn template_error(problem: &Problem, path: Option<&Path>) -> Error {
    let message = problem.message();
    let error = Error::new(
        ErrorKind::Template,
        match path {
            Some(path) => format!("{}: {message}", path.display()),
            None => message.to_owned(),
        },
    );
    match problem.help() {
        Some(help) => error.with_help(help),
        None => error,
    }
}

/// A file of the same folder with a similar name.
fn similar_file_name(path: &Path) -> Option<String> {
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
