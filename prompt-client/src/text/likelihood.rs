//! How likely a model finds a text, from servers of two kinds.

use prompt_core::{BoxFuture, ChatFormat, Likelihood, Message, Messages, Options, Request, Result};
use serde_json::{Value, json};

use super::echo::Echo;
use super::{Text, read};
use crate::failure::{Cause, Failure, excerpt};
use crate::fault;
use crate::key::Secret;
use crate::trace::{Asked, Span};

/// How a server is asked for the log-probabilities of a text that it is given: see [`Likelihood`].
///
/// ```
/// use prompt_client::{Scoring, Text};
/// use prompt_core::format;
///
/// let llm = Text::at("http://localhost:8080/v1", "llama", format::PLAIN)?.with_scoring(Scoring::Steps);
/// # Ok::<(), prompt_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Scoring {
    /// By `echo` and `logprobs`: the server repeats the text with them. One request; vLLM, SGLang, llama-cpp-python.
    #[default]
    Echo,
    /// Token by token, each of which is forced by `logit_bias`, after `/tokenize` has told them. A request for each token
    /// of the answer; llama.cpp's server, which tells nothing of the text that it is given.
    Steps,
}

impl<F: ChatFormat> Likelihood for Text<F> {
    fn log_probs<'a>(
        &'a self,
        context: &'a str,
        answer: &'a str,
    ) -> BoxFuture<'a, Result<Vec<f64>>> {
        Box::pin(self.score(context, answer))
    }
}

impl<F: ChatFormat> Text<F> {
    async fn score(&self, context: &str, answer: &str) -> Result<Vec<f64>> {
        let said = [Message::user(context), Message::assistant(answer)];
        let request = Request::of(&Messages::from(said))?;
        let asked = Asked {
            operation: "text_completion",
            provider: "openai",
            model: self.model(),
            address: Some(&self.address),
            structured: None,
            stream: false,
        };
        let options = Options {
            max_tokens: Some(1),
            temperature: Some(0.0),
            ..self.settings.options_for(&request)
        };
        let span = Span::new(&self.settings, &request, &options, &asked);
        let secret = self.secret().await?;
        let scored = async {
            if answer.is_empty() {
                return Err(Failure::new(
                    Cause::Setup,
                    "there is no answer whose likelihood could be told",
                ));
            }
            match self.scoring {
                Scoring::Echo => self.echoed(context, answer, secret.as_ref()).await,
                Scoring::Steps => self.forced(context, answer, secret.as_ref()).await,
            }
        };
        span.around(scored).await.map_err(|failure| {
            span.failure(&failure);
            self.settings
                .error(failure, secret.as_ref(), Some(&self.address))
        })
    }

    async fn echoed(
        &self,
        context: &str,
        answer: &str,
        secret: Option<&Secret>,
    ) -> Result<Vec<f64>, Failure> {
        let ask = async |text: &str| {
            let body = json!({"prompt": text, "echo": true, "logprobs": 1});
            Echo::read(&self.complete(body, secret).await?)
        };
        let whole = ask(&format!("{context}{answer}")).await?;
        if let Some(values) = whole.spelled(context, answer) {
            return values;
        }
        // Some write a token as it stands alone, without the space before it: then the context is counted.
        let before = match context {
            "" => None,
            context => Some(ask(context).await?),
        };
        whole.behind(before.as_ref())
    }

    async fn forced(
        &self,
        context: &str,
        answer: &str,
        secret: Option<&Secret>,
    ) -> Result<Vec<f64>, Failure> {
        let text = format!("{context}{answer}");
        let body = json!({"content": text, "add_special": true, "with_pieces": true});
        let tokens = pieces(
            &self
                .json(self.address.beside("tokenize"), &body, secret)
                .await?,
        )?;
        let length: usize = tokens.iter().map(|(_, bytes)| bytes.len()).sum();
        let spelled: Vec<u8> = tokens.iter().flat_map(|(_, bytes)| bytes.clone()).collect();
        if !spelled.ends_with(text.as_bytes()) {
            return Err(Failure::new(
                Cause::Protocol,
                "the server's tokens do not spell the text that it was given",
            ));
        }
        let ids: Vec<u64> = tokens.iter().map(|(id, _)| *id).collect();
        let (mut end, mut values) = (0, Vec::new());
        for (index, (id, bytes)) in tokens.iter().enumerate() {
            end += bytes.len();
            if index == 0 || end <= length - answer.len() {
                continue;
            }
            let body = json!({"prompt": ids[..index], "logprobs": 1, "logit_bias": [[id, FORCE]]});
            let told = self.complete(body, secret).await?;
            let is_whole = text.is_char_boundary(end - (length - text.len()));
            values.push(forced(&told, *id).map_err(|failure| match is_whole {
                true => failure,
                false => Failure::new(
                    Cause::Protocol,
                    "the server tells no log-probability of a token that is a part of a character",
                ),
            })?);
        }
        at_least_one(values)
    }

