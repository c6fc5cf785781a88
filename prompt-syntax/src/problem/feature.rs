//! Cargo features that a prompt or an item needs and the build does not enable.

use super::Problem;

problems! {
    /// The package does not depend on typed-prompt: the macro comes from a crate that re-exports it. `before` and `after` are around the key.
    pub fn missing_crate(before: &str, after: &str) = "this package does not depend on `typed-prompt`",
        help "add `typed-prompt` to the dependencies in Cargo.toml, or write the path of the crate that re-exports it: \
        `{before}crate = my_library::typed_prompt{after}`";

    /// A construct that needs a feature of typed-prompt which is not enabled. `construct` is what the user wrote.
    pub fn missing_feature(construct: &str, feature: &str) = "{construct} needs the feature `{feature}`",
        help "write `typed-prompt = {{ version = \"…\", features = [\"{feature}\"] }}` in Cargo.toml";
}
