//! The `else` of Handlebars in a condition of the angle dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<if note><note>{{else}}none</if>")]
struct Ask {
    note: Option<String>,
}

fn main() {}
