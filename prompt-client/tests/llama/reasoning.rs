//! Reasoning, which a grammar enforces, since a model with random weights does not reason.

use prompt_client::{ChatModel, CompletionModel, StreamingLlm};
use prompt_core::{Chunk, FinishReason, Llm, Message, Messages, Reply, Request, format};

use crate::{hello, options, send_both, url};

const GRAMMAR: &str =
    r#"root ::= "<think>\n" [a-z] [a-z ]{3,40} [a-z] "\n</think>\n\n" [A-Z]{3,20}"#;

#[tokio::test]
#[ignore = "needs the server of tests/llama/test"]
async fn reasoning_is_separated_from_completions() {
    let url = url();
    let llm = CompletionModel::new(&url, "tiny", format::QWEN3)
        .unwrap()
        .field("grammar", GRAMMAR);
    for seed in 0..8 {
        let request = hello().with_options(options(seed));
        let whole = llm.send(&request).await.unwrap();
        assert_eq!(whole.finish, Some(FinishReason::Stop));
        let thought = whole.reasoning.as_deref().unwrap();
        assert!(
            thought.len() > 4
                && thought
                    .chars()
                    .all(|char| char.is_ascii_lowercase() || char == ' '),
            "{thought:?}"
        );
        assert!(
            whole.text.len() > 2 && whole.text.chars().all(|char| char.is_ascii_uppercase()),
            "{:?}",
            whole.text
        );

        let mut stream = llm.stream(&request).await.unwrap();
        let (mut thoughts, mut texts) = (Vec::new(), Vec::new());
        while let Some(chunk) = stream.next().await {
            match chunk.unwrap() {
                Chunk::Reasoning(text) => thoughts.push(text),
                Chunk::Text(text) => texts.push(text),
                chunk => panic!("{chunk:?}"),
            }
        }
        assert!(
            thoughts.len() > 3 && texts.len() > 1,
            "{thoughts:?} {texts:?}"
        );
        assert_eq!(
            (thoughts.concat(), texts.concat()),
            (thought.to_owned(), whole.text)
        );
    }
}

#[tokio::test]
#[ignore = "needs the server of tests/llama/test"]
async fn reasoning_of_the_server_is_sent_back() {
    let url = url();
    let llm = ChatModel::openai_compatible(&url, "tiny")
        .unwrap()
        .field("grammar", GRAMMAR)
        .field("reasoning_format", "deepseek");
    let messages = Messages::from([Message::user("Hello")]);
    let request = Request::from_prompt(&messages)
        .unwrap()
        .with_options(options(1));
    let [whole, streamed] = send_both(&llm, &request).await;
    let read = |reply: &Reply| {
        let reasoning = reply.reasoning.as_deref().unwrap_or_default();
        (reasoning.trim().to_owned(), reply.text.trim().to_owned())
    };
    assert_eq!(read(&whole), read(&streamed));
    assert!(!read(&whole).0.is_empty() && !whole.text.contains("think"));
    // Longer reasoning in the previous turn results in a longer prompt, so the server's template has rendered it.
    let mut tokens = Vec::new();
    for times in [1, 100] {
        let thought = "So. ".repeat(times);
        let mut messages = messages.clone();
        messages.push(whole.message().with_reasoning(thought));
        messages.push(Message::user("And then?"));
        let request = Request::from_prompt(&messages)
            .unwrap()
            .with_options(options(1));
        tokens.push(llm.send(&request).await.unwrap().usage.unwrap().input);
    }
    assert_eq!(tokens[1] - tokens[0], 4 * 99, "one token a character");
}
