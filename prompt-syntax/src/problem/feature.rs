//! Cargo features that a prompt or an item needs and the build does not enable.

use super::Problem;

/// A construct that needs a feature of typed-prompt which is not enabled. `construct` is what the user wrote.
pub fn missing(construct: &str, feature: &str) -> Problem {
    Problem::new(format!("{construct} needs the feature `{feature}`")).helped(format!(
        "write `typed-prompt = {{ version = \"…\", features = [\"{feature}\"] }}` in Cargo.toml"
    ))
}
