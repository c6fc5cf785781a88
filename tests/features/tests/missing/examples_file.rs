//! Few-shot examples from a file need the feature `example-files`; those of a field do not.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(examples = "prompts/examples.jsonl", user = "<ticket>")]
struct Ask {
    ticket: String,
}

fn main() {
    let _ = Ask { ticket: String::new() }.messages();
}
