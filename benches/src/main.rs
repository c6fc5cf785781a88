//! Speed of typed-prompt beside its peers: `cargo run --release -p benches -- [PART…]`
//!
//! Measures the named parts, or all, prints their figures, and writes `docs/performance.md` if all parts have figures.

mod chat;
mod compile;
mod engines;
mod guard;
mod history;
mod loops;
mod measure;
mod parse;
mod python;
mod render;
mod report;
mod rows;
mod wrap;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use measure::Outcome;

/// The parts: name, heading on the page, and function.
const PARTS: [(&str, &str, Part); 14] = [
    ("render", "A prompt of six slots as text", render::run),
    ("loops", "A list of twenty items", loops::run),
    ("chat", "Conversations", chat::run),
    ("history", "A prompt with a history", history::run),
    ("guard", "Keeping control tokens out of data", guard::run),
    ("parse", "Answers of models", parse::run),
    ("python", "Python's libraries", python::run),
    ("check", "Compile time: `cargo check`", compile::check),
    ("edit", "Compile time: one template edited", compile::edit),
    ("debug", "Compile time: debug build", compile::debug),
    ("release", "Compile time: release build", compile::release),
    (
        "expansion",
        "Compile time: macros alone",
        compile::expansion,
    ),
    (
        "start",
        "What is read at run time instead",
        compile::at_start,
    ),
    (
        "cold",
        "Compile time: each feature, from nothing",
        compile::cold,
    ),
];

type Part = fn() -> Vec<Outcome>;

fn main() -> ExitCode {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let is_part = |name: &&String| PARTS.iter().any(|part| part.0 == name.as_str());
    if let Some(unknown) = asked.iter().find(|name| !is_part(name)) {
        let known = PARTS.map(|part| part.0).join("`, `");
        eprintln!("error: there is no part `{unknown}`\nhelp: use `{known}`, or none for all");
        return ExitCode::FAILURE;
    }
    let kept = target().join("performance");
    for (name, _, run) in PARTS {
        if asked.is_empty() || asked.iter().any(|asked| asked == name) {
            report::keep(&kept, name, &run());
        }
    }
    let headings = PARTS.map(|(name, heading, _)| (name, heading));
    if let Err(missing) = report::write(&kept, &root().join("docs"), &headings) {
        println!(
            "`docs/performance.md` is unchanged: it needs figures of `{}`",
            missing.join("`, `")
        );
    }
    ExitCode::SUCCESS
}

/// The project's folder.
fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent()
        .expect("this crate lies in the project")
        .to_owned()
}

/// Where cargo builds.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}
