//! The redaction of secrets from texts, also in the encodings of URLs and of JSON.

use crate::base64;

/// Shorter secrets, and shorter parts of them, stay in the answers of models and the results of tools: a word such as `ollama`, which local servers accept as a
/// key, may be a part of them.
pub const MIN_IN_ANSWERS: usize = 8;

/// Secrets, and what replaces them. They are found in the encodings of URLs and of JSON, also where a character is encoded that need not be.
///
/// ```
/// use prompt_base::redact::Redactor;
///
/// let redactor = Redactor::new(["sk-a/b"], "[key]");
/// assert_eq!(redactor.redact_text("sk-a/b, sk-a%2Fb, sk-a\\/b"), "[key], [key], [key]");
/// ```
pub struct Redactor<S> {
    secrets: Vec<S>,
    replacement: &'static str,
}

impl<S: AsRef<str>> Redactor<S> {
    /// Secrets that are empty are left out.
    pub fn new(secrets: impl IntoIterator<Item = S>, replacement: &'static str) -> Redactor<S> {
        let secrets = secrets.into_iter();
        let secrets = secrets.filter(|secret| !secret.as_ref().is_empty());
        Redactor {
            secrets: secrets.collect(),
            replacement,
        }
    }

    /// Leaves out secrets of fewer than [`MIN_IN_ANSWERS`] bytes.
    pub fn for_answers(mut self) -> Redactor<S> {
        let secrets = &mut self.secrets;
        secrets.retain(|secret| secret.as_ref().len() >= MIN_IN_ANSWERS);
        self
    }

    /// Whether there is no secret.
    pub fn is_empty(&self) -> bool {
        self.secrets.is_empty()
    }

    /// Replaces the secrets in a text.
    pub fn redact_text(&self, text: &str) -> String {
        self.redact_excerpt(text, usize::MAX)
    }

    /// Replaces the secrets in a text that may end inside one: at its end, at least `min_characters` of a secret are replaced too.
    pub fn redact_excerpt(&self, text: &str, min_characters: usize) -> String {
        let (mut redacted, mut rest) = (String::new(), text);
        loop {
            let (end, characters) = self.redact_part(rest, &mut redacted);
            if characters >= min_characters {
                redacted.push_str(self.replacement);
                return redacted;
            }
            // What begins like a long secret may contain a whole short one.
            let mut chars = end.chars();
            match chars.next() {
                Some(first) => redacted.push(first),
                None => return redacted,
            }
            rest = chars.as_str();
        }
    }

    /// Replaces the secrets in a part of a text. Returns the end that may be the beginning of a secret, and how many of its characters it contains.
    fn redact_part<'a>(&self, text: &'a str, redacted: &mut String) -> (&'a str, usize) {
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let found = self.secrets.iter();
            let found = found.filter_map(|secret| find_at(rest, secret.as_ref()));
            match found.max() {
                Some(Found::Whole(end)) => {
                    redacted.push_str(self.replacement);
                    rest = &rest[end..];
                }
                Some(Found::Cut(characters)) => return (rest, characters),
                None => {
                    redacted.push(first);
                    rest = &rest[first.len_utf8()..];
                }
            }
        }
        ("", 0)
    }
}

/// A text that arrives in parts, between which a secret may be divided.
#[derive(Default)]
pub struct RedactedParts {
    /// The end of the text, if it may be the beginning of a secret.
    pending: String,
}

impl RedactedParts {
    /// Adds a part, and returns what cannot be the beginning of a secret.
    pub fn push<S: AsRef<str>>(&mut self, redactor: &Redactor<S>, part: &str) -> String {
        self.pending.push_str(part);
        let mut redacted = String::new();
        let (rest, _) = redactor.redact_part(&self.pending, &mut redacted);
        self.pending = rest.to_owned();
        redacted
    }

    /// The end of the text. At least `min_characters` of a secret are replaced.
    pub fn finish<S: AsRef<str>>(
        &mut self,
        redactor: &Redactor<S>,
        min_characters: usize,
    ) -> String {
        let pending = std::mem::take(&mut self.pending);
        redactor.redact_excerpt(&pending, min_characters)
    }
}

/// The secrets in the query of a URL: each value that [may be a secret](may_be_secret). A name without a value is one.
/// The value of a version, such as Azure's `api-version`, is not a secret. A value is found as it is sent and as servers decode it.
///
/// ```
/// let found: Vec<String> = prompt_base::redact::query_secrets("key=s3%2Fcr+t&api-version=2024-10-21&t0ken").collect();
/// assert_eq!(found, ["s3%2Fcr+t", "s3/cr+t", "s3/cr t", "t0ken"]);
/// ```
pub fn query_secrets(query: &str) -> impl Iterator<Item = String> {
    let pairs = query.split('&').map(|pair| match pair.split_once('=') {
        Some((name, "")) => ("", name),
        Some((name, value)) => (name, value),
        None => ("", pair),
    });
    let is_version = |name: &str| {
        let name = name.to_ascii_lowercase();
        let before = name.strip_suffix("version");
        before.is_some_and(|before| before.is_empty() || before.ends_with(['-', '_']))
    };
    let pairs = pairs.filter(move |(name, _)| !is_version(name));
    let forms = pairs.flat_map(|(_, value)| {
        let decoded = percent_decoded(value);
        let mut forms = vec![
            value.to_owned(),
            decoded,
            percent_decoded(&value.replace('+', " ")),
        ];
        forms.dedup();
        forms
    });
    forms.filter(|value| may_be_secret(value))
}

