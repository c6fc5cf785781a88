//! Compile time of prompts: a library with many prompts, generated for each system, checked and built.
//!
//! The libraries are written below `target/compile-time`. Their dependencies are built before the clock runs; then the
//! library itself is checked and built again and again, all systems in turn.

mod cold;
mod library;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::measure::{Contest, Outcome};
use crate::{root, target};
use library::{Library, SYSTEMS};

/// As many prompts, of as many slots each.
const PROMPTS: usize = 400;
const SLOTS: usize = 12;

/// How often each library is compiled.
const ROUNDS: usize = 7;

/// `cargo check` of every library.
pub(crate) fn check() -> Vec<Outcome> {
    run("cargo check", &["check"], Change::Comment)
}

/// `cargo check` of every library after an edit of one template.
pub(crate) fn edit() -> Vec<Outcome> {
    run(
        "cargo check after an edit of one template",
        &["check"],
        Change::Template,
    )
}

/// A debug build of every library.
pub(crate) fn debug() -> Vec<Outcome> {
    run("debug build", &["build"], Change::Comment)
}

/// A release build of every library.
pub(crate) fn release() -> Vec<Outcome> {
    run("release build", &["build", "--release"], Change::Comment)
}

/// The time that the compiler reports for the expansion of macros.
pub(crate) fn expansion() -> Vec<Outcome> {
    let libraries: Vec<Compiled> = libraries();
    let libraries: Vec<&Compiled> = libraries
        .iter()
        .filter(|library| library.expands_at_compile_time)
        .collect();
    let mut nanos = vec![Vec::new(); libraries.len()];
    for round in 0..=ROUNDS {
        for turn in 0..libraries.len() {
            let index = (round + turn) % libraries.len();
            let taken = libraries[index].expand(round);
            // The first round builds the dependencies.
            if round > 0 {
                nanos[index].push(taken);
            }
        }
    }
    let title = format!("macros of {PROMPTS} prompts of {SLOTS} slots, time on the clock");
    let names = libraries.iter().map(|library| library.name);
    vec![Outcome::of(title, names, &nanos)]
}

/// A clean build of each feature alone, with its dependencies.
pub(crate) fn cold() -> Vec<Outcome> {
    vec![cold::run()]
}

/// The work that minijinja does when the program starts, instead of at compile time.
pub(crate) fn at_start() -> Vec<Outcome> {
    let templates = library::jinja_templates(PROMPTS, SLOTS);
    let title = format!("reading {PROMPTS} templates of {SLOTS} slots when a program starts");
    let mut contest = Contest::new(title);
    contest.alone("minijinja", || {
        let mut environment = minijinja::Environment::new();
        for (name, template) in &templates {
            environment
                .add_template(name, template)
                .expect("the template is right");
        }
        environment
    });
    vec![contest.run()]
}

fn libraries() -> Vec<Compiled> {
    let folder = target().join("compile-time");
    SYSTEMS
        .iter()
        .map(|library| Compiled::write(library, &folder))
        .collect()
}

/// The change since the last compilation of a library.
#[derive(Clone, Copy)]
enum Change {
    /// A comment: the library is compiled as the first time.
    Comment,
    /// One template: the compiler reuses its incremental data.
    Template,
}

fn run(title: &str, arguments: &[&str], change: Change) -> Vec<Outcome> {
    let libraries = libraries();
    for library in &libraries {
        library.compile(arguments, change, 0);
    }
    let mut nanos = vec![Vec::new(); libraries.len()];
    for round in 1..=ROUNDS {
        for turn in 0..libraries.len() {
            let index = (round + turn) % libraries.len();
            nanos[index].push(libraries[index].compile(arguments, change, round));
        }
    }
    let title = format!("{title}, {PROMPTS} prompts of {SLOTS} slots, processor time");
    let names = libraries.iter().map(|library| library.name);
    vec![Outcome::of(title, names, &nanos)]
}

/// A generated library on disk.
struct Compiled {
    name: &'static str,
    folder: PathBuf,
    source: String,
    /// Whether it has macros, and its are not those of another one.
    expands_at_compile_time: bool,
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
            expands_at_compile_time: !library.folder.ends_with("rendered")
                && library.folder != "minijinja",
        }
    }

    /// The time that the compiler reports for its macros, in nanoseconds.
    fn expand(&self, round: usize) -> f64 {
        let source = format!("{}\n// {round}\n", self.source);
        fs::write(self.folder.join("src/lib.rs"), source).expect("a file below `target`");
        let done = Command::new(env!("CARGO"))
            .args(["rustc", "--profile", "check", "--", "-Ztime-passes"])
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", target().join("compile-time/target"))
            .env("CARGO_INCREMENTAL", "0")
            .env_remove("RUSTFLAGS")
            // The only way in which the compiler reports its times.
            .env("RUSTC_BOOTSTRAP", "1")
            .output()
            .expect("cargo runs");
        let said = [done.stdout, done.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        let line = said
            .lines()
            .find(|line| line.trim_end().ends_with("macro_expand_crate"));
        let seconds = line.and_then(|line| line.split("time:").nth(1)?.split(';').next());
        let seconds: Option<f64> = seconds.and_then(|seconds| seconds.trim().parse().ok());
        seconds.unwrap_or_else(|| panic!("{}: no times: {said}", self.name)) * 1e9
    }

    /// Compiles it once, as another file than the last time; the time that this takes.
    fn compile(&self, arguments: &[&str], change: Change, round: usize) -> f64 {
        let (source, incremental) = match change {
            Change::Comment => (format!("{}\n// {round}\n", self.source), "0"),
            Change::Template => {
                let edited = format!("Sentence 0 of prompt 7, edited {round} times, tells");
                let source = self
                    .source
                    .replacen("Sentence 0 of prompt 7 tells", &edited, 1);
                assert_ne!(source, self.source, "{}: nothing is edited", self.name);
                (source, "1")
            }
        };
        fs::write(self.folder.join("src/lib.rs"), source).expect("a file below `target`");
        let before = children();
        let done = Command::new(env!("CARGO"))
            .args(arguments)
            .arg("--quiet")
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", target().join("compile-time/target"))
            .env("CARGO_INCREMENTAL", incremental)
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
    // The name in parentheses may contain spaces.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = |index: usize| -> f64 {
        let field = fields.split_whitespace().nth(index);
        field.and_then(|field| field.parse().ok()).unwrap_or(0.0)
    };
    (ticks(13) + ticks(14)) / TICKS
}
