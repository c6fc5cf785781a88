//! Error 1: a macro that is not defined.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% macro card(t) %}{{ t }}{% endmacro %}{{ card(text) }}{{ crad(text) }}")]
struct Ask {
    text: String,
}

fn main() {}
