//! Chat models of every provider.

mod draft;
mod protocol;
pub(crate) mod provider;
mod reasoning;
pub(crate) mod request;
mod stored_prompt;
pub(crate) mod support;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use prompt_core::{
    BoxFuture, Error, Llm, Messages, ModelInfo, OnChunk, Options, PromptCache, Reply, Request,
    Result, Structured, ToolChoice,
};
use serde_json::{Map, Value};

use crate::answer::{AnswerReader, OnEnd};
use crate::api_key::ApiKey;
use crate::base_url::BaseUrl;
use crate::error::{CallError, CallErrorKind};
use crate::http::Endpoint;
use crate::open_call::OpenCall;
use crate::schema::{
    self, AnswerCalls, AnswerTool, Restore, Restored, close_objects, insert_at, response_format,
    schema_name, without_metadata,
};
use crate::settings::{ModelSettings, builders};
use crate::stream::ReplyStream;
use crate::streaming_llm::{StreamingLlm, send_chunks};
use crate::trace::CallInfo;
use draft::RequestDraft;
use provider::{OWN_SERVER, Provider, all_providers};
use reasoning::ReasoningCache;
use request::{check_support, complete_messages};
use support::{ReasoningFormat, SchemaSupport};

/// A chat model of a provider, or of any server that implements OpenAI's protocol.
///
/// A part of a request that the provider does not accept is an error, which names the part and the provider. Nothing is
/// left out silently. The page `typed_prompt::docs::providers` lists what each provider accepts.
///
/// A request is retried as the [`RetryPolicy`](crate::RetryPolicy) defines. Dropping its future cancels it. Each [option](prompt_core::Options) of
/// requests is a method: `.max_tokens(80)`, `.temperature(0.0)`. Options of a request take precedence. The timeout applies to one
/// attempt: to the whole answer, or to each pause between two parts of a streamed answer, which keep-alives of the server do not
/// end. It is five minutes by default. An answer that does not match the output type is requested again once by default.
///
/// ```no_run
/// use typed_prompt::{Llm, Message, Messages, client::ChatModel};
///
/// # async fn run() -> typed_prompt::Result<()> {
/// let llm = ChatModel::new("anthropic::claude-sonnet-4-5")?; // the key is read from the provider's usual variable
/// let llm = ChatModel::openai_compatible("http://localhost:8080/v1", "qwen3")? // llama.cpp, vLLM, Ollama, a gateway …
///     .max_tokens(80)
///     .temperature(0.0);
/// let answer = llm.call(&Messages::from([Message::user("How deep is it?")])).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[must_use = "a model sends nothing before it is called"]
pub struct ChatModel {
    settings: ModelSettings,
    provider: &'static Provider,
    /// The name of the model without the prefix of its provider.
    name: Arc<str>,
    base_url: BaseUrl,
    requests_reasoning: bool,
    sends_reasoning: bool,
    reasoning_cache: ReasoningCache,
}

