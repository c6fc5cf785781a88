//! Names have no hyphens: a slot that is written with one, in each dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Dear <customer-name>, <q>")]
struct Angle {
    customer_name: String,
    q: String,
}

#[derive(Prompt)]
#[prompt(syntax = "brace", user = "Dear {customer-name}, {q}")]
struct Brace {
    customer_name: String,
    q: String,
}

#[derive(Prompt)]
#[prompt(syntax = "fstring", user = "Dear {customer-name}, {q}")]
struct Fstring {
    customer_name: String,
    q: String,
}

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "Dear {{ customer-name }}, {{ q }}")]
struct Jinja {
    customer_name: String,
    q: String,
}

#[derive(Prompt)]
#[prompt(user = "Dear {{ customer-name }}, <q>, <customer_name>")]
struct Other {
    customer_name: String,
    q: String,
}

fn main() {}
