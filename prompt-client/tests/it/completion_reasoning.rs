//! Reasoning in completions, between the delimiters of the format.

use prompt_client::{CallErrorKind, CompletionModel, StreamingLlm};
use prompt_core::Structured;
use prompt_core::{
    ChatFormat, Chunk, Llm, Message, Messages, Options, Request, Tool, ToolCall, format,
};
use serde_json::json;

use crate::prompt::{City, ask};
use crate::server::{Answer, Server};
use crate::{call_error, hello, quick};

fn model<F: ChatFormat>(server: &Server, format: F) -> CompletionModel<F> {
    let llm = CompletionModel::new(&server.url, "m", format).unwrap();
    llm.retry(quick())
}

fn piece(text: &str) -> String {
    json!({"model": "m", "choices": [{"index": 0, "text": text}]}).to_string()
}

/// A stream of this text, in pieces of a few bytes.
fn stream(text: &str) -> Answer {
    let chars: Vec<char> = text.chars().collect();
    let pieces = chars
        .chunks(3)
        .map(|chars| chars.iter().collect::<String>());
    let answer = pieces.fold(Answer::stream(), |answer, text| answer.event(&piece(&text)));
    answer.event("[DONE]")
}

#[tokio::test]
async fn reasoning_is_parsed_by_the_delimiters_of_the_format() {
    let r1 = format::from_name("deepseek-r1").unwrap();
    let cases: [(&dyn ChatFormat, &str); 4] = [
        (&format::QWEN3, "<think>\nEasy.\n</think>\n\n4"),
        // Its prompt opens the reasoning.
        (r1, "Easy.\n</think>\n\n4"),
        (
            &format::GPT_OSS,
            "<|channel|>analysis<|message|>Easy.<|end|><|start|>assistant<|channel|>final<|message|>4",
        ),
        (&format::LLAMA3, "<think>Easy.</think>4"),
    ];
    for (format, text) in cases {
        let name = format.family().name;
        let server = Server::start([Answer::text(text), stream(text)]).await;
        let (llm, request) = (model(&server, format), hello());
        let whole = llm.send(&request).await.unwrap();
        let streamed = llm.stream(&request).await.unwrap().finish().await.unwrap();
        for reply in [whole, streamed] {
            let read = (reply.reasoning.as_deref(), &*reply.text);
            match name {
                "llama3" => assert_eq!(read, (None, text)),
                _ => assert_eq!(read, (Some("Easy."), "4"), "{name}"),
            }
        }
    }
}

#[tokio::test]
async fn replies_are_sent_back_with_the_reasoning_of_the_format() {
    let text = "<think>\nEasy.\n</think>\n\n4";
    let server = Server::start([Answer::text(text), Answer::text("5")]).await;
    let llm = model(&server, format::QWEN3);
    let mut messages = Messages::from([Message::user("2+2?")]);
    let reply = llm
        .send(&Request::from_prompt(&messages).unwrap())
        .await
        .unwrap();
    messages.push(reply.message());
    let told = messages
        .to_text(format::QWEN3.generation_prompt(false))
        .unwrap();
    assert!(told.contains(text), "{told}");
    messages.push(Message::user("And one?"));
    llm.send(&Request::from_prompt(&messages).unwrap())
        .await
        .unwrap();
    assert_eq!(
        server.asked()[1].body["prompt"],
        "<|im_start|>user\n2+2?<|im_end|>\n<|im_start|>assistant\n4<|im_end|>\n\
         <|im_start|>user\nAnd one?<|im_end|>\n<|im_start|>assistant\n"
    );
}

#[tokio::test]
async fn partial_outputs_follow_the_reasoning() {
    let text =
        "<think>\n{\"name\": \"Rome\"}? No.\n</think>\n\n{\"name\": \"Brest\", \"people\": 139000}";
    let server = Server::start([stream(text), Answer::text(text)]).await;
    let llm = model(&server, format::QWEN3);
    let prompt = ask::<City>("Which?");
    let mut partials = llm.stream_partials(&prompt, Options::new()).await.unwrap();
    while let Some(partial) = partials.next().await {
        let value = partial.unwrap().value;
        assert!(!value.to_string().contains("Rome"), "{value}");
    }
    assert_eq!(
        partials.reasoning_so_far(),
        Some("{\"name\": \"Rome\"}? No.")
    );
    assert_eq!(partials.finish().await.unwrap().name, "Brest");
    assert_eq!(llm.call(&prompt).await.unwrap().name, "Brest");
}

