//! Error 17: more arguments than a macro takes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% macro card(title) %}{{ title }}{% endmacro %}{{ card(text, 1) }}")]
struct Ask {
    text: String,
}

fn main() {}
