//! Embedding models of providers.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use prompt_core::{BoxFuture, Embedder, Error, Messages, Options, Request, Result, Structured};
use reqwest::header::HeaderMap;
use serde_json::{Map, Value, json};

use crate::api_key::ApiKey;
use crate::base_url::BaseUrl;
use crate::chat::provider::{OWN_SERVER, Provider, all_providers};
use crate::error::{CallError, CallErrorKind};
use crate::http::{Endpoint, KeyHeader, ResponseBody};
use crate::json_body::list_at;
use crate::open_call::OpenCall;
use crate::request_hook::{HookError, HttpRequest, RequestHook};
use crate::retry::RetryPolicy;
use crate::runtime::run_within;
use crate::settings::ModelSettings;
use crate::trace::CallInfo;

/// How many texts a request has: within the limits of all providers, and far below the largest response that is read.
const BATCH_SIZE: usize = 100;

/// An embedding model of OpenAI, Gemini, Ollama, Mistral and the like, or of any server with OpenAI's protocol.
///
/// ```no_run
/// use typed_prompt::{client::EmbeddingModel, llm::Embedder};
///
/// # async fn run() -> typed_prompt::Result<()> {
/// let model = EmbeddingModel::new("openai::text-embedding-3-small")?; // the key is read from OPENAI_API_KEY
/// let model = EmbeddingModel::new("gemini::gemini-embedding-001")?.dimensions(768);
/// let model = EmbeddingModel::new("ollama::nomic-embed-text")?;
/// let model = EmbeddingModel::openai_compatible("http://localhost:8080/v1", "bge-m3")?;
/// let vectors = model.embed(&["How deep is it?".to_owned(), "Nine metres.".to_owned()]).await?;
/// assert_eq!(vectors.len(), 2);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[must_use = "a model sends nothing before it is called"]
pub struct EmbeddingModel {
    settings: ModelSettings,
    protocol: EmbeddingProtocol,
    provider: &'static Provider,
    /// The name of the model without the prefix of its provider.
    name: Arc<str>,
    base_url: BaseUrl,
    dimensions: Option<u32>,
    batch_size: usize,
}

#[derive(Clone, Copy, Debug)]
enum EmbeddingProtocol {
    OpenAi,
    Gemini,
    Ollama,
}

impl EmbeddingProtocol {
    /// The protocol of a provider's embeddings. `None` for the providers without embeddings, and those whose embeddings have another form.
    fn of_provider(provider: &Provider) -> Option<EmbeddingProtocol> {
        match provider.protocol.name() {
            "ChatCompletions" | "Responses" => Some(EmbeddingProtocol::OpenAi),
            "Gemini" => Some(EmbeddingProtocol::Gemini),
            "Ollama" => Some(EmbeddingProtocol::Ollama),
            _ => None,
        }
    }

    fn path(self, model: &str) -> String {
        match self {
            EmbeddingProtocol::OpenAi => "embeddings".to_owned(),
            EmbeddingProtocol::Gemini => format!("models/{model}:batchEmbedContents"),
            EmbeddingProtocol::Ollama => "api/embed".to_owned(),
        }
    }

    fn write_body(self, model: &str, texts: &[String], dimensions: Option<u32>) -> Value {
        let mut body = Map::new();
        if let EmbeddingProtocol::Gemini = self {
            let requests = texts.iter().map(|text| {
                let mut request =
                    json!({"model": format!("models/{model}"), "content": {"parts": [{"text": text}]}});
                if let Some(dimensions) = dimensions {
                    request["outputDimensionality"] = dimensions.into();
                }
                request
            });
            body.insert("requests".to_owned(), requests.collect());
            return Value::Object(body);
        }
        body.insert("model".to_owned(), model.into());
        body.insert("input".to_owned(), json!(texts));
        match self {
            EmbeddingProtocol::OpenAi => body.insert("encoding_format".to_owned(), "float".into()),
            // By default the server embeds the beginning of a long text only.
            _ => body.insert("truncate".to_owned(), false.into()),
        };
        if let Some(dimensions) = dimensions {
            body.insert("dimensions".to_owned(), dimensions.into());
        }
        Value::Object(body)
    }