#[tokio::test]
async fn answers_constrained_to_a_schema_have_no_reasoning() {
    let text = r#"{"name": "Brest", "people": null}"#;
    let server = Server::start([Answer::text(text), stream(text)]).await;
    let r1 = format::from_name("deepseek-r1").unwrap();
    let llm = model(&server, r1).structured(Structured::Field("json_schema".into()));
    let prompt = ask::<City>("Which?");
    assert_eq!(llm.call(&prompt).await.unwrap().name, "Brest");
    let partials = llm.stream_partials(&prompt, Options::new()).await.unwrap();
    assert_eq!(partials.finish().await.unwrap().name, "Brest");
}

#[tokio::test]
async fn buffered_text_precedes_the_error() {
    let cut = Answer::stream().event(&piece("<think>So</thi"));
    let server = Server::start([cut]).await;
    let request = hello();
    let mut stream = model(&server, format::QWEN3)
        .stream(&request)
        .await
        .unwrap();
    let mut thought = String::new();
    let error = loop {
        match stream.next().await.unwrap() {
            Ok(Chunk::Reasoning(text)) => thought.push_str(&text),
            Ok(chunk) => panic!("{chunk:?}"),
            Err(error) => break error,
        }
    };
    assert_eq!(thought, "So</thi");
    assert_eq!(call_error(&error).kind(), CallErrorKind::Interrupted);
}

#[tokio::test]
async fn tool_calls_are_parsed_by_the_syntax_of_the_family() {
    let text = "<think>\nI look.\n</think>\n\n<tool_call>\n{\"name\": \"tide\", \"arguments\": {\"day\": 1}}\n</tool_call>";
    let server = Server::start([
        Answer::text(text),
        stream(text),
        Answer::text(text),
        Answer::text("6:12"),
    ])
    .await;
    let llm = model(&server, format::QWEN3);
    let ask = Messages::from([Message::user("When?")]).with_tool(Tool::new("tide"));
    let request = Request::from_prompt(&ask).unwrap();
    let whole = llm.send(&request).await.unwrap();
    let streamed = llm.stream(&request).await.unwrap().finish().await.unwrap();
    for reply in [whole, streamed] {
        assert_eq!(
            (&*reply.text, reply.reasoning.as_deref()),
            ("", Some("I look."))
        );
        let [call] = &*reply.tool_calls else {
            panic!("{reply:?}")
        };
        assert_eq!((&*call.name, &*call.arguments), ("tide", "{\"day\":1}"));
    }
    let rounds = llm.with_own_tools(&ask).answer(async |call: ToolCall| {
        assert_eq!(call.name, "tide");
        Ok("6:12")
    });
    assert_eq!(rounds.await.unwrap(), "6:12");
    let prompt = server.asked()[3].body["prompt"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        prompt.contains("<tool_response>\n6:12\n</tool_response>"),
        "{prompt}"
    );
}

#[tokio::test]
async fn invalid_tool_calls_are_errors() {
    let text = "I look.\n<tool_call>\n{\"name\": \"tides\", \"arguments\": {}}\n</tool_call>";
    let server = Server::start([Answer::text(text), stream(text)]).await;
    let llm = model(&server, format::QWEN3);
    let ask = Messages::from([Message::user("When?")]).with_tool(Tool::new("tide"));
    let request = Request::from_prompt(&ask).unwrap();
    let expected = "the tool call is invalid, line 3, column 1: there is no tool `tides`; did you mean `tide`?";
    let whole = llm.send(&request).await.unwrap_err();
    assert_eq!(call_error(&whole).kind(), CallErrorKind::Protocol);
    assert_eq!(whole.to_string(), expected);
    // The wrong part is drawn.
    let drawn = format!("{whole:#}");
    assert!(drawn.contains("3 | {\"name\": \"tides\""), "{drawn}");
    assert!(
        drawn.contains("^^^") && drawn.contains("in this tool call"),
        "{drawn}"
    );
    let streamed = llm
        .stream(&request)
        .await
        .unwrap()
        .finish()
        .await
        .unwrap_err();
    assert!(streamed.to_string().contains(expected), "{streamed}");
    assert!(
        format!("{streamed:#}").contains("in this tool call"),
        "{streamed:#}"
    );
    let error = model(&server, format::LLAMA2)
        .send(&request)
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the tool `tide` is offered, which Llama 2 does not support"),
        "{error}"
    );
}
