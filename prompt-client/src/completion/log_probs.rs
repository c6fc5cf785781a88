//! Log-probabilities of a given text, from servers of two kinds.

use prompt_core::{BoxFuture, ChatFormat, Likelihood, Message, ModelInfo, Request, Result};
use serde_json::{Value, json};

use super::CompletionModel;
use crate::error::{CallError, CallErrorKind, excerpt};
use crate::http::{Endpoint, ResponseBody};
use crate::open_call::OpenCall;
use crate::runtime::run_within;

/// How the log-probabilities of a given text are requested, for [`Likelihood`].
///
/// ```
/// use typed_prompt::{client::{CompletionModel, LogProbMethod}, format};
///
/// let llm = CompletionModel::new("http://localhost:8080/v1", "llama", format::PLAIN)?
///     .log_prob_method(LogProbMethod::ForcedTokens);
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum LogProbMethod {
    /// With `echo` and `logprobs`, the server returns them together with the text. One request; vLLM, SGLang,
    /// llama-cpp-python.
    #[default]
    Echo,
    /// Each token of the answer is forced with `logit_bias`, after `/tokenize` has returned the tokens. One request per
    /// token; llama.cpp's server, which has no log-probabilities of a given text.
    ForcedTokens,
}

impl<F: ChatFormat> Likelihood for CompletionModel<F> {
    fn score_tokens<'a>(
        &'a self,
        context: &'a str,
        answer: &'a str,
    ) -> BoxFuture<'a, Result<Vec<f64>>> {
        Box::pin(self.score_answer(context, answer))
    }

    /// The texts are sent as they are, without a format.
    fn model_info(&self) -> Option<ModelInfo> {
        let mut info = self.describe_model();
        info.format = None;
        Some(info)
    }
}

impl<F: ChatFormat> CompletionModel<F> {
    async fn score_answer(&self, context: &str, answer: &str) -> Result<Vec<f64>> {
        let messages = [Message::user(context), Message::assistant(answer)];
        let request = Request::from_messages(messages.into());
        let options = self.settings.options_for(&request);
        let options = options.max_tokens(1).temperature(0.0);
        let call = self.call_for(&request, options, None, false).await?;
        let scored = async {
            if answer.is_empty() {
                let message = "an empty answer has no log-probabilities";
                return Err(CallError::new(CallErrorKind::Setup, message));
            }
            match self.log_prob_method {
                LogProbMethod::Echo => self.request_echo(&call, context, answer).await,
                LogProbMethod::ForcedTokens => self.force_tokens(&call, context, answer).await,
            }
        };
        let scored = call.span.run_inside(scored).await;
        scored.map_err(|error| call.record_failure(error))
    }

    async fn request_echo(
        &self,
        call: &OpenCall,
        context: &str,
        answer: &str,
    ) -> Result<Vec<f64>, CallError> {
        let echo = async |text: &str| {
            let body = json!({"prompt": text, "echo": true, "logprobs": 1});
            Echo::parse_echo(&self.complete_one_token(call, body).await?)
        };
        let whole = echo(&format!("{context}{answer}")).await?;
        if let Some(values) = whole.after_text(context, answer) {
            return values;
        }
        // Some servers omit the space before a token, so that the tokens of the context have to be counted.
        let context = match context {
            "" => None,
            context => Some(echo(context).await?),
        };
        whole.after_tokens(context.as_ref())
    }

    async fn force_tokens(
        &self,
        call: &OpenCall,
        context: &str,
        answer: &str,
    ) -> Result<Vec<f64>, CallError> {
        let text = format!("{context}{answer}");
        let tokenize = Endpoint::new(self.base_url.endpoint_beside_v1("tokenize"));
        let body = json!({"content": text, "add_special": true, "with_pieces": true});
        let tokens = parse_tokens(&self.post_json(call, &tokenize, &body).await?)?;
        let bytes = tokens.iter().flat_map(|(_, bytes)| bytes);
        let bytes: Vec<u8> = bytes.copied().collect();
        let Some(prefix) = bytes.strip_suffix(text.as_bytes()) else {
            return Err(CallError::protocol_error(
                "the server's tokens do not match the text that it was given",
            ));
        };
        let answer_start = bytes.len() - answer.len();
        let ids: Vec<u64> = tokens.iter().map(|(id, _)| *id).collect();
        let (mut end, mut values) = (0, Vec::new());
        for (index, (id, token)) in tokens.iter().enumerate() {
            end += token.len();
            if index == 0 || end <= answer_start {
                continue;
            }
            let body = json!({
                "prompt": ids[..index],
                "logprobs": 1,
                "logit_bias": [[id, FORCING_BIAS]],
            });
            let response = self.complete_one_token(call, body).await?;
            let is_whole = text.is_char_boundary(end - prefix.len());
            values.push(forced_value(&response, *id).map_err(|error| match is_whole {
                true => error,
                false => CallError::protocol_error(
                    "the server returns no log-probability of a token that is a part of a character",
                ),
            })?);
        }
        at_least_one(values)
    }