    /// One token after a prompt, with what is asked about it.
    async fn complete(&self, mut body: Value, secret: Option<&Secret>) -> Result<Value, Failure> {
        body["model"] = json!(self.model());
        body["max_tokens"] = json!(1);
        body["temperature"] = json!(0);
        for (name, value) in &self.settings.fields {
            body[name] = value.clone();
        }
        self.json(self.route(), &body, secret).await
    }

    /// What a route answers, asked for again as the settings say.
    async fn json(
        &self,
        route: reqwest::Url,
        body: &Value,
        secret: Option<&Secret>,
    ) -> Result<Value, Failure> {
        let body = body.to_string();
        let attempt = || async {
            let answer = async {
                let route = route.clone();
                let mut response = self.post(route, &body, secret, "application/json").await?;
                let answer = read(&mut response, self.settings.limit).await?;
                let text = String::from_utf8_lossy(&answer);
                serde_json::from_str(&text).map_err(|error| fault::not_json(error, &text))
            };
            match self.settings.options.timeout {
                Some(timeout) => tokio::time::timeout(timeout, answer)
                    .await
                    .map_err(|_| fault::late(timeout))?,
                None => answer.await,
            }
        };
        let (answer, _) = self.settings.retry.run(attempt).await?;
        Ok(answer)
    }
}

/// What is added to the logit of a token that is to come: more than any two of them differ by.
const FORCE: f64 = 1e4;

pub(super) fn at_least_one(values: Vec<f64>) -> Result<Vec<f64>, Failure> {
    match values.is_empty() {
        false => Ok(values),
        true => Err(Failure::new(
            Cause::Protocol,
            "the answer is the first token of all, so no model says how likely it is",
        )),
    }
}

/// The tokens of a text with their bytes.
fn pieces(json: &Value) -> Result<Vec<(u64, Vec<u8>)>, Failure> {
    let wrong = || {
        let message = format!(
            "the server's `/tokenize` tells no tokens with their texts: {}",
            excerpt(&json.to_string())
        );
        Failure::new(Cause::Protocol, message)
    };
    let byte = |value: &Value| value.as_u64().and_then(|byte| u8::try_from(byte).ok());
    let tokens = json["tokens"].as_array().ok_or_else(wrong)?;
    let tokens = tokens.iter().map(|token| {
        let bytes = match &token["piece"] {
            Value::String(text) => Some(text.as_bytes().to_vec()),
            // What is no whole character.
            Value::Array(bytes) => bytes.iter().map(byte).collect(),
            _ => None,
        };
        Some((token["id"].as_u64()?, bytes?))
    });
    tokens.collect::<Option<_>>().ok_or_else(wrong)
}

/// The log-probability of a token that was forced, as it is without that.
fn forced(json: &Value, id: u64) -> Result<f64, Failure> {
    let token = json.pointer("/choices/0/logprobs/content/0");
    let value = token
        .filter(|token| token["id"] == id)
        .and_then(|token| token["logprob"].as_f64());
    value.ok_or_else(|| {
        let message = format!(
            "the server does not tell the log-probability of the token {id} that it was to write: {}",
            excerpt(&json.to_string())
        );
        Failure::new(Cause::Protocol, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_what_was_asked_for() {
        assert!(pieces(&json!({"tokens": [1, 2]})).is_err());
        let told = json!({"choices": [{"logprobs": {"content": [{"id": 4, "logprob": -1}]}}]});
        assert_eq!(forced(&told, 4).expect("it is told"), -1.0);
        assert!(forced(&told, 5).is_err());
    }
}
