//! Tests with a real model of 98 MB, SmolLM2-135M-Instruct. `PROMPT_CLIENT_SMOLLM2` contains the base URL of its server.
//!
//! Its answers are weak, so that the tests compare answers with each other, and with the tokens that the server counts, and not with the truth.

use std::time::Duration;

use prompt_client::{ChatModel, CompletionModel, StreamingLlm};
use prompt_core::{
    FinishReason, Llm, Message, Messages, Options, Reply, Request, Structured, Tool, format,
};
use serde_json::json;
use tokio::sync::{Mutex, MutexGuard};

use crate::prompt::{City, ask};
use crate::send_both;
use crate::types::{Choice, Outer};

/// The server answers one request at a time, and keeps one prompt in its cache.
async fn server() -> MutexGuard<'static, ()> {
    static SERVER: Mutex<()> = Mutex::const_new(());
    SERVER.lock().await
}

fn url() -> String {
    std::env::var("PROMPT_CLIENT_SMOLLM2")
        .expect("`PROMPT_CLIENT_SMOLLM2` is the URL of a server: tests/llama/test starts one")
}

fn chat() -> ChatModel {
    let llm = ChatModel::openai_compatible(&url(), "smollm2").unwrap();
    llm.options(options())
}

fn text() -> CompletionModel<format::NativeFormat> {
    let llm = CompletionModel::new(&url(), "smollm2", format::SMOLLM2).unwrap();
    llm.options(options())
}

/// The most probable answer, of a length that a busy machine writes in seconds.
fn options() -> Options {
    let options = Options::new().temperature(0.0).max_tokens(40);
    options.timeout(Duration::from_secs(120))
}

fn questions() -> Vec<Messages> {
    vec![
        Messages::from([Message::user("What is the capital of France?")]),
        Messages::from([
            Message::system("You are brief."),
            Message::user("Name a colour."),
            Message::assistant("Blue."),
            Message::user("Another one, in  two lines:\n\nä 🙂?"),
        ]),
    ]
}

/// The server wraps the conversation by the model's own chat template, and this crate by the native format.
#[tokio::test]
#[ignore = "needs the server of tests/llama/test"]
async fn chats_and_native_completions_have_the_same_text() {
    let _server = server().await;
    for messages in questions() {
        let request = Request::from_prompt(&messages).unwrap();
        // Without the cache, the server computes both prompts in the same steps.
        let chat = chat().field("cache_prompt", false);
        let text = text().field("cache_prompt", false);
        let models = [&chat as &dyn StreamingLlm, &text];
        let mut replies = Vec::new();
        for model in models {
            let [whole, streamed] = send_both(model, &request).await;
            assert_eq!((&streamed.text, streamed.usage), (&whole.text, whole.usage));
            replies.push(whole);
        }
        assert_eq!(replies[0].text.trim(), replies[1].text.trim());
        assert_eq!(replies[0].usage, replies[1].usage);
        assert!(!replies[0].text.trim().is_empty());
    }
}

#[tokio::test]
#[ignore = "needs the server of tests/llama/test"]
async fn typed_calls_are_answered_and_streamed() {
    let _server = server().await;
    // A small model may write an open value without end.
    let prompt = ask::<Choice>("How do you feel, and are you sure?");
    let json = |value: &Choice| serde_json::to_value(value).unwrap();
    // Without the cache, the server computes both prompts in the same steps.
    let chat = chat().field("cache_prompt", false);
    let called = chat.call(&prompt).detailed().await.unwrap();
    assert_eq!(called.reply().unwrap().structured, Some(Structured::Native));
    assert!(called.usage().output > 0);
    let field = text().structured(Structured::LLAMA_CPP);
    let of_field = field.call(&prompt).await.unwrap();
    assert!(json(&of_field)["mood"].is_string());
    let mut partials = chat.stream_partials(&prompt, Options::new()).await.unwrap();
    let mut count = 0;
    while let Some(partial) = partials.next().await {
        partial.unwrap();
        count += 1;
    }
    assert!(count > 2, "{count}");
    let streamed = partials.finish().await.unwrap();
    assert_eq!(json(&streamed), json(&called.value));
}

