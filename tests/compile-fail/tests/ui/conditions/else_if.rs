//! Error 3: `<else if>` without its condition.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<if name>Hi, <name>!<else if>Hi!</if>")]
struct Ask {
    name: String,
}

fn main() {}
