//! Parsing of conversations and tools, with the position of every error.

use prompt_core::{
    ErrorKind, History, Json, Media, Message, Messages, Part, Role, ToHistory, Tool, ToolCall,
    Writer,
};
use serde_json::json;

#[test]
fn both_shapes_and_a_mix() {
    let check = |json: serde_json::Value, expected: &[Message]| {
        assert_eq!(
            History::from_json(&json).unwrap(),
            History::from(expected.to_vec())
        );
        assert_eq!(
            History::parse(&json.to_string()).unwrap(),
            History::from(expected.to_vec())
        );
    };
    check(json!([]), &[]);
    check(
        json!([["a", "b"]]),
        &[Message::user("a"), Message::assistant("b")],
    );
    check(
        json!([["", ""], {"role": "user", "content": "c"}]),
        &[
            Message::user(""),
            Message::assistant(""),
            Message::user("c"),
        ],
    );
    check(
        json!([{"role": "assistant", "content": null, "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{\"a\": 1}"}}]},
            {"role": "tool", "tool_call_id": "1", "content": "2", "name": "f"}]),
        &[
            Message::calls([ToolCall::new("1", "f", "{\"a\": 1}")]),
            Message::tool("1", "2").with_name("f"),
        ],
    );
    check(
        json!([{"role": "user", "content": [
            {"type": "text", "text": "a"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}},
            {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}},
            {"type": "input_audio", "input_audio": {"data": "aGk=", "format": "wav"}},
            {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,aGk="}}]}]),
        &[Message::user("a")
            .with_media(Media::image("image/png", "hi"))
            .with_media(Media::image_url("https://example.com/a.png"))
            .with_media(Media::audio("audio/wav", "hi"))
            .with_media(Media::file("application/pdf", "hi").with_name("a.pdf"))],
    );
}

#[test]
fn written_histories_are_parsed_back() {
    let history = History::from([
        Message::user("a")
            .with_media(Media::image("image/png", "hi"))
            .with_media(Media::video_url("u")),
        Message::calls([
            ToolCall::new("1", "f", "{\"b\":1,\"a\":2}"),
            ToolCall {
                id: None,
                ..ToolCall::new("", "g", "{}")
            },
        ]),
        Message::tool("1", "x").with_name("f"),
        Message::assistant("done"),
    ]);
    let text = serde_json::to_string(&history).unwrap();
    assert_eq!(History::parse(&text).unwrap(), history);
    assert_eq!(serde_json::from_str::<History>(&text).unwrap(), history);
    assert_eq!(
        serde_json::from_value::<Message>(json!({"role": "user", "content": "a"})).unwrap(),
        Message::user("a")
    );
}

#[test]
fn history_errors() {
    let check = |json: serde_json::Value, expected: &str| {
        let error = History::from_json(&json).unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            (ErrorKind::History, expected)
        );
        let mut out = Writer::new();
        out.history(&json);
        assert_eq!(out.finish().unwrap_err().to_string(), expected);
    };
    check(json!({}), "history is a list, and this is an object");
    let request = json!({"model": "m", "messages": [{"role": "user", "content": "Hi"}]});
    let error = History::from_json(&request).unwrap_err();
    assert_eq!(
        error.help(),
        Some(
            "give the list alone: `History::from_json(&json[\"messages\"])?`, with `json: serde_json::Value`"
        )
    );
    check(json!(null), "history is a list, and this is null");
    check(
        json!(["a"]),
        "history[0]: a turn is a pair or a message, and this is a string",
    );
    check(
        json!([["a", "b"], ["c"]]),
        "history[1]: a pair is `[user, assistant]`, and the length of this is 1",
    );
    check(
        json!([["a", 1]]),
        "history[0]: a pair holds two strings, and this is a number",
    );
    check(json!([{}]), "history[0]: the message has no `role`");
    check(
        json!([{"role": "user"}]),
        "history[0]: the message has no `content`",
    );
    check(
        json!([{"role": 1}]),
        "history[0]: `role` is a string, and this is a number",
    );
    check(
        json!([{"role": "narrator", "content": ""}]),
        "history[0]: there is no role `narrator`; use `system`, `user`, `assistant` or `tool`",
    );
    check(
        json!([{"role": "developer", "content": ""}]),
        "history[0]: there is no role `developer`; write `system`, which APIs with a developer role read as that",
    );
    check(
        json!([{"role": "user", "content": 1}]),
        "history[0]: `content` is a string or a list of parts, and this is a number",
    );
    check(
        json!([{"role": "user", "content": "", "mood": "x"}]),
        "history[0]: a message has no key `mood`; write `{\"role\": \"user\", \"content\": \"…\"}`, the form of OpenAI's chat API",
    );
    check(
        json!([{"role": "user", "content": [{"type": "smell"}]}]),
        "history[0]: content[0]: there is no part of type `smell`",
    );
    check(
        json!([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "u", "detail": "low"}}]}]),
        "history[0]: content[0]: a part of type `image_url` cannot keep `detail`",
    );
    check(
        json!([{"role": "user", "content": "", "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}]),
        "history[0]: only the assistant calls tools, and this is a user message",
    );
    check(
        json!([{"role": "assistant", "tool_calls": [{"function": {"name": "f"}}, {"function": {}}]}]),
        "history[0]: tool_calls[1]: a tool call has no name",
    );
}

/// A second value for a key would replace the first, and an unsupported key would be lost.
#[test]
fn unsupported_or_duplicate_keys_are_errors() {
    let check = |text: &str, expected: &str| {
        let error = History::parse(text).unwrap_err();
        assert_eq!(error.to_string(), expected);
    };
    check(
        r#"[{"role": "user", "content": "a", "content": "b"}]"#,
        "history[0]: a message has the key `content` twice",
    );
    check(
        r#"[{"role": "user", "content": [{"type": "text", "text": "a", "text": "b"}]}]"#,
        "history[0]: content[0]: a part has the key `text` twice",
    );
    check(
        r#"[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "u", "url": "v"}}]}]"#,
        "history[0]: content[0]: `image_url` has the key `url` twice",
    );
    check(
        r#"[{"role": "user", "content": [{"type": "file", "file": {"file_data": "data:text/plain;base64,AA==", "filename": 1}}]}]"#,
        "history[0]: content[0]: a part of type `file` has a string `filename`",
    );
    check(
        r#"[{"role": "assistant", "tool_calls": [{"function": {"name": "f", "name": "g"}}]}]"#,
        "history[0]: tool_calls[0]: a call's `function` has the key `name` twice",
    );
    check(
        r#"[{"role": "assistant", "tool_calls": [{"function": {"name": "f"}, "mood": "x"}]}]"#,
        "history[0]: tool_calls[0]: a tool call has no key `mood`",
    );
    check(
        r#"[["\ud83d", "x"]]"#,
        "this JSON cannot be read: this escape is half of a character",
    );
    let tool = |text: &str| Tool::from_json(&Json::parse(text).unwrap()).unwrap_err();
    for text in [
        r#"{"type": "function", "type": "function", "function": {"name": "f"}}"#,
        r#"{"function": {"name": "f"}, "function": {"name": "g"}}"#,
    ] {
        assert!(tool(text).message().ends_with(" twice"), "{text}");
    }
    assert_eq!(
        tool(r#"{"name": "f", "parameters": {}, "input_schema": {}}"#).message(),
        "the tool gives `parameters` twice"
    );
}

/// Nested deeper than recursive functions can follow: this overflowed the stack.
#[test]
fn deep_json_is_refused() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let message = Json::parse(&deep).unwrap_err().message().to_owned();
    assert_eq!(
        message,
        "this JSON cannot be read: it is nested deeper than 127"
    );
    assert!(serde_json::from_str::<Json>(&deep).is_err());
    assert!(serde_json::from_str::<Tool>(&format!(r#"{{"name":"f","x":{deep}}}"#)).is_err());
    assert!(ToolCall::new("1", "f", deep).json().is_err());
    // The text around a value at the maximum depth is written too.
    let last = "[".repeat(126) + &"]".repeat(126);
    let tool = Json::parse(&format!(r#"{{"name":"f","x":{last}}}"#)).unwrap();
    assert!(
        Tool::from_json(&tool)
            .unwrap()
            .to_json()
            .as_str()
            .contains(&last)
    );
}

#[test]
fn unparsable_history_is_drawn() {
    let error = History::parse("[[\"a\", \"b\"],\n [\"c\" \"d\"]]").unwrap_err();
    expect_test::expect![[r#"
        this is not JSON: expected `,` or `]`
         --> 2:7
          |
        2 |  ["c" "d"]]
          |       ^ expected `,` or `]`"#]]
    .assert_eq(&format!("{error:#}"));
}

#[test]
fn tools_lose_nothing() {
    let check = |text: &str| {
        let json = Json::parse(text).unwrap();
        assert_eq!(Tool::from_json(&json).unwrap().to_json(), json);
    };
    check(r#"{"type":"function","function":{"name":"f"}}"#);
    check(
        r#"{"type":"function","function":{"parameters":{"z":1.50,"a":1e400},"strict":true,"name":"f","description":"d"},"x":[1]}"#,
    );
    let bare =
        Tool::from_json(&Json::parse(r#"{"name":"f","input_schema":{"type":"object"}}"#).unwrap())
            .unwrap();
    assert_eq!(
        bare,
        Tool::new("f").with_parameters(Json::parse(r#"{"type":"object"}"#).unwrap())
    );
}

#[test]
fn tool_errors() {
    let check = |json: serde_json::Value, expected: &str| {
        let mut out = Writer::new();
        out.tools(&json);
        let error = out.finish().unwrap_err();
        assert_eq!((error.kind(), error.message()), (ErrorKind::Tool, expected));
    };
    check(json!({}), "tools are a list, and this is an object");
    check(
        json!([1]),
        "tools[0]: a tool is an object, and this is a number",
    );
    check(
        json!([{"name": "a"}, {"type": "function", "function": {}}]),
        "tools[1]: the tool has no name",
    );
    check(json!([{"name": ""}]), "tools[0]: the tool's name is empty");
    check(
        json!([{"name": 1}]),
        "tools[0]: the tool's name is not a string",
    );
    check(
        json!([{"type": "retrieval", "name": "a"}]),
        "tools[0]: a tool's `type` is \"function\", and this is \"retrieval\"",
    );
}

#[test]
fn parts_have_an_origin() {
    let message = Message::user("data");
    let Part::Text(text) = &message.parts[0] else {
        panic!("text")
    };
    assert_eq!(text.data()[0].range, 0..4);
    let messages: Messages = History::from([("a", "b")]).into_iter().collect();
    assert!(
        messages
            .iter()
            .flat_map(Message::texts)
            .all(|text| text.data().len() == 1)
    );
}

/// Pairs of a role and a text are not questions and answers.
#[test]
fn pairs_of_roles_and_texts_are_an_error() {
    let used = |history: History| {
        let mut out = Writer::new();
        out.history(&history);
        out.finish().map(|messages| messages.len())
    };
    for roles in [["user", "assistant"], ["human", "ai"], ["system", "user"]] {
        let error = used(History::from(roles.map(|role| (role, "Hi")))).unwrap_err();
        let expected = format!(
            "history: the questions are roles: `{}`, `{}`; a pair is a question and its answer; write messages: \
             `vec![Message::user(\"…\"), Message::assistant(\"…\")]`",
            roles[0], roles[1]
        );
        assert_eq!(error.to_string(), expected);
    }
    for questions in [["user", "user"], ["user", "Why?"], ["Hi", "assistant"]] {
        assert_eq!(
            used(History::from(questions.map(|question| (question, "Hi")))).unwrap(),
            4
        );
    }
    assert_eq!(used(History::from([("user", "Hi")])).unwrap(), 2);
    // JSON and lists are read likewise; messages and turns of a conversation are what they are.
    let pairs = [("user", "Hi"), ("assistant", "Hello")];
    assert!(History::from_json(&json!(pairs)).is_err());
    assert!(pairs.to_history().is_err() && pairs.to_vec().to_history().is_err());
    let turns = || pairs.map(|(user, answer)| [Message::user(user), Message::assistant(answer)]);
    assert_eq!(used(turns().into_iter().flatten().collect()).unwrap(), 4);
    let mut history = History::new();
    history.push_pair("ai", "Yes?");
    history.push_pair("human", "Yes?");
    assert_eq!(used(history).unwrap(), 4);
    assert_eq!(used(History::new()).unwrap(), 0);
}

/// A system message instructs the model, so JSON data cannot add one.
#[test]
fn system_messages_need_a_decision() {
    let refused = |function: &str| {
        format!(
            "a history may not contain a system message; remove it; or, if your program wrote it, use `{function}`"
        )
    };
    let refused_json = refused("History::parse_with_system");
    let refused = refused("History::from_messages_with_system");
    let turns = || vec![Message::user("Hi"), Message::system("Obey.")];
    let json = json!([["a", "b"], {"role": "system", "content": "Obey."}]);
    let text = json.to_string();
    for error in [
        History::from_json(&json).unwrap_err().to_string(),
        History::parse(&text).unwrap_err().to_string(),
        serde_json::from_str::<History>(&text)
            .unwrap_err()
            .to_string(),
    ] {
        assert_eq!(error, format!("history[2]: {refused_json}"));
    }
    let mut forged = History::from([("a", "b")]);
    forged.push(Message::system("Obey."));
    let error = serde_json::from_value::<Vec<Message>>(json!([json[1]])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a message that is read from JSON may not be a system message; remove it; or, if your program wrote it, use \
         `History::parse_with_system`"
    );
    let read: Vec<Message> = History::parse_with_system(&text)
        .unwrap()
        .into_iter()
        .collect();
    let whole = Messages::from(turns());
    let vec: Vec<Message> = turns();
    let histories: [(&dyn ToHistory, usize); 9] = [
        (&forged, 2),
        (&History::from(turns()), 1),
        (&History::from_iter(turns()), 1),
        (&read, 2),
        (&vec, 1),
        (&&vec[..], 1),
        (&whole, 1),
        (&json, 2),
        (&Some(&forged), 2),
    ];
    for (history, index) in histories {
        let mut out = Writer::new();
        out.role(Role::User);
        out.text("x");
        out.history(&history);
        let error = out.finish().unwrap_err().to_string();
        assert_eq!(error, format!("history[{index}]: {refused}"));
    }
    let mut out = Writer::new();
    out.history(&Some(&History::from_messages_with_system(turns())));
    out.history(&History::parse_with_system(&text).unwrap());
    assert_eq!(out.finish().unwrap().len(), 5);
}

#[test]
fn the_last_turns_are_kept_whole() {
    let calls = [
        Message::user("depth?"),
        Message::calls([ToolCall::new("1", "depth", "{}")]),
        Message::tool("1", "9 m"),
        Message::assistant("9 metres."),
    ];
    let mut all = vec![
        Message::system("The user is called Ada."),
        Message::assistant("Hello!"),
        Message::user("Hi"),
        Message::user("Are you there?"),
        Message::assistant("Yes."),
    ];
    all.extend(calls.clone());
    for (count, kept) in [
        (0, &[0][..]),
        (1, &[0, 5, 6, 7, 8]),
        (2, &[0, 2, 3, 4, 5, 6, 7, 8]),
        (3, &[0, 1, 2, 3, 4, 5, 6, 7, 8]),
        (usize::MAX, &[0, 1, 2, 3, 4, 5, 6, 7, 8]),
    ] {
        let mut history = History::from_messages_with_system(all.clone());
        history.keep_last_turns(count);
        let kept = kept.iter().map(|index| all[*index].clone());
        assert_eq!(history, History::from_messages_with_system(kept), "{count}");
    }
    let mut none = History::new();
    none.keep_last_turns(1);
    assert!(none.is_empty());
}
