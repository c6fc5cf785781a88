//! A derive above `#[template]` sees a struct without fields: its `PartialEq` finds all values equal.

#[derive(Debug, PartialEq)]
#[typed_prompt::template(user = "Translate <text>.")]
struct Translate;

#[cfg_attr(all(), derive(Clone))]
/// A question.
#[typed_prompt::template(
    user = "<question>",
)]
struct Ask;

fn main() {}
