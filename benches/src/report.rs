//! The page `docs/performance.md` and its plots, from all stored figures.

mod goal;
mod plot;

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::measure::{Outcome, Row, time};

/// Expansions that were tried: this is written by hand.
const TRIED: &str = include_str!("../tried.md");

/// Stores the figures of one part for the page, and prints them.
pub(crate) fn keep(folder: &Path, part: &str, outcomes: &[Outcome]) {
    for outcome in outcomes {
        println!("{}", table(outcome));
    }
    fs::create_dir_all(folder).expect("a folder below `target`");
    let json = serde_json::to_string_pretty(outcomes).expect("figures have a JSON form");
    fs::write(folder.join(format!("{part}.json")), json).expect("a file below `target`");
}

/// Writes the page: the goals, and a table and a plot for each contest.
///
/// # Errors
/// Parts that have no figures. Nothing is written.
pub(crate) fn write<'a>(
    folder: &Path,
    docs: &Path,
    parts: &[(&'a str, &str)],
) -> Result<(), Vec<&'a str>> {
    let mut measured: Vec<(&str, Vec<Outcome>)> = Vec::new();
    let mut missing = Vec::new();
    for (part, _) in parts {
        match fs::read_to_string(folder.join(format!("{part}.json"))) {
            Ok(json) => {
                let outcomes = serde_json::from_str(&json).expect("it was written by `keep`");
                measured.push((part, outcomes));
            }
            Err(_) => missing.push(*part),
        }
    }
    if !missing.is_empty() {
        return Err(missing);
    }
    let plots = docs.join("performance");
    drop(fs::remove_dir_all(&plots));
    fs::create_dir_all(&plots).expect("a folder of plots");
    let mut page = format!(
        "# Performance\n\nWritten by `cargo run --release -p benches`; `benches/README.md` describes how it measures. {}\n\n\
         A time is the median over at least 7 rounds in which all entries take turns; a ratio is the median of the ratios \
         to the first entry within each round. All entries of a contest write the same text.\n\n\
         ## Goals\n\n{}",
        machine(),
        goal::table(&measured)
    );
    for (part, outcomes) in &measured {
        let heading = parts.iter().find(|(other, _)| other == part);
        let heading = heading.map_or(*part, |(_, heading)| heading);
        write!(page, "\n## {heading}\n").expect("a string takes everything");
        if outcomes.len() > 2 && outcomes.iter().all(|outcome| outcome.size.is_some()) {
            let file = format!("{part}.svg");
            fs::write(plots.join(&file), plot::curves(outcomes)).expect("a file in `docs`");
            write!(page, "\n![{heading}](performance/{file})\n")
                .expect("a string takes everything");
            for outcome in outcomes {
                page.push_str(&table(outcome));
            }
            continue;
        }
        for (index, outcome) in outcomes.iter().enumerate() {
            let file = format!("{part}-{}.svg", index + 1);
            fs::write(plots.join(&file), plot::bars(outcome)).expect("a file in `docs`");
            page.push_str(&table(outcome));
            write!(page, "\n![{}](performance/{file})\n", outcome.title)
                .expect("a string takes everything");
        }
    }
    write!(page, "\n{TRIED}").expect("a string takes everything");
    fs::write(docs.join("performance.md"), page).expect("a file in `docs`");
    Ok(())
}

/// The machine and the versions of the measurement.
fn machine() -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model.map_or("an unknown processor", |line| {
        line.trim_start_matches([' ', '\t', ':'])
    });
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let said = |program: &str| {
        let output = Command::new(program).arg("--version").output();
        output.map_or_else(
            |_| format!("no {program}"),
            |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        )
    };
    format!(
        "Measured on {model}, {cores} cores, with {}, {} and the versions in `Cargo.lock` and `benches/python/setup`.",
        said("rustc"),
        said("python3")
    )
}

fn table(outcome: &Outcome) -> String {
    let mut text = format!(
        "\n### {}\n\n| | median | × the first | minimum |\n| --- | ---: | ---: | ---: |\n",
        outcome.title
    );
    for Row {
        name,
        nanos,
        least,
        ratio,
    } in &outcome.rows
    {
        writeln!(
            text,
            "| {name} | {} | {ratio:.2} | {} |",
            time(*nanos),
            time(*least)
        )
        .expect("a string takes everything");
    }
    text
}
