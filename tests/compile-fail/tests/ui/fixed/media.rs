//! Fixes of error 22: a separate slot in a user message.

use typed_prompt::{Media, Prompt};

#[derive(Prompt)]
#[prompt(system = "Be brief.", user = "What is in <picture>?")]
struct Ask {
    #[prompt(media)]
    picture: Media,
}

#[test]
fn renders() {
    let ask = Ask {
        picture: Media::image_url("https://example.com/a.png"),
    };
    assert_eq!(ask.messages().unwrap().len(), 2);
}
