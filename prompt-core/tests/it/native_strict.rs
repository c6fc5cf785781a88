//! Content that a family's chat template drops silently is an error here; other content is written as the template writes it.

use prompt_core::format::{self, ChatInput, FormatOptions};
use prompt_core::{ChatFormat, Guard, Json, Message, Messages, Role, Tool, ToolCall};
use proptest::prelude::*;

fn check(family: &str, messages: &str, tools: Option<&str>, expected: &str) {
    let tools = tools.map(|tools| Json::parse(tools).unwrap());
    let chat = ChatInput::from_json(&Json::parse(messages).unwrap(), tools.as_ref()).unwrap();
    let native = format::model_format(family).unwrap();
    let error = native
        .format_chat(&chat, &FormatOptions::new())
        .unwrap_err();
    assert_eq!(error.to_string(), expected, "{family}");
    // The model's chat template does not support it.
    assert!(
        native
            .format_chat(&chat, &FormatOptions::new().lenient())
            .is_ok(),
        "{family}"
    );
}

#[test]
fn roles_that_would_vanish() {
    check(
        "qwen2.5",
        r#"[{"role": "developer", "content": "Be brief."}, {"role": "user", "content": "Hi"}]"#,
        None,
        "message 0 (developer) has this role in this position, which Qwen 2.5 does not support; write `system`",
    );
    check(
        "phi-4",
        r#"[{"role": "user", "content": "Hi"}, {"role": "narrator", "content": "Rain."}]"#,
        None,
        "message 1 (narrator) has this role in this position, which Phi-4 does not support; use a role that the family supports",
    );
    check(
        "yi-1.5",
        r#"[{"role": "user", "content": "Hi"}, {"role": "system", "content": "Rhyme."}, {"role": "user", "content": "So?"}]"#,
        None,
        "message 1 (system) has this role in this position, which Yi 1.5 does not support; put it first, or into a user message",
    );
    // The content would have no role.
    check(
        "kimi-k2",
        r#"[{"role": "narrator", "content": "Rain."}]"#,
        None,
        "message 0 (narrator) has this role in this position, which Kimi K2 does not support; use a role that the family supports",
    );
    // The assistant would be its role.
    check(
        "deepseek-coder",
        r#"[{"role": "tool", "content": "6:12"}]"#,
        None,
        "message 0 (tool) has this role in this position, which DeepSeek Coder does not support; write the result into a user message",
    );
}

#[test]
fn tools_that_would_vanish() {
    let tools = r#"[{"type": "function", "function": {"name": "tide"}}]"#;
    let call =
        r#"{"id": "call00001", "type": "function", "function": {"name": "tide", "arguments": {}}}"#;
    let help = "use a chat API, which takes tools beside the messages, or a layout with tools";
    for (family, title) in [
        ("chatml", "ChatML"),
        ("deepseek-v3", "DeepSeek V3"),
        ("gemma-3", "Gemma 3"),
    ] {
        let expected =
            format!("the tool `tide` is offered, which {title} does not support; {help}");
        check(
            family,
            r#"[{"role": "user", "content": "Hi"}]"#,
            Some(tools),
            &expected,
        );
    }
    let called = format!(
        r#"[{{"role": "user", "content": "Hi"}}, {{"role": "assistant", "content": "", "tool_calls": [{call}]}},
        {{"role": "user", "content": "So?"}}]"#
    );
    check(
        "llama-3",
        &called,
        None,
        "message 1 (assistant) calls tools, which Llama 3 does not support; use a chat API, or leave the calls out",
    );
    let beside = called.replace(r#""content": """#, r#""content": "Wait.""#);
    check(
        "llama-3.1",
        &beside,
        None,
        "message 1 (assistant) holds text beside a tool call, which Llama 3.1 does not support; \
         use `.separate_calls()` of the format, which writes the text, and each call with its result, as messages of their own",
    );
    check(
        "mistral-v3",
        &beside.replace(
            r#""role": "user", "content": "So?""#,
            r#""role": "tool", "tool_call_id": "call00001", "content": "6:12""#,
        ),
        None,
        "message 1 (assistant) holds text beside a tool call, which Mistral v3 does not support; \
         leave the text out, or use `.lenient()` of the format, which leaves it out as the model's chat template does",
    );
}

