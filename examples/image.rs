//! An image between words. In a system message, or for a format of text alone, it is a compile error.

use typed_prompt::{Media, Prompt};

#[derive(Prompt)]
#[prompt(user = "What is on this picture? <photo>Answer in <language>.")]
struct Describe {
    photo: Media,
    language: String,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The smallest GIF there is.
    let bytes = b"GIF89a\x01\x00\x01\x00\x00\x00\x00;";
    let ask = Describe {
        photo: Media::image("image/gif", bytes),
        language: "French".into(),
    };
    println!(
        "{}",
        serde_json::to_string_pretty(&ask.messages()?.openai())?
    );
    Ok(())
}
