//! Error 3: an `<else>` without an `<if>`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <context><else>none")]
struct Ask {
    context: String,
}

fn main() {}
