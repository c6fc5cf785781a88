//! The redaction of secrets from every text that leaves the client: errors and replies, and with them recordings, results and traces.

use prompt_core::Reply;
use prompt_core::{FinishReason, ToolCall};

use crate::api_key::Secret;
use crate::error::ELLIPSIS;

/// The secrets of a call. They are found in the encodings of URLs and of JSON, also where a character is encoded that need not be.
pub(crate) struct Redactor {
    secrets: Vec<Secret>,
}

/// What replaces a secret.
const REDACTED: &str = "[key]";

/// How many characters of a secret are redacted where an excerpt ends inside it. Fewer, such as `sk-`, show its kind only.
const MIN_IN_EXCERPTS: usize = 4;

/// Shorter secrets, and shorter parts of them, stay in replies: a word such as `ollama`, which local servers accept as a key, may be a part of an answer.
const MIN_IN_REPLIES: usize = 8;

impl Redactor {
    pub(crate) fn new(secrets: impl IntoIterator<Item = Secret>) -> Redactor {
        let secrets = secrets.into_iter();
        let secrets = secrets.filter(|secret| !secret.as_secret_str().is_empty());
        Redactor {
            secrets: secrets.collect(),
        }
    }

    /// The secrets that are redacted from replies.
    pub(crate) fn for_replies(mut self) -> Redactor {
        let is_long = |secret: &Secret| secret.as_secret_str().len() >= MIN_IN_REPLIES;
        self.secrets.retain(is_long);
        self
    }

    /// Replaces the secrets in the text of an error, also where an excerpt ends inside one of them.
    pub(crate) fn redact(&self, text: &str) -> String {
        match text.strip_suffix(ELLIPSIS) {
            Some(excerpt) => {
                self.redact_whole(excerpt, MIN_IN_EXCERPTS) + ELLIPSIS.encode_utf8(&mut [0; 4])
            }
            None => self.redact_whole(text, usize::MAX),
        }
    }

    /// Replaces the secrets in a text. At its end, at least `min_characters` of a secret are replaced too.
    fn redact_whole(&self, text: &str, min_characters: usize) -> String {
        let mut redacted = String::new();
        let (rest, characters) = self.redact_part(text, &mut redacted);
        redacted.push_str(match characters >= min_characters {
            true => REDACTED,
            false => rest,
        });
        redacted
    }

