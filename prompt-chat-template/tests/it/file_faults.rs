//! Templates and tokenizers in files that are cut off, linked, or too large.

use std::path::PathBuf;

use prompt_chat_template::ChatTemplate;
use prompt_core::format::AddedToken;
use prompt_core::{ChatFormat, Message, Messages};

const CONFIG: &str = r#"{"chat_template": "{% for m in messages %}<|im_start|>é{{ m.content }}{% endfor %}", "eos_token": "<|im_end|>"}"#;
const TOKENS: &str = r#"{"added_tokens": [{"id": 0, "content": "<|é|>", "special": true}]}"#;
const TEMPLATE: &str = "é{% for m in messages %}<|im_start|>{{ m.content }}{% endfor %}<|end|>";

/// A folder of this test alone.
fn folder(name: &str) -> PathBuf {
    let folder = format!("prompt-chat-template-{name}-{}", std::process::id());
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn every_truncation_of_json_is_an_error() {
    for length in 0..CONFIG.len() {
        let file = folder("config").join("tokenizer_config.json");
        std::fs::write(&file, &CONFIG.as_bytes()[..length]).unwrap();
        assert!(ChatTemplate::load(&file).is_err(), "{length}");
    }
    for length in 0..TOKENS.len() {
        let folder = folder("tokens");
        std::fs::write(folder.join("chat_template.jinja"), TEMPLATE).unwrap();
        let file = folder.join("tokenizer.json");
        std::fs::write(&file, &TOKENS.as_bytes()[..length]).unwrap();
        assert!(ChatTemplate::load(folder.join("chat_template.jinja")).is_err());
        if let Some(text) = TOKENS.get(..length) {
            assert!(AddedToken::parse(text).is_err(), "{length}");
        }
    }
}

/// A template that is complete without the rest cannot be distinguished from a whole one.
#[test]
fn every_truncation_of_a_template_is_an_error_or_its_beginning() {
    let file = folder("cut").join("chat_template.jinja");
    let ask = Messages::from([Message::user("Hi")]);
    for length in 0..TEMPLATE.len() {
        std::fs::write(&file, &TEMPLATE.as_bytes()[..length]).unwrap();
        let text = ChatTemplate::load(&file).and_then(|template| ask.to_text(template));
        let is_complete = length >= TEMPLATE.len() - "<|end|>".len();
        assert_eq!(text.is_ok(), is_complete, "{length}: {text:?}");
        assert!(text.is_err() || "é<|im_start|>Hi<|end|>".starts_with(&text.unwrap()));
    }
}

#[test]
#[cfg(unix)]
fn links_and_limits() {
    use std::os::unix::fs::symlink;
    let folder = folder("links");
    let (file, link) = (folder.join("a.jinja"), folder.join("b.jinja"));
    std::fs::write(&file, TEMPLATE).unwrap();
    symlink(&file, &link).unwrap();
    assert_eq!(
        ChatTemplate::load(&link).unwrap().guarded_tokens()[0],
        "<|im_start|>"
    );
    symlink(folder.join("d.jinja"), folder.join("c.jinja")).unwrap();
    symlink(folder.join("c.jinja"), folder.join("d.jinja")).unwrap();
    let huge = folder.join("huge.jinja");
    std::fs::File::create(&huge)
        .unwrap()
        .set_len(1 << 40)
        .unwrap();
    let pipe = folder.join("pipe.jinja");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for other in [
        folder.join("c.jinja"),
        pipe,
        folder.clone(),
        huge,
        "/dev/zero".into(),
    ] {
        assert!(ChatTemplate::load(&other).is_err(), "{}", other.display());
    }
    std::fs::remove_dir_all(folder).unwrap();
}
