//! Completion models, through `/v1/completions`.

mod log_probs;
mod protocol;

use std::fmt;

pub use log_probs::LogProbMethod;
use prompt_core::format::{AnswerParser, ConversationTemplate, Family};
use prompt_core::{
    BoxFuture, ChatFormat, Llm, Message, Messages, ModelInfo, OnChunk, Options, Prompt, Reply,
    Request, Result, Structured,
};

use crate::answer::OnEnd;
use crate::api_key::ApiKey;
use crate::base_url::BaseUrl;
use crate::chat::request::complete_calls;
use crate::error::{CallError, CallErrorKind};
use crate::http::Endpoint;
use crate::open_call::OpenCall;
use crate::schema;
use crate::settings::{ModelSettings, builders};
use crate::sse::Framing;
use crate::stream::ReplyStream;
use crate::streaming_llm::{StreamingLlm, send_chunks};
use crate::trace::CallInfo;
use protocol::CompletionReader;

/// A completion model at a server with `/v1/completions`: llama.cpp, vLLM, and others.
///
/// The conversation is formatted here by one of the [chat formats](prompt_core::format), not by the server. So the exact
/// prompt is known, and data cannot forge a message. An [`AnswerParser`] separates reasoning and tool calls from the text of
/// the answer, by the syntax of the format's family. An invalid tool call is an error with its position. The tools are
/// written into the prompt by the format; a family without a syntax of tool calls is an error. Reasoning of earlier turns is
/// left out if the format does not support it.
///
/// Each [option](prompt_core::Options) of requests is a method, with the same defaults as those of a
/// [`ChatModel`](crate::ChatModel).
///
/// For a model whose tokenizer has more control tokens than its family, give the format its `tokenizer.json`:
/// [`format::LLAMA3.tokenizer(&json)?`](ChatFormat::tokenizer).
///
/// ```no_run
/// use typed_prompt::{Llm, Message, Messages, client::CompletionModel, format};
///
/// # async fn run() -> typed_prompt::Result<()> {
/// let llm = CompletionModel::new("http://localhost:8080/v1", "my-tuned-model", format::ALPACA)?;
/// let answer = llm.call(&Messages::from([Message::user("How deep is it?")])).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[must_use = "a model sends nothing before it is called"]
pub struct CompletionModel<F> {
    settings: ModelSettings,
    base_url: BaseUrl,
    format: F,
    bos: bool,
    log_prob_method: LogProbMethod,
    tool_syntax: Option<&'static Family>,
}

