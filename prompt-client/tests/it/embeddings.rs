//! Requests of embedding models, and their answers.

use prompt_client::{ApiKey, CallErrorKind, EmbeddingModel};
use prompt_core::Embedder;
use serde_json::{Value, json};

use crate::server::{Answer, Server};
use crate::{call_error, quick};

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// A model at the server, with the protocol of a provider.
fn model(name: &str, server: &Server) -> EmbeddingModel {
    let model = EmbeddingModel::new(name).unwrap().retry(quick());
    model.base_url(&server.url).unwrap().key(ApiKey::new("k1"))
}

#[tokio::test]
async fn each_protocol_has_its_requests_and_answers() {
    let gemini = |text: &str| json!({"model": "models/m", "content": {"parts": [{"text": text}]}, "outputDimensionality": 2});
    let cases: [(&str, &str, Value, Value); 3] = [
        (
            "openai::m",
            "/v1/embeddings",
            json!({"model": "m", "input": ["a", "b"], "encoding_format": "float", "dimensions": 2}),
            // The items name their text.
            json!({"data": [{"index": 1, "embedding": [3, 4.5]}, {"index": 0, "embedding": [1, 2]}]}),
        ),
        (
            "gemini::m",
            "/v1/models/m:batchEmbedContents",
            json!({"requests": [gemini("a"), gemini("b")]}),
            json!({"embeddings": [{"values": [1, 2]}, {"values": [3, 4.5]}]}),
        ),
        (
            "ollama::m",
            "/v1/api/embed",
            json!({"model": "m", "input": ["a", "b"], "truncate": false, "dimensions": 2}),
            json!({"embeddings": [[1, 2], [3, 4.5]]}),
        ),
    ];
    for (name, path, request, answer) in cases {
        let server =
            Server::start([Answer::new(500, "", "oops"), Answer::json(200, &answer)]).await;
        let model = model(name, &server).dimensions(2);
        let vectors = model.embed(&texts(&["a", "b"])).await.unwrap();
        assert_eq!(vectors, [[1.0, 2.0], [3.0, 4.5]], "{name}");
        let asked = &server.asked()[1];
        assert_eq!(
            (asked.path.as_str(), &asked.body),
            (path, &request),
            "{name}"
        );
        assert!(asked.headers.contains("k1"), "{name}: {}", asked.headers);
    }
}

#[tokio::test]
async fn many_texts_are_several_requests() {
    let answer = |count: usize| json!({"embeddings": vec![[1.0]; count]});
    let server =
        Server::start([Answer::json(200, &answer(2)), Answer::json(200, &answer(1))]).await;
    let model = model("ollama::m", &server).batch_size(2);
    let vectors = model.embed(&texts(&["a", "b", "c"])).await.unwrap();
    assert_eq!(vectors.len(), 3);
    assert_eq!(server.asked()[1].body["input"], json!(["c"]));
    assert!(model.embed(&[]).await.unwrap().is_empty());
}

#[tokio::test]
async fn answers_without_a_vector_for_each_text_are_errors() {
    let cases = [
        (
            json!({"embeddings": [[1.0]]}),
            "1 vectors of numbers for 2 texts",
        ),
        (
            json!({"embeddings": [[1.0], [1.0], [1.0]]}),
            "3 vectors for 2 texts",
        ),
        (
            json!({"embeddings": [[1.0], []]}),
            "1 vectors of numbers for 2 texts",
        ),
        (
            json!({"embeddings": [[1.0], ["x"]]}),
            "1 vectors of numbers for 2 texts",
        ),
        (
            json!({"embeddings": [[1.0], [1.0, 2.0]]}),
            "different lengths",
        ),
        (
            json!({"error": "the model `m` is not found"}),
            "is not found",
        ),
    ];
    for (answer, expected) in cases {
        let server = Server::start([Answer::json(200, &answer)]).await;
        let error = model("ollama::m", &server).retry(prompt_client::RetryPolicy::none());
        let error = error.embed(&texts(&["a", "b"])).await.unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert_ne!(call_error(&error).kind(), CallErrorKind::Setup);
    }
}

#[tokio::test]
async fn numbers_of_0_are_errors() {
    let server = Server::start([]).await;
    let model = || model("ollama::m", &server);
    for (model, message) in [
        (model().batch_size(0), "`batch_size` is 0, "),
        (model().dimensions(0), "`dimensions` is 0, "),
        (
            model().timeout(std::time::Duration::ZERO),
            "the option `timeout` is 0, ",
        ),
    ] {
        let error = model.embed(&texts(&["a"])).await.unwrap_err();
        assert!(error.to_string().starts_with(message), "{error}");
        assert_eq!(call_error(&error).kind(), CallErrorKind::Setup);
    }
}

#[test]
fn unknown_providers_are_errors() {
    let help = |name: &str| EmbeddingModel::new(name).unwrap_err().to_string();
    assert!(help("text-embedding-3-small").contains("write `provider::model`"));
    assert!(help("opnai::m").contains("did you mean `openai`?"));
    assert!(
        help("openai/text-embedding-3-small")
            .contains("write `openai::text-embedding-3-small`, or")
    );
    assert!(help("ollama:bge:m3").contains("write `ollama::bge:m3`, or"));
    assert!(help("anthropic::m").contains("embeddings of `anthropic` are not supported"));
}
