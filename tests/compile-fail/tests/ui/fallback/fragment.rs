//! A wrong fragment is the only error: prompts that contain it add none.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(fragment = "<titel>")]
struct Book {
    title: String,
}

#[derive(Prompt)]
#[prompt(user = "<for book in books><book></for><if best>Best: <best></if>")]
struct Ask {
    books: Vec<Book>,
    best: Option<Book>,
}

fn main() {}
