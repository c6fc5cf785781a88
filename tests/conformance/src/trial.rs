//! Cases of another folder than the project's own: determines which of them compile, and runs these.
//!
//! The build script writes them as a package (`build/trial.rs`), with each case in a file of its own.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs};

use serde_json::Value;

/// The number of attempts: more than the number of compiler stages at which rustc may stop.
const ROUNDS: usize = 8;

/// Checks the package, then runs the tests of these systems again without the cases that do not compile.
pub(crate) fn run(goldens: &str, systems: &[&str]) {
    let out = Path::new(env!("OUT_DIR"));
    let list = out.join("refused.json");
    let refused = serde_json::to_string(&refused(out)).expect("strings can be written as JSON");
    fs::write(&list, refused).expect("OUT_DIR can be written");
    let status = Command::new(env!("CARGO"))
        .args(["test", "-p", "conformance", "--", "--nocapture", "--exact"])
        .args(systems)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("GOLDENS", goldens)
        .env("CONFORMANCE_REFUSED", list)
        .status()
        .expect("cargo can be started");
    assert!(status.success(), "cases of {goldens} failed");
}

/// Removes cases that do not compile until the others compile. The key is the case's file, the value the first error.
fn refused(out: &Path) -> BTreeMap<String, String> {
    let folder = out.join("trial");
    let mut refused = BTreeMap::new();
    for _ in 0..ROUNDS {
        let output = check(&folder, &out.join("trial-target"));
        if output.status.success() {
            break;
        }
        let before = refused.len();
        for (file, message) in errors(&output) {
            // The message may contain the absolute path of the file.
            if let Some(at) = file.rfind("src/").filter(|_| file.contains("/case_")) {
                let file = &file[at..];
                fs::write(folder.join(file), "").expect("OUT_DIR can be written");
                refused.entry(file.to_owned()).or_insert(message);
            }
        }
        assert!(
            refused.len() > before,
            "the cases cannot be tried:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    refused
}

fn check(folder: &Path, target: &Path) -> Output {
    Command::new(env!("CARGO"))
        .args([
            "check",
            "--offline",
            "--message-format=json",
            "--target-dir",
        ])
        .arg(target)
        .current_dir(folder)
        .output()
        .expect("cargo can be started")
}

/// The file and the first line of each error.
fn errors(output: &Output) -> Vec<(String, String)> {
    let lines = String::from_utf8_lossy(&output.stdout);
    let messages = lines
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let errors = messages.filter(|message| message["message"]["level"] == "error");
    errors
        .filter_map(|message| {
            let text = message["message"]["message"]
                .as_str()?
                .lines()
                .next()?
                .to_owned();
            let spans = message["message"]["spans"].as_array()?;
            let span = spans.iter().find(|span| span["is_primary"] == true)?;
            Some((span["file_name"].as_str()?.to_owned(), text))
        })
        .collect()
}