    /// Replaces the secrets in a part of a text. Returns the end that may be the beginning of a secret, and how many of its characters it contains.
    fn redact_part<'a>(&self, text: &'a str, redacted: &mut String) -> (&'a str, usize) {
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let found = self.secrets.iter();
            let found = found.filter_map(|secret| find_at(rest, secret.as_secret_str()));
            match found.max() {
                Some(Found::Whole(end)) => {
                    redacted.push_str(REDACTED);
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

    /// Replaces the secrets in every text of a reply.
    pub(crate) fn redact_reply(&self, reply: &mut Reply) {
        if self.secrets.is_empty() {
            return;
        }
        let redact = |text: &mut String| {
            let redacted = self.redact_whole(text, MIN_IN_REPLIES);
            let is_changed = *text != redacted;
            *text = redacted;
            is_changed
        };
        if redact(&mut reply.text) {
            // The tokens are the parts of the text.
            reply.log_probs.clear();
        }
        let texts = [&mut reply.reasoning, &mut reply.model, &mut reply.id];
        texts
            .into_iter()
            .flatten()
            .for_each(|text| _ = redact(text));
        for ToolCall {
            id,
            name,
            arguments,
        } in &mut reply.tool_calls
        {
            let texts = id.iter_mut().chain([name, arguments]);
            texts.for_each(|text| _ = redact(text));
        }
        if let Some(FinishReason::Other(reason)) = &mut reply.finish {
            redact(reason);
        }
    }
}

/// A text that arrives in parts, between which a secret may be divided.
#[derive(Default)]
pub(crate) struct RedactedParts {
    /// The end of the text, if it may be the beginning of a secret.
    pending: String,
}

impl RedactedParts {
    /// Adds a part, and returns what cannot be the beginning of a secret.
    pub(crate) fn push(&mut self, redactor: &Redactor, part: &str) -> String {
        self.pending.push_str(part);
        let mut redacted = String::new();
        let (rest, _) = redactor.redact_part(&self.pending, &mut redacted);
        self.pending = rest.to_owned();
        redacted
    }

    /// The end of the text.
    pub(crate) fn finish(&mut self, redactor: &Redactor) -> String {
        let pending = std::mem::take(&mut self.pending);
        redactor.redact_whole(&pending, MIN_IN_REPLIES)
    }
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

/// The text of a part of a URL.
pub(crate) fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
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

#[cfg(test)]
mod tests {
    use super::*;

    fn redactor(secrets: &[&str]) -> Redactor {
        Redactor::new(
            secrets
                .iter()
                .map(|secret| Secret::new((*secret).to_owned())),
        )
    }

    #[test]
    fn secrets_are_found_in_every_encoding() {
        let redactor = redactor(&["sk-SECRET/ö\"k"]);
        for text in [
            "sk-SECRET/ö\"k",
            "sk%2DSECRET%2F%C3%B6%22k",
            "sk%2dSECRET/%c3%b6\"%6b",
            "%73%6B%2D%53%45%43%52%45%54%2F%C3%B6%22%6B",
            "sk-\\u0053ECRET\\/\\u00f6\\\"k",
            "\\u0073\\u006B\\u002D\\u0053\\u0045\\u0043\\u0052\\u0045\\u0054\\u002f\\u00F6\\u0022\\u006b",
            "sk%2DSECRET\\/ö\\u0022k",
        ] {
            assert_eq!(
                redactor.redact(&format!("bad key {text}.")),
                "bad key [key].",
                "{text}"
            );
        }
        for text in ["sk-secret/ö\"k", "sk-SECRET", "%", "100 %2", "\\", "\\u00"] {
            assert_eq!(redactor.redact(text), text);
        }
    }

    #[test]
    fn secrets_are_redacted_where_an_excerpt_ends_inside_them() {
        let redactor = redactor(&["sk-öffne-dich"]);
        for end in [
            "sk-ö",
            "sk-öff",
            "sk-öffne-dic",
            "sk-öffne-dich",
            "sk%2D%C3%B6f",
            "sk-\\u00f6%6",
        ] {
            assert_eq!(
                redactor.redact(&format!("bad key {end}…")),
                "bad key [key]…",
                "{end}"
            );
        }
        for text in ["sk-…", "bad key sk-öff", "tasks…"] {
            assert_eq!(redactor.redact(text), text);
        }
        // What follows a whole key is not the beginning of one.
        assert_eq!(self::redactor(&["abab"]).redact("ababab…"), "[key]ab…");
    }

    #[test]
    fn parts_are_redacted_wherever_a_secret_is_divided() {
        let redactor = redactor(&["sk-SECRET", "hush-hush"]).for_replies();
        for (text, expected) in [
            (
                "Your key is sk-SECRET, sk%2DSECRET and hush-hush!",
                "Your key is [key], [key] and [key]!",
            ),
            ("ask-SECRETs", "a[key]s"),
            ("tasks", "tasks"),
            ("sk-sk-SECRET", "sk-[key]"),
            ("sk-SECRE", "[key]"),
            ("sk-SEC", "sk-SEC"),
        ] {
            for size in 1..=text.len() {
                let mut parts = RedactedParts::default();
                let chunks = text
                    .as_bytes()
                    .chunks(size)
                    .map(|chunk| std::str::from_utf8(chunk).unwrap());
                let mut found: String = chunks.map(|part| parts.push(&redactor, part)).collect();
                found += &parts.finish(&redactor);
                assert_eq!(found, expected, "in parts of {size}");
            }
        }
    }

    #[test]
    fn short_secrets_stay_in_replies() {
        let mut reply = Reply::new("ollama run sk-SECRET").with_model("sk-SECRET");
        redactor(&["ollama", "sk-SECRET"])
            .for_replies()
            .redact_reply(&mut reply);
        assert_eq!(
            (&*reply.text, reply.model.as_deref()),
            ("ollama run [key]", Some("[key]"))
        );
    }
}