    /// The vectors of an answer in the order of their texts.
    fn read_body(
        self,
        body: &Value,
        count: usize,
    ) -> std::result::Result<Vec<Vec<f32>>, CallError> {
        CallError::check_body(body)?;
        let (list, field) = match self {
            EmbeddingProtocol::OpenAi => ("/data", "/embedding"),
            EmbeddingProtocol::Gemini => ("/embeddings", "/values"),
            EmbeddingProtocol::Ollama => ("/embeddings", ""),
        };
        let items = list_at(body, list);
        if items.len() > count {
            let message = format!("the answer has {} vectors for {count} texts", items.len());
            return Err(CallError::protocol_error(message));
        }
        let mut vectors: Vec<Option<Vec<f32>>> = vec![None; count];
        for (position, item) in items.iter().enumerate() {
            let index = item.get("index").and_then(Value::as_u64);
            let index = index.map_or(Some(position), |index| usize::try_from(index).ok());
            let vector = read_vector(list_at(item, field));
            if let (Some(index), Some(vector)) = (index, vector)
                && let Some(place) = vectors.get_mut(index)
            {
                *place = Some(vector);
            }
        }
        let found = vectors.iter().flatten().count();
        let length = vectors.iter().flatten().map(Vec::len).max();
        let vectors: Option<Vec<Vec<f32>>> = vectors.into_iter().collect();
        let vectors = vectors.ok_or_else(|| {
            let message = format!("the answer has {found} vectors of numbers for {count} texts");
            CallError::protocol_error(message)
        })?;
        match vectors.iter().all(|vector| Some(vector.len()) == length) {
            true => Ok(vectors),
            false => Err(CallError::protocol_error(
                "the vectors of the answer have different lengths",
            )),
        }
    }
}

/// `None` if there are no numbers, or if one of them is none.
#[expect(
    clippy::cast_possible_truncation,
    reason = "vectors have single precision"
)]
fn read_vector(numbers: &[Value]) -> Option<Vec<f32>> {
    let number = |value: &Value| value.as_f64().map(|number| number as f32);
    let vector: Vec<f32> = numbers.iter().map(number).collect::<Option<_>>()?;
    (!vector.is_empty() && vector.iter().all(|number| number.is_finite())).then_some(vector)
}

impl EmbeddingModel {
    /// A model of a provider: `openai::text-embedding-3-small`, `gemini::gemini-embedding-001`, `ollama::nomic-embed-text`, `mistral::mistral-embed`.
    /// The key is read from the provider's usual variable unless [`key`](EmbeddingModel::key) sets another one.
    ///
    /// # Errors
    /// The name does not have the prefix of a provider, or the embeddings of the provider have another protocol.
    ///
    /// ```
    /// use typed_prompt::client::EmbeddingModel;
    ///
    /// assert!(EmbeddingModel::new("ollama::nomic-embed-text").is_ok());
    /// assert!(EmbeddingModel::new("anthropic::claude-sonnet-4-5").is_err());
    /// ```
    pub fn new(model: &str) -> Result<EmbeddingModel> {
        let fail = |message: String, help: String| {
            let error = CallError::new(CallErrorKind::Setup, message).with_help(help);
            Err(error.into_error(model))
        };
        let own = "give the server's URL with `EmbeddingModel::openai_compatible`";
        let Some((prefix, name)) = model.split_once("::") else {
            let message = format!("the provider of the model `{model}` is not known");
            let name = Provider::corrected_name(model);
            let name = name.as_deref().unwrap_or("provider::model");
            return fail(message, format!("write `{name}`, or {own}"));
        };
        let Some(provider) = all_providers().find(|provider| provider.name == prefix) else {
            let names: Vec<&str> = all_providers().map(|provider| provider.name).collect();
            let error = Error::unknown_name("provider", prefix, &names);
            let near = error.help().unwrap_or_default();
            return fail(error.message().to_owned(), format!("{near} Or {own}"));
        };
        let Some(protocol) = EmbeddingProtocol::of_provider(provider) else {
            let message = format!("embeddings of `{prefix}` are not supported");
            return fail(
                message,
                format!("use a model of another provider, or {own}"),
            );
        };
        let key = provider.key_variable.map_or_else(ApiKey::none, ApiKey::env);
        EmbeddingModel::build(model, name, provider, protocol, provider.base_url, key)
    }

