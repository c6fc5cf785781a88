//! Error 1: a label without quotes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<q><if mode == brief> In one line.</if>")]
struct Ask {
    q: String,
    mode: String,
}

fn main() {}
