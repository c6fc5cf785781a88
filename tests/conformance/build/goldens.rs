//! The folder with the golden files.

use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::Value;

/// The folder that `GOLDENS` names, else the project's own copy.
///
/// A relative path is relative to the directory in which cargo was called, or to the root of the workspace.
pub(crate) fn folder() -> PathBuf {
    println!("cargo::rerun-if-env-changed=GOLDENS");
    let manifest =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let Some(named) = env::var_os("GOLDENS").filter(|named| !named.is_empty()) else {
        return manifest.join("../goldens");
    };
    let named = PathBuf::from(named);
    if named.is_absolute() {
        return named;
    }
    println!("cargo::rerun-if-env-changed=PWD");
    let called = env::var_os("PWD").map(PathBuf::from);
    let workspace = manifest.join("../..");
    let bases = [called, Some(workspace), Some(manifest)];
    let found = bases
        .iter()
        .flatten()
        .map(|base| base.join(&named))
        .find(|folder| folder.is_dir());
    found.unwrap_or_else(|| panic!("GOLDENS={}: no such folder", named.display()))
}

/// Whether the golden files are not the project's own.
pub(crate) fn are_foreign() -> bool {
    env::var_os("GOLDENS").is_some_and(|named| !named.is_empty())
}

/// The JSON of a file of the folder, or `None` if the file does not exist.
pub(crate) fn read(folder: &Path, file: &str) -> Option<Value> {
    let path = folder.join(file);
    println!("cargo::rerun-if-changed={}", path.display());
    let text = fs::read_to_string(&path).ok()?;
    match serde_json::from_str(&text) {
        Ok(value) => Some(value),
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

/// The cases of a file: the file is the list, or an object with `cases`.
pub(crate) fn cases(value: &Value) -> Vec<Value> {
    let list = value.get("cases").unwrap_or(value);
    list.as_array().cloned().unwrap_or_default()
}
