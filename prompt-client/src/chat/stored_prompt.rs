//! Beginnings of prompts that a provider keeps under a name: Gemini's cached contents.

use std::time::Duration;

use prompt_core::{Messages, Options, Request, Result, StoredPrompt};
use reqwest::Method;
use serde_json::{Map, Value};

use super::ChatModel;
use super::request::check_support;
use super::support::CacheSupport;
use crate::error::{CallError, CallErrorKind};
use crate::http::{Endpoint, ResponseBody};
use crate::json_body::string_at;
use crate::open_call::OpenCall;
use crate::runtime::run_within;
use crate::trace::CallInfo;

/// What the names of stored prompts begin with.
const STORED_PROMPTS: &str = "cachedContents/";

impl ChatModel {
    /// Stores the beginning of prompts at the provider for a time, so that requests with [`PromptCache::Stored`](prompt_core::PromptCache) need not send it again:
    /// Gemini's cached contents. The messages are those with which the prompts begin, and the tools are theirs. The provider charges for the time. Other
    /// providers have no such request.
    ///
    /// ```no_run
    /// use std::time::Duration;
    /// use typed_prompt::{Llm, Message, Messages, client::ChatModel, llm::PromptCache};
    ///
    /// # async fn run() -> typed_prompt::Result<()> {
    /// let llm = ChatModel::new("gemini::gemini-2.5-flash")?;
    /// let manual = Messages::from([Message::system(std::fs::read_to_string("manual.txt").unwrap_or_default())]);
    /// let stored = llm.store_prompt(&manual, Duration::from_secs(600)).await?;
    /// for question in ["How is it opened?", "How is it cleaned?"] {
    ///     let ask = manual.iter().cloned().chain([Message::user(question)]);
    ///     let ask: Messages = ask.collect();
    ///     println!("{}", llm.call(&ask).prompt_cache(PromptCache::Stored(stored.clone())).await?);
    /// }
    /// llm.delete_prompt(&stored).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The provider does not store prompts, cannot be reached, or refuses this one: Gemini does so for prompts of fewer than some thousand tokens.
    pub async fn store_prompt(&self, beginning: &Messages, ttl: Duration) -> Result<StoredPrompt> {
        let request = Request::from_messages(beginning.clone());
        let body = self.stored_prompt_body(beginning, ttl);
        let body = body.map_err(|error| self.settings.redacted_error(error, [], &self.base_url))?;
        let body = Value::Object(body).to_string();
        let read_name = |answer: &Value| {
            let name = string_at(answer, "/name").map(str::to_owned);
            name.ok_or_else(|| {
                let problem = "the server's answer has no name of a stored prompt";
                CallError::unexpected_body(problem, &answer.to_string())
            })
        };
        let sent = self.send_stored(&request, Method::POST, "cachedContents", &body, read_name);
        StoredPrompt::new(sent.await?, beginning)
    }

    /// Deletes a stored prompt before its time has passed.
    ///
    /// ```no_run
    /// use typed_prompt::{Messages, client::ChatModel, llm::StoredPrompt};
    ///
    /// # async fn run() -> typed_prompt::Result<()> {
    /// let llm = ChatModel::new("gemini::gemini-2.5-flash")?;
    /// llm.delete_prompt(&StoredPrompt::new("cachedContents/a1", &Messages::new())?).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The provider does not store prompts, the name is not that of a stored prompt, or the provider cannot be reached, or does not have it any more.
    pub async fn delete_prompt(&self, stored: &StoredPrompt) -> Result<()> {
        let redacted = |error| self.settings.redacted_error(error, [], &self.base_url);
        self.check_stored_name(stored.name()).map_err(redacted)?;
        let request = Request::from_messages(Messages::new());
        let sent = self.send_stored(&request, Method::DELETE, stored.name(), "", |_| Ok(()));
        sent.await
    }

    fn stored_prompt_body(
        &self,
        beginning: &Messages,
        ttl: Duration,
    ) -> std::result::Result<Map<String, Value>, CallError> {
        if ttl.as_secs() == 0 {
            let message =
                "a stored prompt that is kept for less than a second ends before it is used";
            let error = CallError::new(CallErrorKind::Setup, message);
            return Err(error.with_help("write a time such as `Duration::from_secs(3600)`"));
        }
        let options = Options::new();
        check_support(self.provider, beginning, &options)?;
        let draft = self.draft_request(beginning, &options)?;
        let body = self
            .provider
            .protocol
            .stored_prompt_body(&draft, ttl.as_secs());
        body.unwrap_or_else(|| Err(self.no_stored_prompts()))
    }

    fn no_stored_prompts(&self) -> CallError {
        let message = format!("`{}` does not store prompts", self.provider());
        let error = CallError::new(CallErrorKind::Setup, message);
        error.with_help(
            "use `Options::prompt_cache`: docs/providers.md lists what each provider accepts",
        )
    }

    /// Fails if a request with this name as its path could delete something else than a stored prompt.
    fn check_stored_name(&self, name: &str) -> std::result::Result<(), CallError> {
        if self.provider.prompt_cache != CacheSupport::Stored {
            return Err(self.no_stored_prompts());
        }
        let is_plain = |id: &str| {
            let mut bytes = id.bytes();
            !id.is_empty()
                && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        };
        match name.strip_prefix(STORED_PROMPTS) {
            Some(id) if is_plain(id) => Ok(()),
            _ => {
                let message = format!("`{name}` is not the name of a stored prompt");
                let error = CallError::new(CallErrorKind::Setup, message);
                Err(error.with_help(
                    "give the name that the provider returned: `cachedContents/` and letters and digits",
                ))
            }
        }
    }

    async fn send_stored<T>(
        &self,
        request: &Request,
        method: Method,
        path: &str,
        body: &str,
        read: impl Fn(&Value) -> std::result::Result<T, CallError>,
    ) -> Result<T> {
        let info = CallInfo {
            operation: "stored_prompt",
            provider: self.provider(),
            model: &self.name,
            structured: None,
            stream: false,
        };
        let options = self.settings.options_for(request);
        let call = OpenCall::open(&self.settings, &self.base_url, request, options, &info).await?;
        let endpoint = Endpoint {
            method,
            url: self.base_url.endpoint(path),
            ..self.endpoint(false)
        };
        let attempt = || {
            run_within(call.options.timeout, async {
                let response = call.post_body(&endpoint, body, ResponseBody::Json).await?;
                read(&call.read_json(response).await?)
            })
        };
        let (answer, _) = call.run_attempts(request, attempt).await?;
        Ok(answer)
    }
}
