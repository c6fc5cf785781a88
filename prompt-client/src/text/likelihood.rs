//! How likely a model finds a text, from servers of two kinds.

use prompt_core::{BoxFuture, ChatFormat, Likelihood, Message, Messages, Options, Request, Result};
use serde_json::{Value, json};

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
        let body = json!({"content": format!("{context}{answer}"), "add_special": true, "with_pieces": true});
        let tokens = pieces(
            &self
                .json(self.address.beside("tokenize"), &body, secret)
                .await?,
        )?;
        let length: usize = tokens.iter().map(|(_, bytes)| bytes.len()).sum();
        let spelled: Vec<u8> = tokens.iter().flat_map(|(_, bytes)| bytes.clone()).collect();
        if !spelled.ends_with(format!("{context}{answer}").as_bytes()) {
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
            values.push(forced(&self.complete(body, secret).await?, *id)?);
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

/// A text that a server has repeated, with one token behind it.
#[derive(Debug)]
struct Echo {
    tokens: Vec<String>,
    values: Vec<Option<f64>>,
    /// How many of them are the text's.
    count: usize,
}

impl Echo {
    fn read(json: &Value) -> Result<Echo, Failure> {
        let lists = json.pointer("/choices/0/logprobs");
        let list = |name: &str| lists.and_then(|lists| lists[name].as_array());
        let (Some(tokens), Some(values)) = (list("tokens"), list("token_logprobs")) else {
            let message = format!(
                "the server tells no log-probabilities of the text that it was given (`choices[0].logprobs` has no \
                 `tokens` and `token_logprobs`), so it cannot be asked for likelihoods this way; llama.cpp's is asked \
                 by `with_scoring(Scoring::Steps)`: {}",
                excerpt(&json.to_string())
            );
            return Err(Failure::new(Cause::Protocol, message));
        };
        let texts = tokens.iter().map(|token| token.as_str().map(str::to_owned));
        let tokens: Vec<String> = texts.map(Option::unwrap_or_default).collect();
        let values: Vec<Option<f64>> = values.iter().map(Value::as_f64).collect();
        let told = json.pointer("/usage/prompt_tokens").and_then(Value::as_u64);
        let count = told.map_or(tokens.len().saturating_sub(1), |count| count as usize);
        if tokens.len() != values.len() || count > tokens.len() {
            let message = format!(
                "the server was given {count} tokens, and tells the log-probabilities of {}: it does not repeat the \
                 text",
                values.len()
            );
            return Err(Failure::new(Cause::Protocol, message));
        }
        Ok(Echo {
            tokens,
            values,
            count,
        })
    }

    /// The values of the answer's tokens, if the tokens spell the text, behind marks that the server begins with.
    fn spelled(&self, context: &str, answer: &str) -> Option<Result<Vec<f64>, Failure>> {
        let tokens = &self.tokens[..self.count];
        let whole: String = tokens.concat();
        let before = whole.strip_suffix(answer)?.strip_suffix(context)?;
        let marks: usize = tokens.iter().take(MARKS).map(String::len).sum();
        if before.len() > marks {
            return None;
        }
        let border = before.len() + context.len();
        let mut end = 0;
        let first = tokens.iter().position(|token| {
            end += token.len();
            end > border
        })?;
        Some(self.from(first))
    }

    /// The values behind the tokens of the context.
    fn behind(&self, context: Option<&Echo>) -> Result<Vec<f64>, Failure> {
        let Some(context) = context else {
            return self.from(0);
        };
        let first = context.count;
        if self.tokens[..self.count].get(..first) != Some(&context.tokens[..first]) {
            return Err(Failure::new(
                Cause::Protocol,
                "it cannot be told which tokens are the answer's: the server writes them without the spaces between \
                 them, and one lies across the border",
            ));
        }
        self.from(first)
    }

    fn from(&self, first: usize) -> Result<Vec<f64>, Failure> {
        // Nothing stands before the first token of all, so it has no value.
        let values = self.values[..self.count].iter().enumerate().skip(first);
        let values = values.filter(|(index, value)| *index > 0 || value.is_some());
        let values: Option<Vec<f64>> = values.map(|(_, value)| *value).collect();
        let values = values.ok_or_else(|| {
            Failure::new(
                Cause::Protocol,
                "the server leaves out the log-probability of a token",
            )
        })?;
        at_least_one(values)
    }
}

/// How many tokens a server may put before a text: a beginning, and some models have two.
const MARKS: usize = 2;

fn at_least_one(values: Vec<f64>) -> Result<Vec<f64>, Failure> {
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

    fn echo(tokens: &[&str], values: &Value, count: usize) -> Result<Echo, Failure> {
        Echo::read(&json!({
            "choices": [{"logprobs": {"tokens": tokens, "token_logprobs": values}}],
            "usage": {"prompt_tokens": count},
        }))
    }

    #[test]
    fn the_tokens_of_the_answer_are_found() {
        let check = |tokens: &[&str], values: Value, (context, answer), expected: &[f64]| {
            let echo = echo(tokens, &values, tokens.len() - 1).expect("it is read");
            let values = echo.spelled(context, answer).expect("it is spelled");
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
    fn tokens_that_do_not_spell_the_text_are_counted() {
        let values = || json!([null, -1.0, -2.0, -3.0, -4.0]);
        let whole = echo(&["<s>", "Q", "is", "yes", "."], &values(), 4).expect("it is read");
        assert!(whole.spelled("Q is", " yes").is_none());
        let context = echo(
            &["<s>", "Q", "is", "?"],
            &json!([null, -1.0, -2.0, -9.0]),
            3,
        );
        let context = context.expect("it is read");
        assert_eq!(whole.behind(Some(&context)).expect("it is told"), [-3.0]);
        let other = echo(&["<s>", "Q", "i", "?"], &json!([null, -1.0, -2.0, -9.0]), 3);
        let error = whole.behind(Some(&other.expect("it is read"))).unwrap_err();
        assert!(error.to_string().contains("one lies across the border"));
    }

    #[test]
    fn servers_that_do_not_tell_are_found_out() {
        let none = Echo::read(&json!({"choices": [{"text": "x", "logprobs": null}]}));
        let error = none.unwrap_err().to_string();
        assert!(
            error.contains("the server tells no log-probabilities of the text"),
            "{error}"
        );
        assert!(error.contains("Scoring::Steps"), "{error}");
        let ignored = echo(&["x"], &json!([-1.0]), 9).unwrap_err().to_string();
        assert!(
            ignored.contains("was given 9 tokens, and tells the log-probabilities of 1"),
            "{ignored}"
        );
        let gap = echo(&["Q:", " A", "B", "."], &json!([null, null, -1.0, -1.0]), 3);
        let gap = gap
            .expect("it is read")
            .spelled("Q:", " AB")
            .expect("it is spelled");
        assert!(gap.unwrap_err().to_string().contains("leaves out"));
        let alone = echo(&["A", "."], &json!([null, -1.0]), 1).expect("it is read");
        let alone = alone.spelled("", "A").expect("it is spelled");
        assert!(
            alone
                .unwrap_err()
                .to_string()
                .contains("first token of all")
        );
        assert!(pieces(&json!({"tokens": [1, 2]})).is_err());
        assert!(
            forced(
                &json!({"choices": [{"logprobs": {"content": [{"id": 4, "logprob": -1}]}}]}),
                5
            )
            .is_err()
        );
    }
}
