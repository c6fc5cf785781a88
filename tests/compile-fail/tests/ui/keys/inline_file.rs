//! Error 4: a file of `prompt!`.

use typed_prompt::prompt;

fn ask(text: &str) {
    let _ = prompt!(file = "prompts/right.prompt", text = text);
}

fn main() {}
