//! Tool calls with keys that are not quoted, and strings between tokens: `call:tide{place:<|"|>Brest<|"|>,day:1}`.

use super::call::{AnswerCursor, CallStep, CallStop};
use super::python::MAX_DEPTH;
use crate::Json;
use crate::ToolCall;
use crate::json::repeated_key;
use prompt_base::json::{Escapes, push_string};

impl AnswerCursor<'_> {
    /// The call after its delimiter.
    pub(super) fn parse_bare_key_call(&mut self, prefix: &str, quote: &str) -> CallStep<ToolCall> {
        self.expect_token(prefix)?;
        let start = self.at;
        let name = self.name()?;
        let span = start..self.at;
        self.skip_space();
        if self.peek()? != Some('{') {
            return Err(self.expected_error("`{`"));
        }
        let mut arguments = String::new();
        self.bare_value(quote, &mut arguments, 0)?;
        self.finish(None, name, arguments, span)
    }

    fn bare_value(&mut self, quote: &str, out: &mut String, depth: usize) -> CallStep<()> {
        self.skip_space();
        let start = self.at;
        if depth > MAX_DEPTH {
            return Err(self.error_at(start..start + 1, "it is nested too deep".to_owned()));
        }
        if self.eat_token(quote)? {
            let text = self.take_until(quote)?;
            push_string(out, text, Escapes::Required);
            return Ok(());
        }
        match self.peek()? {
            Some('{') => self.bare_object(quote, out, depth),
            Some('[') => {
                self.expect_token("[")?;
                out.push('[');
                let mut is_first = true;
                loop {
                    self.skip_space();
                    if self.eat_token("]")? {
                        break;
                    }
                    out.push_str(if is_first { "" } else { "," });
                    is_first = false;
                    self.bare_value(quote, out, depth + 1)?;
                    self.comma_before("]")?;
                }
                out.push(']');
                Ok(())
            }
            _ => self.word(out),
        }
    }

    fn bare_object(&mut self, quote: &str, out: &mut String, depth: usize) -> CallStep<()> {
        let start = self.at;
        self.expect_token("{")?;
        let begun = out.len();
        out.push('{');
        let mut is_first = true;
        loop {
            self.skip_space();
            if self.eat_token("}")? {
                break;
            }
            out.push_str(if is_first { "" } else { "," });
            is_first = false;
            let key = match self.eat_token(quote)? {
                true => self.take_until(quote)?,
                false => self.bare_key()?,
            };
            push_string(out, key, Escapes::Required);
            self.skip_space();
            self.expect_token(":")?;
            out.push(':');
            self.bare_value(quote, out, depth + 1)?;
            self.comma_before("}")?;
        }
        out.push('}');
        let json = Json::parse(&out[begun..])
            .ok()
            .and_then(|json| json.entries());
        match json.as_deref().and_then(repeated_key) {
            Some(key) => {
                Err(self.error_at(start..self.at, format!("the key `{key}` occurs twice")))
            }
            None => Ok(()),
        }
    }

    fn bare_key(&mut self) -> CallStep<&str> {
        let rest = &self.text[self.at..];
        let Some(length) = rest.find([':', ',', '{', '}', '[', ']', '<', '\n']) else {
            return Err(match self.end {
                true => self.truncated_error(),
                false => CallStop::More,
            });
        };
        if length == 0 {
            return Err(self.expected_error("a key"));
        }
        self.at += length;
        Ok(rest[..length].trim())
    }

    fn comma_before(&mut self, close: &str) -> CallStep<()> {
        self.skip_space();
        if self.eat_token(",")? || self.rest().starts_with(close) {
            return Ok(());
        }
        self.peek()?;
        Err(self.expected_error(&format!("`,` or `{close}`")))
    }
}
