//! The requests that servers receive.

use prompt_client::{ApiKey, Blocking, ChatModel, CompletionModel, StreamingLlm};
use prompt_core::Structured;
use prompt_core::{
    Chunk, FinishReason, Llm, Media, Message, Messages, Options, Request, Tool, Usage, format,
};
use serde_json::json;

use crate::prompt::{City, ask};
use crate::server::{Answer, Server};
use crate::{call_error, chat, hello, text};

#[tokio::test]
async fn chat_requests_contain_only_set_options() {
    let server = Server::start([Answer::chat("Hi.")]).await;
    let reply = chat(&server).send(&hello()).await.unwrap();
    assert_eq!(
        (&*reply.text, reply.finish),
        ("Hi.", Some(FinishReason::Stop))
    );
    assert_eq!(reply.usage, Some(Usage::new(5, 7)));
    assert_eq!(reply.model.as_deref(), Some("m-1"));
    let asked = &server.asked()[0];
    assert_eq!(asked.path, "/v1/chat/completions");
    let messages = json!([{"role": "user", "content": "Hello"}]);
    assert_eq!(
        asked.body,
        json!({"model": "m", "stream": false, "messages": messages})
    );
    assert!(
        !asked.headers.to_lowercase().contains("authorization"),
        "{}",
        asked.headers
    );
}

#[tokio::test]
async fn request_options_override_model_options() {
    let own = Options::new().temperature(0.5).max_tokens(9).stop(["a"]);
    let asked = Options::new().temperature(0.0).seed(3);
    let server = Server::start([Answer::chat(""), Answer::text("")]).await;
    let request = hello().with_options(asked);
    // A setter for each option, and all at once.
    let chat = chat(&server).temperature(0.5).max_tokens(9).stop(["a"]);
    chat.send(&request).await.unwrap();
    text(&server).options(own).send(&request).await.unwrap();
    for asked in server.asked() {
        let fields =
            ["temperature", "max_tokens", "seed", "stop"].map(|field| asked.body[field].clone());
        assert_eq!(fields, [json!(0.0), json!(9), json!(3), json!(["a"])]);
    }
}

/// JSON has no form for some of them, so that the option would be missing in the request.
#[tokio::test]
async fn numbers_that_no_model_accepts_are_errors() {
    let server = Server::start([]).await;
    let wrong = [
        Options::new().temperature(f64::NAN),
        Options::new().temperature(-0.5),
        Options::new().top_p(f64::INFINITY),
        Options::new().top_p(40.0),
        Options::new().top_p(-0.1),
    ];
    for options in wrong {
        let (name, value, help) = match (options.temperature, options.top_p) {
            (Some(value), _) => ("temperature", value, "set a finite number from 0 up"),
            (_, value) => ("top_p", value.unwrap(), "set a probability, from 0 to 1"),
        };
        let request = hello().with_options(options);
        for error in [
            chat(&server).send(&request).await.unwrap_err(),
            text(&server).send(&request).await.unwrap_err(),
        ] {
            let expected = format!("the option `{name}` is {value}, which no model accepts");
            assert_eq!(error.message(), expected);
            assert_eq!(error.help(), Some(help));
        }
    }
    assert!(server.asked().is_empty());
}

#[tokio::test]
async fn model_names_are_sent_unchanged() {
    let names = ["qwen-high", "org/model:7b", "a::b", "large-none", "o3"];
    let server = Server::start(names.map(|_| Answer::chat(""))).await;
    for name in names {
        ChatModel::openai_compatible(&server.url, name)
            .unwrap()
            .send(&hello())
            .await
            .unwrap();
    }
    for (asked, name) in server.asked().iter().zip(names) {
        assert_eq!(
            (
                asked.body["model"].as_str(),
                asked.body.get("reasoning_effort")
            ),
            (Some(name), None)
        );
    }
}

