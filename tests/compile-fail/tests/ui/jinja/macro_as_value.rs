//! Error 17: a macro is not a value.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% macro card() %}a{% endmacro %}{{ card }}{{ text }}")]
struct Ask {
    text: String,
}

fn main() {}
