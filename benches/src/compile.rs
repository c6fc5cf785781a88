//! What prompts cost to compile: a library of many, generated for each system, checked and built.
//!
//! The libraries are written below `target/compile-time`. Their dependencies are built before the clock runs; then the
//! library itself is checked and built again and again, all systems in turn.

mod library;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::measure::{Outcome, Row, median};
use crate::{root, target};
use library::{Library, SYSTEMS};

/// As many prompts, of as many slots each.
const PROMPTS: usize = 400;
const SLOTS: usize = 12;

/// How often each library is compiled.
const ROUNDS: usize = 7;

/// `cargo check` of every library.
pub(crate) fn check() -> Vec<Outcome> {
    run("cargo check", &["check"])
}

/// A debug build of every library.
pub(crate) fn debug() -> Vec<Outcome> {
    run("debug build", &["build"])
}

/// A release build of every library.
pub(crate) fn release() -> Vec<Outcome> {
    run("release build", &["build", "--release"])
}

fn run(title: &str, arguments: &[&str]) -> Vec<Outcome> {
    let folder = target().join("compile-time");
    let libraries: Vec<Compiled> = SYSTEMS
        .iter()
        .map(|library| Compiled::write(library, &folder))
        .collect();
    for library in &libraries {
        library.compile(arguments, 0);
    }
    let mut nanos = vec![Vec::new(); libraries.len()];
    for round in 1..=ROUNDS {
        for turn in 0..libraries.len() {
            let index = (round + turn) % libraries.len();
            nanos[index].push(libraries[index].compile(arguments, round));
        }
    }
    let title = format!("{title}, {PROMPTS} prompts of {SLOTS} slots, processor time");
    vec![outcome(title, &libraries, &nanos)]
}

fn outcome(title: String, libraries: &[Compiled], nanos: &[Vec<f64>]) -> Outcome {
    let rows = libraries.iter().zip(nanos).map(|(library, own)| Row {
        name: library.name.to_owned(),
        nanos: median(own.iter().copied()),
        least: own.iter().copied().fold(f64::INFINITY, f64::min),
        ratio: median(own.iter().zip(&nanos[0]).map(|(own, first)| own / first)),
    });
    let outcome = Outcome {
        title,
        rows: rows.collect(),
    };
    outcome.print();
    outcome
}

/// A generated library on disk.
struct Compiled {
    name: &'static str,
    folder: PathBuf,
    source: String,
}

impl Compiled {
    fn write(library: &Library, folder: &Path) -> Compiled {
        let folder = folder.join(library.folder);
        let source = library.source(PROMPTS, SLOTS);
        fs::create_dir_all(folder.join("src")).expect("a folder below `target`");
        let write = |file: &str, text: &str| {
            fs::write(folder.join(file), text).expect("a file below `target`");
        };
        write("Cargo.toml", &library.manifest(&root()));
        write("src/lib.rs", &source);
        Compiled {
            name: library.name,
            folder,
            source,
        }
    }

    /// Compiles it once, as another file than the last time; the time that this takes.
    fn compile(&self, arguments: &[&str], round: usize) -> f64 {
        let source = format!("{}\n// {round}\n", self.source);
        fs::write(self.folder.join("src/lib.rs"), source).expect("a file below `target`");
        let before = children();
        let done = Command::new(env!("CARGO"))
            .args(arguments)
            .arg("--quiet")
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", target().join("compile-time/target"))
            // What is measured is a first build of the library, not what a change to one prompt costs.
            .env("CARGO_INCREMENTAL", "0")
            .env_remove("RUSTFLAGS")
            .status()
            .expect("cargo runs");
        assert!(done.success(), "{}: cargo {arguments:?} fails", self.name);
        (children() - before) * 1e9
    }
}

/// Seconds of processor time that all processes started from here have taken: unlike time on the clock, that is hardly
/// longer where other work runs.
fn children() -> f64 {
    /// Ticks in a second, on every Linux of today.
    const TICKS: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").expect("compile time is measured on Linux");
    // The name in parentheses may hold spaces.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = |index: usize| -> f64 {
        let field = fields.split_whitespace().nth(index);
        field.and_then(|field| field.parse().ok()).unwrap_or(0.0)
    };
    (ticks(13) + ticks(14)) / TICKS
}
