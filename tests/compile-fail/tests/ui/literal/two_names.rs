//! Two slots in one pair of brackets.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Dear <first_name last_name>, <first_name> <last_name>.")]
struct Ask {
    first_name: String,
    last_name: String,
}

fn main() {}
