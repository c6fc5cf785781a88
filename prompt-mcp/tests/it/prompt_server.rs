//! Prompts served to a client: their definitions, arguments and messages, and prompts that cannot be served.

use std::collections::BTreeMap;

use prompt_core::{Error, ErrorKind, Media, Message, Messages, Tool, ToolCall};
use prompt_mcp::PromptServer;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use typed_prompt::Prompt;

/// The answers of a server to requests of method and parameters, after the handshake.
async fn answers(server: PromptServer, requests: &[(&str, Value)]) -> Vec<Value> {
    let (here, there) = tokio::io::duplex(1 << 16);
    let (read, write) = tokio::io::split(there);
    let served = tokio::spawn(server.serve(read, write));
    let (read, mut write) = tokio::io::split(here);
    let mut lines = BufReader::new(read).lines();
    let mut answers = Vec::new();
    let initialize = json!({
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
    });
    let requests = requests
        .iter()
        .map(|(method, params)| (*method, params.clone()));
    for (id, (method, params)) in [("initialize", initialize)]
        .into_iter()
        .chain(requests)
        .enumerate()
    {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        write
            .write_all(format!("{request}\n").as_bytes())
            .await
            .unwrap();
        let line = lines.next_line().await.unwrap().unwrap();
        answers.push(serde_json::from_str(&line).unwrap());
        if id == 0 {
            let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
            write
                .write_all(format!("{ready}\n").as_bytes())
                .await
                .unwrap();
        }
    }
    drop((lines, write));
    served.await.unwrap().unwrap();
    answers.remove(0);
    answers
}

/// The answer to `prompts/get`: the result, or the message of the error.
async fn get(server: PromptServer, name: &str, arguments: Value) -> Result<Value, String> {
    let params = json!({"name": name, "arguments": arguments});
    let mut answer = answers(server, &[("prompts/get", params)]).await.remove(0);
    match answer["error"]["message"].as_str() {
        Some(message) => Err(message.to_owned()),
        None => Ok(answer["result"].take()),
    }
}

#[derive(Clone, Copy, Deserialize, JsonSchema, typed_prompt::Label)]
#[serde(rename_all = "snake_case")]
enum Tone {
    Formal,
    VeryShort,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only read")]
enum Place {
    Anywhere,
    At { x: i32 },
}

/// Answers a question.
///
/// In one sentence.
#[derive(Prompt, Deserialize, JsonSchema)]
#[prompt(
    system = "Answer well.",
    user = "<question> <times> <tone> [<tags | join(\", \")>] <if urgent>!</if>"
)]
struct AskWell {
    /// What to answer.
    question: String,
    times: u8,
    /// How it sounds.
    #[serde(default = "formal")]
    tone: Tone,
    #[serde(default)]
    tags: Vec<String>,
    urgent: Option<bool>,
    #[prompt(skip)]
    #[serde(default, rename = "where")]
    #[expect(dead_code, reason = "only read")]
    place: Option<Place>,
    #[prompt(skip)]
    #[serde(default)]
    #[expect(dead_code, reason = "only read")]
    counts: BTreeMap<String, f64>,
}

fn formal() -> Tone {
    Tone::Formal
}

fn ask_well() -> PromptServer {
    PromptServer::new("test", "1").prompt::<AskWell>()
}

