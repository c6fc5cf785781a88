//! Tracing spans and events, with the names of OpenTelemetry's semantic conventions for generative AI.
//!
//! Each call is a span `chat` or `text_completion` at level INFO with its request and its result. Each retry is an event
//! at level WARN. Prompts and answers are recorded only if the user enables it.

use std::time::{Duration, Instant};

use prompt_core::{Json, Options, ReasoningEffort, Reply, Request, Role, Structured};
use tracing::field::Empty;

use crate::base_url::BaseUrl;
use crate::error::CallError;

/// The span of one call, from its first attempt to the end of its answer.
#[derive(Clone)]
pub(crate) struct CallSpan {
    span: tracing::Span,
    /// Whether prompts and answers are recorded.
    records_content: bool,
    /// When the request was issued.
    start: Instant,
}

/// The attributes of a call besides its messages and options.
pub(crate) struct CallInfo<'a> {
    pub(crate) operation: &'static str,
    pub(crate) provider: &'a str,
    pub(crate) model: &'a str,
    /// `None` if the answer is plain text.
    pub(crate) structured: Option<&'a Structured>,
    pub(crate) stream: bool,
}

impl CallSpan {
    pub(crate) fn new(
        records_content: bool,
        base_url: &BaseUrl,
        request: &Request,
        options: &Options,
        info: &CallInfo<'_>,
    ) -> CallSpan {
        let span = tracing::info_span!(
            target: "prompt_client",
            "gen_ai.request",
            "otel.name" = format_args!("{} {}", info.operation, info.model),
            "otel.kind" = "client",
            "gen_ai.operation.name" = info.operation,
            "gen_ai.provider.name" = provider_name(info.provider),
            "gen_ai.request.model" = info.model,
            "gen_ai.request.temperature" = options.temperature,
            "gen_ai.request.top_p" = options.top_p,
            "gen_ai.request.max_tokens" = options.max_tokens,
            "gen_ai.request.seed" = options.seed,
            "gen_ai.request.stop_sequences" = json_list(&options.stop),
            "gen_ai.request.reasoning_effort" = options.reasoning_effort.map(ReasoningEffort::name),
            "gen_ai.request.stream" = info.stream,
            "gen_ai.output.type" = if request.schema.is_some() { "json" } else { "text" },
            "gen_ai.response.id" = Empty,
            "gen_ai.response.model" = Empty,
            "gen_ai.response.time_to_first_chunk" = Empty,
            "gen_ai.response.finish_reasons" = Empty,
            "gen_ai.usage.input_tokens" = Empty,
            "gen_ai.usage.output_tokens" = Empty,
            "gen_ai.usage.cache_read.input_tokens" = Empty,
            "gen_ai.usage.cache_creation.input_tokens" = Empty,
            "gen_ai.usage.reasoning.output_tokens" = Empty,
            "gen_ai.system_instructions" = Empty,
            "gen_ai.input.messages" = Empty,
            "gen_ai.output.messages" = Empty,
            "server.address" = base_url.host(),
            "server.port" = base_url.port(),
            "http.response.status_code" = Empty,
            "error.type" = Empty,
            "typed_prompt.name" = request.info.name,
            "typed_prompt.fingerprint" = display(request.info.fingerprint),
            "typed_prompt.structured" = info.structured.map(Structured::name),
            "typed_prompt.attempts" = Empty,
        );
        let span = CallSpan {
            span,
            records_content,
            start: Instant::now(),
        };
        if span.records_content && !span.span.is_disabled() {
            span.record_input(request);
        }
        span
    }

    /// Runs a future inside the span.
    pub(crate) async fn run_inside<F: Future>(&self, future: F) -> F::Output {
        tracing::Instrument::instrument(future, self.span.clone()).await
    }

    fn record_input(&self, request: &Request) {
        let (system, rest): (Vec<_>, Vec<_>) = request
            .messages
            .iter()
            .partition(|message| message.role == Role::System);
        let json = |messages: &[&prompt_core::Message]| {
            Json::from_serialize(messages)
                .map(|json| json.to_string())
                .ok()
        };
        self.span.record("gen_ai.input.messages", json(&rest));
        if !system.is_empty() {
            self.span
                .record("gen_ai.system_instructions", json(&system));
        }
    }

