//! The compiler's output for each mistake, and a check that each corrected version compiles.
//!
//! `TRYBUILD=overwrite cargo test -p compile-fail --test ui -- ui trybuild=NAME` writes the `.stderr` files of the cases whose path
//! contains NAME, and those of all cases without the last part. Read every one that changes as its user would.

use std::{fs, io, path::Path};

// Not trybuild's `pass`: with one of these it compiles the cases one by one, which takes minutes.
#[path = "ui/fixed/mod.rs"]
mod fixed;

#[test]
fn ui() {
    lend_templates().expect("the template files can be copied");
    let cases = trybuild::TestCases::new();
    for kind in kinds().expect("the folder of the cases can be read") {
        cases.compile_fail(format!("tests/ui/{kind}/*.rs"));
    }
}

/// The folders with cases.
fn kinds() -> io::Result<Vec<String>> {
    let mut kinds = Vec::new();
    for folder in fs::read_dir("tests/ui")? {
        let name = folder?.file_name().to_string_lossy().into_owned();
        if name != "fixed" && name != "prompts" {
            kinds.push(name);
        }
    }
    kinds.sort();
    Ok(kinds)
}

/// trybuild compiles the cases in a separate package, and paths of template files are relative to it.
fn lend_templates() -> io::Result<()> {
    let package =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("../tests/trybuild/compile-fail/prompts");
    fs::create_dir_all(&package)?;
    for file in fs::read_dir("tests/ui/prompts")? {
        let file = file?;
        fs::copy(file.path(), package.join(file.file_name()))?;
    }
    Ok(())
}
