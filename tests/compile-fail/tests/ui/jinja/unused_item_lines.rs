//! Error 16: a loop variable that is not used, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "
        First line, with an escape: \t\u{c9}.
        {% for doc in docs %}-{% endfor %}
    "
)]
struct Ask {
    docs: Vec<String>,
}

fn main() {}