#[tokio::test]
async fn completion_models_receive_the_formatted_conversation() {
    let server = Server::start([Answer::text(" Hi."), Answer::text("")]).await;
    let request = Request::from_prompt(&Messages::from([
        Message::system("Be brief."),
        Message::user("Hello <s>"),
    ]))
    .unwrap();
    let llm = CompletionModel::new(&server.url, "m", format::LLAMA2).unwrap();
    assert_eq!(llm.send(&request).await.unwrap().text, " Hi.");
    llm.bos(true).send(&request).await.unwrap();
    let prompts: Vec<String> = server
        .asked()
        .iter()
        .map(|asked| asked.body["prompt"].as_str().unwrap().to_owned())
        .collect();
    assert!(
        prompts[0].starts_with("[INST] <<SYS>>\nBe brief.\n<</SYS>>"),
        "{}",
        prompts[0]
    );
    assert_eq!(prompts[1], format!("<s>{}", prompts[0]));
    assert_eq!(prompts[0].matches("<s>").count(), 0, "data forges no token");
    assert_eq!(server.asked()[0].path, "/v1/completions");
}

/// The platforms of `docs/providers.md`: Azure, Bedrock and Vertex have OpenAI's protocol below paths of their own.
#[tokio::test]
async fn platforms_are_reached_by_their_base_urls() {
    for path in ["/openai/v1", "/v1/projects/p/locations/l/endpoints/openapi"] {
        let server = Server::start([Answer::chat("Hi.")]).await;
        let url = server.url.replace("/v1", path);
        let llm = ChatModel::openai_compatible(&url, "my-deployment").unwrap();
        let reply = llm.key(ApiKey::new("k1")).send(&hello()).await.unwrap();
        assert_eq!(reply.text, "Hi.");
        let asked = &server.asked()[0];
        assert_eq!(asked.path, format!("{path}/chat/completions"));
        assert_eq!(asked.body["model"], "my-deployment");
        let headers = asked.headers.to_lowercase();
        assert!(headers.contains("authorization: bearer k1"), "{headers}");
    }
}

#[tokio::test]
async fn schemas_are_passed_as_configured() {
    let city = r#"{"name": "Brest", "people": null}"#;
    let server = Server::start([(); 4].map(|()| Answer::chat(city))).await;
    let llm = chat(&server);
    assert_eq!(
        llm.call(ask::<City>("Which?")).await.unwrap(),
        City {
            name: "Brest".into(),
            people: None
        }
    );
    llm.clone()
        .structured(Structured::Field("json_schema".into()))
        .call(ask::<City>("Which?"))
        .await
        .unwrap();
    for structured in [Structured::Described, Structured::DescribedSchema] {
        let llm = llm.clone().structured(structured);
        llm.call(ask::<City>("Which?")).await.unwrap();
    }
    let bodies: Vec<_> = server.asked().into_iter().map(|asked| asked.body).collect();
    let schema = &bodies[0]["response_format"]["json_schema"]["schema"];
    assert_eq!(bodies[0]["response_format"]["json_schema"]["name"], "Ask");
    assert_eq!(
        schema["required"],
        json!(["name"]),
        "what may be left out stays so"
    );
    assert_eq!(schema["properties"]["name"]["description"], "Its name.");
    assert_eq!(&bodies[1]["json_schema"], schema);
    // The description is before the data of the prompt.
    let (system, user) = (&bodies[2]["messages"][0], &bodies[2]["messages"][1]);
    let described = "You are brief.\n\nAnswer with JSON only, without any text before or after it. \
                     The JSON must have this type:\n\
                     {\n  // Its name.\n  name: string,\n  people?: integer | null, // at least 0\n}";
    assert_eq!(system["content"], described);
    assert_eq!(user["content"], "Which?");
    let system = bodies[3]["messages"][0]["content"].as_str().unwrap();
    assert!(
        system.contains("JSON Schema:\n{\n") && system.contains("\"description\": \"Its name.\""),
        "{system}"
    );
    assert_eq!(
        (
            bodies[1].get("response_format"),
            bodies[2].get("response_format")
        ),
        (None, None)
    );
}

#[tokio::test]
async fn replies_report_how_the_schema_was_passed() {
    let city = r#"{"name": "Brest", "people": null}"#;
    let event = json!({"choices": [{"index": 0, "delta": {"content": city}}]}).to_string();
    let answers = [
        Answer::chat(city),
        Answer::chat(city),
        Answer::stream().event(&event).event("[DONE]"),
        Answer::text(city),
        Answer::chat(city),
    ];
    let server = Server::start(answers).await;
    let request = Request::from_prompt(&ask::<City>("Which?")).unwrap();
    let with_tool = request.messages.clone().with_tool(Tool::new("search"));
    let mut tools = request.clone();
    tools.messages = with_tool;
    let field = Structured::Field("json_schema".into());
    let llm = chat(&server);
    let stream = llm.clone().structured(field.clone());
    let replies = [
        llm.send(&request).await.unwrap(),
        // A model that is constrained to the schema could not call tools.
        llm.send(&tools).await.unwrap(),
        stream
            .stream(&request)
            .await
            .unwrap()
            .finish()
            .await
            .unwrap(),
        text(&server).send(&request).await.unwrap(),
        llm.send(&hello()).await.unwrap(),
    ];
    let ways = replies.map(|reply| reply.structured);
    let (native, described) = (Some(Structured::Native), Some(Structured::Described));
    assert_eq!(
        ways,
        [native, Some(Structured::Tool), Some(field), described, None]
    );
    assert_eq!(server.asked()[1].body.get("response_format"), None);
}

