//! A literal of the Jinja dialect with text on its first line, whose other lines are aligned with the code.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "{% for file in files %}
        {{ file }}
        {% endfor %}"
)]
struct Review {
    files: Vec<String>,
}

// White space that is not sent.
#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "{% for file in files -%}
        {{ file }}
        {%- endfor %}"
)]
struct Joined {
    files: Vec<String>,
}

fn main() {}
