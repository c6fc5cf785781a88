//! Without a feature, using what it enables is a compile error at the user's line that names the feature.
//!
//! `TRYBUILD=overwrite cargo test -p features` writes the `.stderr` files anew.

#[test]
fn missing() {
    trybuild::TestCases::new().compile_fail("tests/missing/*.rs");
}
