//! Chat models, through genai.

mod provider;
mod reasoning;
mod request;
mod response;
mod stream;

use std::fmt;

use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, ChatRequest};
use prompt_core::{BoxFuture, Llm, Options, Reply, Request, Result, Structured};

use crate::api_key::ApiKey;
use crate::base_url::BaseUrl;
use crate::error::{CallError, CallErrorKind};
use crate::schema;
use crate::settings::{Call, Settings, builders, within};
use crate::stream::{ReplyStream, StreamingLlm, begin};
use crate::trace::{CallInfo, Span};
use provider::{Provider, SchemaSupport, Target};
use reasoning::ReasoningCache;
use stream::RawFrames;

/// A chat model of any provider that genai supports, or of any server that implements OpenAI's protocol.
///
/// A request is retried as the [`RetryPolicy`](crate::RetryPolicy) defines. Dropping its future cancels it.
///
/// ```no_run
/// use prompt_client::ChatModel;
/// use prompt_core::{Llm, Message, Messages};
///
/// # async fn run() -> prompt_core::Result<()> {
/// let llm = ChatModel::new("anthropic::claude-sonnet-4-5")?; // the key is read from the provider's usual variable
/// let llm = ChatModel::at("http://localhost:8080/v1", "qwen3")?; // llama.cpp, vLLM, Ollama, a gateway …
/// let answer = llm.call(&Messages::from([Message::user("How deep is it?")])).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ChatModel {
    settings: Settings,
    provider: Provider,
    /// `None` for the provider's own URL.
    base_url: Option<BaseUrl>,
    requests_reasoning: bool,
    sends_reasoning: bool,
    reasoning_cache: ReasoningCache,
}

impl ChatModel {
    /// A model of a provider: `openai::gpt-4o`, `anthropic::claude-sonnet-4-5`, `gemini::gemini-2.5-pro`, `ollama::qwen3`,
    /// `groq::…`, `mistral::…`, `deepseek::…`, `open_router::…`, or any other provider of genai.
    ///
    /// Model names that belong to one provider (`gpt-…`, `claude-…`, `gemini-…`) do not need the prefix. The key is read
    /// from the provider's usual variable unless [`with_key`](ChatModel::with_key) sets another one.
    ///
    /// # Errors
    /// The name does not belong to a provider.
    ///
    /// ```
    /// use prompt_client::ChatModel;
    ///
    /// assert_eq!(ChatModel::new("openai::gpt-4o")?.provider(), "openai");
    /// assert!(ChatModel::new("my-model").is_err());
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn new(model: &str) -> Result<ChatModel> {
        let invalid = |message: String| CallError::new(CallErrorKind::Setup, message);
        let kind = AdapterKind::from_model(model)
            .map_err(|error| invalid(error.to_string()).into_error(model))?;
        // genai assigns any unknown name to Ollama.
        if kind == AdapterKind::Ollama && !model.starts_with("ollama::") {
            let error = invalid(format!("the provider of the model `{model}` is not known"))
                .with_help(
                    "write `provider::model`, or give the server's URL with `ChatModel::at`",
                );
            return Err(error.into_error(model));
        }
        let key = kind
            .default_key_env_name()
            .map_or_else(ApiKey::none, ApiKey::env);
        ChatModel::build(model, Provider::new(kind, false), None, key)
    }

    /// A model at a server that implements OpenAI's protocol, by its base URL with the path: `http://localhost:8080/v1`.
    ///
    /// The name is sent unchanged, and no key is sent unless [`with_key`](ChatModel::with_key) sets one.
    ///
    /// # Errors
    /// The URL is invalid, or is not an `http` or `https` URL.
    ///
    /// ```
    /// use prompt_client::{ApiKey, ChatModel};
    ///
    /// let llm = ChatModel::at("https://llm.example.com/v1", "qwen3")?.with_key(ApiKey::env("ACME_KEY"));
    /// assert!(ChatModel::at("llm.example.com", "qwen3").is_err());
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn at(base_url: &str, model: &str) -> Result<ChatModel> {
        let base_url = BaseUrl::parse(base_url).map_err(|error| error.into_error(model))?;
        let provider = Provider::new(AdapterKind::OpenAI, true);
        ChatModel::build(model, provider, Some(base_url), ApiKey::none())
    }

