//! The protocol of `/v1/completions`: request bodies and responses.

use prompt_core::openai::answer::{self, choice, model, reason, usage};
use prompt_core::{FinishReason, Options, Reply, Request, Structured};
use serde_json::{Map, Value, json};

use crate::error::CallError;
use crate::schema::{closed, response_format};
use crate::settings::Settings;

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
            set("response_format", response_format(request, schema));
        }
        (Some(schema), Some(Structured::Field(field))) => set(field, closed(schema)),
        _ => {}
    }
    body.extend(settings.fields.clone());
    Value::Object(body)
}

/// Parses a response that is not streamed.
pub(super) fn parse(body: &[u8]) -> Result<Reply, CallError> {
    let body = String::from_utf8_lossy(body);
    let json = serde_json::from_str(&body).map_err(|error| CallError::not_json(error, &body))?;
    let choice = choice(&json);
    let text = choice.and_then(text);
    if let Some(error) = answer::error(&json) {
        let error = CallError::from_error_object(error);
        return Err(match text {
            Some(text) if !text.is_empty() => error.with_answer(text),
            _ => error,
        });
    }
    let missing = "the server's answer has no `choices[0].text`";
    let mut reply = Reply::new(text.ok_or_else(|| CallError::unexpected_body(missing, &body))?);
    reply.usage = usage(&json);
    reply.model = model(&json);
    reply.finish = choice.and_then(finish);
    Ok(reply)
}

/// The text of a choice.
pub(super) fn text(choice: &Value) -> Option<&str> {
    choice.get("text")?.as_str()
}

/// Why the text of a choice ended.
pub(super) fn finish(choice: &Value) -> Option<FinishReason> {
    reason(choice).map(FinishReason::from_name)
}

#[cfg(test)]
mod tests {
    use prompt_core::{Message, Messages, Usage};

    use super::*;
    use crate::api_key::ApiKey;
    use crate::error::CallErrorKind;

    #[test]
    fn unset_options_are_not_sent() {
        let request = Request::of(&Messages::from([Message::user("Hi")])).unwrap();
        let mut settings = Settings::new("m", ApiKey::none(), Structured::Described).unwrap();
        let sent = body(&settings, "Hi", &request, &Options::default(), None, false);
        assert_eq!(sent, json!({"model": "m", "prompt": "Hi"}));
        settings.fields.insert("top_k".to_owned(), json!(40));
        let sent = body(&settings, "Hi", &request, &Options::default(), None, false);
        assert_eq!(sent, json!({"model": "m", "prompt": "Hi", "top_k": 40}));
    }

    #[test]
    fn responses_are_parsed() {
        let json = r#"{"choices":[{"text":"Yes","finish_reason":"length"}],"model":"m",
                      "usage":{"prompt_tokens":3,"completion_tokens":1}}"#;
        let reply = parse(json.as_bytes()).unwrap();
        assert_eq!(
            (&*reply.text, reply.finish),
            ("Yes", Some(FinishReason::Length))
        );
        assert_eq!(
            reply.usage,
            Some(Usage {
                input: 3,
                output: 1
            })
        );
        assert_eq!(parse(b"{}").unwrap_err().kind(), CallErrorKind::Protocol);
        assert_eq!(parse(b"\xff").unwrap_err().kind(), CallErrorKind::Protocol);
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_parsed_or_rejected(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200)) {
            let _ = parse(&bytes);
        }
    }
}
