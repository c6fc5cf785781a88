//! Settings that chat models and completion models share.

use std::sync::Arc;
use std::time::Duration;

use prompt_core::{Error, Options, Request, Result, Structured, Usage};

use crate::api_key::{ApiKey, Secret};
use crate::base_url::BaseUrl;
use crate::error::{CallError, CallErrorKind};
use crate::prices::Prices;
use crate::redact::Redactor;
use crate::request_hook::RequestHook;
use crate::retry::RetryPolicy;
use crate::tls::build_client;

#[derive(Clone, Debug)]
pub(crate) struct ModelSettings {
    pub(crate) model: Arc<str>,
    pub(crate) key: ApiKey,
    pub(crate) structured: Structured,
    pub(crate) options: Options,
    pub(crate) retry: RetryPolicy,
    pub(crate) max_response_bytes: usize,
    pub(crate) trace_content: bool,
    pub(crate) allows_plain_http: bool,
    pub(crate) http: reqwest::Client,
    pub(crate) request_hook: Option<RequestHook>,
    pub(crate) prices: Option<Prices>,
}

/// The default timeout of an attempt: models that reason take minutes before their first byte, and a broken connection has to end at some time.
const TIMEOUT: Duration = Duration::from_secs(300);

/// The default number of retries after an answer that does not match the output type. One costs at most as much as the call did; a model that
/// fails twice rarely succeeds later.
const OUTPUT_RETRIES: u32 = 1;

/// Far above the longest answer of a model, and far below the memory of a small machine.
const MAX_RESPONSE_BYTES: usize = 16 << 20;

impl ModelSettings {
    pub(crate) fn new(model: &str, key: ApiKey, structured: Structured) -> Result<ModelSettings> {
        let http = build_client(model)?;
        let options = Options::new()
            .timeout(TIMEOUT)
            .output_retries(OUTPUT_RETRIES);
        Ok(ModelSettings {
            model: model.into(),
            key,
            structured,
            options,
            retry: RetryPolicy::default(),
            max_response_bytes: MAX_RESPONSE_BYTES,
            trace_content: false,
            allows_plain_http: false,
            http,
            request_hook: None,
            prices: None,
        })
    }

    /// The options of a request. Options that the request does not set are taken from the model.
    pub(crate) fn options_for(&self, request: &Request) -> Options {
        request.options.clone().or(&self.options)
    }

    /// The cost of tokens, if the model has prices.
    pub(crate) fn cost_of(&self, usage: Option<Usage>) -> Option<f64> {
        Some(self.prices?.cost(&usage?))
    }

    /// An error of this model, with its secrets redacted.
    pub(crate) fn redacted_error(
        &self,
        error: CallError,
        secrets: impl IntoIterator<Item = Secret>,
        base_url: &BaseUrl,
    ) -> Error {
        let redactor = Redactor::new(secrets.into_iter().chain(base_url.secrets()));
        let error = error.redact_secrets(|text| redactor.redact_error_text(text));
        let cost = self.cost_of(error.usage());
        let error = error.into_error(&self.model);
        match cost {
            Some(cost) => error.with_cost(cost),
            None => error,
        }
    }

    /// Fails if a key, or what `on_request` adds, would be sent without encryption to another machine.
    pub(crate) fn check_transport(
        &self,
        secret: Option<&Secret>,
        url: &BaseUrl,
    ) -> Result<(), CallError> {
        let secret = match &self.request_hook {
            _ if secret.is_some() || url.has_credentials() => "the API key",
            Some(_) => "the headers of `on_request`",
            None => return Ok(()),
        };
        if url.is_confidential() || self.allows_plain_http {
            return Ok(());
        }
        let host = url.host();
        let message = format!("{secret} would be sent without encryption to `{host}`");
        let error = CallError::new(CallErrorKind::Setup, message);
        Err(error.with_help("use an `https://` URL, or allow it with `.key_over_plain_http(true)`"))
    }
}

