//! Error 16: a string compared with a number.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<zip><if zip == 1234>!</if>")]
struct Ask {
    zip: String,
}

fn main() {}
