//! `derive(Tools)` without the feature `schema`; what uses the enum adds no error.

#[derive(typed_prompt::Tools)]
pub enum Action {
    Stop,
    Add { a: i64, b: i64 },
}

fn main() {
    let _ = <Action as typed_prompt::Tools>::tools();
}
