//! Error 17: a macro without its argument.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% macro card(title, note='') %}{{ title }}{{ note }}{% endmacro %}{{ card() }}{{ text }}")]
struct Ask {
    text: String,
}

fn main() {}
