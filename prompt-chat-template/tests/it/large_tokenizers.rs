//! A guard with the thousands of tokens of a tokenizer takes at most a second for a megabyte of any data.

use std::fmt::Write;
use std::time::{Duration, Instant};

use prompt_chat_template::ChatTemplate;
use prompt_core::{ChatFormat, ErrorKind, Guard, Message, Messages, ToolCall, format};

const BYTES: usize = 1 << 20;

/// Beginnings and ends of tokens, in the characters of other scripts too.
const DATA: &[&str] = &[
    "a ",
    "<",
    "< ",
    "<unused",
    "<unused1",
    "<unused1 ",
    "<unused5999>",
    "< unused5999>",
    "[",
    "[a",
    "[½",
    "<½",
    "<½½½½½½½",
    "＜unused",
    "＜unused５９９９＞",
    "<ｕ\u{c}",
    "\u{c}",
    "<\u{c}",
    "<unu\u{301}sed1",
    "<é",
    "▁",
    " ",
    "<|",
    "<|a|><",
];

/// A `tokenizer.json` with 6,000 tokens, which its normalizer changes or not.
fn tokenizer(token: impl Fn(usize) -> String, is_normalized: bool) -> String {
    let mut json = r#"{"normalizer": {"type": "NFKC"}, "added_tokens": ["#.to_owned();
    for id in 0..6000 {
        let comma = if id > 0 { ", " } else { "" };
        let content = token(id);
        write!(
            json,
            r#"{comma}{{"id": {id}, "content": "{content}", "special": true, "normalized": {is_normalized}}}"#
        )
        .unwrap();
    }
    json + "]}"
}

/// Renders with each guard, and returns the longest time.
fn longest(name: &str, format: &dyn ChatFormat, messages: &Messages) -> Duration {
    let limit = Duration::from_secs(1);
    let render = |guard| {
        let start = Instant::now();
        let text = messages.to_text((&format).guard(guard));
        let taken = start.elapsed();
        // A token in data is an error where tokens are rejected.
        let is_rejected = matches!(&text, Err(error) if error.kind() == ErrorKind::ControlToken);
        assert!(
            text.is_ok() || guard == Guard::Reject && is_rejected,
            "{name}: {:#}",
            text.unwrap_err()
        );
        taken
    };
    let times = [Guard::Neutralise, Guard::Reject].map(|guard| {
        // Another process may have had the processor: the shortest of three times is that of the rendering.
        let mut times = (0..3).map(|_| render(guard));
        let taken = times.find(|taken| *taken < limit);
        taken.unwrap_or_else(|| panic!("{name}, {guard:?}: more than {limit:?}, three times"))
    });
    times.into_iter().max().unwrap_or_default()
}

#[test]
#[ignore = "1 MB of each kind of data takes minutes in a debug build"]
fn megabytes_take_less_than_a_second() {
    let numbered: fn(usize) -> String = |id| format!("<unused{id}>");
    // No two of them begin with the same letters.
    let scattered: fn(usize) -> String = |id| format!("[{:04x}]", id.wrapping_mul(40503) % 65536);
    let mut slowest = (Duration::ZERO, String::new());
    for (kind, token) in [("numbered", numbered), ("scattered", scattered)] {
        for is_normalized in [false, true] {
            let json = tokenizer(token, is_normalized);
            let template = |source| {
                ChatTemplate::parse(source)
                    .unwrap()
                    .tokenizer(&json)
                    .unwrap()
            };
            let formats: [(&str, Box<dyn ChatFormat>); 3] = [
                (
                    "Llama 3.1",
                    Box::new(format::LLAMA3_1.tokenizer(&json).unwrap()),
                ),
                (
                    "template",
                    Box::new(template(
                        "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{{ m.tool_calls }}{% endfor %}",
                    )),
                ),
                // The guard is applied to each text of the conversation.
                (
                    "searching template",
                    Box::new(template(
                        "{% for m in messages %}<|{{ m.role }}|>{% if '<unused5999>' in m.content or m.tool_calls %}{{ m.tool_calls | string | title }}{% endif %}{{ m.content }}{% endfor %}",
                    )),
                ),
            ];
            for data in DATA {
                let text = data.repeat(BYTES / data.len());
                let mut arguments = String::new();
                for index in 0..BYTES / (data.len() + 20) {
                    let comma = if index > 0 { "," } else { "" };
                    write!(
                        arguments,
                        "{comma}\"{index}{}\":\"\"",
                        data.replace('\u{c}', "\\f")
                    )
                    .unwrap();
                }
                let call = ToolCall::new("1", "search", format!("{{{arguments}}}"));
                let question = || Message::user("Hi");
                for (shape, messages) in [
                    ("text", Messages::from([Message::user(text)])),
                    (
                        "keys",
                        Messages::from([
                            question(),
                            Message::calls([call]),
                            Message::tool("1", "ok"),
                        ]),
                    ),
                ] {
                    for (format, of) in &formats {
                        let name = format!(
                            "{data:?} as {shape}, {kind} tokens, normalized: {is_normalized}, {format}"
                        );
                        slowest = slowest.max((longest(&name, &**of, &messages), name));
                    }
                }
            }
        }
    }
    println!("at most {:?}: {}", slowest.0, slowest.1);
}
