//! Error 2: a macro that is not called.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% macro card() %}a{% endmacro %}{{ text }}")]
struct Ask {
    text: String,
}

fn main() {}