#[tokio::test]
async fn formats_can_be_chosen_at_run_time() {
    let server = Server::start([Answer::text("Hi.")]).await;
    let format = format::from_name("chatml").unwrap();
    let llm = CompletionModel::new(&server.url, "m", format).unwrap();
    assert_eq!(llm.send(&hello()).await.unwrap().text, "Hi.");
    let prompt = server.asked()[0].body["prompt"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        prompt.starts_with("<|im_start|>user\nHello<|im_end|>"),
        "{prompt}"
    );
}

#[tokio::test]
async fn invalid_output_is_retried() {
    let good = r#"{"name": "Brest", "people": 139000}"#;
    let server = Server::start([Answer::chat("I like Brest."), Answer::chat(good)]).await;
    // Also through a pointer.
    let city = std::sync::Arc::new(chat(&server))
        .call(ask::<City>("Which?"))
        .await
        .unwrap();
    assert_eq!(city.people, Some(139_000));
    let again = server.asked()[1].body["messages"][1]["content"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        again.starts_with("Which?\n\nYour last answer was:\nI like Brest.\n\nIt cannot be used: "),
        "{again}"
    );

    let server = Server::start([
        Answer::text("no"),
        Answer::text("never"),
        Answer::text(good),
    ])
    .await;
    let error = text(&server).call(ask::<City>("Which?")).await.unwrap_err();
    assert_eq!(
        (error.answer(), error.prompt(), server.asked().len()),
        (Some("never"), Some("Ask"), 2)
    );

    let server = Server::start([Answer::chat("no"), Answer::chat(good)]).await;
    let error = chat(&server)
        .output_retries(0)
        .call(ask::<City>("Which?"))
        .await
        .unwrap_err();
    assert_eq!(
        (error.answer(), error.model(), server.asked().len()),
        (Some("no"), Some("m-1"), 1)
    );
}

#[tokio::test]
async fn images_are_sent() {
    let server = Server::start([Answer::chat("")]).await;
    let message = Message::user("What is it?").with_media(Media::image("image/png", b"png"));
    chat(&server)
        .send(&Request::from_prompt(&Messages::from([message])).unwrap())
        .await
        .unwrap();
    let content = &server.asked()[0].body["messages"][0]["content"];
    assert_eq!(content[0], json!({"type": "text", "text": "What is it?"}));
    assert_eq!(content[1]["image_url"]["url"], "data:image/png;base64,cG5n");
}

#[tokio::test]
async fn api_keys_are_sent_and_redacted() {
    const KEY: &str = "sk-very-secret";
    // The header with the user and the password of the URL is Base64.
    let message = format!("the key {KEY} is not known, nor Basic bWU6aHVzaA==");
    let said = json!({"error": {"message": message}});
    let answers = [
        Answer::chat(""),
        Answer::json(401, &said),
        Answer::text(""),
        Answer::json(401, &said),
    ];
    let server = Server::start(answers).await;
    let url = server.url.replace("http://", "http://me:hush@");
    let chat = ChatModel::openai_compatible(&url, "m")
        .unwrap()
        .key(ApiKey::new(KEY));
    let text = CompletionModel::new(&url, "m", format::PLAIN)
        .unwrap()
        .key(ApiKey::resolver(|| async { Ok(KEY.to_owned()) }));
    let (request, mut shown) = (hello(), format!("{chat:?} {text:?}"));
    for model in [&chat as &dyn Llm, &text] {
        model.send(&request).await.unwrap();
        let error = model.send(&request).await.unwrap_err();
        shown += &format!(
            "{error} {error:#} {error:?} {:?} {:?}",
            call_error(&error),
            error.answer()
        );
        assert!(
            error
                .to_string()
                .contains("the key [key] is not known, nor Basic [key]=="),
            "{error}"
        );
    }
    let unreachable = ChatModel::openai_compatible("http://me:hush@127.0.0.1:9/v1?key=hush", "m")
        .unwrap()
        .key(ApiKey::new(KEY));
    let error = unreachable
        .retry(prompt_client::RetryPolicy::none())
        .send(&request)
        .await
        .unwrap_err();
    shown += &format!("{error:?} {:?}", call_error(&error));
    assert!(!shown.contains(KEY) && !shown.contains("hush"), "{shown}");
    let authorized = server
        .asked()
        .iter()
        .filter(|asked| asked.headers.contains(&format!("Bearer {KEY}")))
        .count();
    assert_eq!(authorized, 4);
}

