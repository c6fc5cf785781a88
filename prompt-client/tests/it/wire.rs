//! One conversation in each provider's protocol: with a system message, an image, a tool call and its result, and a schema
//! for the answer. The expected requests are in `wire/`.

use std::path::PathBuf;

use expect_test::expect_file;
use prompt_client::{ApiKey, ChatModel, RetryPolicy};
use prompt_core::{Llm, Media, Message, Messages, Options, Request, Tool, ToolCall};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::prompt::ask;
use crate::server::Server;

/// Nested types, an optional field, a choice.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is wanted")]
struct Lake {
    /// The name alone.
    name: String,
    depth: Option<Depth>,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is wanted")]
struct Depth {
    #[schemars(range(min = 0, max = 2000))]
    metres: u16,
    /// How sure it is.
    sure: Sure,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Sure {
    /// It was measured.
    Very,
    Not,
}

/// How deep a lake is.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is wanted")]
struct LakeDepth {
    /// The lake's name alone.
    lake: String,
    unit: Option<Sure>,
}

fn conversation() -> Messages {
    let picture = Media::image("image/png", [1, 2, 3]);
    let call = ToolCall::new("c1", "lake_depth", r#"{"lake": "Ammersee"}"#);
    Messages::from([
        Message::system("Be brief."),
        Message::user("Which lake is this?").with_media(picture),
        Message::calls([call]),
        Message::tool("c1", "81.1").with_name("lake_depth"),
        Message::assistant("The Ammersee."),
        Message::user("Are you sure?"),
    ])
}

/// Every protocol, and a model that uses it.
const PROTOCOLS: [(&str, &str); 6] = [
    ("openai", "openai::m"),
    ("openai_resp", "openai_resp::m"),
    ("anthropic", "anthropic::m"),
    ("gemini", "gemini::m"),
    ("ollama", "ollama::m"),
    ("cohere", "cohere::m"),
];

/// The request that a model sends. The reply is ignored.
async fn sent(model: &str, request: &Request) -> String {
    let server = Server::start([]).await;
    let llm = ChatModel::new(model)
        .unwrap()
        .base_url(&server.url)
        .unwrap()
        .key(ApiKey::new("k3y"))
        .retry(RetryPolicy::none());
    llm.send(request).await.unwrap_err();
    let asked = server.asked().remove(0);
    format!("{} {:#}\n", asked.path, asked.body)
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/it/wire/{name}.txt"))
}

#[tokio::test]
async fn a_conversation_with_tools() {
    let options = Options::new()
        .temperature(0.5)
        .top_p(0.25)
        .max_tokens(100)
        .seed(7)
        .stop(["END"]);
    let messages = conversation().with_tool(Tool::from_type::<LakeDepth>().unwrap());
    for (name, model) in PROTOCOLS {
        let mut options = options.clone();
        // Options that these APIs do not accept are errors.
        if ["openai_resp", "anthropic"].contains(&name) {
            options.seed = None;
        }
        if name == "openai_resp" {
            options.stop.clear();
        }
        let request = Request::from_prompt(&messages)
            .unwrap()
            .with_options(options);
        let sent = sent(model, &request).await;
        expect_file![file(&format!("{name}_tools"))].assert_eq(&sent);
    }
}

#[tokio::test]
async fn an_answer_by_a_schema() {
    let request = Request::from_prompt(&ask::<Lake>("Which lake?")).unwrap();
    for (name, model) in PROTOCOLS {
        let sent = sent(model, &request).await;
        expect_file![file(&format!("{name}_schema"))].assert_eq(&sent);
    }
}
