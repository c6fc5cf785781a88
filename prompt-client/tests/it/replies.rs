//! Replies that providers report in their own ways: failures, refusals, blocked prompts, token counts and finish reasons.

use prompt_client::{ApiKey, CallErrorKind, ChatModel, CompletionModel, StreamingLlm};
use prompt_core::{
    FinishReason, Llm, Message, Messages, Reply, Request, Result, TokenLogProb, Tool, Usage, format,
};
use serde_json::{Value, json};

use crate::server::{Answer, Server};
use crate::{call_error, chat, hello, quick};

fn model(name: &str, server: &Server) -> ChatModel {
    let llm = ChatModel::new(name).unwrap().base_url(&server.url);
    llm.unwrap().key(ApiKey::new("k3y")).retry(quick())
}

/// The replies that a model parses from a complete and from a streamed answer, and the number of requests.
async fn both(name: &str, whole: &Value, frames: &[Value]) -> [(Result<Reply>, usize); 2] {
    let server = Server::start([Answer::json(200, whole)]).await;
    let sent = model(name, &server).send(&hello()).await;
    let first = (sent, server.asked().len());
    let add = |answer: Answer, frame: &Value| answer.event(&frame.to_string());
    let server = Server::start([frames.iter().fold(Answer::stream(), add)]).await;
    let (llm, request) = (model(name, &server), hello());
    let streamed = match llm.stream(&request).await {
        Ok(stream) => stream.finish().await,
        Err(error) => Err(error),
    };
    [first, (streamed, server.asked().len())]
}

#[tokio::test]
async fn failed_responses_are_errors_with_their_text() {
    for (code, kind, asked) in [
        ("server_error", CallErrorKind::Server, 3),
        ("rate_limit_exceeded", CallErrorKind::RateLimit, 3),
        ("invalid_prompt", CallErrorKind::Refused, 1),
    ] {
        let failed = json!({
            "id": "r", "model": "m", "status": "failed", "output": [],
            "error": {"code": code, "message": "boom inside"},
        });
        let event = json!({"type": "response.failed", "response": failed});
        for (number, answer) in [
            Answer::json(200, &failed),
            Answer::stream().event(&event.to_string()),
        ]
        .into_iter()
        .enumerate()
        {
            let server = Server::start([answer.clone(), answer.clone(), answer]).await;
            let (llm, request) = (model("openai_resp::gpt-5", &server), hello());
            let error = match number {
                0 => llm.send(&request).await.unwrap_err(),
                _ => llm.stream(&request).await.unwrap_err(),
            };
            assert!(error.to_string().contains("boom inside"), "{error}");
            assert_eq!(call_error(&error).kind(), kind, "{code}");
            assert_eq!(server.asked().len(), asked, "{code}");
        }
    }
}

#[tokio::test]
async fn refusals_of_the_responses_api_are_reported_as_filtered() {
    let refusal = json!({"type": "refusal", "refusal": "I cannot."});
    let message = json!({"type": "message", "role": "assistant", "content": [refusal]});
    let whole = json!({"id": "r", "model": "m", "status": "completed", "output": [message]});
    let frames = [
        json!({"type": "response.refusal.delta", "delta": "I "}),
        json!({"type": "response.refusal.delta", "delta": "cannot."}),
        json!({"type": "response.completed", "response": whole}),
    ];
    for (reply, asked) in both("openai_resp::gpt-5", &whole, &frames).await {
        let reply = reply.unwrap();
        let finish = Some(FinishReason::ContentFilter);
        assert_eq!(
            (&*reply.text, reply.finish, asked),
            ("I cannot.", finish, 1)
        );
    }
}

#[tokio::test]
async fn items_of_responses_are_read_once() {
    let summary = |text: &str| json!({"type": "reasoning", "id": text, "summary": [{"type": "summary_text", "text": text}]});
    let text = json!([{"type": "output_text", "text": "ok"}]);
    let message = json!({"type": "message", "role": "assistant", "content": text});
    let call = json!({"type": "function_call", "call_id": "c1", "name": "add", "arguments": "{}"});
    let output = [summary("One."), summary("Two."), message, call];
    let whole = json!({"id": "r", "model": "m", "status": "completed", "output": output});
    let done = json!({"type": "response.completed", "response": whole});
    let items = output.map(|item| json!({"type": "response.output_item.done", "item": item}));
    let delta =
        |kind: &str, text: &str| json!({"type": format!("response.{kind}.delta"), "delta": text});
    let end = std::slice::from_ref(&done);
    let text_only = vec![delta("output_text", "ok"), done.clone()];
    let reasoning = ["One.", "\n\nTwo."].map(|text| delta("reasoning_summary_text", text));
    let all = [&reasoning[..], &[delta("output_text", "ok")], &items, end].concat();
    for frames in [
        vec![done.clone()],
        [&items[..], end].concat(),
        text_only,
        all,
    ] {
        for (reply, _) in both("openai_resp::gpt-5", &whole, &frames).await {
            let reply = reply.unwrap();
            assert_eq!(&*reply.text, "ok");
            assert_eq!(reply.reasoning.as_deref(), Some("One.\n\nTwo."));
            assert_eq!(reply.tool_calls.len(), 1);
            assert_eq!(reply.finish, Some(FinishReason::ToolCalls));
        }
    }
}