#[tokio::test]
async fn base_urls_keep_the_protocol_of_the_provider() {
    let server = Server::start([
        Answer::chat("Hi."),
        Answer::chat(r#"{"name": "Brest", "people": null}"#),
    ])
    .await;
    let llm = ChatModel::new("openai::gpt-4o")
        .unwrap()
        .base_url(&server.url)
        .unwrap();
    let llm = llm.key(ApiKey::new("k3y"));
    llm.send(&hello()).await.unwrap();
    llm.call(ask::<City>("Which?")).await.unwrap();
    let asked = &server.asked()[1];
    assert_eq!(asked.body["model"], "gpt-4o");
    assert!(asked.headers.contains("Bearer k3y"));
    let format = &asked.body["response_format"]["json_schema"];
    assert_eq!(format["strict"], true);
    assert_eq!(
        format["schema"]["required"],
        json!(["name", "people"]),
        "as OpenAI wants it"
    );
}

#[tokio::test]
async fn other_protocols_use_other_endpoints() {
    let answer = json!({
        "model": "claude", "stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 2},
        "content": [{"type": "text", "text": "Hi."}],
    });
    let server = Server::start([Answer::json(200, &answer)]).await;
    let llm = ChatModel::new("anthropic::claude-x")
        .unwrap()
        .base_url(&server.url)
        .unwrap()
        .key(ApiKey::new("k3y"));
    let reply = llm.send(&hello()).await.unwrap();
    assert_eq!((&*reply.text, reply.usage), ("Hi.", Some(Usage::new(1, 2))));
    let asked = &server.asked()[0];
    assert_eq!(
        (&*asked.path, asked.body["model"].as_str()),
        ("/v1/messages", Some("claude-x"))
    );
    assert!(asked.headers.to_lowercase().contains("x-api-key: k3y"));
}

#[test]
fn blocking_calls_wait() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let piece = json!({"choices": [{"index": 0, "delta": {"content": "Hi"}}]}).to_string();
    let answers = [
        Answer::chat("Hi."),
        Answer::stream().event(&piece).event(&piece).event("[DONE]"),
    ];
    let server = runtime.block_on(Server::start(answers));
    let llm = Blocking::new(chat(&server)).unwrap();
    assert_eq!(llm.send(&hello()).unwrap().text, "Hi.");
    let pieces: Result<Vec<Chunk>, _> = llm.stream(&hello()).unwrap().collect();
    assert_eq!(
        pieces.unwrap(),
        [Chunk::Text("Hi".into()), Chunk::Text("Hi".into())]
    );

    // Inside a runtime: an error, and no panic, neither here nor when it is dropped.
    runtime.block_on(async move {
        let error = llm.send(&hello()).unwrap_err();
        assert!(error.to_string().contains("`.await` the call"), "{error}");
        drop(llm);
    });
}

/// An address or a MIME type that no API can read is an error before the request.
#[tokio::test]
async fn media_is_checked_before_a_request() {
    let server = Server::start([]).await;
    for (media, expected) in [
        (
            Media::image_url("not a url"),
            "`not a url` is not an address",
        ),
        (Media::image("png", b"a"), "`png` is not a MIME type"),
    ] {
        let message = Message::user("Look: ").with_media(media);
        let request = Request::from_prompt(&Messages::from([message])).unwrap();
        let error = chat(&server).send(&request).await.unwrap_err();
        let start = format!("message 0 (user): {expected}");
        assert!(error.to_string().contains(&start), "{error}");
    }
    assert!(server.asked().is_empty());
}
