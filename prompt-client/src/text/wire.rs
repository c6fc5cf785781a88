//! The two pure halves of `/v1/completions`: a request into JSON, JSON into an answer.

use prompt_core::{Finish, Options, Reply, Request, Structured, Usage};
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::settings::Settings;
use crate::structured::{closed, schema_name};
use crate::{fault, openai};

/// The body of a request.
pub(super) fn body(
    settings: &Settings,
    prompt: &str,
    request: &Request,
    options: &Options,
    structured: Option<&Structured>,
    stream: bool,
) -> Value {
    let mut body = Map::new();
    let mut set = |key: &str, value: Value| {
        if !value.is_null() {
            body.insert(key.to_owned(), value);
        }
    };
    set("model", json!(&*settings.model));
    set("prompt", json!(prompt));
    set("temperature", json!(options.temperature));
    set("top_p", json!(options.top_p));
    set("max_tokens", json!(options.max_tokens));
    set("seed", json!(options.seed));
    if !options.stop.is_empty() {
        set("stop", json!(options.stop));
    }
    if stream {
        set("stream", json!(true));
        set("stream_options", json!({"include_usage": true}));
    }
    match (&request.schema, structured) {
        (Some(schema), Some(Structured::Native)) => {
            let format = json!({"name": schema_name(request.info.name), "schema": closed(schema)});
            set(
                "response_format",
                json!({"type": "json_schema", "json_schema": format}),
            );
        }
        (Some(schema), Some(Structured::Field(field))) => set(field, closed(schema)),
        _ => {}
    }
    body.extend(settings.fields.clone());
    Value::Object(body)
}

/// The answer in a body.
pub(super) fn reply(body: &[u8]) -> Result<Reply, Failure> {
    let text = String::from_utf8_lossy(body);
    let json = json(&text)?;
    let said = said(&json);
    if let Some(failure) = openai::error(&json) {
        return Err(match said {
            Some(said) if !said.is_empty() => failure.with_answer(said),
            _ => failure,
        });
    }
    let Some(said) = said else {
        let wrong = "the server's answer has no `choices[0].text`".to_owned();
        return Err(fault::quoting(wrong, &text));
    };
    let mut reply = Reply::new(said);
    let tail = tail(&json);
    reply.usage = tail.usage;
    reply.model = tail.model;
    reply.finish = tail.finish;
    Ok(reply)
}

/// One event of a stream: a piece of text, what else it tells, and the error that it ends with.
pub(super) fn event(data: &str) -> Result<(String, Tail, Option<Failure>), Failure> {
    let json = json(data)?;
    let said = said(&json).unwrap_or_default();
    Ok((said.to_owned(), tail(&json), openai::error(&json)))
}

fn said(json: &Value) -> Option<&str> {
    openai::choice(json)?.get("text")?.as_str()
}

/// What stands beside the text.
#[derive(Default)]
pub(super) struct Tail {
    /// Whether it is about an answer at all.
    pub(super) begun: bool,
    pub(super) usage: Option<Usage>,
    pub(super) model: Option<String>,
    pub(super) finish: Option<Finish>,
}

fn tail(json: &Value) -> Tail {
    let choice = openai::choice(json);
    Tail {
        begun: choice.is_some(),
        usage: openai::usage(json),
        finish: choice.and_then(openai::reason).map(Finish::from_name),
        model: openai::model(json),
    }
}

fn json(text: &str) -> Result<Value, Failure> {
    serde_json::from_str(text).map_err(|error| fault::not_json(error, text))
}

#[cfg(test)]
mod tests {
    use prompt_core::{Message, Messages};

    use super::*;
    use crate::failure::Cause;
    use crate::key::Key;

    #[test]
    fn only_what_is_asked_is_sent() {
        let request = Request::of(&Messages::from([Message::user("Hi")])).unwrap();
        let mut settings = Settings::new("m", Key::none(), Structured::Described).unwrap();
        let sent = body(&settings, "Hi", &request, &Options::default(), None, false);
        assert_eq!(sent, json!({"model": "m", "prompt": "Hi"}));
        settings.fields.insert("top_k".to_owned(), json!(40));
        let sent = body(&settings, "Hi", &request, &Options::default(), None, false);
        assert_eq!(sent, json!({"model": "m", "prompt": "Hi", "top_k": 40}));
    }

    #[test]
    fn an_answer_is_read() {
        let json = r#"{"choices":[{"text":"Yes","finish_reason":"length"}],"model":"m",
                      "usage":{"prompt_tokens":3,"completion_tokens":1}}"#;
        let reply = reply(json.as_bytes()).unwrap();
        assert_eq!((&*reply.text, reply.finish), ("Yes", Some(Finish::Length)));
        assert_eq!(
            reply.usage,
            Some(Usage {
                input: 3,
                output: 1
            })
        );
        assert_eq!(super::reply(b"{}").unwrap_err().cause(), Cause::Protocol);
        assert_eq!(super::reply(b"\xff").unwrap_err().cause(), Cause::Protocol);
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_are_too_strange(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200)) {
            let _ = super::reply(&bytes);
            let _ = event(&String::from_utf8_lossy(&bytes));
        }
    }
}
