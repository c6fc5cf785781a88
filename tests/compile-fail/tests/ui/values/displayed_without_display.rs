//! Error 14: a type without `Display` with the filter `display`.

use typed_prompt::Prompt;

struct Version(u8, u8);

#[derive(Prompt)]
#[prompt(user = "Upgrade to <version | display>.")]
struct Upgrade {
    version: Version,
}

fn main() {}
