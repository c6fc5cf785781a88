//! Documentation, messages and comments use the terms of the field: `phrases.txt` lists what they do not contain.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders and files that are not checked: other systems' outputs, pasted templates, and entries that quote old messages.
const SKIPPED: &[&str] = &["target", "goldens", "pasted", "CHANGELOG.md"];

fn files(path: PathBuf, out: &mut Vec<PathBuf>) {
    let name = path.file_name().unwrap().to_string_lossy();
    if name.starts_with('.') && name.len() > 2 || SKIPPED.contains(&&*name) {
        return;
    }
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap();
        entries.for_each(|entry| files(entry.unwrap().path(), out));
    } else if path.extension().is_some_and(|it| it == "rs" || it == "md") {
        out.push(path);
    }
}

/// The part of a line that is checked. In code, these are comments and strings, in tests and benchmarks only comments: their
/// strings are data.
fn checked<'l>(path: &Path, line: &'l str) -> &'l str {
    if path.extension().is_some_and(|it| it == "md") {
        return line;
    }
    let is_test =
        |it: std::path::Component<'_>| it.as_os_str() == "tests" || it.as_os_str() == "benches";
    let at = match path.components().any(is_test) {
        true => line.find("// ").or(line.find("//!")).or(line.find("///")),
        false => line.find("//").into_iter().chain(line.find('"')).min(),
    };
    at.map_or("", |at| &line[at..])
}

/// Whether a line contains a phrase as whole words, except in "there is no file" and "is no longer", which are plain English.
fn find(line: &str, phrase: &str) -> bool {
    line.match_indices(phrase).any(|(at, _)| {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let (before, after) = (&line[..at], &line[at + phrase.len()..]);
        let is_part = before.ends_with(word) || after.starts_with(word);
        let no_longer = phrase.ends_with(" no") && after.starts_with(" longer");
        !(is_part || no_longer || before.ends_with("there "))
    })
}

#[test]
fn documentation_is_plain() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let table = include_str!("../phrases.txt").lines().skip(1);
    let table: Vec<_> = table.map(|line| line.split_once(" | ").unwrap()).collect();
    let mut paths = Vec::new();
    let entries = fs::read_dir(&root).unwrap();
    entries.for_each(|entry| files(entry.unwrap().path(), &mut paths));
    paths.sort();
    let mut wrong = String::new();
    for path in paths {
        let path = path.strip_prefix(&root).unwrap();
        for (number, line) in fs::read_to_string(root.join(path))
            .unwrap()
            .lines()
            .enumerate()
        {
            let text = checked(path, line);
            let text = text.to_lowercase();
            for (phrase, better) in &table {
                if find(&text, &phrase.to_lowercase()) {
                    writeln!(
                        wrong,
                        "{}:{}: `{phrase}`, write `{better}`: {}",
                        path.display(),
                        number + 1,
                        line.trim()
                    )
                    .unwrap();
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} lines:\n{wrong}",
        wrong.lines().count()
    );
}
