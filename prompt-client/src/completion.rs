//! Completion models, through `/v1/completions`.

mod log_probs;
mod protocol;
mod reasoning;
mod stream;

use std::fmt;

pub use log_probs::LogProbMethod;
use prompt_core::{BoxFuture, ChatFormat, Llm, Options, Reply, Request, Result, Structured};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};

use crate::api_key::ApiKey;
use crate::base_url::BaseUrl;
use crate::error::{CallError, CallErrorKind};
use crate::schema;
use crate::settings::{Call, Settings, builders, within};
use crate::stream::{ReplyStream, StreamingLlm, begin};
use crate::trace::{CallInfo, Span};
use reasoning::ReasoningParser;

/// A completion model at a server with `/v1/completions`: llama.cpp, vLLM, and others.
///
/// The conversation is formatted here by one of the [chat formats](prompt_core::format), not by the server. So the exact
/// prompt is known, and data cannot forge a message. Text between the
/// [reasoning delimiters](ChatFormat::reasoning_delimiters) of the format is the reasoning of the reply.
///
/// ```no_run
/// use prompt_client::CompletionModel;
/// use prompt_core::{Llm, Message, Messages, format};
///
/// # async fn run() -> prompt_core::Result<()> {
/// let llm = CompletionModel::at("http://localhost:8080/v1", "my-tuned-model", format::ALPACA)?;
/// let answer = llm.call(&Messages::from([Message::user("How deep is it?")])).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct CompletionModel<F> {
    settings: Settings,
    base_url: BaseUrl,
    format: F,
    bos: bool,
    log_prob_method: LogProbMethod,
}

