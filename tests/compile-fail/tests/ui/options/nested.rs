//! Error 15: an `Option` in an `Option`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<if note><note></if>")]
struct Ask {
    note: Option<Option<String>>,
}

fn main() {}