    /// A model at a server that implements OpenAI's protocol, by its base URL with the path: `http://localhost:8080/v1`.
    ///
    /// # Errors
    /// The URL is invalid, or is not an `http` or `https` URL.
    ///
    /// ```
    /// let model = typed_prompt::client::EmbeddingModel::openai_compatible("http://localhost:8080/v1", "bge-m3")?;
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn openai_compatible(base_url: &str, model: &str) -> Result<EmbeddingModel> {
        let protocol = EmbeddingProtocol::OpenAi;
        EmbeddingModel::build(
            model,
            model,
            &OWN_SERVER,
            protocol,
            base_url,
            ApiKey::none(),
        )
    }

    fn build(
        model: &str,
        name: &str,
        provider: &'static Provider,
        protocol: EmbeddingProtocol,
        base_url: &str,
        key: ApiKey,
    ) -> Result<EmbeddingModel> {
        Ok(EmbeddingModel {
            settings: ModelSettings::new(model, key, Structured::Native)?,
            protocol,
            provider,
            name: name.into(),
            base_url: BaseUrl::parse(base_url).map_err(|error| error.into_error(model))?,
            dimensions: None,
            batch_size: BATCH_SIZE,
        })
    }

    /// Sets another URL for the protocol of the same provider: a proxy, a gateway, a mirror.
    ///
    /// # Errors
    /// The URL is invalid, or is not an `http` or `https` URL.
    ///
    /// ```
    /// let model = typed_prompt::client::EmbeddingModel::new("ollama::bge-m3")?.base_url("http://10.0.0.2:11434")?;
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn base_url(mut self, base_url: &str) -> Result<EmbeddingModel> {
        let url = BaseUrl::parse(base_url);
        self.base_url = url.map_err(|error| error.into_error(&self.settings.model))?;
        Ok(self)
    }

