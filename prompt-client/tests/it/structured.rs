//! Types that a provider replaces in its schema: their answers are converted back, complete, streamed and partial.

use std::collections::BTreeMap;

use prompt_client::{ApiKey, ChatModel, StreamingLlm};
use prompt_core::Structured;
use prompt_core::{Llm, Options, Request};
use serde_json::{Value, json};

use crate::prompt::{City, ask};
use crate::server::{Answer, Server};
use crate::{chat, text};

/// A model of a provider whose schemas need an object at the root.
fn openai(server: &Server) -> ChatModel {
    let llm = ChatModel::new("openai::m").unwrap();
    llm.base_url(&server.url).unwrap().key(ApiKey::new("k3y"))
}

/// A stream of these chunks.
fn streamed(texts: &[&str]) -> Answer {
    let deltas = texts
        .iter()
        .map(|text| json!({"choices": [{"index": 0, "delta": {"content": text}}]}).to_string());
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}).to_string();
    let stream = deltas.fold(Answer::stream(), |stream, delta| stream.event(&delta));
    stream.event(&end).event("[DONE]")
}

#[tokio::test]
async fn root_lists_are_wrapped_and_unwrapped() {
    let texts = [
        r#"{"ans"#,
        r#"wer":[{"name":"Brest","#,
        r#""people":null},{"name":"Ni"#,
        "ce\",\"people\":1}]}",
    ];
    let whole = texts.concat();
    let server = Server::start([Answer::chat(&whole), streamed(&texts), streamed(&texts)]).await;
    let llm = openai(&server);
    let prompt = ask::<Vec<City>>("Which?");
    let cities = llm.call(&prompt).await.unwrap();
    assert_eq!(cities.len(), 2);

    let request = Request::from_prompt(&prompt).unwrap();
    let reply = llm.stream(&request).await.unwrap().finish().await.unwrap();
    assert_eq!(reply.structured, Some(Structured::Native));
    let text = r#"[{"name":"Brest","people":null},{"name":"Nice","people":1}]"#;
    assert_eq!(reply.text, text);

    let mut partials = llm.stream_partials(&prompt, Options::new()).await.unwrap();
    let first = partials.next().await.unwrap().unwrap();
    assert_eq!(first.value, json!([{"name": "Brest"}]));
    while let Some(partial) = partials.next().await {
        partial.unwrap();
    }
    assert_eq!(partials.finish().await.unwrap(), cities);

    let sent = &server.asked()[0].body["response_format"]["json_schema"]["schema"];
    assert_eq!(
        (&sent["type"], &sent["required"]),
        (&json!("object"), &json!(["answer"]))
    );
}

#[tokio::test]
async fn maps_and_tuples_are_replaced_and_restored() {
    let answer = r#"{"map_entries": [{"key": "a", "value": {"tuple_1": 1, "tuple_2": "x"}}]}"#;
    let server = Server::start([Answer::chat(answer), Answer::chat(r#"{"map_entries": 1}"#)]).await;
    let llm = openai(&server).output_retries(0);
    let prompt = ask::<BTreeMap<String, (u8, String)>>("Which?");
    let map = llm.call(&prompt).await.unwrap();
    assert_eq!(map["a"], (1, "x".to_owned()));
    // Another structure is an error, not a guess.
    let error = llm.call(&prompt).await.unwrap_err().to_string();
    assert!(
        error.contains("does not have the structure of the schema"),
        "{error}"
    );
}

#[tokio::test]
async fn scalars_and_choices_are_wrapped() {
    let server = Server::start([
        Answer::chat(r#"{"answer": true}"#),
        Answer::chat("I cannot say."),
    ])
    .await;
    let llm = openai(&server).output_retries(0);
    assert!(llm.call(ask::<bool>("Is it?")).await.unwrap());
    // A text without the wrapper object is used unchanged.
    let error = llm.call(ask::<Vec<u8>>("Is it?")).await.unwrap_err();
    assert_eq!(error.answer(), Some("I cannot say."));
}

#[tokio::test]
async fn schemas_are_sent_in_the_field_of_the_server() {
    let schema = |body: &Value, pointer: &str| body.pointer(pointer).unwrap()["type"].clone();
    let pointers = [
        (Structured::Native, "/response_format/json_schema/schema"),
        (Structured::LLAMA_CPP, "/json_schema"),
        (Structured::VLLM, "/structured_outputs/json"),
        (Structured::SGLANG, "/response_format/json_schema/schema"),
    ];
    for (structured, pointer) in pointers {
        let server = Server::start([Answer::chat("[]"), Answer::text("[]")]).await;
        let prompt = ask::<Vec<City>>("Which?");
        let chat = chat(&server).structured(structured.clone());
        let text = text(&server).structured(structured);
        assert_eq!(
            (
                chat.call(&prompt).await.unwrap(),
                text.call(&prompt).await.unwrap()
            ),
            (vec![], vec![])
        );
        for asked in server.asked() {
            assert_eq!(schema(&asked.body, pointer), "array");
        }
    }
    let answer = json!({"message": {"role": "assistant", "content": "[]"}, "done": true, "done_reason": "stop"});
    let server = Server::start([Answer::json(200, &answer)]).await;
    let ollama = ChatModel::new("ollama::m")
        .unwrap()
        .base_url(&server.url)
        .unwrap();
    assert_eq!(ollama.call(ask::<Vec<City>>("Which?")).await.unwrap(), []);
    assert_eq!(schema(&server.asked()[0].body, "/format"), "array");
}
