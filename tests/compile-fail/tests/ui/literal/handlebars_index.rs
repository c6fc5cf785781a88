//! A number of Handlebars in a loop of the angle dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for item in items>{{@index}}. <item></for>")]
struct Ask {
    items: Vec<String>,
}

fn main() {}