    pub(crate) fn record_attempts(&self, attempts: u32) {
        self.span.record("typed_prompt.attempts", attempts);
    }

    /// Records that a stream has begun.
    pub(crate) fn record_first_chunk(&self) {
        let seconds = self.start.elapsed().as_secs_f64();
        self.span
            .record("gen_ai.response.time_to_first_chunk", seconds);
    }

    pub(crate) fn record_reply(&self, reply: &Reply) {
        let span = &self.span;
        if let Some(id) = &reply.id {
            span.record("gen_ai.response.id", id.as_str());
        }
        if let Some(model) = &reply.model {
            span.record("gen_ai.response.model", model.as_str());
        }
        if let Some(finish) = &reply.finish {
            span.record("gen_ai.response.finish_reasons", finish.name());
        }
        if let Some(usage) = reply.usage {
            span.record("gen_ai.usage.input_tokens", usage.input);
            span.record("gen_ai.usage.output_tokens", usage.output);
            span.record("gen_ai.usage.cache_read.input_tokens", usage.cached_input);
            span.record(
                "gen_ai.usage.cache_creation.input_tokens",
                usage.cache_writes,
            );
            span.record("gen_ai.usage.reasoning.output_tokens", usage.reasoning);
        }
        if self.records_content {
            span.record("gen_ai.output.messages", reply.text.as_str());
        }
    }

    pub(crate) fn record_error(&self, error: &CallError) {
        self.span.record("error.type", error.kind().name());
        if let Some(status) = error.status() {
            self.span.record("http.response.status_code", status);
        }
        if error.attempts() > 0 {
            self.record_attempts(error.attempts());
        }
    }
}

/// A list as JSON. `None` if it is empty.
fn json_list(texts: &[String]) -> Option<String> {
    let json = || {
        Json::from_serialize(&texts)
            .map(|json| json.to_string())
            .ok()
    };
    (!texts.is_empty()).then(json).flatten()
}

/// The name of a provider in the conventions. Providers without one keep their name in this crate.
fn provider_name(name: &str) -> &str {
    match name {
        "openai_resp" => "openai",
        "gemini" => "gcp.gemini",
        "mistral" => "mistral_ai",
        "xai" => "x_ai",
        name => name,
    }
}

/// Records that a request is about to be retried.
pub(crate) fn record_retry(error: &CallError, delay: Duration) {
    // The message may quote the server's answer, so only the kind is recorded.
    tracing::warn!(
        target: "prompt_client",
        {
            "error.type" = error.kind().name(),
            "http.response.status_code" = error.status(),
            "typed_prompt.pause_ms" = u64::try_from(delay.as_millis()).unwrap_or(u64::MAX),
        },
        "the request is retried after a delay",
    );
}

/// Records that a reply was kept from an earlier call, so that no request is sent.
pub(crate) fn record_cache_hit(request: &Request) {
    tracing::info!(
        target: "prompt_client",
        {
            "typed_prompt.name" = request.info.name,
            "typed_prompt.fingerprint" = display(request.info.fingerprint),
        },
        "the reply is in the cache",
    );
}

/// Records that a call is refused, because its budget is spent.
pub(crate) fn record_budget_refusal(request: &Request, error: &CallError) {
    tracing::warn!(
        target: "prompt_client",
        {
            "typed_prompt.name" = request.info.name,
            "typed_prompt.fingerprint" = display(request.info.fingerprint),
            "error.type" = error.kind().name(),
        },
        "{error}",
    );
}

/// Records that another model is called after an error of the first one.
pub(crate) fn record_fallback(request: &Request, error: Option<&CallError>) {
    tracing::warn!(
        target: "prompt_client",
        {
            "typed_prompt.name" = request.info.name,
            "typed_prompt.fingerprint" = display(request.info.fingerprint),
            "error.type" = error.map(|error| error.kind().name()),
            "http.response.status_code" = error.and_then(CallError::status),
        },
        "another model is called",
    );
}
