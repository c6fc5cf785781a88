use std::fmt;

use crate::failure::{Cause, Failure};

/// The base URL of a server, such as `http://localhost:8080/v1`.
///
/// Its user, password and query are never shown: some gateways want their key there.
#[derive(Clone)]
pub(crate) struct Address(reqwest::Url);

impl Address {
    pub(crate) fn parse(text: &str) -> Result<Address, Failure> {
        let wrong =
            |why: &str| Failure::new(Cause::Setup, format!("the base URL cannot be used: {why}"));
        let mut url =
            reqwest::Url::parse(text.trim()).map_err(|error| wrong(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong("it begins with neither `http://` nor `https://`"));
        }
        url.set_fragment(None);
        // Without the last slash, joining a path would replace the last segment instead of adding one.
        if !url.path().ends_with('/') {
            let path = format!("{}/", url.path());
            url.set_path(&path);
        }
        Ok(Address(url))
    }

    pub(crate) fn url(&self) -> &str {
        self.0.as_str()
    }

    /// The address of one of the server's routes, with the query kept.
    pub(crate) fn route(&self, path: &str) -> reqwest::Url {
        let mut url = self.0.clone();
        url.set_path(&format!("{}{path}", self.0.path()));
        url
    }

    /// The address of a route that stands beside `v1` and not below it.
    pub(crate) fn beside(&self, path: &str) -> reqwest::Url {
        let mut url = self.0.clone();
        let root = self.0.path().trim_end_matches("v1/");
        url.set_path(&format!("{root}{path}"));
        url
    }

    pub(crate) fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    pub(crate) fn port(&self) -> Option<u16> {
        self.0.port_or_known_default()
    }

    /// The text with what may be secret in this address blotted out.
    pub(crate) fn scrub(&self, text: &str) -> String {
        let secrets = [Some(self.0.as_str()), self.0.password(), self.0.query()];
        secrets
            .into_iter()
            .flatten()
            .filter(|secret| !secret.is_empty())
            .fold(text.to_owned(), |text, secret| {
                text.replace(
                    secret,
                    if secret == self.0.as_str() {
                        "[base URL]"
                    } else {
                        "[key]"
                    },
                )
            })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.0.scheme(), self.host())?;
        if let Some(port) = self.0.port() {
            write!(f, ":{port}")?;
        }
        f.write_str(self.0.path())
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_keep_the_path_and_the_query() {
        let route = |base: &str| {
            Address::parse(base)
                .unwrap()
                .route("completions")
                .to_string()
        };
        assert_eq!(
            route("http://localhost:1/v1"),
            "http://localhost:1/v1/completions"
        );
        assert_eq!(
            route("http://localhost:1/v1/"),
            "http://localhost:1/v1/completions"
        );
        assert_eq!(
            route("http://localhost:1"),
            "http://localhost:1/completions"
        );
        assert_eq!(
            route("https://h.example/a?v=2"),
            "https://h.example/a/completions?v=2"
        );
    }

    #[test]
    fn secrets_in_an_address_are_not_shown() {
        let address = Address::parse("https://me:hush@h.example:8443/v1?key=k3y").unwrap();
        assert_eq!(format!("{address:?}"), "https://h.example:8443/v1/");
        assert_eq!(address.scrub("key=k3y hush"), "[key] [key]");
        assert!(
            !address
                .scrub(&format!("for {}", address.url()))
                .contains("k3y")
        );
    }

    #[test]
    fn what_is_no_address_is_refused() {
        assert!(Address::parse("localhost:8080").is_err());
        assert!(Address::parse("").is_err());
        assert!(Address::parse("ftp://h.example").is_err());
    }
}