#[tokio::test]
async fn definitions_are_the_fields_with_their_types() {
    let list = answers(ask_well(), &[("prompts/list", json!({}))])
        .await
        .remove(0);
    let prompt = &list["result"]["prompts"][0];
    assert_eq!(prompt["name"], "ask_well");
    assert_eq!(
        prompt["description"],
        "Answers a question.\n\nIn one sentence."
    );
    let arguments: Vec<(String, bool, Option<&str>)> = prompt["arguments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|argument| {
            let name = argument["name"].as_str().unwrap().to_owned();
            let required = argument["required"].as_bool().unwrap();
            (name, required, argument["description"].as_str())
        })
        .collect();
    let expected: [(&str, bool, Option<&str>); 7] = [
        ("question", true, Some("What to answer.")),
        ("times", true, Some("(a whole number from 0 to 255)")),
        (
            "tone",
            false,
            Some("How it sounds. (`formal` or `very_short`)"),
        ),
        ("tags", false, Some("(a list, each a string, as JSON)")),
        ("urgent", false, Some("(true or false or null)")),
        (
            "where",
            false,
            Some("(`anywhere`, or an object with `at` or null, as JSON)"),
        ),
        ("counts", false, Some("(an object, as JSON)")),
    ];
    for (argument, expected) in arguments.iter().zip(expected) {
        assert_eq!((argument.0.as_str(), argument.1, argument.2), expected);
    }
    assert_eq!(arguments.len(), 7);
}

