//! Gemini's cached contents: a beginning of prompts is stored, used and deleted.

use std::time::Duration;

use prompt_client::reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use prompt_client::{ApiKey, ChatModel, RetryPolicy};
use prompt_core::{
    Llm, Message, Messages, Options, PromptCache, Request, StoredPrompt, Structured, Tool,
    ToolChoice,
};
use serde_json::json;

use crate::prompt::{City, ask};
use crate::server::{Answer, Server};

fn gemini(server: &Server) -> ChatModel {
    let llm = ChatModel::new("gemini::m")
        .unwrap()
        .base_url(&server.url)
        .unwrap();
    llm.key(ApiKey::new("k3y")).retry(RetryPolicy::none())
}

#[tokio::test]
async fn beginnings_are_stored_used_and_deleted() {
    let answer = json!({
        "candidates": [{"content": {"parts": [{"text": "Nine metres."}]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 5009, "candidatesTokenCount": 3, "cachedContentTokenCount": 5000},
    });
    let server = Server::start([
        Answer::json(200, &json!({"name": "cachedContents/a1", "model": "models/m", "usageMetadata": {"totalTokenCount": 5000}})),
        Answer::json(200, &answer),
        Answer::json(200, &json!({})),
    ])
    .await;
    let llm = gemini(&server);
    let manual = [
        Message::system("The manual."),
        Message::user("Read it."),
        Message::assistant("Done."),
    ];
    let beginning = Messages::from(manual.clone()).with_tool(Tool::new("look"));
    let stored = llm
        .store_prompt(&beginning, Duration::from_secs(600))
        .await
        .unwrap();
    assert_eq!(
        (stored.name(), stored.message_count()),
        ("cachedContents/a1", 3)
    );
    let ask: Messages = manual
        .into_iter()
        .chain([Message::user("How deep?")])
        .collect();
    let ask = ask.with_tool(Tool::new("look"));
    let answered = llm
        .call(&ask)
        .prompt_cache(PromptCache::Stored(stored.clone()))
        .detailed()
        .await
        .unwrap();
    assert_eq!(
        (answered.usage().input, answered.usage().cached_input),
        (5009, 5000)
    );
    llm.delete_prompt(&stored).await.unwrap();
    let asked = server.asked();
    let paths: Vec<_> = asked.iter().map(|asked| &*asked.path).collect();
    assert_eq!(
        paths,
        [
            "/v1/cachedContents",
            "/v1/models/m:generateContent",
            "/v1/cachedContents/a1"
        ]
    );
    let body = &asked[0].body;
    assert_eq!(
        (&body["model"], &body["ttl"]),
        (&json!("models/m"), &json!("600s"))
    );
    assert_eq!(body["contents"].as_array().unwrap().len(), 2);
    assert_eq!(body["systemInstruction"]["parts"][0]["text"], "The manual.");
    assert_eq!(body["tools"][0]["functionDeclarations"][0]["name"], "look");
    assert_eq!(
        asked[1].body,
        json!({
            "contents": [{"role": "user", "parts": [{"text": "How deep?"}]}], "cachedContent": "cachedContents/a1",
        })
    );
    assert!(
        asked[2]
            .headers
            .to_lowercase()
            .contains("x-goog-api-key: k3y"),
        "{}",
        asked[2].headers
    );
    assert!(asked[2].body.is_null());

    // What would be lost is an error before the request.
    let other = |messages: Messages, options: Options| {
        let llm = &llm;
        let options = options.prompt_cache(PromptCache::Stored(stored.clone()));
        async move {
            let request = Request::from_messages(messages).with_options(options);
            llm.send(&request).await.unwrap_err().to_string()
        }
    };
    let changed = Messages::from([
        Message::system("Another manual."),
        Message::user("How deep?"),
    ]);
    let error = other(changed, Options::new()).await;
    assert!(error.contains("does not begin with the messages and the tools of the stored prompt `cachedContents/a1`, which has 3 messages"), "{error}");
    let error = other(
        ask.clone(),
        Options::new().tool_choice(ToolChoice::Required),
    )
    .await;
    assert!(
        error.contains("`tool_choice` with a stored prompt"),
        "{error}"
    );
    let error = llm
        .store_prompt(&beginning, Duration::from_millis(900))
        .await;
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("less than a second")
    );
    let error = other(beginning, Options::new()).await;
    assert!(error.contains("can follow the stored prompt"), "{error}");
    let openai = ChatModel::new("openai::m").unwrap().key(ApiKey::new("k3y"));
    let error = openai
        .store_prompt(&ask, Duration::from_secs(1))
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("`openai` does not store prompts"),
        "{error}"
    );
    assert_eq!(server.asked().len(), 3);
}

