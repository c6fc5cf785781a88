//! Error 3: a field's name between other characters.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Review <diff>. Again: <#diff>")]
struct Review {
    diff: String,
}

fn main() {}
