//! Clean builds: how many crates each feature adds, and the wall-clock time.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::measure::Outcome;
use crate::{root, target};

/// No features, the default ones, then the others of the facade, each beside the default ones.
const FEATURES: [&str; 12] = [
    "minimal",
    "default",
    "chat-template",
    "compat",
    "dynamic",
    "jinja",
    "tokens",
    "client",
    "mcp",
    "eval",
    "eval-parquet",
    "eval-cli",
];

/// As cargo compiles a crate from a registry: without incremental data.
const FROM_A_REGISTRY: [(&str, &str); 1] = [("CARGO_INCREMENTAL", "0")];

/// How often the minimal build and the default features are built; others stop when that has taken so many seconds.
const ROUNDS: usize = 7;
const SECONDS: f64 = 20.0;

pub(super) fn run() -> Outcome {
    let folder = target().join("compile-time/cold");
    let mut names = Vec::new();
    let mut nanos = Vec::new();
    for feature in FEATURES {
        write(&folder, feature);
        // The clock does not run while sources are downloaded.
        if let Err(said) = cargo(&folder, &["fetch", "--quiet"], &[]) {
            println!("    the crates of {feature} cannot be had: {said}");
            continue;
        }
        let crates = crates(&folder);
        let mut entry = |name: String, settings: &[(&str, &str)]| {
            let mut own = Vec::new();
            let is_enough = |own: &[f64]| {
                own.len() == ROUNDS
                    || !matches!(feature, "minimal" | "default")
                        && own.iter().sum::<f64>() > SECONDS * 1e9
            };
            while !is_enough(&own) {
                match build(&folder, settings) {
                    Ok(taken) => own.push(taken),
                    Err(said) => {
                        println!("    {name} cannot be built here, and is left out: {said}");
                        return;
                    }
                }
            }
            names.push(name);
            nanos.push(own);
        };
        entry(format!("{feature}: {crates} crates"), &[]);
        if matches!(feature, "minimal" | "default") {
            let name = format!("as from a registry, {feature}: {crates} crates");
            entry(name, &FROM_A_REGISTRY);
        }
    }
    drop(fs::remove_dir_all(&folder));
    let names = names.iter().map(String::as_str);
    let title = "debug build with each feature from nothing, time on the clock, third-party crates";
    Outcome::of(title.to_owned(), names, &nanos)
}

/// A package that uses nothing but this feature.
fn write(folder: &Path, feature: &str) {
    let features = match feature {
        "minimal" => ", default-features = false".to_owned(),
        "default" => String::new(),
        feature => format!(", features = [{feature:?}]"),
    };
    let manifest = format!(
        "[package]\nname = \"cold\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         typed-prompt = {{ path = \"{}\"{features} }}\n\n[workspace]\n",
        root().display()
    );
    fs::create_dir_all(folder.join("src")).expect("a folder below `target`");
    fs::write(folder.join("Cargo.toml"), manifest).expect("a file below `target`");
    fs::write(folder.join("src/lib.rs"), "").expect("a file below `target`");
    // The versions that the project itself is built with.
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).expect("a file below `target`");
}

/// How many crates come from elsewhere.
fn crates(folder: &Path) -> usize {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--quiet", "-e", "normal", "--prefix", "none"])
        .args(["--format", "{p}", "--no-dedupe"])
        .current_dir(folder)
        .output()
        .expect("cargo runs");
    let tree = String::from_utf8_lossy(&tree.stdout);
    let foreign = tree
        .lines()
        .filter(|line| !line.is_empty() && !line.contains("(/"));
    foreign.collect::<BTreeSet<_>>().len()
}

/// Nanoseconds of a build, or the compiler's error.
fn build(folder: &Path, settings: &[(&str, &str)]) -> Result<f64, String> {
    drop(fs::remove_dir_all(folder.join("target")));
    let begin = Instant::now();
    cargo(folder, &["build", "--quiet", "--offline"], settings)?;
    Ok(begin.elapsed().as_nanos() as f64)
}

fn cargo(folder: &Path, args: &[&str], settings: &[(&str, &str)]) -> Result<(), String> {
    let done = Command::new(env!("CARGO"))
        .args(args)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env_remove("RUSTFLAGS")
        .envs(settings.iter().copied())
        .output()
        .expect("cargo runs");
    match done.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&done.stderr).into_owned()),
    }
}
