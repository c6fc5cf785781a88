//! The redaction of secrets from every text that leaves the client: errors and replies, and with them recordings, results and traces.

use prompt_base::redact::{self, MIN_IN_ANSWERS};
use prompt_core::Reply;
use prompt_core::{FinishReason, ToolCall};

use crate::api_key::Secret;
use crate::error::ELLIPSIS;

/// The secrets of a call.
pub(crate) struct Redactor(redact::Redactor<Secret>);

/// What replaces a secret.
const REDACTED: &str = "[key]";

/// How many characters of a secret are redacted where an excerpt ends inside it. Fewer, such as `sk-`, show its kind only.
const MIN_IN_EXCERPTS: usize = 4;

impl Redactor {
    pub(crate) fn new(secrets: impl IntoIterator<Item = Secret>) -> Redactor {
        Redactor(redact::Redactor::new(secrets, REDACTED))
    }

    /// The secrets that are redacted from replies.
    pub(crate) fn for_replies(self) -> Redactor {
        Redactor(self.0.for_answers())
    }

    /// Replaces the secrets in the text of an error, also where an excerpt ends inside one of them.
    pub(crate) fn redact_error_text(&self, text: &str) -> String {
        match text.strip_suffix(ELLIPSIS) {
            Some(excerpt) => {
                let redacted = self.0.redact_excerpt(excerpt, MIN_IN_EXCERPTS);
                redacted + ELLIPSIS.encode_utf8(&mut [0; 4])
            }
            None => self.0.redact_text(text),
        }
    }

    /// Replaces the secrets in every text of a reply.
    pub(crate) fn redact_reply(&self, reply: &mut Reply) {
        if self.0.is_empty() {
            return;
        }
        let redact = |text: &mut String| {
            let redacted = self.0.redact_excerpt(text, MIN_IN_ANSWERS);
            let is_changed = *text != redacted;
            *text = redacted;
            is_changed
        };
        redact(&mut reply.text);
        // The text of a stream has no secrets any more, while its tokens have them.
        let tokens = reply.log_probs.iter().map(|token| &*token.token);
        if redact(&mut tokens.collect()) {
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

/// A text of a reply that arrives in parts.
#[derive(Default)]
pub(crate) struct RedactedParts(redact::RedactedParts);

impl RedactedParts {
    /// Adds a part, and returns what cannot be the beginning of a secret.
    pub(crate) fn push(&mut self, redactor: &Redactor, part: &str) -> String {
        self.0.push(&redactor.0, part)
    }

    /// The end of the text.
    pub(crate) fn finish(&mut self, redactor: &Redactor) -> String {
        self.0.finish(&redactor.0, MIN_IN_ANSWERS)
    }
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
                redactor.redact_error_text(&format!("bad key {text}.")),
                "bad key [key].",
                "{text}"
            );
        }
        for text in ["sk-secret/ö\"k", "sk-SECRET", "%", "100 %2", "\\", "\\u00"] {
            assert_eq!(redactor.redact_error_text(text), text);
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
                redactor.redact_error_text(&format!("bad key {end}…")),
                "bad key [key]…",
                "{end}"
            );
        }
        for text in ["sk-…", "bad key sk-öff", "tasks…"] {
            assert_eq!(redactor.redact_error_text(text), text);
        }
        // What follows a whole key is not the beginning of one.
        assert_eq!(
            self::redactor(&["abab"]).redact_error_text("ababab…"),
            "[key]ab…"
        );
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
