//! A slot right behind a word, which may be a generic type or a group of a regular expression.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r"Match (?P<year>\d{4}), return Promise<result> of v<version>: <input:year> <input:result>")]
struct Ask {
    year: u16,
    result: String,
    version: String,
}

fn main() {}
