//! Cases of another folder than the project's own: a case that does not compile must not prevent the others from running.
//!
//! The build script writes them as a package. The test `cases` (`src/trial.rs`) finds out which of them compile, and starts the tests
//! again with the list of the others, which `refused` reads.

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs};

use crate::plan::System;

/// What the compiler reports for each case that does not compile, by its file in the package.
pub(crate) type Refused = BTreeMap<String, String>;

/// The name of the variable that contains the path of the list.
const LIST: &str = "CONFORMANCE_REFUSED";

/// The cases that do not compile, if they have been compiled before.
pub(crate) fn refused() -> Option<Refused> {
    println!("cargo::rerun-if-env-changed={LIST}");
    let file = env::var_os(LIST)?;
    println!("cargo::rerun-if-changed={}", Path::new(&file).display());
    let list = fs::read_to_string(file).expect("the list of the cases that do not compile");
    Some(serde_json::from_str(&list).expect("the list is JSON"))
}

/// The case's file in the package.
pub(crate) fn file_of(system: &System, index: usize) -> String {
    format!("src/{}/case_{index}.rs", system.name)
}

/// Writes a package with each case's block as a module of its own.
pub(crate) fn write(cases: &[(&System, usize, String)], folder: &Path) {
    drop(fs::remove_dir_all(folder.join("src")));
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
        let file = folder.join(file_of(system, *index));
        fs::create_dir_all(folder.join("src").join(system.name)).expect("OUT_DIR can be written");
        fs::write(file, text).expect("OUT_DIR can be written");
        *modules.entry(system.name).or_default() += &format!("    mod case_{index};\n");
    }
    let modules = modules.iter();
    let modules: String = modules
        .map(|(name, cases)| format!("mod {name} {{\n{cases}}}\n"))
        .collect();
    // The modules that the generated cases use.
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
         prompt-eval = {{ path = {:?}, default-features = false }}\nschemars = {{ version = \"1\", default-features = false, features = [\"derive\", \"std\"] }}\nserde = {{ version = \"1\", features = [\"derive\"] }}\n\
         serde_json = \"1\"\ntyped-prompt = {{ path = {root:?}, features = [\"chat-template\", \"compat\", \"jinja\", \"schema\"] }}\n\n[workspace]\n",
        root.join("prompt-eval"),
    );
    fs::write(folder.join("Cargo.toml"), package).expect("OUT_DIR can be written");
    // The versions of the workspace, so that cargo needs no registry.
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("OUT_DIR can be written");
}
