//! A slot right behind a word, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/behind_a_word.prompt")]
struct Ask {
    result: String,
}

fn main() {}
