//! Error 17: a pattern of Python with a number.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ '%.2f' % price }}")]
struct Ask {
    price: f64,
}

fn main() {}
