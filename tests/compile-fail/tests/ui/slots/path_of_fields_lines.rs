//! Error 1: a field of a loop's item that its struct with `#[derive(Fields)]` does not have, in a template of several lines.

use typed_prompt::{Fields, Prompt};

#[derive(Fields)]
struct Document<'a> {
    title: &'a str,
}

#[derive(Prompt)]
#[prompt(
    user = "Answer from these:
<for document in documents>
- <document.titel>
</for>",
)]
struct Ask<'a> {
    documents: &'a [Document<'a>],
}

fn main() {}
