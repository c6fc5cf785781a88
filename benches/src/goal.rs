//! Goals for what a user can feel, and whether they are met: printed after each part, and not on the page.

use std::fmt::Write;

use crate::measure::{Outcome, Row};

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

const GOALS: [Goal; 14] = [
    goal(
        "render",
        "a new",
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
        "a new",
        "typed-prompt / minijinja",
        (OURS, "minijinja"),
        Reach::AtMost(1.0),
    ),
    goal(
        "chat",
        "20 turns",
        "minijinja / typed-prompt",
        ("minijinja", OURS),
        Reach::AtLeast(8.0),
    ),
    goal(
        "python",
        "Alpaca",
        "LazyLLM / typed-prompt",
        ("lazyllm", OURS),
        Reach::AtLeast(5.0),
    ),
    goal(
        "python",
        "Chat layout",
        "LazyLLM / typed-prompt",
        ("lazyllm", OURS),
        Reach::AtLeast(5.0),
    ),
    goal(
        "python",
        "LightRAG",
        "AdalFlow / typed-prompt",
        ("adalflow", OURS),
        Reach::AtLeast(50.0),
    ),
    goal(
        "python",
        "20 turns",
        "transformers / typed-prompt",
        ("transformers", OURS),
        Reach::AtLeast(50.0),
    ),
    goal(
        "python",
        "rows",
        "AISBench / typed-prompt",
        ("ais-bench", OURS),
        Reach::AtLeast(80.0),
    ),
    goal(
        "check",
        "check",
        "typed-prompt / `format!`",
        (OURS, "format!"),
        Reach::AtMost(1.6),
    ),
    goal(
        "release",
        "release",
        "typed-prompt / `format!`",
        (OURS, "format!"),
        Reach::AtMost(1.5),
    ),
    goal(
        "guard",
        "one message",
        "clean data, guard / no guard",
        ("guard, clean", "no guard"),
        Reach::AtMost(2.0),
    ),
    Goal {
        part: "cold",
        contest: "",
        what: "seconds, minimal",
        row: "minimal",
        by: None,
        reach: Reach::AtMost(16.0),
    },
    Goal {
        part: "cold",
        contest: "",
        what: "seconds, default",
        row: "default",
        by: None,
        reach: Reach::AtMost(26.0),
    },
];

/// A line for each goal of a part and each contest that it is about.
pub(crate) fn table(part: &str, outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for goal in GOALS.iter().filter(|goal| goal.part == part) {
        for outcome in outcomes
            .iter()
            .filter(|outcome| outcome.title.contains(goal.contest))
        {
            let rows = outcome
                .rows
                .iter()
                .filter(|row| row.name.starts_with(goal.row));
            // The first entry of ours is the text; others whose name begins like it are further forms of it.
            let count = if goal.row == OURS { 1 } else { usize::MAX };
            for row in rows.take(count) {
                write_line(&mut text, goal, outcome, row);
            }
        }
    }
    text
}

fn write_line(text: &mut String, goal: &Goal, outcome: &Outcome, row: &Row) {
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
    let met = if met { "met" } else { "NOT MET" };
    let digits = if seen < 10.0 { 2 } else { 0 };
    writeln!(
        text,
        "    goal: {}: {}: {seen:.digits$}, {reach}: {met}",
        outcome.title, goal.what
    )
    .expect("a string takes everything");
}
