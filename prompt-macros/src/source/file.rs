//! Template files: which may be read, and what is said of the others.

use std::path::{Component, Path, PathBuf};

use prompt_syntax::suggest::closest;

/// Reads a file of the package as text, without its byte order mark: rustc and editors do not count it.
pub(super) fn read_text(name: &str) -> Result<String, (String, String)> {
    let text = String::from_utf8(read(name)?).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
        let at = good.len();
        let message = format!("the file `{name}` is not UTF-8: line {line}, byte {at} of the file");
        (message, "save it as UTF-8".to_owned())
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// The path of a file from the package's folder, where it is named in another file, or in the sources.
pub(super) fn beside(file: Option<&str>, name: &str) -> Result<String, (String, String)> {
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
        None => Err((
            format!("the file `{name}` has no name in Unicode"),
            "give it another name".into(),
        )),
    }
}

/// Reads a file of the package.
fn read(name: &str) -> Result<Vec<u8>, (String, String)> {
    let path = Path::new(name);
    let relative = "write it relative to the folder of Cargo.toml, with `/` between folders";
    if path.is_absolute() {
        return Err((
            format!("the file `{name}` is an absolute path, which is right on one machine only"),
            relative.into(),
        ));
    }
    if path
        .components()
        .any(|part| matches!(part, Component::ParentDir))
    {
        let message = format!(
            "the file `{name}` lies outside of the package, which would be lost when it is published"
        );
        return Err((
            message,
            "move the file beside the sources of this package".into(),
        ));
    }
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let full = root.join(path);
    std::fs::read(&full).map_err(|error| {
        if full.is_dir() {
            return (
                format!("`{name}` is a folder, and no file"),
                "name a file in it".into(),
            );
        }
        let folder = path
            .parent()
            .filter(|_| full.parent().is_some_and(|folder| !folder.exists()));
        if let Some(folder) = folder {
            let help = match near(&root.join(folder)) {
                Some(near) => format!(
                    "did you mean the folder `{}`?",
                    folder.with_file_name(near).display()
                ),
                None => relative.into(),
            };
            return (
                format!(
                    "there is no folder `{}` for the file `{name}`",
                    folder.display()
                ),
                help,
            );
        }
        let help = match near(&full) {
            Some(near) => format!("did you mean `{}`?", path.with_file_name(near).display()),
            None => relative.into(),
        };
        let message = match error.kind() {
            std::io::ErrorKind::NotFound => format!("there is no file `{name}`"),
            _ => format!("the file `{name}` cannot be read: {error}"),
        };
        (message, help)
    })
}

/// A file of the same folder with a similar name.
fn near(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?.to_owned();
    let mut names: Vec<String> = std::fs::read_dir(path.parent()?)
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    closest(&name, names.iter().map(String::as_str)).map(String::from)
}
