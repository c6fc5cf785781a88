//! Error 24: a macro that calls itself.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% macro tree(t) %}{{ t }}{{ tree(t) }}{% endmacro %}{{ tree(text) }}")]
struct Ask {
    text: String,
}

fn main() {}