#[tokio::test]
async fn incomplete_responses_have_a_reason() {
    for (reason, finish) in [
        ("max_output_tokens", FinishReason::Length),
        ("content_filter", FinishReason::ContentFilter),
    ] {
        let text = json!([{"type": "output_text", "text": "So"}]);
        let whole = json!({
            "id": "r", "model": "m", "status": "incomplete", "incomplete_details": {"reason": reason},
            "output": [{"type": "message", "role": "assistant", "content": text}],
        });
        let frames = [
            json!({"type": "response.output_text.delta", "delta": "So"}),
            json!({"type": "response.incomplete", "response": whole}),
        ];
        for (reply, _) in both("openai_resp::gpt-5", &whole, &frames).await {
            let reply = reply.unwrap();
            assert_eq!((&*reply.text, reply.finish), ("So", Some(finish.clone())));
        }
    }
}

#[tokio::test]
async fn blocked_prompts_have_a_reason_and_are_not_sent_again() {
    let blocked = json!({
        "promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 3},
    });
    for (reply, asked) in both("gemini::m", &blocked, std::slice::from_ref(&blocked)).await {
        let error = reply.unwrap_err();
        assert!(error.to_string().contains("SAFETY"), "{error}");
        assert_eq!(
            (call_error(&error).kind(), asked),
            (CallErrorKind::Refused, 1)
        );
    }
}

