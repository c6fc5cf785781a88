//! Chat templates and native formats beside transformers and Jinja2, and calls that are read back: `tests/differential/chat/run` writes the cases.
//!
//! Each test prints the cases in which the outputs differ, and fails if they are more than its bound.

mod calls;
mod conversations;
mod jinja;
mod masks;
mod native;

use std::collections::BTreeMap;
use std::path::PathBuf;

use prompt_core::format::Date;
use serde_json::Value;

/// The time of the cases.
const DAY: Date = Date {
    year: 2025,
    month: 7,
    day: 6,
};

/// A file of the cases.
fn read(name: &str) -> String {
    let folder = std::env::var_os("CHAT_CASES").expect("the folder of the cases");
    let path = PathBuf::from(folder).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case[key]
        .as_str()
        .unwrap_or_else(|| panic!("`{key}` is a string"))
}

/// The numbers of cases that may differ, by the kind of case: they may only fall.
fn bound(name: &str) -> usize {
    let text = std::env::var(name).unwrap_or_else(|_| panic!("a number in {name}"));
    text.parse()
        .unwrap_or_else(|_| panic!("{name} is a number"))
}

/// Cases that differ, counted by group.
#[derive(Default)]
struct Differences {
    cases: usize,
    by_group: BTreeMap<String, usize>,
    /// What is left out of the language, and is an error that names it.
    left_out: BTreeMap<String, usize>,
}

impl Differences {
    /// Counts a case. `expected` and `got` are texts or errors; two errors are equal.
    fn compare(
        &mut self,
        group: &str,
        case: &str,
        expected: Result<&str, &str>,
        got: Result<&str, &str>,
    ) {
        self.cases += 1;
        if expected.is_err() && got.is_err() || expected == got {
            return;
        }
        let (expected, got) = match (expected, got) {
            (Ok(expected), Ok(got)) => first_difference(expected, got),
            (expected, got) => (show(expected), show(got)),
        };
        println!("{group} {case}\n    expected {expected}\n    got      {got}");
        *self.by_group.entry(group.to_owned()).or_default() += 1;
    }

    /// Counts a case that is an error because something is not part of the language here.
    fn leave_out(&mut self, error: &str) {
        self.cases += 1;
        let reason = error.lines().next().unwrap_or_default();
        *self.left_out.entry(reason.to_owned()).or_default() += 1;
    }

    /// Prints the counts and checks the bound.
    #[track_caller]
    fn finish(self, what: &str, bound: usize) {
        let differ: usize = self.by_group.values().sum();
        for (group, count) in self.left_out.iter().chain(&self.by_group) {
            println!("{count:6} {group}");
        }
        println!(
            "{what}: {differ} of {} cases differ, at most {bound} may",
            self.cases
        );
        assert!(self.cases > 0, "{what}: no cases");
        assert!(
            differ <= bound,
            "{what}: {differ} cases differ, and at most {bound} may"
        );
        if differ < bound {
            println!("{what}: lower the bound in `tests/differential/chat/run` to {differ}");
        }
    }
}

fn show(result: Result<&str, &str>) -> String {
    match result {
        Ok(text) => format!("{:?}", text.chars().take(200).collect::<String>()),
        Err(error) => format!("error: {}", error.lines().next().unwrap_or_default()),
    }
}

/// Both texts from shortly before the first difference.
fn first_difference(expected: &str, got: &str) -> (String, String) {
    let same = expected
        .chars()
        .zip(got.chars())
        .take_while(|(a, b)| a == b)
        .count();
    let part = |text: &str| {
        let part: String = text
            .chars()
            .skip(same.saturating_sub(30))
            .take(100)
            .collect();
        format!("…{part:?}")
    };
    (part(expected), part(got))
}
