//! Images and other parts that are not text.

use serde_json::json;
use typed_prompt::{ErrorKind, Media, Part, Prompt, format};

#[derive(Prompt)]
#[prompt(user = "What is <picture>? Answer in <language>.")]
struct Look<'a> {
    #[prompt(media)]
    picture: Media,
    language: &'a str,
}

fn look() -> Look<'static> {
    Look {
        picture: Media::image_url("https://example.com/a.png"),
        language: "French",
    }
}

#[test]
fn media_stands_where_its_slot_is() {
    let parts = &look().messages()[0].parts.clone();
    let [Part::Text(before), Part::Media(_), Part::Text(after)] = &parts[..] else {
        panic!("{parts:?}")
    };
    assert_eq!(
        (before.as_str(), after.as_str()),
        ("What is ", "? Answer in French.")
    );
}

#[test]
fn media_serializes_as_parts() {
    let content = json!([
        {"type": "text", "text": "What is "},
        {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}},
        {"type": "text", "text": "? Answer in French."}
    ]);
    assert_eq!(
        serde_json::to_value(look().messages()).unwrap(),
        json!([{"role": "user", "content": content}])
    );
}

#[test]
fn a_format_of_text_refuses_media() {
    let error = look().to_text(format::CHATML).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("message 0"), "{error}");
}
