//! Documentation, messages and comments use the terms of the field: `phrases.txt` lists what they do not contain.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The checked files, and folders whose `.rs` and `.md` files are checked.
const PATHS: &[&str] = &[
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs",
    "book/pages",
    "examples",
    "src",
    "prompt-chat-template/src",
    "prompt-client/src",
    "prompt-compat/src",
    "prompt-core/src",
    "prompt-eval/src",
    "prompt-jinja/src",
    "prompt-macros/src",
    "prompt-mcp/src",
    "prompt-output/src",
    "prompt-syntax/src",
];

fn files(path: PathBuf, out: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap();
        entries.for_each(|entry| files(entry.unwrap().path(), out));
    } else if path.extension().is_some_and(|it| it == "rs" || it == "md") {
        out.push(path);
    }
}

/// The positions of a phrase as whole words, except after "there": "there is no file" is plain English.
fn find(line: &str, phrase: &str) -> bool {
    line.match_indices(phrase).any(|(at, _)| {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let (before, after) = (&line[..at], &line[at + phrase.len()..]);
        !before.ends_with(word) && !after.starts_with(word) && !before.ends_with("there ")
    })
}

#[test]
fn documentation_is_plain() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let table = include_str!("../phrases.txt").lines().skip(1);
    let table: Vec<_> = table.map(|line| line.split_once(" | ").unwrap()).collect();
    let mut paths = Vec::new();
    PATHS
        .iter()
        .for_each(|path| files(root.join(path), &mut paths));
    paths.sort();
    let mut wrong = String::new();
    for path in paths {
        let is_code = path.extension().is_some_and(|it| it == "rs");
        for (number, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            // In code: comments and strings.
            let text = match is_code {
                true => line
                    .find("//")
                    .into_iter()
                    .chain(line.find('"'))
                    .min()
                    .map_or("", |at| &line[at..]),
                false => line,
            };
            let text = text.to_lowercase();
            for (phrase, better) in &table {
                if find(&text, &phrase.to_lowercase()) {
                    let path = path.strip_prefix(&root).unwrap().display();
                    writeln!(
                        wrong,
                        "{path}:{}: `{phrase}`, write `{better}`: {}",
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
