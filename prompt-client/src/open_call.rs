//! One call of a model, from the lookup of its key to its last attempt.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use prompt_core::{Error, Options, Request, Result};

use crate::api_key::Secret;
use crate::base_url::BaseUrl;
use crate::error::CallError;
use crate::redact::Redactor;
use crate::request_hook::HeaderSecret;
use crate::runtime::check_runtime;
use crate::settings::ModelSettings;
use crate::trace::{CallInfo, CallSpan};

/// One call of a model: what its attempts, its trace and its errors need.
pub(crate) struct OpenCall {
    pub(crate) settings: ModelSettings,
    pub(crate) span: CallSpan,
    pub(crate) secret: Option<Secret>,
    pub(crate) base_url: BaseUrl,
    pub(crate) options: Options,
    /// What the function of `on_request` has added.
    header_secrets: Mutex<Vec<HeaderSecret>>,
    /// How many times the request was sent until its answer began.
    pub(crate) attempts: u32,
}

impl OpenCall {
    /// Opens the span of a call, and looks the key up.
    pub(crate) async fn open(
        settings: &ModelSettings,
        base_url: &BaseUrl,
        request: &Request,
        options: Options,
        info: &CallInfo<'_>,
    ) -> Result<OpenCall> {
        let span = CallSpan::new(settings.trace_content, base_url, request, &options, info);
        let error = |error| settings.redacted_error(error, [], base_url);
        check_runtime().map_err(error)?;
        let checked = options.check_values();
        checked.map_err(|wrong| error(CallError::from_setup(&wrong)))?;
        let secret = settings.key.resolve().await;
        let secret = secret.map_err(error)?;
        let call = OpenCall {
            settings: settings.clone(),
            span,
            secret,
            base_url: base_url.clone(),
            options,
            header_secrets: Mutex::default(),
            attempts: 0,
        };
        let checked = settings.check_transport(call.secret.as_ref(), base_url);
        checked.map_err(|error| call.record_failure(error))?;
        Ok(call)
    }

    /// Runs attempts as the retry policy defines. Returns the number of attempts too. The report of the request receives those that are followed by another one.
    pub(crate) async fn run_attempts<T, Fut>(
        &self,
        request: &Request,
        mut attempt: impl FnMut() -> Fut,
    ) -> Result<(T, u32)>
    where
        Fut: Future<Output = Result<T, CallError>>,
    {
        let failed = Mutex::new(None);
        let take_failed = || failed.lock().unwrap_or_else(PoisonError::into_inner).take();
        let counted = || {
            if let Some((error, latency)) = take_failed() {
                request.record_failure(&self.redact_error(error), latency);
            }
            // The futures around it would contain it several times.
            let (attempt, failed) = (Box::pin(attempt()), &failed);
            async move {
                let begin = Instant::now();
                let result = attempt.await;
                if let Err(error) = &result {
                    let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                    *failed = Some((error.clone(), begin.elapsed()));
                }
                result
            }
        };
        let attempts = self.settings.retry.run_attempts(counted);
        let result = self.span.run_inside(attempts).await;
        let (value, attempts) = result.map_err(|error| self.record_failure(error))?;
        self.span.record_attempts(attempts);
        Ok((value, attempts))
    }

    /// Runs the function of `on_request`, and keeps what of the headers that it adds is secret.
    pub(crate) async fn run_hook(&self, request: &mut reqwest::Request) -> Result<(), CallError> {
        if let Some(hook) = &self.settings.request_hook {
            let added = hook.add_headers(request).await?;
            self.header_secrets().extend(added);
        }
        Ok(())
    }

    fn header_secrets(&self) -> MutexGuard<'_, Vec<HeaderSecret>> {
        let secrets = self.header_secrets.lock();
        secrets.unwrap_or_else(PoisonError::into_inner)
    }

    /// The secrets that are redacted from replies.
    pub(crate) fn reply_redactor(&self) -> Redactor {
        let added = self.header_secrets().clone().into_iter();
        let keys = added.filter(|added| added.is_key).map(|added| added.secret);
        let secrets = self.secret.clone().into_iter().chain(keys);
        Redactor::new(secrets.chain(self.base_url.secrets_in_answers())).for_replies()
    }

    /// Records an error in the trace, and redacts secrets from it.
    pub(crate) fn record_failure(&self, error: CallError) -> Error {
        self.span.record_error(&error);
        let attempts = error.attempts().max(self.attempts);
        self.redact_error(error.with_attempts(attempts))
    }

    fn redact_error(&self, error: CallError) -> Error {
        let added = self.header_secrets().clone().into_iter();
        let added = added.map(|added| added.secret);
        let secrets = self.secret.clone().into_iter().chain(added);
        self.settings.redacted_error(error, secrets, &self.base_url)
    }
}
