//! What a template receives: messages are prepared as in transformers, and what a template drops is an error.

use prompt_chat_template::ChatTemplate;
use prompt_core::format::FormatOptions;
use prompt_core::{ChatFormat, Error, Guard, Json, Message, Messages, Result, Tool, ToolCall};

fn format(
    source: &str,
    messages: &str,
    tools: Option<&str>,
    options: &FormatOptions,
) -> Result<String> {
    let messages = Json::parse(messages)?;
    let tools = tools.map(Json::parse).transpose()?;
    let text = ChatTemplate::parse(source)?.format_json(&messages, tools.as_ref(), options)?;
    Ok(text.into_string())
}

fn error(source: &str, messages: &str, tools: Option<&str>, options: &FormatOptions) -> Error {
    format(source, messages, tools, options).unwrap_err()
}

#[test]
fn null_keys_are_left_out_and_reasoning_has_two_names() {
    let source = "{{ messages | tojson }}";
    for (given, received) in [
        (
            r#"{"role": "assistant", "content": null, "tool_calls": null, "n": {"a": null}}"#,
            r#"{"role": "assistant", "n": {"a": null}}"#,
        ),
        (
            r#"{"role": "assistant", "content": "4", "reasoning_content": "r", "name": "x"}"#,
            r#"{"thinking": "r", "role": "assistant", "content": "4", "reasoning_content": "r", "name": "x"}"#,
        ),
        (
            r#"{"role": "assistant", "reasoning": "r", "content": "4"}"#,
            r#"{"thinking": "r", "role": "assistant", "reasoning": "r", "content": "4", "reasoning_content": "r"}"#,
        ),
        (
            r#"{"role": "assistant", "thinking": "t", "reasoning_content": "r"}"#,
            r#"{"thinking": "t", "role": "assistant", "reasoning_content": "r"}"#,
        ),
        (
            r#"{"role": "assistant", "reasoning_content": null, "thinking": "t"}"#,
            r#"{"thinking": "t", "role": "assistant", "reasoning_content": "t"}"#,
        ),
        (r#"{"role": "a", "role": "b"}"#, r#"{"role": "b"}"#),
    ] {
        let options = FormatOptions::new().guard(Guard::Allow);
        let text = format(source, &format!("[{given}]"), None, &options).unwrap();
        assert_eq!(text, format!("[{received}]"));
    }
}

#[test]
fn images_have_one_form_for_templates_that_take_images() {
    let parts = r#"[{"type": "image_url", "image_url": {"url": "a"}}, {"type": "image_url", "image_url": "b"}, {"type": "text", "text": "c"}]"#;
    let messages = format!(r#"[{{"role": "user", "content": {parts}}}]"#);
    let source = "{{ messages[0].content | tojson }}";
    let options = FormatOptions::new().guard(Guard::Allow);
    assert_eq!(format(source, &messages, None, &options).unwrap(), parts);
    for word in ["'image'", "\"image\""] {
        let source = format!("{source}{{% if {word} in messages[0] %}}{{% endif %}}");
        assert_eq!(
            format(&source, &messages, None, &options).unwrap(),
            r#"[{"type": "image", "url": "a"}, {"type": "image", "url": "b"}, {"type": "text", "text": "c"}]"#
        );
    }
}

#[test]
fn what_a_template_drops_is_an_error() {
    let users = "{% for m in messages if m.role == 'user' %}{{ m.content }}{% endfor %}";
    let texts = "{% for m in messages %}{{ m.content }}{% endfor %}";
    let reads = "{% for m in messages %}{{ m.content }}{% if loop.last %}{{ m.reasoning_content }}{% endif %}{% endfor %}";
    let call = r#"[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": null,
        "tool_calls": [{"function": {"name": "f", "arguments": {"a": "b"}}}]}]"#;
    let bare = r#"[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": null,
        "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": {}}}]}]"#;
    let thought = r#"[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes", "thinking": "Hm."}]"#;
    let only = r#"[{"role": "user", "content": "Hi"}, {"role": "assistant", "thinking": "Hm."}, {"role": "user", "content": "?"}]"#;
    let tools = r#"[{"function": {"name": "f"}}]"#;
    let hi = r#"[{"role": "user", "content": "Hi"}]"#;
    for (source, messages, tools, message, index) in [
        (
            users,
            r#"[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]"#,
            None,
            "message 0 (system)",
            Some(0),
        ),
        (
            users,
            r#"[{"role": "user", "content": "Hi"}, {"role": "narrator", "content": "Ha"}]"#,
            None,
            "message 1 (narrator)",
            Some(1),
        ),
        (
            users,
            call,
            None,
            "the tool calls of message 1 (assistant)",
            Some(1),
        ),
        (
            users,
            bare,
            None,
            "the tool calls of message 1 (assistant)",
            Some(1),
        ),
        (users, hi, Some(tools), "the tools", None),
        (
            texts,
            thought,
            None,
            "the reasoning of message 1 (assistant)",
            Some(1),
        ),
        (
            texts,
            only,
            None,
            "the reasoning of message 1 (assistant)",
            Some(1),
        ),
    ] {
        for guard in [Guard::Allow, Guard::Neutralise, Guard::Reject] {
            let options = FormatOptions::new().guard(guard);
            let refused = error(source, messages, tools, &options);
            assert_eq!(
                refused.message(),
                format!("the chat template drops {message}")
            );
            assert_eq!(refused.message_index(), index);
            format(source, messages, tools, &options.lenient()).unwrap();
        }
    }
    // The id of a message is not its content.
    let identified = r#"[{"role": "user", "content": "Hi"}, {"role": "assistant", "id": "m1", "content": null, "tool_calls": [{"function": {"name": "f", "arguments": {}}}]}]"#;
    let calls = "{% for m in messages %}{{ m.content }}{% for c in m.tool_calls %}{{ c.function.name }}{% endfor %}{% endfor %}";
    let options = FormatOptions::new();
    assert_eq!(format(calls, identified, None, &options).unwrap(), "Hif");
    // A template that reads reasoning decides which turns show it.
    assert_eq!(format(reads, only, None, &options).unwrap(), "Hi?");
    assert_eq!(format(reads, thought, None, &options).unwrap(), "HiYesHm.");
}

