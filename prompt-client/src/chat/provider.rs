//! The capabilities of each provider, and the target of a request.

use genai::adapter::AdapterKind;
use genai::resolver::{AuthData, Endpoint};
use genai::{Headers, ModelIden, ServiceTarget};
use prompt_core::Result;

use super::ChatModel;
use super::response::call_error;
use crate::api_key::{ApiKey, Secret};
use crate::base_url::BaseUrl;
use crate::schema::Subset;

/// The capabilities of a provider and of genai's adapter for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Provider {
    pub(super) kind: AdapterKind,
    /// Whether the server is the user's own: a server by its address that speaks OpenAI's protocol.
    pub(super) own_server: bool,
    /// Whether genai speaks OpenAI's chat completions protocol with it.
    pub(super) openai: bool,
    pub(super) schema: SchemaSupport,
    pub(super) reasoning: ReasoningFormat,
    /// Whether it returns reasoning only if the request asks for it.
    pub(super) reasoning_on_request: bool,
    /// Whether genai makes up the end of a stream that was cut. Only a real end has a stop reason.
    pub(super) synthesizes_end: bool,
}

/// Whether a provider constrains its answers to a JSON Schema.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SchemaSupport {
    Unsupported,
    Full,
    Subset(Subset),
}

/// How the reasoning of earlier turns is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ReasoningFormat {
    /// As a field of the message, whichever model produced it.
    Field,
    /// In the provider's own blocks, as it returned them: signed, encrypted, or not at all.
    Blocks,
    /// Not at all, as the user requested.
    Omitted,
}

impl Provider {
    pub(super) fn new(kind: AdapterKind, own_server: bool) -> Provider {
        use AdapterKind as Kind;
        use ReasoningFormat::{Blocks, Field};
        use SchemaSupport::{Full, Unsupported};

        const fn subset(bounds: bool, recursion: bool) -> SchemaSupport {
            SchemaSupport::Subset(Subset { bounds, recursion })
        }
        const OPENAI: SchemaSupport = subset(true, true);
        const GEMINI: SchemaSupport = subset(true, false);
        // OpenRouter forwards requests to any of the others.
        const NARROW: SchemaSupport = subset(false, false);

        // OpenAI's API has no field for reasoning, and Groq rejects messages with one. genai omits it for Cohere and Ollama.
        let (openai, schema, reasoning, reasoning_on_request, synthesizes_end) = match kind {
            Kind::OpenAI if own_server => (true, Full, Field, false, false),
            Kind::OpenAI => (true, OPENAI, Blocks, false, false),
            Kind::OpenAIResp => (false, OPENAI, Blocks, true, true),
            Kind::Gemini | Kind::GeminiIx => (false, GEMINI, Blocks, true, true),
            Kind::Vertex => (false, Unsupported, Blocks, true, true),
            Kind::Anthropic => (false, NARROW, Blocks, false, false),
            Kind::MiniMax | Kind::Cohere => (false, Unsupported, Blocks, false, false),
            Kind::GithubCopilot => (false, Unsupported, Blocks, false, false),
            Kind::BedrockApi => (false, Unsupported, Blocks, false, true),
            Kind::Ollama | Kind::OllamaCloud => (false, Unsupported, Blocks, false, true),
            Kind::Groq => (true, NARROW, Blocks, false, false),
            Kind::OpenRouter => (true, NARROW, Field, false, false),
            Kind::Fireworks | Kind::Together => (true, Full, Field, false, false),
            Kind::Mistral | Kind::Xai => (true, Full, Field, false, false),
            Kind::Custom(_) => (false, Full, Field, false, false),
            Kind::OpenCodeGo => (false, Unsupported, Field, false, false),
            _ => (true, Unsupported, Field, false, false),
        };
        Provider {
            kind,
            own_server,
            openai,
            schema,
            reasoning,
            reasoning_on_request,
            synthesizes_end,
        }
    }

    pub(super) fn is_gemini(self) -> bool {
        matches!(self.kind, AdapterKind::Gemini | AdapterKind::GeminiIx)
    }

    /// Whether a request may have tools or a schema, but not both: llama.cpp rejects both together, and vLLM and older
    /// models of Gemini then never call a tool.
    pub(super) fn schema_excludes_tools(self) -> bool {
        self.own_server || self.is_gemini()
    }
}

/// Where a request is sent.
pub(super) struct Target {
    pub(super) genai: genai::Client,
    pub(super) service: ServiceTarget,
    pub(super) secret: Option<Secret>,
    pub(super) base_url: Option<BaseUrl>,
}

impl ChatModel {
    /// The target of a request, with the API key.
    pub(super) async fn target(&self) -> Result<Target> {
        let error = |error| self.settings.error(error, None, self.base_url.as_ref());
        let mut secret = self.settings.key.resolve().await.map_err(error)?;
        let genai = genai::Client::builder()
            .with_reqwest(self.settings.http.clone())
            .build()
            .map_err(|cause| error(call_error(cause)))?;
        let model = ModelIden::new(self.provider.kind, &*self.settings.model);
        let mut service = genai
            .resolve_service_target(model)
            .await
            .map_err(|cause| error(call_error(cause)))?;
        if let Some(base_url) = &self.base_url {
            service.endpoint = Endpoint::from_owned(base_url.as_str());
        }
        match (&secret, &self.base_url) {
            (Some(secret), _) => service.auth = AuthData::from_single(secret.reveal()),
            // Without a key, genai would send an empty one.
            (None, Some(base_url)) if self.provider.kind == AdapterKind::OpenAI => {
                service.auth = AuthData::RequestOverride {
                    url: base_url.endpoint("chat/completions").to_string(),
                    headers: Headers::default(),
                };
            }
            (None, _) => {}
        }
        if let (None, AuthData::FromEnv(name)) = (&secret, &service.auth) {
            // A key that genai finds by itself is redacted like any other.
            secret = ApiKey::env(name.clone()).resolve().await.ok().flatten();
        }
        let base_url = match &self.base_url {
            Some(base_url) => Some(base_url.clone()),
            None => BaseUrl::parse(service.endpoint.base_url()).ok(),
        };
        Ok(Target {
            genai,
            service,
            secret,
            base_url,
        })
    }
}
