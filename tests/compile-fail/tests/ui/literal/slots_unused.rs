//! Error 2: a field whose name occurs only as text, because slots need `input:`, and one that does not occur.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Read this: <log>\nand answer <input:question>", slots = "input")]
struct Report<'a> {
    log: &'a str,
    question: &'a str,
    tone: &'a str,
}

fn main() {}
