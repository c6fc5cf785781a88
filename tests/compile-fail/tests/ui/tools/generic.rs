//! A set of tools with a type parameter.

use typed_prompt::Tools;

#[derive(Tools)]
enum Action<T> {
    Keep { value: T },
}

fn main() {
    let _ = Action::<u8>::tools();
}
