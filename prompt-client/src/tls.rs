//! The HTTP client, and its TLS.

use std::sync::Arc;
use std::time::Duration;

use prompt_core::Result;
use rustls::crypto::CryptoProvider;
use rustls::crypto::ring::default_provider;
use rustls_platform_verifier::BuilderVerifierExt;

use crate::error::{CallError, CallErrorKind};

/// Far below the timeout of an attempt: a host that does not accept the connection is retried or replaced soon.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A builder of an HTTP client with the settings of this crate, for [`ChatModel::http_client`](crate::ChatModel::http_client): a short timeout for
/// connections, and no redirects.
///
/// `reqwest` has no default implementation of cryptography in this crate. This function installs the one of `ring` for the process, unless the
/// program has installed another one or enables one with the features of `reqwest` or `rustls`.
///
/// ```
/// use typed_prompt::client::{ChatModel, http_client_builder};
///
/// let http = http_client_builder().no_proxy().build().unwrap();
/// let llm = ChatModel::openai_compatible("http://localhost:8080/v1", "qwen3")?.http_client(http);
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub fn http_client_builder() -> reqwest::ClientBuilder {
    if CryptoProvider::get_default().is_none() {
        // An error means that another thread has installed one meanwhile.
        let _ = default_provider().install_default();
    }
    configure_builder(reqwest::Client::builder())
}

fn configure_builder(builder: reqwest::ClientBuilder) -> reqwest::ClientBuilder {
    builder
        .connect_timeout(CONNECT_TIMEOUT)
        // A redirected POST becomes a GET, and would carry headers with keys to another host.
        .redirect(reqwest::redirect::Policy::none())
        // Another crate of the program may enable decompression in this one.
        .no_gzip()
        .no_brotli()
        .no_deflate()
        .no_zstd()
}

/// The HTTP client of a model. It changes nothing for the rest of the process.
pub(crate) fn build_client(model: &str) -> Result<reqwest::Client> {
    let fail = |error: &dyn std::fmt::Display| {
        let message = format!("the HTTP client cannot be built: {error}");
        CallError::new(CallErrorKind::Setup, message).into_error(model)
    };
    let tls = tls_config().map_err(|error| fail(&error))?;
    configure_builder(reqwest::Client::builder())
        .tls_backend_preconfigured(tls)
        .build()
        .map_err(|error| fail(&error))
}

/// TLS with the certificates of the system, and the cryptography that the process has as its default, otherwise that of `ring`.
fn tls_config() -> std::result::Result<rustls::ClientConfig, rustls::Error> {
    let provider = CryptoProvider::get_default().cloned();
    let provider = provider.unwrap_or_else(|| Arc::new(default_provider()));
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_platform_verifier()?;
    let mut config = config.with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}
