//! Speed of typed-prompt beside its peers: `cargo run --release -p prompt-benches -- [PART…]`

mod compile;
mod measure;
mod parse;
mod render;

use std::process::ExitCode;

use measure::Outcome;

/// What can be measured, each part by its name.
const PARTS: [(&str, Part); 3] = [
    ("render", render::run),
    ("parse", parse::run),
    ("compile", compile::run),
];

type Part = fn() -> Vec<Outcome>;

fn main() -> ExitCode {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    if let Some(unknown) = asked
        .iter()
        .find(|name| PARTS.iter().all(|part| part.0 != *name))
    {
        let known = PARTS.map(|part| part.0).join("`, `");
        eprintln!("error: there is no part `{unknown}`\nhelp: use `{known}`, or none for all");
        return ExitCode::FAILURE;
    }
    for (name, run) in PARTS {
        if asked.is_empty() || asked.iter().any(|asked| asked == name) {
            run();
        }
    }
    ExitCode::SUCCESS
}
