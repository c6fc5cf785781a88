//! Settings and request handling that chat models and completion models share.

use std::sync::Arc;
use std::time::Duration;

use prompt_core::{Error, Options, Request, Result, Structured};

use crate::api_key::{ApiKey, Secret};
use crate::base_url::BaseUrl;
use crate::error::{CallError, CallErrorKind};
use crate::retry::RetryPolicy;
use crate::trace::Span;

#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) model: Arc<str>,
    pub(crate) key: ApiKey,
    pub(crate) structured: Structured,
    pub(crate) options: Options,
    pub(crate) fields: serde_json::Map<String, serde_json::Value>,
    pub(crate) retry: RetryPolicy,
    pub(crate) max_response_bytes: usize,
    pub(crate) trace_content: bool,
    pub(crate) http: reqwest::Client,
}

/// The default timeout of an attempt.
const TIMEOUT: Duration = Duration::from_secs(300);

/// The default number of retries after an answer that does not match the output type.
const OUTPUT_RETRIES: u32 = 1;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

const MAX_RESPONSE_BYTES: usize = 16 << 20;

impl Settings {
    pub(crate) fn new(model: &str, key: ApiKey, structured: Structured) -> Result<Settings> {
        // A redirected POST becomes a GET, and would carry headers with keys to another host.
        let http = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| {
                let message = format!("the HTTP client cannot be built: {error}");
                CallError::new(CallErrorKind::Setup, message).into_error(model)
            })?;
        let options = Options {
            timeout: Some(TIMEOUT),
            output_retries: Some(OUTPUT_RETRIES),
            ..Options::default()
        };
        Ok(Settings {
            model: model.into(),
            key,
            structured,
            options,
            fields: serde_json::Map::new(),
            retry: RetryPolicy::default(),
            max_response_bytes: MAX_RESPONSE_BYTES,
            trace_content: false,
            http,
        })
    }

    /// The options of a request. Options that the request does not set are taken from the model.
    pub(crate) fn options_for(&self, request: &Request) -> Options {
        let (request, model) = (&request.options, &self.options);
        let stop = match request.stop.is_empty() {
            true => &model.stop,
            false => &request.stop,
        };
        Options {
            temperature: request.temperature.or(model.temperature),
            top_p: request.top_p.or(model.top_p),
            max_tokens: request.max_tokens.or(model.max_tokens),
            seed: request.seed.or(model.seed),
            stop: stop.clone(),
            timeout: request.timeout.or(model.timeout),
            output_retries: request.output_retries.or(model.output_retries),
        }
    }

    /// An error of this model, with its secrets redacted.
    pub(crate) fn error(
        &self,
        error: CallError,
        secret: Option<&Secret>,
        base_url: Option<&BaseUrl>,
    ) -> Error {
        let error = error.redacted(|text| {
            let text = base_url.map_or_else(|| text.to_owned(), |url| url.redact(text));
            secret.map_or_else(|| text.clone(), |secret| secret.redact(&text))
        });
        error.into_error(&self.model)
    }

    /// Fails if an answer of this length exceeds the limit.
    pub(crate) fn check_size(&self, text: &str, reasoning: Option<&str>) -> Result<(), CallError> {
        let bytes = text.len() + reasoning.map_or(0, str::len);
        match bytes > self.max_response_bytes {
            true => Err(CallError::too_large(self.max_response_bytes)),
            false => Ok(()),
        }
    }
}

/// Runs an attempt within its timeout.
pub(crate) async fn within<T>(
    timeout: Option<Duration>,
    attempt: impl Future<Output = Result<T, CallError>>,
) -> Result<T, CallError> {
    match timeout {
        Some(timeout) => tokio::time::timeout(timeout, attempt)
            .await
            .unwrap_or_else(|_| Err(CallError::timed_out(timeout))),
        None => attempt.await,
    }
}

/// One call of a model: what its attempts, its trace and its errors need.
pub(crate) struct Call {
    pub(crate) settings: Settings,
    pub(crate) span: Span,
    pub(crate) secret: Option<Secret>,
    pub(crate) base_url: Option<BaseUrl>,
}

impl Call {
    /// Runs attempts as the retry policy defines.
    pub(crate) async fn run<T, Fut>(&self, attempt: impl FnMut() -> Fut) -> Result<T>
    where
        Fut: Future<Output = Result<T, CallError>>,
    {
        let result = self.span.around(self.settings.retry.run(attempt)).await;
        let (value, attempts) = result.map_err(|error| self.fail(error))?;
        self.span.attempts(attempts);
        Ok(value)
    }

    /// Records an error in the trace, and redacts secrets from it.
    pub(crate) fn fail(&self, error: CallError) -> Error {
        self.span.error(&error);
        self.settings
            .error(error, self.secret.as_ref(), self.base_url.as_ref())
    }
}

