//! The JSON of chat APIs, straight from the messages.

use prompt_core::openai::ChatRequest;
use prompt_core::{Json, Media, Message, Messages, Options, PromptCache, Tool, ToolCall};
use serde_json::json;

#[test]
fn openai() {
    let messages = Messages::from([
        Message::system("s"),
        Message::user("look").with_media(Media::image("image/png", "hi")),
        Message::user("")
            .with_media(Media::audio("audio/mpeg", "hi"))
            .with_media(Media::audio_url("a")),
        Message::calls([ToolCall::new("1", "f", "{\"a\": 1}")]),
        Message::tool("1", "2"),
        Message::assistant("thinking").with_tool_calls([ToolCall::new("2", "f", "{}")]),
        Message::user(""),
    ])
    .with_tool(Tool::new("f").with_description("d"));
    assert_eq!(
        serde_json::to_value(messages.openai()).unwrap(),
        json!({
            "messages": [
                {"role": "system", "content": "s"},
                {"role": "user", "content": [
                    {"type": "text", "text": "look"},
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}}]},
                {"role": "user", "content": [
                    {"type": "input_audio", "input_audio": {"data": "aGk=", "format": "mp3"}},
                    {"type": "audio_url", "audio_url": {"url": "a"}}]},
                {"role": "assistant", "content": null, "tool_calls": [
                    {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{\"a\": 1}"}}]},
                {"role": "tool", "content": "2", "tool_call_id": "1"},
                {"role": "assistant", "content": "thinking", "tool_calls": [
                    {"id": "2", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
                {"role": "user", "content": ""},
            ],
            "tools": [{"type": "function", "function": {"name": "f", "description": "d"}}]
        })
    );
    assert_eq!(
        serde_json::to_string(&Messages::from([Message::user("a")])).unwrap(),
        r#"[{"role":"user","content":"a"}]"#
    );
    let error =
        serde_json::to_string(&Message::user("").with_media(Media::file_url("u"))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a file by its address has no form in this API: give its bytes"
    );
}

#[test]
fn anthropic() {
    let schema = Json::parse(r#"{"type":"object","properties":{"z":{},"a":{}}}"#).unwrap();
    let messages = Messages::from([
        Message::system("first"),
        Message::user("hi").with_media(Media::image("image/png", "hi")),
        Message::assistant("so").with_tool_calls([ToolCall::new("1", "f", "{\"b\":1,\"a\":2}")]),
        Message::tool("1", "x"),
        Message::tool("2", "y"),
        Message::system("second"),
        Message::user("go").with_media(Media::file_url("u").with_name("n")),
    ])
    .with_tool(Tool::new("f").with_description("d").with_parameters(schema))
    .with_tool(Tool::new("g"));
    let text = serde_json::to_string(&messages.anthropic()).unwrap();
    // The order of keys is part of it: arguments and schemas stay as they were written.
    assert!(
        text.contains(r#""input":{"b":1,"a":2}"#) && text.contains(r#"{"z":{},"a":{}}"#),
        "{text}"
    );
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&text).unwrap(),
        json!({
            "system": "first\n\nsecond",
            "messages": [
                {"role": "user", "content": [
                    {"type": "text", "text": "hi"},
                    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}]},
                {"role": "assistant", "content": [
                    {"type": "text", "text": "so"},
                    {"type": "tool_use", "id": "1", "name": "f", "input": {"a": 2, "b": 1}}]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "1", "content": "x"},
                    {"type": "tool_result", "tool_use_id": "2", "content": "y"}]},
                {"role": "user", "content": [
                    {"type": "text", "text": "go"},
                    {"type": "document", "source": {"type": "url", "url": "u"}, "title": "n"}]},
            ],
            "tools": [
                {"name": "f", "description": "d", "input_schema": {"type": "object", "properties": {"z": {}, "a": {}}}},
                {"name": "g", "input_schema": {"type": "object"}},
            ]
        })
    );
}