impl<F: ChatFormat> CompletionModel<F> {
    /// A model at a server, by its base URL with the path: `http://localhost:8080/v1`.
    ///
    /// JSON Schemas are described in the prompt; [`structured`](CompletionModel::structured) sets another way
    /// that the server supports.
    ///
    /// # Errors
    /// The URL is invalid, or is not an `http` or `https` URL.
    ///
    /// ```
    /// use typed_prompt::{client::CompletionModel, format, llm::Structured};
    ///
    /// let llm = CompletionModel::new("http://localhost:8080/v1", "llama", format::LLAMA2)?
    ///     .structured(Structured::Field("json_schema".into()));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn new(base_url: &str, model: &str, format: F) -> Result<CompletionModel<F>> {
        Ok(CompletionModel {
            settings: ModelSettings::new(model, ApiKey::none(), Structured::Described)?,
            base_url: BaseUrl::parse(base_url).map_err(|error| error.into_error(model))?,
            format,
            bos: false,
            log_prob_method: LogProbMethod::default(),
            tool_syntax: None,
        })
    }

    builders!(
        "# let llm = typed_prompt::client::CompletionModel::new(\"http://localhost:8080/v1\", \"llama\", typed_prompt::format::LLAMA2)?;"
    );

    /// Sets whether the BOS token is part of the prompt. It is not by default: the server's tokenizer adds it.
    ///
    /// ```
    /// use typed_prompt::{client::CompletionModel, format};
    ///
    /// let llm = CompletionModel::new("http://localhost:8080/v1", "llama", format::LLAMA2)?.bos(true);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn bos(mut self, sent: bool) -> Self {
        self.bos = sent;
        self
    }

    /// Sets how log-probabilities are requested, for [`Likelihood`](prompt_core::Likelihood). By
    /// [`LogProbMethod::Echo`] by default.
    ///
    /// ```
    /// use typed_prompt::{client::{CompletionModel, LogProbMethod}, format};
    ///
    /// let llm = CompletionModel::new("http://localhost:8080/v1", "llama", format::LLAMA2)?
    ///     .log_prob_method(LogProbMethod::ForcedTokens);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn log_prob_method(mut self, method: LogProbMethod) -> Self {
        self.log_prob_method = method;
        self
    }

    /// Sets the family that defines the syntax of tool calls in answers. By default it is the format's own; for a model's own
    /// chat template, the one whose delimiters the template contains.
    ///
    /// ```
    /// use typed_prompt::{client::CompletionModel, format};
    ///
    /// let llm = CompletionModel::new("http://localhost:8080/v1", "hermes", format::CHATML)?
    ///     .tool_syntax(&format::QWEN3);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn tool_syntax(mut self, format: &dyn ChatFormat) -> Self {
        self.tool_syntax = Some(format.family());
        self
    }

    async fn prepare_request(&self, request: &Request, stream: bool) -> Result<PreparedCompletion> {
        if let Some(tool) = request.messages.tools().first()
            && self.format.family().tools
            && self.call_syntax().turns.answer_calls.is_empty()
        {
            return Err(self.tools_unsupported(tool.name()));
        }
        let options = self.settings.options_for(request);
        if let Some(option) = chat_option(&options) {
            let message = format!("a completion model does not accept the option `{option}`");
            let error = CallError::new(CallErrorKind::Setup, message)
                .with_help("unset it, or send a field of the server with `Options::fields`");
            return Err(error.into_error(self.model()));
        }
        let structured = request
            .schema
            .as_ref()
            .map(|_| self.settings.structured.clone());
        if structured == Some(Structured::Tool) {
            let message = "a completion model does not support `Structured::Tool`";
            let help =
                "set `Structured::Described`, or the field in which the server takes a schema";
            let error = CallError::new(CallErrorKind::Setup, message).with_help(help);
            return Err(error.into_error(self.model()));
        }
        let format = (&self.format).bos(self.bos);
        let mut messages = schema::describe_answer(request, structured.as_ref(), &options);
        if self.format.family().template == ConversationTemplate::Mistral {
            // Its template requires ids, which its models do not write.
            let completed = complete_calls(messages.to_mut());
            completed.map_err(|error| error.into_error(self.model()))?;
        }
        let prompt = Prompt::to_text(&*messages, &format).or_else(|error| {
            if messages.iter().all(|message| message.reasoning.is_none()) {
                return Err(error);
            }
            // Other templates leave it out.
            let messages = messages.to_mut();
            messages
                .iter_mut()
                .for_each(|message| message.reasoning = None);
            Prompt::to_text(&*messages, &format)
        })?;
        let body = protocol::write_body(
            &self.settings,
            &prompt,
            request,
            &options,
            structured.as_ref(),
            stream,
        );
        Ok(PreparedCompletion {
            call: self
                .call_for(request, options, structured.as_ref(), stream)
                .await?,
            body: body.to_string(),
            prompt,
            structured,
        })
    }

    /// The family that defines the syntax of tool calls.
    fn call_syntax(&self) -> &'static Family {
        self.tool_syntax
            .unwrap_or_else(|| self.format.call_family())
    }

    fn tools_unsupported(&self, tool: &str) -> prompt_core::Error {
        let message = format!(
            "the tool `{tool}` is offered, but the syntax of tool calls of {} is not known",
            self.format.family().title
        );
        let error = CallError::new(CallErrorKind::Setup, message).with_help(
            "set the family whose syntax the model writes: `.tool_syntax(&format::LLAMA4)` for calls in Python, `[tide(day=1)]`, \
             `.tool_syntax(&format::QWEN3)` for calls in JSON between `<tool_call>` tags; or use `ChatModel::openai_compatible`, where the server parses calls",
        );
        error.into_error(self.model())
    }

    async fn call_for(
        &self,
        request: &Request,
        options: Options,
        structured: Option<&Structured>,
        stream: bool,
    ) -> Result<OpenCall> {
        let info = CallInfo {
            operation: "text_completion",
            provider: "openai",
            model: self.model(),
            structured,
            stream,
        };
        OpenCall::open(&self.settings, &self.base_url, request, options, &info).await
    }

    async fn send_request(&self, request: &Request) -> Result<Reply> {
        let prepared = self.prepare_request(request, false).await?;
        let reader = || (self.answer_reader(&prepared, request, false), no_cache());
        let structured = prepared.structured.clone();
        let call = &prepared.call;
        let endpoint = self.endpoint();
        let reply = call.send_request(request, &endpoint, &prepared.body, structured, reader);
        let reply = reply.await?;
        call.span.record_reply(&reply);
        Ok(reply)
    }

    async fn open_stream(&self, request: &Request) -> Result<ReplyStream> {
        let prepared = self.prepare_request(request, true).await?;
        let reader = self.answer_reader(&prepared, request, true);
        let (call, structured) = (prepared.call, prepared.structured);
        let (endpoint, framing) = (self.endpoint(), Framing::Events);
        let reader = || (reader.clone(), no_cache());
        let body = &prepared.body;
        let stream = call.open_stream(request, &endpoint, body, framing, structured, reader, None);
        stream.await
    }

    fn describe_model(&self) -> ModelInfo {
        let turns = [
            Message::user("Q"),
            Message::assistant("A"),
            Message::user("Q"),
        ];
        // A format that cannot write this conversation has its name alone.
        let sample = (&self.format)
            .bos(self.bos)
            .format_messages(&Messages::from(turns));
        let sample = sample.map(|text| text.as_str().to_owned());
        ModelInfo::new(self.model())
            .format(self.format.family().name, &sample.unwrap_or_default())
            .options(self.settings.options.clone())
            .has_prices(self.settings.prices.is_some())
    }

    fn endpoint(&self) -> Endpoint {
        Endpoint::new(self.base_url.endpoint("completions"))
    }

    fn answer_reader(
        &self,
        prepared: &PreparedCompletion,
        request: &Request,
        stream: bool,
    ) -> CompletionReader {
        // A grammar constrains the model from its first token on.
        let is_constrained = matches!(
            prepared.structured,
            Some(Structured::Native | Structured::Field(_))
        );
        let parser = AnswerParser::new(&self.format);
        let parser = match self.tool_syntax {
            Some(family) => parser.syntax(family),
            None => parser,
        };
        let parser = parser.prompt(&prepared.prompt, is_constrained);
        let parser = if stream { parser } else { parser.complete() };
        CompletionReader::new(parser.tools(request.messages.tools()))
    }
}

