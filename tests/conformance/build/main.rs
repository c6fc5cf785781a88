//! Turns each golden case into a Rust type with `#[derive(Prompt)]`, and each system into a test.

mod errors;
mod goldens;
mod item;
mod plan;
#[path = "../../../prompt-syntax/tests/print/mod.rs"]
mod print;
mod python;
mod rust;
mod systems;
mod template;
mod trial;
mod value;

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-env-changed=CONFORMANCE_TABLE");
    let quirks = env::var_os("CONFORMANCE_TABLE").is_some();
    let folder = goldens::folder();
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let systems = systems::SYSTEMS.iter().filter_map(|system| {
        let golden = goldens::read(&folder, system.file)?;
        Some((system, (system.cases)(&golden)))
    });
    let systems: Vec<_> = systems.collect();
    let refused = trial::refused();
    // The project's own cases compile.
    let text = if refused.is_none() && goldens::are_foreign() {
        let cases = systems.iter();
        let cases: Vec<_> = cases
            .flat_map(|(system, cases)| plan::blocks(system, cases, quirks))
            .collect();
        trial::write(&cases, &out.join("trial"));
        let names = systems.iter().map(|(system, _)| system.name);
        format!(
            "#[test]\nfn cases() {{\n    trial::run({:?}, &{:?});\n}}\n",
            folder.display().to_string(),
            names.collect::<Vec<_>>()
        )
    } else {
        let refused = refused.unwrap_or_default();
        let systems = systems.iter();
        systems
            .map(|(system, cases)| plan::write(system, cases, quirks, &refused, &out))
            .collect()
    };
    fs::write(out.join("systems.rs"), text).expect("OUT_DIR can be written");
}
