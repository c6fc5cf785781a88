//! A model's own chat template without the feature `chat-template`.

use typed_prompt::ChatTemplate;

fn main() {
    let _: ChatTemplate;
}
