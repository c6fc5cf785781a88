//! Differences of LazyLLM's layouts from the original: JSON for tools and calls, errors with positions.

use prompt_compat::lazyllm::{Alpaca, Chat, Keys};
use prompt_core::{ChatFormat, History, Json, Messages, ToTools};

#[test]
fn tools_are_json() {
    let tools = Json::parse(
        r#"[{"type":"function","function":{"name":"example","parameters":{"b":1,"a":1.50}}}]"#,
    )
    .unwrap();
    let ask = Messages::from([
        prompt_core::Message::system("Use tools."),
        prompt_core::Message::user("q"),
    ]);
    let ask = tools
        .to_tools()
        .unwrap()
        .iter()
        .cloned()
        .fold(ask, Messages::with_tool);
    let text = ask
        .to_text(Chat::new().keys(Keys::from_name("glm-4").unwrap().system("")))
        .unwrap();
    expect_test::expect![[r#"
        <|system|>
        Use tools.



        ✿FUNCTION✿: tool name (one of ["example"])
        ✿ARGS✿: the input to the tool, in a JSON format representing the kwargs. Can only return json.

        end of tool.
        (e.g. ✿FUNCTION✿: tool_name
        ✿ARGS✿: {"input": "hello world", "num_beams": 5}

        ).
        ### Function-call Tools. 

        [{"type": "function", "function": {"name": "example", "parameters": {"b": 1, "a": 1.50}}}]




        <|user|>

        q
        <|assistant|>

    "#]]
    .assert_eq(&text);
    // Without tokens to call with, the tools are listed all the same.
    let text = ask.to_text(Chat::new().system("")).unwrap();
    assert!(
        text.starts_with("Use tools.\n\n### Function-call Tools. \n\n[{\"type\": \"function\"")
    );
}

#[test]
fn calls_and_results_in_history() {
    let history = serde_json::json!([
        {"role": "user", "content": "Paris?"},
        {"role": "assistant", "content": "", "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "get_weather", "arguments": {"city": "巴黎"}}}]},
        {"role": "tool", "content": "{\"t\": 21}", "tool_call_id": "1"},
        {"role": "assistant", "content": "21 degrees"},
        {"role": "user", "content": "and Rome?"}
    ]);
    let ask: Messages = History::from_json(&history).unwrap().into_iter().collect();
    let check = |layout: Chat, expected: &str| {
        assert_eq!(ask.to_text(layout.system("")).unwrap(), expected);
    };
    check(
        Chat::new().keys(Keys::from_name("qwen").unwrap()),
        "<|im_start|>system\n<|im_end|>\n\n\n<|im_start|>user\nParis?<|im_end|>\n\
         <|im_start|>assistant\n<|action_start|><|function|>\nget_weather<|args|>{\"city\": \"巴黎\"}<|action_end|>\n<|im_end|>\
         <|im_start|>environment\n{\"t\": 21}<|im_end|>\n<|im_start|>assistant\n21 degrees<|im_end|>\n\
         <|im_start|>user\n\nand Rome?\n<|im_end|>\n<|im_start|>assistant\n\n",
    );
    check(
        Chat::new(),
        "Paris?\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"巴黎\"}}\n{\"t\": 21}21 degrees\n\nand Rome?\n\n",
    );
}

#[test]
fn errors_have_a_position() {
    use prompt_core::Message;
    let check = |messages: Vec<Message>, format: &dyn ChatFormat, expected: &str| {
        assert_eq!(
            Messages::from(messages)
                .to_text(format)
                .unwrap_err()
                .to_string(),
            expected
        );
    };
    check(
        vec![
            Message::system("a"),
            Message::user("b"),
            Message::system("c"),
            Message::user("d"),
        ],
        &Chat::new(),
        "message 2 (system) is placed among the turns, which LazyLLM's Chat does not support; \
         put all instructions into the first message, or use `Chat::to_messages`",
    );
    check(
        vec![Message::system("a"), Message::user("b")],
        &Alpaca::new(),
        "message 1 (user) is given beside the instruction, which LazyLLM's Alpaca does not support; \
         put it into the system message or an `#[prompt(extra)]` field, or use `Alpaca::roles`",
    );
    check(
        vec![
            Message::user("a"),
            Message::assistant("b"),
            Message::user("c"),
        ],
        &Alpaca::new().roles(),
        "message 1 (assistant) is part of a conversation, which LazyLLM's Alpaca does not support; \
         use a chat format such as `chatml`, or send one question without history",
    );
    check(
        vec![
            Message::user("2+2?"),
            Message::assistant("4").with_reasoning("Easy."),
            Message::user("3+3?"),
        ],
        &Chat::new(),
        "message 1 (assistant) holds reasoning, which LazyLLM's Chat does not support; \
         leave the reasoning out, or use a format of a model that thinks",
    );
}
