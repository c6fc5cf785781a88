//! The name of typed-prompt in the manifest of the package that is compiled.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

const PACKAGE: &str = "typed-prompt";

/// How generated code reaches typed-prompt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CrateName {
    /// By this name: `typed_prompt`, or the name of a renamed dependency.
    Is(&'static str),
    /// The manifest does not mention it.
    Missing,
}

impl CrateName {
    /// The name, by which rustc reports a missing dependency.
    pub(crate) fn or_default(self) -> &'static str {
        match self {
            CrateName::Is(name) => name,
            CrateName::Missing => "typed_prompt",
        }
    }
}

/// The name for the package that is compiled. Without a manifest, as with build systems other than cargo, it is `typed_prompt`.
pub(crate) fn crate_name() -> CrateName {
    // An editor expands the macros of many packages in one process.
    static KNOWN: Mutex<Vec<(OsString, CrateName)>> = Mutex::new(Vec::new());
    let Some(folder) = std::env::var_os("CARGO_MANIFEST_DIR") else {
        return CrateName::Is("typed_prompt");
    };
    let mut known = KNOWN
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some((_, name)) = known.iter().find(|(path, _)| *path == folder) {
        return *name;
    }
    let name = read(Path::new(&folder));
    known.push((folder, name));
    name
}

fn read(folder: &Path) -> CrateName {
    let path = std::env::var_os("CARGO_MANIFEST_PATH").map(PathBuf::from);
    let path = path.unwrap_or_else(|| folder.join("Cargo.toml"));
    let is_manifest = path.file_name().is_some_and(|name| name == "Cargo.toml");
    let Some(manifest) = std::fs::read_to_string(&path).ok().filter(|_| is_manifest) else {
        return CrateName::Is("typed_prompt");
    };
    let workspace = || {
        let manifests = folder.ancestors().map(|folder| folder.join("Cargo.toml"));
        manifests
            .filter_map(|path| std::fs::read_to_string(path).ok())
            .find(|manifest| manifest.contains("[workspace"))
    };
    name_in(&manifest, workspace)
}

/// The name in a manifest; `workspace` returns the manifest of its workspace.
fn name_in(manifest: &str, workspace: impl FnOnce() -> Option<String>) -> CrateName {
    let dependencies = dependencies(manifest);
    let is_usual = |dependency: &&Dependency| dependency.name.replace('-', "_") == "typed_prompt";
    if dependencies.iter().any(|dependency| is_usual(&dependency)) {
        return CrateName::Is("typed_prompt");
    }
    let renamed = |dependency: &&Dependency| dependency.is_renamed;
    if let Some(dependency) = dependencies.iter().find(renamed) {
        return CrateName::Is(rust_name(&dependency.name));
    }
    let mut of_workspace = dependencies
        .iter()
        .filter(|it| it.is_of_workspace)
        .peekable();
    if of_workspace.peek().is_some() {
        let all = workspace()
            .map(|manifest| self::dependencies(&manifest))
            .unwrap_or_default();
        let is_renamed = |name: &str| all.iter().any(|it| it.is_renamed && it.name == name);
        if let Some(dependency) = of_workspace.find(|it| is_renamed(&it.name)) {
            return CrateName::Is(rust_name(&dependency.name));
        }
    }
    match manifest.contains(PACKAGE) || manifest.contains("typed_prompt") {
        true => CrateName::Is("typed_prompt"),
        false => CrateName::Missing,
    }
}

fn rust_name(name: &str) -> &'static str {
    match syn::parse_str::<proc_macro2::Ident>(&name.replace('-', "_")) {
        Ok(name) => name.to_string().leak(),
        Err(_) => "typed_prompt",
    }
}

#[derive(Default)]
struct Dependency {
    name: String,
    /// `package = "typed-prompt"`.
    is_renamed: bool,
    /// `workspace = true`.
    is_of_workspace: bool,
}

/// The dependencies of all tables, in the order of the manifest.
fn dependencies(manifest: &str) -> Vec<Dependency> {
    let mut all: Vec<Dependency> = Vec::new();
    let mut add = |name: &str, value: &str| {
        let is_renamed =
            keys(value).any(|(key, value)| key == "package" && unquoted(value) == PACKAGE);
        let is_of_workspace = keys(value).any(|(key, value)| key == "workspace" && value == "true");
        let at = all.iter().position(|it| it.name == name);
        let at = at.unwrap_or_else(|| {
            all.push(Dependency {
                name: name.to_owned(),
                ..Dependency::default()
            });
            all.len() - 1
        });
        all[at].is_renamed |= is_renamed;
        all[at].is_of_workspace |= is_of_workspace;
    };
    // `None` outside tables of dependencies, `Some("")` in one, `Some(name)` in the table of one dependency.
    let mut table: Option<&str> = None;
    let mut depth = 0;
    for line in manifest.lines() {
        let line = without_comment(line).trim();
        if depth > 0 {
            // The rest of a list over several lines.
            depth += brackets(line);
            continue;
        }
        if let Some(header) = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'))
        {
            table = dependency_table(header);
            if let Some(name) = table.filter(|name| !name.is_empty()) {
                add(name, "");
            }
            continue;
        }
        let Some((key, value)) = line.split_once('=') else {
            continue;
        };
        let (key, value) = (key.trim(), value.trim());
        depth = brackets(value);
        match table {
            None => {}
            // `tp = { … }`, or `tp.package = "…"`.
            Some("") => match key.split_once('.') {
                None => add(unquoted(key), value),
                Some((name, key)) => add(unquoted(name.trim()), &format!("{{{key} = {value}}}")),
            },
            Some(name) => add(name, &format!("{{{key} = {value}}}")),
        }
    }
    all
}

