//! Error 23: values of a type that cannot be converted from text.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    user = "<ticket> <level>",
    examples = "prompts/examples_made.jsonl"
)]
struct Triage {
    ticket: String,
    level: Level,
}

struct Level;

impl typed_prompt::ToPrompt for Level {
    fn write(&self, out: &mut typed_prompt::write::Writer) {
        out.text("level");
    }
}

fn main() {}