impl<F: ChatFormat> CompletionModel<F> {
    /// A model at a server, by its base URL with the path: `http://localhost:8080/v1`.
    ///
    /// JSON Schemas are described in the prompt; [`with_structured`](CompletionModel::with_structured) sets another way
    /// that the server supports.
    ///
    /// # Errors
    /// The URL is invalid, or is not an `http` or `https` URL.
    ///
    /// ```
    /// use prompt_client::{CompletionModel, Structured};
    /// use prompt_core::format;
    ///
    /// let llm = CompletionModel::at("http://localhost:8080/v1", "llama", format::LLAMA2)?
    ///     .with_structured(Structured::Field("json_schema".into()));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn at(base_url: &str, model: &str, format: F) -> Result<CompletionModel<F>> {
        Ok(CompletionModel {
            settings: Settings::new(model, ApiKey::none(), Structured::Described)?,
            base_url: BaseUrl::parse(base_url).map_err(|error| error.into_error(model))?,
            format,
            bos: false,
            log_prob_method: LogProbMethod::default(),
        })
    }

    builders!(
        "# let llm = prompt_client::CompletionModel::at(\"http://localhost:8080/v1\", \"llama\", prompt_core::format::LLAMA2)?;"
    );

    /// Sets whether the BOS token is part of the prompt. It is not by default: the server's tokenizer adds it.
    ///
    /// ```
    /// use prompt_client::CompletionModel;
    /// use prompt_core::format;
    ///
    /// let llm = CompletionModel::at("http://localhost:8080/v1", "llama", format::LLAMA2)?.with_bos(true);
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn with_bos(mut self, sent: bool) -> Self {
        self.bos = sent;
        self
    }

    /// Sets how log-probabilities are requested, for [`Likelihood`](prompt_core::Likelihood). By
    /// [`LogProbMethod::Echo`] by default.
    ///
    /// ```
    /// use prompt_client::{CompletionModel, LogProbMethod};
    /// use prompt_core::format;
    ///
    /// let llm = CompletionModel::at("http://localhost:8080/v1", "llama", format::LLAMA2)?
    ///     .with_log_prob_method(LogProbMethod::ForcedTokens);
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn with_log_prob_method(mut self, method: LogProbMethod) -> Self {
        self.log_prob_method = method;
        self
    }

    async fn prepare(&self, request: &Request, stream: bool) -> Result<Prepared> {
        let options = self.settings.options_for(request);
        let structured = request
            .schema
            .as_ref()
            .map(|_| self.settings.structured.clone());
        let format = (&self.format).bos(self.bos);
        let messages = schema::describe(request, structured.as_ref());
        let prompt = format.text(&*messages)?;
        let body = protocol::body(
            &self.settings,
            &prompt,
            request,
            &options,
            structured.as_ref(),
            stream,
        );
        Ok(Prepared {
            call: self
                .call_for(request, &options, structured.as_ref(), stream)
                .await?,
            options,
            body: body.to_string(),
            prompt,
            structured,
        })
    }

    async fn call_for(
        &self,
        request: &Request,
        options: &Options,
        structured: Option<&Structured>,
        stream: bool,
    ) -> Result<Call> {
        let info = CallInfo {
            operation: "text_completion",
            provider: "openai",
            model: self.model(),
            base_url: Some(&self.base_url),
            structured,
            stream,
        };
        let span = Span::new(&self.settings, request, options, &info);
        let secret = self.settings.key.resolve().await;
        let error = |error| self.settings.error(error, None, Some(&self.base_url));
        Ok(Call {
            settings: self.settings.clone(),
            span,
            secret: secret.map_err(error)?,
            base_url: Some(self.base_url.clone()),
        })
    }

    /// Sends an attempt, and waits for the head of the response.
    async fn post(
        &self,
        call: &Call,
        url: reqwest::Url,
        body: &str,
        content_type: &'static str,
    ) -> Result<reqwest::Response, CallError> {
        let mut request = self.settings.http.post(url);
        if let Some(secret) = &call.secret {
            let header = HeaderValue::from_str(&format!("Bearer {}", secret.reveal()));
            let mut header = header.map_err(|_| {
                let message = "the API key contains characters that are not allowed in a header";
                CallError::new(CallErrorKind::Key, message)
            })?;
            header.set_sensitive(true);
            request = request.header(AUTHORIZATION, header);
        }
        let request = request
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, content_type)
            .body(body.to_owned());
        let mut response = request.send().await.map_err(CallError::from_http)?;
        let status = response.status();
        let headers = response.headers().clone();
        let found = headers
            .get(CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok());
        let found = found.unwrap_or_default();
        if status.is_success() && found.starts_with(content_type) {
            return Ok(response);
        }
        let body = read_body(&mut response, 1 << 16).await.unwrap_or_default();
        let body = String::from_utf8_lossy(&body);
        Err(match status.is_success() {
            true => CallError::wrong_content_type(found, content_type, &body),
            false => CallError::from_response(status.as_u16(), &headers, &body),
        })
    }

    async fn send_request(&self, request: &Request) -> Result<Reply> {
        let prepared = self.prepare(request, false).await?;
        let call = &prepared.call;
        let attempt = || {
            within(prepared.options.timeout, async {
                let url = self.endpoint();
                let sent = self.post(call, url, &prepared.body, "application/json");
                let limit = self.settings.max_response_bytes;
                protocol::parse(&read_body(&mut sent.await?, limit).await?)
            })
        };
        let mut reply = call.run(attempt).await?;
        self.reasoning_parser(&prepared).split(&mut reply);
        reply.structured = prepared.structured;
        call.span.reply(&reply);
        Ok(reply)
    }

    async fn open_stream(&self, request: &Request) -> Result<ReplyStream> {
        let prepared = self.prepare(request, true).await?;
        let call = &prepared.call;
        let timeout = prepared.options.timeout;
        let attempt = || async {
            let url = self.endpoint();
            let sent = self.post(call, url, &prepared.body, "text/event-stream");
            let response = within(timeout, sent).await?;
            let reasoning = self.reasoning_parser(&prepared);
            let limit = self.settings.max_response_bytes;
            begin(stream::events(response, reasoning, timeout, limit)).await
        };
        let events = call.run(attempt).await?;
        Ok(ReplyStream::new(
            events,
            prepared.structured,
            Some(prepared.call),
        ))
    }

    fn endpoint(&self) -> reqwest::Url {
        self.base_url.endpoint("completions")
    }

    fn reasoning_parser(&self, prepared: &Prepared) -> ReasoningParser {
        // A grammar constrains the model from its first token on.
        let constrained = matches!(
            prepared.structured,
            Some(Structured::Native | Structured::Field(_))
        );
        ReasoningParser::new(
            self.format.reasoning_delimiters(),
            &prepared.prompt,
            constrained,
        )
    }
}

/// A request that is ready to be sent.
struct Prepared {
    call: Call,
    options: Options,
    body: String,
    prompt: String,
    structured: Option<Structured>,
}

/// Reads a body up to a number of bytes.
async fn read_body(response: &mut reqwest::Response, limit: usize) -> Result<Vec<u8>, CallError> {
    let mut body = Vec::new();
    while let Some(bytes) = response.chunk().await.map_err(CallError::from_http)? {
        if body.len() + bytes.len() > limit {
            return Err(CallError::too_large(limit));
        }
        body.extend_from_slice(&bytes);
    }
    Ok(body)
}

impl<F: ChatFormat> Llm for CompletionModel<F> {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply>> {
        Box::pin(self.send_request(request))
    }

    fn output_retries(&self) -> u32 {
        self.settings.options.output_retries.unwrap_or_default()
    }
}

impl<F: ChatFormat> StreamingLlm for CompletionModel<F> {
    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<ReplyStream>> {
        Box::pin(self.open_stream(request))
    }
}

impl<F: ChatFormat> fmt::Debug for CompletionModel<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompletionModel")
            .field("model", &self.settings.model)
            .field("format", &self.format.family().name)
            .field("base_url", &self.base_url)
            .field("key", &self.settings.key)
            .field("structured", &self.settings.structured)
            .finish_non_exhaustive()
    }
}