impl ChatModel {
    /// A model of a provider: `openai::gpt-4o`, `openai_resp::gpt-5` (the Responses API), `anthropic::claude-sonnet-4-5`,
    /// `gemini::gemini-2.5-pro`, `ollama::qwen3`, `groq::…`, `mistral::…`, `deepseek::…`, `open_router::…`, or any other
    /// provider in `typed_prompt::docs::providers`.
    ///
    /// Model names that belong to one provider (`gpt-…`, `claude-…`, `gemini-…`) do not need the prefix. The key is read
    /// from the provider's usual variable unless [`key`](ChatModel::key) sets another one.
    ///
    /// # Errors
    /// The name does not belong to a provider.
    ///
    /// ```
    /// use typed_prompt::client::ChatModel;
    ///
    /// assert_eq!(ChatModel::new("openai::gpt-4o")?.provider(), "openai");
    /// assert!(ChatModel::new("my-model").is_err());
    /// let error = ChatModel::new("opnai::gpt-4o").unwrap_err();
    /// assert!(error.help().is_some_and(|help| help.starts_with("did you mean `openai::gpt-4o`?")));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn new(model: &str) -> Result<ChatModel> {
        let (provider, name) =
            Provider::from_model(model).ok_or_else(|| unknown_provider_error(model))?;
        let key = provider.key_variable.map_or_else(ApiKey::none, ApiKey::env);
        ChatModel::build(model, name, provider, provider.base_url, key)
    }

    /// A model at a server that implements OpenAI's protocol, by its base URL with the path: `http://localhost:8080/v1`.
    ///
    /// The name is sent unchanged, and no key is sent unless [`key`](ChatModel::key) sets one.
    ///
    /// # Errors
    /// The URL is invalid, or is not an `http` or `https` URL.
    ///
    /// ```
    /// use typed_prompt::client::{ApiKey, ChatModel};
    ///
    /// let llm = ChatModel::openai_compatible("https://llm.example.com/v1", "qwen3")?.key(ApiKey::env("ACME_KEY"));
    /// assert!(ChatModel::openai_compatible("llm.example.com", "qwen3").is_err());
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn openai_compatible(base_url: &str, model: &str) -> Result<ChatModel> {
        ChatModel::build(model, model, &OWN_SERVER, base_url, ApiKey::none())
    }

    fn build(
        model: &str,
        name: &str,
        provider: &'static Provider,
        base_url: &str,
        key: ApiKey,
    ) -> Result<ChatModel> {
        let structured = match provider.schema {
            SchemaSupport::Unsupported => Structured::Described,
            _ => Structured::Native,
        };
        Ok(ChatModel {
            settings: ModelSettings::new(model, key, structured)?,
            provider,
            name: name.into(),
            base_url: BaseUrl::parse(base_url).map_err(|error| error.into_error(model))?,
            requests_reasoning: false,
            sends_reasoning: true,
            reasoning_cache: ReasoningCache::default(),
        })
    }

    /// Sets another URL for the protocol of the same provider: a proxy, a gateway, a mirror. It contains the path before that of the
    /// method, as the provider's own does: `https://api.anthropic.com/v1/`, `http://localhost:11434/` for Ollama. docs/providers.md has them.
    ///
    /// # Errors
    /// The URL is invalid, or is not an `http` or `https` URL.
    ///
    /// ```
    /// use typed_prompt::client::ChatModel;
    ///
    /// let llm = ChatModel::new("ollama::qwen3")?.base_url("http://10.0.0.2:11434")?;
    /// assert_eq!(llm.provider(), "ollama");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn base_url(mut self, base_url: &str) -> Result<ChatModel> {
        self.base_url = BaseUrl::parse(base_url).map_err(|error| error.into_error(self.model()))?;
        Ok(self)
    }

    /// Sets whether the provider is asked to return its reasoning. It is not by default.
    ///
    /// OpenAI's Responses API and Gemini return a summary of their reasoning only if the request asks for it, and reject
    /// such a request for models that do not reason. It includes the blocks that they want back in the next turn. Other
    /// providers return reasoning without being asked whenever their model reasons: [`Reply::reasoning`].
    ///
    /// ```
    /// let llm = typed_prompt::client::ChatModel::new("gemini::gemini-2.5-pro")?.reasoning(true);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn reasoning(mut self, requested: bool) -> ChatModel {
        self.requests_reasoning = requested;
        self
    }

    /// Sets whether the [reasoning](prompt_core::Message::reasoning) of earlier turns is sent back. It is by default.
    ///
    /// | provider | format |
    /// | --- | --- |
    /// | [`ChatModel::openai_compatible`], DeepSeek, Kimi, OpenRouter and others with OpenAI's protocol | the field `reasoning_content`, from any model; Mistral, Cohere and Ollama have their own fields |
    /// | Anthropic, Gemini, OpenAI's Responses API | the signed or encrypted blocks that they returned, which this `ChatModel` and its clones keep |
    /// | OpenAI's older API, Groq | none |
    ///
    /// The last two groups do not accept the reasoning of another model. It is omitted from turns before the last user
    /// message, as these providers do themselves; in a turn that continues after a tool call, it is an error.
    ///
    /// ```
    /// let llm = typed_prompt::client::ChatModel::openai_compatible("http://localhost:8080/v1", "qwen3")?.reasoning_sent(false);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn reasoning_sent(mut self, sent: bool) -> ChatModel {
        self.sends_reasoning = sent;
        self
    }

    /// The provider whose protocol is used.
    ///
    /// ```
    /// assert_eq!(typed_prompt::client::ChatModel::openai_compatible("http://localhost:8080/v1", "qwen3")?.provider(), "openai");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn provider(&self) -> &'static str {
        self.provider.name
    }

    builders!(
        "# let llm = typed_prompt::client::ChatModel::openai_compatible(\"http://localhost:8080/v1\", \"qwen3\")?;"
    );

    /// How this schema is passed to the model: as [`structured`](ChatModel::structured) defines, but in the prompt if the
    /// provider would reject the schema.
    ///
    /// Types that a provider does not support are replaced in its request, and the text of the reply is converted back while
    /// it arrives: a root that is not an object, maps, and tuples. `typed_prompt::docs::structured_output` lists which types are native.
    ///
    /// If the prompt has tools as well, the answer is a tool, [`Structured::Tool`], for servers that accept only one of both: the
    /// user's own server, Gemini, Ollama and Cohere. A request that has to call a tool ([`ToolChoice::Required`](prompt_core::ToolChoice)) has no schema there,
    /// and a request with a [stored prompt](prompt_core::PromptCache::Stored), whose tools cannot be changed, has the schema itself.
    /// [`Reply::structured`] contains the actual way.
    ///
    /// ```
    /// use typed_prompt::{client::ChatModel, llm::Structured};
    /// use serde_json::json;
    ///
    /// let llm = ChatModel::new("openai::gpt-4o")?;
    /// let list = json!({"type": "array", "items": {"type": "string"}});
    /// assert_eq!(llm.structured_for(&list), Structured::Native);
    /// let anything = json!({"type": "object", "additionalProperties": true});
    /// assert_eq!(llm.structured_for(&anything), Structured::Described);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn structured_for(&self, schema: &serde_json::Value) -> Structured {
        match (self.provider.schema, &self.settings.structured) {
            (SchemaSupport::Subset(subset), Structured::Native)
                if subset.narrow_schema(schema).is_none() =>
            {
                Structured::Described
            }
            (_, structured) => structured.clone(),
        }
    }

    async fn prepare_request(&self, request: &Request, stream: bool) -> Result<PreparedChat> {
        let mut options = self.settings.options_for(request);
        let redacted = |error| self.settings.redacted_error(error, [], &self.base_url);
        let (structured, answer_tool) = self
            .structured_with_tools(request, &options)
            .map_err(redacted)?;
        let messages = match &answer_tool {
            Some(tool) => tool.offer(&request.messages, &mut options, self.provider.tool_choice),
            None => schema::describe_answer(request, structured.as_ref(), &options),
        };
        let body = self.write_body(request, &messages, &options, structured.as_ref(), stream);
        let (body, restore) = body.map_err(redacted)?;
        let info = CallInfo {
            operation: "chat",
            provider: self.provider(),
            model: &self.name,
            structured: structured.as_ref(),
            stream,
        };
        let call = OpenCall::open(&self.settings, &self.base_url, request, options, &info).await?;
        Ok(PreparedChat {
            call,
            structured,
            body: body.to_string(),
            answer_tool: answer_tool.as_ref().map(|tool| tool.name().to_owned()),
            restore: match answer_tool {
                Some(tool) => tool.restore,
                None => restore,
            },
        })
    }

    /// How the schema of a request is passed to the model, and the tool that the answer is.
    fn structured_with_tools(
        &self,
        request: &Request,
        options: &Options,
    ) -> Result<(Option<Structured>, Option<AnswerTool>), CallError> {
        let Some(schema) = &request.schema else {
            return Ok((None, None));
        };
        let structured = self.structured_for(schema);
        if let Some(PromptCache::Stored(stored)) = &options.prompt_cache {
            // The tools are those of the stored prompt.
            if structured != Structured::Tool {
                return Ok((Some(structured), None));
            }
            let name = stored.name();
            let message = format!(
                "the answer cannot be a tool, `Structured::Tool`: the tools are those of the stored prompt `{name}`"
            );
            let error = CallError::new(CallErrorKind::Setup, message);
            return Err(error.with_help(
                "set `Structured::Native` or `Structured::Described`, or unset `prompt_cache`",
            ));
        }
        let has_tools = !request.messages.tools().is_empty();
        let is_excluded = has_tools && self.provider.schema_excludes_tools;
        let is_tool = structured == Structured::Tool || is_excluded && !structured.is_described();
        if !is_tool {
            return Ok((Some(structured), None));
        }
        let support = self.provider.schema;
        Ok(match options.tool_choice {
            // A call of the tool would be one of those that are required.
            Some(ToolChoice::Required) if has_tools => (None, None),
            Some(ToolChoice::None) => (Some(Structured::Described), None),
            _ => match AnswerTool::new(schema, support, &request.messages) {
                Some(tool) => (Some(Structured::Tool), Some(tool)),
                None => (Some(Structured::Described), None),
            },
        })
    }

    /// The body of a request, and how the text of its answer is converted back.
    fn write_body(
        &self,
        request: &Request,
        messages: &Messages,
        options: &Options,
        structured: Option<&Structured>,
        stream: bool,
    ) -> Result<(Value, Option<Restore>), CallError> {
        let provider = self.provider;
        check_support(provider, messages, options)?;
        let mut extra = Map::new();
        let mut schema = None;
        let mut restore = None;
        match (&request.schema, structured) {
            (Some(whole), Some(Structured::Native)) if provider.is_own_server() => {
                // Every field as it is: OpenAI's own servers require all fields.
                extra.insert(
                    "response_format".to_owned(),
                    response_format(request, whole),
                );
            }
            (Some(whole), Some(Structured::Native)) => {
                let sent = match provider.schema.narrow_schema(whole) {
                    Some(narrowed) => {
                        restore = narrowed.restore;
                        narrowed.schema
                    }
                    None => without_metadata(whole),
                };
                schema = Some((schema_name(request.info.name), sent));
            }
            (Some(schema), Some(Structured::Field(field))) => {
                insert_at(&mut extra, field, close_objects(schema));
            }
            _ => {}
        }
        let draft = RequestDraft {
            schema,
            stream,
            ..self.draft_request(messages, options)?
        };
        let mut body = provider.protocol.request_body(&draft)?;
        body.extend(extra);
        body.extend(options.fields.clone());
        Ok((Value::Object(body), restore))
    }

    /// The request for messages, without a schema.
    fn draft_request<'a>(
        &'a self,
        messages: &Messages,
        options: &'a Options,
    ) -> Result<RequestDraft<'a>, CallError> {
        let provider = self.provider;
        let (blocks, signatures) = self.reasoning_blocks(messages)?;
        Ok(RequestDraft {
            model: &self.name,
            messages: complete_messages(provider, messages, self.reasoning_format())?,
            blocks,
            signatures,
            options,
            schema: None,
            stream: false,
            requests_reasoning: self.requests_reasoning,
            seed_field: provider.seed,
            reasoning: provider.reasoning,
            cache_ttl: provider.cache_ttl(options),
            schema_support: provider.schema,
            max_tokens_field: provider.max_tokens_field,
        })
    }

    fn reasoning_format(&self) -> ReasoningFormat {
        match self.sends_reasoning {
            true => self.provider.reasoning,
            false => ReasoningFormat::Omitted,
        }
    }

    #[expect(clippy::type_complexity, reason = "two lists with an item per message")]
    fn reasoning_blocks(
        &self,
        messages: &Messages,
    ) -> Result<(Vec<Vec<Value>>, Vec<Vec<Option<String>>>), CallError> {
        let format = self.provider.reasoning;
        let cache = &self.reasoning_cache;
        let blocks = (0..messages.len()).map(|index| match self.sends_reasoning {
            true => cache.reasoning_blocks(index, messages, format, self.provider.name),
            false => Ok(Vec::new()),
        });
        let signatures = messages.iter().map(|message| {
            let calls = message.tool_calls.iter();
            calls.map(|call| cache.call_signature(call)).collect()
        });
        Ok((blocks.collect::<Result<_, _>>()?, signatures.collect()))
    }

    fn endpoint(&self, stream: bool) -> Endpoint {
        let protocol = self.provider.protocol;
        let mut url = self.base_url.endpoint(&protocol.path(&self.name, stream));
        if let Some((name, value)) = protocol.query(stream) {
            url.query_pairs_mut().append_pair(name, value);
        }
        Endpoint {
            method: reqwest::Method::POST,
            url,
            key_header: protocol.key_header(),
            headers: protocol.headers(),
            usual_base_url: self.provider.base_url,
        }
    }

    /// A reader of the provider's answers, and what happens to a complete answer.
    fn answer_reader(
        &self,
        restore: Option<Restore>,
        answer_tool: Option<&str>,
    ) -> (Restored<AnswerCalls<Box<dyn AnswerReader>>>, OnEnd) {
        let reader = self.provider.protocol.answer_reader(self.provider.name);
        let reader = AnswerCalls::new(reader, answer_tool.map(str::to_owned));
        (
            Restored::new(reader, restore),
            self.reasoning_cache.on_end(),
        )
    }

    async fn send_request(&self, request: &Request) -> Result<Reply> {
        let PreparedChat {
            call,
            structured,
            body,
            restore,
            answer_tool,
        } = self.prepare_request(request, false).await?;
        let endpoint = self.endpoint(false);
        let sent = call.send_request(request, &endpoint, &body, structured, || {
            self.answer_reader(restore, answer_tool.as_deref())
        });
        let mut reply = sent.await?;
        reply.model.get_or_insert_with(|| self.name.to_string());
        call.span.record_reply(&reply);
        Ok(reply)
    }

    async fn open_stream(&self, request: &Request) -> Result<ReplyStream> {
        let PreparedChat {
            call,
            structured,
            body,
            restore,
            answer_tool,
        } = self.prepare_request(request, true).await?;
        let framing = self.provider.protocol.framing();
        let answer_tool = answer_tool.as_deref();
        let reader = || self.answer_reader(restore, answer_tool);
        let endpoint = self.endpoint(true);
        let model = Some(&*self.name);
        let stream = call.open_stream(
            request, &endpoint, &body, framing, structured, reader, model,
        );
        stream.await
    }
}

