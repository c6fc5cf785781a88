//! Whether cases compile, tried in a package of their own: a case that nobody has seen must not stop the others.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs};

use serde_json::Value;

use crate::plan::System;

/// What the compiler says of a case that it refuses, by its system and number.
pub(crate) type Refused = BTreeMap<(&'static str, usize), String>;

/// More rounds than there are stages at which rustc stops.
const ROUNDS: usize = 8;

/// Compiles each case's block, and leaves out what fails until the rest compiles.
pub(crate) fn refused(cases: &[(&System, usize, String)], out: &Path) -> Refused {
    let folder = out.join("trial");
    write(cases, &folder);
    let mut refused = Refused::new();
    for _ in 0..ROUNDS {
        let output = check(&folder, &out.join("trial-target"));
        if output.status.success() {
            return refused;
        }
        let before = refused.len();
        for (file, message) in errors(&output) {
            let found = cases.iter().find(|case| file.ends_with(&file_of(case)));
            if let Some(case) = found {
                fs::write(folder.join(file_of(case)), "").expect("OUT_DIR can be written");
                refused.entry((case.0.name, case.1)).or_insert(message);
            }
        }
        if refused.len() == before {
            panic!(
                "the cases cannot be tried:\n{}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
    refused
}

fn file_of((system, index, _): &(&System, usize, String)) -> String {
    format!("src/{}/case_{index}.rs", system.name)
}

fn write(cases: &[(&System, usize, String)], folder: &Path) {
    let manifest = env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let root = Path::new(&manifest).join("../..");
    let mut modules: BTreeMap<&str, String> = BTreeMap::new();
    for case in cases {
        let (system, index, body) = case;
        let text = format!(
            "use crate::case::{{Case, Check, Got, Outcome, Wanted, guarded, json, text, twins}};\n{}\n{}\n\
             pub fn case() -> Outcome {body}\n",
            system.uses, system.glue,
        );
        let file = folder.join(file_of(case));
        fs::create_dir_all(folder.join("src").join(system.name)).expect("OUT_DIR can be written");
        fs::write(file, text).expect("OUT_DIR can be written");
        *modules.entry(system.name).or_default() += &format!("    mod case_{index};\n");
    }
    let modules = modules.iter();
    let modules: String = modules
        .map(|(name, cases)| format!("mod {name} {{\n{cases}}}\n"))
        .collect();
    // What the cases are written with.
    let with = ["case", "configs"].map(|name| {
        format!(
            "#[path = {:?}]\nmod {name};\n",
            format!("{manifest}/src/{name}.rs")
        )
    });
    let library = format!("#![allow(warnings)]\n{}{modules}", with.concat());
    fs::write(folder.join("src/lib.rs"), library).expect("OUT_DIR can be written");
    let package = format!(
        "[package]\nname = \"trial\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         prompt-eval = {{ path = {:?}, default-features = false }}\nserde = {{ version = \"1\", features = [\"derive\"] }}\n\
         serde_json = \"1\"\ntyped-prompt = {{ path = {root:?}, features = [\"chat-template\", \"compat-aisbench\", \"compat-lamini\", \"compat-lazyllm\", \"compat-lightrag\", \"jinja\", \"schema\"] }}\n\n[workspace]\n",
        root.join("prompt-eval"),
    );
    fs::write(folder.join("Cargo.toml"), package).expect("OUT_DIR can be written");
    // The versions that the workspace has, so that nothing is asked of a registry.
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("OUT_DIR can be written");
}

fn check(folder: &Path, target: &Path) -> Output {
    let cargo = env::var_os("CARGO").expect("cargo sets CARGO");
    Command::new(cargo)
        .args([
            "check",
            "--offline",
            "--message-format=json",
            "--target-dir",
        ])
        .arg(target)
        .current_dir(folder)
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
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
