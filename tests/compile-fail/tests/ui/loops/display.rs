//! Error 14: the filter `display` of a type without `Display`.

use typed_prompt::Prompt;

struct Id;

#[derive(Prompt)]
#[prompt(user = "<id | display>")]
struct Ask {
    id: Id,
}

fn main() {}