/// Whether the table is one of dependencies, and of which one.
fn dependency_table(header: &str) -> Option<&str> {
    for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
        if header.trim() == kind || header.trim().ends_with(&format!(".{kind}")) {
            return Some("");
        }
        let at = match header.strip_prefix(kind) {
            Some(_) => Some(0),
            None => header.find(&format!(".{kind}.")).map(|at| at + 1),
        };
        if let Some(name) = at.and_then(|at| header[at + kind.len()..].strip_prefix('.')) {
            return Some(unquoted(name.trim()));
        }
    }
    None
}

/// The entries of an inline table on one line.
fn keys(value: &str) -> impl Iterator<Item = (&str, &str)> {
    let inside = value.strip_prefix('{').unwrap_or_default();
    let entries = inside.trim_end_matches('}').split(',');
    entries.filter_map(|entry| {
        let (key, value) = entry.split_once('=')?;
        Some((key.trim(), value.trim()))
    })
}

fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\''])
}

/// How many more brackets are opened than closed.
fn brackets(text: &str) -> i32 {
    let mut quote = None;
    let mut depth = 0;
    for char in text.chars() {
        match (quote, char) {
            (None, '"' | '\'') => quote = Some(char),
            (Some(open), char) if open == char => quote = None,
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth -= 1,
            _ => {}
        }
    }
    depth
}

fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (at, char) in line.char_indices() {
        match (quote, char) {
            (None, '"' | '\'') => quote = Some(char),
            (Some(open), char) if open == char => quote = None,
            (None, '#') => return &line[..at],
            _ => {}
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let workspace = "[workspace]\nmembers = [\"a\"]\n[workspace.dependencies]\ntp-own = { package = \"typed-prompt\", version = \"1\" }\n";
        for (manifest, expected) in [
            ("[dependencies]\ntyped-prompt = \"1\"", "typed_prompt"),
            (
                "[dependencies]\ntyped_prompt = { version = \"1\" }",
                "typed_prompt",
            ),
            (
                "[dependencies]\ntp = { package = \"typed-prompt\", version = \"1\" }",
                "tp",
            ),
            (
                "[dependencies]\nmy-tp = { version = '1', package='typed-prompt' } # typed-prompt",
                "my_tp",
            ),
            (
                "[dependencies.tp]\nversion = \"1\"\npackage = \"typed-prompt\"",
                "tp",
            ),
            (
                "[ dependencies ]\ntp.package = \"typed-prompt\"\ntp.version = \"1\"",
                "tp",
            ),
            (
                "[target.'cfg(unix)'.dependencies]\n\"tp\" = { package = \"typed-prompt\" }",
                "tp",
            ),
            (
                "[target.'cfg(unix)'.dependencies.tp]\npackage = \"typed-prompt\"",
                "tp",
            ),
            (
                "[dev-dependencies]\ntp = { package = \"typed-prompt\", features = [\n  \"schema\",\n  \"x = { package\",\n] }\nother = \"1\"",
                "tp",
            ),
            ("[dependencies]\ntp-own.workspace = true", "tp_own"),
            (
                "[dependencies]\ntp-own = { workspace = true, features = [\"schema\"] }",
                "tp_own",
            ),
            (
                "[dependencies]\ntyped-prompt.workspace = true",
                "typed_prompt",
            ),
            (
                "[dependencies]\ntp = { package = \"typed-prompt\" }\n[dev-dependencies]\ntyped-prompt = \"1\"",
                "typed_prompt",
            ),
            ("[package]\nname = \"typed-prompt\"", "typed_prompt"),
            ("[dependencies]\nserde = { version = \"1\" }", "missing"),
            ("[features]\ntp = [\"dep:typed-prompt\"]", "typed_prompt"),
            ("", "missing"),
            ("[[[=\n]=}{", "missing"),
        ] {
            let found = match name_in(manifest, || Some(workspace.to_owned())) {
                CrateName::Is(name) => name,
                CrateName::Missing => "missing",
            };
            assert_eq!(found, expected, "{manifest}");
        }
    }
}
