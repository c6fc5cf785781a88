//! Tracing of calls.
//!
//! These tests are a separate program, since `tracing` caches for each callsite whether a subscriber is interested. A test
//! without a subscriber could disable a callsite for all others. Here each test subscribes before it calls.

#[path = "../it/client.rs"]
mod client;
#[allow(dead_code, reason = "the tests in `it` use all of it")]
#[path = "../it/prompt.rs"]
mod prompt;
#[allow(dead_code, reason = "the tests in `it` use all of it")]
#[path = "../it/server.rs"]
mod server;

use std::sync::{Arc, Mutex};

use prompt_client::{ApiKey, Budget, Cached, Fallback, StreamingLlm};
use prompt_core::{Llm, MockLlm, Options, ReasoningEffort};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::client::{chat, hello, text};
use crate::prompt::{City, ask};
use crate::server::{Answer, Server};

/// Writes down every field of this crate's spans and events.
#[derive(Clone, Default)]
struct Listener(Arc<Mutex<Vec<String>>>);

impl Listener {
    fn heard(&self) -> String {
        self.0.lock().unwrap().join("\n")
    }
}

impl Visit for Listener {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.0
            .lock()
            .unwrap()
            .push(format!("{}={value:?}", field.name()));
    }
}

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "prompt_client"
    }
    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut self.clone());
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut self.clone());
    }
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        event.record(&mut self.clone());
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

fn listen() -> (Listener, tracing::subscriber::DefaultGuard) {
    let listener = Listener::default();
    let guard = tracing::subscriber::set_default(listener.clone());
    (listener, guard)
}

#[tokio::test]
async fn requests_are_traced_with_opentelemetry_names() {
    let city = r#"{"name": "Brest"}"#;
    let server = Server::start([
        Answer::new(500, "", "private"),
        Answer::chat("no"),
        Answer::chat(city),
    ])
    .await;
    let (listener, _guard) = listen();
    chat(&server).call(ask::<City>("Which?")).await.unwrap();
    let heard = listener.heard();
    for line in [
        "otel.name=chat m",
        "gen_ai.operation.name=\"chat\"",
        "gen_ai.provider.name=\"openai\"",
        "gen_ai.request.model=\"m\"",
        "gen_ai.output.type=\"json\"",
        "gen_ai.response.model=\"m-1\"",
        "gen_ai.response.id=\"1\"",
        "gen_ai.usage.cache_read.input_tokens=0",
        "gen_ai.usage.cache_creation.input_tokens=0",
        "gen_ai.usage.reasoning.output_tokens=0",
        "gen_ai.response.finish_reasons=\"stop\"",
        "gen_ai.usage.input_tokens=5",
        "gen_ai.usage.output_tokens=7",
        "server.address=\"127.0.0.1\"",
        "typed_prompt.name=\"Ask\"",
        "typed_prompt.fingerprint=00000000000000a5",
        "typed_prompt.structured=\"native\"",
        "typed_prompt.attempts=2",
        "error.type=\"server\"",
        "http.response.status_code=500",
    ] {
        assert!(
            heard.lines().any(|found| found == line),
            "{line} is missing in\n{heard}"
        );
    }
    for content in ["Which?", "Brest", "brief", "private"] {
        assert!(!heard.contains(content), "{content} is told in\n{heard}");
    }
}

