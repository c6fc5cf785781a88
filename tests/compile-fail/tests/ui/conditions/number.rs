//! Error 16: a number compared with a string.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<count> items<if count == \"3\">!</if>")]
struct Ask {
    count: u32,
}

fn main() {}
