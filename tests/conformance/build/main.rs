//! Turns each golden case into a Rust type with `#[derive(Prompt)]`, and each system into a test.

mod errors;
mod goldens;
mod item;
mod plan;
mod python;
mod rust;
mod systems;
mod template;
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
        Some(plan::write(system, &(system.cases)(&golden), quirks, &out))
    });
    fs::write(out.join("systems.rs"), systems.collect::<String>()).expect("OUT_DIR can be written");
}
