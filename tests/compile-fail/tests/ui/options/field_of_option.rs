//! Error 15: a field of an `Option`.

use typed_prompt::Prompt;

struct Customer {
    name: String,
}

#[derive(Prompt)]
#[prompt(user = "Customer: <customer.name ?? 'unknown'>")]
struct Ask {
    customer: Option<Customer>,
}

fn main() {}
