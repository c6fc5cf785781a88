//! No tools.

use typed_prompt::Tools;

#[derive(Tools)]
enum Action {}

fn main() {
    let _ = Action::tools();
}