/// Whether a value may be a secret, which errors must not contain. A value of fewer than four bytes is not, nor are `true`, `false` and a number of
/// fewer than eight digits: errors contain them for other reasons.
///
/// ```
/// use prompt_base::redact::may_be_secret;
///
/// assert!(may_be_secret("hush") && may_be_secret("90210777"));
/// assert!(!may_be_secret("v1") && !may_be_secret("true") && !may_be_secret("2024"));
/// ```
pub fn may_be_secret(value: &str) -> bool {
    const MIN_BYTES: usize = 4;
    const MIN_DIGITS: usize = 8;
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    let min = if is_number { MIN_DIGITS } else { MIN_BYTES };
    value.len() >= min && !["true", "false"].contains(&&*value.to_ascii_lowercase())
}

/// Whether a part of a URL may be a key: it has at least 16 bytes, with a digit and a letter. Other parts are words, such as the name of a
/// deployment, which answers of models may contain.
///
/// ```
/// use prompt_base::redact::may_be_key;
///
/// assert!(may_be_key("AIzaSyD-9tSrke72PouQMnMX"));
/// assert!(!may_be_key("production") && !may_be_key("gpt-4o-mini"));
/// ```
pub fn may_be_key(part: &str) -> bool {
    let has = |is: fn(&char) -> bool| part.chars().any(|char| is(&char));
    part.len() >= 16 && has(char::is_ascii_digit) && has(char::is_ascii_alphabetic)
}

/// The credentials of a URL as the header `authorization: Basic …` contains them, without padding.
pub fn basic_credentials(user: &str, password: &str) -> String {
    let encoded = base64::encode(format!("{user}:{password}").as_bytes());
    encoded.trim_end_matches('=').to_owned()
}

/// The text of a part of a URL.
pub fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = after
            .get(..2)
            .filter(|hex| hex.iter().all(u8::is_ascii_hexdigit));
        let hex = hex.and_then(|hex| std::str::from_utf8(hex).ok());
        let decoded = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (first, decoded) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A secret at the beginning of a text.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Found {
    /// The text ends after this number of characters of the secret.
    Cut(usize),
    /// The secret ends at this byte.
    Whole(usize),
}

fn find_at(text: &str, secret: &str) -> Option<Found> {
    let mut rest = text;
    for (count, character) in secret.chars().enumerate() {
        match skip_character(rest, character) {
            Skipped::Whole(after) => rest = after,
            Skipped::Cut => return Some(Found::Cut(count)),
            Skipped::Another => return None,
        }
    }
    Some(Found::Whole(text.len() - rest.len()))
}

enum Skipped<'a> {
    /// The text after the character.
    Whole(&'a str),
    /// The text ends inside the character.
    Cut,
    Another,
}

/// Skips a character, as it is or encoded.
fn skip_character(text: &str, character: char) -> Skipped<'_> {
    if let Some(rest) = text.strip_prefix(character) {
        return Skipped::Whole(rest);
    }
    let forms = match text.bytes().next() {
        None => return Skipped::Cut,
        Some(b'%') => vec![percent_encoded(character)],
        Some(b'\\') => vec![unicode_escape(character), format!("\\{character}")],
        Some(_) => return Skipped::Another,
    };
    for form in &forms {
        if let Some((begin, rest)) = text.split_at_checked(form.len())
            && begin.eq_ignore_ascii_case(form)
        {
            return Skipped::Whole(rest);
        }
    }
    let mut begins = forms.iter().filter_map(|form| form.get(..text.len()));
    match begins.any(|begin| begin.eq_ignore_ascii_case(text)) {
        true => Skipped::Cut,
        false => Skipped::Another,
    }
}

fn percent_encoded(character: char) -> String {
    let text = character.to_string();
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

fn unicode_escape(character: char) -> String {
    let units = character.encode_utf16(&mut [0; 2]).to_vec();
    units.iter().map(|unit| format!("\\u{unit:04X}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_of_a_query_are_found_in_each_form() {
        for (query, expected) in [
            ("key=%FFhush", &["%FFhush", "\u{fffd}hush"][..]),
            ("key=%+1abc", &["%+1abc", "% 1abc"]),
            ("key=100%", &["100%"]),
            ("key=hush%4", &["hush%4"]),
            ("conversion=s3cret", &["s3cret"]),
            ("version=s3cret&api_version=s3cret&API-VERSION=s3cret", &[]),
            ("stream=true&debug=False&timeout=3600&n=1", &[]),
            ("pin=90210777", &["90210777"]),
            ("s3cret=", &["s3cret"]),
            ("a=&b&&=", &[]),
            ("", &[]),
        ] {
            let found: Vec<String> = query_secrets(query).collect();
            assert_eq!(found, expected, "{query}");
        }
    }
}
