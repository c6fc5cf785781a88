//! Models that read plain text, through `/v1/completions`.

mod echo;
mod events;
mod likelihood;
mod reasoning;
mod sse;
mod wire;

use std::fmt;

pub use likelihood::Scoring;
use prompt_core::{BoxFuture, ChatFormat, Llm, Options, Reply, Request, Result, Structured};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};

use crate::address::Address;
use crate::failure::{Cause, Failure};
use crate::fault;
use crate::key::{Key, Secret};
use crate::settings::{Settings, builders};
use crate::stream::{Begun, Stream, Streaming, begin};
use crate::structured;
use crate::trace::{Asked, Span};
use reasoning::Reasoning;

/// A model that reads one text, at a server with `/v1/completions`: llama.cpp, vLLM, and others.
///
/// The conversation is wrapped here by one of the [formats](prompt_core::format), and not by the server: what the model
/// reads is known to the byte, and data cannot forge a turn. What the model writes between the format's
/// [marks of reasoning](ChatFormat::reasoning_marks) is the reply's reasoning.
///
/// ```no_run
/// use prompt_client::Text;
/// use prompt_core::{Llm, Message, Messages, format};
///
/// # async fn run() -> prompt_core::Result<()> {
/// let llm = Text::at("http://localhost:8080/v1", "my-tuned-model", format::ALPACA)?;
/// let answer = llm.call(&Messages::from([Message::user("How deep is it?")])).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Text<F> {
    settings: Settings,
    address: Address,
    format: F,
    bos: bool,
    scoring: Scoring,
}

