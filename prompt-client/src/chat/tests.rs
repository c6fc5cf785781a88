//! Tests of the table of providers: each cell is compared with the request that is sent, and `docs/providers.md` shows it.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write;
use std::future::{pending, poll_fn};
use std::path::Path;
use std::sync::Mutex;
use std::task::Poll;
use std::time::Duration;

use expect_test::expect_file;
use prompt_core::{
    Error, ErrorKind, Llm, Media, MediaSource, Message, Messages, MockLlm, Options, Reply, Request,
    Role, Structured, Tool, ToolCall, ToolEvent, ToolLimit, Usage,
};
use prompt_core::{PromptCache, ReasoningEffort, ToolChoice};
use serde_json::{Map, Value, json};

use super::ChatModel;
use super::provider::{self, OWN_SERVER, Provider};
use super::support::{CacheSupport, MediaForm, ReasoningFormat, ToolChoices};
use crate::error::CallError;

const ROLES: [Role; 4] = [Role::System, Role::User, Role::Assistant, Role::Tool];

fn providers() -> impl Iterator<Item = (&'static str, &'static Provider, ChatModel)> {
    let own = ChatModel::openai_compatible("http://localhost:1/v1", "m").unwrap();
    let own = ("`ChatModel::openai_compatible`", &OWN_SERVER, own);
    let hosted = provider::all_providers().map(|provider| {
        let model = ChatModel::new(&format!("{}::m", provider.name)).unwrap();
        (provider.name, provider, model)
    });
    std::iter::once(own).chain(hosted)
}

fn body(model: &ChatModel, messages: &Messages, options: &Options) -> Result<Value, CallError> {
    let request = Request::from_prompt(messages).unwrap();
    let body = model.write_body(&request, messages, options, None, false);
    body.map(|(body, _)| body)
}

/// The text that shows in a body whether media were sent.
fn example(form: MediaForm) -> (Media, &'static str) {
    const URL: &str = "https://example.com/media";
    // "marker", in Base64.
    const BYTES: &str = "bWFya2Vy";
    match form {
        MediaForm::ImageUrl => (Media::image_url(URL), URL),
        MediaForm::ImageBytes => (Media::image("image/png", b"marker"), BYTES),
        MediaForm::AudioUrl => (Media::audio_url(URL), URL),
        MediaForm::AudioBytes => (Media::audio("audio/wav", b"marker"), BYTES),
        MediaForm::OtherAudioBytes => (Media::audio("audio/ogg", b"marker"), BYTES),
        MediaForm::VideoUrl => (Media::video_url(URL), URL),
        MediaForm::VideoBytes => (Media::video("video/mp4", b"marker"), BYTES),
        MediaForm::FileUrl => (Media::file_url(URL), URL),
        MediaForm::FileBytes => (Media::file("application/pdf", b"marker"), BYTES),
    }
}

/// A conversation with a message of this role.
fn conversation(role: Role, change: impl FnOnce(Message) -> Message) -> Messages {
    let call = Message::calls([ToolCall::new("c1", "look", "{}")]);
    let message = match role {
        Role::System => Message::system("text"),
        Role::User => Message::user("text"),
        Role::Assistant => Message::assistant("text"),
        _ => Message::tool("c1", "text").with_name("look"),
    };
    let message = change(message);
    Messages::from(match role {
        Role::System => vec![message, Message::user("go on")],
        Role::User => vec![message],
        Role::Assistant => vec![Message::user("go on"), message, Message::user("go on")],
        _ => vec![Message::user("go on"), call, message],
    })
}

#[test]
fn media_are_sent_or_refused() {
    for (name, provider, model) in providers() {
        for role in ROLES {
            for &form in MediaForm::ALL {
                let (media, marker) = example(form);
                let messages = conversation(role, |message| message.with_media(media));
                let sent = body(&model, &messages, &Options::new());
                match provider.accepted_media(role).contains(&form) {
                    true => {
                        let sent = sent.unwrap().to_string();
                        assert!(sent.contains(marker), "{name}, {role}, {form}: {sent}");
                    }
                    false => {
                        let error = sent.unwrap_err().to_string();
                        let names = [provider.name, role.name(), &form.to_string()];
                        assert!(names.iter().all(|name| error.contains(name)), "{error}");
                    }
                }
            }
        }
    }
}

/// A part of a message, whether the provider accepts it, its name in errors, and the text that shows in a body whether it was sent.
type PartCase = (Message, bool, String, String);

