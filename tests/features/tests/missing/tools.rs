//! `derive(Tools)` without the feature `schema`; uses of the enum add no error.

#[derive(typed_prompt::Tools)]
pub enum Action {
    Stop,
    Add { a: i64, b: i64 },
}

fn main() {
    let _ = <Action as typed_prompt::Tools>::tools();
}