#[test]
fn anthropic_caches_end_at_the_last_block() {
    let messages = Messages::from([
        Message::user("hi"),
        Message::calls([ToolCall::new("1", "f", "{}")]),
        Message::tool("1", "x"),
    ])
    .with_tool(Tool::new("f"))
    .with_tool(Tool::new("g"));
    let thinking = json!({"type": "thinking", "thinking": "Call f.", "signature": "s"});
    let blocks = [vec![], vec![thinking.clone()]];
    let conversation = messages.anthropic().reasoning_blocks(&blocks);
    let mark = json!({"type": "ephemeral"});
    assert_eq!(
        serde_json::to_value(conversation.prompt_cache(&PromptCache::Conversation)).unwrap(),
        json!({
            "messages": [
                {"role": "user", "content": "hi"},
                {"role": "assistant", "content": [thinking, {"type": "tool_use", "id": "1", "name": "f", "input": {}}]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "1", "content": "x", "cache_control": mark}]},
            ],
            "tools": [
                {"name": "f", "input_schema": {"type": "object"}},
                {"name": "g", "input_schema": {"type": "object"}, "cache_control": mark},
            ]
        })
    );
    // Several marks, with a time.
    let messages = Messages::from([
        Message::system("a"),
        Message::system("b"),
        Message::system("c"),
        Message::user("hi"),
        Message::calls([ToolCall::new("1", "f", "{}"), ToolCall::new("2", "f", "{}")]),
        Message::tool("1", "x"),
        Message::tool("2", "y"),
    ]);
    let cache = PromptCache::Messages(vec![1, 3, 5]);
    let conversation = messages.anthropic().prompt_cache(&cache);
    let mark = json!({"type": "ephemeral", "ttl": "1h"});
    assert_eq!(
        serde_json::to_value(conversation.prompt_cache_ttl("1h")).unwrap(),
        json!({
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "hi", "cache_control": mark}]},
                {"role": "assistant", "content": [
                    {"type": "tool_use", "id": "1", "name": "f", "input": {}},
                    {"type": "tool_use", "id": "2", "name": "f", "input": {}}]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "1", "content": "x", "cache_control": mark},
                    {"type": "tool_result", "tool_use_id": "2", "content": "y"}]},
            ],
            "system": [
                {"type": "text", "text": "a\n\nb", "cache_control": mark},
                {"type": "text", "text": "\n\nc"},
            ],
        })
    );
    for (marked, problem) in [
        (vec![7], "marks message 7, but the prompt has 7, from 0 on"),
        (
            vec![0, 1, 2, 3, 4],
            "marks 5 messages, but the API accepts 4",
        ),
    ] {
        let cache = PromptCache::Messages(marked);
        let error = serde_json::to_string(&messages.anthropic().prompt_cache(&cache));
        assert!(error.unwrap_err().to_string().contains(problem));
    }
    let hi = Messages::from([Message::user("hi")]);
    let error = serde_json::to_string(&hi.anthropic().prompt_cache(&PromptCache::Instructions));
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("neither a system message nor tools"),
        "{error}"
    );
    let key = PromptCache::Key("k".to_owned());
    assert!(serde_json::to_string(&hi.anthropic().prompt_cache(&key)).is_err());
}

#[test]
fn a_field_that_a_request_contains_already_is_an_error() {
    let hi = Messages::from([Message::user("hi")]);
    let options = Options::new()
        .max_tokens(5)
        .field("max_completion_tokens", 6);
    let error = serde_json::to_string(&ChatRequest::new("m", &hi).options(&options)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`Options::fields` contains `max_completion_tokens`, which the request contains already: leave it out"
    );
    let options = Options::new().prompt_cache(PromptCache::Instructions);
    let error = serde_json::to_string(&ChatRequest::new("m", &hi).options(&options)).unwrap_err();
    assert!(error.to_string().contains("takes a key only"), "{error}");
}

#[test]
fn anthropic_errors() {
    let check = |message: Message, expected: &str| {
        let messages = Messages::from([message]);
        assert_eq!(
            serde_json::to_string(&messages.anthropic())
                .unwrap_err()
                .to_string(),
            expected
        );
    };
    check(
        Message::user("").with_media(Media::audio_url("u")),
        "this API takes no audio",
    );
    check(
        Message::calls([ToolCall::new("1", "f", "{")]),
        "message 0 calls the tool `f` with arguments that are not JSON: this is not JSON: the text ends too early",
    );
    check(
        Message::calls([ToolCall {
            id: None,
            ..ToolCall::new("", "f", "{}")
        }]),
        "message 0 calls the tool `f` without an `id`",
    );
    check(
        {
            let mut message = Message::tool("", "x");
            message.tool_call_id = None;
            message
        },
        "message 0 is a tool's result without a `tool_call_id`",
    );
    check(
        Message::system("").with_media(Media::image_url("u")),
        "a system message holds an image, audio, video or file, which this API does not support",
    );
}

#[test]
fn previews_show_control_characters() {
    let messages = Messages::from([Message::user("\u{1b}[31mred\u{7}\ttab\u{202e}")])
        .with_tool(Tool::new("f"));
    assert_eq!(
        messages.preview().to_string(),
        "── tool f ──\n── user ──\n«\\u{1b}[31mred\\u{7}\ttab\u{202e}»\n"
    );
}