/// Every kind of part that a message of this role may have. `number` distinguishes two parts of one kind.
fn parts_of(provider: &Provider, role: Role, number: usize) -> Vec<PartCase> {
    let empty = || Message::new(role, "");
    let text = format!("text {number}");
    let mut parts = vec![(Message::new(role, &*text), true, String::new(), text)];
    for &form in MediaForm::ALL {
        let url = format!("https://example.com/{number}");
        let (mime, bytes) = ("application/pdf", format!("marker {number}"));
        let media = match form {
            MediaForm::ImageUrl => Media::image_url(&*url),
            MediaForm::ImageBytes => Media::image("image/png", bytes.as_bytes()),
            MediaForm::AudioUrl => Media::audio_url(&*url),
            MediaForm::AudioBytes => Media::audio("audio/wav", bytes.as_bytes()),
            MediaForm::OtherAudioBytes => Media::audio("audio/ogg", bytes.as_bytes()),
            MediaForm::VideoUrl => Media::video_url(&*url),
            MediaForm::VideoBytes => Media::video("video/mp4", bytes.as_bytes()),
            MediaForm::FileUrl => Media::file_url(&*url),
            MediaForm::FileBytes => Media::file(mime, bytes.as_bytes()),
        };
        let marker = match media.source() {
            MediaSource::Base64 { data, .. } => data.to_string(),
            _ => url,
        };
        let is_accepted = provider.accepted_media(role).contains(&form);
        parts.push((
            empty().with_media(media),
            is_accepted,
            form.to_string(),
            marker,
        ));
    }
    if role != Role::Tool {
        let name = format!("Bob{number}");
        parts.push((
            empty().with_name(&*name),
            provider.names,
            "name".to_owned(),
            name,
        ));
    }
    if role == Role::Assistant {
        let reasoning = format!("because {number}");
        let is_accepted = matches!(
            provider.reasoning,
            ReasoningFormat::Field | ReasoningFormat::ContentPart
        );
        parts.push((
            empty().with_reasoning(&*reasoning),
            is_accepted,
            "reasoning".to_owned(),
            reasoning,
        ));
        let call = ToolCall::new("c9", format!("look{number}"), "{}");
        parts.push((
            Message::calls([call]),
            true,
            String::new(),
            format!("look{number}"),
        ));
    }
    parts
}

/// Checks a message with several parts: all of them are sent, or the error names the provider and a part that it does not accept.
fn check_parts(
    name: &str,
    provider: &Provider,
    model: &ChatModel,
    role: Role,
    parts: &[&PartCase],
) {
    let mut message = Message::new(role, "");
    message.parts.clear();
    for (number, (part, ..)) in parts.iter().enumerate() {
        if message.name.is_some() && part.name.is_some()
            || message.reasoning.is_some() && part.reasoning.is_some()
        {
            return;
        }
        message.parts.extend(part.parts.clone());
        message.name = message.name.or(part.name.clone());
        message.reasoning = message.reasoning.or(part.reasoning.clone());
        for call in &part.tool_calls {
            let mut call = call.clone();
            call.id = Some(format!("c{}", 10 + number));
            message.tool_calls.push(call);
        }
    }
    let has_calls = !message.tool_calls.is_empty();
    if !has_calls
        && parts
            .iter()
            .any(|(_, is_accepted, part, _)| !is_accepted && part == "reasoning")
    {
        // The reasoning of an earlier turn is left out.
        return;
    }
    if role == Role::Tool {
        message.tool_call_id = Some("c1".to_owned());
        message.name = Some("look".to_owned());
    }
    if message.parts.is_empty() && !has_calls {
        message.parts = Message::new(role, "and text").parts;
    }
    let mut turns = match role {
        Role::Tool => vec![
            Message::user("go on"),
            Message::calls([ToolCall::new("c1", "look", "{}")]),
        ],
        Role::Assistant => vec![Message::user("go on")],
        _ => Vec::new(),
    };
    let results = message.tool_calls.iter();
    let results =
        results.map(|call| Message::tool(call.id.clone().unwrap(), "seen").with_name(&*call.name));
    let results: Vec<Message> = results.collect();
    turns.push(message);
    turns.extend(results);
    if role != Role::User && !has_calls && role != Role::Tool {
        turns.push(Message::user("go on"));
    }
    let markers = parts.iter().map(|(.., marker)| &**marker);
    let case = format!(
        "{name}, {role}, {}",
        markers.clone().collect::<Vec<_>>().join(" and ")
    );
    match body(model, &Messages::from(turns), &Options::new()) {
        Ok(sent) => {
            let sent = sent.to_string();
            assert!(
                parts.iter().all(|(_, is_accepted, ..)| *is_accepted),
                "{case}: {sent}"
            );
            assert!(
                markers.clone().all(|marker| sent.contains(marker)),
                "{case}: {sent}"
            );
        }
        Err(error) => {
            let error = error.to_string();
            let mut refused = parts.iter().filter(|(_, is_accepted, ..)| !is_accepted);
            assert!(
                error.contains(provider.name)
                    && refused.any(|(_, _, part, _)| error.contains(&**part)),
                "{case}: {error}"
            );
        }
    }
}

#[test]
fn two_parts_of_a_message_are_sent_or_refused() {
    for (name, provider, model) in providers() {
        for role in ROLES {
            let others = parts_of(provider, role, 2);
            for one in &parts_of(provider, role, 1) {
                for other in &others {
                    check_parts(name, provider, &model, role, &[one, other]);
                }
            }
        }
    }
}

#[test]
fn three_parts_of_a_message_are_sent_or_refused() {
    for (name, provider, model) in providers() {
        for role in ROLES {
            let [one, two, three] = [1, 2, 3].map(|number| parts_of(provider, role, number));
            for (index, one) in one.iter().enumerate() {
                for two in &two[index..] {
                    for three in &three[index..] {
                        check_parts(name, provider, &model, role, &[one, two, three]);
                    }
                }
            }
        }
    }
}