/// The builder methods of chat models and completion models.
macro_rules! builders {
    ($example:literal) => {
        /// Sets the source of the API key.
        #[doc = concat!("\n```\nuse prompt_client::ApiKey;\n", $example, "\nlet llm = llm.with_key(ApiKey::env(\"ACME_KEY\"));")]
        #[doc = "assert!(format!(\"{llm:?}\").contains(\"ApiKey(env ACME_KEY)\"));\n# Ok::<(), prompt_core::Error>(())\n```"]
        pub fn with_key(mut self, key: crate::ApiKey) -> Self {
            self.settings.key = key;
            self
        }

        /// Sets the options for requests that do not set them. The timeout applies to one attempt: to the whole answer, or
        /// to each pause of a stream. It is five minutes by default.
        #[doc = concat!("\n```\nuse prompt_core::Options;\n", $example)]
        #[doc = "let llm = llm.with_options(Options { temperature: Some(0.0), ..Options::default() });"]
        #[doc = "# Ok::<(), prompt_core::Error>(())\n```"]
        pub fn with_options(mut self, options: prompt_core::Options) -> Self {
            let own = &self.settings.options;
            let timeout = options.timeout.or(own.timeout);
            let output_retries = options.output_retries.or(own.output_retries);
            self.settings.options = prompt_core::Options { timeout, output_retries, ..options };
            self
        }

        /// Adds a field to the body of every request, for options of a particular server: `top_k`, `tool_choice`, …
        ///
        /// It overrides the field of this name that this crate would send. Ollama's own protocol ignores it.
        #[doc = concat!("\n```\n", $example)]
        #[doc = "let llm = llm.with_field(\"top_k\", 40).with_field(\"tool_choice\", \"required\");"]
        #[doc = "# Ok::<(), prompt_core::Error>(())\n```"]
        pub fn with_field(mut self, name: impl Into<String>, value: impl Into<serde_json::Value>) -> Self {
            self.settings.fields.insert(name.into(), value.into());
            self
        }

        /// Sets how often and when a request is retried.
        #[doc = concat!("\n```\nuse prompt_client::RetryPolicy;\n", $example)]
        #[doc = "let llm = llm.with_retry(RetryPolicy::none());\n# Ok::<(), prompt_core::Error>(())\n```"]
        pub fn with_retry(mut self, retry: crate::RetryPolicy) -> Self {
            self.settings.retry = retry;
            self
        }

        /// Sets how often a call is retried, with the error in the prompt, when the answer does not match the output type.
        /// Once by default.
        #[doc = concat!("\n```\n", $example)]
        #[doc = "let llm = llm.with_output_retries(0);\n# Ok::<(), prompt_core::Error>(())\n```"]
        pub fn with_output_retries(mut self, retries: u32) -> Self {
            self.settings.options.output_retries = Some(retries);
            self
        }

        /// Sets how the JSON Schema of an answer is passed to the model.
        #[doc = concat!("\n```\nuse prompt_client::Structured;\n", $example)]
        #[doc = "let llm = llm.with_structured(Structured::Described);"]
        #[doc = "assert_eq!(llm.structured(), &Structured::Described);\n# Ok::<(), prompt_core::Error>(())\n```"]
        pub fn with_structured(mut self, structured: crate::Structured) -> Self {
            self.settings.structured = structured;
            self
        }

        /// Sets how many bytes an answer may have. 16 MiB by default.
        #[doc = concat!("\n```\n", $example)]
        #[doc = "let llm = llm.with_max_response_bytes(100_000);\n# Ok::<(), prompt_core::Error>(())\n```"]
        pub fn with_max_response_bytes(mut self, bytes: usize) -> Self {
            self.settings.max_response_bytes = bytes;
            self
        }

        /// Sets whether traces contain prompts and answers. They do not by default.
        #[doc = concat!("\n```\n", $example)]
        #[doc = "let llm = llm.with_traced_content(true);\n# Ok::<(), prompt_core::Error>(())\n```"]
        pub fn with_traced_content(mut self, traced: bool) -> Self {
            self.settings.trace_content = traced;
            self
        }

        /// Sets the HTTP client, for proxies, certificates or additional headers.
        ///
        /// The client should not follow redirects: a redirect to another host would disclose the key of some providers.
        #[doc = concat!("\n```\n", $example)]
        #[doc = "let http = prompt_client::reqwest::Client::builder().no_proxy().build().unwrap();"]
        #[doc = "let llm = llm.with_http_client(http);\n# Ok::<(), prompt_core::Error>(())\n```"]
        pub fn with_http_client(mut self, client: reqwest::Client) -> Self {
            self.settings.http = client;
            self
        }

        /// The name of the model.
        #[doc = concat!("\n```\n", $example)]
        #[doc = "assert!(!llm.model().is_empty());\n# Ok::<(), prompt_core::Error>(())\n```"]
        pub fn model(&self) -> &str {
            &self.settings.model
        }

        /// How the JSON Schema of an answer is passed to the model, if the provider supports that schema.
        #[doc = concat!("\n```\n", $example)]
        #[doc = "println!(\"{:?}\", llm.structured());\n# Ok::<(), prompt_core::Error>(())\n```"]
        pub fn structured(&self) -> &crate::Structured {
            &self.settings.structured
        }
    };
}
pub(crate) use builders;
