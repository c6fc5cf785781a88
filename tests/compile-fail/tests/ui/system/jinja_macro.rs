//! Error 7: a macro that renders a user's text.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    system = "{% macro hello(who) %}Hello {{ who }}{% endmacro %}{{ hello(name) }}",
    user = "Go.",
    syntax = "jinja"
)]
struct Ask {
    name: String,
}

fn main() {}
