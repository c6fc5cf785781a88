use std::sync::Arc;
use std::time::Duration;

use prompt_core::{Error, Options, Request, Structured};

use crate::address::Address;
use crate::failure::{Cause, Failure};
use crate::key::{Key, Secret};
use crate::retry::Retry;

/// What chat models and text models have in common.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) model: Arc<str>,
    pub(crate) key: Key,
    pub(crate) structured: Structured,
    pub(crate) options: Options,
    pub(crate) fields: serde_json::Map<String, serde_json::Value>,
    pub(crate) retry: Retry,
    pub(crate) limit: usize,
    pub(crate) trace_content: bool,
    pub(crate) http: reqwest::Client,
}

/// How long an attempt may take when neither the request nor the model says so.
const TIMEOUT: Duration = Duration::from_secs(300);

/// How often a model is asked again when neither the request nor the model says so.
const REASKS: u32 = 1;

/// How long a connection may take to come about.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How many bytes an answer may have.
const LIMIT: usize = 16 << 20;

impl Settings {
    pub(crate) fn new(model: &str, key: Key, structured: Structured) -> Result<Settings, Error> {
        // A redirected POST becomes a GET, and would carry headers with keys to another host.
        let http = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| setup(model, format!("the HTTP client cannot be built: {error}")))?;
        let options = Options {
            timeout: Some(TIMEOUT),
            reasks: Some(REASKS),
            ..Options::default()
        };
        Ok(Settings {
            model: model.into(),
            key,
            structured,
            options,
            fields: serde_json::Map::new(),
            retry: Retry::default(),
            limit: LIMIT,
            trace_content: false,
            http,
        })
    }

    /// The options of a request, with the model's own where the request says nothing.
    pub(crate) fn options_for(&self, request: &Request) -> Options {
        let (asked, own) = (&request.options, &self.options);
        Options {
            temperature: asked.temperature.or(own.temperature),
            top_p: asked.top_p.or(own.top_p),
            max_tokens: asked.max_tokens.or(own.max_tokens),
            seed: asked.seed.or(own.seed),
            stop: if asked.stop.is_empty() {
                own.stop.clone()
            } else {
                asked.stop.clone()
            },
            timeout: asked.timeout.or(own.timeout),
            reasks: asked.reasks.or(own.reasks),
        }
    }

    /// An error of this model, with what is secret blotted out.
    pub(crate) fn error(
        &self,
        failure: Failure,
        secret: Option<&Secret>,
        address: Option<&Address>,
    ) -> Error {
        let failure = failure.scrubbed(|text| {
            let text = address.map_or_else(|| text.to_owned(), |address| address.scrub(text));
            secret.map_or_else(|| text.clone(), |secret| secret.scrub(&text))
        });
        failure.into_error(&self.model)
    }
}

pub(crate) fn setup(model: &str, message: impl Into<String>) -> Error {
    Failure::new(Cause::Setup, message).into_error(model)
}