/// A call is its name or its id, and its arguments if it has some.
#[test]
fn the_arguments_of_a_call_are_a_part_of_it() {
    let ask = |written: &str, calls: &str| {
        let source = format!(
            "{{% for m in messages %}}{{{{ m.content }}}}{{% for c in m.tool_calls or [] %}}{written}{{% endfor %}}{{% endfor %}}"
        );
        let messages = format!(
            r#"[{{"role": "user", "content": "Hi"}}, {{"role": "assistant", "tool_calls": [{calls}]}}]"#
        );
        format(&source, &messages, None, &FormatOptions::new())
            .err()
            .map(|error| error.message().to_owned())
    };
    let call = |arguments: &str| {
        format!(r#"{{"id": "c1", "function": {{"name": "f", "arguments": {arguments}}}}}"#)
    };
    let dropped = |part: &str| {
        let message = format!("the chat template drops {part} of message 1 (assistant)");
        Some(message)
    };
    let [name, id, arguments] = [
        "{{ c.function.name }}",
        "{{ c.id }}",
        "{{ c.function.arguments | tojson }}",
    ];
    for empty in [
        "{}",
        "[]",
        "null",
        r#""""#,
        r#""{}""#,
        r#"" { }""#,
        r#""null""#,
    ] {
        assert_eq!(ask(name, &call(empty)), None, "{empty}");
        assert_eq!(ask(id, &call(empty)), None, "{empty}");
        let got = ask("", &call(empty));
        assert_eq!(got, dropped("the tool calls"), "{empty}");
    }
    for full in [
        r#"{"a": 1}"#,
        r#"{"a": null}"#,
        r#""{\"a\": 1}""#,
        r#""free text""#,
    ] {
        for written in [name, id] {
            let got = ask(written, &call(full));
            assert_eq!(got, dropped("the arguments of the tool calls"), "{full}");
        }
        assert_eq!(ask(arguments, &call(full)), None, "{full}");
        let got = ask("", &call(full));
        assert_eq!(got, dropped("the tool calls"), "{full}");
    }
    // Each of several calls counts.
    let two = [call("{}"), call(r#"{"a": 1}"#)].join(",");
    let got = ask(name, &two);
    assert_eq!(got, dropped("the arguments of tool call 1"));
    let first = "{% if loop.first %}{{ c.function.name }}{% endif %}";
    assert_eq!(ask(first, &two), dropped("tool call 1"));
    let shown = "{{ c.function.name }}{{ c.function.arguments | tojson }}";
    assert_eq!(ask(shown, &two), None);
}

/// Each of several tools counts; a template that writes anything of a tool writes the tool.
#[test]
fn one_of_several_tools_is_a_part_of_the_request() {
    let tools = r#"[{"type": "function", "function": {"name": "f", "description": "F."}}, {"type": "function", "function": {"name": "g"}}]"#;
    let hi = r#"[{"role": "user", "content": "Hi"}]"#;
    for (written, dropped) in [
        ("{{ t | tojson }}", None),
        ("{{ t.function.name }}", None),
        ("{{ t.function.name if loop.first }}", Some("tool 1")),
        ("{{ t.function.description }}", Some("tool 1")),
        ("{{ t.function.name if loop.last }}", Some("tool 0")),
        ("{{ t.type }}", Some("the tools")),
    ] {
        let source = format!(
            "{{% for t in tools or [] %}}{written}{{% endfor %}}{{{{ messages[0].content }}}}"
        );
        let got = format(&source, hi, Some(tools), &FormatOptions::new()).err();
        let expected = dropped.map(|dropped| format!("the chat template drops {dropped}"));
        assert_eq!(
            got.map(|error| error.message().to_owned()),
            expected,
            "{written}"
        );
        format(&source, hi, Some(tools), &FormatOptions::new().lenient()).unwrap();
        // Without tools, nothing is dropped.
        format(&source, hi, None, &FormatOptions::new()).unwrap();
    }
}

#[test]
fn the_error_names_what_the_best_shape_drops() {
    let ask = |source: &str, messages: Messages| {
        let error = messages
            .to_text(ChatTemplate::parse(source).unwrap())
            .unwrap_err();
        error.message().to_owned()
    };
    // The template takes lists of parts, and drops the tools.
    let parts =
        "{% for m in messages %}{% for p in m.content %}{{ p.text }}{% endfor %}{% endfor %}";
    let tools = Messages::from([Message::system("Be brief."), Message::user("Hi")])
        .with_tool(Tool::new("f"));
    assert_eq!(ask(parts, tools), "the chat template drops the tools");
    // It refuses arguments that are strings, and drops the text beside a call.
    let calls = "{% for m in messages %}{% if m.tool_calls %}{% for c in m.tool_calls %}{% if c.function.arguments is string %}\
        {{ raise_exception('arguments are a string') }}{% endif %}{{ c.function.name }}{% endfor %}{% else %}{{ m.content }}{% endif %}{% endfor %}";
    let mut message = Message::assistant("I look.");
    message.tool_calls.push(ToolCall::new("1", "f", "{}"));
    assert_eq!(
        ask(calls, Messages::from([Message::user("Hi"), message])),
        "the chat template drops message 1 (assistant)"
    );
}

#[test]
fn a_path_is_no_template() {
    for text in ["models/qwen/chat_template.jinja", ""] {
        let error = ChatTemplate::parse(text).unwrap_err();
        assert!(
            format!("{error:#}").contains("`ChatTemplate::load`"),
            "{error:#}"
        );
    }
}

#[test]
fn requests_of_another_shape_are_refused() {
    let source = "{{ messages[0].content }}{{ tools }}{{ documents }}";
    let hi = r#"[{"role": "user", "content": "Hi"}]"#;
    let options = FormatOptions::new().lenient();
    for (messages, tools, message) in [
        ("[]", None, "a chat template needs a message"),
        (
            "[1]",
            None,
            "messages[0]: a message is an object, and this is a number",
        ),
        (
            hi,
            Some("{}"),
            "`tools` is a list of objects, and this is an object",
        ),
        (
            hi,
            Some("[{}, 1]"),
            "`tools[1]` is an object, and this is a number",
        ),
    ] {
        assert_eq!(error(source, messages, tools, &options).message(), message);
    }
    let documents = options.documents([Json::parse("\"Ulm\"").unwrap()]);
    assert_eq!(
        error(source, hi, None, &documents).message(),
        "`documents[0]` is an object, and this is a string"
    );
}

#[test]
fn a_continued_message_is_written_as_it_is() {
    let ask = Messages::from([
        Message::user("Hi"),
        Message::assistant("<think>a</think> Sure "),
    ]);
    let cuts = "{% for m in messages %}{{ m.content.split('</think>')[-1] }}{% endfor %}";
    let error = ask
        .to_text(ChatTemplate::parse(cuts).unwrap().continued())
        .unwrap_err();
    assert_eq!(
        error.message(),
        "the chat template changes the last message, so that the model cannot continue it"
    );
    let strips = "{% for m in messages %}{{ m.content | trim }}|{% endfor %}";
    let text = ask.to_text(ChatTemplate::parse(strips).unwrap().continued());
    assert_eq!(text.unwrap(), "Hi|<think>a</think> Sure");
}
