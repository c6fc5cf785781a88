//! Speed of typed-prompt beside its peers: `cargo run --release -p benches -- [PART…]`
//!
//! Measures the named parts, or all, prints their figures, and writes `docs/performance.md` if all parts have figures.

mod chat;
mod compile;
mod engines;
mod goal;
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

/// The parts, in the order of the page.
const PARTS: [Part; 14] = [
    Part {
        name: "render",
        heading: "A prompt of six slots",
        about: Some(
            "The same text from a struct with six fields. \"A new `String`\" is what `to_text` returns; \"a `String` kept\" writes into a buffer that is used again.",
        ),
        run: render::run,
    },
    Part {
        name: "loops",
        heading: "A list of twenty items",
        about: Some("A loop over retrieved passages and a question."),
        run: loops::run,
    },
    Part {
        name: "chat",
        heading: "A conversation as the text that a model reads",
        about: Some(
            "Twenty turns and a question. minijinja renders the shortest template that writes the same text, without keeping control tokens out of data.",
        ),
        run: chat::run,
    },
    Part {
        name: "history",
        heading: "A prompt with a history",
        about: Some("The turns are a field of the prompt, and the question is a slot."),
        run: history::run,
    },
    Part {
        name: "guard",
        heading: "Keeping control tokens out of data",
        about: Some(
            "One message in ChatML: what the default guard costs in comparison with `Guard::Allow`.",
        ),
        run: guard::run,
    },
    Part {
        name: "parse",
        heading: "Answers of models",
        about: Some(
            "The other libraries repair the notation of JSON and have no schema; `benches/README.md` has the number of answers that each reads correctly.",
        ),
        run: parse::run,
    },
    Part {
        name: "python",
        heading: "Python's libraries",
        about: Some(
            "The same text as LazyLLM, AdalFlow (LightRAG), transformers and AISBench write, each in its own process.",
        ),
        run: python::run,
    },
    Part {
        name: "check",
        heading: "Compile time: `cargo check`",
        about: Some(
            "A crate of 400 prompts of 12 slots, beside the same texts with `format!` and askama. The dependencies are compiled before.",
        ),
        run: compile::check,
    },
    Part {
        name: "edit",
        heading: "Compile time: one template edited",
        about: Some("The same crate, checked again after a change of one template."),
        run: compile::edit,
    },
    Part {
        name: "debug",
        heading: "Compile time: debug build",
        about: Some("The same crate, built."),
        run: compile::debug,
    },
    Part {
        name: "release",
        heading: "Compile time: release build",
        about: Some("The same crate, built with optimisation."),
        run: compile::release,
    },
    Part {
        name: "expansion",
        heading: "Compile time: macros alone",
        about: None,
        run: compile::expansion,
    },
    Part {
        name: "start",
        heading: "Reading templates when a program starts",
        about: None,
        run: compile::at_start,
    },
    Part {
        name: "cold",
        heading: "Compile time: from nothing",
        about: Some(
            "A debug build of a package whose only dependency is typed-prompt, with all third-party crates.",
        ),
        run: compile::cold,
    },
];

/// A part of the benchmarks.
struct Part {
    /// The name on the command line.
    name: &'static str,
    heading: &'static str,
    /// The sentence below the heading. A part without one is printed, and is not on the page.
    about: Option<&'static str>,
    run: fn() -> Vec<Outcome>,
}

fn main() -> ExitCode {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let is_part = |name: &&String| PARTS.iter().any(|part| part.name == name.as_str());
    if let Some(unknown) = asked.iter().find(|name| !is_part(name)) {
        let known = PARTS.each_ref().map(|part| part.name).join("`, `");
        eprintln!("error: there is no part `{unknown}`\nhelp: use `{known}`, or none for all");
        return ExitCode::FAILURE;
    }
    let stored = target().join("performance");
    for part in &PARTS {
        if asked.is_empty() || asked.iter().any(|asked| asked == part.name) {
            let outcomes = (part.run)();
            report::store(&stored, part.name, &outcomes);
            print!("{}", goal::table(part.name, &outcomes));
        }
    }
    if let Err(missing) = report::write_page(&stored, &root().join("docs"), &PARTS) {
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