#[test]
fn tools_that_a_template_does_not_support() {
    let tool = Tool::new("tide").with_description("The tide.");
    let ask =
        Messages::from([Message::system("Be brief."), Message::user("When?")]).with_tool(tool);
    expect_test::expect![[r#"
        <｜begin▁of▁sentence｜>Be brief.

        ## Tools
        You have access to the following tools:

        ### tide
        Description: The tide.

        Parameters: {}

        IMPORTANT: ALWAYS adhere to this exact format for tool use:
        <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>tool_call_name<｜tool▁sep｜>tool_call_arguments<｜tool▁call▁end｜>{{additional_tool_calls}}<｜tool▁calls▁end｜>

        Where:

        - `tool_call_name` must be an exact match to one of the available tools
        - `tool_call_arguments` must be valid JSON that strictly follows the tool's Parameters Schema
        - For multiple tool calls, chain them directly without separators or spaces
        <｜User｜>When?<｜Assistant｜><think></think>"#]].assert_eq(&ask.to_text(format::DEEPSEEK_V3_1).unwrap());
    let dropped = ask.to_text(format::DEEPSEEK_V3_1.lenient()).unwrap();
    assert!(!dropped.contains("tide"));
}

#[test]
fn names_that_would_be_more_than_names() {
    let check = |family: &str, title: &str, name: &str| {
        let called = serde_json::json!([
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "", "tool_calls": [
                {"id": "call00001", "function": {"name": name, "arguments": {}}}]},
            {"role": "tool", "tool_call_id": "call00001", "content": "6:12"},
            {"role": "user", "content": "So?"},
        ]);
        let name = name.escape_debug();
        let expected = format!(
            "the name `{name}` is not a word, which {title} does not support; \
             name tools and calls with letters, digits, `_`, `-`, `.`, `:` and `/`"
        );
        check(family, &called.to_string(), None, &expected);
    };
    // In a header, where it would be the speaker's.
    check("gpt-oss", "gpt-oss", "tide to=user");
    // After a quote that it closes.
    check("qwen2.5", "Qwen 2.5", r#"tide", "arguments": {}, "x": ""#);
    check("llama-3.1", "Llama 3.1", "tide\n");
    check("deepseek-v3.1", "DeepSeek V3.1", "tide ");
    check("kimi-k2", "Kimi K2", "tide now");
}

#[test]
fn instructions_that_would_vanish() {
    check(
        "mistral-v3",
        r#"[{"role": "system", "content": "Rhyme."}, {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "call00001", "type": "function", "function": {"name": "tide", "arguments": {}}}]},
            {"role": "tool", "tool_call_id": "call00001", "content": "6:12"}]"#,
        None,
        "message 0 (system) would be left out here, which Mistral v3 does not support; \
         end with a user message, or put the instructions into one",
    );
}

#[test]
fn arguments_as_a_string_are_read() {
    let call = Message::calls([ToolCall::new("c", "tide", r#"{"day": 1}"#)]);
    let messages = Messages::from([Message::user("Hi"), call, Message::user("So?")]);
    let text = messages.to_text(format::QWEN2_5).unwrap();
    assert!(
        text.contains(r#"{"name": "tide", "arguments": {"day": 1}}"#),
        "{text}"
    );
}

#[test]
fn lists_are_trimmed_as_in_the_template() {
    let check = |native: format::NativeFormat, role: &str, content: &str, expected: &str| {
        let message = format!(r#"{{"role": "{role}", "content": {content}}}"#);
        let messages = match role {
            "user" => format!("[{message}]"),
            _ => format!(r#"[{{"role": "user", "content": "Hi"}}, {message}]"#),
        };
        let chat = ChatInput::from_json(&Json::parse(&messages).unwrap(), None).unwrap();
        let options = FormatOptions::new()
            .lenient()
            .guard(Guard::Allow)
            .generation_prompt(false);
        let text = native.format_chat(&chat, &options).unwrap().into_string();
        assert!(text.ends_with(expected), "{content}: {text:?}");
    };
    let texts = |texts: &[&str]| {
        let items = texts.iter().map(|text| {
            let text = serde_json::json!({"type": "text", "text": text});
            text.to_string()
        });
        items.collect::<Vec<_>>().join(", ")
    };
    let list = |items: &[&str]| format!("[{}]", texts(items));
    for (content, expected) in [
        (list(&[" a ", " b "]), "ab"),
        (list(&["<|channel>thought\nx<channel|> a", " b"]), "ab"),
        (
            format!(
                "[{}, {{\"type\": \"image\"}}, {}]",
                texts(&["a <|channel>x<channel|> "]),
                texts(&[" b"])
            ),
            "a<|image|>b",
        ),
        (
            serde_json::json!("foo  <|channel>thought\nx<channel|>").to_string(),
            "foo",
        ),
        (
            serde_json::json!(" a <|channel>x<channel|> b <|channel>y").to_string(),
            "a  b",
        ),
    ] {
        let expected = format!("<|turn>model\n{expected}<turn|>\n");
        check(format::GEMMA4, "assistant", &content, &expected);
    }
    for (items, expected) in [
        (&[" ", "  hello"][..], "hello"),
        (&["hello ", " you ", "\n"], "hello  you"),
        (&[" ", "\n"], ""),
    ] {
        let expected = format!("<|im_start|>user\n{expected}<|im_end|>\n");
        check(format::QWEN3_5, "user", &list(items), &expected);
    }
    let image = |kind: &str| format!(r#"[{{"type": "{kind}"}}, {}]"#, texts(&["Hi"]));
    for (kind, expected) in [("image", "User:<image>Hi"), ("image_url", "User: Hi")] {
        let expected = format!("{expected}<end_of_utterance>\n");
        check(format::SMOLVLM, "user", &image(kind), &expected);
    }
}

fn words() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "",
        " ",
        "a",
        " b\n",
        "\u{3000}c",
        "<think>x</think>y",
        "</think>",
        "/think",
        "\n\n",
        "d\n\n\ne",
    ])
    .prop_map(str::to_owned)
}

/// Any messages in any order, with calls and results.
fn messages() -> impl Strategy<Value = Messages> {
    let role = prop::sample::select(vec![
        Role::System,
        Role::User,
        Role::User,
        Role::Assistant,
        Role::Assistant,
        Role::Tool,
    ]);
    let message =
        (role, words(), words(), prop::bool::weighted(0.3)).prop_map(|(role, a, b, calls)| {
            match role {
                Role::Tool => Message::tool("call00001", a + &b),
                Role::Assistant if calls => {
                    let call = ToolCall::new("call00001", "tide", r#"{"day": 1.50, "at": "é\n"}"#);
                    Message::assistant(a + &b).with_tool_calls([call])
                }
                role => Message::new(role, a + &b),
            }
        });
    (prop::collection::vec(message, 1..6), any::<bool>()).prop_map(|(messages, tool)| {
        let messages = Messages::from(messages);
        if tool {
            messages.with_tool(Tool::new("tide").with_description("The tide."))
        } else {
            messages
        }
    })
}

fn says_its_last_words_twice(messages: &Messages) -> bool {
    let mut said = messages
        .iter()
        .filter(|message| message.role == Role::User)
        .rev();
    said.next()
        .is_some_and(|last| said.any(|message| message == last))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn strict_equals_lenient_or_is_an_error(messages in messages(), answers in any::<bool>()) {
        for native in format::MODEL_FORMATS {
            let options = FormatOptions::new().guard(Guard::Allow).generation_prompt(answers);
            let Ok(strict) = messages.to_text(native.options(options.clone())) else { continue };
            let places_tools_elsewhere = match native.family().name {
                // Their templates do not read tools beside the messages.
                "glm4" | "deepseek_v3_1" | "phi4_mini" => true,
                // Their templates offer them again before each message that equals the user's last one.
                name => name.starts_with("mistral_") && says_its_last_words_twice(&messages),
            };
            // Their templates drop calls, and those of GLM-4 and Phi-4 mini have another token for results.
            let drops_calls = match native.family().name {
                "granite3_1" | "smollm3" => messages.iter().any(|message| !message.tool_calls.is_empty()),
                "glm4" | "phi4_mini" => messages.iter().any(|message| !message.tool_calls.is_empty() || message.role == Role::Tool),
                _ => false,
            };
            if (messages.tools().is_empty() || !places_tools_elsewhere) && !drops_calls {
                prop_assert_eq!(strict, messages.to_text(native.options(options.lenient())).unwrap());
            }
        }
    }
}
