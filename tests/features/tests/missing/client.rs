//! A model of a chat API without the feature `client`.

use typed_prompt::client::ChatModel;

fn main() {
    let _: ChatModel;
}
