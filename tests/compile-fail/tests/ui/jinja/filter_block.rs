//! Kinds: the filters of a block end with a string.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% filter wordcount %}{{ text }}{% endfilter %}")]
struct Ask {
    text: String,
}

fn main() {}