/// The builder methods of chat models and completion models.
macro_rules! builders {
    ($example:literal) => {
        /// Sets the source of the API key.
        #[doc = concat!("\n```\nuse typed_prompt::client::ApiKey;\n", $example, "\nlet llm = llm.key(ApiKey::env(\"ACME_KEY\"));")]
        #[doc = "assert!(format!(\"{llm:?}\").contains(\"ApiKey(env ACME_KEY)\"));\n# Ok::<(), typed_prompt::Error>(())\n```"]
        #[doc(alias = "api_key")]
        pub fn key(mut self, key: crate::ApiKey) -> Self {
            self.settings.key = key;
            self
        }

        /// Sets how often and when a request is retried.
        #[doc = concat!("\n```\nuse typed_prompt::client::RetryPolicy;\n", $example)]
        #[doc = "let llm = llm.retry(RetryPolicy::none());\n# Ok::<(), typed_prompt::Error>(())\n```"]
        pub fn retry(mut self, retry: crate::RetryPolicy) -> Self {
            self.settings.retry = retry;
            self
        }

        /// Sets how often a failed request is sent again, and leaves the other settings of the [`RetryPolicy`](crate::RetryPolicy).
        #[doc = concat!("\n```\n", $example)]
        #[doc = "let llm = llm.retries(1);\n# Ok::<(), typed_prompt::Error>(())\n```"]
        pub fn retries(mut self, max_retries: usize) -> Self {
            self.settings.retry = self.settings.retry.max_retries(max_retries);
            self
        }

        /// Sets how the JSON Schema of an answer is passed to the model.
        #[doc = concat!("\n```\nuse typed_prompt::llm::Structured;\n", $example)]
        #[doc = "let llm = llm.structured(Structured::Described);\n# Ok::<(), typed_prompt::Error>(())\n```"]
        pub fn structured(mut self, structured: prompt_core::Structured) -> Self {
            self.settings.structured = structured;
            self
        }

        /// Sets the prices of the model's tokens: reports, such as [`Answered::cost`](prompt_core::Answered::cost), then have the cost of each call.
        #[doc = concat!("\n```\nuse typed_prompt::client::Prices;\n", $example)]
        #[doc = "let llm = llm.prices(Prices::per_million(3.0, 15.0));\n# Ok::<(), typed_prompt::Error>(())\n```"]
        pub fn prices(mut self, prices: crate::Prices) -> Self {
            self.settings.prices = Some(prices);
            self
        }

        /// Sets how many bytes an answer may have: the body of a response, and in a stream each event, and the text, the
        /// reasoning and the tool calls together. The limit applies while the answer is read. 16 MiB by default.
        #[doc = concat!("\n```\n", $example)]
        #[doc = "let llm = llm.max_response_bytes(100_000);\n# Ok::<(), typed_prompt::Error>(())\n```"]
        pub fn max_response_bytes(mut self, bytes: usize) -> Self {
            self.settings.max_response_bytes = bytes;
            self
        }

        /// Allows the API key to be sent over `http://` to another machine, where everyone on the way can read it.
        ///
        /// Without it, such a call is an error. Servers on this machine (`localhost` and loopback addresses) never need it.
        #[doc = concat!("\n```\n", $example)]
        #[doc = "let llm = llm.key_over_plain_http(true);\n# Ok::<(), typed_prompt::Error>(())\n```"]
        pub fn key_over_plain_http(mut self, allowed: bool) -> Self {
            self.settings.allows_plain_http = allowed;
            self
        }

        /// Sets whether traces contain prompts and answers. They do not by default.
        #[doc = concat!("\n```\n", $example)]
        #[doc = "let llm = llm.traced_content(true);\n# Ok::<(), typed_prompt::Error>(())\n```"]
        pub fn traced_content(mut self, traced: bool) -> Self {
            self.settings.trace_content = traced;
            self
        }

        /// Sets a function that sees each HTTP request before it is sent, and returns headers to add: a signature, or a token of a gateway. It is called for each
        /// attempt, and its time counts towards the timeout of the attempt. A header that the request has already is replaced.
        ///
        /// What it adds is redacted from errors, and is not sent without encryption to another machine. Replies keep words of it, unless the value is marked with
        /// `set_sensitive(true)`. If the function fails, the call does; it is retried after a
        /// [transient](crate::HookError::transient) error. `typed_prompt::docs::providers` has the function for AWS Signature Version 4.
        #[doc = concat!("\n```\nuse typed_prompt::client::{HookError, HttpRequest, reqwest::header::HeaderMap};\n\n\
            async fn add_ticket(request: HttpRequest) -> Result<HeaderMap, HookError> {\n    \
            let ticket = std::fs::read_to_string(\"/run/tickets/llm\")?;\n    \
            let signed = format!(\"{} {} {}\", ticket.trim(), request.url().path(), request.body().len());\n    \
            Ok(HeaderMap::from_iter([(\"x-ticket\".parse()?, signed.parse()?)]))\n}\n\n", $example)]
        #[doc = "let llm = llm.on_request(add_ticket);\n# Ok::<(), typed_prompt::Error>(())\n```"]
        #[doc(alias = "sign")]
        #[doc(alias = "middleware")]
        pub fn on_request<H, Fut>(mut self, hook: H) -> Self
        where
            H: Fn(crate::HttpRequest) -> Fut + Send + Sync + 'static,
            Fut: Future<Output = std::result::Result<reqwest::header::HeaderMap, crate::HookError>> + Send + 'static,
        {
            self.settings.request_hook = Some(crate::request_hook::RequestHook::new(hook));
            self
        }

        /// Sets the HTTP client, for proxies, certificates or additional headers. [`http_client_builder`](crate::http_client_builder) has the
        /// settings of this crate.
        ///
        /// The client should not follow redirects: a redirect to another host would disclose the key of some providers.
        #[doc = concat!("\n```\n", $example)]
        #[doc = "let http = typed_prompt::client::http_client_builder().no_proxy().build().unwrap();"]
        #[doc = "let llm = llm.http_client(http);\n# Ok::<(), typed_prompt::Error>(())\n```"]
        pub fn http_client(mut self, client: reqwest::Client) -> Self {
            self.settings.http = client;
            self
        }

        /// The name of the model.
        #[doc = concat!("\n```\n", $example)]
        #[doc = "assert!(!llm.model().is_empty());\n# Ok::<(), typed_prompt::Error>(())\n```"]
        pub fn model(&self) -> &str {
            &self.settings.model
        }

        prompt_core::option_setters!(|self| self.settings.options);
    };
}
pub(crate) use builders;