    /// Requests one token after a prompt: some servers refuse to generate none.
    async fn complete_one_token(
        &self,
        call: &OpenCall,
        mut body: Value,
    ) -> Result<Value, CallError> {
        body["model"] = json!(self.model());
        body["max_tokens"] = json!(1);
        body["temperature"] = json!(0);
        for (name, value) in &self.settings.options.fields {
            body[name] = value.clone();
        }
        self.post_json(call, &self.endpoint(), &body).await
    }

    async fn post_json(
        &self,
        call: &OpenCall,
        endpoint: &Endpoint,
        body: &Value,
    ) -> Result<Value, CallError> {
        let body = body.to_string();
        let attempt = || {
            run_within(self.settings.options.timeout, async {
                let response = call.post_body(endpoint, &body, ResponseBody::Json).await?;
                call.read_json(response).await
            })
        };
        let (answer, _) = self.settings.retry.run_attempts(attempt).await?;
        Ok(answer)
    }
}

/// The bias that forces a token: larger than any difference of two logits.
const FORCING_BIAS: f64 = 1e4;

fn at_least_one(values: Vec<f64>) -> Result<Vec<f64>, CallError> {
    match values.is_empty() {
        false => Ok(values),
        true => Err(CallError::protocol_error(
            "the answer is the first token of the text, which has no log-probability",
        )),
    }
}

/// The tokens in a response of `/tokenize`, with their bytes.
fn parse_tokens(json: &Value) -> Result<Vec<(u64, Vec<u8>)>, CallError> {
    let byte = |value: &Value| value.as_u64().and_then(|byte| u8::try_from(byte).ok());
    let token = |token: &Value| {
        let bytes = match &token["piece"] {
            Value::String(text) => text.as_bytes().to_vec(),
            // A token that is not valid UTF-8.
            Value::Array(bytes) => bytes.iter().map(byte).collect::<Option<_>>()?,
            _ => return None,
        };
        Some((token["id"].as_u64()?, bytes))
    };
    let tokens = json["tokens"].as_array();
    let tokens = tokens.and_then(|tokens| tokens.iter().map(token).collect());
    tokens.ok_or_else(|| {
        CallError::protocol_error(format!(
            "the server's `/tokenize` returns no tokens with their texts: {}",
            excerpt(&json.to_string())
        ))
    })
}

/// The log-probability of a forced token, as it is without the bias.
fn forced_value(json: &Value, id: u64) -> Result<f64, CallError> {
    let token = json
        .pointer("/choices/0/logprobs/content/0")
        .filter(|token| token["id"] == id);
    let value = token.and_then(|token| token["logprob"].as_f64());
    value.ok_or_else(|| {
        CallError::protocol_error(format!(
            "the server does not return the log-probability of the forced token {id}: {}",
            excerpt(&json.to_string())
        ))
    })
}

/// The tokens of a text and their log-probabilities. The server adds one generated token.
#[derive(Debug)]
struct Echo {
    tokens: Vec<String>,
    values: Vec<Option<f64>>,
    /// The number of tokens of the text.
    count: usize,
}

/// The maximum number of tokens that a server adds before a text: models have one or two.
const ADDED_TOKENS: usize = 2;

impl Echo {
    fn parse_echo(json: &Value) -> Result<Echo, CallError> {
        let log_probs = json.pointer("/choices/0/logprobs");
        let list = |name: &str| log_probs.and_then(|lists| lists[name].as_array());
        let (Some(tokens), Some(values)) = (list("tokens"), list("token_logprobs")) else {
            return Err(CallError::protocol_error(format!(
                "the server returns no log-probabilities of the given text (`choices[0].logprobs` has no `tokens` and \
                 `token_logprobs`); for llama.cpp's server, use `.log_prob_method(LogProbMethod::ForcedTokens)`: {}",
                excerpt(&json.to_string())
            )));
        };
        let texts = tokens.iter().map(|token| token.as_str().map(str::to_owned));
        let tokens: Vec<String> = texts.map(Option::unwrap_or_default).collect();
        let values: Vec<Option<f64>> = values.iter().map(Value::as_f64).collect();
        let count = json.pointer("/usage/prompt_tokens").and_then(Value::as_u64);
        let count = count.map_or(tokens.len().saturating_sub(1), |count| count as usize);
        if tokens.len() != values.len() || count > tokens.len() {
            return Err(CallError::protocol_error(format!(
                "the server was given {count} tokens, and returns {} log-probabilities: it does not echo the text",
                values.len()
            )));
        }
        Ok(Echo {
            tokens,
            values,
            count,
        })
    }

    /// The values of the answer's tokens, if the texts of the tokens are the given text, after added tokens.
    fn after_text(&self, context: &str, answer: &str) -> Option<Result<Vec<f64>, CallError>> {
        let tokens = &self.tokens[..self.count];
        let whole: String = tokens.concat();
        let added = whole.strip_suffix(answer)?.strip_suffix(context)?;
        let max_added: usize = tokens.iter().take(ADDED_TOKENS).map(String::len).sum();
        if added.len() > max_added {
            return None;
        }
        let answer_start = added.len() + context.len();
        let mut end = 0;
        let first = tokens.iter().position(|token| {
            end += token.len();
            end > answer_start
        })?;
        Some(self.from(first))
    }

