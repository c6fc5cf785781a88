//! Error 16: a loop over a collection without an order.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% for k, v in prices.items() %}{{ k }}{{ v }}{% endfor %}")]
struct Ask {
    prices: std::collections::HashMap<String, u32>,
}

fn main() {}
