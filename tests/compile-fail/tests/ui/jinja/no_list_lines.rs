//! Error 16: a loop over a string, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "
        First line, with an escape: \t\u{c9}.
        {% for word in text %}{{ word }}{% endfor %}
    "
)]
struct Ask {
    text: String,
}

fn main() {}
