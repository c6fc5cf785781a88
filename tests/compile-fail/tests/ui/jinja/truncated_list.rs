//! Error 17: a filter of texts that was meant to take the first items, in the Jinja dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% for x in xs | truncate(3) %}- {{ x }}\n{% endfor %}")]
struct Ask {
    xs: Vec<String>,
}

fn main() {}