#[tokio::test]
async fn secrets_in_answers_without_a_name_are_redacted() {
    let body = json!({"echo": "key k3y, ticket hush-hush"});
    let server = Server::start([Answer::json(200, &body)]).await;
    let llm = gemini(&server).on_request(|_| async {
        let ticket = HeaderValue::from_static("hush-hush");
        Ok(HeaderMap::from_iter([(
            HeaderName::from_static("x-ticket"),
            ticket,
        )]))
    });
    let beginning = Messages::from([Message::user("Read it.")]);
    let stored = llm.store_prompt(&beginning, Duration::from_secs(1)).await;
    let error = stored.unwrap_err();
    assert_eq!(
        error.message(),
        r#"the server's answer has no name of a stored prompt: {"echo":"key [key], ticket [key]"}"#
    );
    let texts = format!("{error:#} {error:?}");
    assert!(!texts.contains("k3y") && !texts.contains("hush"), "{texts}");
}

/// The name is the path of a request: one that would delete something else is refused.
#[tokio::test]
async fn only_stored_prompts_are_deleted() {
    let server = Server::start([]).await;
    let named = |name: &str| StoredPrompt::new(name, &Messages::new()).unwrap();
    for name in [
        "models/m",
        "tunedModels/m",
        "cachedContents",
        "cachedContents/",
        "cachedContents/../models/m",
        "cachedContents/..",
        "cachedContents/a1/permissions",
        "cachedContents/a1?force=true",
        "cachedContents/a1#a",
        "cachedContents/%2e%2e",
        "cachedContents\\a1",
    ] {
        let error = gemini(&server).delete_prompt(&named(name)).await;
        let error = error.unwrap_err();
        assert!(
            error
                .message()
                .contains("is not the name of a stored prompt"),
            "{error}"
        );
    }
    let openai = ChatModel::new("openai::m").unwrap().key(ApiKey::new("k3y"));
    let openai = openai.base_url(&server.url).unwrap();
    for name in ["models/ft:m", "cachedContents/a1"] {
        let error = openai.delete_prompt(&named(name)).await.unwrap_err();
        assert_eq!(error.message(), "`openai` does not store prompts");
    }
    assert!(server.asked().is_empty());
}

/// The stored prompt has its tools and its system message, so that the output type is not written into them.
#[tokio::test]
async fn output_types_follow_a_stored_prompt() {
    let fit = r#"{"name": "Brest", "people": 139000}"#;
    let answer = json!({
        "candidates": [{"content": {"parts": [{"text": fit}]}, "finishReason": "STOP"}],
    });
    for with_tool in [false, true] {
        let server = Server::start([Answer::json(200, &answer), Answer::json(200, &answer)]).await;
        let mut request = Request::from_prompt(&ask::<City>("Which?")).unwrap();
        let mut beginning: Messages = request.messages.iter().take(1).cloned().collect();
        if with_tool {
            request.messages = request.messages.with_tool(Tool::new("look"));
            beginning = beginning.with_tool(Tool::new("look"));
        }
        let stored = StoredPrompt::new("cachedContents/a1", &beginning).unwrap();
        let options = Options::new().prompt_cache(PromptCache::Stored(stored));
        let request = request.with_options(options);
        let llm = gemini(&server);
        for structured in [Structured::Native, Structured::Described] {
            let llm = llm.clone().structured(structured.clone());
            let reply = llm.send(&request).await.unwrap();
            assert_eq!((&*reply.text, reply.structured), (fit, Some(structured)));
        }
        let asked = server.asked();
        for asked in &asked {
            assert_eq!(asked.body["cachedContent"], "cachedContents/a1");
            for field in ["tools", "toolConfig", "systemInstruction"] {
                assert!(asked.body.get(field).is_none(), "{}", asked.body);
            }
        }
        let schema = &asked[0].body["generationConfig"]["responseJsonSchema"];
        assert_eq!(schema["type"], "object");
        let contents = |index: usize| asked[index].body["contents"].clone();
        assert_eq!(
            contents(0),
            json!([{"role": "user", "parts": [{"text": "Which?"}]}])
        );
        let text = contents(1)[0]["parts"][0]["text"]
            .as_str()
            .unwrap()
            .to_owned();
        assert!(
            text.starts_with("Answer with JSON only") && text.ends_with("Which?"),
            "{text}"
        );
        let llm = llm.structured(Structured::Tool);
        let error = llm.send(&request).await.unwrap_err();
        assert!(
            error.message().starts_with("the answer cannot be a tool"),
            "{error}"
        );
        assert_eq!(server.asked().len(), 2);
    }
}