    /// The values after the tokens of the context.
    fn after_tokens(&self, context: Option<&Echo>) -> Result<Vec<f64>, CallError> {
        let Some(context) = context else {
            return self.from(0);
        };
        let first = context.count;
        if self.tokens[..self.count].get(..first) != Some(&context.tokens[..first]) {
            return Err(CallError::protocol_error(
                "the tokens of the answer cannot be determined: the server omits the spaces between tokens, and one \
                 token belongs to both the context and the answer",
            ));
        }
        self.from(first)
    }

    fn from(&self, first: usize) -> Result<Vec<f64>, CallError> {
        // The first token of the text has no value, since it has no context.
        let values = self.values[..self.count].iter().enumerate().skip(first);
        let values = values.filter(|(index, value)| *index > 0 || value.is_some());
        let values: Option<Vec<f64>> = values.map(|(_, value)| *value).collect();
        at_least_one(values.ok_or_else(|| {
            CallError::protocol_error(
                "the log-probability of a token is missing in the server's answer",
            )
        })?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn echo(tokens: &[&str], values: &Value, count: usize) -> Result<Echo, CallError> {
        Echo::parse_echo(&json!({
            "choices": [{"logprobs": {"tokens": tokens, "token_logprobs": values}}],
            "usage": {"prompt_tokens": count},
        }))
    }

    #[test]
    fn tokens_of_the_answer_are_found_by_text() {
        let check = |tokens: &[&str], values: Value, (context, answer), expected: &[f64]| {
            let echo = echo(tokens, &values, tokens.len() - 1).expect("it is read");
            let values = echo.after_text(context, answer).expect("it is spelled");
            assert_eq!(values.expect("there are some"), expected, "{tokens:?}");
        };
        let values = || json!([null, -1.0, -2.0, -3.0]);
        check(
            &["Q:", " A", "B", "."],
            values(),
            ("Q:", " AB"),
            &[-1.0, -2.0],
        );
        // A beginning of the server's own.
        check(&["<s>", "Q:", " A", "."], values(), ("Q:", " A"), &[-2.0]);
        check(
            &["<s>", "Q:", " A", "."],
            values(),
            ("", "Q: A"),
            &[-1.0, -2.0],
        );
        // The first token of all has no value.
        check(
            &["Q:", " A", "B", "."],
            values(),
            ("", "Q: AB"),
            &[-1.0, -2.0],
        );
        // A token across the border belongs to the answer.
        check(
            &["Q", ": A", "B", "."],
            values(),
            ("Q:", " AB"),
            &[-1.0, -2.0],
        );
    }

    #[test]
    fn tokens_without_spaces_are_counted() {
        let values = || json!([null, -1.0, -2.0, -3.0, -4.0]);
        let whole = echo(&["<s>", "Q", "is", "yes", "."], &values(), 4).expect("it is read");
        assert!(whole.after_text("Q is", " yes").is_none());
        let context = echo(
            &["<s>", "Q", "is", "?"],
            &json!([null, -1.0, -2.0, -9.0]),
            3,
        );
        let context = context.expect("it is read");
        assert_eq!(
            whole.after_tokens(Some(&context)).expect("it has values"),
            [-3.0]
        );
        let other = echo(&["<s>", "Q", "i", "?"], &json!([null, -1.0, -2.0, -9.0]), 3);
        let error = whole
            .after_tokens(Some(&other.expect("it is read")))
            .unwrap_err();
        assert!(error.to_string().contains("one token belongs to both"));
    }

    #[test]
    fn servers_without_log_probabilities_are_detected() {
        let none = Echo::parse_echo(&json!({"choices": [{"text": "x", "logprobs": null}]}));
        let error = none.unwrap_err().to_string();
        assert!(
            error.contains("the server returns no log-probabilities of the given text"),
            "{error}"
        );
        assert!(error.contains("LogProbMethod::ForcedTokens"), "{error}");
        let ignored = echo(&["x"], &json!([-1.0]), 9).unwrap_err().to_string();
        assert!(
            ignored.contains("was given 9 tokens, and returns 1 log-probabilities"),
            "{ignored}"
        );
        let gap = echo(&["Q:", " A", "B", "."], &json!([null, null, -1.0, -1.0]), 3);
        let gap = gap
            .expect("it is read")
            .after_text("Q:", " AB")
            .expect("it is spelled");
        assert!(gap.unwrap_err().to_string().contains("is missing"));
        let alone = echo(&["A", "."], &json!([null, -1.0]), 1).expect("it is read");
        let alone = alone.after_text("", "A").expect("it is spelled");
        assert!(
            alone
                .unwrap_err()
                .to_string()
                .contains("first token of the text")
        );
    }

    #[test]
    fn tokens_and_forced_values_are_parsed() {
        assert!(parse_tokens(&json!({"tokens": [1, 2]})).is_err());
        let response = json!({"choices": [{"logprobs": {"content": [{"id": 4, "logprob": -1}]}}]});
        assert_eq!(forced_value(&response, 4).expect("it has a value"), -1.0);
        assert!(forced_value(&response, 5).is_err());
    }
}
