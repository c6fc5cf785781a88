//! Types that only implement `Debug`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<pos> <after>")]
struct Ask {
    pos: (i32, i32),
    after: std::time::Duration,
}

fn main() {}
