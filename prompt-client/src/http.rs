//! HTTP requests: keys, bounded bodies, and streams of frames.

use futures_util::StreamExt;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Method, Response, StatusCode};
use serde_json::Value;

use crate::error::CallError;
use crate::error::shown_url;
use crate::open_call::OpenCall;
use crate::sse::{FrameStream, Framing, frames, without_bom};

/// How a provider receives the API key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KeyHeader {
    /// `authorization: Bearer …`
    Bearer,
    /// A header of its own.
    Header(&'static str),
}

/// The content of a response body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ResponseBody {
    Json,
    Stream(Framing),
}

impl ResponseBody {
    fn content_type(self) -> &'static str {
        match self {
            ResponseBody::Json => "application/json",
            ResponseBody::Stream(Framing::Events) => "text/event-stream",
            ResponseBody::Stream(Framing::Lines) => "application/x-ndjson",
        }
    }

    fn accepts_content_type(self, content_type: &str) -> bool {
        // Servers use several content types for lines of JSON.
        self == ResponseBody::Stream(Framing::Lines) && !content_type.starts_with("text/html")
            || content_type.starts_with(self.content_type())
    }
}

/// The URL and the headers of requests.
pub(crate) struct Endpoint {
    pub(crate) method: Method,
    pub(crate) url: reqwest::Url,
    pub(crate) key_header: KeyHeader,
    pub(crate) headers: &'static [(&'static str, &'static str)],
    /// The base URL of the provider; empty for servers of users, which have the path `/v1`.
    pub(crate) usual_base_url: &'static str,
}

impl Endpoint {
    /// An endpoint without headers of its own.
    pub(crate) fn new(url: reqwest::Url) -> Endpoint {
        Endpoint {
            method: Method::POST,
            url,
            key_header: KeyHeader::Bearer,
            headers: &[],
            usual_base_url: "",
        }
    }
}

impl OpenCall {
    /// Sends a request, and waits for the head of its response.
    pub(crate) async fn post_body(
        &self,
        endpoint: &Endpoint,
        body: &str,
        expected: ResponseBody,
    ) -> Result<Response, CallError> {
        let (method, url) = (endpoint.method.clone(), endpoint.url.clone());
        let mut request = self.settings.http.request(method, url);
        if let Some(secret) = &self.secret {
            let (name, header) = match endpoint.key_header {
                KeyHeader::Bearer => (AUTHORIZATION, secret.header_value("Bearer ")?),
                KeyHeader::Header(name) => {
                    (HeaderName::from_static(name), secret.header_value("")?)
                }
            };
            request = request.header(name, header);
        }
        for (name, value) in endpoint.headers {
            request = request.header(*name, *value);
        }
        let request = request
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, HeaderValue::from_static(expected.content_type()))
            .body(body.to_owned());
        let asked = shown_url(&endpoint.url);
        let sent = match request.build() {
            Ok(mut request) => {
                self.run_hook(&mut request).await?;
                self.settings.http.execute(request).await
            }
            Err(error) => Err(error),
        };
        let mut response = sent.map_err(|error| CallError::from_http(error).with_url(&asked))?;
        let status = response.status();
        let headers = response.headers().clone();
        let found = headers
            .get(CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok());
        let found = found.unwrap_or_default();
        if status.is_success() && expected.accepts_content_type(found) {
            return Ok(response);
        }
        let body = read_bytes(&mut response, MAX_ERROR_BYTES).await;
        let body = body.unwrap_or_else(|(_, beginning)| beginning);
        let body = String::from_utf8_lossy(without_bom(&body));
        Err(match status.is_success() {
            true => CallError::wrong_content_type(found, expected.content_type(), &body),
            false => {
                let error = CallError::from_response(status.as_u16(), &headers, &body);
                match status {
                    StatusCode::NOT_FOUND => {
                        let usual = endpoint.usual_base_url;
                        let help = self.base_url.correction(&endpoint.url, usual);
                        let help = help.unwrap_or_else(|| WRONG_NAME.to_owned());
                        error.with_url(&asked).with_help(help)
                    }
                    _ => error,
                }
            }
        })
    }

    /// Reads a JSON body up to the size limit.
    pub(crate) async fn read_json(&self, mut response: Response) -> Result<Value, CallError> {
        let bytes = read_bytes(&mut response, self.settings.max_response_bytes).await;
        let bytes = bytes.map_err(|(error, _)| error)?;
        let bytes = without_bom(&bytes);
        serde_json::from_slice(bytes)
            .map_err(|error| CallError::not_json(error, &String::from_utf8_lossy(bytes)))
    }

    /// The frames of a response. A frame that exceeds the size limit is an error.
    pub(crate) fn read_frames(&self, response: Response, framing: Framing) -> FrameStream {
        let bytes = response.bytes_stream();
        let bytes = bytes.map(|bytes| bytes.map(Vec::from).map_err(CallError::from_http));
        frames(bytes, framing, self.settings.max_response_bytes)
    }
}

/// The help for a status 404 of a base URL that looks right.
const WRONG_NAME: &str = "check the name of the model and the base URL";

/// The number of bytes of an error body that are read: only its beginning is shown, and a proxy may answer with a whole page.
const MAX_ERROR_BYTES: usize = 1 << 16;

/// Reads a body up to a number of bytes. An error contains the bytes before it.
async fn read_bytes(
    response: &mut Response,
    limit: usize,
) -> Result<Vec<u8>, (CallError, Vec<u8>)> {
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(bytes)) if body.len() + bytes.len() > limit => {
                return Err((CallError::too_large(limit), body));
            }
            Ok(Some(bytes)) => body.extend_from_slice(&bytes),
            Ok(None) => return Ok(body),
            Err(error) => return Err((CallError::from_http(error), body)),
        }
    }
}
