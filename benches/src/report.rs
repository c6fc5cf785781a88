//! The page `docs/performance.md`, from the stored figures of all parts.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::Part;
use crate::measure::{Outcome, Row, time};

/// The name of the entry to which the others are compared on the page.
const OURS: &str = "typed-prompt";

/// Entries that explain a figure to the authors and that nobody could use instead: they are printed, and are not on the page.
const INTERNAL: [&str; 3] = ["floor", "memchr alone", "guard, all beginnings"];

/// Stores the figures of one part for the page.
pub(crate) fn store(folder: &Path, part: &str, outcomes: &[Outcome]) {
    fs::create_dir_all(folder).expect("a folder below `target`");
    let json = serde_json::to_string_pretty(outcomes).expect("figures have a JSON form");
    fs::write(folder.join(format!("{part}.json")), json).expect("a file below `target`");
}

/// Writes the page: a section for each part, with a table for each contest.
///
/// # Errors
/// Names of parts that have no figures. Nothing is written.
pub(crate) fn write_page(
    folder: &Path,
    docs: &Path,
    parts: &[Part],
) -> Result<(), Vec<&'static str>> {
    let mut sections = String::new();
    let mut missing = Vec::new();
    for part in parts {
        let Some(about) = part.about else { continue };
        match fs::read_to_string(folder.join(format!("{}.json", part.name))) {
            Ok(json) => {
                let outcomes: Vec<Outcome> =
                    serde_json::from_str(&json).expect("it was written by `store`");
                write_section(&mut sections, part, about, &outcomes);
            }
            Err(_) => missing.push(part.name),
        }
    }
    if !missing.is_empty() {
        return Err(missing);
    }
    let page = format!(
        "# Performance\n\nWhat typed-prompt costs beside what you would use instead. The page is written by `cargo run --release -p benches`; \
         each section names the command that repeats it. {}\n\n\
         A time is the median over at least 7 rounds in which all entries take turns, and `×` is a multiple of typed-prompt's time in the same \
         rounds. All entries of a table write the same text, which is checked before the measurement. `benches/README.md` describes the method.\n\
         {sections}",
        machine()
    );
    fs::write(docs.join("performance.md"), page).expect("a file in `docs`");
    Ok(())
}

fn write_section(page: &mut String, part: &Part, about: &str, outcomes: &[Outcome]) {
    write!(
        page,
        "\n## {}\n\n{about} Repeat it with `cargo run --release -p benches -- {}`.\n",
        part.heading, part.name
    )
    .expect("a string takes everything");
    for outcome in outcomes {
        write_table(page, outcome);
    }
}

fn write_table(page: &mut String, outcome: &Outcome) {
    let is_shown = |row: &&Row| !INTERNAL.iter().any(|name| row.name.starts_with(name));
    let rows: Vec<&Row> = outcome.rows.iter().filter(is_shown).collect();
    let ours = rows.iter().find(|row| row.name == OURS).or(rows.first());
    let Some(base) = ours.map(|row| row.ratio) else {
        return;
    };
    write!(
        page,
        "\n| {} | median | × |\n| --- | ---: | ---: |\n",
        outcome.title
    )
    .expect("a string takes everything");
    for row in rows {
        writeln!(
            page,
            "| {} | {} | {:.2} |",
            row.name,
            time(row.nanos),
            row.ratio / base
        )
        .expect("a string takes everything");
    }
}

/// The machine, the commit and the versions of the measurement.
fn machine() -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model.map_or("an unknown processor", |line| {
        line.trim_start_matches([' ', '\t', ':'])
    });
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "Measured at commit {} on {model}, {cores} cores, with {}, {} and the versions in `Cargo.lock` and `benches/python/setup`.",
        output_of("git", &["rev-parse", "--short=8", "HEAD"]),
        output_of("rustc", &["--version"]),
        output_of("python3", &["--version"])
    )
}

fn output_of(program: &str, arguments: &[&str]) -> String {
    match Command::new(program).args(arguments).output() {
        Ok(output) => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        Err(_) => format!("no {program}"),
    }
}
