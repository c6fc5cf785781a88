//! Keys of other libraries that contain a key, and options of the call.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system_prompt = "Be kind.", user_template = "<q>", temperature = 0.2)]
struct Ask {
    q: String,
}

fn main() {}
