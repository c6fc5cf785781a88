//! Log-probabilities, from servers of both kinds and from servers without them.

use prompt_client::{CallErrorKind, LogProbMethod};
use prompt_core::Likelihood;
use serde_json::{Value, json};

use crate::server::{Answer, Server};
use crate::{call_error, text};

/// A server like vLLM's: it echoes the text, one token per letter after a prefix, and generates one token.
fn echo(asked: &Value) -> Answer {
    let prompt = asked["prompt"].as_str().unwrap();
    let mut tokens = vec!["<s>".to_owned()];
    tokens.extend(prompt.chars().map(String::from));
    let mut values = vec![Value::Null];
    values.extend((1..tokens.len()).map(|at| json!(-(at as f64))));
    let count = tokens.len();
    tokens.push("!".to_owned());
    values.push(json!(-100.0));
    Answer::json(
        200,
        &json!({
            "choices": [{"text": format!("{prompt}!"), "logprobs": {"tokens": tokens, "token_logprobs": values}}],
            "usage": {"prompt_tokens": count},
        }),
    )
}

#[tokio::test]
async fn log_probs_by_echo() {
    let server = Server::by(|asked| echo(&asked.body)).await;
    let llm = text(&server).field("ignored", true);
    assert_eq!(llm.score_tokens("Q: ", "äb").await.unwrap(), [-4.0, -5.0]);
    assert_eq!(llm.score_tokens("", "ab").await.unwrap(), [-1.0, -2.0]);
    let asked = &server.asked()[0];
    assert_eq!(asked.path, "/v1/completions");
    assert_eq!(
        asked.body,
        json!({
            "model": "m", "prompt": "Q: äb", "echo": true, "logprobs": 1, "max_tokens": 1, "temperature": 0,
            "ignored": true,
        })
    );
}

/// A server like llama.cpp's: one token per byte after a prefix. Later tokens have higher probabilities.
fn steps(asked: &Value) -> Answer {
    if let Some(text) = asked["content"].as_str() {
        let mut tokens = vec![json!({"id": 1, "piece": "<s>"})];
        tokens.extend(text.bytes().map(|byte| match byte.is_ascii() {
            true => json!({"id": byte, "piece": char::from(byte).to_string()}),
            false => json!({"id": byte, "piece": [byte]}),
        }));
        return Answer::json(200, &json!({"tokens": tokens}));
    }
    let before = asked["prompt"].as_array().unwrap().len();
    let id = &asked["logit_bias"][0][0];
    let token = json!({"id": id, "logprob": -1.0 / before as f64});
    Answer::json(
        200,
        &json!({"choices": [{"text": "?", "logprobs": {"content": [token]}}]}),
    )
}

#[tokio::test]
async fn log_probs_by_forced_tokens() {
    let server = Server::by(|asked| steps(&asked.body)).await;
    let llm = text(&server).log_prob_method(LogProbMethod::ForcedTokens);
    let values = llm.score_tokens("Q: ", "ä").await.unwrap();
    assert_eq!(values, [-0.25, -0.2]);
    let asked = server.asked();
    let paths: Vec<&str> = asked.iter().map(|asked| &*asked.path).collect();
    assert_eq!(paths, ["/tokenize", "/v1/completions", "/v1/completions"]);
    assert_eq!(asked[1].body["prompt"], json!([1, 81, 58, 32]));
    assert_eq!(asked[1].body["logit_bias"], json!([[195, 10000.0]]));
    assert_eq!(asked[2].body["prompt"], json!([1, 81, 58, 32, 195]));
    // Without a context, the prefix precedes the first token.
    assert_eq!(llm.score_tokens("", "a").await.unwrap(), [-1.0]);
}

#[tokio::test]
async fn servers_without_log_probs_are_errors() {
    // llama.cpp's server ignores `echo` and returns only the generated token.
    let written =
        json!({"choices": [{"text": "x", "logprobs": {"content": [{"id": 5, "logprob": -1.0}]}}]});
    let silent = Server::by(move |_| Answer::json(200, &written)).await;
    for (scoring, says) in [
        (
            LogProbMethod::Echo,
            "the server returns no log-probabilities of the given text",
        ),
        (
            LogProbMethod::ForcedTokens,
            "the server's `/tokenize` returns no tokens with their texts",
        ),
    ] {
        let llm = text(&silent).log_prob_method(scoring);
        let error = llm.score_tokens("Q: ", "a").await.unwrap_err();
        assert_eq!(call_error(&error).kind(), CallErrorKind::Protocol);
        assert!(error.message().contains(says), "{error:#}");
    }
    let error = text(&silent).score_tokens("Q: ", "").await.unwrap_err();
    assert_eq!(call_error(&error).kind(), CallErrorKind::Setup);
    let refusing = Server::start([Answer::json(400, &json!({"error": "no echo"}))]).await;
    let error = text(&refusing).score_tokens("Q: ", "a").await.unwrap_err();
    assert_eq!(
        (call_error(&error).kind(), call_error(&error).status()),
        (CallErrorKind::Refused, Some(400))
    );
}

#[tokio::test]
async fn server_errors_are_retried() {
    let mut first = true;
    let server = Server::by(move |asked| {
        if std::mem::take(&mut first) {
            return Answer::new(503, "", "busy");
        }
        echo(&asked.body)
    })
    .await;
    assert_eq!(text(&server).score_tokens("Q", "a").await.unwrap(), [-2.0]);
    assert_eq!(server.asked().len(), 2);
}