    fn build(
        model: &str,
        provider: Provider,
        base_url: Option<BaseUrl>,
        key: ApiKey,
    ) -> Result<ChatModel> {
        let structured = match provider.schema {
            SchemaSupport::Unsupported => Structured::Described,
            _ => Structured::Native,
        };
        Ok(ChatModel {
            settings: Settings::new(model, key, structured)?,
            provider,
            base_url,
            requests_reasoning: false,
            sends_reasoning: true,
            reasoning_cache: ReasoningCache::default(),
        })
    }

    /// Sets another URL for the protocol of the same provider: a proxy, a gateway, a mirror.
    ///
    /// # Errors
    /// The URL is invalid, or is not an `http` or `https` URL.
    ///
    /// ```
    /// use prompt_client::ChatModel;
    ///
    /// let llm = ChatModel::new("ollama::qwen3")?.with_base_url("http://10.0.0.2:11434")?;
    /// assert_eq!(llm.provider(), "ollama");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn with_base_url(mut self, base_url: &str) -> Result<ChatModel> {
        let base_url = BaseUrl::parse(base_url).map_err(|error| error.into_error(self.model()))?;
        self.base_url = Some(base_url);
        Ok(self)
    }

    /// Sets whether the provider is asked to return its reasoning. It is not by default.
    ///
    /// OpenAI's Responses API and Gemini return a summary of their reasoning only if the request asks for it, and reject
    /// such a request for models that do not reason. It includes the blocks that they want back in the next turn. Other
    /// providers return reasoning without being asked whenever their model reasons: [`Reply::reasoning`].
    ///
    /// ```
    /// let llm = prompt_client::ChatModel::new("gemini::gemini-2.5-pro")?.with_reasoning(true);
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn with_reasoning(mut self, requested: bool) -> ChatModel {
        self.requests_reasoning = requested;
        self
    }

    /// Sets whether the [reasoning](prompt_core::Message::reasoning) of earlier turns is sent back. It is by default.
    ///
    /// | provider | format |
    /// | --- | --- |
    /// | [`ChatModel::at`], DeepSeek, Kimi, OpenRouter and others with OpenAI's protocol | the field `reasoning_content`, from any model; Mistral has its own format |
    /// | Anthropic, Gemini, OpenAI's Responses API, Bedrock | the signed or encrypted blocks that they returned, which this `ChatModel` and its clones keep |
    /// | OpenAI's older API, Groq, Cohere, Ollama's own protocol | none |
    ///
    /// The last two groups do not accept the reasoning of another model. It is omitted from turns before the last user
    /// message, as these providers do themselves; in a turn that continues after a tool call, it is an error.
    ///
    /// ```
    /// let llm = prompt_client::ChatModel::at("http://localhost:8080/v1", "qwen3")?.with_reasoning_sent(false);
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn with_reasoning_sent(mut self, sent: bool) -> ChatModel {
        self.sends_reasoning = sent;
        self
    }

    /// The provider whose protocol is used.
    ///
    /// ```
    /// assert_eq!(prompt_client::ChatModel::at("http://localhost:8080/v1", "qwen3")?.provider(), "openai");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn provider(&self) -> &'static str {
        self.provider.kind.as_lower_str()
    }

    builders!(
        "# let llm = prompt_client::ChatModel::at(\"http://localhost:8080/v1\", \"qwen3\")?;"
    );

    /// How this schema is passed to the model: as [`structured`](ChatModel::structured) defines, but in the prompt if the
    /// provider would reject the schema.
    ///
    /// If the prompt has tools as well, the schema is in the prompt too for servers that accept only one of both: the
    /// user's own server, and Gemini. [`Reply::structured`] contains the actual way.
    ///
    /// ```
    /// use prompt_client::{ChatModel, Structured};
    /// use serde_json::json;
    ///
    /// let llm = ChatModel::new("openai::gpt-4o")?;
    /// let closed = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    /// assert_eq!(llm.structured_for(&closed), Structured::Native);
    /// let map = json!({"type": "object", "additionalProperties": {"type": "string"}});
    /// assert_eq!(llm.structured_for(&map), Structured::Described);
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn structured_for(&self, schema: &serde_json::Value) -> Structured {
        match (self.provider.schema, &self.settings.structured) {
            (SchemaSupport::Subset(subset), Structured::Native)
                if subset.write(schema).is_none() =>
            {
                Structured::Described
            }
            (_, structured) => structured.clone(),
        }
    }

    fn prepare(&self, request: &Request) -> Result<Prepared> {
        request.messages.check()?;
        let options = self.settings.options_for(request);
        let has_tools = !request.messages.tools().is_empty();
        let structured = request.schema.as_ref().map(|schema| {
            match has_tools && self.provider.schema_excludes_tools() {
                true => Structured::Described,
                false => self.structured_for(schema),
            }
        });
        let messages = schema::describe(request, structured.as_ref());
        let chat = self.chat_request(&messages);
        let chat = chat.map_err(|error| self.settings.error(error, None, None))?;
        let genai = self.chat_options(request, &options, structured.as_ref());
        Ok(Prepared {
            options,
            structured,
            chat,
            genai,
        })
    }

    fn call_to(
        &self,
        target: &Target,
        request: &Request,
        prepared: &Prepared,
        stream: bool,
    ) -> Call {
        let model = self.model();
        let info = CallInfo {
            operation: "chat",
            provider: self.provider(),
            model: match self.provider.own_server {
                true => model,
                false => model.rsplit_once("::").map_or(model, |(_, name)| name),
            },
            base_url: target.base_url.as_ref(),
            structured: prepared.structured.as_ref(),
            stream,
        };
        Call {
            span: Span::new(&self.settings, request, &prepared.options, &info),
            settings: self.settings.clone(),
            secret: target.secret.clone(),
            base_url: target.base_url.clone(),
        }
    }

    async fn send_request(&self, request: &Request) -> Result<Reply> {
        let prepared = self.prepare(request)?;
        let target = self.target().await?;
        let call = self.call_to(&target, request, &prepared, false);
        let attempt = || async {
            let (service, chat) = (target.service.clone(), prepared.chat.clone());
            let sent = target.genai.exec_chat(service, chat, Some(&prepared.genai));
            let response = within(prepared.options.timeout, async { Ok(sent.await) }).await?;
            let body = match &response {
                Ok(response) => response.captured_raw_body.as_ref(),
                Err(error) => response::unparsed_body(error),
            };
            let reply = match body.filter(|_| self.provider.openai) {
                Some(body) => {
                    response::parse_openai(body, &target.service.model, &self.reasoning_cache)
                }
                None => response::parse(
                    response.map_err(response::call_error)?,
                    &self.reasoning_cache,
                ),
            }?;
            let settings = &self.settings;
            settings.check_size(&reply.text, reply.reasoning.as_deref())?;
            Ok(reply)
        };
        let mut reply = call.run(attempt).await?;
        reply.structured = prepared.structured;
        call.span.reply(&reply);
        Ok(reply)
    }

    async fn open_stream(&self, request: &Request) -> Result<ReplyStream> {
        let mut prepared = self.prepare(request)?;
        prepared.genai.stream_header_timeout = prepared.options.timeout;
        prepared.genai.stream_read_timeout = prepared.options.timeout;
        let target = self.target().await?;
        let call = self.call_to(&target, request, &prepared, true);
        let attempt = || async {
            let mut options = prepared.genai.clone();
            let frames = self
                .provider
                .openai
                .then(|| RawFrames::capture(&mut options));
            let (service, chat) = (target.service.clone(), prepared.chat.clone());
            let response = target
                .genai
                .exec_chat_stream(service, chat, Some(&options))
                .await
                .map_err(response::call_error)?;
            let cache = self.reasoning_cache.clone();
            begin(match frames {
                Some(frames) => frames.events(response, cache),
                None => stream::events(response, cache),
            })
            .await
        };
        let events = call.run(attempt).await?;
        Ok(ReplyStream::new(events, prepared.structured, Some(call)))
    }
}

/// A request in genai's types.
struct Prepared {
    options: Options,
    structured: Option<Structured>,
    chat: ChatRequest,
    genai: ChatOptions,
}

impl Llm for ChatModel {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply>> {
        Box::pin(self.send_request(request))
    }

    fn output_retries(&self) -> u32 {
        self.settings.options.output_retries.unwrap_or_default()
    }
}

impl StreamingLlm for ChatModel {
    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<ReplyStream>> {
        Box::pin(self.open_stream(request))
    }
}

impl fmt::Debug for ChatModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChatModel")
            .field("model", &self.settings.model)
            .field("provider", &self.provider())
            .field("base_url", &self.base_url)
            .field("key", &self.settings.key)
            .field("structured", &self.settings.structured)
            .finish_non_exhaustive()
    }
}
