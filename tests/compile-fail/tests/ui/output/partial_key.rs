//! A key of `partial` with a typo.

use typed_prompt::output::Partial;

#[derive(serde::Deserialize, Partial)]
struct Event {
    #[partial(complet)]
    title: String,
}

fn main() {}
