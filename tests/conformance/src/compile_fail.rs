//! Cases that must not compile: trybuild builds them, then each error is checked.
//!
//! trybuild needs an existing `.stderr` beside every file, which unseen cases do not have. So it runs in a child process
//! that writes them (`TRYBUILD` is set by the parent, because setting a variable of the own process is unsafe),
//! and the written files are checked here.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use crate::case::{Check, System};

/// The compiler's output for each file that did not compile.
pub(crate) type Stderrs = HashMap<&'static str, String>;

/// Set in the child process to the system's name.
const CHILD: &str = "CONFORMANCE_COMPILE_FAIL";

pub(crate) fn is_child(system: &System) -> bool {
    env::var_os(CHILD).is_some_and(|name| name == system.name)
}

/// Child process: runs trybuild on all files.
pub(crate) fn compile(system: &System) {
    let tests = trybuild::TestCases::new();
    for file in files(system) {
        tests.compile_fail(file);
    }
}

/// Parent process: starts the child and returns the compiler's output.
pub(crate) fn run(system: &System) -> Stderrs {
    if files(system).next().is_none() {
        return Stderrs::new();
    }
    for file in files(system) {
        drop(fs::remove_file(stderr_of(file)));
    }
    let test = env::current_exe().expect("the test knows its own program");
    // Its exit code is ignored: a file that compiles has no `.stderr`.
    let output = Command::new(test)
        .args(["--exact", system.name, "--nocapture"])
        .env(CHILD, system.name)
        .env("TRYBUILD", "overwrite")
        .output()
        .expect("the test can start itself");
    let stderrs: Stderrs = files(system)
        .filter_map(|file| Some((file, fs::read_to_string(stderr_of(file)).ok()?)))
        .collect();
    if stderrs.is_empty() {
        println!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    stderrs
}

/// Checks that each error of the file is an expected one. rustc may stop before it reports all of them.
pub(crate) fn check(stderrs: &Stderrs, file: &str, words: &[&str]) -> Result<(), String> {
    let Some(stderr) = stderrs.get(file) else {
        return Err(format!("    {file} compiles, and should not"));
    };
    let is_meant = |error: &str| words.iter().any(|words| error.contains(words));
    if errors(stderr).next().is_some() && errors(stderr).all(is_meant) {
        return Ok(());
    }
    Err(format!(
        "    the compiler was to say {words:?}, and says:\n{}",
        indented(stderr)
    ))
}

/// Each error with its notes, from its `error` line to the next.
fn errors(stderr: &str) -> impl Iterator<Item = &str> {
    let starts: Vec<usize> = stderr
        .match_indices("error")
        .map(|(at, _)| at)
        .filter(|&at| (at == 0 || stderr[..at].ends_with('\n')) && stderr[at..].contains(": "))
        .collect();
    let ends = starts
        .iter()
        .skip(1)
        .copied()
        .chain([stderr.len()])
        .collect::<Vec<_>>();
    starts
        .into_iter()
        .zip(ends)
        .map(|(start, end)| &stderr[start..end])
}

/// The message of the first error, for the table of quirks.
pub(crate) fn headline(stderr: &str) -> String {
    errors(stderr)
        .next()
        .and_then(|error| error.lines().next())
        .and_then(|line| line.split_once(": "))
        .map_or_else(String::new, |(_, words)| words.to_owned())
}

fn files(system: &System) -> impl Iterator<Item = &'static str> {
    system.cases.iter().filter_map(|case| match case.check {
        Check::Reject { file, .. } => Some(file),
        Check::Run { .. } | Check::Refused { .. } | Check::Unmapped(_) => None,
    })
}

fn stderr_of(file: &str) -> std::path::PathBuf {
    Path::new(file).with_extension("stderr")
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("      {line}\n")).collect()
}
