//! The page `docs/performance.md` and its plots, from all that was measured so far.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::measure::{Outcome, Row, time};

/// Keeps what one part found, for the page.
pub(crate) fn keep(folder: &Path, part: &str, outcomes: &[Outcome]) {
    fs::create_dir_all(folder).expect("a folder below `target`");
    let json = serde_json::to_string_pretty(outcomes).expect("figures have a JSON form");
    fs::write(folder.join(format!("{part}.json")), json).expect("a file below `target`");
}

/// Writes the page: a table and a plot for each contest.
pub(crate) fn write(folder: &Path, docs: &Path, parts: &[(&str, &str)]) {
    let plots = docs.join("performance");
    fs::create_dir_all(&plots).expect("a folder of plots");
    let mut page = format!(
        "# Performance\n\nWritten by `cargo run --release -p prompt-benches`; `benches/README.md` says how it measures. {}\n\n\
         A time is the median over at least 7 rounds in which all entries take turns; a ratio is the median of the ratios \
         to the first entry within each round.\n",
        machine()
    );
    for (part, heading) in parts {
        let Ok(json) = fs::read_to_string(folder.join(format!("{part}.json"))) else {
            continue;
        };
        let outcomes: Vec<Outcome> = serde_json::from_str(&json).expect("it was written by `keep`");
        write!(page, "\n## {heading}\n").expect("a string takes everything");
        for (index, outcome) in outcomes.iter().enumerate() {
            let plot = format!("{part}-{}.svg", index + 1);
            fs::write(plots.join(&plot), bars(outcome)).expect("a file in `docs`");
            page.push_str(&table(outcome, &plot));
        }
    }
    fs::write(docs.join("performance.md"), page).expect("a file in `docs`");
}

fn machine() -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model.map_or("an unknown processor", |line| {
        line.trim_start_matches([' ', '\t', ':'])
    });
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("Measured on {model}, {cores} cores, while other work ran on them.")
}

fn table(outcome: &Outcome, plot: &str) -> String {
    let mut text = format!(
        "\n### {}\n\n| | median | × the first | least |\n| --- | ---: | ---: | ---: |\n",
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
    write!(text, "\n![{}](performance/{plot})\n", outcome.title)
        .expect("a string takes everything");
    text
}

/// Bars on a logarithmic scale, the ratio behind each.
fn bars(outcome: &Outcome) -> String {
    const LEFT: f64 = 300.0;
    const WIDTH: f64 = 420.0;
    const STEP: f64 = 26.0;
    let most = outcome.rows.iter().map(|row| row.ratio).fold(1.0, f64::max);
    let least = outcome.rows.iter().map(|row| row.ratio).fold(1.0, f64::min);
    // The shortest bar keeps a tenth of the width.
    let length = |ratio: f64| {
        let range = (most / least).ln().max(0.1);
        WIDTH * (0.1 + 0.8 * (ratio / least).ln() / range)
    };
    let height = STEP * (outcome.rows.len() as f64 + 1.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"800\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"800\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (index, row) in outcome.rows.iter().enumerate() {
        let y = STEP * (index as f64 + 0.5);
        let color = if row.name.starts_with("typed-prompt") || row.name.starts_with("guard") {
            "#2f6f9f"
        } else {
            "#b8b8b8"
        };
        let (name, wide) = (escaped(&row.name), length(row.ratio));
        writeln!(
            svg,
            "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{name}</text>\
             <rect x=\"{LEFT:.0}\" y=\"{y:.0}\" width=\"{wide:.0}\" height=\"18\" fill=\"{color}\"/>\
             <text x=\"{:.0}\" y=\"{:.0}\">{} · {:.2} ×</text>",
            LEFT - 8.0, y + 14.0, LEFT + wide + 6.0, y + 14.0, time(row.nanos), row.ratio
        )
        .expect("a string takes everything");
    }
    svg.push_str("</svg>\n");
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
