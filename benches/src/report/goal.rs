//! Goals, and whether they are met.

use std::fmt::Write;

use crate::measure::{Outcome, Row};

/// Earlier figures, one per line: the contest, the entries that were compared, and the figure.
const BEFORE: &str = include_str!("../../before.txt");

/// A goal: the ratio of two entries of a contest, or the time of one entry.
struct Goal {
    part: &'static str,
    /// A part of the titles of its contests.
    contest: &'static str,
    what: &'static str,
    /// The beginning of an entry's name.
    row: &'static str,
    /// The entry that it is divided by; without one it is a time in seconds.
    by: Option<&'static str>,
    reach: Reach,
}

enum Reach {
    AtMost(f64),
    AtLeast(f64),
}

const OURS: &str = "typed-prompt";

const fn goal(
    part: &'static str,
    contest: &'static str,
    what: &'static str,
    (row, by): (&'static str, &'static str),
    reach: Reach,
) -> Goal {
    Goal {
        part,
        contest,
        what,
        row,
        by: Some(by),
        reach,
    }
}

const GOALS: [Goal; 18] = [
    goal(
        "render",
        "a new",
        "typed-prompt / floor",
        (OURS, "floor"),
        Reach::AtMost(1.5),
    ),
    goal(
        "render",
        "a new",
        "typed-prompt / askama",
        (OURS, "askama"),
        Reach::AtMost(1.0),
    ),
    goal(
        "render",
        "kept",
        "typed-prompt / askama",
        (OURS, "askama"),
        Reach::AtMost(1.0),
    ),
    goal(
        "render",
        "a new",
        "typed-prompt / `format!`",
        (OURS, "format!"),
        Reach::AtMost(1.0),
    ),
    goal(
        "render",
        "kept",
        "typed-prompt / `write!`",
        (OURS, "write!"),
        Reach::AtMost(1.0),
    ),
    goal(
        "chat",
        "20 turns",
        "minijinja / typed-prompt",
        ("minijinja", OURS),
        Reach::AtLeast(20.0),
    ),
    goal(
        "chat",
        "20 turns",
        "typed-prompt / floor",
        (OURS, "floor"),
        Reach::AtMost(2.0),
    ),
    goal(
        "chat",
        "JSON",
        "typed-prompt / ready-made struct",
        (OURS, "a borrowed struct"),
        Reach::AtMost(1.3),
    ),
    goal(
        "python",
        "Alpaca",
        "LazyLLM / typed-prompt",
        ("lazyllm", OURS),
        Reach::AtLeast(15.0),
    ),
    goal(
        "python",
        "Chat layout",
        "LazyLLM / typed-prompt",
        ("lazyllm", OURS),
        Reach::AtLeast(15.0),
    ),
    goal(
        "python",
        "LightRAG",
        "AdalFlow / typed-prompt",
        ("adalflow", OURS),
        Reach::AtLeast(100.0),
    ),
    goal(
        "python",
        "20 turns",
        "transformers / typed-prompt",
        ("transformers", OURS),
        Reach::AtLeast(100.0),
    ),
    goal(
        "python",
        "rows",
        "AISBench / typed-prompt",
        ("ais-bench", OURS),
        Reach::AtLeast(100.0),
    ),
    goal(
        "check",
        "check",
        "typed-prompt / `format!`",
        (OURS, "format!"),
        Reach::AtMost(1.4),
    ),
    goal(
        "edit",
        "edit",
        "typed-prompt / `format!`",
        (OURS, "format!"),
        Reach::AtMost(1.3),
    ),
    goal(
        "release",
        "release",
        "typed-prompt / `format!`",
        (OURS, "format!"),
        Reach::AtMost(1.5),
    ),
    Goal {
        part: "cold",
        contest: "",
        what: "seconds for the default features, as from a registry",
        row: "as from a registry, default",
        by: None,
        reach: Reach::AtMost(8.0),
    },
    goal(
        "guard",
        "one message",
        "clean data, guard / no guard",
        ("guard, clean", "no guard"),
        Reach::AtMost(2.0),
    ),
];

/// A line for each goal and each contest that it is about.
pub(super) fn table(measured: &[(&str, Vec<Outcome>)]) -> String {
    let mut text = String::from(
        "| contest | ratio | goal | before | measured | |\n| --- | --- | ---: | ---: | ---: | --- |\n",
    );
    for goal in &GOALS {
        let outcomes = measured.iter().filter(|(part, _)| *part == goal.part);
        for outcome in outcomes.flat_map(|(_, outcomes)| outcomes) {
            if outcome.title.contains(goal.contest) {
                for row in outcome
                    .rows
                    .iter()
                    .filter(|row| row.name.starts_with(goal.row))
                {
                    line(&mut text, goal, outcome, row);
                    // The first is the text; others of the name are further forms of it.
                    if goal.row == OURS {
                        break;
                    }
                }
            }
        }
    }
    text
}

fn line(text: &mut String, goal: &Goal, outcome: &Outcome, row: &Row) {
    let seen = match goal.by {
        Some(by) => {
            let Some(by) = outcome.rows.iter().find(|row| row.name.starts_with(by)) else {
                return;
            };
            row.ratio / by.ratio
        }
        None => row.nanos / 1e9,
    };
    let (reach, met) = match goal.reach {
        Reach::AtMost(limit) => (format!("≤ {limit}"), seen <= limit),
        Reach::AtLeast(limit) => (format!("≥ {limit}"), seen >= limit),
    };
    let met = if met { "met" } else { "**not met**" };
    let begin = format!("{}\t{}\t", outcome.title, goal.what);
    let before = BEFORE.lines().find_map(|line| line.strip_prefix(&begin));
    let before = before.unwrap_or_default();
    let digits = if seen < 10.0 { 2 } else { 0 };
    writeln!(
        text,
        "| {} | {} | {reach} | {before} | {seen:.digits$} | {met} |",
        outcome.title, goal.what
    )
    .expect("a string takes everything");
}
