//! An argument with a name, as in Jinja and Python.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<docs | join(sep=', ')> <note | truncate(length = 20)>")]
struct Ask {
    docs: Vec<String>,
    note: String,
}

fn main() {}
