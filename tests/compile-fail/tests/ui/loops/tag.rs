//! A loop variable whose slot is a tag of HTML.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<ul><for p in ps><li><p></li></for></ul><p>Thanks.</p>")]
struct Ask {
    ps: Vec<String>,
}

fn main() {}
