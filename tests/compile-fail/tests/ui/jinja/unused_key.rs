//! Error 16: one of two loop variables is not used.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% for k, v in prices.items() %}{{ v }}{% endfor %}")]
struct Ask {
    prices: std::collections::BTreeMap<String, u32>,
}

fn main() {}
