//! Plots as SVG: bars for a contest, curves for one of several sizes.

use std::fmt::Write;

use crate::measure::{Outcome, time};

const OURS: &str = "#2f6f9f";
const OTHERS: &str = "#b8b8b8";

/// Bars on a logarithmic scale, each followed by its ratio.
pub(super) fn bars(outcome: &Outcome) -> String {
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
    let mut svg = opened(STEP * (outcome.rows.len() as f64 + 1.0));
    for (index, row) in outcome.rows.iter().enumerate() {
        let y = STEP * (index as f64 + 0.5);
        let color = if is_ours(&row.name) { OURS } else { OTHERS };
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

/// The time of each entry over the size, both on logarithmic scales.
pub(super) fn curves(outcomes: &[Outcome]) -> String {
    const LEFT: f64 = 90.0;
    const WIDTH: f64 = 420.0;
    const TOP: f64 = 20.0;
    const HEIGHT: f64 = 320.0;
    let sizes = || outcomes.iter().filter_map(|outcome| outcome.size);
    let times = || {
        outcomes
            .iter()
            .flat_map(|outcome| &outcome.rows)
            .map(|row| row.nanos)
    };
    let x = scale(sizes(), LEFT, LEFT + WIDTH);
    let y = scale(times(), TOP + HEIGHT, TOP);
    let mut svg = opened(TOP + HEIGHT + 50.0);
    for outcome in outcomes {
        let Some(size) = outcome.size else { continue };
        let label = match size {
            size if size < 1e6 => format!("{:.0} KB", size / 1e3),
            size => format!("{:.0} MB", size / 1e6),
        };
        writeln!(
            svg,
            "<line x1=\"{0:.0}\" y1=\"{TOP}\" x2=\"{0:.0}\" y2=\"{1:.0}\" stroke=\"#e4e4e4\"/>\
             <text x=\"{0:.0}\" y=\"{2:.0}\" text-anchor=\"middle\">{label}</text>",
            x(size),
            TOP + HEIGHT,
            TOP + HEIGHT + 20.0
        )
        .expect("a string takes everything");
    }
    let (least, most) = (
        times().fold(f64::INFINITY, f64::min),
        times().fold(0.0, f64::max),
    );
    let mut tick = 10f64.powf(least.log10().ceil());
    while tick <= most {
        writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{0:.0}\" x2=\"{1:.0}\" y2=\"{0:.0}\" stroke=\"#e4e4e4\"/>\
             <text x=\"{2:.0}\" y=\"{3:.0}\" text-anchor=\"end\">{4}</text>",
            y(tick),
            LEFT + WIDTH,
            LEFT - 6.0,
            y(tick) + 4.0,
            time(tick)
        )
        .expect("a string takes everything");
        tick *= 10.0;
    }
    const COLORS: [&str; 5] = ["#b8b8b8", "#2f6f9f", "#b5532c", "#5b8c3a", "#7a5a9e"];
    let names: Vec<&str> = outcomes[0]
        .rows
        .iter()
        .map(|row| row.name.as_str())
        .collect();
    for (index, name) in names.iter().enumerate() {
        let color = COLORS[index % COLORS.len()];
        let points: Vec<(f64, f64)> = outcomes
            .iter()
            .filter_map(|outcome| {
                let row = outcome.rows.iter().find(|row| row.name == *name)?;
                Some((x(outcome.size?), y(row.nanos)))
            })
            .collect();
        let line: String = points
            .iter()
            .map(|(x, y)| format!("{x:.1},{y:.1} "))
            .collect();
        let end = points.last().copied().unwrap_or_default();
        writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>\
             <text x=\"{:.0}\" y=\"{:.0}\" fill=\"{color}\">{}</text>",
            line.trim_end(),
            end.0 + 8.0,
            end.1 + 4.0 + if index == 1 { -14.0 } else { 0.0 },
            escaped(name)
        )
        .expect("a string takes everything");
    }
    svg.push_str("</svg>\n");
    svg
}

/// From figures to pixels, by their logarithms.
fn scale(figures: impl Iterator<Item = f64>, from: f64, to: f64) -> impl Fn(f64) -> f64 {
    let (least, most) = figures.fold((f64::INFINITY, 0.0), |(least, most), figure: f64| {
        (f64::min(least, figure), f64::max(most, figure))
    });
    move |figure| from + (to - from) * (figure / least).ln() / (most / least).ln().max(0.1)
}

fn opened(height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"800\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"800\" height=\"{height}\" fill=\"white\"/>\n"
    )
}

fn is_ours(name: &str) -> bool {
    name.starts_with("typed-prompt") || name.starts_with("guard")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
