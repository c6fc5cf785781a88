//! Cargo features that a prompt or an item needs and the build does not enable.

use super::Problem;

problems! {
    /// A construct that needs a feature of typed-prompt which is not enabled. `construct` is what the user wrote.
    pub fn missing_feature(construct: &str, feature: &str) = "{construct} needs the feature `{feature}`",
        help "write `typed-prompt = {{ version = \"…\", features = [\"{feature}\"] }}` in Cargo.toml";
}