impl<F: ChatFormat> Text<F> {
    /// A model at a server, by its base URL with the path: `http://localhost:8080/v1`.
    ///
    /// JSON Schemas are described in words; [`with_structured`](Text::with_structured) says what the server can do.
    ///
    /// # Errors
    /// An address that is no `http` or `https` URL.
    ///
    /// ```
    /// use prompt_client::{Structured, Text};
    /// use prompt_core::format;
    ///
    /// let llm = Text::at("http://localhost:8080/v1", "llama", format::LLAMA2)?
    ///     .with_structured(Structured::Field("json_schema".into()));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn at(base_url: &str, model: &str, format: F) -> Result<Text<F>> {
        let address = Address::parse(base_url).map_err(|failure| failure.into_error(model))?;
        Ok(Text {
            settings: Settings::new(model, Key::none(), Structured::Described)?,
            address,
            format,
            bos: false,
            scoring: Scoring::default(),
        })
    }

    builders!(
        "# let llm = prompt_client::Text::at(\"http://localhost:8080/v1\", \"llama\", prompt_core::format::LLAMA2)?;"
    );

    /// Whether the token that begins a text is sent. It is not at first: the server's tokenizer adds it.
    ///
    /// ```
    /// use prompt_client::Text;
    /// use prompt_core::format;
    ///
    /// let llm = Text::at("http://localhost:8080/v1", "llama", format::LLAMA2)?.with_bos(true);
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn with_bos(mut self, sent: bool) -> Self {
        self.bos = sent;
        self
    }

    /// How the server is asked for the log-probabilities of a text, for [`Likelihood`](prompt_core::Likelihood). By
    /// [`Scoring::Echo`] at first.
    ///
    /// ```
    /// use prompt_client::{Scoring, Text};
    /// use prompt_core::format;
    ///
    /// let llm = Text::at("http://localhost:8080/v1", "llama", format::LLAMA2)?.with_scoring(Scoring::Steps);
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn with_scoring(mut self, scoring: Scoring) -> Self {
        self.scoring = scoring;
        self
    }

    fn prepare(&self, request: &Request, stream: bool) -> Result<Prepared> {
        let options = self.settings.options_for(request);
        let structured = request
            .schema
            .as_ref()
            .map(|_| self.settings.structured.clone());
        let format = (&self.format).bos(self.bos);
        let prompt = match (&request.schema, &structured) {
            (Some(schema), Some(Structured::Described)) => {
                format.text(&structured::describe(&request.messages, schema))
            }
            _ => format.text(&request.messages),
        }?;
        let body = wire::body(
            &self.settings,
            &prompt,
            request,
            &options,
            structured.as_ref(),
            stream,
        );
        let asked = Asked {
            operation: "text_completion",
            provider: "openai",
            model: self.model(),
            address: Some(&self.address),
            structured: structured.as_ref(),
            stream,
        };
        Ok(Prepared {
            span: Span::new(&self.settings, request, &options, &asked),
            options,
            body: body.to_string(),
            prompt,
            structured,
        })
    }

    /// Sends one request and waits for the head of the answer.
    async fn post(
        &self,
        route: reqwest::Url,
        body: &str,
        secret: Option<&Secret>,
        accept: &'static str,
    ) -> Result<reqwest::Response, Failure> {
        let mut sent = self.settings.http.post(route);
        if let Some(secret) = secret {
            let mut key =
                HeaderValue::from_str(&format!("Bearer {}", secret.reveal())).map_err(|_| {
                    Failure::new(
                        Cause::Key,
                        "the key holds characters that no header can carry",
                    )
                })?;
            key.set_sensitive(true);
            sent = sent.header(AUTHORIZATION, key);
        }
        let sent = sent
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, accept)
            .body(body.to_owned())
            .send();
        let mut response = sent.await.map_err(fault::http)?;
        let status = response.status();
        let kind = response
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or_default();
        if status.is_success() && kind.starts_with(accept) {
            return Ok(response);
        }
        let (kind, headers) = (kind.to_owned(), response.headers().clone());
        let said = read(&mut response, 1 << 16).await.unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        Err(match status.is_success() {
            true => fault::wrong_type(&kind, accept, &said),
            false => fault::status(status.as_u16(), &headers, &said),
        })
    }

    async fn ask(&self, request: &Request) -> Result<Reply> {
        let Prepared {
            options,
            body,
            prompt,
            structured,
            span,
        } = &self.prepare(request, false)?;
        let secret = self.secret().await?;
        let attempt = || async {
            let answer = async {
                let mut response = self
                    .post(self.route(), body, secret.as_ref(), "application/json")
                    .await?;
                wire::reply(&read(&mut response, self.settings.limit).await?)
            };
            match options.timeout {
                Some(timeout) => tokio::time::timeout(timeout, answer)
                    .await
                    .map_err(|_| fault::late(timeout))?,
                None => answer.await,
            }
        };
        match span.around(self.settings.retry.run(attempt)).await {
            Ok((mut reply, attempts)) => {
                self.reasoning(prompt, structured.as_ref())
                    .split(&mut reply);
                reply.structured.clone_from(structured);
                span.attempts(attempts);
                span.reply(&reply);
                Ok(reply)
            }
            Err(failure) => {
                span.failure(&failure);
                Err(self
                    .settings
                    .error(failure, secret.as_ref(), Some(&self.address)))
            }
        }
    }

    async fn begin(&self, request: &Request) -> Result<Stream> {
        let Prepared {
            options,
            body,
            prompt,
            structured,
            span,
        } = self.prepare(request, true)?;
        let secret = self.secret().await?;
        let attempt = || async {
            let sent = self.post(self.route(), &body, secret.as_ref(), "text/event-stream");
            let response = match options.timeout {
                Some(timeout) => tokio::time::timeout(timeout, sent)
                    .await
                    .map_err(|_| fault::late(timeout))?,
                None => sent.await,
            }?;
            begin(events::events(
                response,
                self.reasoning(&prompt, structured.as_ref()),
                options.timeout,
                self.settings.limit,
            ))
            .await
        };
        let begun: Result<(Begun, u32), Failure> =
            span.around(self.settings.retry.run(attempt)).await;
        let (settings, address) = (self.settings.clone(), self.address.clone());
        let fail = move |failure: Failure| settings.error(failure, secret.as_ref(), Some(&address));
        match begun {
            Ok((begun, attempts)) => {
                span.attempts(attempts);
                let limit = self.settings.limit;
                Ok(Stream::new(begun, limit, structured, span, fail))
            }
            Err(failure) => {
                span.failure(&failure);
                Err(fail(failure))
            }
        }
    }

    fn route(&self) -> reqwest::Url {
        self.address.route("completions")
    }

    fn reasoning(&self, prompt: &str, structured: Option<&Structured>) -> Reasoning {
        // A grammar holds the model from its first token on.
        let held = matches!(structured, Some(Structured::Native | Structured::Field(_)));
        Reasoning::new(self.format.reasoning_marks(), prompt, held)
    }

    async fn secret(&self) -> Result<Option<Secret>> {
        let secret = self.settings.key.resolve().await;
        secret.map_err(|failure| self.settings.error(failure, None, Some(&self.address)))
    }
}

/// A request that is ready to be sent.
struct Prepared {
    options: Options,
    body: String,
    prompt: String,
    structured: Option<Structured>,
    span: Span,
}

/// Reads a body, up to a number of bytes.
async fn read(response: &mut reqwest::Response, limit: usize) -> Result<Vec<u8>, Failure> {
    let mut body = Vec::new();
    while let Some(bytes) = response.chunk().await.map_err(fault::http)? {
        if body.len() + bytes.len() > limit {
            return Err(fault::too_large(limit));
        }
        body.extend_from_slice(&bytes);
    }
    Ok(body)
}

impl<F: ChatFormat> Llm for Text<F> {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply>> {
        Box::pin(self.ask(request))
    }

    fn reasks(&self) -> u32 {
        self.settings.options.reasks.unwrap_or_default()
    }
}

impl<F: ChatFormat> Streaming for Text<F> {
    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Stream>> {
        Box::pin(self.begin(request))
    }
}

impl<F: ChatFormat> fmt::Debug for Text<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Text")
            .field("model", &self.settings.model)
            .field("format", &self.format.family().name)
            .field("address", &self.address)
            .field("key", &self.settings.key)
            .field("structured", &self.settings.structured)
            .finish_non_exhaustive()
    }
}
