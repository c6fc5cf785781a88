//! Chat models, through genai.

mod events;
mod fault;
mod frames;
mod openai;
mod reasoning;
mod reply;
mod target;
mod thoughts;
mod wire;

use std::fmt;

use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, ChatRequest};
use prompt_core::{BoxFuture, Llm, Options, Reply, Request, Result, Structured};

use crate::address::Address;
use crate::failure::Failure;
use crate::key::Key;
use crate::settings::{Settings, builders, setup};
use crate::stream::{Stream, Streaming, begin};
use crate::structured;
use crate::trace::{Asked, Span};
use frames::Frames;
use reasoning::Place;
use target::Target;
use thoughts::Thoughts;

/// A chat model of any provider that genai knows, or of any server that speaks OpenAI's protocol.
///
/// Every request is sent once, and again as [`Retry`](crate::Retry) says; dropping its future ends it.
///
/// ```no_run
/// use prompt_client::{Chat, Key};
/// use prompt_core::{Llm, Message, Messages};
///
/// # async fn run() -> prompt_core::Result<()> {
/// let llm = Chat::new("anthropic::claude-sonnet-4-5")?; // the key is in the variable that the provider names
/// let llm = Chat::at("http://localhost:8080/v1", "qwen3")?; // llama.cpp, vLLM, Ollama, a gateway …
/// let answer = llm.call(&Messages::from([Message::user("How deep is it?")])).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Chat {
    settings: Settings,
    kind: AdapterKind,
    /// `None`: the provider's own address.
    address: Option<Address>,
    /// Made by [`Chat::at`]: the model's name is a name and no more, and any schema goes as it stands.
    own_server: bool,
    asks_reasoning: bool,
    sends_reasoning: bool,
    thoughts: Thoughts,
}

impl Chat {
    /// A model of a provider: `openai::gpt-4o`, `anthropic::claude-sonnet-4-5`, `gemini::gemini-2.5-pro`, `ollama::qwen3`,
    /// `groq::…`, `mistral::…`, `deepseek::…`, `open_router::…` and whatever else genai names.
    ///
    /// Names that a provider has made its own (`gpt-…`, `claude-…`, `gemini-…`) do without the prefix. The key is read
    /// from the provider's usual variable unless [`with_key`](Chat::with_key) gives one.
    ///
    /// # Errors
    /// A name that belongs to no provider: no guess is made.
    ///
    /// ```
    /// use prompt_client::Chat;
    ///
    /// assert_eq!(Chat::new("openai::gpt-4o")?.provider(), "openai");
    /// assert!(Chat::new("my-model").is_err());
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn new(model: &str) -> Result<Chat> {
        let kind =
            AdapterKind::from_model(model).map_err(|error| setup(model, error.to_string()))?;
        // genai takes any name that it does not know for a model of Ollama.
        if kind == AdapterKind::Ollama && !model.starts_with("ollama::") {
            return Err(setup(
                model,
                format!("no provider is known for the model `{model}`"),
            )
            .with_help("write `provider::model`, or give the server's address with `Chat::at`"));
        }
        let key = kind.default_key_env_name().map_or_else(Key::none, Key::env);
        Chat::build(model, kind, None, key)
    }

    /// A model at a server that speaks OpenAI's protocol, by its base URL with the path: `http://localhost:8080/v1`.
    ///
    /// The name is sent as it stands, and no key is sent unless [`with_key`](Chat::with_key) gives one.
    ///
    /// # Errors
    /// An address that is no `http` or `https` URL.
    ///
    /// ```
    /// use prompt_client::{Chat, Key};
    ///
    /// let llm = Chat::at("https://llm.example.com/v1", "qwen3")?.with_key(Key::env("ACME_KEY"));
    /// assert!(Chat::at("llm.example.com", "qwen3").is_err());
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn at(base_url: &str, model: &str) -> Result<Chat> {
        let address = Address::parse(base_url).map_err(|failure| failure.into_error(model))?;
        Chat::build(model, AdapterKind::OpenAI, Some(address), Key::none())
    }

    fn build(model: &str, kind: AdapterKind, address: Option<Address>, key: Key) -> Result<Chat> {
        let structured = if wire::takes_schema(kind) {
            Structured::Native
        } else {
            Structured::Described
        };
        Ok(Chat {
            settings: Settings::new(model, key, structured)?,
            kind,
            own_server: address.is_some(),
            address,
            asks_reasoning: false,
            sends_reasoning: true,
            thoughts: Thoughts::default(),
        })
    }

