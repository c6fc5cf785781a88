//! How often the guard changes ordinary text: sources, documentation, HTML, JSX, C++ and shell commands.
//!
//! `SAMPLES=folder cargo test -p prompt-core --test it false_positives -- --nocapture` prints, for each format, the number of
//! places that the guard breaks in the files below the folder, by their kind.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use prompt_core::{ChatFormat, Guard, Message, Messages, format};

/// The spaces that the guard of a format inserts into a text.
fn breaks(native: &format::NativeFormat, text: &str) -> usize {
    let length = |guard| {
        let text = Messages::from([Message::user(text)]).to_text(native.clone().guard(guard));
        text.unwrap().len()
    };
    length(Guard::Neutralise) - length(Guard::Allow)
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_symlink() || name.starts_with('.') || name == "target" {
            continue;
        }
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

/// The kind of a text file, by the end of its name.
fn kind(path: &Path) -> Option<&'static str> {
    match path.extension()?.to_str()? {
        "rs" => Some("Rust"),
        "md" => Some("Markdown"),
        "html" | "htm" => Some("HTML"),
        "jsx" | "tsx" | "js" | "ts" => Some("JSX"),
        "cc" | "cpp" | "h" | "hpp" | "tcc" => Some("C++"),
        _ => None,
    }
}

#[test]
fn prints_the_places_that_are_broken() {
    let Some(folder) = std::env::var_os("SAMPLES") else {
        return;
    };
    let mut paths = Vec::new();
    files(Path::new(&folder), &mut paths);
    let mut texts: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for path in &paths {
        let text = kind(path).and_then(|_| std::fs::read_to_string(path).ok());
        if let (Some(kind), Some(text)) = (kind(path), text) {
            texts.entry(kind).or_default().push(text);
        }
    }
    for (kind, texts) in &texts {
        let bytes: usize = texts.iter().map(String::len).sum();
        println!("{kind}: {} files, {bytes} bytes", texts.len());
    }
    for native in format::MODEL_FORMATS {
        let counts = texts.iter().map(|(kind, texts)| {
            let count: usize = texts.iter().map(|text| breaks(native, text)).sum();
            format!("{kind} {count}")
        });
        let counts: Vec<String> = counts.collect();
        println!("{}: {}", native.family().name, counts.join(", "));
    }
}
