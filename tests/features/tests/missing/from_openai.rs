//! A function of the feature `parse` without it.

use typed_prompt::Reply;

fn main() {
    let body = String::new();
    let _ = Reply::from_openai(&body);
}
