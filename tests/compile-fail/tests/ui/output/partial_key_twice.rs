//! A key of `partial` twice, and one of a field above the struct.

use typed_prompt::output::Partial;

#[derive(serde::Deserialize, Partial)]
#[partial(name = "First", name = "Second")]
#[partial(skip)]
struct Event {
    title: String,
}

fn main() {}
