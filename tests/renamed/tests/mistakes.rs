//! Mistakes in a package that renames the dependency: each is one error at the user's line.
//!
//! `TRYBUILD=overwrite cargo test -p renamed` writes the `.stderr` files anew.

#[test]
fn mistakes() {
    trybuild::TestCases::new().compile_fail("tests/mistakes/*.rs");
}
