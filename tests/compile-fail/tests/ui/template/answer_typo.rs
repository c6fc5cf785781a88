//! A mistake in the slot of the answer is one error: the prompt asks for an answer all the same.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<thing>", assistant = "<shlf>", output = u8)]
struct Sort {
    thing: String,
    #[prompt(answer)]
    shelf: u8,
}

fn main() {}