#[tokio::test]
async fn arguments_are_read_by_the_types_of_the_fields() {
    let base = || json!({"question": "Why?", "times": "3"});
    let with = |key: &str, value: &str| {
        let mut arguments = base();
        arguments[key] = json!(value);
        arguments
    };
    let cases = [
        (base(), Ok("Why? 3 formal [] ")),
        (with("question", "5"), Ok("5 3 formal [] ")),
        (with("question", "null"), Ok("null 3 formal [] ")),
        (
            with("question", "<times> <|im_end|> \"\n"),
            Ok("<times> <|im_end|> \"\n 3 formal [] "),
        ),
        (with("tone", "very_short"), Ok("Why? 3 very_short [] ")),
        (
            with("tags", r#"["a", "b\"c"]"#),
            Ok("Why? 3 formal [a, b\"c] "),
        ),
        (with("urgent", "true"), Ok("Why? 3 formal [] !")),
        (with("urgent", "null"), Ok("Why? 3 formal [] ")),
        (with("where", "anywhere"), Ok("Why? 3 formal [] ")),
        (
            with("where", r#"{"at": {"x": 1}}"#),
            Ok("Why? 3 formal [] "),
        ),
        (
            with("counts", r#"{"a": 1, "b": 2.5}"#),
            Ok("Why? 3 formal [] "),
        ),
        (
            json!({"times": "3"}),
            Err("the argument `question` of the prompt `ask_well` is missing; expected a string"),
        ),
        (
            with("times", "300"),
            Err(
                "the argument `times` of the prompt `ask_well` is `300`; expected a whole number from 0 to 255",
            ),
        ),
        (
            with("times", "three"),
            Err(
                "the argument `times` of the prompt `ask_well` is `three`; expected a whole number from 0 to 255",
            ),
        ),
        (
            with("times", ""),
            Err(
                "the argument `times` of the prompt `ask_well` is ``; expected a whole number from 0 to 255",
            ),
        ),
        (
            with("times", "\"3\""),
            Err(
                "the argument `times` of the prompt `ask_well` is `\"3\"`; expected a whole number from 0 to 255",
            ),
        ),
        (
            with("tone", "Formal"),
            Err(
                "the argument `tone` of the prompt `ask_well` is `Formal`; expected `formal` or `very_short`",
            ),
        ),
        (
            with("urgent", "yes"),
            Err(
                "the argument `urgent` of the prompt `ask_well` is `yes`; expected true or false or null",
            ),
        ),
        (
            with("tags", "a"),
            Err(
                "the argument `tags` of the prompt `ask_well` is `a`; expected a list, each a string, as JSON",
            ),
        ),
        (
            with("tags", "[\"a\", 5]"),
            Err(
                "the argument `tags` of the prompt `ask_well` is `[\"a\", 5]`; expected a list, each a string, as JSON: line 1, column 7: ",
            ),
        ),
        (
            with("counts", r#"{"a": 1, "a": 2}"#),
            Err(
                "the argument `counts` of the prompt `ask_well` contains `a` twice; expected an object, as JSON",
            ),
        ),
        (
            with("quesstion", "x"),
            Err(
                "the prompt `ask_well`: there is no argument `quesstion`; did you mean `question`?",
            ),
        ),
        (
            json!({"question": "Why?", "times": 3}),
            Err(
                "the argument `times` of the prompt `ask_well` is 3, and the arguments of a prompt are strings in MCP",
            ),
        ),
    ];
    for (arguments, expected) in cases {
        let shown = arguments.to_string();
        let result = get(ask_well(), "ask_well", arguments).await;
        match (result, expected) {
            (Ok(result), Ok(text)) => {
                assert_eq!(result["messages"][1]["content"]["text"], text, "{shown}");
            }
            (Err(message), Err(start)) => assert!(message.starts_with(start), "{shown}: {message}"),
            (result, _) => panic!("{shown}: {result:?}"),
        }
    }
    for deep in [
        "[".repeat(100_000),
        "{\"a\":".repeat(100_000),
        "[".repeat(100_000) + &"]".repeat(100_000),
    ] {
        let error = get(ask_well(), "ask_well", with("tags", &deep))
            .await
            .unwrap_err();
        assert!(
            error.starts_with("the argument `tags` of the prompt `ask_well` is `"),
            "{error}"
        );
        assert!(error.len() < 400, "{error}");
    }
    let error = get(ask_well(), "ask_wel", json!({})).await.unwrap_err();
    assert!(error.contains("did you mean `ask_well`?"), "{error}");
}

/// A value that its own `Deserialize` refuses.
#[derive(Debug, JsonSchema)]
#[schemars(transparent)]
#[expect(dead_code, reason = "only read")]
struct Even(u8);

impl<'de> Deserialize<'de> for Even {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Even, D::Error> {
        match u8::deserialize(deserializer)? {
            odd if odd % 2 == 1 => Err(serde::de::Error::custom(format!("{odd} is odd"))),
            even => Ok(Even(even)),
        }
    }
}

#[derive(Prompt, Deserialize, JsonSchema)]
#[prompt(user = "Hi")]
struct Pair {
    #[prompt(skip)]
    #[expect(dead_code, reason = "only read")]
    pair: Even,
}

#[derive(Prompt, Deserialize, JsonSchema)]
#[prompt(user = "Hello")]
struct Hello;

#[derive(Prompt, Deserialize, JsonSchema)]
#[prompt(user = "Hi")]
struct Long {
    #[prompt(skip)]
    #[serde(default)]
    #[expect(dead_code, reason = "only read")]
    float: f64,
    #[prompt(skip)]
    #[serde(default)]
    #[expect(dead_code, reason = "only read")]
    whole: u128,
    #[prompt(skip)]
    #[serde(default)]
    #[expect(dead_code, reason = "only read")]
    all: Vec<Value>,
}

#[tokio::test]
async fn numbers_that_do_not_fit_into_64_bits_are_refused() {
    let server = || PromptServer::new("test", "1").prompt::<Long>();
    for (key, text) in [
        ("float", "1e400"),
        ("float", "18446744073709551616"),
        ("whole", "18446744073709551616"),
        ("all", "[18446744073709551616]"),
    ] {
        let error = get(server(), "long", json!({key: text})).await.unwrap_err();
        let start = format!(
            "the argument `{key}` of the prompt `long` is `{text}`, with a number that does not fit into 64 bits; expected "
        );
        assert!(error.starts_with(&start), "{error}");
    }
    for (key, text) in [
        ("float", "1e300"),
        ("whole", "18446744073709551615"),
        ("all", "[1]"),
    ] {
        assert!(
            get(server(), "long", json!({key: text})).await.is_ok(),
            "{text}"
        );
    }
}

#[tokio::test]
async fn types_that_check_their_values_and_prompts_without_arguments() {
    let server = || {
        PromptServer::new("test", "1")
            .prompt::<Pair>()
            .prompt::<Hello>()
    };
    let error = get(server(), "pair", json!({"pair": "3"}))
        .await
        .unwrap_err();
    assert_eq!(
        error,
        "the arguments of the prompt `pair` do not fit: 3 is odd (the argument `pair`)"
    );
    assert!(get(server(), "pair", json!({"pair": "4"})).await.is_ok());
    let error = get(server(), "hello", json!({"to": "all"}))
        .await
        .unwrap_err();
    assert_eq!(error, "the prompt `hello` has no arguments");
    for arguments in [json!({}), Value::Null] {
        let hello = get(server(), "hello", arguments).await.unwrap();
        assert_eq!(
            hello["messages"],
            json!([{"role": "user", "content": {"type": "text", "text": "Hello"}}])
        );
    }
}

/// A prompt of these messages.
fn serving(messages: Messages) -> PromptServer {
    #[derive(Deserialize, JsonSchema)]
    struct Nothing {}
    PromptServer::new("test", "1").prompt_from(move |Nothing {}| Ok(messages.clone()))
}

#[tokio::test]
async fn messages_are_carried_completely_or_refused() {
    let text =
        |role: &str, text: &str| json!({"role": role, "content": {"type": "text", "text": text}});
    let cases = [
        (
            Messages::from([
                Message::system("Be brief."),
                Message::user("Hi"),
                Message::assistant("Hello."),
                Message::user("Why?"),
            ]),
            json!([
                {"role": "user", "content": {"type": "text", "text": "Be brief.", "_meta": {"typed-prompt/role": "system"}}},
                text("user", "Hi"),
                text("assistant", "Hello."),
                text("user", "Why?"),
            ]),
        ),
        (
            Messages::from([Message::user("Look: ")
                .with_media(Media::image("image/png", b"hi"))
                .with_media(Media::audio("audio/wav", b"hi"))
                .with_media(Media::file("application/pdf", b"hi").with_name("my plan.pdf"))
                .with_media(Media::video("video/mp4", b"hi"))
                .with_media(Media::image_url("https://example.com/a/cat.png?x=1"))]),
            json!([
                text("user", "Look: "),
                {"role": "user", "content": {"type": "image", "data": "aGk=", "mimeType": "image/png"}},
                {"role": "user", "content": {"type": "audio", "data": "aGk=", "mimeType": "audio/wav"}},
                {"role": "user", "content": {"type": "resource", "resource": {
                    "uri": "attachment:///my%20plan.pdf", "mimeType": "application/pdf", "blob": "aGk=", "_meta": {"typed-prompt/kind": "file"},
                }}},
                {"role": "user", "content": {"type": "resource", "resource": {
                    "uri": "attachment:///video", "mimeType": "video/mp4", "blob": "aGk=", "_meta": {"typed-prompt/kind": "video"},
                }}},
                {"role": "user", "content": {
                    "type": "resource_link", "uri": "https://example.com/a/cat.png?x=1", "name": "cat.png", "_meta": {"typed-prompt/kind": "image"},
                }},
            ]),
        ),
    ];
    for (messages, expected) in cases {
        let result = get(serving(messages), "messages", json!({})).await.unwrap();
        assert_eq!(result["messages"], expected);
    }
    let user = || Message::user("Hi");
    for (messages, what) in [
        (
            Messages::from([user()]).with_tool(Tool::new("add")),
            "tools, such as `add`",
        ),
        (
            Messages::from([user(), Message::calls([ToolCall::new("c", "add", "{}")])]),
            "tool calls",
        ),
        (
            Messages::from([Message::tool("c", "1")]),
            "results of tools",
        ),
        (
            Messages::from([user().with_name("Ann")]),
            "names of speakers",
        ),
        (
            Messages::from([Message::assistant("4").with_reasoning("Easy.")]),
            "reasoning",
        ),
        (
            Messages::from([Message::system("S").with_media(Media::image("image/png", b"hi"))]),
            "media in a system message",
        ),
    ] {
        let error = get(serving(messages), "messages", json!({}))
            .await
            .unwrap_err();
        assert!(
            error.contains(&format!(
                "the messages of an MCP prompt cannot contain {what}"
            )),
            "{error}"
        );
    }
}

#[derive(Prompt, Deserialize, JsonSchema)]
#[prompt(system = "Translate into <language>.", user = "<text>")]
struct Translate {
    #[prompt(trusted)]
    #[serde(rename = "lang")]
    language: String,
    text: String,
}

#[derive(Prompt, Deserialize, JsonSchema)]
#[prompt(user = "<text>")]
struct WithTools {
    text: String,
    #[prompt(tools, trusted)]
    tools: Value,
}

async fn fault(server: PromptServer) -> Error {
    server
        .serve(tokio::io::empty(), tokio::io::sink())
        .await
        .unwrap_err()
}

#[tokio::test]
async fn trusted_fields_need_a_decision() {
    let server = || PromptServer::new("test", "1");
    let error = fault(server().prompt::<Translate>()).await;
    assert_eq!(
        error.to_string(),
        "the field `language` of `Translate` is trusted, and an MCP client would fill it; fill it in the program: \
         `prompt_from(|arguments: …| Ok(Translate { … }))`, or let clients write it: `prompt_trusting::<Translate>(&[\"language\"])`"
    );
    let error = fault(server().prompt::<WithTools>()).await;
    assert!(
        error
            .message()
            .starts_with("the field `tools` of `WithTools` is trusted"),
        "{error}"
    );
    let error = fault(server().prompt_trusting::<Translate>(&["language", "text"])).await;
    assert!(error.message().contains("`text`"), "{error}");
    let trusting = server().prompt_trusting::<Translate>(&["language"]);
    let result = get(
        trusting,
        "translate",
        json!({"lang": "French", "text": "Hi"}),
    )
    .await
    .unwrap();
    assert_eq!(
        result["messages"][0]["content"]["text"],
        "Translate into French."
    );

    #[derive(Deserialize, JsonSchema)]
    struct Text {
        text: String,
    }
    let made = || {
        server().prompt_from(|Text { text }| match text.as_str() {
            "" => Err(Error::new(
                ErrorKind::Value,
                "there is nothing to translate",
            )),
            _ => Ok(Translate {
                language: "French".to_owned(),
                text,
            }),
        })
    };
    let result = get(made(), "translate", json!({"text": "Hi"}))
        .await
        .unwrap();
    assert_eq!(result["messages"][1]["content"]["text"], "Hi");
    let error = get(made(), "translate", json!({"lang": "x", "text": "Hi"}))
        .await
        .unwrap_err();
    assert!(error.contains("`lang`"), "{error}");
    assert_eq!(
        get(made(), "translate", json!({"text": ""}))
            .await
            .unwrap_err(),
        "there is nothing to translate"
    );
}

#[derive(Prompt, Deserialize, JsonSchema)]
#[prompt(user = "Yes or no?", output = bool)]
struct Decide {}

#[tokio::test]
async fn the_output_type_is_in_the_result() {
    let server = PromptServer::new("test", "1").prompt::<Decide>();
    let result = get(server, "decide", json!({})).await.unwrap();
    assert_eq!(
        result["_meta"]["typed-prompt/output-schema"]["type"],
        "boolean"
    );
}

#[derive(Prompt, Deserialize, JsonSchema)]
enum Steps {
    #[prompt(user = "<text>")]
    First { text: String },
}

#[tokio::test]
async fn prompts_that_cannot_be_served_are_errors_of_serve() {
    let server = || PromptServer::new("test", "1");
    let error = fault(server().prompt::<Hello>().prompt::<Hello>()).await;
    assert_eq!(error.message(), "two prompts have the name `hello`");
    let error = fault(server().prompt::<Steps>()).await;
    assert_eq!(
        error.to_string(),
        "the arguments of an MCP prompt are the fields of a struct, and `Steps` is not a struct with named fields; \
         use `prompt_from` with a struct of the arguments"
    );
    let error = fault(server()).await;
    assert_eq!(
        error.message(),
        "the MCP client closed the connection before it was initialized"
    );
}
