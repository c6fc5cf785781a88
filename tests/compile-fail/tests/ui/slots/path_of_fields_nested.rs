//! Error 1: the second of two fields of a path does not exist, and no field has a similar name.

use typed_prompt::{Fields, Prompt};

#[derive(Fields)]
struct Document {
    title: String,
    author: Author,
}

#[derive(Fields)]
struct Author {
    name: String,
    born: u16,
}

#[derive(Prompt)]
#[prompt(user = "<document.title> by <document.author.email>")]
struct Ask {
    document: Box<Document>,
}

fn main() {}