/// The model is too small to decide for a call, so a grammar requires one. Its arguments are the model's, and the syntax is that of a native format.
#[tokio::test]
#[ignore = "needs the server of tests/llama/test"]
async fn tools_are_called() {
    let _server = server().await;
    let parameters = json!({
        "type": "object", "required": ["a", "b"],
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
    });
    let tool = Tool::new("add")
        .with_description("Adds two numbers.")
        .with_parameters(parameters);
    let mut messages = Messages::from([Message::user("How much is 2 plus 3?")]).with_tool(tool);
    let grammar = r#"root ::= "<tool_call>\n{\"name\": \"add\", \"arguments\": {\"a\": " [0-9]+ ", \"b\": " [0-9]+ "}}\n</tool_call>""#;
    let llm = CompletionModel::new(&url(), "smollm2", format::QWEN3).unwrap();
    let llm = llm.options(options());
    let calling = llm.clone().field("grammar", grammar);
    let request = Request::from_prompt(&messages).unwrap();
    let replies = send_both(&calling, &request).await;
    for reply in &replies {
        assert_eq!(reply.finish, Some(FinishReason::ToolCalls), "{reply:?}");
        let arguments = reply.tool_calls[0].json().unwrap();
        assert!(
            arguments
                .entries()
                .is_some_and(|entries| entries.len() == 2),
            "{arguments:?}"
        );
    }
    messages.push(replies[0].message());
    messages.push(Message::tool("c1", "5").with_name("add"));
    let request = Request::from_prompt(&messages).unwrap();
    assert!(!llm.send(&request).await.unwrap().text.is_empty());
}

#[tokio::test]
#[ignore = "needs the server of tests/llama/test"]
async fn tokens_from_the_cache_are_in_the_usage() {
    let _server = server().await;
    let messages = Messages::from([
        Message::system("You are a helpful assistant who answers in one short sentence."),
        Message::user("Which animals live in the sea near Brittany?"),
    ]);
    let request = Request::from_prompt(&messages).unwrap();
    let cached = |reply: &Reply| reply.usage.unwrap().cached_input;
    for llm in [&chat() as &dyn Llm, &text()] {
        let mut most = 0;
        for _ in 0..2 {
            let reply = llm.send(&request).await.unwrap();
            let usage = reply.usage.unwrap();
            assert!(usage.cached_input < usage.input);
            most = most.max(cached(&reply));
        }
        assert!(most > 20, "{most}");
    }
}

/// Prints how many answers fit, and their tokens, for each description of the output type. The figures are in
/// docs/decisions/0034-output-types-in-typescript.md.
#[tokio::test]
#[ignore = "a measurement of many minutes"]
async fn descriptions_of_output_types() {
    let _server = server().await;
    let questions = std::env::var("QUESTIONS").map_or(8, |count| count.parse().unwrap());
    for structured in [Structured::Described, Structured::DescribedSchema] {
        let llm = chat().structured(structured.clone()).max_tokens(160);
        let (mut fit, mut sent) = (0, prompt_core::Usage::default());
        for number in 0..questions {
            let names = [
                "Brest", "Paris", "Rome", "Oslo", "Lima", "Cairo", "Delhi", "Quito",
            ];
            let name = names[number % names.len()];
            let question = format!("Describe the city of {name} in the form that is requested.");
            let small = llm
                .call(ask::<City>(&question))
                .output_retries(0)
                .detailed();
            let (is_fit, usage) = match small.await {
                Ok(answered) => (true, answered.usage()),
                Err(error) => (false, error.usage()),
            };
            fit += u32::from(is_fit);
            sent += usage;
            let large = llm
                .call(ask::<Outer>(&question))
                .output_retries(0)
                .detailed();
            let (is_fit, usage) = match large.await {
                Ok(answered) => (true, answered.usage()),
                Err(error) => (false, error.usage()),
            };
            fit += u32::from(is_fit);
            sent += usage;
        }
        println!(
            "{}: {fit} of {} fit, {sent:?}",
            structured.name(),
            2 * questions
        );
    }
}
