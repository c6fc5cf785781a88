use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use prompt_core::BoxFuture;

use crate::failure::{CUT, Cause, Failure};

/// Where the key of a provider comes from.
///
/// A key is looked up for every request, so that a rotated key is taken up without a restart. It is in no `Debug`
/// output and in no error: what a server says is searched for it first.
///
/// ```
/// use prompt_client::Key;
///
/// assert_eq!(format!("{:?}", Key::new("very-secret")), "Key(given)");
/// assert_eq!(format!("{:?}", Key::env("ACME_KEY")), "Key(env ACME_KEY)");
/// ```
#[derive(Clone)]
pub struct Key(Origin);

type Resolver = dyn Fn() -> BoxFuture<'static, Result<String, BoxError>> + Send + Sync;
type BoxError = Box<dyn std::error::Error + Send + Sync>;

#[derive(Clone)]
enum Origin {
    None,
    Env(Cow<'static, str>),
    Given(Secret),
    Resolver(Arc<Resolver>),
}

impl Key {
    /// A key that the program holds already.
    pub fn new(key: impl Into<String>) -> Key {
        Key(Origin::Given(Secret(key.into().into())))
    }

    /// A key in an environment variable, which is read for each request.
    pub fn env(name: impl Into<Cow<'static, str>>) -> Key {
        Key(Origin::Env(name.into()))
    }

    /// No key, as servers on one's own machine need none.
    pub fn none() -> Key {
        Key(Origin::None)
    }

    /// A key that a function finds, for example in a vault.
    ///
    /// ```
    /// use prompt_client::Key;
    ///
    /// let key = Key::resolver(|| async { Ok(std::fs::read_to_string("/run/secrets/acme")?.trim().to_owned()) });
    /// assert_eq!(format!("{key:?}"), "Key(resolver)");
    /// ```
    pub fn resolver<F, Fut>(find: F) -> Key
    where
        F: Fn() -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<String, BoxError>> + Send + 'static,
    {
        Key(Origin::Resolver(Arc::new(move || Box::pin(find()))))
    }

    pub(crate) async fn resolve(&self) -> Result<Option<Secret>, Failure> {
        let missing = |message| Failure::new(Cause::Key, message);
        let found = match &self.0 {
            Origin::None => return Ok(None),
            Origin::Given(secret) => Ok(secret.reveal().to_owned()),
            Origin::Env(name) => std::env::var(&**name)
                .map_err(|_| missing(format!("the environment variable `{name}` holds no key"))),
            // The error's text is not shown: what a vault says may hold what it was asked for.
            Origin::Resolver(find) => find()
                .await
                .map_err(|_| missing("the resolver of the key failed".to_owned())),
        }?;
        match found.trim() {
            "" => Err(missing(format!("the key is empty ({self:?})"))
                .with_help("give a key with `with_key`, or `Key::none()` where none is needed")),
            key if key.contains(char::is_control) => Err(missing(format!(
                "the key holds characters that no header can carry ({self:?})"
            ))),
            key => Ok(Some(Secret(key.into()))),
        }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Origin::None => f.write_str("Key(none)"),
            Origin::Env(name) => write!(f, "Key(env {name})"),
            Origin::Given(_) => f.write_str("Key(given)"),
            Origin::Resolver(_) => f.write_str("Key(resolver)"),
        }
    }
}

/// So few letters at the beginning of a key say what kind it is, and no secret: `sk-`.
const TOLD: usize = 4;

/// A key that was found. It has no `Debug`.
#[derive(Clone)]
pub(crate) struct Secret(Arc<str>);

impl Secret {
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// The text with the key blotted out, also where an excerpt ends inside of it.
    pub(crate) fn scrub(&self, text: &str) -> String {
        let key = &*self.0;
        let text = text.replace(key, "[key]");
        let Some(cut) = text.strip_suffix(CUT) else {
            return text;
        };
        let mut begins = (TOLD..key.len()).rev().filter_map(|end| key.get(..end));
        let begun = begins.find_map(|begin| cut.strip_suffix(begin));
        begun.map_or_else(|| text.clone(), |before| format!("{before}[key]{CUT}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_missing_or_empty_key_is_an_error_that_names_where_it_should_be() {
        let failure = Key::env("PROMPT_CLIENT_NO_SUCH_KEY")
            .resolve()
            .await
            .err()
            .unwrap();
        assert_eq!(failure.cause(), Cause::Key);
        assert!(failure.to_string().contains("PROMPT_CLIENT_NO_SUCH_KEY"));
        let failure = Key::resolver(|| async { Ok(" ".to_owned()) })
            .resolve()
            .await
            .err()
            .unwrap();
        assert_eq!(failure.to_string(), "the key is empty (Key(resolver))");
    }

    #[tokio::test]
    async fn a_key_that_cannot_be_one_is_an_error_wherever_it_comes_from() {
        for (key, message) in [
            ("", "the key is empty (Key(given))"),
            (" \n", "the key is empty (Key(given))"),
            (
                "s3\ncret",
                "the key holds characters that no header can carry (Key(given))",
            ),
        ] {
            let failure = Key::new(key).resolve().await.err().unwrap();
            assert_eq!(
                (failure.cause(), &*failure.to_string()),
                (Cause::Key, message)
            );
        }
        let key = Key::new(" abc\n").resolve().await.ok().flatten().unwrap();
        assert_eq!(key.reveal(), "abc");
    }

    #[tokio::test]
    async fn what_a_resolver_says_is_not_passed_on() {
        let key = Key::resolver(|| async { Err("denied for token s3cret".into()) });
        let failure = key.resolve().await.err().unwrap();
        assert!(!format!("{failure} {failure:?}").contains("s3cret"));
    }

    #[tokio::test]
    async fn a_key_is_trimmed_and_blotted_out() {
        let secret = Key::resolver(|| async { Ok("abc\n".to_owned()) })
            .resolve()
            .await
            .ok()
            .flatten()
            .unwrap();
        assert_eq!(secret.scrub("bad key abc."), "bad key [key].");
    }

    #[test]
    fn a_key_is_blotted_out_where_an_excerpt_ends_inside_of_it() {
        let secret = Secret("sk-öffne-dich".into());
        for end in ["sk-ö", "sk-öff", "sk-öffne-dic", "sk-öffne-dich"] {
            let scrubbed = secret.scrub(&format!("bad key {end}…"));
            assert_eq!(scrubbed, "bad key [key]…");
        }
        assert_eq!(secret.scrub("no such models…"), "no such models…");
    }
}