/// A request that is ready to be sent.
struct PreparedChat {
    call: OpenCall,
    structured: Option<Structured>,
    body: String,
    restore: Option<Restore>,
    /// The name of the tool that the answer is.
    answer_tool: Option<String>,
}

impl Llm for ChatModel {
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
        let name = match std::ptr::eq(self.provider, &OWN_SERVER) {
            true => self.name.to_string(),
            false => format!("{}::{}", self.provider(), self.name),
        };
        let info = ModelInfo::new(name).options(self.settings.options.clone());
        Some(info.has_prices(self.settings.prices.is_some()))
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

/// The error of a model whose provider is not known.
fn unknown_provider_error(model: &str) -> Error {
    let own = "give the server's URL with `ChatModel::openai_compatible`";
    let corrected = Provider::corrected_name(model);
    let (message, help) = match model.split_once("::") {
        None => {
            let name = corrected.as_deref().unwrap_or("provider::model");
            let message = format!("the provider of the model `{model}` is not known");
            (message, format!("write `{name}`, or {own}"))
        }
        Some((prefix, name)) => {
            let names: Vec<&str> = all_providers().map(|provider| provider.name).collect();
            let unknown = Error::unknown_name("provider", prefix, &names);
            let owner = || {
                let (owner, name) = Provider::from_model(name)?;
                Some(format!("{}::{name}", owner.name))
            };
            let near = match corrected.or_else(owner) {
                Some(name) => format!("did you mean `{name}`?"),
                None => unknown.help().unwrap_or_default().to_owned(),
            };
            (unknown.message().to_owned(), format!("{near} Or {own}"))
        }
    };
    let error = CallError::new(CallErrorKind::Setup, message).with_help(help);
    error.into_error(model)
}