#[tokio::test]
async fn content_is_traced_only_if_enabled() {
    // A server that returns the key in all texts, whole and streamed.
    let key = "sk-very-private";
    let echo = |message: &str| {
        let choice =
            format!(r#"{{"index":0,"{message}":{{"content":"{key}"}},"finish_reason":"{key}"}}"#);
        format!(r#"{{"id":"{key}","model":"{key}","choices":[{choice}]}}"#)
    };
    let json = "content-type: application/json\r\n";
    let server = Server::start([
        Answer::chat("Secret answer"),
        Answer::text("Secret answer"),
        Answer::new(200, json, echo("message")),
        Answer::stream().event(&echo("delta")).event("[DONE]"),
        Answer::new(400, json, echo("message")),
    ]);
    let server = server.await;
    let (listener, _guard) = listen();
    let llm = chat(&server).key(ApiKey::new(key)).traced_content(true);
    let request = hello();
    llm.send(&request).await.unwrap();
    text(&server)
        .traced_content(true)
        .send(&hello())
        .await
        .unwrap();
    assert_eq!(llm.send(&request).await.unwrap().text, "[key]");
    let streamed = llm.stream(&request).await.unwrap().finish().await.unwrap();
    assert_eq!(streamed.model.as_deref(), Some("[key]"));
    llm.send(&request).await.unwrap_err();
    let heard = listener.heard();
    assert_eq!(
        heard
            .matches("gen_ai.output.messages=\"Secret answer\"")
            .count(),
        2,
        "{heard}"
    );
    assert_eq!(heard.matches("Hello").count(), 5, "{heard}");
    assert!(heard.contains("[key]") && !heard.contains(key), "{heard}");
}

#[tokio::test]
async fn options_and_token_details_are_traced() {
    let usage = r#"{"prompt_tokens":9,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":5}}"#;
    let event = format!(
        r#"{{"id":"r-7","model":"m-1","choices":[{{"index":0,"delta":{{"content":"Hi"}},"finish_reason":"stop"}}],"usage":{usage}}}"#
    );
    let server = Server::start([
        Answer::stream().event(&event).event("[DONE]"),
        Answer::new(404, "", "no"),
    ])
    .await;
    let (listener, _guard) = listen();
    let options = Options::new()
        .stop(["END"])
        .reasoning_effort(ReasoningEffort::Low);
    let (llm, request) = (chat(&server), hello().with_options(options));
    let stream = llm.stream(&request).await.unwrap();
    stream.finish().await.unwrap();
    llm.send(&request).await.unwrap_err();
    let heard = listener.heard();
    for line in [
        "gen_ai.request.stop_sequences=\"[\\\"END\\\"]\"",
        "gen_ai.request.reasoning_effort=\"low\"",
        "gen_ai.response.id=\"r-7\"",
        "gen_ai.response.time_to_first_chunk=",
        "gen_ai.usage.cache_read.input_tokens=4",
        "gen_ai.usage.reasoning.output_tokens=5",
        "http.response.status_code=404",
    ] {
        assert!(heard.contains(line), "{line} is missing in\n{heard}");
    }
}

#[tokio::test]
async fn the_end_of_a_stream_is_traced() {
    let end = r#"{"choices":[{"index":0,"text":"a","finish_reason":"length"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#;
    let server = Server::start([
        Answer::stream().event(end).event("[DONE]"),
        Answer::stream().event(r#"{"choices":[{"index":0,"text":"a"}]}"#),
    ])
    .await;
    let (listener, _guard) = listen();
    let (llm, request) = (text(&server), hello());
    for told in [
        "gen_ai.response.finish_reasons=\"length\"",
        "error.type=\"interrupted\"",
    ] {
        let stream = llm.stream(&request).await.unwrap();
        assert_eq!(stream.finish().await.is_err(), told.starts_with("error"));
        let heard = listener.heard();
        assert!(heard.contains(told), "{told} is missing in\n{heard}");
    }
}

/// What wrappers of models do instead of a request.
#[tokio::test]
async fn cache_hits_fallbacks_and_refused_calls_are_traced() {
    let server = Server::start([Answer::chat("One.")]).await;
    let (listener, _guard) = listen();
    let llm = Cached::new(chat(&server), std::time::Duration::from_secs(60)).unwrap();
    llm.send(&hello()).await.unwrap();
    assert!(!listener.heard().contains("the reply is in the cache"));
    llm.send(&hello()).await.unwrap();
    assert!(
        listener
            .heard()
            .contains("message=the reply is in the cache"),
        "{}",
        listener.heard()
    );
    let budget = Budget::new(MockLlm::new(["unused"])).max_total_tokens(0);
    let llm = Fallback::new(budget, MockLlm::new(["Two."]));
    assert_eq!(llm.send(&hello()).await.unwrap().text, "Two.");
    let heard = listener.heard();
    // The span of the call, and the events of the cache, the budget and the fallback.
    assert_eq!(heard.matches("typed_prompt.name").count(), 4, "{heard}");
    for event in [
        "message=the budget is spent: the calls took 0 of 0 tokens",
        "message=another model is called",
        "error.type=\"budget\"",
    ] {
        assert!(heard.contains(event), "{event}: {heard}");
    }
}
