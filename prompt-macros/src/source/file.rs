//! Template files: which may be read, and what is said of the others.

use std::path::{Component, Path, PathBuf};

use prompt_syntax::order::sort_by;
use prompt_syntax::problem::{Problem, file as problem};
use prompt_syntax::suggest::closest;

/// Reads a file of the package as text, without its byte order mark: rustc and editors do not count it.
pub(super) fn read_text(name: &str) -> Result<String, Problem> {
    let text = String::from_utf8(read(name)?).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
        let at = good.len();
        problem::not_utf8(name, line, at)
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// The path of a file from the package's folder, where it is named in another file, or in the sources.
pub(super) fn beside(file: Option<&str>, name: &str) -> Result<String, Problem> {
    let folder = file
        .and_then(|file| Path::new(file).parent())
        .unwrap_or(Path::new(""));
    if Path::new(name).is_absolute() {
        // Said with the same words where it is read.
        return Ok(name.to_owned());
    }
    let mut path = PathBuf::new();
    for part in folder.join(name).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if path.pop() => {}
            other => path.push(other),
        }
    }
    match path.to_str() {
        Some(path) => Ok(path.replace('\\', "/")),
        None => Err(problem::no_name(name)),
    }
}

/// Reads a file of the package.
fn read(name: &str) -> Result<Vec<u8>, Problem> {
    let path = Path::new(name);
    if path.is_absolute() {
        return Err(problem::absolute(name));
    }
    if path
        .components()
        .any(|part| matches!(part, Component::ParentDir))
    {
        return Err(problem::outside(name));
    }
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let full = root.join(path);
    std::fs::read(&full).map_err(|error| {
        if full.is_dir() {
            return problem::folder(name);
        }
        let folder = path
            .parent()
            .filter(|_| full.parent().is_some_and(|folder| !folder.exists()));
        if let Some(folder) = folder {
            let near = near(&root.join(folder)).map(|near| folder.with_file_name(near));
            return problem::no_folder(&shown(folder), name, near.as_deref().map(shown).as_deref());
        }
        let near = near(&full).map(|near| shown(&path.with_file_name(near)));
        match error.kind() {
            std::io::ErrorKind::NotFound => problem::missing(name, near.as_deref()),
            _ => problem::unreadable(name, &error.to_string(), near.as_deref()),
        }
    })
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// A file of the same folder with a similar name.
fn near(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?.to_owned();
    let mut names: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(path.parent()?).ok()?.flatten() {
        names.extend(entry.file_name().into_string().ok());
    }
    sort_by(&mut names, Ord::cmp);
    closest(&name, names.iter().map(String::as_str)).map(String::from)
}
