//! A condition of Handlebars with calls in it.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "{{#if (and urgent (eq mode 'brief'))}}Be brief.{{/if}}")]
struct Ask {
    urgent: bool,
    mode: String,
}

fn main() {}