/// A request that is ready to be sent.
struct PreparedCompletion {
    call: OpenCall,
    body: String,
    prompt: String,
    structured: Option<Structured>,
}

/// Completions have no reasoning blocks for later requests.
fn no_cache() -> OnEnd {
    Box::new(|_| {})
}

impl<F: ChatFormat> Llm for CompletionModel<F> {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply>> {
        Box::pin(self.send_request(request))
    }

    fn send_streamed<'a>(
        &'a self,
        request: &'a Request,
        on_chunk: OnChunk<'a>,
    ) -> BoxFuture<'a, Result<Reply>> {
        Box::pin(send_chunks(self, request, on_chunk))
    }

    fn default_output_retries(&self) -> u32 {
        self.settings.options.output_retries.unwrap_or_default()
    }

    fn model_info(&self) -> Option<ModelInfo> {
        Some(self.describe_model())
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

/// The name of an option that is set, and which only chats have.
fn chat_option(options: &Options) -> Option<&'static str> {
    [
        ("tool_choice", options.tool_choice.is_some()),
        ("parallel_tool_calls", options.parallel_tool_calls.is_some()),
        ("reasoning_effort", options.reasoning_effort.is_some()),
        ("log_probs", options.log_probs.is_some()),
        ("prompt_cache", options.prompt_cache.is_some()),
        ("prompt_cache_ttl", options.prompt_cache_ttl.is_some()),
    ]
    .into_iter()
    .find_map(|(name, is_set)| is_set.then_some(name))
}
