//! Fragments: text without a role, which is part of other prompts.

use super::Problem;

problems! {
    /// A key that only a whole prompt supports.
    pub fn unsupported_key(key: &str) = "a fragment does not support `{key}`",
        help "move the field to the prompt that contains the fragment";

    /// An enum of fragments and prompts.
    pub fn mixed_fragments() = "some variants are fragments and this one is not",
        help "write `fragment = \"…\"` for all variants or for none";

    /// `output` on a fragment.
    pub fn no_answer() = "a fragment has no answer",
        help "move `output` to the prompt that contains the fragment";

    /// `format` on a fragment.
    pub fn no_format() = "a fragment has no format of its own",
        help "move `format` to the prompt that contains the fragment";

    /// `examples` on a fragment.
    pub fn no_turns() = "a fragment has no turns",
        help "move `examples` to the prompt that contains the fragment";
}