    /// Sets the source of the API key.
    ///
    /// ```
    /// use typed_prompt::client::{ApiKey, EmbeddingModel};
    ///
    /// let model = EmbeddingModel::openai_compatible("https://llm.example.com/v1", "bge-m3")?.key(ApiKey::env("ACME_KEY"));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn key(mut self, key: ApiKey) -> EmbeddingModel {
        self.settings.key = key;
        self
    }

    /// Sets the length of the vectors, for models that can shorten them.
    ///
    /// ```
    /// let model = typed_prompt::client::EmbeddingModel::new("openai::text-embedding-3-large")?.dimensions(256);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn dimensions(mut self, dimensions: u32) -> EmbeddingModel {
        self.dimensions = Some(dimensions);
        self
    }

    /// Sets how many texts a request has at most. 100 by default.
    ///
    /// ```
    /// let model = typed_prompt::client::EmbeddingModel::new("ollama::bge-m3")?.batch_size(8);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn batch_size(mut self, texts: usize) -> EmbeddingModel {
        self.batch_size = texts;
        self
    }

    /// Sets how often and when a request is retried.
    ///
    /// ```
    /// use typed_prompt::client::{EmbeddingModel, RetryPolicy};
    ///
    /// let model = EmbeddingModel::new("ollama::bge-m3")?.retry(RetryPolicy::none());
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn retry(mut self, retry: RetryPolicy) -> EmbeddingModel {
        self.settings.retry = retry;
        self
    }

    /// Sets the longest wait for the answer to one request. Five minutes by default.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let model = typed_prompt::client::EmbeddingModel::new("ollama::bge-m3")?.timeout(Duration::from_secs(20));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn timeout(mut self, timeout: Duration) -> EmbeddingModel {
        self.settings.options.timeout = Some(timeout);
        self
    }

    /// Sets how many bytes an answer may have. 16 MiB by default.
    ///
    /// ```
    /// let model = typed_prompt::client::EmbeddingModel::new("ollama::bge-m3")?.max_response_bytes(1 << 20);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn max_response_bytes(mut self, bytes: usize) -> EmbeddingModel {
        self.settings.max_response_bytes = bytes;
        self
    }

    /// Allows the API key to be sent over `http://` to another machine, where everyone on the way can read it.
    ///
    /// ```
    /// let model = typed_prompt::client::EmbeddingModel::openai_compatible("http://10.0.0.2/v1", "bge-m3")?.key_over_plain_http(true);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn key_over_plain_http(mut self, allowed: bool) -> EmbeddingModel {
        self.settings.allows_plain_http = allowed;
        self
    }

    /// Sets the HTTP client: see [`http_client_builder`](crate::http_client_builder).
    ///
    /// ```
    /// use typed_prompt::client::{EmbeddingModel, http_client_builder};
    ///
    /// let http = http_client_builder().no_proxy().build().unwrap();
    /// let model = EmbeddingModel::new("ollama::bge-m3")?.http_client(http);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn http_client(mut self, client: reqwest::Client) -> EmbeddingModel {
        self.settings.http = client;
        self
    }

    /// Sets a function that sees each HTTP request before it is sent, and returns headers to add: see [`ChatModel::on_request`](crate::ChatModel::on_request).
    ///
    /// ```
    /// use typed_prompt::client::{EmbeddingModel, reqwest::header::HeaderMap};
    ///
    /// let model = EmbeddingModel::new("ollama::bge-m3")?.on_request(|request| async move {
    ///     let path = request.url().path().parse()?;
    ///     Ok(HeaderMap::from_iter([("x-path".parse()?, path)]))
    /// });
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn on_request<H, Fut>(mut self, hook: H) -> EmbeddingModel
    where
        H: Fn(HttpRequest) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = std::result::Result<HeaderMap, HookError>> + Send + 'static,
    {
        self.settings.request_hook = Some(RequestHook::new(hook));
        self
    }

    /// Fails for numbers with which nothing is embedded.
    fn check_numbers(&self) -> Result<()> {
        let numbers = [
            ("batch_size", Some(self.batch_size)),
            ("dimensions", self.dimensions.map(|number| number as usize)),
        ];
        match numbers.into_iter().find(|(_, number)| *number == Some(0)) {
            Some((name, _)) => {
                let message = format!("`{name}` is 0, so that nothing would be embedded");
                Err(CallError::refuse_setting(
                    &message,
                    "write a number from 1, or leave it out",
                ))
            }
            None => Ok(()),
        }
    }

    async fn embed_batch(&self, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        let request = Request::from_messages(Messages::new());
        let options = Options::new().or(&self.settings.options);
        let info = CallInfo {
            operation: "embeddings",
            provider: self.provider.name,
            model: &self.name,
            structured: None,
            stream: false,
        };
        let call = OpenCall::open(&self.settings, &self.base_url, &request, options, &info).await?;
        let mut endpoint = Endpoint::new(self.base_url.endpoint(&self.protocol.path(&self.name)));
        endpoint.usual_base_url = self.provider.base_url;
        if let EmbeddingProtocol::Gemini = self.protocol {
            endpoint.key_header = KeyHeader::Header("x-goog-api-key");
        }
        let body = self
            .protocol
            .write_body(&self.name, texts, self.dimensions)
            .to_string();
        let attempt = || {
            run_within(call.options.timeout, async {
                let response = call.post_body(&endpoint, &body, ResponseBody::Json).await?;
                self.protocol
                    .read_body(&call.read_json(response).await?, texts.len())
            })
        };
        let (vectors, _) = call.run_attempts(&request, attempt).await?;
        Ok(vectors)
    }
}

impl Embedder for EmbeddingModel {
    fn embed<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Vec<Vec<f32>>>> {
        Box::pin(async move {
            self.check_numbers()?;
            let mut vectors = Vec::with_capacity(texts.len());
            for batch in texts.chunks(self.batch_size) {
                vectors.extend(self.embed_batch(batch).await?);
            }
            Ok(vectors)
        })
    }
}

impl fmt::Debug for EmbeddingModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EmbeddingModel")
            .field("model", &self.settings.model)
            .field("base_url", &self.base_url)
            .field("key", &self.settings.key)
            .finish_non_exhaustive()
    }
}