    /// The same provider's protocol at another address: a proxy, a gateway, a mirror.
    ///
    /// # Errors
    /// An address that is no `http` or `https` URL.
    ///
    /// ```
    /// use prompt_client::Chat;
    ///
    /// let llm = Chat::new("ollama::qwen3")?.with_base_url("http://10.0.0.2:11434")?;
    /// assert_eq!(llm.provider(), "ollama");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn with_base_url(mut self, base_url: &str) -> Result<Chat> {
        self.address =
            Some(Address::parse(base_url).map_err(|failure| failure.into_error(self.model()))?);
        Ok(self)
    }

    /// Whether the provider is asked to tell what the model thinks. It is not at first.
    ///
    /// OpenAI's Responses API and Gemini tell it, in a summary, only when they are asked, and refuse to where the model
    /// does not think; with it comes what they want back in the next turn. The others tell it unasked, once their model is
    /// told to think: [`Reply::reasoning`].
    ///
    /// ```
    /// let llm = prompt_client::Chat::new("gemini::gemini-2.5-pro")?.with_reasoning(true);
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn with_reasoning(mut self, asked: bool) -> Chat {
        self.asks_reasoning = asked;
        self
    }

    /// Whether the [reasoning](prompt_core::Message::reasoning) of earlier turns goes back. It does at first.
    ///
    /// | | |
    /// | --- | --- |
    /// | [`Chat::at`], DeepSeek, Kimi, OpenRouter and the others that speak OpenAI's protocol | as `reasoning_content`, whoever thought it; Mistral's has a form of its own |
    /// | Anthropic, Gemini, OpenAI's Responses API, Bedrock | as they gave it, signed or encrypted: this `Chat` and its clones keep that |
    /// | OpenAI's older API, Groq, Cohere, Ollama's own protocol | these have no place for it |
    ///
    /// Reasoning that the last two groups did not give, such as another model's, is left out of the turns before the last
    /// user message, as these providers do themselves; in the turn that goes on, after a call of a tool, it is an error.
    ///
    /// ```
    /// let llm = prompt_client::Chat::at("http://localhost:8080/v1", "qwen3")?.with_reasoning_sent(false);
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn with_reasoning_sent(mut self, sent: bool) -> Chat {
        self.sends_reasoning = sent;
        self
    }

    /// The provider whose protocol is spoken.
    ///
    /// ```
    /// assert_eq!(prompt_client::Chat::at("http://localhost:8080/v1", "qwen3")?.provider(), "openai");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn provider(&self) -> &'static str {
        self.kind.as_lower_str()
    }

    builders!("# let llm = prompt_client::Chat::at(\"http://localhost:8080/v1\", \"qwen3\")?;");

    /// How a schema reaches this model: as [`structured`](Chat::structured) says, but in words when the provider would
    /// refuse that schema.
    ///
    /// What a prompt offers tools beside is in words too where a server takes one of both: on one's own server, and by
    /// Gemini. [`Reply::structured`] says how it went.
    ///
    /// ```
    /// use prompt_client::{Chat, Structured};
    /// use serde_json::json;
    ///
    /// let llm = Chat::new("openai::gpt-4o")?;
    /// let closed = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    /// assert_eq!(llm.structured_for(&closed), Structured::Native);
    /// let map = json!({"type": "object", "additionalProperties": {"type": "string"}});
    /// assert_eq!(llm.structured_for(&map), Structured::Described);
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn structured_for(&self, schema: &serde_json::Value) -> Structured {
        let native = self.settings.structured == Structured::Native && !self.own_server;
        match wire::subset(self.kind) {
            Some(subset) if native && subset.write(schema).is_none() => Structured::Described,
            _ => self.settings.structured.clone(),
        }
    }

    /// Whether the server takes tools or a schema, and not both: llama.cpp refuses them together, vLLM then calls no tool,
    /// and so do older models of Gemini.
    fn chooses_one(&self) -> bool {
        self.own_server || wire::is_gemini(self.kind)
    }

    fn prepare(&self, request: &Request) -> Result<Prepared> {
        request.messages.check()?;
        let options = self.settings.options_for(request);
        let offers_tools = !request.messages.tools().is_empty();
        let structured = request.schema.as_ref().map(|schema| {
            // Held to the schema, the model could not call.
            match offers_tools && self.chooses_one() {
                true => Structured::Described,
                false => self.structured_for(schema),
            }
        });
        let described = match (&request.schema, &structured) {
            (Some(schema), Some(Structured::Described)) => {
                Some(structured::describe(&request.messages, schema))
            }
            _ => None,
        };
        let place = match self.sends_reasoning {
            true => Place::of(self.kind, self.own_server),
            false => Place::Nowhere,
        };
        let chat = wire::request(
            described.as_ref().unwrap_or(&request.messages),
            &self.thoughts,
            place,
            self.kind,
        )
        .map_err(|failure| self.settings.error(failure, None, None))?;
        let genai = wire::options(
            request,
            &options,
            structured.as_ref(),
            &self.settings,
            self.kind,
            self.own_server,
            self.asks_reasoning,
        );
        Ok(Prepared {
            options,
            structured,
            chat,
            genai,
        })
    }

    fn span(&self, request: &Request, prepared: &Prepared, target: &Target, stream: bool) -> Span {
        let model = self.model();
        let asked = Asked {
            operation: "chat",
            provider: self.provider(),
            model: if self.own_server {
                model
            } else {
                model.rsplit_once("::").map_or(model, |(_, name)| name)
            },
            address: target.address.as_ref(),
            structured: prepared.structured.as_ref(),
            stream,
        };
        Span::new(&self.settings, request, &prepared.options, &asked)
    }

    async fn ask(&self, request: &Request) -> Result<Reply> {
        let prepared = self.prepare(request)?;
        let to = self.target().await?;
        let span = self.span(request, &prepared, &to, false);
        let attempt = || async {
            let sent = to.genai.exec_chat(
                to.target.clone(),
                prepared.chat.clone(),
                Some(&prepared.genai),
            );
            let response = match prepared.options.timeout {
                Some(timeout) => tokio::time::timeout(timeout, sent)
                    .await
                    .map_err(|_| crate::fault::late(timeout))?,
                None => sent.await,
            };
            let reply = match &response {
                Ok(response) => response.captured_raw_body.as_ref(),
                Err(error) => fault::unread(error),
            };
            let reply = reply.filter(|_| openai::speaks(self.kind));
            let reply = match reply {
                Some(body) => openai::read(body, &to.target.model, &self.thoughts),
                None => reply::read(response.map_err(fault::read)?, &self.thoughts),
            }?;
            reply::limited(reply, self.settings.limit)
        };
        match span.around(self.settings.retry.run(attempt)).await {
            Ok((mut reply, attempts)) => {
                reply.structured = prepared.structured;
                span.attempts(attempts);
                span.reply(&reply);
                Ok(reply)
            }
            Err(failure) => {
                span.failure(&failure);
                Err(self
                    .settings
                    .error(failure, to.secret.as_ref(), to.address.as_ref()))
            }
        }
    }

    async fn begin(&self, request: &Request) -> Result<Stream> {
        let mut prepared = self.prepare(request)?;
        prepared.genai.stream_header_timeout = prepared.options.timeout;
        prepared.genai.stream_read_timeout = prepared.options.timeout;
        let to = self.target().await?;
        let span = self.span(request, &prepared, &to, true);
        let attempt = || async {
            let mut options = prepared.genai.clone();
            let frames = openai::speaks(self.kind).then(|| Frames::of(&mut options));
            let chat = prepared.chat.clone();
            let response = to
                .genai
                .exec_chat_stream(to.target.clone(), chat, Some(&options))
                .await;
            let response = response.map_err(fault::read)?;
            begin(match frames {
                Some(frames) => frames.events(response, self.thoughts.clone()),
                None => events::events(response, self.thoughts.clone()),
            })
            .await
        };
        let begun = span.around(self.settings.retry.run(attempt)).await;
        let settings = self.settings.clone();
        let fail = move |failure: Failure| {
            settings.error(failure, to.secret.as_ref(), to.address.as_ref())
        };
        match begun {
            Ok((begun, attempts)) => {
                span.attempts(attempts);
                let structured = prepared.structured;
                Ok(Stream::new(
                    begun,
                    self.settings.limit,
                    structured,
                    span,
                    fail,
                ))
            }
            Err(failure) => {
                span.failure(&failure);
                Err(fail(failure))
            }
        }
    }
}

/// A request in genai's words.
struct Prepared {
    options: Options,
    structured: Option<Structured>,
    chat: ChatRequest,
    genai: ChatOptions,
}

impl Llm for Chat {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply>> {
        Box::pin(self.ask(request))
    }

    fn reasks(&self) -> u32 {
        self.settings.options.reasks.unwrap_or_default()
    }
}

impl Streaming for Chat {
    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Stream>> {
        Box::pin(self.begin(request))
    }
}

impl fmt::Debug for Chat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chat")
            .field("model", &self.settings.model)
            .field("provider", &self.provider())
            .field("address", &self.address)
            .field("key", &self.settings.key)
            .field("structured", &self.settings.structured)
            .finish_non_exhaustive()
    }
}
