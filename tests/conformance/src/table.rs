//! The tables of `QUIRKS.md`: their last column is written by running the cases.
//!
//! `CONFORMANCE_TABLE=1 cargo test -p conformance` also builds the quirks, and rewrites the last column.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::{env, fs};

use serde_json::Value;

use crate::case::{Case, Check, Got, System, Wanted};
use crate::chat_formats::has_other_goldens;
use crate::{compile_fail, diff, drive};

/// Whether the table is to be written.
pub(crate) fn is_wanted() -> bool {
    env::var_os("CONFORMANCE_TABLE").is_some()
}

/// Writes the results of the system's quirks, and of cases that only typed-prompt accepts, into their lines.
pub(crate) fn write(system: &System) {
    let stderrs = compile_fail::run(system);
    let listed = system.cases.iter().filter(|case| is_listed(case));
    let mut outcomes = BTreeMap::new();
    for case in listed {
        match outcome(system, case, &stderrs) {
            Ok(outcome) => drop(outcomes.insert(case.id, outcome)),
            Err(why) => println!("{}: {}\n{why}", system.name, case.id),
        }
    }
    let text = fs::read_to_string(path()).expect("QUIRKS.md is there");
    let mut missing: Vec<&str> = outcomes.keys().copied().collect();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for line in &mut lines {
        let Some((id, outcome)) = id_of(line).and_then(|id| outcomes.get_key_value(id)) else {
            continue;
        };
        missing.retain(|missing| missing != id);
        let end = line
            .trim_end_matches('|')
            .rfind(" | ")
            .map_or(line.len(), |at| at + 3);
        let written = format!("{}{outcome} |", &line[..end]);
        *line = written;
    }
    fs::write(path(), lines.join("\n") + "\n").expect("QUIRKS.md can be written");
    assert!(missing.is_empty(), "QUIRKS.md has no line for {missing:?}");
}

/// Fails if a quirk of the project's own golden files has no line.
pub(crate) fn check(system: &System) {
    if has_other_goldens() {
        return;
    }
    let text = fs::read_to_string(path()).expect("QUIRKS.md is there");
    let ids: Vec<&str> = text.lines().filter_map(id_of).collect();
    let missing: Vec<&&str> = system
        .skipped
        .iter()
        .filter(|id| !ids.contains(id))
        .collect();
    assert!(missing.is_empty(), "QUIRKS.md has no line for {missing:?}");
}

fn path() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/QUIRKS.md"))
}

/// The case of a line of the table.
fn id_of(line: &str) -> Option<&str> {
    line.strip_prefix("| `")?.split_once('`').map(|(id, _)| id)
}

fn is_listed(case: &Case) -> bool {
    matches!(
        case.check,
        Check::Run {
            wanted: Wanted::Quirk(_) | Wanted::Renders | Wanted::Twins,
            ..
        } | Check::Reject { quirk: true, .. }
            | Check::Unmapped(_)
    )
}

/// The result of a case, as a table cell.
fn outcome(
    system: &System,
    case: &Case,
    stderrs: &compile_fail::Stderrs,
) -> Result<String, String> {
    Ok(match &case.check {
        Check::Reject { file, words, .. } => {
            compile_fail::check(stderrs, file, words)?;
            format!(
                "compile error: {}",
                words_in_cell(&compile_fail::headline(&stderrs[file]))
            )
        }
        Check::Run { run, wanted } => match (drive::execute(*run)?, *wanted) {
            (Err(error), _) => format!("run-time error: {}", words_in_cell(&error.to_string())),
            (Ok(got), Wanted::Quirk(Some(original))) => against(system, original, got),
            (Ok(got), _) => format!("renders {}", code(&end_of(&got.into_text()))),
        },
        Check::Refused { says, .. } => format!("compile error: {}", words_in_cell(says)),
        Check::Unmapped(why) => format!(
            "cannot be written as a typed prompt: {}",
            words_in_cell(why)
        ),
    })
}

/// The part in which the result differs from the original's.
fn against(system: &System, original: &str, got: Got) -> String {
    let (original, got) = match got {
        Got::Json(got) => {
            let original: Value = serde_json::from_str(original).unwrap_or(Value::Null);
            (original.to_string(), got.to_string())
        }
        got => (original.to_owned(), got.into_text()),
    };
    if original == got {
        return "the same output".to_owned();
    }
    let (original, got) = diff::parts(&original, &got);
    format!("{}, {} {}", code(&got), system.title, code(&original))
}

/// The end of a text.
fn end_of(text: &str) -> String {
    const LENGTH: usize = 70;
    let count = text.chars().count();
    if count <= LENGTH {
        return text.to_owned();
    }
    format!("…{}", text.chars().skip(count - LENGTH).collect::<String>())
}

/// Text as code in a table cell.
fn code(text: &str) -> String {
    let text = text
        .replace('\n', "\\n")
        .replace('\r', "\\r")
        .replace('|', "\\|");
    let ticks = if text.contains('`') { "``" } else { "`" };
    let space = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) {
        " "
    } else {
        ""
    };
    format!("{ticks}{space}{text}{space}{ticks}")
}

fn words_in_cell(text: &str) -> String {
    text.replace('\n', " ").replace('|', "\\|")
}
