//! Error 17: a name that is not a parameter of a macro.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% macro card(title) %}{{ title }}{% endmacro %}{{ card(titel=text) }}")]
struct Ask {
    text: String,
}

fn main() {}
