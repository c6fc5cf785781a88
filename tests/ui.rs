//! What the compiler says about each mistake, and that the fix for each compiles.
//!
//! `TRYBUILD=overwrite cargo test --test ui` writes the `.stderr` files anew: read every one that changes as its user would.

use std::{fs, io, path::Path};

#[test]
fn ui() {
    lend_templates().expect("the template files can be copied");
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*/*.rs");
    cases.pass("tests/ui/fixed/*.rs");
}

/// trybuild compiles the cases in a package of its own, and template files are found from there.
fn lend_templates() -> io::Result<()> {
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../tests/trybuild/typed-prompt/prompts");
    fs::create_dir_all(&package)?;
    for file in fs::read_dir("tests/ui/prompts")? {
        let file = file?;
        fs::copy(file.path(), package.join(file.file_name()))?;
    }
    Ok(())
}