/// The methods that set up a model, the same for chat and text models.
macro_rules! builders {
    ($example:literal) => {
        /// Where the key comes from.
        #[doc = concat!("\n```\nuse prompt_client::Key;\n", $example, "\nlet llm = llm.with_key(Key::env(\"ACME_KEY\"));")]
        #[doc = "assert!(format!(\"{llm:?}\").contains(\"Key(env ACME_KEY)\"));\n# Ok::<(), prompt_core::Error>(())\n```"]
        pub fn with_key(mut self, key: crate::Key) -> Self {
            self.settings.key = key;
            self
        }

        /// Options for requests that say nothing themselves. The timeout is for one attempt: for the whole answer, or
        /// for each silence of a stream. It is five minutes at first.
        #[doc = concat!("\n```\nuse prompt_core::Options;\n", $example)]
        #[doc = "let llm = llm.with_options(Options { temperature: Some(0.0), ..Options::default() });"]
        #[doc = "# Ok::<(), prompt_core::Error>(())\n```"]
        pub fn with_options(mut self, options: prompt_core::Options) -> Self {
            let own = &self.settings.options;
            let timeout = options.timeout.or(own.timeout);
            let reasks = options.reasks.or(own.reasks);
            self.settings.options = prompt_core::Options { timeout, reasks, ..options };
            self
        }

        /// One more field of the body of every request, for what only this server knows: `top_k`, `tool_choice`, …
        ///
        /// It goes before what this crate would send. Ollama's own protocol takes none.
        #[doc = concat!("\n```\n", $example)]
        #[doc = "let llm = llm.with_field(\"top_k\", 40).with_field(\"tool_choice\", \"required\");"]
        #[doc = "# Ok::<(), prompt_core::Error>(())\n```"]
        pub fn with_field(mut self, name: impl Into<String>, value: impl Into<serde_json::Value>) -> Self {
            self.settings.fields.insert(name.into(), value.into());
            self
        }

        /// How often and when a request is sent again; see [`Retry`](crate::Retry).
        #[doc = concat!("\n```\nuse prompt_client::Retry;\n", $example)]
        #[doc = "let llm = llm.with_retry(Retry::none());\n# Ok::<(), prompt_core::Error>(())\n```"]
        pub fn with_retry(mut self, retry: crate::Retry) -> Self {
            self.settings.retry = retry;
            self
        }

        /// How often a model is asked again, with what is wrong, when its answer does not fit the output type. Once at
        /// first.
        #[doc = concat!("\n```\n", $example)]
        #[doc = "let llm = llm.with_reasks(0);\n# Ok::<(), prompt_core::Error>(())\n```"]
        pub fn with_reasks(mut self, times: u32) -> Self {
            self.settings.options.reasks = Some(times);
            self
        }

        /// How the JSON Schema of an answer reaches the model.
        #[doc = concat!("\n```\nuse prompt_client::Structured;\n", $example)]
        #[doc = "let llm = llm.with_structured(Structured::Described);"]
        #[doc = "assert_eq!(llm.structured(), &Structured::Described);\n# Ok::<(), prompt_core::Error>(())\n```"]
        pub fn with_structured(mut self, structured: crate::Structured) -> Self {
            self.settings.structured = structured;
            self
        }

        /// How many bytes an answer may have. 16 MiB at first.
        #[doc = concat!("\n```\n", $example)]
        #[doc = "let llm = llm.with_limit(100_000);\n# Ok::<(), prompt_core::Error>(())\n```"]
        pub fn with_limit(mut self, bytes: usize) -> Self {
            self.settings.limit = bytes;
            self
        }

        /// Whether prompts and answers are put into traces. They are not at first.
        #[doc = concat!("\n```\n", $example)]
        #[doc = "let llm = llm.with_traced_content(true);\n# Ok::<(), prompt_core::Error>(())\n```"]
        pub fn with_traced_content(mut self, traced: bool) -> Self {
            self.settings.trace_content = traced;
            self
        }

        /// Another HTTP client, with proxies, certificates or headers of one's own.
        ///
        /// The client should follow no redirects: one to another host would be sent the key of some providers.
        #[doc = concat!("\n```\n", $example)]
        #[doc = "let http = prompt_client::reqwest::Client::builder().no_proxy().build().unwrap();"]
        #[doc = "let llm = llm.with_http(http);\n# Ok::<(), prompt_core::Error>(())\n```"]
        pub fn with_http(mut self, client: reqwest::Client) -> Self {
            self.settings.http = client;
            self
        }

        /// The model's name.
        #[doc = concat!("\n```\n", $example)]
        #[doc = "assert!(!llm.model().is_empty());\n# Ok::<(), prompt_core::Error>(())\n```"]
        pub fn model(&self) -> &str {
            &self.settings.model
        }

        /// How the JSON Schema of an answer reaches the model, unless the provider cannot take that schema.
        #[doc = concat!("\n```\n", $example)]
        #[doc = "println!(\"{:?}\", llm.structured());\n# Ok::<(), prompt_core::Error>(())\n```"]
        pub fn structured(&self) -> &crate::Structured {
            &self.settings.structured
        }
    };
}
pub(crate) use builders;