#[tokio::test]
async fn plans_and_failures_of_cohere_are_read() {
    let call =
        json!({"id": "c1", "type": "function", "function": {"name": "lakes", "arguments": "{}"}});
    let whole = json!({"id": "r", "finish_reason": "TOOL_CALL", "message": {
        "role": "assistant", "tool_plan": "I will look.", "tool_calls": [call],
    }});
    let frames = [
        json!({"type": "tool-plan-delta", "delta": {"message": {"tool_plan": "I will "}}}),
        json!({"type": "tool-plan-delta", "delta": {"message": {"tool_plan": "look."}}}),
        json!({"type": "tool-call-start", "index": 0, "delta": {"message": {"tool_calls": call}}}),
        json!({"type": "tool-call-end", "index": 0}),
        json!({"type": "message-end", "delta": {"finish_reason": "TOOL_CALL"}}),
    ];
    for (reply, _) in both("cohere::m", &whole, &frames).await {
        let reply = reply.unwrap();
        assert_eq!((&*reply.text, reply.tool_calls.len()), ("I will look.", 1));
    }
    for (reason, finish) in [
        ("MAX_TOKENS", Some(FinishReason::Length)),
        ("STOP_SEQUENCE", Some(FinishReason::Stop)),
        ("ERROR", None),
        ("TIMEOUT", None),
    ] {
        let content = json!([{"type": "text", "text": "So"}]);
        let whole = json!({"id": "r", "finish_reason": reason, "message": {"role": "assistant", "content": content}});
        let frames = [
            json!({"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "So"}}}}),
            json!({"type": "message-end", "delta": {"finish_reason": reason}}),
        ];
        let [whole, streamed] = both("cohere::m", &whole, &frames).await;
        match finish {
            Some(finish) => {
                for (reply, _) in [whole, streamed] {
                    let reply = reply.unwrap();
                    assert_eq!((&*reply.text, reply.finish.as_ref()), ("So", Some(&finish)));
                }
            }
            None => {
                // A failed answer is retried, unless a part of it has been delivered.
                assert_eq!(whole.1, 2, "{:?}", whole.0);
                let error = streamed.0.unwrap_err();
                assert_eq!((error.answer(), streamed.1), (Some("So"), 1));
                assert!(error.to_string().contains(reason), "{error}");
            }
        }
    }
}

#[tokio::test]
async fn token_counts_have_one_meaning() {
    let message = json!({"role": "assistant", "content": "ok"});
    let choices = json!([{"index": 0, "message": message, "finish_reason": "stop"}]);
    let details = json!({"cached_tokens": 6, "cache_write_tokens": 2});
    let openai = json!({"model": "m", "choices": choices, "usage": {
        "prompt_tokens": 10, "prompt_tokens_details": details,
        "completion_tokens": 5, "completion_tokens_details": {"reasoning_tokens": 3},
    }});
    let content = json!([{"type": "text", "text": "ok"}]);
    let anthropic = json!({"model": "m", "content": content, "stop_reason": "end_turn", "usage": {
        "input_tokens": 2, "cache_read_input_tokens": 6, "cache_creation_input_tokens": 2,
        "output_tokens": 5, "output_tokens_details": {"thinking_tokens": 3},
    }});
    let output = json!([{"type": "message", "content": [{"type": "output_text", "text": "ok"}]}]);
    let responses = json!({"model": "m", "status": "completed", "output": output, "usage": {
        "input_tokens": 10, "input_tokens_details": details,
        "output_tokens": 5, "output_tokens_details": {"reasoning_tokens": 3},
    }});
    let candidate = json!({"content": {"parts": [{"text": "ok"}]}, "finishReason": "STOP"});
    let gemini = json!({"modelVersion": "m", "candidates": [candidate], "usageMetadata": {
        "promptTokenCount": 10, "cachedContentTokenCount": 6, "candidatesTokenCount": 2, "thoughtsTokenCount": 3,
    }});
    let ollama = json!({
        "model": "m", "message": message, "done": true, "done_reason": "stop",
        "prompt_eval_count": 10, "prompt_eval_cached_count": 6, "eval_count": 5,
    });
    let cohere = json!({"id": "r", "message": {"role": "assistant", "content": [{"type": "text", "text": "ok"}]}, "usage": {
        "billed_units": {"input_tokens": 3, "output_tokens": 5}, "tokens": {"input_tokens": 10, "output_tokens": 5},
        "cached_tokens": 6,
    }});
    for (name, body, writes, reasoning) in [
        ("openai::m", openai, 2, 3),
        ("anthropic::m", anthropic, 2, 3),
        ("openai_resp::m", responses, 2, 3),
        ("gemini::m", gemini, 0, 3),
        ("ollama::m", ollama, 0, 0),
        ("cohere::m", cohere, 0, 0),
    ] {
        let server = Server::start([Answer::json(200, &body)]).await;
        let reply = model(name, &server).send(&hello()).await.unwrap();
        let mut expected = Usage::new(10, 5);
        expected.cached_input = 6;
        expected.cache_writes = writes;
        expected.reasoning = reasoning;
        assert_eq!(reply.usage, Some(expected), "{name}");
        assert_eq!(reply.model.as_deref(), Some("m"), "{name}");
    }
}

#[tokio::test]
async fn huge_token_counts_do_not_overflow() {
    let content = json!([{"type": "text", "text": "ok"}]);
    let anthropic = json!({"content": content, "usage": {"input_tokens": u64::MAX, "cache_read_input_tokens": u64::MAX}});
    let candidate = json!({"content": {"parts": [{"text": "ok"}]}, "finishReason": "STOP"});
    let gemini = json!({"candidates": [candidate], "usageMetadata": {
        "promptTokenCount": u64::MAX, "toolUsePromptTokenCount": u64::MAX,
    }});
    for (name, body) in [("anthropic::m", anthropic), ("gemini::m", gemini)] {
        let server = Server::start([Answer::json(200, &body)]).await;
        let reply = model(name, &server).send(&hello()).await.unwrap();
        assert_eq!(reply.usage.unwrap().input, u64::MAX);
        assert_eq!(reply.model.as_deref(), Some("m"), "the requested one");
    }
}

#[tokio::test]
async fn attempts_count_broken_streams() {
    let piece = json!({"choices": [{"index": 0, "delta": {"content": "Once"}}]}).to_string();
    let cut = Answer::chunked().chunk(&piece);
    for failures in 0..2 {
        let answers = (0..failures).map(|_| Answer::new(500, "", "oops"));
        let server = Server::start(answers.chain([cut.clone()])).await;
        let (llm, request) = (chat(&server), hello());
        let stream = llm.stream(&request).await.unwrap();
        let error = stream.finish().await.unwrap_err();
        let error = call_error(&error);
        assert_eq!(error.kind(), CallErrorKind::Interrupted);
        assert_eq!(error.attempts(), failures + 1);
    }
}

#[tokio::test]
async fn requests_go_to_the_base_url_of_every_provider() {
    for name in ["zai::glm-4.5", "zai_coding::glm-4.5", "baidu::m", "kimi::m"] {
        let server = Server::start([Answer::chat("Hi.")]).await;
        let reply = model(name, &server).send(&hello()).await.unwrap();
        assert_eq!((&*reply.text, server.asked().len()), ("Hi.", 1), "{name}");
    }
}

/// A format like a chat template that writes tools and has no tool-call syntax.
struct OwnFormat;

impl prompt_core::ChatFormat for OwnFormat {
    fn family(&self) -> &'static format::Family {
        const FAMILY: format::Family = format::Family {
            title: "own",
            tools: true,
            ..format::Family::BARE
        };
        &FAMILY
    }

    fn write_messages(
        &self,
        _: &Messages,
        _: &prompt_core::format::FormatOptions,
        _: &mut prompt_core::AnnotatedText,
    ) -> prompt_core::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn tools_without_a_syntax_of_calls_are_errors() {
    let text = "<tool_call>{\"name\": \"lakes\", \"arguments\": {}}</tool_call>";
    let server = Server::start([Answer::text(text)]).await;
    let llm = CompletionModel::new(&server.url, "m", OwnFormat).unwrap();
    let messages = Messages::from([Message::user("Hi")]).with_tool(Tool::new("lakes"));
    let request = Request::from_prompt(&messages).unwrap();
    let error = llm.send(&request).await.unwrap_err();
    assert_eq!(call_error(&error).kind(), CallErrorKind::Setup);
    assert!(error.to_string().contains("`lakes`"), "{error}");
    assert!(format!("{error:#}").contains("tool_syntax"), "{error:#}");
    assert_eq!(server.asked().len(), 0);
    let llm = llm.tool_syntax(&format::QWEN3);
    assert_eq!(
        llm.send(&request).await.unwrap().tool_calls[0].name,
        "lakes"
    );
}

#[tokio::test]
async fn ids_and_log_probabilities_are_read() {
    let token = json!({"token": "Hi", "logprob": -0.5, "top_logprobs": [{"token": "Hi", "logprob": -0.5}, {"token": "Ho", "logprob": -2.0}]});
    let chat = |key: &str| {
        json!({"id": "r1", "choices": [{
            "index": 0, "finish_reason": "stop", key: {"content": "Hi"}, "logprobs": {"content": [token]},
        }]})
    };
    let part = json!({"type": "output_text", "text": "Hi", "logprobs": [token]});
    let message = json!({"type": "message", "role": "assistant", "content": [part]});
    let response = json!({"id": "r1", "status": "completed", "output": [message]});
    let gemini = json!({"responseId": "r1", "candidates": [{
        "content": {"parts": [{"text": "Hi"}]}, "finishReason": "STOP",
        "logprobsResult": {
            "chosenCandidates": [{"token": "Hi", "logProbability": -0.5}],
            "topCandidates": [{"candidates": [{"token": "Hi", "logProbability": -0.5}, {"token": "Ho", "logProbability": -2.0}]}],
        },
    }]});
    let expected =
        TokenLogProb::new("Hi", -0.5).with_top([("Hi".to_owned(), -0.5), ("Ho".to_owned(), -2.0)]);
    for (name, whole, frames) in [
        ("openai::m", chat("message"), vec![chat("delta")]),
        (
            "openai_resp::m",
            response.clone(),
            vec![
                json!({"type": "response.output_text.delta", "delta": "Hi", "logprobs": [token]}),
                json!({"type": "response.completed", "response": response}),
            ],
        ),
        ("gemini::m", gemini.clone(), vec![gemini]),
    ] {
        for (reply, _) in both(name, &whole, &frames).await {
            let reply = reply.unwrap();
            assert_eq!(
                (reply.id.as_deref(), &reply.log_probs[..]),
                (Some("r1"), std::slice::from_ref(&expected)),
                "{name}"
            );
        }
    }
    let ollama = json!({"message": {"content": "Hi"}, "logprobs": [token], "done": true, "done_reason": "stop"});
    let server = Server::start([Answer::json(200, &ollama)]).await;
    let reply = model("ollama::m", &server).send(&hello()).await.unwrap();
    assert_eq!(reply.log_probs, [expected]);
}
