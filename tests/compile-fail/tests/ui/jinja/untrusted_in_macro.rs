//! Error 7: a user's text through a macro.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", system = "{% macro loud(t) %}{{ t | upper }}!{% endmacro %}Be {{ loud(tone) }}.", user = "Hi")]
struct Ask {
    tone: String,
}

fn main() {}
