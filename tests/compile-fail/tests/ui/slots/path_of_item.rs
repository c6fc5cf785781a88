//! A field of a loop's item that its type does not have, in a template of several lines: the name of the macro is its position.

use typed_prompt::Prompt;

struct Document {
    title: String,
}

#[derive(Prompt)]
#[prompt(
    user = "Answer from these:
<for document in documents>
- <document.titel>
</for>",
)]
struct Ask<'a> {
    documents: &'a [Document],
}

fn main() {}
