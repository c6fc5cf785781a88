//! `#[derive(Fields)]` on an enum without a template.

use typed_prompt::Fields;

#[derive(Fields)]
enum Mode {
    Brief,
    Full,
}

fn main() {}
