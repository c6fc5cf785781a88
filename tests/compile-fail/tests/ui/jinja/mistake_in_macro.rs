//! Kinds: a mistake in a macro, which is called twice.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% macro more(n) %}{{ n + 1 }}{% endmacro %}{{ more(text) }}{{ more(text) }}")]
struct Ask {
    text: String,
}

fn main() {}
