//! A method of the feature `schema` without it.

use typed_prompt::Tool;

struct Search {
    _words: String,
}

fn main() {
    let _ = Tool::from_type::<Search>();
}