#[test]
fn names_and_options_are_sent_or_refused() {
    for (name, provider, model) in providers() {
        for role in [Role::System, Role::User, Role::Assistant] {
            let messages = conversation(role, |message| message.with_name("Bob"));
            let sent = body(&model, &messages, &Options::new());
            assert_eq!(sent.is_ok(), provider.names, "{name}, {role}");
            if let Ok(sent) = sent {
                assert!(
                    sent.to_string().contains(r#""name":"Bob""#),
                    "{name}: {sent}"
                );
            }
        }
        let all = Options::new()
            .temperature(0.125)
            .top_p(0.375)
            .max_tokens(77_777);
        let messages = Messages::from([Message::user("Hi")]);
        let with =
            |options: Options| body(&model, &messages, &options).map(|sent| sent.to_string());
        let sent = with(all.clone()).unwrap();
        for value in ["0.125", "0.375", "77777"] {
            assert!(sent.contains(value), "{name}: {sent}");
        }
        let seed = with(Options {
            seed: Some(88_888),
            ..all.clone()
        });
        let is_sent = seed.is_ok_and(|sent| sent.contains("88888"));
        assert_eq!(is_sent, provider.seed.is_some(), "{name}");
        let stop = with(Options {
            stop: vec!["END".to_owned()],
            ..all
        });
        let is_sent = stop.is_ok_and(|sent| sent.contains(r#"["END"]"#));
        assert_eq!(is_sent, provider.stop, "{name}");
        let fields = Map::from_iter([("service_tier".to_owned(), json!("flex"))]);
        let sent = with(Options {
            fields,
            ..Options::new()
        })
        .unwrap();
        assert!(sent.contains(r#""service_tier":"flex""#), "{name}: {sent}");
        assert!(!sent.contains("cache"), "{name}: {sent}");
    }
}

/// The option, whether the provider accepts it, and the options with it.
fn options_of(provider: &Provider) -> Vec<(&'static str, bool, Options)> {
    let with = |change: &dyn Fn(&mut Options)| {
        let mut options = Options::new();
        change(&mut options);
        options
    };
    let choices = [
        ToolChoice::Auto,
        ToolChoice::None,
        ToolChoice::Required,
        ToolChoice::Tool("look".to_owned()),
    ];
    let choices = choices.into_iter().map(|choice| {
        let choice = with(&|options| options.tool_choice = Some(choice.clone()));
        let is_accepted = choice.tool_choice.as_ref();
        let is_accepted = is_accepted.is_some_and(|choice| provider.tool_choice.accepts(choice));
        ("tool_choice", is_accepted, choice)
    });
    let parallel = [true, false].into_iter().map(|parallel| {
        let parallel = with(&|options| options.parallel_tool_calls = Some(parallel));
        (
            "parallel_tool_calls",
            provider.parallel_tool_calls,
            parallel,
        )
    });
    let efforts = ReasoningEffort::ALL.iter().map(|effort| {
        let options = with(&|options| options.reasoning_effort = Some(*effort));
        (
            "reasoning_effort",
            provider.efforts.contains(effort),
            options,
        )
    });
    let log_probs = [0, 3].into_iter().map(|alternatives| {
        let options = with(&|options| options.log_probs = Some(alternatives));
        ("log_probs", provider.log_probs, options)
    });
    let caches = [
        PromptCache::Instructions,
        PromptCache::Conversation,
        PromptCache::Messages(vec![0, 1]),
        PromptCache::Key("k1".to_owned()),
    ];
    let ttls = [300, 1800, 3600].into_iter().map(|seconds| {
        let options = with(&|options| {
            options.prompt_cache = Some(PromptCache::Conversation);
            options.prompt_cache_ttl = Some(Duration::from_secs(seconds));
        });
        let mut known = provider.cache_ttls.iter();
        let is_accepted = known.any(|(_, known)| *known == seconds);
        ("prompt_cache_ttl", is_accepted, options)
    });
    let caches = caches.into_iter().map(|cache| {
        let options = with(&|options| options.prompt_cache = Some(cache.clone()));
        (
            "prompt_cache",
            provider.prompt_cache.accepts(&cache),
            options,
        )
    });
    choices
        .chain(caches)
        .chain(ttls)
        .chain(parallel)
        .chain(efforts)
        .chain(log_probs)
        .collect()
}

#[test]
fn options_of_chats_are_sent_or_refused() {
    let messages = Messages::from([Message::system("Be brief."), Message::user("Hi")]);
    let messages = messages.with_tool(Tool::new("look"));
    for (name, provider, model) in providers() {
        let plain = body(&model, &messages, &Options::new()).unwrap();
        for (option, is_accepted, options) in options_of(provider) {
            match body(&model, &messages, &options) {
                // Cohere has no name for its default.
                Ok(sent)
                    if provider.name == "cohere"
                        && options.tool_choice == Some(ToolChoice::Auto) =>
                {
                    assert_eq!(sent, plain);
                }
                Ok(sent) => assert!(
                    is_accepted && sent != plain,
                    "{name}, {options:?}: {sent:#}"
                ),
                Err(error) => {
                    let error = error.to_string();
                    assert!(
                        !is_accepted && error.contains(option) && error.contains(provider.name),
                        "{name}: {error}"
                    );
                }
            }
        }
        let unknown = Options::new().tool_choice(ToolChoice::Tool("other".to_owned()));
        assert!(body(&model, &messages, &unknown).is_err(), "{name}");
        let required = Options::new().tool_choice(ToolChoice::Required);
        assert!(
            body(&model, &Messages::from([Message::user("Hi")]), &required).is_err(),
            "{name}"
        );
    }
}

#[test]
fn another_sign_behind_the_provider() {
    for (written, name) in [
        ("openai/gpt-4o", "openai::gpt-4o"),
        ("openai:gpt-4o", "openai::gpt-4o"),
        ("OpenAI/gpt-4o", "openai::gpt-4o"),
        ("ollama:qwen3:8b", "ollama::qwen3:8b"),
        (
            "openrouter/meta-llama/llama-3",
            "open_router::meta-llama/llama-3",
        ),
    ] {
        let error = ChatModel::new(written).unwrap_err();
        let help = error.help().unwrap();
        assert!(help.starts_with(&format!("write `{name}`, or ")), "{help}");
        assert!(ChatModel::new(name).is_ok(), "{name}");
    }
    for written in ["meta-llama/llama-3", "qwen3:8b", "openai/", "openai"] {
        let error = ChatModel::new(written).unwrap_err();
        let help = error.help().unwrap();
        assert!(help.starts_with("write `provider::model`"), "{help}");
    }
}

#[test]
fn prompt_caches_are_marked() {
    let anthropic = ChatModel::new("anthropic::m").unwrap();
    let sent = |messages: &Messages, cache: PromptCache| {
        let options = Options::new().prompt_cache(cache);
        body(&anthropic, messages, &options)
    };
    let marked = |text: &str| json!([{"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}]);
    let hi = Messages::from([Message::system("Be brief."), Message::user("Hi")]);
    let instructions = sent(&hi, PromptCache::Instructions).unwrap();
    assert_eq!(instructions["system"], marked("Be brief."));
    assert_eq!(instructions["messages"][0]["content"], "Hi");
    let conversation = sent(&hi, PromptCache::Conversation).unwrap();
    assert_eq!(conversation["system"], marked("Be brief."));
    assert_eq!(conversation["messages"][0]["content"], marked("Hi"));
    let options = Options::new().prompt_cache(PromptCache::Messages(vec![1, 0]));
    let options = options.prompt_cache_ttl(Duration::from_secs(3600));
    let both = body(&anthropic, &hi, &options).unwrap();
    let for_an_hour = |text: &str| {
        let mut marked = marked(text);
        marked[0]["cache_control"]["ttl"] = json!("1h");
        marked
    };
    assert_eq!(both["system"], for_an_hour("Be brief."));
    assert_eq!(both["messages"][0]["content"], for_an_hour("Hi"));
    let hi = Messages::from([Message::user("Hi")]);
    let error = sent(&hi, PromptCache::Instructions).unwrap_err();
    assert!(error.to_string().contains("prompt_cache"), "{error}");
    let error = sent(&hi, PromptCache::Messages(Vec::new())).unwrap_err();
    assert!(error.to_string().contains("marks no messages"), "{error}");
    assert!(sent(&hi, PromptCache::Messages(vec![0; 5])).is_ok());
    let tools = hi.with_tool(Tool::new("look"));
    let tools = sent(&tools, PromptCache::Instructions).unwrap();
    assert_eq!(tools["tools"][0]["cache_control"]["type"], "ephemeral");
    let options = Options::new().prompt_cache(PromptCache::Key("k1".to_owned()));
    for name in ["openai::m", "openai_resp::m"] {
        let model = ChatModel::new(name).unwrap();
        let sent = body(&model, &Messages::from([Message::user("Hi")]), &options).unwrap();
        assert_eq!(sent["prompt_cache_key"], "k1", "{name}");
    }
    for (name, field, kind) in [
        ("openai::m", "messages", "text"),
        ("openai_resp::m", "input", "input_text"),
    ] {
        let model = ChatModel::new(name).unwrap();
        let sent = |messages: &Messages, cache: PromptCache| {
            body(&model, messages, &Options::new().prompt_cache(cache))
        };
        let hi = Messages::from([Message::system("Be brief."), Message::user("Hi")]);
        let part = json!({"type": kind, "text": "Be brief.", "prompt_cache_breakpoint": {"mode": "explicit"}});
        for (cache, mode) in [
            (PromptCache::Instructions, "explicit"),
            (PromptCache::Conversation, "implicit"),
        ] {
            let sent = sent(&hi, cache).unwrap();
            assert_eq!(sent[field][0]["content"], json!([part]), "{name}");
            assert_eq!(sent[field][1]["content"], "Hi", "{name}");
            assert_eq!(
                sent["prompt_cache_options"],
                json!({"mode": mode}),
                "{name}"
            );
        }
        let marked = PromptCache::Messages(vec![1, 0]);
        let options = Options::new()
            .prompt_cache(marked)
            .prompt_cache_ttl(Duration::from_secs(1800));
        let both = body(&model, &hi, &options).unwrap();
        assert_eq!(both[field][0]["content"], json!([part]), "{name}");
        let breakpoint = &both[field][1]["content"][0]["prompt_cache_breakpoint"];
        assert_eq!(breakpoint["mode"], "explicit", "{name}");
        assert_eq!(
            both["prompt_cache_options"],
            json!({"mode": "explicit", "ttl": "30m"}),
            "{name}"
        );
        for (marked, problem) in [
            (vec![2], "marks message 2, which is not"),
            (
                vec![0, 1, 2, 3, 4],
                "marks 5 messages, but the API accepts 4",
            ),
            (vec![], "the option `prompt_cache` marks no messages"),
        ] {
            let error = sent(&hi, PromptCache::Messages(marked)).unwrap_err();
            assert!(error.to_string().contains(problem), "{error}");
        }
        let repeated = PromptCache::Messages(vec![0, 1, 0, 1, 0]);
        assert!(sent(&hi, repeated).is_ok(), "{name}");
        // The text of the assistant has another type in the Responses API, which has no mark.
        let turns = [
            Message::user("Hi"),
            Message::assistant("Ho"),
            Message::user("Ha"),
        ];
        let turns = sent(&Messages::from(turns), PromptCache::Messages(vec![0, 1]));
        match name {
            "openai::m" => {
                let part = &turns.unwrap()[field][1]["content"][0];
                assert_eq!(
                    (&part["type"], &part["text"]),
                    (&json!("text"), &json!("Ho"))
                );
            }
            _ => {
                let error = turns.unwrap_err().to_string();
                assert!(
                    error.contains("marks message 1, which is one of the assistant"),
                    "{error}"
                );
            }
        }
        let alone = Options::new().prompt_cache_ttl(Duration::from_secs(1800));
        let error = body(&model, &hi, &alone).unwrap_err();
        assert!(error.to_string().contains("nothing is marked"), "{error}");
        let hi = Messages::from([Message::user("Hi")]);
        assert!(sent(&hi, PromptCache::Conversation).is_ok(), "{name}");
        let error = sent(&hi, PromptCache::Instructions).unwrap_err();
        assert!(error.to_string().contains("no system message"), "{error}");
    }
}

#[test]
fn tools_and_calls_are_complete() {
    for (name, provider, model) in providers() {
        // A tool without parameters, a call without an id and without arguments, and its result without an id.
        let mut call = ToolCall::new("", "now", "");
        call.id = None;
        let mut result = Message::tool("", "12:00");
        result.tool_call_id = None;
        let messages = [Message::user("t?"), Message::calls([call]), result];
        let messages = Messages::from(messages).with_tool(Tool::new("now"));
        let sent = body(&model, &messages, &Options::new()).unwrap();
        let text = sent.to_string();
        assert_eq!(text.matches("call00001").count(), 2, "{name}: {sent:#}");
        assert!(text.contains(r#""type":"object""#), "{name}: {sent:#}");
        let empty = [
            r#""arguments":"{}""#,
            r#""arguments":{}"#,
            r#""input":{}"#,
            r#""args":{}"#,
        ];
        assert!(
            empty.iter().any(|empty| text.contains(empty)),
            "{name}: {sent:#}"
        );
        assert!(
            !text.contains("null,\"description") && text.contains("12:00"),
            "{name}: {sent:#}"
        );

        let mut without_id = Message::tool("", "12:00");
        without_id.tool_call_id = None;
        let alone = Messages::from([Message::user("t?"), without_id]);
        assert!(body(&model, &alone, &Options::new()).is_err(), "{name}");

        // Reasoning of another model, beside a call.
        let call = ToolCall::new("c1", "now", "{}");
        let calls = Message::calls([call]).with_reasoning("Look at the clock.");
        let messages = [Message::user("t?"), calls, Message::tool("c1", "12:00")];
        let sent = body(&model, &Messages::from(messages), &Options::new());
        let is_sent = sent.is_ok_and(|sent| sent.to_string().contains("Look at the clock."));
        let has_form = matches!(
            provider.reasoning,
            ReasoningFormat::Field | ReasoningFormat::ContentPart
        );
        assert_eq!(is_sent, has_form, "{name}");
    }
}

fn forms(forms: &[MediaForm]) -> String {
    let names: Vec<String> = forms.iter().map(MediaForm::to_string).collect();
    match names.is_empty() {
        true => "–".to_owned(),
        false => names.join(", "),
    }
}

#[test]
fn the_page_shows_the_table() {
    let mut page = String::from(PAGE);
    let yes = |is: bool| if is { "yes" } else { "–" };
    for (name, provider, _) in providers() {
        let reasoning = match provider.reasoning {
            ReasoningFormat::Field => "a field, from any model",
            ReasoningFormat::ContentPart => "a part of the content, from any model",
            ReasoningFormat::Blocks => "the provider's own blocks",
            ReasoningFormat::Omitted => "–",
        };
        let cells = [
            name.to_owned(),
            provider.protocol.name().to_owned(),
            match provider.base_url {
                "" => "its argument".to_owned(),
                url => format!("`{url}`"),
            },
            provider
                .key_variable
                .map_or("–".to_owned(), |name| format!("`{name}`")),
            forms(provider.user),
            forms(provider.assistant),
            forms(provider.tool),
            forms(provider.system),
            yes(provider.names).to_owned(),
            yes(provider.seed.is_some()).to_owned(),
            yes(provider.stop).to_owned(),
            match provider.tool_choice {
                ToolChoices::Unsupported => "–".to_owned(),
                ToolChoices::Modes => "yes, except a tool by its name".to_owned(),
                ToolChoices::All => "yes".to_owned(),
            },
            yes(provider.parallel_tool_calls).to_owned(),
            match provider.efforts {
                [] => "–".to_owned(),
                all if all == ReasoningEffort::ALL => "all".to_owned(),
                some => some
                    .iter()
                    .map(|effort| effort.name())
                    .collect::<Vec<_>>()
                    .join(", "),
            },
            yes(provider.log_probs).to_owned(),
            match provider.prompt_cache {
                CacheSupport::Unsupported => "–".to_owned(),
                CacheSupport::Breakpoints => "instructions, conversation, messages".to_owned(),
                CacheSupport::Key => "key".to_owned(),
                CacheSupport::Stored => "stored prompts".to_owned(),
                CacheSupport::KeyAndBreakpoints => {
                    "key, instructions, conversation, messages".to_owned()
                }
            } + &provider
                .cache_ttls
                .iter()
                .map(|(name, _)| format!(", {name}"))
                .collect::<String>(),
            reasoning.to_owned(),
        ];
        writeln!(page, "| {} |", cells.join(" | ")).unwrap();
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/providers.md");
    expect_file![file].assert_eq(&page);
}

const PAGE: &str = "\
# Providers

What `ChatModel` sends to each provider. A part of a request that is not listed for its provider is an error before anything is sent; the
error names the part, the role and the provider. Every provider accepts text, tools with and without parameters, tool calls and results, and
the options `temperature`, `top_p` and `max_tokens`. This page is generated from the table in `prompt-client/src/chat/provider.rs`.

- A tool call without an id receives one, and its result receives the same id. Empty arguments are sent as an empty object.
- Names are the names of speakers. The name of a tool in its result belongs to the call, and is not counted here.
- The reasoning of another model is an error where the provider accepts only its own blocks or none, if it belongs to the current turn.
- `ChatModel::openai_compatible` sends whatever OpenAI's protocol has a form for. The server judges whether its model accepts it.
- Gemini, DeepSeek, OpenAI's models before GPT-5.6 and others cache the beginnings of prompts automatically. OpenAI's later models cache up to marks: one at
  the end of the latest message, and those that `Options::prompt_cache` sets, as for Anthropic: up to four, for the time of `Options::prompt_cache_ttl`. Tokens that are written to a cache cost more than other
  input there (OpenAI 1.25 times, Anthropic 1.25 or 2 times): `Prices::cache_writes`. `PromptCache::Key` sets the key of OpenAI's cache; together with marks it
  is `.field(\"prompt_cache_key\", \"…\")`. `ChatModel::store_prompt` stores the beginning of prompts at Gemini under a name, `PromptCache::Stored`
  is a request with it, and `ChatModel::delete_prompt` deletes it. `Usage` contains the tokens
  that were read from a cache or written to it.
- Other options of a provider's API are sent with `Options::fields` or `field`, in its own form.
- Other providers that implement OpenAI's protocol are used with `ChatModel::openai_compatible` and their base URL:

| platform | base URL | model | key |
| --- | --- | --- | --- |
| Azure OpenAI, Microsoft Foundry | `https://RESOURCE.openai.azure.com/openai/v1` | the name of the deployment | `AZURE_OPENAI_API_KEY`, or a token of Entra ID by `ApiKey::resolver` |
| Amazon Bedrock | `https://bedrock-runtime.REGION.amazonaws.com/openai/v1` | `openai.gpt-oss-20b-1:0` and the like | an API key of Bedrock, `AWS_BEARER_TOKEN_BEDROCK`, or requests that are signed with AWS credentials, as below |
| Vertex AI | `https://LOCATION-aiplatform.googleapis.com/v1/projects/PROJECT/locations/LOCATION/endpoints/openapi` | `google/gemini-2.5-flash` and the like | an access token of Google Cloud, which lasts an hour, by `ApiKey::resolver` |

## Signed requests

`on_request` sets a function that sees each HTTP request (method, URL, headers, body) before it is sent, and returns headers to add: the signature of a cloud or of a gateway, or
a token of a proxy. It is asynchronous, so that it can fetch credentials, and is called for each attempt, so that a retry has a signature of its own. `ChatModel`, `CompletionModel` and
`EmbeddingModel` have it. What it adds is redacted from errors; replies keep words, unless the value is marked with `set_sensitive(true)`.

AWS Signature Version 4, with the crates `aws-sigv4` and `aws-credential-types`:

```rust,ignore
use std::time::SystemTime;

use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider};
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4::SigningParams;
use typed_prompt::client::{ChatModel, HookError, HttpRequest, reqwest::header::HeaderMap};

async fn sign_request(
    credentials: SharedCredentialsProvider,
    request: HttpRequest,
) -> Result<HeaderMap, HookError> {
    let credentials = credentials.provide_credentials().await;
    let credentials =
        credentials.map_err(|_| HookError::new(\"AWS credentials cannot be loaded\").transient())?;
    let identity = credentials.into();
    let parameters = SigningParams::builder()
        .identity(&identity)
        .region(\"us-east-1\")
        .name(\"bedrock\")
        .time(SystemTime::now())
        .settings(SigningSettings::default())
        .build()?
        .into();
    let (method, url) = (request.method().as_str(), request.url().as_str());
    let headers = [(\"content-type\", \"application/json\")].into_iter();
    let signable = SignableRequest::new(method, url, headers, SignableBody::Bytes(request.body()))?;
    let (instructions, _) = sign(signable, &parameters)?.into_parts();
    let headers = instructions.headers();
    headers.map(|(name, value)| Ok((name.parse()?, value.parse()?))).collect()
}

// `credentials`: `aws_config::load_from_env().await.credentials_provider()`, for instance.
let url = \"https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1\";
let llm = ChatModel::openai_compatible(url, \"openai.gpt-oss-20b-1:0\")?
    .on_request(move |request| sign_request(credentials.clone(), request));
```

## What each provider accepts

Embeddings: `EmbeddingModel` supports OpenAI's protocol, Gemini and Ollama, by the same names of providers.

| provider | protocol | base URL | key | media of the user | media of the assistant | media in tool results | media in system messages | names | `seed` | `stop` | `tool_choice` | `parallel_tool_calls` | `reasoning_effort` | `log_probs` | `prompt_cache` | reasoning of earlier turns |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
";

/// A number that is the same in each run.
fn below(state: &Mutex<u64>, limit: u64) -> u64 {
    let mut state = state.lock().unwrap();
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state % limit
}

/// The conversation of a random tool loop that was stopped: by a tool that fails, panics or takes too long, by a request that fails, by a limit, or because
/// the loop was dropped. Some calls are wrong.
fn stopped_conversation(ask: &Messages, seed: u64) -> Messages {
    let of_model = Mutex::new(seed);
    let llm = MockLlm::from_fn(move |_| {
        if below(&of_model, 9) == 0 {
            return Err(Error::new(ErrorKind::Model, "the connection broke"));
        }
        let calls = (0..=below(&of_model, 3)).map(|_| {
            let arguments = ["{\"a\": 1}", "{\"a\": ", "[1]", ""][below(&of_model, 4) as usize];
            ToolCall::new(
                format!("call{}", below(&of_model, 1 << 40)),
                "look",
                arguments,
            )
        });
        let usage = Usage::new(below(&of_model, 20), below(&of_model, 20));
        let mut reply = Reply::calls(calls).with_usage(usage);
        if below(&of_model, 3) == 0 {
            reply.text = "Let me look again.".to_owned();
        }
        Ok(reply)
    });
    let random = Mutex::new(seed.rotate_left(17));
    let stopped = Mutex::new(None);
    let asked = llm
        .with_own_tools(ask)
        .max_rounds(1 + below(&random, 4) as usize)
        .concurrency(1 + below(&random, 3) as usize)
        .tool_timeout(Duration::from_millis(1))
        .on_event(|event| {
            if let ToolEvent::Stopped(messages) = event {
                *stopped.lock().unwrap() = Some(messages);
            }
        });
    let asked = match below(&random, 2) {
        0 => asked.report_errors(),
        _ => asked,
    };
    let asked = match below(&random, 6) {
        0 => asked.max_calls(1 + below(&random, 6) as usize),
        1 => asked.max_total_tokens(1 + below(&random, 90)),
        2 => {
            let limit = ToolLimit::new().max_calls(1 + below(&random, 4) as usize);
            asked.tool_limit("look", limit)
        }
        3 => asked.total_timeout(Duration::from_millis(1)),
        _ => asked,
    };
    let mut run = asked.answer(async |call: ToolCall| {
        tokio::task::yield_now().await;
        match below(&random, 30) {
            0 => panic!("the tool is broken"),
            1 => pending().await,
            2 => Err(Error::new(ErrorKind::Value, "not now")),
            _ => Ok(call.name),
        }
    });
    let mut polls = match below(&random, 3) {
        0 => below(&random, 12),
        _ => u64::MAX,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime
        .unwrap()
        .block_on(poll_fn(|context| match run.as_mut().poll(context) {
            Poll::Pending if polls > 0 => {
                polls -= 1;
                Poll::Pending
            }
            _ => Poll::Ready(()),
        }));
    drop(run);
    stopped.into_inner().unwrap().unwrap()
}

/// The calls and the results of a body, in order, each with its id, or its name where the provider has no ids. A message is `None`.
fn calls_and_results(value: &Value, found: &mut Vec<Option<(bool, String)>>) {
    let text = |key: &str| Some(value.get(key)?.as_str()?.to_owned());
    let kind = text("type").unwrap_or_default();
    let of_function = |key: &str| Some(value.get(key)?.get("name")?.as_str()?.to_owned());
    let call = match kind.as_str() {
        "tool_use" => text("id"),
        "function_call" => text("call_id"),
        _ => of_function("functionCall")
            .or_else(|| {
                of_function("function").filter(|_| value.pointer("/function/arguments").is_some())
            })
            .map(|name| text("id").unwrap_or(name)),
    };
    let result = match kind.as_str() {
        "tool_result" => text("tool_use_id"),
        "function_call_output" => text("call_id"),
        _ if text("role").as_deref() == Some("tool") => {
            text("tool_call_id").or_else(|| text("tool_name"))
        }
        _ => of_function("functionResponse"),
    };
    if call.is_none() && result.is_none() && value.get("role").is_some() {
        found.push(None);
    }
    found.extend(call.map(|id| Some((false, id))));
    found.extend(result.map(|id| Some((true, id))));
    match value {
        Value::Array(items) => items.iter().for_each(|item| calls_and_results(item, found)),
        Value::Object(fields) => fields
            .values()
            .for_each(|field| calls_and_results(field, found)),
        _ => {}
    }
}

/// Every provider accepts a call only with its result behind it.
#[test]
fn stopped_tool_loops_are_valid_for_every_provider() {
    let look = Messages::from([Message::system("Be brief."), Message::user("Which?")]);
    let look = look.with_tool(Tool::new("look"));
    let stopped = (1..=60).map(|seed| stopped_conversation(&look, seed * 0x9e37_79b9));
    let stopped: Vec<Messages> = stopped.collect();
    for (name, _, model) in providers() {
        for messages in &stopped {
            let calls = messages.iter().flat_map(|message| &message.tool_calls);
            let sent = body(&model, messages, &Options::new()).unwrap();
            let mut found = Vec::new();
            calls_and_results(&sent, &mut found);
            let (mut open, mut is_answering) = (VecDeque::new(), false);
            for (index, entry) in found.iter().enumerate() {
                match entry {
                    None => {
                        let has_results = matches!(found.get(index + 1), Some(Some((true, _))));
                        assert!(open.is_empty() || has_results, "{name}: {sent:#}");
                    }
                    Some((true, id)) => {
                        assert_eq!(open.pop_front(), Some(id), "{name}: {sent:#}");
                        is_answering = !open.is_empty();
                    }
                    Some((false, id)) => {
                        assert!(!is_answering, "{name}: {sent:#}");
                        open.push_back(id);
                    }
                }
            }
            let answered = found.iter().flatten().filter(|(is_result, _)| *is_result);
            assert!(open.is_empty(), "{name}: {sent:#}");
            assert_eq!(answered.count(), calls.count(), "{name}: {sent:#}");
        }
    }
}

/// Writes the bodies of every part, and of stopped tool loops, for the providers with an official SDK, for `tests/sdk/test`.
#[test]
#[ignore = "tests/sdk/test validates what it writes"]
fn bodies_for_the_sdks() {
    let path = std::env::var("PROMPT_CLIENT_BODIES").expect("the file to write");
    let schema =
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]});
    let call = |id: &str| ToolCall::new(id, "look", r#"{"a": 1}"#);
    let mut calls = Message::calls([call("c1"), call("c2")]);
    calls.parts = Message::assistant("Let me look.").parts;
    let turns = [
        Message::system("Be brief."),
        Message::user("Which?"),
        calls,
        Message::tool("c1", "one"),
        Message::tool("c2", "two"),
        Message::assistant("Two."),
        Message::user("Sure?"),
    ];
    let parameters = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
    let look = Tool::new("look")
        .with_description("Looks.")
        .with_parameters(parameters);
    let tools = Messages::from(turns)
        .with_tool(look)
        .with_tool(Tool::new("bare"));
    let stopped = (1..=150).map(|seed| stopped_conversation(&tools, seed * 0x9e37_79b9));
    let stopped: Vec<Messages> = stopped.collect();
    let lengths: BTreeSet<usize> = stopped.iter().map(Messages::len).collect();
    assert!(lengths.len() > 6, "{lengths:?}");
    let mut lines = String::new();
    for (_, provider, model) in providers().skip(1) {
        let mut conversations = stopped.clone();
        conversations.push(tools.clone());
        for role in ROLES {
            conversations.push(conversation(role, |message| message));
            for &form in provider.accepted_media(role) {
                let (media, _) = example(form);
                conversations.push(conversation(role, |message| message.with_media(media)));
            }
            if provider.names && role != Role::Tool {
                conversations.push(conversation(role, |message| message.with_name("Bob")));
            }
        }
        if provider.reasoning == ReasoningFormat::ContentPart {
            let answer = |message: Message| message.with_reasoning("Because.");
            conversations.push(conversation(Role::Assistant, answer));
        }
        let options = Options {
            temperature: Some(0.5),
            top_p: Some(0.5),
            max_tokens: Some(10),
            seed: provider.seed.map(|_| 1),
            stop: provider
                .stop
                .then(|| "END".to_owned())
                .into_iter()
                .collect(),
            ..Options::new()
        };
        for messages in &conversations {
            for structured in [None, Some(Structured::Native)] {
                let mut request = Request::from_prompt(messages).unwrap();
                request.schema = structured.as_ref().map(|_| schema.clone());
                let body =
                    model.write_body(&request, messages, &options, structured.as_ref(), false);
                let line = json!({"provider": provider.name, "body": body.unwrap().0});
                writeln!(lines, "{line}").unwrap();
            }
        }
        for (_, is_accepted, options) in options_of(provider) {
            if is_accepted {
                let request = Request::from_prompt(&tools).unwrap();
                let body = model.write_body(&request, &tools, &options, None, false);
                let line = json!({"provider": provider.name, "body": body.unwrap().0});
                writeln!(lines, "{line}").unwrap();
            }
        }
        let messages = Messages::from([Message::user("Which?")]);
        for (_, schema) in crate::schema::tests::types() {
            let structured = model.structured_for(&schema);
            let mut request = Request::from_prompt(&messages).unwrap();
            request.schema = Some(schema);
            let none = Options::new();
            let body = model.write_body(&request, &messages, &none, Some(&structured), false);
            let line = json!({"provider": provider.name, "body": body.unwrap().0});
            writeln!(lines, "{line}").unwrap();
        }
    }
    std::fs::write(path, lines).unwrap();
}
