//! Error 3: a method in a condition, which unwraps automatically.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<if note.is_some()>Note: <note></if>")]
struct Ask {
    note: Option<String>,
}

fn main() {}
