//! Texts that a server repeats with the log-probabilities of their tokens.

use serde_json::Value;

use super::likelihood::at_least_one;
use crate::failure::{Cause, Failure, excerpt};

/// A text that a server has repeated, with one token behind it.
#[derive(Debug)]
pub(super) struct Echo {
    tokens: Vec<String>,
    values: Vec<Option<f64>>,
    /// How many of them are the text's.
    count: usize,
}

impl Echo {
    pub(super) fn read(json: &Value) -> Result<Echo, Failure> {
        let lists = json.pointer("/choices/0/logprobs");
        let list = |name: &str| lists.and_then(|lists| lists[name].as_array());
        let (Some(tokens), Some(values)) = (list("tokens"), list("token_logprobs")) else {
            let message = format!(
                "the server tells no log-probabilities of the text that it was given (`choices[0].logprobs` has no \
                 `tokens` and `token_logprobs`), so it cannot be asked for likelihoods this way; llama.cpp's is asked \
                 by `with_scoring(Scoring::Steps)`: {}",
                excerpt(&json.to_string())
            );
            return Err(Failure::new(Cause::Protocol, message));
        };
        let texts = tokens.iter().map(|token| token.as_str().map(str::to_owned));
        let tokens: Vec<String> = texts.map(Option::unwrap_or_default).collect();
        let values: Vec<Option<f64>> = values.iter().map(Value::as_f64).collect();
        let told = json.pointer("/usage/prompt_tokens").and_then(Value::as_u64);
        let count = told.map_or(tokens.len().saturating_sub(1), |count| count as usize);
        if tokens.len() != values.len() || count > tokens.len() {
            let message = format!(
                "the server was given {count} tokens, and tells the log-probabilities of {}: it does not repeat the \
                 text",
                values.len()
            );
            return Err(Failure::new(Cause::Protocol, message));
        }
        Ok(Echo {
            tokens,
            values,
            count,
        })
    }

    /// The values of the answer's tokens, if the tokens spell the text, behind marks that the server begins with.
    pub(super) fn spelled(&self, context: &str, answer: &str) -> Option<Result<Vec<f64>, Failure>> {
        let tokens = &self.tokens[..self.count];
        let whole: String = tokens.concat();
        let before = whole.strip_suffix(answer)?.strip_suffix(context)?;
        let marks: usize = tokens.iter().take(MARKS).map(String::len).sum();
        if before.len() > marks {
            return None;
        }
        let border = before.len() + context.len();
        let mut end = 0;
        let first = tokens.iter().position(|token| {
            end += token.len();
            end > border
        })?;
        Some(self.from(first))
    }

    /// The values behind the tokens of the context.
    pub(super) fn behind(&self, context: Option<&Echo>) -> Result<Vec<f64>, Failure> {
        let Some(context) = context else {
            return self.from(0);
        };
        let first = context.count;
        if self.tokens[..self.count].get(..first) != Some(&context.tokens[..first]) {
            return Err(Failure::new(
                Cause::Protocol,
                "it cannot be told which tokens are the answer's: the server writes them without the spaces between \
                 them, and one lies across the border",
            ));
        }
        self.from(first)
    }

    fn from(&self, first: usize) -> Result<Vec<f64>, Failure> {
        // Nothing stands before the first token of all, so it has no value.
        let values = self.values[..self.count].iter().enumerate().skip(first);
        let values = values.filter(|(index, value)| *index > 0 || value.is_some());
        let values: Option<Vec<f64>> = values.map(|(_, value)| *value).collect();
        let values = values.ok_or_else(|| {
            Failure::new(
                Cause::Protocol,
                "the server leaves out the log-probability of a token",
            )
        })?;
        at_least_one(values)
    }
}

/// How many tokens a server may put before a text: a beginning, and some models have two.
const MARKS: usize = 2;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn echo(tokens: &[&str], values: &Value, count: usize) -> Result<Echo, Failure> {
        Echo::read(&json!({
            "choices": [{"logprobs": {"tokens": tokens, "token_logprobs": values}}],
            "usage": {"prompt_tokens": count},
        }))
    }

    #[test]
    fn the_tokens_of_the_answer_are_found() {
        let check = |tokens: &[&str], values: Value, (context, answer), expected: &[f64]| {
            let echo = echo(tokens, &values, tokens.len() - 1).expect("it is read");
            let values = echo.spelled(context, answer).expect("it is spelled");
            assert_eq!(values.expect("there are some"), expected, "{tokens:?}");
        };
        let values = || json!([null, -1.0, -2.0, -3.0]);
        check(
            &["Q:", " A", "B", "."],
            values(),
            ("Q:", " AB"),
            &[-1.0, -2.0],
        );
        // A beginning of the server's own.
        check(&["<s>", "Q:", " A", "."], values(), ("Q:", " A"), &[-2.0]);
        check(
            &["<s>", "Q:", " A", "."],
            values(),
            ("", "Q: A"),
            &[-1.0, -2.0],
        );
        // The first token of all has no value.
        check(
            &["Q:", " A", "B", "."],
            values(),
            ("", "Q: AB"),
            &[-1.0, -2.0],
        );
        // A token across the border belongs to the answer.
        check(
            &["Q", ": A", "B", "."],
            values(),
            ("Q:", " AB"),
            &[-1.0, -2.0],
        );
    }

    #[test]
    fn tokens_that_do_not_spell_the_text_are_counted() {
        let values = || json!([null, -1.0, -2.0, -3.0, -4.0]);
        let whole = echo(&["<s>", "Q", "is", "yes", "."], &values(), 4).expect("it is read");
        assert!(whole.spelled("Q is", " yes").is_none());
        let context = echo(
            &["<s>", "Q", "is", "?"],
            &json!([null, -1.0, -2.0, -9.0]),
            3,
        );
        let context = context.expect("it is read");
        assert_eq!(whole.behind(Some(&context)).expect("it is told"), [-3.0]);
        let other = echo(&["<s>", "Q", "i", "?"], &json!([null, -1.0, -2.0, -9.0]), 3);
        let error = whole.behind(Some(&other.expect("it is read"))).unwrap_err();
        assert!(error.to_string().contains("one lies across the border"));
    }

    #[test]
    fn servers_that_do_not_tell_are_found_out() {
        let none = Echo::read(&json!({"choices": [{"text": "x", "logprobs": null}]}));
        let error = none.unwrap_err().to_string();
        assert!(
            error.contains("the server tells no log-probabilities of the text"),
            "{error}"
        );
        assert!(error.contains("Scoring::Steps"), "{error}");
        let ignored = echo(&["x"], &json!([-1.0]), 9).unwrap_err().to_string();
        assert!(
            ignored.contains("was given 9 tokens, and tells the log-probabilities of 1"),
            "{ignored}"
        );
        let gap = echo(&["Q:", " A", "B", "."], &json!([null, null, -1.0, -1.0]), 3);
        let gap = gap
            .expect("it is read")
            .spelled("Q:", " AB")
            .expect("it is spelled");
        assert!(gap.unwrap_err().to_string().contains("leaves out"));
        let alone = echo(&["A", "."], &json!([null, -1.0]), 1).expect("it is read");
        let alone = alone.spelled("", "A").expect("it is spelled");
        assert!(
            alone
                .unwrap_err()
                .to_string()
                .contains("first token of all")
        );
    }
}
