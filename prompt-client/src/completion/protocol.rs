//! The protocol of `/v1/completions`: request bodies and responses.

use prompt_core::format::{AnswerParser, AnswerPart};
use prompt_core::openai::RequestOptions;
use prompt_core::openai::answer::{id, model, reason, usage};
use prompt_core::{FinishReason, Options, Request, Structured};
use serde_json::{Map, Value, json};

use crate::answer::{AnswerReader, PartialCall, ReceivedAnswer};
use crate::error::CallError;
use crate::json_body::{list_at, set_field, set_options};
use crate::schema::{close_objects, insert_at, response_format};
use crate::settings::ModelSettings;

/// The body of a request.
pub(super) fn write_body(
    settings: &ModelSettings,
    prompt: &str,
    request: &Request,
    options: &Options,
    structured: Option<&Structured>,
    stream: bool,
) -> Value {
    let mut body = Map::new();
    set_field(&mut body, "model", &*settings.model);
    set_field(&mut body, "prompt", prompt);
    let fields = &options.fields;
    let options = RequestOptions {
        options,
        max_tokens: "max_tokens",
        seed: Some("seed"),
        is_chat: false,
    };
    set_options(&mut body, options);
    if stream {
        set_field(&mut body, "stream", true);
        set_field(&mut body, "stream_options", json!({"include_usage": true}));
    }
    match (&request.schema, structured) {
        (Some(schema), Some(Structured::Native)) => {
            let format = response_format(request, schema);
            set_field(&mut body, "response_format", format);
        }
        (Some(schema), Some(Structured::Field(field))) => {
            insert_at(&mut body, field, close_objects(schema));
        }
        _ => {}
    }
    body.extend(fields.clone());
    Value::Object(body)
}

/// Reads completions, and chunks of them.
#[derive(Clone)]
pub(super) struct CompletionReader(AnswerParser);

impl CompletionReader {
    pub(super) fn new(parser: AnswerParser) -> CompletionReader {
        CompletionReader(parser)
    }

    /// Moves the parts of the answer that are complete.
    fn move_parts(
        &mut self,
        result: prompt_core::Result<()>,
        answer: &mut ReceivedAnswer,
    ) -> Result<(), CallError> {
        while let Some(part) = self.0.next_part() {
            match part {
                AnswerPart::Text(text) => answer.push_text(&text),
                AnswerPart::Reasoning(text) => answer.push_reasoning(&text),
                AnswerPart::Call(call) => answer.push_call(PartialCall {
                    call,
                    ..PartialCall::default()
                }),
            }
        }
        result.map_err(|error| CallError::invalid_answer(&error))
    }
}

impl AnswerReader for CompletionReader {
    fn read_body(&mut self, body: &Value, answer: &mut ReceivedAnswer) -> Result<(), CallError> {
        answer.usage = usage(body).or(answer.usage.take());
        answer.model = model(body).or(answer.model.take());
        answer.id = id(body).or(answer.id.take());
        if let Some(choice) = answer.choose(list_at(body, "/choices")) {
            if let Some(text) = choice.get("text").and_then(Value::as_str) {
                answer.has_message = true;
                let result = self.0.push(text);
                self.move_parts(result, answer)?;
            }
            if let Some(reason) = reason(choice) {
                answer.set_finish_reason(FinishReason::from_name(reason));
            }
        }
        CallError::check_body(body)
    }

    fn finish_answer(&mut self, answer: &mut ReceivedAnswer) -> Result<(), CallError> {
        let result = self.0.finish();
        self.move_parts(result, answer)?;
        answer
            .finish
            .take()
            .into_iter()
            .for_each(|reason| answer.set_finish_reason(reason));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use prompt_core::{Message, Messages, Reply, Usage};

    use super::*;
    use crate::answer;
    use crate::api_key::ApiKey;
    use crate::error::CallErrorKind;

    #[test]
    fn unset_options_are_not_sent() {
        let request = Request::from_prompt(&Messages::from([Message::user("Hi")])).unwrap();
        let settings = ModelSettings::new("m", ApiKey::none(), Structured::Described).unwrap();
        let sent = write_body(&settings, "Hi", &request, &Options::new(), None, false);
        assert_eq!(sent, json!({"model": "m", "prompt": "Hi"}));
        let options = Options::new().field("top_k", 40);
        let sent = write_body(&settings, "Hi", &request, &options, None, false);
        assert_eq!(sent, json!({"model": "m", "prompt": "Hi", "top_k": 40}));
    }

    fn parse(body: &[u8]) -> Result<Reply, CallError> {
        let body = serde_json::from_slice(body).map_err(|error| CallError::not_json(error, ""))?;
        let parser = AnswerParser::new(&prompt_core::format::LLAMA3);
        answer::parse_response(&body, CompletionReader::new(parser), Box::new(|_| {}))
    }

    #[test]
    fn responses_are_parsed() {
        let json = r#"{"choices":[{"text":"Yes","finish_reason":"length"}],"model":"m",
                      "usage":{"prompt_tokens":3,"completion_tokens":1}}"#;
        let reply = parse(json.as_bytes()).unwrap();
        assert_eq!(
            (&*reply.text, reply.finish, reply.usage),
            ("Yes", Some(FinishReason::Length), Some(Usage::new(3, 1)))
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
