//! API keys and their sources.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use prompt_core::BoxFuture;
use reqwest::header::HeaderValue;
use zeroize::Zeroizing;

use crate::error::{CallError, CallErrorKind};

/// The source of a provider's API key.
///
/// The key is looked up for every request, so that a rotated key is used without a restart. `Debug` output never contains
/// it, and it is redacted from every error and, if it has at least 8 bytes, from every reply. The memory of keys is overwritten once they are not needed; the buffers of HTTP
/// and TLS below this crate are not.
///
/// ```
/// use typed_prompt::client::ApiKey;
///
/// assert_eq!(format!("{:?}", ApiKey::new("very-secret")), "ApiKey(given)");
/// assert_eq!(format!("{:?}", ApiKey::env("ACME_KEY")), "ApiKey(env ACME_KEY)");
/// ```
#[derive(Clone)]
pub struct ApiKey(KeySource);

type Resolver = dyn Fn() -> BoxFuture<'static, Result<String, BoxError>> + Send + Sync;
type BoxError = Box<dyn std::error::Error + Send + Sync>;

#[derive(Clone)]
enum KeySource {
    None,
    Env(Cow<'static, str>),
    Given(Secret),
    Resolver(Arc<Resolver>),
}

impl ApiKey {
    /// A key that is already known.
    pub fn new(key: impl Into<String>) -> ApiKey {
        ApiKey(KeySource::Given(Secret::new(key.into())))
    }

    /// A key in an environment variable, which is read for each request.
    pub fn env(name: impl Into<Cow<'static, str>>) -> ApiKey {
        ApiKey(KeySource::Env(name.into()))
    }

    /// No key, for servers that do not require one.
    pub fn none() -> ApiKey {
        ApiKey(KeySource::None)
    }

    /// A key that a function looks up, for example in a vault.
    ///
    /// ```
    /// use typed_prompt::client::ApiKey;
    ///
    /// let key = ApiKey::resolver(|| async { Ok(std::fs::read_to_string("/run/secrets/acme")?.trim().to_owned()) });
    /// assert_eq!(format!("{key:?}"), "ApiKey(resolver)");
    /// ```
    pub fn resolver<F, Fut>(resolve: F) -> ApiKey
    where
        F: Fn() -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<String, BoxError>> + Send + 'static,
    {
        ApiKey(KeySource::Resolver(Arc::new(move || Box::pin(resolve()))))
    }

    pub(crate) async fn resolve(&self) -> Result<Option<Secret>, CallError> {
        let error = |message| CallError::new(CallErrorKind::Key, message);
        let key = match &self.0 {
            KeySource::None => return Ok(None),
            KeySource::Given(secret) => Ok(secret.clone()),
            KeySource::Env(name) => std::env::var(&**name)
                .map(Secret::new)
                .map_err(|_| error(format!("the environment variable `{name}` is not set"))),
            // The resolver's error is discarded: it may contain credentials.
            KeySource::Resolver(resolve) => resolve()
                .await
                .map(Secret::new)
                .map_err(|_| error("the resolver of the API key failed".to_owned())),
        }?;
        match key.as_secret_str() {
            "" => Err(error(format!("the API key is empty ({self:?})"))
                .with_help("give a key with `.key(…)`, or `ApiKey::none()` where none is needed")),
            text if text.contains(char::is_control) => Err(error(format!(
                "the API key contains characters that are not allowed in a header ({self:?})"
            ))),
            _ => Ok(Some(key)),
        }
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            KeySource::None => f.write_str("ApiKey(none)"),
            KeySource::Env(name) => write!(f, "ApiKey(env {name})"),
            KeySource::Given(_) => f.write_str("ApiKey(given)"),
            KeySource::Resolver(_) => f.write_str("ApiKey(resolver)"),
        }
    }
}

/// A resolved key. It has no `Debug` implementation, and its memory is overwritten when it is dropped.
#[derive(Clone)]
pub(crate) struct Secret(Arc<Zeroizing<String>>);

impl Secret {
    pub(crate) fn new(key: String) -> Secret {
        Secret(Arc::new(Zeroizing::new(key)))
    }

    /// The key, without white space around it.
    pub(crate) fn as_secret_str(&self) -> &str {
        self.0.trim()
    }

    /// The value of a header with the key.
    pub(crate) fn header_value(&self, prefix: &str) -> Result<HeaderValue, CallError> {
        let value = Zeroizing::new(format!("{prefix}{}", self.as_secret_str()));
        let mut header = HeaderValue::from_str(&value).map_err(|_| {
            let message = "the API key contains characters that are not allowed in a header";
            CallError::new(CallErrorKind::Key, message)
        })?;
        header.set_sensitive(true);
        Ok(header)
    }
}

impl AsRef<str> for Secret {
    fn as_ref(&self) -> &str {
        self.as_secret_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn errors_of_missing_and_empty_keys_name_the_source() {
        let error = ApiKey::env("PROMPT_CLIENT_NO_SUCH_KEY")
            .resolve()
            .await
            .err()
            .unwrap();
        assert_eq!(error.kind(), CallErrorKind::Key);
        assert!(error.to_string().contains("PROMPT_CLIENT_NO_SUCH_KEY"));
        let error = ApiKey::resolver(|| async { Ok(" ".to_owned()) })
            .resolve()
            .await
            .err()
            .unwrap();
        assert_eq!(error.to_string(), "the API key is empty (ApiKey(resolver))");
    }

    #[tokio::test]
    async fn malformed_keys_are_rejected() {
        for (key, message) in [
            ("", "the API key is empty (ApiKey(given))"),
            (" \n", "the API key is empty (ApiKey(given))"),
            (
                "s3\ncret",
                "the API key contains characters that are not allowed in a header (ApiKey(given))",
            ),
        ] {
            let error = ApiKey::new(key).resolve().await.err().unwrap();
            assert_eq!(
                (error.kind(), &*error.to_string()),
                (CallErrorKind::Key, message)
            );
        }
        let key = ApiKey::new(" abc\n")
            .resolve()
            .await
            .ok()
            .flatten()
            .unwrap();
        assert_eq!(key.as_secret_str(), "abc");
    }

    #[tokio::test]
    async fn errors_of_resolvers_are_not_exposed() {
        let key = ApiKey::resolver(|| async { Err("denied for token s3cret".into()) });
        let error = key.resolve().await.err().unwrap();
        assert!(!format!("{error} {error:?}").contains("s3cret"));
    }

    /// Each owner of the key shares one allocation, and its type overwrites the memory.
    #[test]
    fn keys_are_overwritten_when_they_are_dropped() {
        fn is_overwritten<T: zeroize::ZeroizeOnDrop>(_: &T) {}
        let secret = Secret::new("sk-very-secret".to_owned());
        is_overwritten(&*secret.0);
        assert!(std::ptr::eq(
            secret.as_secret_str(),
            secret.clone().as_secret_str()
        ));
    }
}
