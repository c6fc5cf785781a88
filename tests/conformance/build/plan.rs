//! The plan for a case, and the Rust code that is generated from it.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::rust::{literal, slice};
use crate::trial::{self, Refused};

/// A reference system: one file of `build/systems`.
pub(crate) struct System {
    /// Its name in the summary line, and the name of its test.
    pub(crate) name: &'static str,
    /// Its file in the folder of the golden files.
    pub(crate) file: &'static str,
    /// Its display name.
    pub(crate) title: &'static str,
    /// `use` lines for all its cases.
    pub(crate) uses: &'static str,
    /// `use` lines that only the cases that run need.
    pub(crate) glue: &'static str,
    /// The cases in its file.
    pub(crate) cases: fn(&Value) -> Vec<Value>,
    /// Returns the plan for a case.
    pub(crate) plan: fn(&Value) -> Plan,
}

/// How a case is checked.
pub(crate) enum Plan {
    /// A block that ends in an `Outcome`, and the `Wanted` it is compared with.
    Run { body: String, wanted: String },
    /// A block that must not compile; each error is one of these.
    Reject { body: String, words: Vec<String> },
    /// The case cannot be mapped to Rust, for this reason.
    Unmapped(String),
}

impl Plan {
    /// For `?` in mappings: a case that cannot be mapped fails alone, not the build.
    pub(crate) fn unmapped(why: impl Into<String>) -> Plan {
        Plan::Unmapped(why.into())
    }
}

/// The blocks of the cases that run, with the number of each.
pub(crate) fn blocks<'a>(
    system: &'a System,
    cases: &[Value],
    quirks: bool,
) -> Vec<(&'a System, usize, String)> {
    let taken = cases.iter().filter(|case| quirks || !is_quirk(case));
    let blocks = taken
        .enumerate()
        .filter_map(|(index, case)| match (system.plan)(case) {
            Plan::Run { body, .. } => Some((system, index, body)),
            _ => None,
        });
    blocks.collect()
}

/// The module and the test of a system.
pub(crate) fn write(
    system: &System,
    cases: &[Value],
    quirks: bool,
    refused: &Refused,
    out: &Path,
) -> String {
    let folder = out.join(system.name);
    fs::create_dir_all(&folder).expect("OUT_DIR can be written");
    let id = |case: &Value| case["id"].as_str().unwrap_or("without an id").to_owned();
    let (taken, skipped): (Vec<_>, Vec<_>) =
        cases.iter().partition(|case| quirks || !is_quirk(case));
    let mut functions = String::new();
    let mut entries = String::new();
    for (index, case) in taken.into_iter().enumerate() {
        let refused = refused.get(&trial::file_of(system, index));
        let check = match (system.plan)(case) {
            Plan::Run { wanted, .. } if refused.is_some() => {
                let says = refused.map_or_else(String::new, |says| literal(says));
                format!("Check::Refused {{ says: {says}, wanted: {wanted} }}")
            }
            Plan::Run { body, wanted } => {
                writeln!(functions, "fn case_{index}() -> Outcome {body}")
                    .expect("a string takes everything");
                let is_said = wanted.starts_with("Wanted::Quirk");
                let wanted = if is_quirk(case) && !is_said {
                    quirk(case)
                } else {
                    wanted
                };
                format!("Check::Run {{ run: case_{index}, wanted: {wanted} }}")
            }
            Plan::Reject { body, words } => {
                let file = format!("case_{index}.rs");
                let text = format!(
                    "{}\nfn case() -> typed_prompt::Result<()> {body}\n\nfn main() {{\n    drop(case());\n}}\n",
                    system.uses
                );
                fs::write(folder.join(&file), text).expect("OUT_DIR can be written");
                let path = format!(
                    "concat!(env!(\"OUT_DIR\"), {})",
                    literal(&format!("/{}/{file}", system.name))
                );
                format!(
                    "Check::Reject {{ file: {path}, words: {}, quirk: {} }}",
                    slice(words.iter().map(|word| literal(word))),
                    is_quirk(case)
                )
            }
            Plan::Unmapped(why) => format!("Check::Unmapped({})", literal(&why)),
        };
        writeln!(
            entries,
            "    Case {{ id: {}, check: {check} }},",
            literal(&id(case))
        )
        .expect("a string takes everything");
    }
    format!(
        "#[test]\nfn {name}() {{\n    drive::drive(&case::System {{ name: {quoted}, title: {title}, cases: {name}::CASES, skipped: {skipped} }});\n}}\n\n\
         #[allow(warnings, clippy::all, clippy::pedantic)]\nmod {name} {{\nuse crate::case::{{Case, Check, Got, Outcome, Wanted, guarded, json, text, twins}};\n{uses}\n{glue}\n\
         {functions}\npub(crate) const CASES: &[Case] = &[\n{entries}];\n}}\n\n",
        name = system.name,
        quoted = literal(system.name),
        skipped = slice(skipped.into_iter().map(|case| literal(&id(case)))),
        title = literal(system.title),
        uses = system.uses,
        glue = system.glue,
    )
}

/// Whether the case is a bug, lost data, or an accident of the original.
pub(crate) fn is_quirk(case: &Value) -> bool {
    case["quirk"].as_bool().unwrap_or(false)
}

fn quirk(case: &Value) -> String {
    let gives = case.get("expect").map(|expect| match expect {
        Value::String(text) => literal(text),
        other => literal(&other.to_string()),
    });
    gives.map_or("Wanted::Quirk(None)".to_owned(), |gives| {
        format!("Wanted::Quirk(Some({gives}))")
    })
}
